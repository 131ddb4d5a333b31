// The graph as the viewer draws it: records, notes, statements, topics and the entities they mention, with every kind of link between
// them. Too many to draw: the best linked are shown, and how many there are is told.

import { layOut, type Places } from './graph/lay-out.ts';
import { findMemory, scopesOf, type View } from './memory-viewer.ts';
import { entityOf, entityRef } from './memory-viewer-memory.ts';
import { exportMemories } from './memory-viewer-search.ts';
import { pointOf, type Snapshot, snapshotOf } from './memory-viewer-snapshot.ts';
import type { Document } from './store/store.ts';

type Node = {
  readonly ref: string;
  readonly project: string;
  readonly layer: string;
  readonly kind: string;
  readonly status: string;
  readonly title: string;
  degree: number;
};
type Edge = { readonly from: number; readonly to: number; readonly relation: string };
type Whole = { readonly nodes: readonly Node[]; readonly edges: readonly Edge[]; readonly left: number };

export type GraphWanted = {
  readonly project?: string;
  readonly layers?: readonly string[];
  readonly kinds?: readonly string[];
  readonly limit: number;
};

const CHUNK = 4_000;
const MOST_MENTIONS = 400_000;
const PAUSE_MS = 12;
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
  const nodes: Node[] = points.map(({ ref, project, layer, kind, status, title }) => ({
    ...{ ref, project, layer, kind, status, title },
    degree: 0,
  }));
  const places = new Map(nodes.map(({ project, ref }, at) => [`${project}\0${ref}`, at]));
  const edges: Edge[] = [];
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

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What was chosen, as columns, with a place for each node. */
async function draw({ nodes, edges, left }: Whole, { layers, kinds, limit }: Omit<GraphWanted, 'project'>) {
  const fits = ({ layer, kind }: Node): boolean =>
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
function bestLinked(nodes: readonly Node[], candidates: readonly number[], limit: number): number[] {
  const weight = ({ layer, degree }: Node): number => degree + (layer === 'record' || layer === 'note' ? 1_000_000 : 0);
  return [...candidates]
    .sort((a, b) => weight(nodes[b]!) - weight(nodes[a]!) || (nodes[a]!.ref < nodes[b]!.ref ? -1 : 1))
    .slice(0, limit)
    .sort((a, b) => a - b);
}

type Chosen = {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
  readonly chosen: readonly number[];
  readonly total: { readonly nodes: number; readonly edges: number };
  readonly depth: readonly number[];
};

async function columnsOf({ nodes, edges, chosen, total, depth }: Chosen) {
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
  const { x, y } = await placesOf({ nodes: shown.length, from, to });
  return {
    nodes: {
      ref: shown.map((each) => each.ref),
      title: shown.map((each) => each.title),
      kind: shown.map((each) => kinds.place(`${each.layer}\0${each.kind}`)),
      project: shown.map((each) => projects.place(each.project)),
      status: shown.map((each) => statuses.place(each.status)),
      x: Array.from(x, tenths),
      y: Array.from(y, tenths),
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

const tenths = (value: number): number => Math.round(value * 10) / 10;

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

/** Between rounds others are answered. */
async function placesOf(drawn: { nodes: number; from: number[]; to: number[] }): Promise<Places> {
  const work = layOut(drawn);
  let since = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - since < PAUSE_MS) continue;
    await pause();
    since = performance.now();
  }
}

// ---- Neighbourhood

export type Around = {
  readonly ref: string;
  readonly project?: string;
  readonly depth: number;
  readonly limit: number;
};

/** Read from the store itself, step by step: nobody waits for the whole graph to see one memory's. */
export async function neighbourhoodOf(view: View, around: Around) {
  const start = performance.now();
  const { nodes, edges, depth, more } = await walkAround(view, around);
  const chosen = nodes.map((_, at) => at);
  const total = { nodes: nodes.length + more.nodes, edges: edges.length + more.edges };
  const columns = await columnsOf({ nodes, edges, chosen, total, depth });
  return { ...columns, tookMs: Math.round(performance.now() - start) };
}

export async function exportNeighbourhood(view: View, around: Around) {
  const { nodes, depth } = await walkAround(view, around);
  const wanted = nodes.map((node, at) => ({ node, depth: depth[at]! })).filter(({ node }) => node.layer !== 'entity');
  const documents: Document[] = [];
  for (const { node } of wanted)
    documents.push(...(await view.store.get({ refs: [node.ref], projects: [node.project] })));
  return exportMemories(view, documents, `Around ${nodes[0]?.title ?? around.ref}`);
}

type Walked = {
  readonly nodes: Node[];
  readonly edges: Edge[];
  readonly depth: number[];
  readonly more: { nodes: number; edges: number };
};

async function walkAround(view: View, { ref, project, depth: steps, limit }: Around): Promise<Walked> {
  const walked: Walked = { nodes: [], edges: [], depth: [], more: { nodes: 0, edges: 0 } };
  const places = new Map<string, number>();
  const add = (node: Omit<Node, 'degree'>, depth: number): number | undefined => {
    const key = `${node.project}\0${node.ref}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    if (walked.nodes.length >= limit) {
      walked.more.nodes++;
      return undefined;
    }
    places.set(key, walked.nodes.push({ ...node, degree: 0 }) - 1);
    walked.depth.push(depth);
    return walked.nodes.length - 1;
  };
  const joined = new Set<string>();
  const join = (from: number | undefined, to: number | undefined, relation: string): void => {
    if (from === to) return;
    if (from === undefined || to === undefined) {
      walked.more.edges++;
      return;
    }
    const key = `${from} ${to} ${relation}`;
    if (joined.has(key)) return;
    joined.add(key);
    walked.edges.push({ from, to, relation });
    walked.nodes[from]!.degree++;
    walked.nodes[to]!.degree++;
  };
  add(await centreOf(view, ref, project), 0);
  const scopes = ref.startsWith('entity:') && project ? await scopesOf(view, project) : undefined;
  for (let step = 0; step < steps && walked.nodes.length < limit; step++) {
    const border = walked.nodes.filter((_, at) => walked.depth[at] === step);
    for (const [at, node] of border.entries()) {
      if (at % 25 === 24) await pause();
      const here = places.get(`${node.project}\0${node.ref}`)!;
      for (const { other, relation, outward } of await besides(view, node, { limit, scopes })) {
        const there = add(other, step + 1);
        if (outward) join(here, there, relation);
        else join(there, here, relation);
      }
    }
  }
  // Those of the last step may be linked with each other.
  for (const scope of new Set(walked.nodes.map((node) => node.project))) {
    const refs = walked.nodes.filter((node) => node.project === scope && scope !== '').map((node) => node.ref);
    if (refs.length === 0) continue;
    for (const { from, to, relation } of await view.store.links({ refs, projects: [scope], direction: 'out' })) {
      const [a, b] = [places.get(`${scope}\0${from}`), places.get(`${scope}\0${to}`)];
      if (a !== undefined && b !== undefined) join(a, b, relation);
    }
  }
  return walked;
}

async function centreOf(view: View, ref: string, project?: string): Promise<Omit<Node, 'degree'>> {
  if (!ref.startsWith('entity:')) return nodeOf(await findMemory(view, ref, project));
  const { kind, name } = entityOf(ref);
  return { ref, project: '', layer: 'entity', kind, status: 'active', title: name };
}

function nodeOf(document: Document): Omit<Node, 'degree'> {
  const { ref, project, layer, kind, status, title } = pointOf(document);
  return { ref, project, layer, kind, status, title };
}

type Beside = { readonly other: Omit<Node, 'degree'>; readonly relation: string; readonly outward: boolean };

/** What one node is joined with: links both ways, its topic, what is in it, the entities it mentions. */
async function besides(
  { store }: View,
  node: Node,
  { limit, scopes }: { limit: number; scopes: readonly string[] | undefined },
): Promise<Beside[]> {
  if (node.layer === 'entity') {
    const { kind, name } = entityOf(node.ref);
    const within = scopes ? { projects: scopes } : {};
    const mentions = await store.mentions({ entities: [name], kinds: [kind], ...within, limit });
    const documents = await store.get({ refs: mentions.map((each) => each.ref), ...within });
    return documents.slice(0, limit).map((each) => ({ other: nodeOf(each), relation: 'mentions', outward: false }));
  }
  const projects = [node.project];
  const links = await store.links({ refs: [node.ref], projects });
  const ends = new Map(
    (links.length === 0 ? [] : await store.get({ refs: links.flatMap(({ from, to }) => [from, to]), projects })).map(
      (each) => [each.ref, each],
    ),
  );
  const found: Beside[] = links.flatMap(({ from, to, relation }) => {
    const outward = from === node.ref;
    const other = ends.get(outward ? to : from);
    return other ? [{ other: nodeOf(other), relation, outward }] : [];
  });
  const [own] = await store.get({ refs: [node.ref], projects });
  const [span] = own?.span === undefined ? [] : await store.get({ refs: [own.span], projects });
  if (span) found.push({ other: nodeOf(span), relation: 'part_of', outward: true });
  if (node.kind === 'span') {
    const { documents } = await store.list({ filter: { projects, spans: [node.ref] }, order: 'oldest', limit });
    found.push(...documents.map((each): Beside => ({ other: nodeOf(each), relation: 'part_of', outward: false })));
  }
  for (const { entity, kind } of await store.mentions({ refs: [node.ref], projects, limit: 100 }))
    found.push({
      other: { ref: entityRef(kind, entity), project: '', layer: 'entity', kind, status: 'active', title: entity },
      relation: 'mentions',
      outward: true,
    });
  return found;
}
