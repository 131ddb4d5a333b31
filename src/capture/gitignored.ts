// What `.gitignore` hides, read from the files themselves: those of the repository, of the folders on the way, and
// `.git/info/exclude`. No git process is started; a hook has no time for one.

import fs from 'node:fs';
import path from 'node:path';
import { IgnorePatterns } from '../files/ignore-patterns.ts';

const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 40;

/** `file` and `projectRoot` are real paths, one inside the other. */
export function isGitignored(projectRoot: string, file: string): boolean {
  const top = repositoryOf(projectRoot);
  const segments = path.relative(top, file).split(path.sep);
  const levels = [patternsIn(path.join(top, '.git', 'info', 'exclude')), patternsIn(path.join(top, '.gitignore'))];
  const starts = [0, 0];
  for (let at = 0; at < Math.min(segments.length, MAX_DEPTH); at++) {
    const here = segments.slice(0, at + 1);
    const isFolder = at < segments.length - 1;
    if (verdict(levels, starts, here, isFolder) === 'ignored') return true;
    if (!isFolder) break;
    levels.push(patternsIn(path.join(top, ...here, '.gitignore')));
    starts.push(at + 1);
  }
  return false;
}

/** The file nearest to the path decides. */
function verdict(
  levels: readonly (IgnorePatterns | undefined)[],
  starts: readonly number[],
  segments: readonly string[],
  isFolder: boolean,
): 'ignored' | 'kept' | undefined {
  for (let level = levels.length - 1; level >= 0; level--) {
    const said = levels[level]?.verdict(segments.slice(starts[level]), isFolder);
    if (said !== undefined) return said;
  }
  return undefined;
}

/** A project may be a folder of a larger repository, whose rules hold for it. */
function repositoryOf(projectRoot: string): string {
  for (let folder = projectRoot, steps = 0; steps < MAX_DEPTH; folder = path.dirname(folder), steps++) {
    if (fs.existsSync(path.join(folder, '.git'))) return folder;
    if (path.dirname(folder) === folder) break;
  }
  return projectRoot;
}

function patternsIn(file: string): IgnorePatterns | undefined {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > MAX_BYTES) return undefined;
    return IgnorePatterns.parse(fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch {
    return undefined; // not readable for us, as for git
  }
}
