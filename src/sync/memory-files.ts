// Records and notes of a memory that lies in no repository, as machines tell each other of them: of each file which content it has, since
// when, and which ones it had before. By that a change is told from a conflict: what knows of the other replaces it, and of two that do not
// know of each other the newer counts and the older is kept beside it. A change counts more than a removal. Nothing is ever lost.

import { contentHash } from '../model/hash.ts';
import { isObject, parseJson } from '../model/json.ts';

export type FileEntry = {
  /** Of its content; GONE where it was removed. */
  readonly hash: string;
  readonly at: string;
  /** What it was before, the latest first. */
  readonly past: readonly string[];
  /** The object that holds it, in the folder of the machine that says so. */
  readonly object?: string;
};
export type FileEntries = ReadonlyMap<string, FileEntry>;
/** By project. */
export type MemoryFiles = ReadonlyMap<string, FileEntries>;

export const GONE = '-';
const MOST_PAST = 64;
const MOST_FILES = 50_000;
const HASH = /^(?:-|[0-9a-f]{32})$/;
const OBJECT = /^[0-9a-f]{64}$/;
/** `decisions/use-jwt.json`, `nodes/tasks/task-1.md`: no dot in front, nothing that leads elsewhere, no name that a system refuses. */
const CARRIED =
  /^(?:[a-z0-9][a-z0-9_-]{0,79}\/[a-z0-9][a-z0-9-]{0,79}\.json|nodes\/(?:[a-z]{1,40}\/)?[a-z0-9][a-z0-9._-]{0,119}\.md)$/i;
const DEVICE = /(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)\./i;

export const isCarried = (path: string): boolean => CARRIED.test(path) && !path.includes('..') && !DEVICE.test(path);

export const hashOf = (text: string): string => contentHash(text).slice(0, 32);

/** What a machine says of its files now: `before` is what it said last. */
export function entriesNow(
  before: FileEntries,
  now: ReadonlyMap<string, { readonly hash: string; readonly at: string }>,
  at: string,
): Map<string, FileEntry> {
  const entries = new Map<string, FileEntry>();
  for (const [path, { hash, at: since }] of now) {
    const known = before.get(path);
    if (known?.hash === hash) entries.set(path, known);
    else entries.set(path, { hash, at: later(since, known?.at), past: known ? pastOf(known) : [] });
  }
  for (const [path, known] of before)
    if (!now.has(path))
      entries.set(path, known.hash === GONE ? known : { hash: GONE, at: later(at, known.at), past: pastOf(known) });
  return entries;
}

/** A clock that goes wrong must not make a change older than what it changed. */
const later = (at: string, than = ''): string => (at > than ? at : new Date((Date.parse(than) || 0) + 1).toISOString());

const pastOf = (...entries: readonly FileEntry[]): string[] =>
  [...new Set(entries.flatMap(({ hash, past }) => [hash, ...past]))].slice(0, MOST_PAST);

/** `lost`: what neither replaced nor was replaced knowingly, and has to be kept elsewhere. */
export type Merged = { readonly entry: FileEntry; readonly lost?: FileEntry };

/** The same whatever the order. */
export function mergedEntry(one: FileEntry, other: FileEntry): Merged {
  const [first, second] = isBefore(one, other) ? [other, one] : [one, other];
  const past = (winner: FileEntry, loser: FileEntry): string[] =>
    pastOf(winner, loser)
      .filter((hash) => hash !== winner.hash)
      .slice(0, MOST_PAST);
  const of = (winner: FileEntry, loser: FileEntry): FileEntry => ({ ...winner, past: past(winner, loser) });
  if (one.hash === other.hash) return { entry: of(first, second) };
  const knowsSecond = first.past.includes(second.hash);
  const knowsFirst = second.past.includes(first.hash);
  if (knowsSecond || knowsFirst) return { entry: knowsSecond ? of(first, second) : of(second, first) };
  if (first.hash === GONE) return { entry: of(second, first) };
  if (second.hash === GONE) return { entry: of(first, second) };
  return { entry: of(first, second), lost: second };
}

function isBefore(one: FileEntry, other: FileEntry): boolean {
  return one.at === other.at ? one.hash < other.hash : one.at < other.at;
}

/** Where a content is kept that had to make place: a record or note of its own, the same on every machine that finds it. */
export function besideOf(path: string, hash: string): string {
  const [, folder = '', name = '', ending = ''] = /^(.*\/)([^/]+)(\.json|\.md)$/.exec(path) ?? [];
  const mark = `-other-${hash.slice(0, 8)}`;
  return `${folder}${name.slice(0, 80 - mark.length)}${mark}${ending}`;
}

/** Its name stands in a file, too. */
export function renamedText(text: string, path: string): string {
  const id = /([^/]+)\.\w+$/.exec(path)?.[1] ?? '';
  if (path.endsWith('.md')) return text.replace(/^(---\r?\n(?:(?!---)[^\n]*\n)*?id:[ \t]*)[^\r\n]*/, `$1${id}`);
  const record = parseJson(text);
  return isObject(record) && 'id' in record ? `${JSON.stringify({ ...record, id }, null, 2)}\n` : text;
}

export function filesText(files: MemoryFiles): string {
  const sorted = <T>(entries: Iterable<[string, T]>) => [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  const projects = sorted(files).map(([project, entries]) => [project, Object.fromEntries(sorted(entries))]);
  return JSON.stringify({ v: 1, projects: Object.fromEntries(projects) });
}

/** What is no such entry is left out: it was read from outside. */
export function readFiles(text: string): Map<string, Map<string, FileEntry>> {
  const data = parseJson(text);
  const files = new Map<string, Map<string, FileEntry>>();
  const projects = isObject(data) && isObject(data.projects) ? data.projects : {};
  for (const [project, listed] of Object.entries(projects)) {
    const entries = Object.entries(isObject(listed) ? listed : {}).flatMap(([path, value]) => {
      const entry = isCarried(path) ? entryIn(value) : undefined;
      return entry ? [[path, entry] as const] : [];
    });
    files.set(project, new Map(entries.slice(0, MOST_FILES)));
  }
  return files;
}

function entryIn(value: unknown): FileEntry | undefined {
  if (!isObject(value)) return undefined;
  const { hash, at, past, object } = value;
  if (typeof hash !== 'string' || !HASH.test(hash) || typeof at !== 'string' || Number.isNaN(Date.parse(at)))
    return undefined;
  if (object !== undefined && (typeof object !== 'string' || !OBJECT.test(object))) return undefined;
  const before = (Array.isArray(past) ? past : []).filter(
    (each): each is string => typeof each === 'string' && HASH.test(each),
  );
  return { hash, at, past: before.slice(0, MOST_PAST), ...(object === undefined ? {} : { object }) };
}
