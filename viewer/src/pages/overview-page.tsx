// Overview: what is remembered, whether capturing works, what it costs, what is new and what was left open.

import type { Brief, Overview } from '../../../src/viewer-api/protocol.ts';
import { hueStyle } from '../kind-colours.ts';
import { useAnswer } from '../live.ts';
import { CaptureHealth } from '../parts/capture-health.tsx';
import { KindDot } from '../parts/marks.tsx';
import { MemoryRow } from '../parts/memory-row.tsx';
import { ScopeSelect } from '../parts/scope-select.tsx';
import { Answer, Empty } from '../parts/states.tsx';
import { TokensChart } from '../parts/tokens-chart.tsx';
import { kindName, useRegistry } from '../registry.tsx';
import { hrefOf } from '../route.ts';
import { bytes, count, LAYER_NAMES, shortPath, words } from '../wording.ts';

export function OverviewPage({ params }: { params: URLSearchParams }) {
  const project = params.get('project');
  const answer = useAnswer('overview', project ? { project } : {});
  return (
    <>
      <div class="head">
        <div>
          <h1>Overview</h1>
          <p>What Cairn remembers, and how it is doing.</p>
        </div>
        <ScopeSelect params={params} />
      </div>
      <Answer of={answer}>{(overview) => <Panels overview={overview} />}</Answer>
    </>
  );
}

function Panels({ overview }: { overview: Overview }) {
  const { project } = useRegistry();
  return (
    <div class="overview">
      {project.untrusted && (
        <p class="notice warn whole">
          The records and notes of this project came with the repository. Nothing of them is injected until you have
          looked at them and agreed: run <code>cairn trust</code>.
        </p>
      )}
      <Totals totals={overview.totals} />
      <div class="stack">
        <section class="panel" aria-labelledby="kinds-title">
          <h2 id="kinds-title">By layer and kind</h2>
          <Counts counts={overview.counts} />
        </section>
        <section class="panel" aria-labelledby="captures-title">
          <header>
            <h2 id="captures-title">Last captures</h2>
            <a class="small" href={hrefOf('memory')}>
              All memories
            </a>
          </header>
          <Briefs briefs={overview.lastCaptures} />
        </section>
      </div>
      <div class="stack">
        <section class="panel" aria-labelledby="tokens-title">
          <header>
            <h2 id="tokens-title">Tokens injected per day</h2>
            <a class="small" href={hrefOf('injections')}>
              All injections
            </a>
          </header>
          <TokensChart days={overview.injected} />
        </section>
        <section class="panel" aria-labelledby="open-title">
          <h2 id="open-title">Left open</h2>
          <OpenMatters open={overview.open} />
        </section>
        <CaptureHealth signs={overview.lastSigns} failures={overview.lastFailures} />
        <section class="panel" aria-labelledby="storage-title">
          <h2 id="storage-title">Storage</h2>
          <Storage storage={overview.storage} />
        </section>
      </div>
    </div>
  );
}

const TOTALS = ['records', 'notes', 'conversations', 'ideas', 'entities', 'links'] as const;

function Totals({ totals }: { totals: Overview['totals'] }) {
  return (
    <dl class="totals" aria-label="Totals">
      {TOTALS.map((name) => (
        <div key={name}>
          <dt>{words(name)}</dt>
          <dd>{count(totals[name])}</dd>
        </div>
      ))}
    </dl>
  );
}

const LAYERS = ['record', 'note', 'trace'];

function Counts({ counts }: { counts: Overview['counts'] }) {
  const registry = useRegistry();
  if (counts.length === 0) return <Empty>Nothing is remembered yet.</Empty>;
  return (
    <div class="counts">
      {LAYERS.map((layer) => {
        const own = counts.filter((each) => each.layer === layer).sort((a, b) => b.count - a.count);
        const most = Math.max(1, ...own.map((each) => each.count));
        return own.length === 0 ? null : (
          <section key={layer}>
            <h3>{LAYER_NAMES[layer]}</h3>
            <ul>
              {own.map(({ kind, count: many }) => (
                <li key={kind}>
                  <KindDot layer={layer} kind={kind} />
                  <a href={hrefOf('memory', { layer, kind })}>{kindName(registry, layer, kind)}</a>
                  <span class="bar hue" style={hueStyle(kind)} aria-hidden="true">
                    <span style={{ width: `${Math.max(2, (100 * many) / most)}%` }} />
                  </span>
                  <span class="amount">{count(many)}</span>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

const SHOWN_OPEN = 5;

function OpenMatters({ open }: { open: Overview['open'] }) {
  if (open.questions.length + open.todos.length === 0)
    return <p class="muted">No open questions, nothing left to do.</p>;
  return (
    <div class="stack">
      <OpenList title="Questions" kind="question" briefs={open.questions} />
      <OpenList title="To do" kind="todo" briefs={open.todos} />
    </div>
  );
}

type OpenListProps = { title: string; kind: string; briefs: readonly Brief[] };

function OpenList({ title, kind, briefs }: OpenListProps) {
  if (briefs.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <Briefs briefs={briefs.slice(0, SHOWN_OPEN)} plain />
      {briefs.length > SHOWN_OPEN && (
        <p class="small">
          <a href={hrefOf('memory', { layer: 'trace', kind })}>{count(briefs.length - SHOWN_OPEN)} more</a>
        </p>
      )}
    </div>
  );
}

function Briefs({ briefs, plain = false }: { briefs: readonly Brief[]; plain?: boolean }) {
  if (briefs.length === 0) return <Empty>Nothing was captured yet.</Empty>;
  return (
    <ul class="rows">
      {briefs.map((brief) => (
        <MemoryRow key={`${brief.project} ${brief.ref}`} of={brief} at={brief.createdAt} plain={plain} />
      ))}
    </ul>
  );
}

function Storage({ storage }: { storage: Overview['storage'] }) {
  return (
    <ul class="storage">
      {storage.map(({ part, path, bytes: size }) => (
        <li key={part}>
          <span>{words(part)}</span>
          <span class="mono muted one-line" title={path}>
            {shortPath(path, 2)}
          </span>
          <span class="amount">{bytes(size)}</span>
        </li>
      ))}
    </ul>
  );
}
