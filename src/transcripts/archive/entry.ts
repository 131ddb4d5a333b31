// What the archive knows about one transcript: a small JSON file beside the packed lines. Replacing it in one step is what
// makes an appended part count, so a writer that is killed leaves nothing half done.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError } from '../../errors.ts';
import { atomicWrite, removeStaleTemporaries } from '../../files/atomic-write.ts';
import { parseJsonObject, readText } from '../../files/json-file.ts';
import { type Lock, removeLockRemains, withLock } from '../../files/lock.ts';
import { type Fork, generationOf, readForks } from '../../model/forks.ts';
import { contentHash, FIRST_SUM, runningSum } from '../../model/hash.ts';
import type { JsonObject } from '../../model/json.ts';

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
  /** Number of its files: whoever writes them anew takes another one. */
  readonly generation: number;
  /** Of a transcript that was rewritten: which generation each of its lines is of. */
  readonly forks: readonly Fork[];
  /** Generations before this one that are kept, each with an entry of its own. */
  readonly older: readonly number[];
  /** Over the packed lines; absent where an older Cairn has written them. */
  readonly sum: string | undefined;
  /** How much of `file` counts. */
  readonly gzBytes: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** It was said on another machine of the same person, and came by sync. */
  readonly origin?: ArchiveOrigin | undefined;
  /** The packed lines; there is none yet where all of them are in the tail. */
  readonly file: string;
  /** The newest lines, if they wait to be packed. */
  readonly tail: ArchiveTail | undefined;
  /** Where this entry is written. */
  readonly side: string;
};

/** What cannot be asked of this machine's disk: the project there, and of other folders that the conversation went to. */
export type ArchiveOrigin = {
  readonly machine: string;
  readonly projects: { readonly [cwd: string]: string };
};

export type ArchiveTail = {
  /** Number of its first line. The packed lines end before it. */
  readonly from: number;
  /** How much of `file` counts. */
  readonly bytes: number;
  /** Over all lines to its end: it goes on from that of the packed ones. */
  readonly sum: string | undefined;
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
    folder: path.join(root, `${slugOf(path.basename(parent))}-${pathHash(parent)}`),
    stem: `${slugOf(name)}-${pathHash(source)}`,
  };
}

export const entryFile = ({ folder, stem }: EntryPlace): string => path.join(folder, stem + ENTRY_SUFFIX);

/** A copy that is being made anew and is not as long yet as the one that it is to replace. */
export const nextFile = ({ folder, stem }: EntryPlace): string => path.join(folder, `${stem}.next${ENTRY_SUFFIX}`);

/** A generation before the current one. */
export const olderFile = ({ folder, stem }: EntryPlace, generation: number): string =>
  path.join(folder, `${stem}.${generation}${ENTRY_SUFFIX}`);

/** An entry that could not be read when its transcript was archived anew: what lies beside it is nobody's, and stays. */
export const damagedFile = ({ folder, stem }: EntryPlace): string =>
  path.join(folder, `${stem}.damaged${ENTRY_SUFFIX}`);

/** A copy that is being removed: neither an entry any more nor lines of unknown origin. Whoever finds it goes on. */
export const goingFile = ({ folder, stem }: EntryPlace, { generation }: Pick<ArchiveEntry, 'generation'>): string =>
  path.join(folder, `${stem}.${generation}.going${ENTRY_SUFFIX}`);

/** The number for new files of a transcript: above every one that is or was there. */
export function freshGeneration({ folder, stem }: EntryPlace): number {
  const numbers = fs
    .readdirSync(folder)
    .filter((name) => name.startsWith(`${stem}.`) && /\.(?:gz|jsonl|json)$/.test(name))
    .map((name) =>
      Number(/^\.(\d+)\.(?:json$|going\.json$|jsonl\.gz$|\d+\.tail)/.exec(name.slice(stem.length))?.[1] ?? 1),
    );
  return Math.max(0, ...numbers) + 1;
}

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

