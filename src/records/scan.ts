// Reads every record file of a memory root. A file that cannot be read is named in `problems` and never stops the others:
// people edit these files by hand, merge them with git, and keep other things beside them. Titles and tags come out clean:
// a clone brings them from anybody, and they are shown on terminals.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError, messageOf } from '../errors.ts';
import { parseJsonObject, readSmallText, readText } from '../files/json-file.ts';
import { isInside, realPath, toPosix } from '../files/paths.ts';
import type { Category } from '../model/categories.ts';
import type { JsonObject } from '../model/json.ts';
import { isOwnSummary } from '../model/own-summary.ts';
import { type RecordStatus, statusOf } from '../model/record.ts';
import { stripUnsafe } from '../model/text.ts';
import { cleanTag, cleanTitle } from '../safety/sanitise.ts';
import { compareText, type IndexEntry } from './index-line.ts';
import { folderOf, indexBase, type RecordStore } from './record-store.ts';

export type ScannedRecord = {
  readonly file: string;
  /** As index.md names it. */
  readonly path: string;
  readonly slug: string;
  /** The folder's category; `record.category` may say otherwise. */
  readonly category: Category;
  readonly status: RecordStatus;
  readonly title: string;
  readonly tags: readonly string[];
  readonly record: JsonObject;
};

const NO_NAME = /[\s\p{C}]/u;

export type ScanProblem = { path: string; message: string };
export type Scan = { records: ScannedRecord[]; problems: ScanProblem[] };

export function scanRecords(
  recordStore: RecordStore,
  options: { activeOnly?: boolean; category?: Category } = {},
): Scan {
  const scan: Scan = { records: [], problems: [] };
  for (const category of options.category ? [options.category] : recordStore.kinds.categories) {
    for (const found of recordFiles(recordStore, category, scan.problems)) {
      const scanned = readRecord(found, scan.problems);
      if (scanned && !(options.activeOnly && scanned.status !== 'active')) scan.records.push(scanned);
    }
  }
  return scan;
}

/** A file of a category's folder that is named like a record; not read yet. */
export type RecordFile = {
  readonly file: string;
  /** As index.md names it. */
  readonly path: string;
  readonly name: string;
  readonly category: Category;
  /** The folder says that it is a file: no link, no pipe. */
  readonly isPlain: boolean;
};

/** The files of a category, in the order of their names. */
export function recordFiles(recordStore: RecordStore, category: Category, problems: ScanProblem[]): RecordFile[] {
  const folder = folderOf(recordStore, category);
  const within = withinBase(recordStore, folder);
  return recordNames(recordStore, folder, problems).map(({ name, isPlain }) => ({
    // As `path.join` would, and a tenth of the time of a scan less.
    file: `${folder}${path.sep}${name}`,
    path: within === '' ? name : `${within}/${name}`,
    name,
    category,
    isPlain,
  }));
}

/** One that is known by its name. */
export function recordFile(recordStore: RecordStore, category: Category, name: string): RecordFile {
  const folder = folderOf(recordStore, category);
  const within = withinBase(recordStore, folder);
  const named = within === '' ? name : `${within}/${name}`;
  return { file: path.join(folder, name), path: named, name, category, isPlain: false };
}

const withinBase = (recordStore: RecordStore, folder: string): string =>
  toPosix(path.relative(indexBase(recordStore.root, realPath(recordStore.projectRoot)), folder));

/** index.md is committed: it does not name the summaries that Cairn wrote of sessions, unless those are committed too. */
export const isListed = (
  { rules }: RecordStore,
  { category, tags }: { category: Category; tags: readonly unknown[] },
): boolean => rules.capture?.commit_sessions === true || !isOwnSummary(category.name, tags);

type RecordName = { readonly name: string; readonly isPlain: boolean };

function recordNames(recordStore: RecordStore, folder: string, problems: ScanProblem[]): RecordName[] {
  let entries: fs.Dirent[];
  try {
    entries = fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) problems.push({ path: folder, message: messageOf(error) });
    return [];
  }
  const names: RecordName[] = [];
  if (entries.length > 0 && !isInside(recordStore.root, realPath(folder))) {
    problems.push({ path: folder, message: 'the folder is a link that leads outside the memory root' });
    return names;
  }
  for (const entry of entries) {
    if (!entry.name.endsWith('.json') || entry.name.startsWith('.') || entry.isDirectory()) continue;
    const message = NO_NAME.test(entry.name)
      ? 'its name has a blank or an invisible character in it, which index.md cannot hold; rename it'
      : entry.isSymbolicLink()
        ? whyNotFollowed(recordStore, path.join(folder, entry.name))
        : undefined;
    if (message === undefined) names.push({ name: entry.name, isPlain: entry.isFile() });
    else problems.push({ path: path.join(folder, stripUnsafe(entry.name)), message });
  }
  return names.sort((a, b) => compareText(a.name, b.name));
}

function whyNotFollowed(recordStore: RecordStore, link: string): string | undefined {
  try {
    return isInside(recordStore.root, realPath(link))
      ? undefined
      : 'the file is a link that leads outside the memory root';
  } catch (error) {
    return `the file is a link that leads nowhere (${messageOf(error)})`;
  }
}

export function readRecord(found: RecordFile, problems: ScanProblem[]): ScannedRecord | undefined {
  const { file, path: named, category, isPlain } = found;
  try {
    const text = (isPlain ? readSmallText(file) : undefined) ?? readText(file);
    if (text === undefined) return undefined; // removed since the folder was read
    const record = parseJsonObject(text, named);
    const tags = tagsOf(record, named, problems);
    const slug = named.slice(named.lastIndexOf('/') + 1, -'.json'.length);
    const title = (typeof record.title === 'string' && cleanTitle(record.title)) || slug;
    return { file, path: named, slug, category, status: statusOf(record), title, tags, record };
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    problems.push({ path: named, message: error.message });
    return undefined;
  }
}

function tagsOf(record: JsonObject, named: string, problems: ScanProblem[]): string[] {
  if (record.tags === undefined || record.tags === null) return [];
  const all = Array.isArray(record.tags) ? record.tags : [record.tags];
  const tags = all.filter((tag): tag is string => typeof tag === 'string');
  if (!Array.isArray(record.tags) || tags.length < all.length) {
    problems.push({ path: named, message: 'its tags are not a list of texts; the others are used' });
  }
  return tags.map(cleanTag).filter((tag) => tag !== '');
}

/** The index line of a record. Its own category wins over the folder's, so that a misfiled record is listed as what it is. */
export function entryOf(
  recordStore: RecordStore,
  scanned: Pick<ScannedRecord, 'record' | 'category' | 'title' | 'path' | 'tags'>,
): IndexEntry {
  const own = scanned.record.category;
  const display =
    typeof own === 'string' && /^[a-z][a-z0-9_]*$/i.test(own)
      ? recordStore.kinds.displayOf(own)
      : scanned.category.display;
  return { display, title: scanned.title, path: scanned.path, tags: [...scanned.tags] };
}
