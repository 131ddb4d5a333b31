// Graph: a map of about forty things first, then what lies around one of them, and everything in groups. Looked at, filtered, focused,
// opened and exported here; places are found by the worker.

import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { GraphAnswer, RefQuery } from '../../../src/viewer-api/protocol.ts';
import { exportMarkdown } from '../exporting.ts';
import { AllGroups } from '../graph/all-groups.tsx';
import { GraphCanvas } from '../graph/graph-canvas.tsx';
import { graphColours } from '../graph/graph-colours.ts';
import { graphPng, graphSvg, type Placed } from '../graph/graph-export.ts';
import { groupsOf, groupWith, membersOnly } from '../graph/graph-groups.ts';
import { FocusedNode, NodeList } from '../graph/graph-list.tsx';
import { GraphMap } from '../graph/graph-map.tsx';
import { type GraphModel, graphModel, isSameGraph, neighbours, type Seen, seen } from '../graph/graph-model.ts';
import { type GraphView, Legend, Options, USUAL_LIMIT } from '../graph/graph-options.tsx';
import { useGroups, useLayout } from '../graph/use-layout.ts';
import { useAnswer } from '../live.ts';
import { usePageTitle } from '../page-title.ts';
import { memoryHref } from '../parts/memory-row.tsx';
import { saveFile } from '../parts/save-file.ts';
import { Answer, Empty } from '../parts/states.tsx';
import { changeParams, hrefOf } from '../route.ts';
import { say } from '../toasts.tsx';

/** So many have room for their names. */
const NEAR = 60;

export function GraphPage({ params }: { params: URLSearchParams }) {
  const focus = params.get('focus');
  const project = params.get('project');
  const scope = project ? { project } : {};
  const view = viewIn(params);
  const isAll = view === 'groups' || view === 'group' || view === 'dots';
  return (
    <>
      <div class="head">
        <div>
          <h1>Graph</h1>
          <p>{WORDS[view]}</p>
        </div>
        <nav class="actions" aria-label="What is shown">
          <a class="button" href={hrefOf('graph')} aria-current={view === 'map' ? 'true' : undefined}>
            Map
          </a>
          <a
            class="button"
            href={hrefOf('graph', { all: 'true', focus: focus ?? undefined })}
            aria-current={isAll ? 'true' : undefined}
          >
            Everything
          </a>
        </nav>
      </div>
      {isAll ? (
        <Whole params={params} scope={scope} view={view} />
      ) : view === 'near' ? (
        <Neighbourhood params={params} ask={{ ref: focus ?? '', ...ofProject(params) }} />
      ) : (
        <ProjectMap params={params} scope={scope} />
      )}
    </>
  );
}

/** A node in focus is seen among everything only as a dot. */
function viewIn(params: URLSearchParams): GraphView {
  const isAll = params.get('all') !== null || params.get('limit') !== null;
  if (!isAll) return params.get('focus') ? 'near' : 'map';
  if (params.get('focus') || params.get('dots') !== null) return 'dots';
  return params.get('group') ? 'group' : 'groups';
}

const WORDS: { readonly [view in GraphView]: string } = {
  map: 'What holds the project together. Choose a node to see what hangs together with it.',
  near: 'What hangs together with it. Choose another node to go on, the same one again to open it.',
  groups: 'Everything that is linked, as groups that hang together. Choose one to open it.',
  group: 'What hangs together in this group. Choose a node to see what is around it.',
  dots: 'Everything that is linked, group by group. Choose a node.',
};

function ofProject(params: URLSearchParams): { project?: string } {
  const scope = params.get('project');
  const project = params.get('focusProject') ?? (scope === 'all' ? null : scope);
  return project ? { project } : {};
}

function ProjectMap({ params, scope }: { params: URLSearchParams; scope: { project?: string } }) {
  const answer = useAnswer('map', scope);
  const data = useStable(answer.data);
  return <Answer of={{ ...answer, data }}>{(graph) => <Explorer answer={graph} params={params} view="map" />}</Answer>;
}

type WholeProps = { params: URLSearchParams; scope: { project?: string }; view: GraphView };

function Whole({ params, scope, view }: WholeProps) {
  // Both are needed, and neither needs the other: the drawing code is fetched while the server answers.
  useLayoutEffect(() => {
    if (view === 'dots') import('../graph/sigma-view.ts').catch(() => undefined);
  }, [view]);
  const answer = useAnswer('graph', { limit: Number(params.get('limit') ?? USUAL_LIMIT), ...scope });
  const data = useStable(answer.data);
  return (
    <Answer of={{ ...answer, data }}>
      {(graph) =>
        view === 'dots' ? (
          <Explorer key={scope.project} answer={graph} params={params} view="dots" />
        ) : (
          <Groups answer={graph} params={params} />
        )
      }
    </Answer>
  );
}

