// The landing of the graph: about forty things that hold a project together, with the links between them. What people wrote down comes
// first, then the topics of which something came and the names that join them. Read from the store by a few bounded questions.

import { isOfSubagent } from '../app/open-items.ts';
import { exchangeFields, topicFields } from '../model/span-fields.ts';
import type { Document, EntityCount, Mention, Store } from '../store/store.ts';
import { columnsOf, type GraphEdge, type GraphNode } from './graph.ts';
import { entityRef } from './memory-page.ts';
import { pagesOf, pointOf, SPANS, scopesIn } from './snapshot.ts';
import { remembered, statsOf, type View } from './viewer.ts';

const MOST = { nodes: 40, written: 16, topics: 16, names: 14, ofTopic: 4 };
const LOOKED_AT = { written: 400, names: 90, mentions: 30_000, statements: 3_000 };
/** These are made by themselves, or say little in a map. */
const LEFT_OUT = new Set(['session', 'session_summary', 'file-summary', 'auto-memory', 'instructions']);

export async function mapOf(view: View, project?: string) {
  const start = performance.now();
  const scopes = await scopesIn(view, project);
  const columns = await remembered(view, `map ${scopes.join('\0')}`, () => makeMap(view, scopes));
  return { ...columns, tookMs: Math.round(performance.now() - start) };
}

async function makeMap(view: View, scopes: readonly string[]) {
  const written = await writtenIn(view, scopes);
  const topics = await topicsIn(view, scopes);
  const names = await namesIn(view, scopes, { written, topics });
  const nodes: GraphNode[] = [];
  const places = new Map<string, number>();
  const add = (key: string, node: Omit<GraphNode, 'degree'>): void => {
    if (!places.has(key)) places.set(key, nodes.push({ ...node, degree: 0 }) - 1);
  };
  for (const document of written) add(keyOf(document), nodeOf(document));
  const shownTopics = bestTopics(topics, names, MOST.nodes - written.length);
  for (const { document } of shownTopics) add(keyOf(document), nodeOf(document));
  const shownNames = names.filter(({ at }) => [...at.keys()].filter((key) => places.has(key)).length > 1);
  for (const { of } of shownNames.slice(0, Math.max(4, MOST.nodes - nodes.length)))
    add(entityRef(of.kind, of.name), entityNode(of));
  const edges = [...(await linksAmong(view, scopes, { written, places })), ...mentionsOf(names, places)];
  for (const { from, to } of edges) {
    nodes[from]!.degree++;
    nodes[to]!.degree++;
  }
  const stats = await statsOf(view);
  const all = stats.documents.reduce((sum, each) => sum + (scopes.includes(each.project) ? each.count : 0), 0);
  const total = { nodes: all + stats.entities, edges: stats.links };
  // What hangs together with nothing is left to the lists, unless somebody wrote it down.
  const chosen = nodes.flatMap(({ degree, layer }, at) => (degree > 0 || layer === 'record' ? [at] : []));
  return columnsOf({ nodes, edges, chosen, total, depth: [] });
}

const keyOf = ({ project, ref }: Pick<Document, 'project' | 'ref'>): string => `${project}\0${ref}`;

function nodeOf(document: Document): Omit<GraphNode, 'degree'> {
  const { ref, project, layer, kind, status, title } = pointOf(document);
  return { ref, project, layer, kind, status, title };
}

const entityNode = ({ kind, name }: EntityCount): Omit<GraphNode, 'degree'> => ({
  ref: entityRef(kind, name),
  project: '',
  layer: 'entity',
  kind,
  status: 'active',
  title: name,
});

/** Records before notes, the newest first. */
async function writtenIn({ store }: View, scopes: readonly string[]): Promise<Document[]> {
  if (scopes.length === 0) return [];
  const { documents } = await store.list({
    filter: { projects: scopes, layers: ['record', 'note'], statuses: ['active'] },
    order: 'updated',
    limit: LOOKED_AT.written,
  });
  return documents
    .filter(({ kind }) => !LEFT_OUT.has(kind))
    .sort((a, b) => Number(b.layer === 'record') - Number(a.layer === 'record'))
    .slice(0, MOST.written);
}

type Topic = { readonly document: Document; readonly worth: number; readonly parts: readonly string[] };

/** What came of it: commits and decisions count for more than words. */
async function topicsIn({ store }: View, scopes: readonly string[]): Promise<Topic[]> {
  const topics = new Map<string, { document: Document; parts: string[]; worth: number }>();
  const exchanges: Document[] = [];
  for (const scope of scopes)
    for await (const documents of pagesOf(store, { projects: [scope], ...SPANS }))
      for (const document of documents) {
        if (isOfSubagent(document)) continue;
        const fields = topicFields(document.meta);
        if (!fields) exchanges.push(document);
        else {
          const worth = 2 * fields.commits.length + fields.decided.length + Math.min(4, fields.exchanges) / 2;
          topics.set(keyOf(document), { document, worth, parts: [keyOf(document)] });
        }
      }
  for (const each of exchanges) {
    const topic = each.span === undefined ? undefined : topics.get(keyOf({ project: each.project, ref: each.span }));
    topic?.parts.push(keyOf(each));
    if (topic && exchangeFields(each.meta)?.outcome) topic.worth += 0.2;
  }
  return [...topics.values()].sort((a, b) => b.worth - a.worth || (a.document.ref < b.document.ref ? -1 : 1));
}

