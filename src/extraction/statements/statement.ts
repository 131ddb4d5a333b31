// What a turn is cut into: everything is a range of its text, with what is known of its place before anybody judges it.

import type { Provenance } from '../../model/provenance.ts';

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

/** One sentence, heading, row or piece of code of a turn. */
export type Statement = Range & {
  readonly kind: Block['kind'];
  readonly box: Block['box'];
  readonly provenance: Provenance;
  /** The words above it, without their marks; empty where nothing stands above, or somebody else wrote it. */
  readonly lead: string;
  /** The same, and the name of whoever speaks, as they are put before it. */
  readonly prefix: string;
  readonly group: number;
  readonly block: number;
  /** Its place in its block, and how many there are. */
  readonly sentence: number;
  readonly sentences: number;
  /** It is put before what stands below it, and need not be said alone. */
  readonly leads: boolean;
};