/** All groups, or one of them. */
function Groups({ answer, params }: { answer: GraphAnswer; params: URLSearchParams }) {
  const model = useMemo(() => graphModel(answer), [answer]);
  const found = useGroups(model);
  const groups = useMemo(() => (found ? groupsOf(model, found) : undefined), [model, found]);
  const wanted = params.get('group');
  const chosen = useMemo(
    () => (groups && wanted ? groupWith(groups, model, wanted) : undefined),
    [groups, model, wanted],
  );
  const inside = useMemo(() => chosen && membersOnly(model, chosen, NEAR), [model, chosen]);
  if (model.nodes.length === 0) return <Empty>There is nothing to draw yet.</Empty>;
  if (!groups) return <div class="graph-stage" aria-busy="true" />;
  if (inside && chosen) return <GraphOf model={inside} params={params} view="group" title={chosen.title} />;
  return (
    <AllGroups
      model={model}
      groups={groups}
      choose={({ ref }) => changeParams({ group: ref })}
      open={(node) => changeParams({ ...LEFT, focus: node.ref, focusProject: node.project || undefined })}
    >
      <Options model={model} params={params} set={changeParams} view="groups" save={undefined} />
    </AllGroups>
  );
}

/** What says that everything is shown. */
const LEFT = { all: undefined, limit: undefined, group: undefined, dots: undefined };

function Neighbourhood({ params, ask }: { params: URLSearchParams; ask: RefQuery }) {
  const depth = Math.max(1, Number(params.get('near') ?? 1));
  const answer = useAnswer('neighbourhood', { ...ask, depth, limit: NEAR });
  const data = useStable(answer.data);
  return <Answer of={{ ...answer, data }}>{(graph) => <Explorer answer={graph} params={params} view="near" />}</Answer>;
}

/** The answer before, as long as the new one looks the same. */
function useStable(data: GraphAnswer | undefined): GraphAnswer | undefined {
  const last = useRef<GraphAnswer | undefined>(undefined);
  if (data && (!last.current || !isSameGraph(last.current, data))) last.current = data;
  return data ? last.current : undefined;
}

type ExplorerProps = { answer: GraphAnswer; params: URLSearchParams; view: GraphView };

function Explorer({ answer, params, view }: ExplorerProps) {
  const model = useMemo(() => graphModel(answer), [answer]);
  return <GraphOf model={model} params={params} view={view} />;
}

/** `title` is that of the group. */
type GraphProps = { model: GraphModel; params: URLSearchParams; view: GraphView; title?: string };

function GraphOf({ model, params, view, title }: GraphProps) {
  const places = useLayout(model);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [search, setSearch] = useState('');
  const focusRef = params.get('focus');
  const focusAt = focusRef ? model.nodes.findIndex(({ ref }) => ref === focusRef) : -1;
  const focus = focusAt < 0 ? undefined : focusAt;
  const look = useMemo(
    () => seen(model, { hidden, search, focus, isNear: view === 'near' }),
    [model, hidden, search, focus, view],
  );
  const near = Number(params.get('near') ?? 1);
  const set = (changes: { [name: string]: string | undefined }) => changeParams(changes);
  const choose = (at: number) => {
    const node = model.nodes[at]!;
    if (at === focus) location.hash = memoryHref(node);
    // From a group it goes on to what is around a node, in whatever group that is.
    else set({ ...(view === 'group' ? LEFT : {}), focus: node.ref, focusProject: node.project || undefined });
  };
  const leave = () => focus !== undefined && set({ focus: undefined, focusProject: undefined, near: undefined });
  if (model.nodes.length === 0)
    return (
      <Empty>
        {view === 'map'
          ? 'Nothing hangs together yet: that takes a few conversations or records.'
          : 'There is nothing to draw yet.'}
      </Empty>
    );
  const listed = model.nodes.filter(({ at }) => look.strong.has(at) && look.shown.has(at));
  return (
    <div class="graph">
      {view !== 'dots' ? (
        <GraphMap model={model} places={places} seen={look} focus={focus} pick={choose} />
      ) : places ? (
        <GraphCanvas model={model} places={places} seen={look} focus={focus} pick={choose} leave={leave} />
      ) : (
        <div class="graph-stage" aria-busy="true" />
      )}
      <div class="graph-side stack">
        <div class="panel">
          {focus === undefined ? (
            <>
              {view === 'group' && <GroupHead title={title ?? ''} leave={() => set({ group: undefined })} />}
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
              near={view === 'dots' ? 0 : near}
              setNear={(depth) =>
                set(
                  depth > 0
                    ? { near: String(depth), all: undefined, limit: undefined }
                    : { near: undefined, all: 'true' },
                )
              }
              exportIt={() => {
                const { ref, project } = model.nodes[focus]!;
                void exportMarkdown('exportNeighbourhood', { ref, project, depth: near });
              }}
            />
          )}
        </div>
        <Legend model={model} hidden={hidden} setHidden={setHidden} isPlain={view === 'dots'} />
        <Options
          model={model}
          params={params}
          set={set}
          view={view}
          save={places ? (as) => void savePicture(as, { model, places }, look) : undefined}
        />
      </div>
    </div>
  );
}

function GroupHead({ title, leave }: { title: string; leave: () => void }) {
  usePageTitle(title, 'Graph');
  return (
    <header class="span-head">
      <h2 id="group-title">{title}</h2>
      <button type="button" class="quiet" data-key="Escape" onClick={leave} aria-label="Back to all groups">
        ✕
      </button>
    </header>
  );
}

async function savePicture(as: 'svg' | 'png', graph: Placed, look: Seen): Promise<void> {
  try {
    if (as === 'svg') saveFile('cairn-graph.svg', graphSvg(graph, look, graphColours()), 'image/svg+xml');
    else saveFile('cairn-graph.png', await graphPng(graph, look, graphColours()));
    say(`Saved the graph as cairn-graph.${as}.`);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), { bad: true });
  }
}
