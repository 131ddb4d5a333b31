// What a search of a large memory reads instead of every record: the words of all of them in one file of the user's own folder. It is
// derived: a file that moved is read again, as the graph does it (docs/GRAPH.md), and what holds a secret is not kept but read each time.

import fs from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { readText } from '../files/json-file.ts';
import type { Category } from '../model/categories.ts';
import { isObject } from '../model/json.ts';
import { RECORD_STATUSES, type RecordStatus } from '../model/record.ts';
import { parseTimestamp } from '../model/schema.ts';
import { removePrivate } from '../safety/private-tags.ts';
import { holdsSecrets } from '../safety/secrets/redact.ts';
import { folderOf, type RecordStore } from './record-store.ts';
import { type RecordFile, readRecord, recordFile, recordFiles, type ScannedRecord, type ScanProblem } from './scan.ts';

/** Where the words are kept, from how many records on, and for how long files are believed while their folders do not move. */
export type SearchTextsPlace = { readonly file: string; readonly from: number; readonly ttlMs: number };

/** What is searched of a record; all of it in lower case. */
export type SearchText = {
  readonly name: string;
  readonly status: RecordStatus;
  readonly title: string;
  /** One behind the other, with something between them that is no letter. */
  readonly tags: string;
  readonly content: string;
  readonly updated: number | undefined;
};

/** The records of a category: lines that are not taken apart, and those that were read just now. */
export type FolderTexts = {
  readonly category: Category;
  readonly lines: readonly string[];
  readonly texts: readonly SearchText[];
};

const VERSION = 1;
const MAX_BYTES = 512 * 1024 * 1024;
/** File systems tell time in steps of up to two seconds: what is younger than the last look may have been written again after it. */
const CLOCK_STEP_MS = 2_000;
/** Neither stands in a title, a tag or a name, which are clean, nor in JSON, which spells them out. */
const [FIELD, TAG] = ['\x1f', '\x1e'];
const QUIET = { throwIfNoEntry: false } as const;

export function textOfRecord({ name }: RecordFile, { record, status, title, tags }: ScannedRecord): SearchText {
  return {
    name,
    status,
    title: title.toLowerCase(),
    tags: tags.join(TAG).toLowerCase(),
    content: JSON.stringify(record.content ?? '').toLowerCase(),
    updated: parseTimestamp(record.updated_at),
  };
}

/** `name, time, size`, and behind it the words; a line without words is of a record that is read each time. */
function lineOf(found: RecordFile, stat: Stat, scanned: ScannedRecord | undefined): string {
  const head = [found.name, stat.mtimeMs, stat.size].join(FIELD);
  if (!scanned || !mayBeKept(scanned)) return head;
  const { status, title, tags, content, updated } = textOfRecord(found, scanned);
  return [head, RECORD_STATUSES.indexOf(status), updated ?? '', title, tags, content].join(FIELD);
}

function mayBeKept({ record, title, tags }: ScannedRecord): boolean {
  const { content } = record;
  const said = JSON.stringify([title, tags, content ?? '']);
  return removePrivate(said) === said && !holdsSecrets({ title, tags, content });
}

export function textOfLine(line: string): SearchText {
  const [name = '', , , status, updated, title = '', tags = '', content = ''] = line.split(FIELD);
  return {
    name,
    status: RECORD_STATUSES[Number(status)] ?? 'active',
    title,
    tags,
    content,
    updated: updated === '' ? undefined : Number(updated),
  };
}

type Stat = { readonly mtimeMs: number; readonly ctimeMs: number; readonly size: number };
type KeptFolder = { readonly mtime: number; readonly lines: readonly string[] };
type Kept = { readonly lookedAt: number; readonly total: number; readonly folders: ReadonlyMap<string, KeptFolder> };

/** Everything that a search has to look at; `undefined` where the memory is too small for that to be kept. */
export function searchTexts(recordStore: RecordStore, problems: ScanProblem[]): FolderTexts[] | undefined {
  const place = recordStore.searchTexts;
  if (!place) return undefined;
  const { categories } = recordStore.kinds;
  const kept = load(place.file);
  if (!kept && countOf(recordStore) <= place.from) return undefined;
  const startedAt = Date.now();
  const folders = new Map<string, KeptFolder>();
  let [isChanged, isWhole] = [false, true];
  const all = categories.map((category): FolderTexts => {
    const known = kept?.folders.get(keyOf(category));
    const mtime = fs.statSync(folderOf(recordStore, category), QUIET)?.mtimeMs ?? 0;
    if (kept && known && isBelieved(place, kept, known, mtime, startedAt)) {
      isWhole = false;
      folders.set(keyOf(category), known);
      return { category, ...apart(recordStore, category, known.lines, problems) };
    }
    const before = problems.length;
    const files = recordFiles(recordStore, category, problems);
    const isSound = problems.length === before;
    const { lines, texts, kept: own } = look(files, known, kept?.lookedAt ?? 0, problems);
    // A folder that has something to say about itself says it each time.
    if (isSound && mtime > 0) folders.set(keyOf(category), { mtime, lines: own });
    isChanged ||= mtime > 0 && (known?.mtime !== mtime || !isSame(known.lines, own));
    return { category, lines, texts };
  });
  if (isChanged || (kept && folders.size !== kept.folders.size)) save(place.file, folders, startedAt);
  else if (isWhole) stamp(place.file, startedAt);
  return all;
}

