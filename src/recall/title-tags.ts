// `match_strategy: "title_tags"`: finds memories for a prompt by the words of index.md. Two passes: every line is scored
// by its text, then the best twenty are opened, because only the record knows whether it is recent, or retired since.
// Points, caps and order are a published contract.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError } from '../errors.ts';
import { MAX_JSON_BYTES } from '../files/json-file.ts';
import { isInside, realPath } from '../files/paths.ts';
import { isObject } from '../model/json.ts';
import { statusOf } from '../model/record.ts';
import { parseTimestamp } from '../model/schema.ts';
import type { IndexEntry } from '../records/index-line.ts';
import { fileOfIndexPath, indexBase, type RecordStore } from '../records/record-store.ts';
import { tokenise } from '../records/score.ts';
import { type CategoryRank, type RankedEntry, rankIndex } from './rank-index.ts';

export type TitleTagsQuery = {
  readonly prompt: string;
  /** How many memories are wanted. */
  readonly limit: number;
  /** What each category is for, by its name; the words of it count for all its memories. */
  readonly descriptions: { readonly [category: string]: string };
};

export type TitleTagsMatch = { readonly entry: IndexEntry; readonly score: number };

const DEEP_CHECKED = 20;
const RECENT_DAYS = 30;
const DAY_MS = 86_400_000;
const RECENT_POINTS = 1;
const MIN_PREFIX = 4;
const DESCRIPTION_CAP = 2;

/** The best matches first. `indexText` is the text of index.md. */
export function matchTitleTags(recordStore: RecordStore, indexText: string, query: TitleTagsQuery): TitleTagsMatch[] {
  const words = tokenise(query.prompt);
  if (words.size === 0 || query.limit <= 0) return [];
  const fileOf = fileFinder(recordStore);
  const top: RankedEntry[] = [];
  const rest: RankedEntry[] = [];
  const seen = new Set<string>();
  let checked = 0;
  for (const ranked of rankIndex(indexText, words, categoryRanks(recordStore, words, query.descriptions))) {
    if (checked >= DEEP_CHECKED && top.length + rest.length >= query.limit) break;
    const file = seen.has(ranked.entry.path) ? undefined : fileOf(ranked.entry.path);
    if (file === undefined) continue;
    seen.add(ranked.entry.path);
    checked++;
    const state = stateOf(file, recordStore.now());
    if (state === 'inactive') continue;
    if (checked > DEEP_CHECKED) rest.push(ranked);
    else top.push(state === 'recent' ? { ...ranked, score: ranked.score + RECENT_POINTS } : ranked);
  }
  // The rest scored no more than the last of the top, and has no bonus: its order is final.
  top.sort((a, b) => b.score - a.score || a.priority - b.priority);
  return [...top, ...rest].slice(0, query.limit).map(({ entry, score }) => ({ entry, score }));
}

/** By display name, as index lines have it. */
function categoryRanks(
  { kinds, rules }: RecordStore,
  words: ReadonlySet<string>,
  descriptions: TitleTagsQuery['descriptions'],
): ReadonlyMap<string, CategoryRank> {
  return new Map(
    kinds.categories.map(({ name, display, priority }) => {
      const enabled = rules.categories[name]?.enabled !== false;
      return [display, { enabled, priority, points: descriptionPoints(words, descriptions[name] ?? '') }];
    }),
  );
}

/** 1 for a word of the description, a half for the beginning of one; whole points only, and two at most. */
function descriptionPoints(words: ReadonlySet<string>, description: string): number {
  if (description === '') return 0;
  const targets = tokenise(description);
  let points = 0;
  for (const word of words) {
    if (targets.has(word)) points += 1;
    else if (word.length >= MIN_PREFIX && [...targets].some((target) => target.startsWith(word))) points += 0.5;
  }
  return Math.min(DESCRIPTION_CAP, Math.floor(points));
}

/** From index paths to real files; `undefined` for what lies outside the memory root, or leads there. */
function fileFinder(recordStore: RecordStore): (named: string) => string | undefined {
  const base = indexBase(recordStore.root, realPath(recordStore.projectRoot));
  const folders = new Map<string, string | undefined>();
  const folderOf = (named: string): string | undefined => {
    if (!folders.has(named)) folders.set(named, realFolder(path.join(base, named), recordStore.root));
    return folders.get(named);
  };
  return (named) => {
    // Records share few folders, so the usual path costs one look. What is unusual about another is for the full check.
    const [, folder, name] = USUAL_PATH.exec(named) ?? [];
    const real = folder === undefined || folder.includes('..') ? undefined : folderOf(folder);
    if (real !== undefined && !isLink(path.join(real, name!))) return path.join(real, name!);
    try {
      return fileOfIndexPath(recordStore, named);
    } catch (error) {
      if (error instanceof CairnError) return undefined;
      throw error;
    }
  };
}

const USUAL_PATH = /^([\w.-][\w./-]*)\/([\w-]+\.json)$/;

function realFolder(folder: string, root: string): string | undefined {
  try {
    const real = fs.realpathSync.native(folder);
    return isInside(root, real) ? real : undefined;
  } catch {
    return undefined; // missing, or not ours to look into
  }
}

function isLink(file: string): boolean {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch {
    return true; // whatever it is, it is not usual
  }
}

/** A record that is missing or cannot be read is shown without the bonus: it must not silence the others. */
function stateOf(file: string, now: Date): 'recent' | 'older' | 'inactive' {
  const record = readQuietly(file);
  if (!isObject(record)) return 'older';
  if (statusOf(record) !== 'active') return 'inactive';
  const updated = parseTimestamp(record.updated_at);
  const days = updated === undefined ? Infinity : Math.floor((now.getTime() - updated) / DAY_MS);
  return days <= RECENT_DAYS ? 'recent' : 'older';
}

/** A byte that is not UTF-8 does not hide that a record is retired. */
function readQuietly(file: string): unknown {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    return stat?.isFile() && stat.size <= MAX_JSON_BYTES ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || isSystemError(error)) return undefined;
    throw error;
  }
}
