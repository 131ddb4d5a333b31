// What the indexer remembers of a transcript between runs: one row of the store, written in the same transaction as the rows that it gave.

import path from 'node:path';
import type { Fork } from '../../model/forks.ts';
import {
  any,
  choice,
  integer,
  list,
  number,
  omittable,
  openObject,
  optional,
  parseAs,
  text,
} from '../../model/schema.ts';
import type { TraceHead } from '../../model/trace.ts';
import type { TranscriptSource } from '../../transcripts/source.ts';
import type { MaskState } from './conversation-mask.ts';
import type { Lineage } from './lineage.ts';
import type { Checkpoint } from './same-beginning.ts';
import type { TraceState } from './trace-rows.ts';
import type { Twin } from './twin-transcript.ts';

/** Another number, and every transcript is read anew: raised when rows say more than they did. 10: what was mended, what was left, what it is called. */
export const STATE_VERSION = 12;

export type FileState = {
  v: typeof STATE_VERSION;
  from: TranscriptSource['kind'];
  reader: string;
  thinking: boolean;
  offset: number;
  line: number;
  /** Of what came before the offset: a file that was rewritten is noticed. */
  mark: string;
  head: TraceHead | null;
  project: string;
  read: unknown;
  trace: TraceState;
  /** Where it was rewritten. */
  forks?: readonly Fork[];
  /** All generations of it that there are rows of. */
  generations?: readonly number[];
  checkpoints?: readonly Checkpoint[];
  /** Lines behind this one still have the rows of an earlier reading. */
  replaces?: true;
  /** Another transcript of the same session was there before it. */
  twin?: Twin;
  /** Of conversations of Claude Code: which of its lines are those of another. */
  lineage?: Lineage;
  /** Which lines those are has changed since it was read: it is to be read from its start. */
  anew?: true;
  /** What the lines so far gave away; left out where they gave nothing. */
  mask?: MaskState;
};

export const STATE_PREFIX = 'transcript:';
export const stateKey = (file: string): string => `${STATE_PREFIX}${file}`;

/** What all versions have in common. Of what the rest holds, only this version's own rows are read. */
const STATE = openObject({
  v: omittable(integer()),
  from: omittable(choice(['file', 'archive'])),
  reader: text(),
  offset: integer({ min: 0 }),
  line: integer({ min: 0 }),
  mark: text(),
  head: optional(openObject({ session: omittable(text()) })),
  project: text(),
  forks: omittable(list(openObject({ from: integer({ min: 1 }), generation: integer({ min: 2 }) }))),
  generations: omittable(list(integer({ min: 1 }))),
  trace: omittable(openObject({ time: omittable(number()) })),
  mask: omittable(openObject({ known: omittable(list(list(any(), { minItems: 4, maxItems: 4 }))) })),
});

/** A row as it was written. One that is damaged counts as lost: nothing of the transcript was read, so it is read anew. */
export const stateIn = (row: string): FileState => soundState(row) ?? lost('');

export const isState = (row: string | undefined): row is string => row !== undefined && soundState(row) !== undefined;

function soundState(row: string): FileState | undefined {
  const state = parseAs(STATE, row);
  const isWhole = state && (state.v !== STATE_VERSION || state.trace !== undefined);
  return isWhole ? (state as unknown as FileState) : undefined;
}

/** How far a transcript was read. */
export type KnownState = Pick<FileState, 'from' | 'offset' | 'mark'>;

/** It was read by a Cairn whose rows said less, or before another conversation turned out to have its lines. */
export function isOutdated(state: string): boolean {
  const { v, anew } = stateIn(state);
  return v !== STATE_VERSION || anew === true;
}

export const generationsIn = (state: string): readonly number[] => stateIn(state).generations ?? [];

/** The forks that a state knows of. */
export const forksIn = (state: string): readonly Fork[] => stateIn(state).forks ?? [];

export const nameOfFile = (file: string): string => path.basename(file).replace(/\.\w+$/, '');
export const sessionOf = (state: Pick<FileState, 'head'>, file: string): string =>
  state.head?.session ?? nameOfFile(file);

/** What rows are named by: the session, and for the transcript of a subagent its name too. */
export function threadOf(state: Pick<FileState, 'head'>, file: string): string {
  const session = sessionOf(state, file);
  const agent = state.head?.agent;
  return agent === undefined ? session : `${session} ${agent}`;
}

/** For a transcript whose state is lost: nothing of it counts as read, so it is read anew where it can be. */
export const lostState = (project: string): string => JSON.stringify(lost(project));

function lost(project: string): FileState {
  const nothing = { from: 'file', reader: '', thinking: false, offset: 0, line: 0, mark: '', head: null };
  return { v: 0, ...nothing, project } as unknown as FileState; // of no version: nobody goes on from it
}
