// What a recall is asked and what it answers: the shape that `cairn remember --json`, hooks and the other faces share.
// Keys of the answer are written as they are printed.

import type { Provenance, Speaker } from '../model/provenance.ts';

export type RecallQuery = {
  readonly query: string;
  /** Scopes to look in; all if absent. */
  readonly projects?: readonly string[];
  /** Default 10. */
  readonly limit?: number;
  /** Milliseconds: hard limits, unlike the times that the words of the query name. */
  readonly since?: number;
  readonly until?: number;
  readonly session?: string;
  /** Only memories of these kinds of statement: decision, question, problem … */
  readonly intents?: readonly string[];
  readonly layers?: readonly string[];
  readonly includeArchived?: boolean;
  /** Ask the language model for a made-up answer and look for its like. */
  readonly hyde?: boolean;
  /** False: no relations, no support by the conversation, no words learned from the first results; for measuring. */
  readonly expand?: boolean;
  /** Add the numbers behind each score. */
  readonly explain?: boolean;
};

export type Why = { readonly strategy: string; readonly rank: number };

/** One number that the score was made of: points are added, factors multiplied. */
export type Detail = { readonly name: string; readonly points?: number; readonly factor?: number };

export type Checked = 'unchanged' | 'changed' | 'gone' | 'unknown';

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
  /** Of a statement: who said it, and whether they said it themselves. Null for records, notes and topics. */
  readonly speaker: Speaker | null;
  readonly provenance: Provenance | null;
  readonly why: readonly Why[];
  readonly chain: readonly { readonly ref: string; readonly relation: string; readonly title?: string }[];
  readonly span: { readonly ref: string; readonly name: string } | null;
  /** Whether the files it speaks of are still what they were; absent where it names none. */
  readonly files?: Checked;
  /** Other statements of the same source line, or of the same words, that this one stands for. */
  readonly folded?: readonly string[];
  readonly explain?: readonly Detail[];
};

export type RecallAnalysis = {
  readonly terms: readonly string[];
  readonly entities: readonly string[];
  readonly intents: readonly string[];
  readonly since: string | null;
  readonly until: string | null;
  /** Where the query names a release ("before v2.0"): which one was meant. Unknown, its words were searched for instead. */
  readonly release?: { readonly phrase: string; readonly name: string | null; readonly at: string | null };
};

export type RecallAnswer = {
  readonly query: string;
  readonly analysis: RecallAnalysis;
  /** Of the best result; 0 if there is none. */
  readonly relevance: number;
  readonly results: readonly RecallResult[];
  readonly took_ms: number;
};
