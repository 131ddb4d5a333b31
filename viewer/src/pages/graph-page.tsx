// Graph: notes, records, ideas and entities with their links. The server lays it out; here it is looked at, filtered, focused,
// opened and exported.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { GraphAnswer, RefQuery } from '../../../src/viewer-api/protocol.ts';
import { exportMarkdown } from '../exporting.ts';
import { GraphCanvas } from '../graph/graph-canvas.tsx';
import { graphColours } from '../graph/graph-colours.ts';
import { graphPng, graphSvg } from '../graph/graph-export.ts';
import { FocusedNode, NodeList } from '../graph/graph-list.tsx';
import { type GraphModel, graphModel, isSameGraph, kindKey, neighbours, seen } from '../graph/graph-model.ts';
import { useAnswer } from '../live.ts';
import { KindDot } from '../parts/marks.tsx';
import { memoryHref } from '../parts/memory-row.tsx';
import { saveFile } from '../parts/save-file.ts';
import { ScopeSelect } from '../parts/scope-select.tsx';
import { Answer, Empty } from '../parts/states.tsx';
import { kindName, useRegistry } from '../registry.tsx';
import { changeParams } from '../route.ts';
import { say } from '../toasts.tsx';
import { count, LAYER_NAMES, plural } from '../wording.ts';

const LIMITS = [500, 2_000, 10_000, 50_000];
const USUAL = 2_000;

export function GraphPage({ params }: { params: URLSearchParams }) {
  // Both are needed, and neither needs the other: the drawing code is fetched while the server answers.
  useLayoutEffect(() => void import('../graph/sigma-view.ts').catch(() => undefined), []);
  const near = Number(params.get('near') ?? 0);
  const focus = params.get('focus');
  return focus && near > 0 ? (
    <Neighbourhood params={params} ask={{ ref: focus, ...scopeOf(params) }} depth={near} />
  ) : (
    <Whole params={params} />
  );
}

function scopeOf(params: URLSearchParams): { project?: string } {
  const project = params.get('focusProject') ?? params.get('project');
  return project ? { project } : {};
}

function Whole({ params }: { params: URLSearchParams }) {
  const project = params.get('project');
  const limit = Number(params.get('limit') ?? USUAL);
  const answer = useAnswer('graph', { limit, ...(project ? { project } : {}) });
  const data = useStable(answer.data);
  const focus = params.get('focus');
  // A memory that is not among the best linked has a neighbourhood all the same.
  if (data && focus && !data.nodes.ref.includes(focus))
    return <Neighbourhood params={params} ask={{ ref: focus, ...scopeOf(params) }} depth={1} />;
  return (
    <GraphFrame params={params}>
      <Answer of={{ ...answer, data }}>
        {(graph) => <Explorer key={project} answer={graph} params={params} near={0} />}
      </Answer>
    </GraphFrame>
  );
}

type NeighbourhoodProps = { params: URLSearchParams; ask: RefQuery; depth: number };

function Neighbourhood({ params, ask, depth }: NeighbourhoodProps) {
  const answer = useAnswer('neighbourhood', { ...ask, depth });
  const data = useStable(answer.data);
  return (
    <GraphFrame params={params}>
      <Answer of={{ ...answer, data }}>{(graph) => <Explorer answer={graph} params={params} near={depth} />}</Answer>
    </GraphFrame>
  );
}

function GraphFrame({ params, children }: { params: URLSearchParams; children: ComponentChildren }) {
  return (
    <>
      <div class="head">
        <div>
          <h1>Graph</h1>
          <p>Click or Enter focuses a node, once more opens it.</p>
        </div>
        <ScopeSelect params={params} />
      </div>
      {children}
    </>
  );
}

/** The answer before, as long as the new one looks the same. */
function useStable(data: GraphAnswer | undefined): GraphAnswer | undefined {
  const last = useRef<GraphAnswer | undefined>(undefined);
  if (data && (!last.current || !isSameGraph(last.current, data))) last.current = data;
  return data ? last.current : undefined;
}

type ExplorerProps = { answer: GraphAnswer; params: URLSearchParams; near: number };

