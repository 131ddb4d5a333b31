// That this user agreed to the memory of a project, or that Cairn founded it here: one small file for each memory root, in the
// user's own folder. Never in the project: whoever writes the project would write the mark, too. A mark is for a folder, not for a
// path: it goes along with `mv`, and does not count for another repository that takes the place.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { readText } from '../files/json-file.ts';
import { projectFacts } from '../files/project-identity.ts';
import { shortHash } from '../model/hash.ts';
import { isObject } from '../model/json.ts';

/** Which memory is meant. Real paths. */
export type TrustKey = {
  readonly root: string;
  /** Only where the project leads its memory out of itself: then the agreement holds for this project alone. */
  readonly project?: string;
};

export type TrustMark = TrustKey & {
  /**
   * `founded`: there was nothing before Cairn wrote there. `followed`: what is there was agreed to at another place of the project.
   * `revoked`: the user took it back, so nothing is followed to here.
   */
  readonly by: 'founded' | 'agreed' | 'followed' | 'revoked';
  readonly time: string;
  /** The root that it was followed from. */
  readonly from?: string;
} & RootFolder;

/** Which repository a memory root lies in, and where in it; nothing of a root outside, nor in marks of older versions. */
export type RootFolder = { readonly stamp?: string; readonly remote?: string; readonly within?: string };

const MAX_MARK_BYTES = 64 * 1024;

const folderOf = (userRoot: string): string => path.join(userRoot, 'trust');

/** The name is short and may be another root's by chance; what counts is what the file says. */
function fileOf(userRoot: string, { root, project = '' }: TrustKey): string {
  return path.join(folderOf(userRoot), `${shortHash(`${root}\n${project}`)}.json`);
}

export function hasMark(userRoot: string, key: TrustKey): boolean {
  const mark = markOf(userRoot, key);
  return mark !== undefined && mark.by !== 'revoked' && isStillThere(mark);
}

/** What was said of this root last, whether or not it counts. */
export function markOf(userRoot: string, key: TrustKey): TrustMark | undefined {
  const mark = readMark(fileOf(userRoot, key));
  return mark?.root === key.root && mark.project === key.project ? mark : undefined;
}

/** Another folder at the same path is another memory, unless it is a clone of the same remote. */
function isStillThere(mark: TrustMark): boolean {
  if (mark.stamp === undefined) return true;
  const now = folderAround(mark.root);
  return now.stamp === mark.stamp || (mark.remote !== undefined && now.remote === mark.remote);
}

/** The mark of this folder from where it lay before it was moved. */
export function movedMark(userRoot: string, { root, project }: TrustKey): TrustMark | undefined {
  const now = folderAround(root);
  if (project !== undefined || now.stamp === undefined) return undefined;
  return listMarks(userRoot).find(
    (mark) =>
      mark.stamp === now.stamp && mark.within === now.within && mark.project === undefined && mark.root !== root,
  );
}

export function folderAround(root: string): RootFolder {
  const { common, stamp, remote, place } = projectFacts(path.dirname(root));
  if (common === undefined || stamp === undefined) return {};
  return { stamp, ...(remote === undefined ? {} : { remote }), within: path.relative(place, root) };
}

export type Made = { readonly by: TrustMark['by']; readonly now: Date; readonly from?: string };

export function writeMark(userRoot: string, key: TrustKey, made: Made): void {
  fs.mkdirSync(folderOf(userRoot), { recursive: true, mode: 0o700 });
  const { root, project } = key;
  const mark: TrustMark = {
    root,
    ...(project === undefined ? {} : { project }),
    by: made.by,
    time: made.now.toISOString(),
    ...(made.from === undefined ? {} : { from: made.from }),
    ...folderAround(root),
  };
  atomicWrite(fileOf(userRoot, key), `${JSON.stringify(mark, null, 2)}\n`, { mode: 0o600 });
}

/** Whether there was one. What was followed from it goes with it, and nothing is followed to it any more. */
export function revokeMark(userRoot: string, key: TrustKey, now: Date): boolean {
  const had = hasMark(userRoot, key) || movedMark(userRoot, key) !== undefined;
  for (const { root, from } of listMarks(userRoot))
    if (from === key.root) fs.rmSync(fileOf(userRoot, { root }), { force: true });
  writeMark(userRoot, key, { by: 'revoked', now });
  return had;
}

/** It is moved elsewhere, and not taken back. */
export const dropMark = (userRoot: string, key: TrustKey): void => fs.rmSync(fileOf(userRoot, key), { force: true });

/** All that count, by root. */
export function listMarks(userRoot: string): TrustMark[] {
  let names: string[];
  try {
    names = fs.readdirSync(folderOf(userRoot)).filter((name) => /^[0-9a-f]{16}\.json$/.test(name));
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return [];
    throw error;
  }
  const marks = names.map((name) => readMark(path.join(folderOf(userRoot), name)));
  return marks
    .filter((mark) => mark !== undefined)
    .filter(({ by }) => by !== 'revoked')
    .sort((a, b) => (a.root < b.root ? -1 : a.root > b.root ? 1 : 0));
}

/** A mark that cannot be read is none: asking again is the safe side. */
function readMark(file: string): TrustMark | undefined {
  try {
    const mark: unknown = JSON.parse(readText(file, MAX_MARK_BYTES) ?? 'null');
    if (!isObject(mark) || typeof mark.root !== 'string' || typeof mark.time !== 'string') return undefined;
    const { root, project, by, time } = mark;
    const text = (key: 'from' | 'stamp' | 'remote' | 'within'): object =>
      typeof mark[key] === 'string' ? { [key]: mark[key] } : {};
    return {
      root,
      ...(typeof project === 'string' ? { project } : {}),
      by: by === 'founded' || by === 'followed' || by === 'revoked' ? by : 'agreed',
      time,
      ...text('from'),
      ...text('stamp'),
      ...text('remote'),
      ...text('within'),
    };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof CairnError) return undefined;
    throw error;
  }
}
