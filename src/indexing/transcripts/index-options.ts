// What the indexer of a transcript needs of those who call it, and what it gives to the archive.

import type { EntityOptions } from '../../extraction/entities/entity.ts';
import type { ConversationPlace } from '../../files/excluded.ts';
import type { Forgotten } from '../../files/forgotten.ts';
import type { Fork } from '../../model/forks.ts';
import type { TraceHead } from '../../model/trace.ts';
import type { ArchivedTranscript } from '../../transcripts/source.ts';
import type { EarlierStatements } from './earlier-statements.ts';
import type { Ahead } from './read-ahead.ts';

/** What was read in one batch, for the archive: redacted. A line that says nothing is empty, so that line numbers hold. */
export type ReadPart = {
  readonly fromLine: number;
  readonly lines: readonly string[];
  readonly offset: number;
  readonly line: number;
  readonly mark: string;
  readonly head: TraceHead | null;
  readonly reader: string;
  readonly thinking: boolean;
  readonly project: string;
  readonly restart: boolean;
  readonly forks: readonly Fork[];
};

export type IndexOptions = {
  /** The project that a working directory belongs to. */
  projectOf: (cwd: string | undefined, file: string) => string;
  /** What a project is called today that a transcript was read for under another name. */
  nameToday?: (project: string) => string;
  /** What is known of the names in conversations of a project. */
  entities?: (project: string) => EntityOptions;
  /** What the values are hashed with that a conversation gave away; asked for at the first of them. */
  maskKey?: () => string;
  /** Whether the thinking of the agent is read too. */
  thinking?: boolean;
  /** Gets every batch before its rows are written; it must not mind to get one again. */
  archive?: (file: string, part: ReadPart) => void | Promise<void>;
  /** Shared by all files of one run. */
  earlier?: EarlierStatements;
  /** What may not come back, as it is now. */
  forgotten?: () => Forgotten;
  /** Whether a conversation is kept out. */
  excluded?: ((place: ConversationPlace) => boolean) | undefined;
  /** Hears that a forgotten conversation was met, before anything of it is read. */
  onForgotten?: (file: string) => Promise<void>;
  /** Stands in for a file that is gone. */
  archived?: (file: string) => ArchivedTranscript | undefined;
  /** What it was before it was rewritten, the oldest first. */
  older?: (file: string) => readonly ArchivedTranscript[];
  /** A number for its next generation. */
  nextGeneration?: (file: string) => number;
  /** Whether it is read from its start again, though nothing about it has changed. */
  anew?: (file: string) => boolean;
  /** Whether its copy in the archive is made anew with it. */
  mend?: (file: string) => boolean;
  /** What another thread has read of transcripts that are new. */
  ahead?: Ahead | undefined;
  /** Looked at between batches: stop here, what is done is kept. */
  stopped?: () => boolean;
  onProgress?: (bytes: number) => void;
};
