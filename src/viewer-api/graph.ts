// The graph as the viewer draws it: records, notes, statements, topics and the entities they mention, with every kind of link between
// them. Too many to draw: the best linked are shown, and how many there are is told.

import { entityRef } from './memory-page.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import type { View } from './viewer.ts';

export type GraphNode = {
  readonly ref: string;
  readonly project: string;
  readonly layer: string;
  readonly kind: string;
  readonly status: string;
  readonly title: string;
  degree: number;
};
export type GraphEdge = { readonly from: number; readonly to: number; readonly relation: string };
type Whole = { readonly nodes: readonly GraphNode[]; readonly edges: readonly GraphEdge[]; readonly left: number };

export type GraphWanted = {
  readonly project?: string;
  readonly layers?: readonly string[];
  readonly kinds?: readonly string[];
  readonly limit: number;
};

const CHUNK = 4_000;
const MOST_MENTIONS = 400_000;
const KEPT_ANSWERS = 6;

export async function graphOf(view: View, wanted: GraphWanted) {
  const start = performance.now();
  const snapshot = await snapshotOf(view, wanted.project);
  const answers = keptFor(snapshot).answers;
  const key = JSON.stringify([wanted.layers, wanted.kinds, wanted.limit]);
  const answer = answers.get(key) ?? draw(await wholeOf(view, snapshot), wanted);
  if (!answers.has(key)) {
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
    if (answers.size > KEPT_ANSWERS) answers.delete(answers.keys().next().value!);
  }
  return { ...(await answer), tookMs: Math.round(performance.now() - start) };
}

type Answer = Awaited<ReturnType<typeof draw>>;
type Kept = { whole?: Promise<Whole>; readonly answers: Map<string, Promise<Answer>> };
const kept = new WeakMap<Snapshot, Kept>();

function keptFor(snapshot: Snapshot): Kept {
  const known = kept.get(snapshot) ?? { answers: new Map() };
  kept.set(snapshot, known);
  return known;
}

function wholeOf(view: View, snapshot: Snapshot): Promise<Whole> {
  const own = keptFor(snapshot);
  own.whole ??= gather(view, snapshot).catch((error: unknown) => {
    delete own.whole;
    throw error;
  });
  return own.whole;
}

/** All nodes and edges of the scope. */
async function gather({ store }: View, { points, scopes, total }: Snapshot): Promise<Whole> {
  const nodes: GraphNode[] = points.map(({ ref, project, layer, kind, status, title }) => ({
    ...{ ref, project, layer, kind, status, title },
    degree: 0,
  }));
  const places = new Map(nodes.map(({ project, ref }, at) => [`${project}\0${ref}`, at]));
  const edges: GraphEdge[] = [];
  const join = (from: number | undefined, to: number | undefined, relation: string): void => {
    if (from === undefined || to === undefined || from === to) return;
    edges.push({ from, to, relation });
    nodes[from]!.degree++;
    nodes[to]!.degree++;
  };
  points.forEach(({ span, project }, at) => {
    if (span !== undefined) join(at, places.get(`${project}\0${span}`), 'part_of');
  });
  for (const scope of scopes) {
    const own = points.filter((each) => each.project === scope).map((each) => each.ref);
    for (let from = 0; from < own.length; from += CHUNK) {
      const refs = own.slice(from, from + CHUNK);
      for (const link of await store.links({ refs, projects: [scope], direction: 'out' }))
        join(places.get(`${scope}\0${link.from}`), places.get(`${scope}\0${link.to}`), link.relation);
      await pause();
    }
  }
  const entities = new Map<string, number>();
  const mentions = scopes.length === 0 ? [] : await store.mentions({ projects: scopes, limit: MOST_MENTIONS });
  for (const { project, ref, entity, kind } of mentions) {
    const document = places.get(`${project}\0${ref}`);
    if (document === undefined) continue;
    const name = entityRef(kind, entity);
    let place = entities.get(name);
    if (place === undefined) {
      place =
        nodes.push({ ref: name, project: '', layer: 'entity', kind, status: 'active', title: entity, degree: 0 }) - 1;
      entities.set(name, place);
    }
    join(document, place, 'mentions');
  }
  return { nodes, edges, left: Math.max(0, total - points.length) };
}

export const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function draw({ nodes, edges, left }: Whole, { layers, kinds, limit }: Omit<GraphWanted, 'project'>) {
  const fits = ({ layer, kind }: GraphNode): boolean =>
    (layers === undefined || layers.includes(layer)) && (kinds === undefined || kinds.includes(kind));
  const candidates = nodes.flatMap((node, at) => (fits(node) ? [at] : []));
  const chosen = candidates.length <= limit ? candidates : bestLinked(nodes, candidates, limit);
  const among = new Set(candidates);
  const total = {
    nodes: candidates.length + (layers || kinds ? 0 : left),
    edges: edges.reduce((sum, { from, to }) => sum + (among.has(from) && among.has(to) ? 1 : 0), 0),
  };
  return columnsOf({ nodes, edges, chosen, total, depth: [] });
}

/** What people wrote down comes first; of the rest, what holds most together. Ties by name: the same store, the same choice. */
function bestLinked(nodes: readonly GraphNode[], candidates: readonly number[], limit: number): number[] {
  const weight = ({ layer, degree }: GraphNode): number =>
    degree + (layer === 'record' || layer === 'note' ? 1_000_000 : 0);
  return [...candidates]
    .sort((a, b) => weight(nodes[b]!) - weight(nodes[a]!) || (nodes[a]!.ref < nodes[b]!.ref ? -1 : 1))
    .slice(0, limit)
    .sort((a, b) => a - b);
}

type Chosen = {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly chosen: readonly number[];
  readonly total: { readonly nodes: number; readonly edges: number };
  readonly depth: readonly number[];
};

/** What was chosen, as columns. */
export function columnsOf({ nodes, edges, chosen, total, depth }: Chosen) {
  const places = new Map(chosen.map((node, at) => [node, at]));
  const shown = chosen.map((at) => nodes[at]!);
  const [kinds, projects, statuses, relations] = [new Table(), new Table(), new Table(), new Table()];
  const [from, to, relation]: [number[], number[], number[]] = [[], [], []];
  for (const edge of edges) {
    const [a, b] = [places.get(edge.from), places.get(edge.to)];
    if (a === undefined || b === undefined) continue;
    from.push(a);
    to.push(b);
    relation.push(relations.place(edge.relation));
  }
  return {
    nodes: {
      ref: shown.map((each) => each.ref),
      title: shown.map((each) => each.title),
      kind: shown.map((each) => kinds.place(`${each.layer}\0${each.kind}`)),
      project: shown.map((each) => projects.place(each.project)),
      status: shown.map((each) => statuses.place(each.status)),
      degree: shown.map((each) => each.degree),
      depth,
    },
    edges: { from, to, relation },
    kinds: kinds.values.map((each) => ({ layer: each.split('\0')[0]!, kind: each.split('\0')[1]! })),
    projects: projects.values,
    statuses: statuses.values,
    relations: relations.values,
    total,
  };
}

/** Values by their place. */
class Table {
  readonly values: string[] = [];
  readonly #places = new Map<string, number>();

  place(value: string): number {
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    this.#places.set(value, this.values.length);
    return this.values.push(value) - 1;
  }
}
