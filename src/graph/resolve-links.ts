// From what a file says to the node in the graph: its links resolved, each target once, in a fixed order.

import {
  type EntryLink,
  type FileState,
  type GraphEntry,
  type GraphNode,
  type NamedRelation,
  RELATIONS,
} from './graph-node.ts';
import type { Names } from './names.ts';

export type Resolved = {
  readonly linksTo: readonly string[];
  readonly edges: GraphNode['edges'];
  readonly broken: readonly string[];
  readonly awaits: readonly string[];
};

/** A link to itself is none. */
export function resolveLinks(self: string, entry: GraphEntry, names: Names): Resolved {
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
  const edges: { [relation in NamedRelation]?: string[] } = {};
  for (const relation of RELATIONS) {
    const targets = linksTo.filter((target) => RELATIONS[strongest.get(target)!] === relation);
    if (relation !== 'links_to' && targets.length > 0) edges[relation] = targets;
  }
  return { linksTo, edges, broken: [...broken].sort(), awaits: [...awaits].sort() };
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
  return {
    path: state.path,
    type: entry.type,
    title: entry.title,
    gist: entry.gist,
    status: entry.status,
    tags: entry.tags,
    links_to: links.linksTo,
    linked_from: linkedFrom,
    ...(Object.keys(links.edges ?? {}).length > 0 ? { edges: links.edges! } : {}),
    ...(links.broken.length > 0 ? { broken: links.broken } : {}),
    ...(links.awaits.length > 0 ? { awaits: links.awaits } : {}),
    created: entry.created,
    updated: entry.updated,
    mtime: state.mtime,
    size: state.size,
    hash: entry.hash,
    ...(entry.pinned ? { pinned: true as const } : {}),
    ...(entry.file === undefined ? {} : { file: entry.file }),
    ...(entry.session === undefined ? {} : { session: entry.session }),
  };
}
