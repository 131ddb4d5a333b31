// What the files that memories are about looked like when each memory was written. Neither the memories nor git's history say
// it reliably, and the database may be deleted at any time, so it is kept in a file of its own beside the archive: a line for
// each change, of which the last one about a memory counts, so that a small change costs a small write.
// Losing that file loses nothing but the comparison: it begins anew from the files as they are then.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError } from '../../errors.ts';
import { atomicWrite } from '../../files/atomic-write.ts';
import { readText } from '../../files/json-file.ts';
import { withLock } from '../../files/lock.ts';
import { parseJson } from '../../model/json.ts';
import { fits, list, number, openObject, optional, text } from '../../model/schema.ts';
import type { FileVersion } from './check-related-files.ts';

/** Which version of the memory it was (the hash of its file), and what it was about. */
export type Seen = { readonly hash: string; readonly files: readonly FileVersion[] };

const LINE = openObject({ project: text(), ref: text() });
const SEEN = openObject({
  hash: text(),
  files: list(openObject({ path: text(), blob: optional(text()), size: optional(number()) })),
});

const MAX_BYTES = 256 * 1024 * 1024;
/** A file that has grown by so much is written anew without the lines that no longer count. */
const TIDY_FROM_BYTES = 1024 * 1024;
const TIDY_AT = 3;

/** Of one project, by ref. What is missing, damaged or foreign holds nothing. */
export function readFileVersions(file: string, project: string): Map<string, Seen> {
  return readAll(file).get(project) ?? new Map();
}

function readAll(file: string): Map<string, Map<string, Seen>> {
  const all = new Map<string, Map<string, Seen>>();
  let text: string | undefined;
  try {
    text = readText(file, MAX_BYTES);
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
  }
  for (const line of text?.split('\n') ?? []) {
    const value = parseJson(line);
    if (!fits(LINE, value)) continue; // or half a line of a killed writer
    const { project, ref } = value;
    const kept = all.get(project) ?? new Map<string, Seen>();
    all.set(project, kept);
    if (fits(SEEN, value)) kept.set(ref, { hash: value.hash, files: value.files });
    else kept.delete(ref);
  }
  return all;
}

/** `undefined` takes a memory out. */
export async function saveFileVersions(
  file: string,
  project: string,
  changes: ReadonlyMap<string, Seen | undefined>,
): Promise<void> {
  const isThere = fs.existsSync(file);
  const news = [...changes].filter(([, seen]) => isThere || seen !== undefined);
  if (news.length === 0) return;
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  await withLock(`${file}.lock`, (lock) => {
    const before = isThere ? fs.statSync(file).size : 0;
    // A line break first: what a killed writer left must not swallow the next line.
    const text = `\n${linesOf(project, news)}`;
    fs.appendFileSync(file, text, { mode: 0o600 });
    tidy(file, before, before + text.length, () => lock.assertHeld());
  });
}

/** Of these memories nothing stays, in whichever project; earlier lines about them included. */
export async function dropKept(file: string, refs: ReadonlySet<string>): Promise<void> {
  if (!fs.existsSync(file)) return;
  await withLock(`${file}.lock`, (lock) => {
    const live = [...readAll(file)].map(([project, kept]) =>
      linesOf(
        project,
        [...kept].filter(([ref]) => !refs.has(ref)),
      ),
    );
    atomicWrite(file, `${live.join('\n')}\n`, { mode: 0o600, beforeCommit: () => lock.assertHeld() });
  });
}

const linesOf = (project: string, news: Iterable<readonly [string, Seen | undefined]>): string =>
  [...news].map(([ref, seen]) => JSON.stringify({ project, ref, ...seen })).join('\n');

/** Looked at only when the size passes a power of two: each look is paid for by as many bytes that were appended. */
function tidy(file: string, before: number, after: number, beforeCommit: () => void): void {
  if (after < TIDY_FROM_BYTES || Math.floor(Math.log2(before + 1)) === Math.floor(Math.log2(after))) return;
  const live = [...readAll(file)].map(([project, kept]) => linesOf(project, kept)).join('\n');
  if (live.length * TIDY_AT < after) atomicWrite(file, `${live}\n`, { mode: 0o600, durable: false, beforeCommit });
}
