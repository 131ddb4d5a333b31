// The plain types of the graph: what a file says of itself, and the node that it becomes among the others.

export const RELATIONS = ['links_to', 'related', 'depends_on', 'supersedes'] as const;
/** From weak to strong: of several links to the same node, the strongest counts. */
export type Relation = (typeof RELATIONS)[number];
/** The relations that say more than "it is mentioned". */
export type NamedRelation = Exclude<Relation, 'links_to'>;

export type EntryLink = {
  /** The id of a note or the slug of a record, as written. */
  readonly to: string;
  readonly relation: Relation;
  /** `decisions`, `record:decisions`, `note:`: where it was said to lie. */
  readonly in?: string;
  /** An edge if the target exists; nothing is broken if it does not. */
  readonly soft?: boolean;
};

/** What one file says of itself, before links are resolved. */
export type GraphEntry = {
  /** The id of a note, `record:<folder>/<slug>` of a record. */
  readonly key: string;
  readonly type: string;
  readonly title: string;
  readonly gist: string;
  readonly status: string;
  readonly tags: readonly string[];
  readonly created: string;
  readonly updated: string;
  readonly links: readonly EntryLink[];
  readonly hash: string;
  readonly pinned?: boolean;
  /** The source file that a file summary is about. */
  readonly file?: string;
  readonly session?: string;
};

/** A file as it was found: it gives an entry, or the reason why not. */
export type FileState = {
  /** From the memory root, with forward slashes. */
  readonly path: string;
  /** Seconds, with milliseconds behind the point. */
  readonly mtime: number;
  readonly size: number;
} & (
  | { readonly entry: GraphEntry; readonly problem?: undefined }
  | { readonly entry?: undefined; readonly problem: string }
);

/** One entry of `nodes` in graph.json. The order of the fields is the order in the file. */
export type GraphNode = {
  path: string;
  type: string;
  title: string;
  gist: string;
  status: string;
  tags: readonly string[];
  /** All that it links to, whatever the relation; sorted. */
  links_to: readonly string[];
  /** All that link to it; sorted. */
  linked_from: readonly string[];
  /** Those of `links_to` with a named relation. */
  edges?: { readonly [relation in NamedRelation]?: readonly string[] };
  /** Links that lead nowhere, as written. */
  broken?: readonly string[];
  /** Names that would be linked if they existed. */
  awaits?: readonly string[];
  created: string;
  updated: string;
  mtime: number;
  size: number;
  hash: string;
  pinned?: true;
  file?: string;
  session?: string;
};

/** One entry of `problems`: a file that is no node. */
export type GraphProblem = {
  readonly message: string;
  /** Set if the file is sound, but another one has its id. */
  readonly id?: string;
};

const RECORD = 'record:';

export const recordKey = (folder: string, slug: string): string => `${RECORD}${folder}/${slug}`;
export const isRecordKey = (key: string): boolean => key.startsWith(RECORD);

/** What links call it, in lower case: the id of a note, the slug of a record. */
export function nameOf(key: string): string {
  return (isRecordKey(key) ? key.slice(key.lastIndexOf('/') + 1) : key).toLowerCase();
}

/** `note:file-a`, `record:decisions/use-jwt`: the key as the other commands name it. */
export const refOf = (key: string): string => (isRecordKey(key) ? key : `note:${key}`);

/** When it was last changed, in milliseconds; a node that does not say so is as old as its file. */
export function timeOf(
  node: { readonly updated: string; readonly created: string; readonly mtime?: number },
  mtime = node.mtime ?? 0,
): number {
  const said = Date.parse(node.updated || node.created);
  return Number.isNaN(said) ? mtime * 1000 : said;
}
