// The part of the contract that is drawn rather than read: the graph, the timeline, the lines of a conversation. The other part,
// protocol.ts, gives both to those who import it.

import type { Brief, Layer, Origin, RefQuery, ScopeQuery, Source } from './protocol-shared.ts';

// ---- graph

export type GraphQuery = ScopeQuery & {
  readonly layers?: readonly (Layer | 'entity')[];
  readonly kinds?: readonly string[];
  /** At most so many nodes, the best linked; 1 … 50,000, default 2,000. */
  readonly limit?: number;
};
export type NeighbourhoodQuery = RefQuery & {
  /** 1 … 3, default 1. */
  readonly depth?: number;
  /** 1 … 5,000, default 300. */
  readonly limit?: number;
};

/** Where nodes stand is the page's to find. Columns instead of rows, because ten thousand objects would be four times the bytes. All columns of `nodes` have one length. */
export type GraphAnswer = {
  readonly nodes: {
    readonly ref: readonly string[];
    readonly title: readonly string[];
    /** Positions in `kinds`, `projects`, `statuses`. */
    readonly kind: readonly number[];
    readonly project: readonly number[];
    readonly status: readonly number[];
    /** Links at it, also those that are not shown. */
    readonly degree: readonly number[];
    /** Steps from the centre of a neighbourhood; empty for the whole graph. */
    readonly depth: readonly number[];
  };
  readonly edges: {
    /** Positions in the columns of `nodes`. */
    readonly from: readonly number[];
    readonly to: readonly number[];
    /** Positions in `relations`. */
    readonly relation: readonly number[];
  };
  readonly kinds: readonly { readonly layer: string; readonly kind: string }[];
  readonly projects: readonly string[];
  readonly statuses: readonly string[];
  readonly relations: readonly string[];
  /** What there is, besides what is shown. */
  readonly total: { readonly nodes: number; readonly edges: number };
  readonly tookMs: number;
};

// ---- timeline

export type TimelineQuery = ScopeQuery & {
  /** Conversations that touch this time. */
  readonly from?: number;
  readonly to?: number;
  /** At most so many conversations, the newest; 1 … 500, default 60. */
  readonly limit?: number;
};

export type TimelineAnswer = {
  /** The first and the last moment of all that is known in the scope; null where nothing is. */
  readonly extent: { readonly from: number; readonly to: number } | null;
  /** How much was said when, over the extent: for an overview of it. */
  readonly density: { readonly from: number; readonly step: number; readonly exchanges: readonly number[] } | null;
  /** Newest first. */
  readonly conversations: readonly Conversation[];
  /** In the time asked for, shown or not. */
  readonly total: number;
  readonly tookMs: number;
};

export type Conversation = {
  readonly session: string;
  readonly project: string;
  /** What the user or the client called it, else the name of its longest topic. */
  readonly name: string;
  readonly startAt: number;
  readonly endAt: number;
  readonly exchanges: number;
  readonly counts: { readonly [intent: string]: number };
  /** In the order of time, topics before their exchanges. */
  readonly spans: readonly SpanBar[];
};

export type SpanBar = {
  readonly ref: string;
  readonly project: string;
  readonly parent: string | null;
  readonly name: string;
  readonly startAt: number;
  readonly endAt: number;
  /** 0: a topic; 1: an exchange of one. */
  readonly depth: number;
  /** Of a topic how many it has, of an exchange 1. */
  readonly exchanges: number;
  /** Of an exchange what was asked; of both what came out. The beginning; null where there is nothing. */
  readonly asked: string | null;
  readonly outcome: string | null;
  readonly counts: { readonly [intent: string]: number };
  /** The subagent whose transcript it is from. */
  readonly agent: string | null;
};

export type SpanPage = {
  readonly span: SpanBar;
  readonly session: string | null;
  readonly summary: string;
  readonly fields: SpanFields;
  readonly source: Source | null;
  /** The last line of the transcript that belongs to it. */
  readonly endLine: number | null;
  /** Of a topic its exchanges. */
  readonly parts: readonly SpanBar[];
  /** Of the span and its exchanges, in the order of the conversation. */
  readonly ideas: readonly SpanIdea[];
  readonly totalIdeas: number;
};

/** What a topic or an exchange says of itself; empty where it says nothing. */
export type SpanFields = {
  readonly asked: string;
  readonly outcome: string;
  readonly decided: readonly string[];
  readonly fixed: readonly string[];
  readonly commits: readonly string[];
  readonly left: readonly string[];
  readonly files: readonly string[];
};

export type SpanIdea = Omit<Brief, 'updatedAt' | 'session'> & {
  readonly text: string;
  readonly origin: Origin | null;
  /** `a guess`, `did not help`, `confirmed`; null where it was simply said. */
  readonly stance: string | null;
  readonly confidence: number;
  readonly source: Source | null;
};

/** Lines around the source of an idea or a span; other lines of the same transcript by `line`. */
export type TranscriptQuery = RefQuery & {
  readonly line?: number;
  /** 0 … 50, default 6. */
  readonly before?: number;
  readonly after?: number;
};
export type TranscriptAnswer = {
  readonly file: string;
  /** The line that was asked for. */
  readonly line: number;
  /** `archive` where the client has deleted the transcript; null where it is nowhere. */
  readonly from: 'file' | 'archive' | null;
  /** Secrets are masked. `cut` tells that the text is only its beginning. */
  readonly lines: readonly {
    readonly line: number;
    readonly who: string;
    readonly text: string;
    readonly cut: boolean;
  }[];
};
