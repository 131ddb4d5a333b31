// What can still be read of a store that is damaged, whatever it keeps its rows in.

import type { Change } from './store.ts';

export type Put = Extract<Change, { op: 'put' }>;

export type DamagedRows = {
  /** As they were, with what can be read of their links and mentions. */
  readonly puts: readonly Put[];
  /** Rows that are known to have been there and cannot be read, or not wholly. */
  readonly lost: number;
};

export type DamagedStore = {
  /** Files that rows came from. */
  files(): string[];
  state(key: string): string | undefined;
  rowsOf(file: string): DamagedRows;
};
