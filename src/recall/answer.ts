// What a recall is asked and what it answers: the shape that `cairn remember --json`, hooks and the other faces share.
// Keys of the answer are written as they are printed.

import type { Provenance, Speaker } from '../model/provenance.ts';
import type { OverviewKind } from './overview-words.ts';

export type RecallQuery = {
  readonly query: string;
  /** Scopes to look in; all if absent. */
  readonly projects?: readonly string[];
  /** Default 10. */
  readonly limit?: number;
  /** Milliseconds: what lies outside is not looked at, even where nothing is left. */
  readonly since?: number;
  readonly until?: number;
  readonly session?: string;
  /** Only memories of these kinds of statement: decision, question, problem … */
  readonly intents?: readonly string[];
  readonly layers?: readonly string[];
  readonly includeArchived?: boolean;
  /** False: the time and the kind that the words name count, but limit nothing. For prompts, which mention times. */
  readonly narrow?: boolean;
  /** Ask the language model for a made-up answer and look for its like. */
  readonly hyde?: boolean;
  /** False: no relations, no support by the conversation, no words learned from the first results; for measuring. */
  readonly expand?: boolean;
  /** Add the numbers behind each score. */
  readonly explain?: boolean;
  /**
   * It is a part of a prompt, not a question about the past: who asks, that something is wanted, and "now" say nothing about what
   * is looked for, nor do words that are not telling. The results come with what tells whether they may be told unasked.
   */
  readonly unasked?: { isTelling(word: string): boolean };
};

export type Why = { readonly strategy: string; readonly rank: number };

/** One number that the score was made of: points are added, factors multiplied. */
export type Detail = { readonly name: string; readonly points?: number; readonly factor?: number };

export type Checked = 'unchanged' | 'changed' | 'gone' | 'unknown';

/** What tells whether a result may be told to somebody who did not ask for it. */
export type Telling = {
  /** How much a colleague would want to be shown it, 0 … 1; null where nobody judged it: records, notes, topics. */
  readonly worth: number | null;
  /** Kept to be found alone. */
  readonly searchOnly: boolean;
  /** Of a span: an exchange or a topic. */
  readonly level: string | null;
  readonly stance: string | null;
  /** Of a span: what came out, was decided, was mended, was left. */
  readonly outcome: string;
  readonly decided: readonly string[];
  readonly fixed: readonly string[];
  readonly left: readonly string[];
  readonly asked: string;
  readonly tags: readonly string[];
  /** The share of the part's telling words, by weight, that it has itself, and those words as they were written. */
  readonly coverage: number;
  readonly words: readonly string[];
  /** How near its meaning is; null without vectors. */
  readonly cosine: number | null;
};

export type RecallResult = {
  readonly ref: string;
  readonly layer: string;
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  /** The text in one sentence, where its layer has one. */
  readonly gist?: string;
  readonly score: number;
  /** 0 … 1: how likely this is about the query at all; see relevance.ts. */
  readonly relevance: number;
  readonly confidence: number;
  readonly status: string;
  readonly project: string;
  readonly session: string | null;
  readonly created_at: string;
  readonly source: { readonly file: string; readonly line?: number } | null;
  /** Of what another of the team shares: that person. */
  readonly author?: string;
  /** Of a statement: who said it, and whether they said it themselves. Null for records, notes and topics. */
  readonly speaker: Speaker | null;
  readonly provenance: Provenance | null;
  readonly why: readonly Why[];
  readonly chain: readonly { readonly ref: string; readonly relation: string; readonly title?: string }[];
  /** The topic that it belongs to. */
  readonly span: { readonly ref: string; readonly name: string } | null;
  /** The exchange around it: what was asked, and what came out. */
  readonly exchange: { readonly ref: string; readonly asked: string; readonly outcome: string } | null;
  /** `hypothesis`, `dead_end` or `confirmed`; absent where it was simply said. */
  readonly stance?: string;
  /** Whether the files it speaks of are still what they were; absent where it names none. */
  readonly files?: Checked;
  /** Other statements of the same source line, or of the same words, that this one stands for. */
  readonly folded?: readonly string[];
  readonly explain?: readonly Detail[];
  /** Where the query was a part of a prompt. */
  readonly telling?: Telling;
};

export type RecallAnalysis = {
  readonly terms: readonly string[];
  readonly entities: readonly string[];
  readonly intents: readonly string[];
  readonly since: string | null;
  readonly until: string | null;
  /** Where the query asks for an overview of a time: what was done in it, what is open, where things stand. */
  readonly overview?: { readonly kind: OverviewKind; readonly since: string | null; readonly until: string | null };
  /** Where the query names a release ("before v2.0"): which one was meant. Unknown, its words were searched for instead. */
  readonly release?: { readonly phrase: string; readonly name: string | null; readonly at: string | null };
};

export type RecallAnswer = {
  readonly query: string;
  readonly analysis: RecallAnalysis;
  /** Of the best result; 0 if there is none. */
  readonly relevance: number;
  /** The words named this time or these kinds, and nothing of that is plainly about the rest: the results are the nearest there is. */
  readonly outside?: {
    readonly since: string | null;
    readonly until: string | null;
    readonly kinds: readonly string[];
  };
  readonly results: readonly RecallResult[];
  readonly took_ms: number;
};
