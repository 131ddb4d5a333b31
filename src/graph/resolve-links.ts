// From what a file says to the node in the graph: its links resolved, each target once, in a fixed order.

import {
  type EntryLink,
  type FileState,
  type GraphEntry,
  type GraphNode,
  type NamedRelation,
  RELATIONS,
} from './graph-node.ts';
import type { LinkNames } from './link-names.ts';

export type Resolved = {
  readonly linksTo: readonly string[];
  readonly edges: GraphNode['edges'];
  readonly broken: readonly string[];
  readonly awaits: readonly string[];
};

/** A link to itself is none. */
export function resolveLinks(self: string, entry: GraphEntry, names: LinkNames): Resolved {
  const strongest = new Map<string, number>();
  const broken = new Set<string>();
  const awaits = new Set<string>();
  for (const link of entry.links) {
    const target = names.resolve(link);
    if (target === undefined) {
      if (link.soft) awaits.add(link.to.toLowerCase());
      else broken.add(writtenAs(link));
    } else if (target !== self) {
      strongest.set(target, Math.max(strongest.get(target) ?? 0, RELATIONS.indexOf(link.relation)));
    }
  }
  const linksTo = [...strongest.keys()].sort();
  return { linksTo, edges: edgesOf(linksTo, strongest), broken: [...broken].sort(), awaits: [...awaits].sort() };
}

/** In the order of the relations, so that equal edges are written alike. */
function edgesOf(linksTo: readonly string[], strongest: ReadonlyMap<string, number>): GraphNode['edges'] {
  let edges: { [relation in NamedRelation]?: string[] } | undefined;
  for (let relation = 1; relation < RELATIONS.length; relation++) {
    for (const target of linksTo) {
      if (strongest.get(target) !== relation) continue;
      edges ??= {};
      const name = RELATIONS[relation] as NamedRelation;
      edges[name] = [...(edges[name] ?? []), target];
    }
  }
  return edges;
}

/** The names, in lower case, that would make a link of it if a node had them. */
export function missingNames({ broken = [], awaits = [] }: Pick<GraphNode, 'broken' | 'awaits'>): string[] {
  if (broken.length === 0 && awaits.length === 0) return [];
  return [...new Set([...broken.map(nameIn), ...awaits])];
}

/** `x` of `record:decisions/x`, `note:x` and `x`. */
function nameIn(written: string): string {
  const slash = written.lastIndexOf('/');
  return (slash === -1 ? written.replace(/^(?:record|note):/, '') : written.slice(slash + 1)).toLowerCase();
}

function writtenAs({ to, in: place }: EntryLink): string {
  if (place === undefined) return to;
  return place.endsWith(':') ? place + to : `${place}/${to}`;
}

export function nodeOf(state: FileState, entry: GraphEntry, links: Resolved, linkedFrom: readonly string[]): GraphNode {
  // Fields that are `undefined` are left out when the node is written.
  const node: { [field in keyof GraphNode]: GraphNode[field] | undefined } = {
    path: state.path,
    type: entry.type,
    title: entry.title,
    gist: entry.gist,
    status: entry.status,
    tags: entry.tags,
    links_to: links.linksTo,
    linked_from: linkedFrom,
    edges: links.edges,
    broken: links.broken.length > 0 ? links.broken : undefined,
    awaits: links.awaits.length > 0 ? links.awaits : undefined,
    created: entry.created,
    updated: entry.updated,
    mtime: state.mtime,
    size: state.size,
    hash: entry.hash,
    pinned: entry.pinned ? true : undefined,
    file: entry.file,
    session: entry.session,
  };
  return node as GraphNode;
}
