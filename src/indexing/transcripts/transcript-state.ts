// What the indexer remembers of a transcript between runs: one row of the store, written in the same transaction as the rows that it gave.

import path from 'node:path';
import type { Fork } from '../../model/forks.ts';
import type { TraceHead } from '../../model/trace.ts';
import type { TranscriptSource } from '../../transcripts/source.ts';
import type { MaskState } from './conversation-mask.ts';
import type { Checkpoint } from './same-beginning.ts';
import type { TraceState } from './trace-rows.ts';
import type { Twin } from './twin-transcript.ts';

/** Another number, and every transcript is read anew: raised when rows say more than they did. 6: who said it, and how. */
export const STATE_VERSION = 6;

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
  /** What the lines so far gave away; left out where they gave nothing. */
  mask?: MaskState;
};

export const STATE_PREFIX = 'transcript:';
export const stateKey = (file: string): string => `${STATE_PREFIX}${file}`;

/** How far a transcript was read. */
export type KnownState = Pick<FileState, 'from' | 'offset' | 'mark'>;
export const readBefore = (state: string): KnownState => JSON.parse(state) as FileState;

/** It was read by a Cairn whose rows said less. */
export const isOutdated = (state: string): boolean => (JSON.parse(state) as Partial<FileState>).v !== STATE_VERSION;

export const generationsIn = (state: string): readonly number[] =>
  (JSON.parse(state) as Partial<FileState>).generations ?? [];

/** The forks that a state knows of. */
export const forksIn = (state: string): readonly Fork[] => (JSON.parse(state) as Partial<FileState>).forks ?? [];

export const nameOfFile = (file: string): string => path.basename(file).replace(/\.\w+$/, '');
export const sessionOf = (state: Pick<FileState, 'head'>, file: string): string =>
  state.head?.session ?? nameOfFile(file);

/** What rows are named by: the session, and for the transcript of a subagent its name too. */
export function threadOf(state: Pick<FileState, 'head'>, file: string): string {
  const session = sessionOf(state, file);
  const agent = state.head?.agent;
  return agent === undefined ? session : `${session} ${agent}`;
}

/** Whether it was written as a state, and can be read as one. */
export function isState(text: string | undefined): text is string {
  try {
    const { reader, mark, offset, line, project } = JSON.parse(text ?? '') as Partial<FileState>;
    const texts = [reader, mark, project].every((each) => typeof each === 'string');
    return texts && [offset, line].every(Number.isSafeInteger);
  } catch {
    return false;
  }
}

/** For a transcript whose state is lost: nothing of it counts as read, so it is read anew where it can be. */
export const lostState = (project: string): string =>
  JSON.stringify({
    v: 0,
    from: 'file',
    reader: '',
    thinking: false,
    offset: 0,
    line: 0,
    mark: '',
    head: null,
    project,
  });
