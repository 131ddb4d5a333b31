// That this user agreed to the memory of a project, or that Cairn founded it here: one small file for each memory root, in the
// user's own folder. Never in the project: whoever writes the project would write the mark, too.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError } from '../errors.ts';
import { shortHash } from '../model/short-hash.ts';
import { atomicWrite } from './atomic-write.ts';
import { isObject, readText } from './json-file.ts';

/** Which memory is meant. Real paths. */
export type TrustKey = {
  readonly root: string;
  /** Only where the project leads its memory out of itself: then the agreement holds for this project alone. */
  readonly project?: string;
};

export type TrustMark = TrustKey & {
  /** `founded`: there was nothing before Cairn wrote there. */
  readonly by: 'founded' | 'agreed';
  readonly time: string;
};

const MAX_MARK_BYTES = 64 * 1024;

const folderOf = (userRoot: string): string => path.join(userRoot, 'trust');

/** The name is short and may be another root's by chance; what counts is what the file says. */
function fileOf(userRoot: string, { root, project = '' }: TrustKey): string {
  return path.join(folderOf(userRoot), `${shortHash(`${root}\n${project}`)}.json`);
}

export function hasMark(userRoot: string, key: TrustKey): boolean {
  const mark = readMark(fileOf(userRoot, key));
  return mark?.root === key.root && mark.project === key.project;
}

export function writeMark(userRoot: string, key: TrustKey, made: { by: TrustMark['by']; now: Date }): void {
  fs.mkdirSync(folderOf(userRoot), { recursive: true, mode: 0o700 });
  const { root, project } = key;
  const mark: TrustMark = {
    root,
    ...(project === undefined ? {} : { project }),
    by: made.by,
    time: made.now.toISOString(),
  };
  atomicWrite(fileOf(userRoot, key), `${JSON.stringify(mark, null, 2)}\n`, { mode: 0o600 });
}

/** Whether there was one. */
export function removeMark(userRoot: string, key: TrustKey): boolean {
  if (!hasMark(userRoot, key)) return false;
  fs.rmSync(fileOf(userRoot, key), { force: true });
  return true;
}

/** All of them, by root. */
export function listMarks(userRoot: string): TrustMark[] {
  let names: string[];
  try {
    names = fs.readdirSync(folderOf(userRoot)).filter((name) => /^[0-9a-f]{16}\.json$/.test(name));
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return [];
    throw error;
  }
  const marks = names.map((name) => readMark(path.join(folderOf(userRoot), name)));
  return marks.filter((mark) => mark !== undefined).sort((a, b) => (a.root < b.root ? -1 : a.root > b.root ? 1 : 0));
}

/** A mark that cannot be read is none: asking again is the safe side. */
function readMark(file: string): TrustMark | undefined {
  try {
    const mark: unknown = JSON.parse(readText(file, MAX_MARK_BYTES) ?? 'null');
    if (!isObject(mark) || typeof mark.root !== 'string' || typeof mark.time !== 'string') return undefined;
    const { root, project, by, time } = mark;
    return {
      root,
      ...(typeof project === 'string' ? { project } : {}),
      by: by === 'founded' ? by : 'agreed',
      time,
    };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof CairnError) return undefined;
    throw error;
  }
}