type Name = { readonly of: EntityCount; readonly at: ReadonlyMap<string, number> };

/** Names that several of them mention, with how often each does. What nearly all mention joins nothing. */
async function namesIn(
  { store }: View,
  scopes: readonly string[],
  { written, topics }: { written: readonly Document[]; topics: readonly Topic[] },
): Promise<Name[]> {
  if (scopes.length === 0) return [];
  const counted = await store.entities({ projects: scopes, limit: LOOKED_AT.names });
  if (counted.length === 0) return [];
  const placeOf = new Map<string, string>(written.map((each) => [keyOf(each), keyOf(each)]));
  for (const { document, parts } of topics) for (const part of parts) placeOf.set(part, keyOf(document));
  const mentions = await store.mentions({
    projects: scopes,
    entities: [...new Set(counted.map(({ name }) => name))],
    limit: LOOKED_AT.mentions,
  });
  await placeStatements(store, mentions, placeOf);
  const found = new Map<string, Map<string, number>>();
  for (const { project, ref, entity, kind, count } of mentions) {
    const place = placeOf.get(keyOf({ project, ref }));
    if (place === undefined) continue;
    const key = entityRef(kind, entity);
    const at = found.get(key) ?? new Map<string, number>();
    at.set(place, (at.get(place) ?? 0) + count);
    found.set(key, at);
  }
  const most = Math.max(3, (written.length + topics.length) * 0.4);
  return counted
    .map((of) => ({ of, at: found.get(entityRef(of.kind, of.name)) ?? new Map<string, number>() }))
    .filter(({ at }) => at.size > 1 && at.size <= most);
}

/** What a statement mentions, its topic does; of very many the first are looked up. */
async function placeStatements(
  store: Store,
  mentions: readonly Mention[],
  placeOf: Map<string, string>,
): Promise<void> {
  const unknown = mentions.filter((each) => !placeOf.has(keyOf(each))).slice(0, LOOKED_AT.statements);
  if (unknown.length === 0) return;
  const projects = [...new Set(unknown.map(({ project }) => project))];
  for (const { project, ref, span } of await store.get({
    refs: [...new Set(unknown.map(({ ref }) => ref))],
    projects,
  })) {
    const place = span === undefined ? undefined : placeOf.get(keyOf({ project, ref: span }));
    if (place !== undefined) placeOf.set(keyOf({ project, ref }), place);
  }
}

/** Worth, and how much they have in common with others. */
function bestTopics(topics: readonly Topic[], names: readonly Name[], room: number): Topic[] {
  const joined = new Map<string, number>();
  for (const { at } of names) for (const key of at.keys()) joined.set(key, (joined.get(key) ?? 0) + 1);
  const weight = ({ document, worth }: Topic): number => worth + Math.min(6, joined.get(keyOf(document)) ?? 0);
  return [...topics]
    .sort((a, b) => weight(b) - weight(a) || (a.document.ref < b.document.ref ? -1 : 1))
    .slice(0, Math.max(4, Math.min(MOST.topics, room - MOST.names / 2)));
}

type Among = { readonly written: readonly Document[]; readonly places: ReadonlyMap<string, number> };

async function linksAmong(
  { store }: View,
  scopes: readonly string[],
  { written, places }: Among,
): Promise<GraphEdge[]> {
  if (written.length === 0) return [];
  const links = await store.links({ refs: written.map(({ ref }) => ref), projects: scopes });
  const seen = new Set<string>();
  return links.flatMap(({ project, from, to, relation }) => {
    const [a, b] = [places.get(keyOf({ project, ref: from })), places.get(keyOf({ project, ref: to }))];
    if (a === undefined || b === undefined || a === b || seen.has(`${a} ${b} ${relation}`)) return [];
    seen.add(`${a} ${b} ${relation}`);
    return [{ from: a, to: b, relation }];
  });
}

/** Of each memory the few names that it mentions most: a map with every line would be a ball of wool. */
function mentionsOf(names: readonly Name[], places: ReadonlyMap<string, number>): GraphEdge[] {
  const byPlace = new Map<string, { name: string; count: number }[]>();
  for (const { of, at } of names) {
    const name = entityRef(of.kind, of.name);
    if (!places.has(name)) continue;
    for (const [key, count] of at)
      if (places.has(key)) byPlace.set(key, [...(byPlace.get(key) ?? []), { name, count }]);
  }
  return [...byPlace].flatMap(([key, own]) =>
    own
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
      .slice(0, MOST.ofTopic)
      .map(({ name }) => ({ from: places.get(key)!, to: places.get(name)!, relation: 'mentions' })),
  );
}
