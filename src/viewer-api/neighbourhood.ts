// The neighbourhood of one memory or entity, step by step, read from the store itself: nobody waits for the whole graph to see a
// part of it. Bounded by a number of nodes; what is left out is counted.

import type { Document } from '../store/store.ts';
import { columnsOf, type GraphEdge, type GraphNode, pause } from './graph.ts';
import { entityOf, entityRef } from './memory-page.ts';
import { exportMemories } from './search.ts';
import { pointOf } from './snapshot.ts';
import { findMemory, scopesOf, type View } from './viewer.ts';

export type Around = {
  readonly ref: string;
  readonly project?: string;
  readonly depth: number;
  readonly limit: number;
};

type Found = Omit<GraphNode, 'degree'>;

export async function neighbourhoodOf(view: View, around: Around) {
  const start = performance.now();
  const walk = await walkAround(view, around);
  const { nodes, edges, depth } = walk;
  const chosen = nodes.map((_, at) => at);
  const columns = columnsOf({ nodes, edges, chosen, total: walk.total, depth });
  return { ...columns, tookMs: Math.round(performance.now() - start) };
}

export async function exportNeighbourhood(view: View, around: Around) {
  const { nodes } = await walkAround(view, around);
  const documents: Document[] = [];
  for (const { ref, project, layer } of nodes)
    if (layer !== 'entity') documents.push(...(await view.store.get({ refs: [ref], projects: [project] })));
  return exportMemories(view, documents, `Around ${nodes[0]?.title ?? around.ref}`);
}

/** What was found so far. */
class Walk {
  readonly nodes: GraphNode[] = [];
  readonly edges: GraphEdge[] = [];
  readonly depth: number[] = [];
  readonly #limit: number;
  readonly #places = new Map<string, number>();
  readonly #joined = new Set<string>();
  readonly #left = { nodes: new Set<string>(), edges: new Set<string>() };

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.nodes.length >= this.#limit;
  }

  /** Also of what was seen, but had no room any more. */
  get total(): { nodes: number; edges: number } {
    return { nodes: this.nodes.length + this.#left.nodes.size, edges: this.edges.length + this.#left.edges.size };
  }

  at(step: number): GraphNode[] {
    return this.nodes.filter((_, place) => this.depth[place] === step);
  }

  add(node: Found, step: number): void {
    const key = keyOf(node);
    if (this.#places.has(key)) return;
    if (this.isFull) {
      this.#left.nodes.add(key);
      return;
    }
    this.#places.set(key, this.nodes.push({ ...node, degree: 0 }) - 1);
    this.depth.push(step);
  }

  join(from: Key, to: Key, relation: string): void {
    const [a, b] = [this.#places.get(keyOf(from)), this.#places.get(keyOf(to))];
    const name = `${keyOf(from)}\0${keyOf(to)}\0${relation}`;
    if (a === b) return;
    if (a === undefined || b === undefined) {
      this.#left.edges.add(name);
      return;
    }
    if (this.#joined.has(name)) return;
    this.#joined.add(name);
    this.edges.push({ from: a, to: b, relation });
    this.nodes[a]!.degree++;
    this.nodes[b]!.degree++;
  }
}

type Key = { readonly project: string; readonly ref: string };
const keyOf = ({ project, ref }: Key): string => `${project}\0${ref}`;

async function walkAround(view: View, { ref, project, depth: steps, limit }: Around): Promise<Walk> {
  const walk = new Walk(limit);
  walk.add(await centreOf(view, ref, project), 0);
  const scopes = ref.startsWith('entity:') && project ? await scopesOf(view, project) : undefined;
  for (let step = 0; step < steps && !walk.isFull; step++) {
    for (const [at, node] of walk.at(step).entries()) {
      if (at % 25 === 24) await pause();
      for (const { other, relation, outward } of await besides(view, node, { limit, scopes })) {
        walk.add(other, step + 1);
        if (outward) walk.join(node, other, relation);
        else walk.join(other, node, relation);
      }
    }
  }
  await joinLast(view, walk);
  return walk;
}

/** Those of the last step may be linked with each other. */
async function joinLast({ store }: View, walk: Walk): Promise<void> {
  const known = new Set(walk.nodes.map(keyOf));
  for (const project of new Set(walk.nodes.map((node) => node.project))) {
    const refs = walk.nodes.filter((node) => node.project === project && project !== '').map((node) => node.ref);
    if (refs.length === 0) continue;
    for (const { from, to, relation } of await store.links({ refs, projects: [project], direction: 'out' }))
      if (known.has(keyOf({ project, ref: from })) && known.has(keyOf({ project, ref: to })))
        walk.join({ project, ref: from }, { project, ref: to }, relation);
  }
}

async function centreOf(view: View, ref: string, project?: string): Promise<Found> {
  if (!ref.startsWith('entity:')) return nodeOf(await findMemory(view, ref, project));
  const { kind, name } = entityOf(ref);
  return { ref, project: '', layer: 'entity', kind, status: 'active', title: name };
}

function nodeOf(document: Document): Found {
  const { ref, project, layer, kind, status, title } = pointOf(document);
  return { ref, project, layer, kind, status, title };
}

type Beside = { readonly other: Found; readonly relation: string; readonly outward: boolean };

/** What one node is joined with: links both ways, its topic, what is in it, the entities it mentions. */
async function besides(
  { store }: View,
  node: GraphNode,
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
