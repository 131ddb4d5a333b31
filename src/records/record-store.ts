// What every record action needs to know: where the records are, which categories there are, which rules are set.
// A plain value, made once by the composition root, so that no action reads the environment or a config file.

import path from 'node:path';
import { CairnError } from '../errors.ts';
import { isInside, realPath, resolveInside, toPosix } from '../files/paths.ts';
import type { Category } from '../model/categories.ts';
import type { Kinds } from '../model/kinds.ts';
import type { DrawnSections } from './index-sections.ts';

export type CategoryRules = { enabled: boolean; retention_days: number; max_retained?: number };

/** The settings that records obey; the configuration has these among others. */
export type RecordRules = {
  readonly categories: { readonly [name: string]: CategoryRules };
  readonly max_memories_per_category: number;
  readonly delete: { readonly grace_period_days: number; readonly archive_retired: boolean };
  /** Whether what sessions leave is committed; if not, index.md does not name it. */
  readonly capture?: { readonly commit_sessions: boolean };
};

export type RecordStore = {
  /** The memory root, links resolved. */
  readonly root: string;
  /** The project that the records are about: related files are looked up from here. */
  readonly projectRoot: string;
  /** Where copies of records go that are deleted for good; outside the project. */
  readonly deletedCopies: string;
  readonly kinds: Kinds;
  readonly rules: RecordRules;
  readonly now: () => Date;
  /** The lines of index.md that come from the notes. Without it a rebuild keeps the ones that are there. */
  readonly drawSections?: () => DrawnSections;
  /** Where a search of a large memory keeps the words of all records; without it every search reads every record. */
  readonly searchTexts?: { readonly file: string; readonly from: number; readonly ttlMs: number };
  /** Told before something is written where there may be no memory yet. */
  readonly found?: () => void;
};

export const INDEX_NAME = 'index.md';
export const LOCK_NAME = '.index.lockdir';
const MARKER = ['.claude', 'memory'];

export const indexFile = (recordStore: RecordStore): string => path.join(recordStore.root, INDEX_NAME);
export const lockDir = (recordStore: RecordStore): string => path.join(recordStore.root, LOCK_NAME);
export const folderOf = (recordStore: RecordStore, category: Category): string =>
  path.join(recordStore.root, category.folder);
/**
 * What the paths in index.md are relative to. Beside the usual `<project>/.claude/memory` it is the project; a memory
 * root outside the project stands for itself, because a path out of the project would be different on every machine,
 * and so does one with a blank in its path, because a blank ends a path in index.md.
 */
export function indexBase(root: string, projectRoot: string): string {
  if (path.basename(root) === MARKER[1] && path.basename(path.dirname(root)) === MARKER[0])
    return path.dirname(path.dirname(root));
  return isInside(projectRoot, root) && !/\s/.test(path.relative(projectRoot, root)) ? projectRoot : root;
}

/** `.claude/memory/decisions/use-jwt.json`: how a record's file is named in index.md and in answers. */
export function indexPath(recordStore: RecordStore, file: string): string {
  return toPosix(path.relative(indexBase(recordStore.root, realPath(recordStore.projectRoot)), file));
}

/** The file that an index path names, refused unless it lies in the memory root. */
export function fileOfIndexPath(recordStore: RecordStore, named: string): string {
  return resolveInside(recordStore.root, indexBase(recordStore.root, realPath(recordStore.projectRoot)), named);
}

export type Target = { file: string; path: string; slug: string; category: Category };

/** Checks that `named` is `<memory root>/<category folder>/<slug>.json`: nothing else in the root is a record. */
export function resolveTarget(recordStore: RecordStore, named: string, cwd: string): Target {
  const file = resolveInside(recordStore.root, cwd, named);
  const [folder, name, ...rest] = path.relative(recordStore.root, file).split(path.sep);
  const category = folder === undefined ? undefined : recordStore.kinds.byFolder(folder);
  if (!category || name === undefined || rest.length > 0 || path.extname(name) !== '.json') {
    const folders = recordStore.kinds.categories.map((each) => each.folder).join(', ');
    throw new CairnError('PATH_ERROR', 'The target is not a record.', {
      details: [['target', named]],
      fix: `Name <memory root>/<folder>/<slug>.json, with one of the folders ${folders}.`,
    });
  }
  return { file, path: indexPath(recordStore, file), slug: name.slice(0, -'.json'.length), category };
}

/** The memory root that a target path names by itself: everything up to its last `.claude/memory`. */
export function rootNamedBy(target: string, cwd: string): string | undefined {
  const upToParent = target.split(/[\\/]\.\.(?:[\\/]|$)/)[0] ?? '';
  return markedPrefix(path.resolve(cwd, target)) ?? markedPrefix(path.resolve(cwd, upToParent));
}

function markedPrefix(file: string): string | undefined {
  const parts = file.split(path.sep);
  for (let at = parts.length - 2; at >= 0; at--) {
    if (parts[at] === MARKER[0] && parts[at + 1] === MARKER[1]) return parts.slice(0, at + 2).join(path.sep);
  }
  return undefined;
}