const countOf = (recordStore: RecordStore): number =>
  recordStore.kinds.categories.reduce((sum, category) => sum + recordFiles(recordStore, category, []).length, 0);

const keyOf = ({ name, folder }: Category): string => `${folder} ${name}`;

function isBelieved(place: SearchTextsPlace, kept: Kept, known: KeptFolder, mtime: number, now: number): boolean {
  const age = now - kept.lookedAt;
  return (
    kept.total > place.from &&
    age >= 0 &&
    age < place.ttlMs &&
    known.mtime === mtime &&
    mtime < kept.lookedAt - CLOCK_STEP_MS
  );
}

type Looked = {
  readonly lines: string[];
  readonly texts: SearchText[];
  /** A line for each record. */
  readonly kept: string[];
};

/** The records of a folder as it is now; what did not move is not read. */
function look(
  files: readonly RecordFile[],
  known: KeptFolder | undefined,
  lookedAt: number,
  problems: ScanProblem[],
): Looked {
  const before = new Map(known?.lines.map((line) => [nameOfLine(line), line]));
  const looked: Looked = { lines: [], texts: [], kept: [] };
  for (const found of files) {
    const stat = found.isPlain ? lstat(found.file) : undefined;
    const line = before.get(found.name);
    const isOld = stat && Math.max(stat.mtimeMs, stat.ctimeMs) < lookedAt - CLOCK_STEP_MS;
    const isAsItWas = line !== undefined && isOld && line.startsWith(`${found.name}${FIELD}${stat.mtimeMs}${FIELD}`);
    if (isAsItWas && line.split(FIELD, 3)[2] === String(stat.size) && hasWords(line)) {
      looked.lines.push(line);
      looked.kept.push(line);
      continue;
    }
    const own: ScanProblem[] = [];
    const scanned = readRecord(found, own);
    problems.push(...own);
    if (scanned) looked.texts.push(textOfRecord(found, scanned));
    // What is no plain file, or has something wrong with it, is read each time.
    const isKept = found.isPlain && own.length === 0;
    looked.kept.push(lineOf(found, stat ?? { mtimeMs: 0, ctimeMs: 0, size: 0 }, isKept ? scanned : undefined));
  }
  return looked;
}

/** Lines without words are of records that are read each time. */
function apart(
  recordStore: RecordStore,
  category: Category,
  all: readonly string[],
  problems: ScanProblem[],
): { lines: string[]; texts: SearchText[] } {
  const [lines, texts]: [string[], SearchText[]] = [[], []];
  for (const line of all) {
    if (hasWords(line)) lines.push(line);
    else {
      const found = recordFile(recordStore, category, nameOfLine(line));
      const scanned = readRecord(found, problems);
      if (scanned) texts.push(textOfRecord(found, scanned));
    }
  }
  return { lines, texts };
}

const nameOfLine = (line: string): string => line.slice(0, line.indexOf(FIELD));

function hasWords(line: string): boolean {
  const time = line.indexOf(FIELD);
  return line.indexOf(FIELD, line.indexOf(FIELD, time + 1) + 1) !== -1;
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, at) => line === b[at]);

function lstat(file: string): Stat | undefined {
  try {
    return fs.lstatSync(file, QUIET);
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** The first line says how many of the others belong to which folder. Whatever is wrong with it, it is made anew. */
function load(file: string): Kept | undefined {
  try {
    const stat = fs.statSync(file, QUIET);
    const lines = stat && readText(file, MAX_BYTES)?.split('\n');
    const head: unknown = lines && JSON.parse(lines[0] ?? '');
    if (!lines || !isObject(head) || head.version !== VERSION || !Array.isArray(head.folders)) return undefined;
    const folders = new Map<string, KeptFolder>();
    let at = 1;
    for (const each of head.folders as unknown[]) {
      if (!isObject(each) || typeof each.key !== 'string' || typeof each.mtime !== 'number') return undefined;
      const count = Number(each.count);
      folders.set(each.key, { mtime: each.mtime, lines: lines.slice(at, at + count) });
      at += count;
    }
    return at === lines.length ? { lookedAt: stat.mtimeMs, total: at - 1, folders } : undefined;
  } catch {
    return undefined;
  }
}

/** Whoever may not write there, searches the files. */
function save(file: string, folders: ReadonlyMap<string, KeptFolder>, lookedAt: number): void {
  const head = {
    version: VERSION,
    folders: [...folders].map(([key, { mtime, lines }]) => ({ key, mtime, count: lines.length })),
  };
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const lines = [JSON.stringify(head), ...[...folders.values()].flatMap((folder) => folder.lines)];
    atomicWrite(file, lines.join('\n'), { durable: false, mode: 0o600 });
    stamp(file, lookedAt);
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}

/** The time of the file is the time of the last look at all records. */
function stamp(file: string, lookedAt: number): void {
  try {
    fs.utimesSync(file, new Date(), lookedAt / 1000);
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}
