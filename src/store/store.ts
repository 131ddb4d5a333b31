// The Store: what Cairn's layers keep so that recall can find it. Everything in it is derived from files and
// transcripts, except vectors, which are only dear to compute again. All three layers share one kind of row,
// the document, so that one query searches them together. The words here belong to no database:
// sqlite/ and postgres/ implement them, test/store/contract.ts tests them, docs/STORE.md explains them.

import type { CairnError } from '../errors.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A memory of any layer: a record, a note, an idea, a span. Its key is `project` + `ref`. */
export type Document = {
  /** `record:decisions/use-jwt`, `note:file-src-auth-ts`, `idea:42`, `span:7`: unique inside its project. */
  readonly ref: string;
  /** The scope that owns the row. Two projects may hold the same ref. */
  readonly project: string;
  readonly layer: string;
  readonly kind: string;
  readonly status: string;
  readonly title: string;
  readonly text: string;
  /** Words that help to find the document but are not part of it, such as the turn before it. */
  readonly context?: string;
  readonly tags: readonly string[];
  /** 0 (a guess) … 1 (certain). */
  readonly confidence: number;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly session?: string;
  /** The ref of the span that holds the document. */
  readonly span?: string;
  readonly source?: { readonly file: string; readonly line?: number };
  /** Whose it is, where a store of several people has it from another one than the reader. */
  readonly author?: string;
  /** Identifies the content that is embedded: documents of equal hash share one vector per model. */
  readonly hash: string;
  /** Whatever else a layer needs back; never searched. */
  readonly meta?: { readonly [key: string]: Json };
};

/** A directed edge. It belongs to the document `from` and goes with it; `to` may name what does not exist (yet). */
export type Link = {
  readonly project: string;
  readonly from: string;
  readonly to: string;
  readonly relation: string;
  readonly confidence: number;
  /** The rule that made the link, where a rule did. */
  readonly rule?: string;
};

/** That a document mentions an entity (by its normalised name), and how often. */
export type Mention = {
  readonly project: string;
  readonly ref: string;
  readonly entity: string;
  readonly kind: string;
  readonly count: number;
};

export type Vector = {
  readonly hash: string;
  readonly model: string;
  readonly vector: Float32Array;
  /** The tokens of the content, 16 bytes of signs each, where the model gives them; kept by a store that has `tokens`. */
  readonly tokens?: Uint8Array;
};

export type StateRow = { readonly key: string; readonly value: string };

/** One step of a batch. A batch is a transaction: all of its changes happen, or none. */
export type Change =
  /** Adds the document or replaces it. `links` and `mentions`, where given, replace those it had. */
  | {
      readonly op: 'put';
      readonly document: Document;
      readonly links?: readonly Omit<Link, 'project' | 'from'>[];
      readonly mentions?: readonly Omit<Mention, 'project' | 'ref'>[];
    }
  /** Removes every document that the filter finds, with its links and mentions. The filter must say something. */
  | { readonly op: 'delete'; readonly where: Filter }
  /** Adds links to documents that exist, or replaces links of the same ends and relation. */
  | { readonly op: 'link'; readonly links: readonly Link[] }
  /** Stores vectors by content and model. All vectors of a model have the same length. */
  | { readonly op: 'vectors'; readonly vectors: readonly Vector[] }
  /** Forgets vectors: all of one model, or all that no document uses. */
  | { readonly op: 'prune'; readonly vectors: 'unused' | { readonly model: string } }
  /** Sets a value by key; null removes it. */
  | { readonly op: 'state'; readonly key: string; readonly value: string | null }
  /** Fails the batch with OCC_CONFLICT unless the key has this value (null: is absent). Two indexers at one file use it. */
  | { readonly op: 'expect'; readonly key: string; readonly value: string | null }
  /** Empties the store, except for vectors: the first step of a rebuild. */
  | { readonly op: 'clear' };

/** Conditions that all must hold. An absent one does not count; an empty list is a condition that nothing meets. */
export type Filter = {
  readonly projects?: readonly string[];
  readonly refs?: readonly string[];
  readonly layers?: readonly string[];
  readonly kinds?: readonly string[];
  readonly statuses?: readonly string[];
  readonly sessions?: readonly string[];
  readonly spans?: readonly string[];
  /** Source files. */
  readonly files?: readonly string[];
  /** Has at least one of these tags. */
  readonly tags?: readonly string[];
  /** Mentions at least one of these entities, of any kind. */
  readonly entities?: readonly string[];
  /** createdAt ≥ since, createdAt < until. */
  readonly since?: number;
  readonly until?: number;
  /** Has no vector of this model yet. */
  readonly unembedded?: string;
};

export type GetQuery = { readonly refs: readonly string[]; readonly projects?: readonly string[] };

/** `newest` and `oldest` go by createdAt, `updated` by updatedAt, latest first. Ties: project, then ref. */
export type ListOrder = 'newest' | 'oldest' | 'updated' | 'ref';

export type ListQuery = {
  readonly filter?: Filter;
  readonly order?: ListOrder;
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: string;
};

export type Page = { readonly documents: readonly Document[]; readonly next?: string };

/** Text as data: no character in it is an operator. Several words are looked for side by side, in their order. */
export type Term = {
  readonly text: string;
  /** `word` (default) matches whole words and their word forms; `prefix` also takes what begins with the last word. */
  readonly as?: 'word' | 'prefix';
};

export type Weights = {
  readonly title: number;
  readonly text: number;
  readonly tags: number;
  readonly context: number;
};

export const DEFAULT_WEIGHTS: Weights = { title: 2, text: 1, tags: 1.5, context: 0.5 };

/** How many terms a text query uses; callers put the telling ones first. */
export const MAX_TERMS = 64;

