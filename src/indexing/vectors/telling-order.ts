// In which order documents get their vectors: what somebody will ask for first. A store that is half done then answers nearly as
// well as a whole one; the rest of what was said while working comes last.

import type { Document, Filter } from '../../store/store.ts';

export type Pass = {
  readonly filter: Omit<Filter, 'unembedded'>;
  /** What of it is meant, where a filter cannot say so. */
  readonly takes?: (document: Document) => boolean;
};

/** One after the other, the newest of each first; the last takes whatever is left. */
export const PASSES: readonly Pass[] = [
  { filter: { layers: ['record', 'note'] } },
  // What was asked and came of it, what was decided and found out.
  { filter: { layers: ['trace'], kinds: ['span', 'decision', 'conclusion'] } },
  { filter: { layers: ['commit'] } },
  { filter: { layers: ['trace'], kinds: ['solution', 'problem', 'question', 'todo'] } },
  // Of the rest, people say what nobody else could say for them.
  { filter: { layers: ['trace'], kinds: ['context'] }, takes: ({ meta }) => meta?.role === 'user' },
  { filter: {} },
];
