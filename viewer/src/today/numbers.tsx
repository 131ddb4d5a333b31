// The numbers below Today: how much is remembered of what, what it costs, where it lies, and what the doctor says.

import type { Overview } from '../../../src/viewer-api/protocol.ts';
import { hueStyle } from '../kind-colours.ts';
import { useAnswer } from '../live.ts';
import { CaptureHealth } from '../parts/capture-health.tsx';
import { KindDot } from '../parts/marks.tsx';
import { Answer, Empty } from '../parts/states.tsx';
import { TokensChart } from '../parts/tokens-chart.tsx';
import { kindName, useRegistry } from '../registry.tsx';
import { hrefOf } from '../route.ts';
import { bytes, count, LAYER_NAMES, shortPath, words } from '../wording.ts';

export function Numbers({ project }: { project: string | null }) {
  const answer = useAnswer('overview', project ? { project } : {});
  return <Answer of={answer}>{(overview) => <Panels overview={overview} />}</Answer>;
}

function Panels({ overview }: { overview: Overview }) {
  return (
    <div class="overview">
      <Totals totals={overview.totals} />
      <div class="stack">
        <section class="panel" aria-labelledby="kinds-title">
          <h2 id="kinds-title">By layer and kind</h2>
          <Counts counts={overview.counts} />
        </section>
        <section class="panel" aria-labelledby="storage-title">
          <h2 id="storage-title">Storage</h2>
          <Storage storage={overview.storage} />
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
        <CaptureHealth signs={overview.lastSigns} failures={overview.lastFailures} />
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
