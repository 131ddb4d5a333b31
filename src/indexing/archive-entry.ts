// What the archive knows about one transcript: a small JSON file beside the packed lines. Replacing it in one step is what
// makes an appended part count, so a writer that is killed leaves nothing half done.

import path from 'node:path';
import { CairnError } from '../errors.ts';
import { atomicWrite, removeStaleTemporaries } from '../files/atomic-write.ts';
import { type JsonObject, parseJsonObject, readText } from '../files/json-file.ts';
import { type Lock, removeLockRemains, withLock } from '../files/lock.ts';
import { sha256 } from '../model/sha256.ts';

export type ArchiveEntry = {
  /** Where the transcript is, or was before its client deleted it. */
  readonly source: string;
  readonly session: string;
  readonly project: string;
  readonly cwd: string | undefined;
  readonly branch: string | undefined;
  /** Name of the reader that knows the format. */
  readonly reader: string;
  /** How much of the transcript is archived: its bytes, its lines, and the indexer's mark of them. */
  readonly offset: number;
  readonly line: number;
  readonly mark: string;
  /** A transcript that was rewritten starts a new generation. */
  readonly generation: number;
  /** How much of `file` counts. */
  readonly gzBytes: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The packed lines; there is none yet where all of them are in the tail. */
  readonly file: string;
  /** The newest lines, if they wait to be packed. */
  readonly tail: ArchiveTail | undefined;
};

export type ArchiveTail = {
  /** Number of its first line. The packed lines end before it. */
  readonly from: number;
  /** How much of `file` counts. */
  readonly bytes: number;
  readonly file: string;
};

export type EntryPlace = { readonly folder: string; readonly stem: string };

const SLUG_LENGTH = 60;
const LOCK_WAIT_MS = 30_000;
const SUBAGENTS = /[\\/][^\\/]+[\\/]subagents$/;
export const ENTRY_SUFFIX = '.json';
export const DATA_SUFFIX = '.jsonl.gz';
export const TAIL_SUFFIX = '.tail.jsonl';
/** A Cairn that knows of no tails must take such an entry for none of its own: it would leave the tail's lines out. */
const [PLAIN, WITH_TAIL] = [1, 2];

/** Made from the transcript's path alone, so that finding an entry needs no search. Subagents lie with their session. */
export function placeOf(root: string, source: string): EntryPlace {
  const parent = path.dirname(source).replace(SUBAGENTS, '');
  const name = path.basename(source).replace(/\.\w+$/, '');
  return {
    folder: path.join(root, `${slugOf(path.basename(parent))}-${hashOf(parent)}`),
    stem: `${slugOf(name)}-${hashOf(source)}`,
  };
}

export const entryFile = ({ folder, stem }: EntryPlace): string => path.join(folder, stem + ENTRY_SUFFIX);

/** Each generation has its own file: the entry that names it is replaced in one step, the data could not be. */
export function dataFile({ folder, stem }: EntryPlace, generation: number): string {
  return path.join(folder, `${stem}${ofGeneration(generation)}${DATA_SUFFIX}`);
}

/** Each tail has its own file, too: whoever still reads one that was packed meanwhile must not find the lines of the next. */
export function tailFile({ folder, stem }: EntryPlace, generation: number, from: number): string {
  return path.join(folder, `${stem}${ofGeneration(generation)}.${from}${TAIL_SUFFIX}`);
}

const ofGeneration = (generation: number): string => (generation > 1 ? `.${generation}` : '');

export const filesOf = ({ file, tail }: ArchiveEntry): string[] => (tail ? [file, tail.file] : [file]);

const hashOf = (text: string): string => sha256(text).slice(0, 10);

function slugOf(text: string): string {
  const slug = text
    .slice(-4 * SLUG_LENGTH)
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .slice(-SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'transcript' : slug;
}

/** Of a file with lines. */
export function placeOfData(file: string): EntryPlace {
  return { folder: path.dirname(file), stem: path.basename(file).replace(/\..*$/, '') };
}

/** One writer at a time for each transcript. */
export function underLock<T>(place: EntryPlace, work: (lock: Lock) => T): Promise<T> {
  const lockDir = path.join(place.folder, `${place.stem}.lock`);
  return withLock(
    lockDir,
    (lock) => {
      if (lock.tookOver) {
        removeLockRemains(lockDir);
        removeStaleTemporaries(place.folder);
      }
      return work(lock);
    },
    { waitMs: LOCK_WAIT_MS },
  );
}

/** `undefined`: there is none. Throws READ_ERROR if it cannot be read or is none of ours. */
export function readEntry(place: EntryPlace): ArchiveEntry | undefined {
  const file = entryFile(place);
  const text = readText(file);
  if (text === undefined) return undefined;
  const entry = entryOf(parseJsonObject(text, file), place);
  if (!entry) throw damaged(file, 'it does not describe an archived transcript');
  return entry;
}

export const MEND_ARCHIVE =
  'If the transcript itself still exists, remove the file: `cairn backfill` archives it anew. If not, what was in it is lost; remove it and the .json beside it.';

/** One damaged file is the loss of one transcript at most; whoever goes through all of them reports it and goes on. */
export function damaged(file: string, why: string, cause?: unknown): CairnError {
  return new CairnError('READ_ERROR', `The archive ${file} is damaged: ${why}.`, {
    details: [['target', file]],
    fix: MEND_ARCHIVE,
    ...(cause === undefined ? {} : { cause }),
  });
}

function entryOf(value: JsonObject, place: EntryPlace): ArchiveEntry | undefined {
  const { source, session, project, cwd, branch, reader, mark, createdAt, updatedAt } = value;
  const [offset, line, generation, gzBytes] = [value.offset, value.line, value.generation, value.gzBytes].map(count);
  const texts = [source, session, project, reader, mark, createdAt, updatedAt];
  if (!texts.every((text) => typeof text === 'string')) return undefined;
  if (offset === undefined || line === undefined || !generation || gzBytes === undefined) return undefined;
  const tail = value.v === WITH_TAIL ? tailOf(value.tail, place, generation) : undefined;
  if (value.v !== PLAIN && !tail) return undefined;
  return {
    source: source as string,
    session: session as string,
    project: project as string,
    cwd: typeof cwd === 'string' ? cwd : undefined,
    branch: typeof branch === 'string' ? branch : undefined,
    reader: reader as string,
    offset,
    line,
    mark: mark as string,
    generation,
    gzBytes,
    createdAt: createdAt as string,
    updatedAt: updatedAt as string,
    file: dataFile(place, generation),
    tail,
  };
}

function tailOf(value: unknown, place: EntryPlace, generation: number): ArchiveTail | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const [from, bytes] = [count((value as JsonObject).from), count((value as JsonObject).bytes)];
  return from && bytes ? { from, bytes, file: tailFile(place, generation, from) } : undefined;
}

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

export function writeEntry(place: EntryPlace, entry: ArchiveEntry, beforeCommit: () => void): void {
  const { file: _, tail, ...plain } = entry;
  const value = tail
    ? { v: WITH_TAIL, ...plain, tail: { from: tail.from, bytes: tail.bytes } }
    : { v: PLAIN, ...plain };
  atomicWrite(entryFile(place), `${JSON.stringify(value, null, 2)}\n`, {
    mode: 0o600,
    durable: false,
    beforeCommit,
  });
}
