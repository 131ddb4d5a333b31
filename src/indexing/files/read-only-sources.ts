// Where the client's own memory (MEMORY.md and the files beside it) and CLAUDE.md lie, and whether one of them changed. Before every
// prompt it is looked at, so reading them is elsewhere (read-only-files.ts).

import fs from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../../errors.ts';
import type { SourceSeen } from './file-state.ts';

export type ReadOnlyKind = 'auto-memory' | 'instructions';

export type ReadOnlySource = {
  readonly file: string;
  readonly kind: ReadOnlyKind;
  /** What the documents are named after: `MEMORY.md`, `user/CLAUDE.md`. */
  readonly name: string;
};

export const MAX_BYTES = 256 * 1024;
const MAX_FILES = 200;

/** Where the client keeps them. `clientFolder` is `~/.claude`; `autoMemory` is its setting of another folder. */
export function readOnlySources(place: {
  readonly projectRoot: string;
  readonly clientFolder: string;
  readonly autoMemory?: string;
}): ReadOnlySource[] {
  const { projectRoot, clientFolder } = place;
  const folder = place.autoMemory ?? autoMemoryFolder(clientFolder, projectRoot);
  const memory = namesIn(folder).map(
    (name): ReadOnlySource => ({ file: path.join(folder, name), kind: 'auto-memory', name }),
  );
  const instructions: ReadOnlySource[] = [
    { file: path.join(projectRoot, 'CLAUDE.md'), kind: 'instructions', name: 'CLAUDE.md' },
    { file: path.join(projectRoot, 'CLAUDE.local.md'), kind: 'instructions', name: 'CLAUDE.local.md' },
    { file: path.join(projectRoot, '.claude', 'CLAUDE.md'), kind: 'instructions', name: '.claude/CLAUDE.md' },
    { file: path.join(clientFolder, 'CLAUDE.md'), kind: 'instructions', name: 'user/CLAUDE.md' },
  ];
  return [...instructions, ...memory];
}

/** The client names a project's folder after its path; one that is longer than 200 characters gets a digest that is its own secret. */
export function autoMemoryFolder(clientFolder: string, projectRoot: string): string {
  return path.join(clientFolder, 'projects', projectRoot.replace(/[^A-Za-z0-9]/g, '-'), 'memory');
}

function namesIn(folder: string): string[] {
  try {
    const names = fs.readdirSync(folder).filter((name) => name.endsWith('.md') && !/^\.|[\s\p{C}]/u.test(name));
    return names.sort().slice(0, MAX_FILES);
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

/** A file that is small enough to be read. */
export function plainFile(file: string): fs.Stats | undefined {
  try {
    const stat = fs.statSync(file);
    return stat.isFile() && stat.size <= MAX_BYTES ? stat : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

export const isAsBefore = (known: SourceSeen | undefined, stat: fs.Stats): boolean =>
  known !== undefined && known.mtime === stat.mtimeMs && known.size === stat.size;

/** Whether one came, went or was written. */
export function sourcesChanged(
  sources: readonly ReadOnlySource[],
  before: { readonly [file: string]: SourceSeen },
): boolean {
  const there = new Set<string>();
  for (const { file } of sources) {
    const stat = plainFile(file);
    if (!stat) continue;
    if (!isAsBefore(before[file], stat)) return true;
    there.add(file);
  }
  return Object.keys(before).some((file) => !there.has(file));
}
