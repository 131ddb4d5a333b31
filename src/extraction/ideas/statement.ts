// What a turn is cut into on its way to ideas. Everything is a range of the turn's text: nothing is copied before it is
// known to be kept.

import type { Provenance } from '../../model/provenance.ts';
import type { Intent, Stance } from '../../model/trace.ts';

/** A run of text that belongs together: a paragraph, one item of a list, one row of a table, one block of code. */
export type Block = {
  readonly kind: 'prose' | 'item' | 'row' | 'code' | 'heading';
  readonly start: number;
  readonly end: number;
  /** Blocks of one group follow each other with nothing else between them, so that they may be joined. */
  readonly group: number;
  /** What stands above: a heading, or the sentence that ends in a colon before a list. */
  readonly lead: Lead | undefined;
  /** A box before the item: ticked, or not. */
  readonly box: 'open' | 'ticked' | undefined;
};

export type Lead = { readonly start: number; readonly end: number };

/** What stands above is put before every statement below it, so it must be short; more of it is cut off. */
export const LONGEST_PREFIX = 60;

/** One sentence, or a part of a very long one. */
export type Range = { readonly start: number; readonly end: number };

/** From what is left out to what is kept in any case. */
export const WORTHS = ['nothing', 'narrated', 'weak', 'kept'] as const;
export type Worth = (typeof WORTHS)[number];

export type Judgement = {
  readonly intent: Intent;
  readonly stance: Stance;
  readonly confidence: number;
  /** How strongly the wording speaks for the intent; the stronger one speaks for two statements that are joined. */
  readonly weight: number;
  /**
   * `nothing`: greetings, thanks, progress. `narrated`: what an agent is about to do, which goes along with what stands
   * beside it. `weak`: code, output, and narration that names something, kept only where there is nothing else.
   */
  readonly worth: Worth;
  /** Says that something will be put right: what stands before it is what is wrong. */
  readonly repairs?: true;
};

/** A judged range with its place: `order` counts all ranges, also those left out, so that neighbours are known. */
export type Statement = Range & {
  readonly judgement: Judgement;
  readonly provenance: Provenance;
  readonly prefix: string;
  readonly group: number;
  readonly block: number;
  readonly order: number;
  /** The order of the last range that was joined to it. */
  readonly last: number;
};
