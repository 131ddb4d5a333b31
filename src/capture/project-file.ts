// A path from a tool call, as a file of the project: links followed, relative to the project's root, with forward
// slashes. What lies outside the project, or in the memory itself, is none.

import path from 'node:path';
import { isInside, realPath, toPosix } from '../files/paths.ts';
import type { CaptureContext } from './capture-context.ts';

export type ProjectFile = {
  /** The real path. */
  readonly file: string;
  /** From the project's root; where the file really lies. */
  readonly relative: string;
  /** Also as it was written, if that is another name in the project. */
  readonly names: readonly string[];
};

const MAX_PATH = 4_096;

export function projectFile(context: CaptureContext, given: unknown): ProjectFile | undefined {
  if (typeof given !== 'string' || given === '' || given.includes('\0') || given.length > MAX_PATH) return undefined;
  try {
    const written = path.resolve(context.cwd, given);
    const root = realPath(context.projectRoot);
    const file = realPath(written);
    if (file === root || !isInside(root, file) || isInside(context.vault.root, file)) return undefined;
    const relative = toPosix(path.relative(root, file));
    const other = [context.projectRoot, root].find((base) => isInside(base, written) && base !== written);
    const named = other === undefined ? relative : toPosix(path.relative(other, written));
    return { file, relative, names: named === relative ? [relative] : [relative, named] };
  } catch {
    return undefined; // a loop of links, a name that no system takes
  }
}
