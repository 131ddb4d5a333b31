// What a memory belongs to: its line of evolution, links both ways, files with their state, entities, prompts it was put into.

import type { ChainStep, LinkRow, MemoryPage } from '../../../src/viewer-api/protocol.ts';
import { KindMark, StalenessMark, When } from '../parts/marks.tsx';
import { memoryHref } from '../parts/memory-row.tsx';
import { hrefOf } from '../route.ts';
import { count, number, plural, words } from '../wording.ts';

export function Chain({ steps }: { steps: readonly ChainStep[] }) {
  if (steps.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="chain-title">
      <h2 id="chain-title">How it came about</h2>
      <ol class="chain">
        {steps.map((step) => (
          <li key={step.ref} aria-current={step.here ? 'true' : undefined}>
            <p class="small muted">
              {step.relation ? `${words(step.relation)} the one before` : 'First'}, <When at={step.at} />
            </p>
            {step.here ? <strong>{step.title}</strong> : <a href={memoryHref(step)}>{step.title}</a>}
          </li>
        ))}
      </ol>
    </section>
  );
}

type LinksProps = { id: string; title: string; rows: readonly LinkRow[] };
const SHOWN_LINKS = 40;

export function Links({ id, title, rows }: LinksProps) {
  return (
    <section class="panel" aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        <span class="small muted">{count(rows.length)}</span>
      </header>
      {rows.length === 0 ? (
        <p class="muted small">{id === 'links' ? 'It links to nothing.' : 'Nothing links to it.'}</p>
      ) : (
        <ul class="rows">
          {rows.slice(0, SHOWN_LINKS).map((row) => (
            <li class="row" key={`${row.relation} ${row.ref}`}>
              <div class="row-title">
                {row.title === null ? (
                  <span class="muted">{row.ref} (does not exist)</span>
                ) : (
                  <a href={memoryHref(row)} data-row>
                    {row.title}
                  </a>
                )}
              </div>
              <div class="facts">
                <span>{words(row.relation)}</span>
                {row.layer && row.kind && <KindMark layer={row.layer} kind={row.kind} />}
                {row.rule && row.rule !== 'written' && <span>by the rule {row.rule}</span>}
              </div>
            </li>
          ))}
        </ul>
      )}
      {rows.length > SHOWN_LINKS && <p class="muted small">and {count(rows.length - SHOWN_LINKS)} more</p>}
    </section>
  );
}

export function Files({ memory: { files } }: { memory: MemoryPage }) {
  if (files.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="files-title">
      <h2 id="files-title">Files it speaks of</h2>
      <ul class="rows">
        {files.map(({ path, state }) => (
          <li class="row" key={path}>
            <span class="mono">{path}</span>
            <div>
              <StalenessMark state={state} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Entities({ memory: { entities, project } }: { memory: MemoryPage }) {
  if (entities.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="entities-title">
      <h2 id="entities-title">Mentions</h2>
      <ul class="tags">
        {entities.map(({ ref, name, kind }) => (
          <li key={ref}>
            <a class="badge" href={memoryHref({ ref, project })} title={words(kind)}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Injected({ memory }: { memory: MemoryPage }) {
  const { injected, learned, ref } = memory;
  if (memory.entity) return null;
  return (
    <section class="panel" aria-labelledby="injected-title">
      <header>
        <h2 id="injected-title">Where it was injected</h2>
        {injected.times > 0 && (
          <a class="small" href={hrefOf('injections', { ref })}>
            {plural(injected.times, 'time')}
          </a>
        )}
      </header>
      {injected.times === 0 && <p class="muted small">Into no prompt yet.</p>}
      <ul class="rows">
        {injected.last.map(({ at, prompt, event }) => (
          <li class="row" key={`${at} ${prompt}`}>
            <p class="clamp">{prompt || event}</p>
            <p class="facts">
              <When at={at} />
            </p>
          </li>
        ))}
      </ul>
      {learned.injected > 0 && (
        <p class="small muted">
          {plural(learned.used, 'answer')} of {count(learned.injected)} built on it; its rank is multiplied by{' '}
          {number(learned.factor)}.
        </p>
      )}
    </section>
  );
}