function Explorer({ answer, params, near }: ExplorerProps) {
  const model = useMemo(() => graphModel(answer), [answer]);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [search, setSearch] = useState('');
  const focusRef = params.get('focus');
  const focusAt = focusRef ? model.nodes.findIndex(({ ref }) => ref === focusRef) : -1;
  const focus = focusAt < 0 ? undefined : focusAt;
  const look = useMemo(
    () => seen(model, { hidden, search, focus, isNear: near > 0 }),
    [model, hidden, search, focus, near],
  );
  const set = (changes: { [name: string]: string | undefined }) => changeParams(changes);
  const choose = (at: number) => {
    const node = model.nodes[at]!;
    if (at === focus) location.hash = memoryHref(node);
    else set({ focus: node.ref, focusProject: node.project });
  };
  const leave = () => focus !== undefined && set({ focus: undefined, focusProject: undefined, near: undefined });
  if (model.nodes.length === 0) return <Empty>There is nothing to draw yet.</Empty>;
  const listed = model.nodes.filter(({ at }) => look.strong.has(at) && look.shown.has(at));
  return (
    <div class="graph">
      <GraphCanvas model={model} seen={look} focus={focus} pick={choose} leave={leave} />
      <div class="graph-side stack">
        <div class="panel">
          {focus === undefined ? (
            <>
              <div class="field">
                <label for="graph-search">Find a node</label>
                <input
                  id="graph-search"
                  data-search
                  type="search"
                  autocomplete="off"
                  value={search}
                  onInput={(event) => setSearch(event.currentTarget.value)}
                />
              </div>
              <NodeList nodes={listed} choose={choose} />
            </>
          ) : (
            <FocusedNode
              node={model.nodes[focus]!}
              neighbours={neighbours(model, focus)}
              choose={choose}
              leave={leave}
              near={near}
              setNear={(depth) => set({ near: depth > 0 ? String(depth) : undefined })}
              exportIt={() => {
                const { ref, project } = model.nodes[focus]!;
                void exportMarkdown('exportNeighbourhood', { ref, project, ...(near > 0 ? { depth: near } : {}) });
              }}
            />
          )}
        </div>
        <Legend model={model} hidden={hidden} setHidden={setHidden} />
        <Options model={model} params={params} set={set} near={near} save={(as) => void savePicture(as, model, look)} />
      </div>
    </div>
  );
}

async function savePicture(as: 'svg' | 'png', model: GraphModel, look: ReturnType<typeof seen>): Promise<void> {
  try {
    if (as === 'svg') saveFile('cairn-graph.svg', graphSvg(model, look, graphColours()), 'image/svg+xml');
    else saveFile('cairn-graph.png', await graphPng(model, look, graphColours()));
    say(`Saved the graph as cairn-graph.${as}.`);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), { bad: true });
  }
}

type LegendProps = {
  model: GraphModel;
  hidden: ReadonlySet<string>;
  setHidden: (hidden: ReadonlySet<string>) => void;
};

function Legend({ model, hidden, setHidden }: LegendProps) {
  const registry = useRegistry();
  const layers = [...new Set(model.kinds.map(({ layer }) => layer))];
  const toggle = (key: string, on: boolean) =>
    setHidden(new Set(on ? [...hidden].filter((each) => each !== key) : [...hidden, key]));
  return (
    <section class="panel" aria-labelledby="legend-title">
      <header>
        <h2 id="legend-title">Kinds</h2>
        {hidden.size > 0 && (
          <button type="button" class="link small" onClick={() => setHidden(new Set())}>
            Show all
          </button>
        )}
      </header>
      {layers.map((layer) => (
        <fieldset class="legend" key={layer}>
          <legend>{LAYER_NAMES[layer] ?? layer}</legend>
          {model.kinds
            .filter((kind) => kind.layer === layer)
            .map((kind) => (
              <label key={kind.kind}>
                <input
                  type="checkbox"
                  checked={!hidden.has(kindKey(kind))}
                  onChange={(event) => toggle(kindKey(kind), event.currentTarget.checked)}
                />
                <KindDot layer={layer} kind={kind.kind} />
                {kindName(registry, layer, kind.kind)}
                <span class="amount">{count(kind.count)}</span>
              </label>
            ))}
        </fieldset>
      ))}
    </section>
  );
}

type OptionsProps = {
  model: GraphModel;
  params: URLSearchParams;
  set: (changes: { [name: string]: string | undefined }) => void;
  near: number;
  save: (as: 'svg' | 'png') => void;
};

function Options({ model, params, set, near, save }: OptionsProps) {
  const { total, nodes, edges } = model;
  return (
    <section class="panel stack" aria-label="Size and export">
      <p class="small muted">
        {plural(nodes.length, 'node')} and {plural(edges.length, 'link')} shown
        {total.nodes > nodes.length && ` of ${count(total.nodes)} and ${count(total.edges)}`}.
      </p>
      {near === 0 && (
        <div class="field">
          <label for="graph-limit">At most</label>
          <select
            id="graph-limit"
            value={params.get('limit') ?? String(USUAL)}
            onChange={(event) => set({ limit: event.currentTarget.value })}
          >
            {LIMITS.map((limit) => (
              <option key={limit} value={String(limit)}>
                {count(limit)} nodes, the best linked
              </option>
            ))}
          </select>
        </div>
      )}
      <div class="actions">
        <button type="button" onClick={() => save('svg')}>
          Save SVG
        </button>
        <button type="button" onClick={() => save('png')}>
          Save PNG
        </button>
      </div>
    </section>
  );
}
