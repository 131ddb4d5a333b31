// A document that was proposed, and by which strategies: what the pool holds and what is ranked later.

import type { Document } from '../store/store.ts';

export type Strategy = 'keyword' | 'vector' | 'hyde' | 'entity' | 'graph' | 'browse' | 'path' | 'standing';

export type Proposal = { readonly rank: number; readonly score: number };

export type Candidate = {
  readonly document: Document;
  /** The line of a transcript that it stands in, as a key. */
  readonly line: string;
  readonly proposals: Map<Strategy, Proposal>;
};

export type Pool = Map<string, Candidate>;