const pathHash = (text: string): string => contentHash(text).slice(0, 10);

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
export function readEntry(place: EntryPlace, side: string = entryFile(place)): ArchiveEntry | undefined {
  const text = readText(side);
  if (text === undefined) return undefined;
  const { check, ...value } = parseJsonObject(text, side);
  if (check !== undefined && check !== checkOf(value)) throw damaged(side, 'its checksum is another one');
  const entry = entryOf(value, place, side);
  if (!entry) throw damaged(side, 'it does not describe an archived transcript');
  if (placeOf('', entry.source).stem !== place.stem) throw damaged(side, 'it describes another transcript');
  return entry;
}

const checkOf = (value: JsonObject): string => runningSum(FIRST_SUM, [JSON.stringify(value)]);

export const MEND_ARCHIVE =
  'If the transcript itself still exists, `cairn reindex` archives it anew. If not, bring the file back from a backup, or leave it: what the database knows of the conversation stays.';

/** What to do about a file of the archive that is not as it should be. */
export function mendingOf(file: string): string {
  if (file.endsWith(`.damaged${ENTRY_SUFFIX}`))
    return 'Its transcript was archived anew. The lines that it described lie beside it (`zcat` reads them); when you need none of them, remove both.';
  if (/\.(?:gz|jsonl)$/.test(file))
    return `${MEND_ARCHIVE} Lines without their .json can still be read (\`zcat\`), and \`cairn backfill FILE\` takes them from a file that they are unpacked into.`;
  return MEND_ARCHIVE;
}

/** One damaged file is the loss of one transcript at most; whoever goes through all of them reports it and goes on. */
export function damaged(file: string, why: string, cause?: unknown): CairnError {
  return new CairnError('READ_ERROR', `The archive ${file} is damaged: ${why}.`, {
    details: [['target', file]],
    fix: MEND_ARCHIVE,
    ...(cause === undefined ? {} : { cause }),
  });
}

function entryOf(value: JsonObject, place: EntryPlace, side: string): ArchiveEntry | undefined {
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
    forks: readForks(value.forks),
    older: Array.isArray(value.older) ? value.older.filter((each) => count(each)).map(Number) : [],
    sum: sumIn(value.sum),
    gzBytes,
    createdAt: createdAt as string,
    updatedAt: updatedAt as string,
    origin: originOf(value.origin),
    file: dataFile(place, generation),
    tail,
    side,
  };
}

function originOf(value: unknown): ArchiveOrigin | undefined {
  const { machine, projects } = (typeof value === 'object' && value !== null ? value : {}) as JsonObject;
  if (typeof machine !== 'string') return undefined;
  const named = Object.entries(typeof projects === 'object' && projects !== null ? projects : {});
  return {
    machine,
    projects: Object.fromEntries(named.filter((each): each is [string, string] => typeof each[1] === 'string')),
  };
}

function tailOf(value: unknown, place: EntryPlace, generation: number): ArchiveTail | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const [from, bytes] = [count((value as JsonObject).from), count((value as JsonObject).bytes)];
  const sum = sumIn((value as JsonObject).sum);
  return from && bytes ? { from, bytes, sum, file: tailFile(place, generation, from) } : undefined;
}

const sumIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[0-9a-f]{16}$/.test(value) ? value : undefined;

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** The name that this generation of a transcript has among the others. */
export const nameOfGeneration = ({ forks }: Pick<ArchiveEntry, 'forks'>): number => generationOf(forks);

export function writeEntry(entry: ArchiveEntry, beforeCommit: () => void): void {
  const { file: _, side, tail, forks, older, ...plain } = entry;
  const value = {
    v: tail ? WITH_TAIL : PLAIN,
    ...plain,
    ...(forks.length > 0 ? { forks } : {}),
    ...(older.length > 0 ? { older } : {}),
    ...(tail
      ? { tail: { from: tail.from, bytes: tail.bytes, ...(tail.sum === undefined ? {} : { sum: tail.sum }) } }
      : {}),
  };
  // As it will be read: what is undefined is not written.
  const written = JSON.parse(JSON.stringify(value)) as JsonObject;
  const text = JSON.stringify({ ...written, check: checkOf(written) }, null, 2);
  atomicWrite(side, `${text}\n`, { mode: 0o600, durable: false, beforeCommit });
}