export type TextQuery = {
  readonly terms: readonly Term[];
  /** `any` (default): documents with at least one term; `all`: with every term. */
  readonly match?: 'any' | 'all';
  readonly filter?: Filter;
  readonly weights?: Weights;
  readonly limit: number;
  /** Hits come with their documents, which takes less than to get them afterwards. */
  readonly documents?: boolean;
  /** Words that a good part of the store has may be left out of the score: they say the least and take the longest. */
  readonly rough?: boolean;
};

/** Words as index-words.ts makes them. */
export type CountsQuery = { readonly words: readonly string[] };

/** How many documents there are, and how many of them have each word, in the order asked for. */
export type WordCounts = { readonly documents: number; readonly counts: readonly number[] };

export type VectorQuery = {
  readonly model: string;
  readonly vector: Float32Array;
  readonly filter?: Filter;
  readonly limit: number;
  /** Hits come with their documents. */
  readonly documents?: boolean;
};

/** A higher score is better: BM25 for text, the cosine for vectors. Ties: project, then ref. */
export type Hit = {
  readonly project: string;
  readonly ref: string;
  readonly score: number;
  /** Where the query asked for it. */
  readonly document?: Document;
};

export type LinkQuery = {
  readonly refs: readonly string[];
  readonly projects?: readonly string[];
  readonly relations?: readonly string[];
  /** `out`: from these refs; `in`: to them; `both` (default). */
  readonly direction?: 'out' | 'in' | 'both';
};

export type MentionQuery = {
  readonly projects?: readonly string[];
  readonly refs?: readonly string[];
  readonly entities?: readonly string[];
  readonly kinds?: readonly string[];
  readonly limit?: number;
};

export type EntityQuery = {
  readonly names?: readonly string[];
  /** Entities whose name begins so. */
  readonly prefix?: string;
  readonly kinds?: readonly string[];
  readonly projects?: readonly string[];
  readonly limit?: number;
};

/** One entity over all documents asked for: how many mention it, and how often in all. */
export type EntityCount = {
  readonly name: string;
  readonly kind: string;
  readonly documents: number;
  readonly count: number;
};

/** Contents to compare with a vector. */
export type CosinesQuery = {
  readonly model: string;
  readonly vector: Float32Array;
  readonly hashes: readonly string[];
};

export type VectorsQuery = { readonly model: string; readonly hashes: readonly string[] };

export type StateQuery = { readonly keys?: readonly string[]; readonly prefix?: string };

export type Stats = {
  readonly documents: readonly {
    readonly project: string;
    readonly layer: string;
    readonly kind: string;
    readonly count: number;
  }[];
  readonly links: number;
  readonly entities: number;
  readonly vectors: readonly { readonly model: string; readonly dimensions: number; readonly count: number }[];
  /** Size on disk. */
  readonly bytes: number;
  /** What keeps the data, for people: `node:sqlite 3.53.4`. */
  readonly engine: string;
};

/** What a store can do. A caller asks here instead of asking which store it has. */
export type Abilities = {
  readonly fullText: boolean;
  readonly vectors: boolean;
};

export interface Store {
  readonly abilities: Abilities;
  /**
   * `existing`: the data of last time. `created`, `recreated` (an older schema version, which is left behind): empty, to be filled from
   * truth. `newer`: another Cairn has made it; it is read, and `apply` refuses.
   */
  readonly opened: 'existing' | 'created' | 'recreated' | 'newer';
  /** Why nothing may be written, and what to do; undefined where it may. */
  readonly readOnly: CairnError | undefined;

  /** All changes in their order, or none of them. */
  apply(changes: readonly Change[]): Promise<void>;
  /** Documents by ref, in the order of the refs; those that do not exist are left out. */
  get(query: GetQuery): Promise<readonly Document[]>;
  list(query: ListQuery): Promise<Page>;
  /** Best matches by words. May leave out documents whose only matching terms are too common to rank. */
  search(query: TextQuery): Promise<readonly Hit[]>;
  /** How common words are in the whole store: what a caller needs to tell the telling ones from the others. */
  counts(query: CountsQuery): Promise<WordCounts>;
  /** Best matches by vector; exact among small sets, approximate (candidates exact, their choice not) among large ones. */
  nearest(query: VectorQuery): Promise<readonly Hit[]>;
  /** Ordered by project, from, to, relation. */
  links(query: LinkQuery): Promise<readonly Link[]>;
  /** Ordered by count (most first), project, ref, entity, kind. */
  mentions(query: MentionQuery): Promise<readonly Mention[]>;
  /** Ordered by documents (most first), name, kind. */
  entities(query: EntityQuery): Promise<readonly EntityCount[]>;
  /** The cosine of each content's vector with the given one, by hash; what has none is left out. */
  cosines(query: CosinesQuery): Promise<ReadonlyMap<string, number>>;
  /** Stored vectors by content hash, ordered by hash; what is missing is left out. */
  vectors(query: VectorsQuery): Promise<readonly Vector[]>;
  /** The tokens that came with vectors, by content hash; what came without is left out. Absent: this store keeps none. */
  tokens?(query: VectorsQuery): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Ordered by key. */
  state(query: StateQuery): Promise<readonly StateRow[]>;
  stats(): Promise<Stats>;
  /** Schema versions whose rows lie aside, the oldest first: nothing of them is found until somebody has taken them over. */
  leftBehind(): Promise<readonly number[]>;
  /** Such rows, to be read; documents, links from them, mentions and state. Throws STORE_ERROR where they cannot be understood. */
  openLeftBehind(version: number): Promise<Store>;
  /** They are needed no more. */
  dropLeftBehind(version: number): Promise<void>;
  close(): Promise<void>;
}
