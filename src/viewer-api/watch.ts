// What changed while somebody looks: cheap looks at the times of files and folders, once a second, and only while somebody waits for
// the answer. Everything that Cairn writes takes a file's place by renaming, so the time of a folder tells; what an editor
// writes in place is seen by the closer look, a little later.

import fs from 'node:fs';
import path from 'node:path';
import { setUpMark } from '../app/set-up.ts';
import type { Config } from '../config/load.ts';
import { isSystemError } from '../errors.ts';
import { filesBelow } from '../files/folder-stats.ts';
import { settledFile } from '../files/settled.ts';
import { feedbackFile } from '../learning/feedback.ts';
import { injectionsFolder } from '../learning/injection-log.ts';
import { storeMark } from './viewer.ts';

export type Part = 'memory' | 'store' | 'injections' | 'feedback' | 'settings';
export type Marks = { readonly [part in Part]: string };

export function marksOf(config: Config, { closely = false }: { closely?: boolean } = {}): Marks {
  const { memoryRoot, userRoot, userConfig, projectConfig } = config.paths;
  return {
    memory: `${foldersMark(memoryRoot)} ${closely ? filesMark(memoryRoot) : ''}`,
    store: storeMark(config),
    injections: newestMark(injectionsFolder(userRoot)),
    feedback: `${fileMark(feedbackFile(userRoot))} ${fileMark(settledFile(userRoot))}`,
    settings: `${fileMark(userConfig)} ${fileMark(projectConfig)} ${setUpMark(userRoot)}`,
  };
}

/** What differs between two looks of the same kind. */
export function changedParts(before: Marks, now: Marks): Part[] {
  return (Object.keys(now) as Part[]).filter((part) => before[part] !== now[part]);
}

function fileMark(file: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.ino}:${stat.mtimeMs}:${stat.size}` : '-';
}

/** The memory root and the folders in it, two deep: that is where records and notes lie. */
function foldersMark(root: string, depth = 2): string {
  let entries: fs.Dirent[];
  try {
    entries = depth > 0 ? fs.readdirSync(root, { withFileTypes: true }) : [];
  } catch (error) {
    if (isSystemError(error)) return '-';
    throw error;
  }
  const inside = entries
    // A lock comes and goes without anything having changed.
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => `${entry.name}(${foldersMark(path.join(root, entry.name), depth - 1)})`);
  return `${depth === 2 ? '' : (fs.statSync(root, { throwIfNoEntry: false })?.mtimeMs ?? '-')} ${inside.join(' ')}`;
}

function filesMark(root: string): string {
  let [newest, bytes, count] = [0, 0, 0];
  for (const { file, stats } of filesBelow(root, (name) => !name.startsWith('.'))) {
    if (!/\.(?:md|json)$/.test(file) || /[\\/](?:graph\.json|index\.md)$/.test(file)) continue;
    newest = Math.max(newest, stats.mtimeMs);
    bytes += stats.size;
    count++;
  }
  return `${newest}:${bytes}:${count}`;
}

/** The log has one file for each month; only the newest is written to. */
function newestMark(folder: string): string {
  try {
    const last = fs.readdirSync(folder).sort().at(-1);
    return last === undefined ? '-' : `${last} ${fileMark(path.join(folder, last))}`;
  } catch (error) {
    if (isSystemError(error)) return '-';
    throw error;
  }
}
