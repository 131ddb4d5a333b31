// What all pages of the contract share: how a memory, a project and a source are named. protocol.ts gives it to those who import it.

export type Layer = 'record' | 'note' | 'trace';

/** `this` (default), `all`, or the id of one project. */
export type ScopeQuery = { readonly project?: string };
/** `project` as an answer gave it; without one, this project's is meant. */
export type RefQuery = { readonly ref: string; readonly project?: string };

export type Project = {
  readonly id: string;
  /** The last part of its path. */
  readonly name: string;
  readonly current: boolean;
  readonly memories: number;
};

/** A memory in a list. `project` is what a RefQuery takes. */
export type Brief = {
  readonly ref: string;
  readonly project: string;
  readonly layer: string;
  readonly kind: string;
  readonly status: string;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly session: string | null;
};

export type Source = { readonly file: string; readonly line: number | null };
/** Of a statement: who said it, whether they said it themselves, and both in words. */
export type Origin = { readonly speaker: string; readonly provenance: string; readonly text: string };
/** Whether the files that a memory speaks of are what they were; null where it names none. */
export type Staleness = 'unchanged' | 'changed' | 'gone' | 'unknown' | null;
