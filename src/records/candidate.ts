// Which record does new information belong to: update this one, create another, or do nothing. The structural half
// of the decision; what the text means is for the caller to judge within these limits.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, messageOf } from '../errors.ts';
import { parseJsonObject, readText } from '../files/json-file.ts';
import type { Category } from '../model/categories.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import type { LifecycleEvent } from '../model/record.ts';
import { cutCodePoints } from '../model/text.ts';
import { entriesOf, readIndex } from './index-file.ts';
import { compareText, type IndexEntry } from './index-line.ts';
import { rebuildIndex } from './index-upkeep.ts';
import { fileOfIndexPath, indexFile, type RecordStore } from './record-store.ts';
import { scoreEntry, tokenise } from './score.ts';

const MIN_SCORE = 3;
const EXCERPT_MAX = 200;

export type Excerpt = {
  title: string;
  record_status: unknown;
  tags: unknown;
  last_change_summary: string;
  key_fields: { [field: string]: string };
};

export type Candidate = { path: string; title: string; tags: string[]; excerpt: Excerpt | null };
export type StructuralCud = 'CREATE' | 'NOOP' | 'UPDATE' | 'UPDATE_OR_DELETE';

export type CandidateAnswer = {
  candidate: Candidate | null;
  lifecycle_event: LifecycleEvent | null;
  delete_allowed: boolean;
  pre_action: 'CREATE' | 'NOOP' | null;
  structural_cud: StructuralCud;
  vetoes: string[];
  hints: string[];
};

export type CandidateRequest = { category: Category; newInfo: string; lifecycleEvent?: LifecycleEvent };

export async function findCandidate(
  recordStore: RecordStore,
  request: CandidateRequest,
): Promise<{ answer: CandidateAnswer; warnings: string[] }> {
  const { category, lifecycleEvent } = request;
  const warnings: string[] = [];
  const ranked = rankEntries(await currentEntries(recordStore), request);
  const chosen = firstUsable(recordStore, ranked, category, warnings);
  const hadOnlyBadPaths = !chosen && ranked.length > 0;
  const pre_action = chosen ? null : lifecycleEvent ? 'NOOP' : 'CREATE';
  const answer: CandidateAnswer = {
    candidate: chosen?.candidate ?? null,
    lifecycle_event: lifecycleEvent ?? null,
    delete_allowed: category.deletableByHook,
    pre_action,
    structural_cud: pre_action ?? (category.deletableByHook ? 'UPDATE_OR_DELETE' : 'UPDATE'),
    vetoes: chosen && !category.deletableByHook ? [`Cannot DELETE ${category.name} (triage-initiated)`] : [],
    hints: hadOnlyBadPaths
      ? [`Candidate path invalid; falling back to ${pre_action}`]
      : hintsFor(request, chosen?.score),
  };
  return { answer, warnings };
}

function hintsFor({ category, lifecycleEvent }: CandidateRequest, score: number | undefined): string[] {
  if (score === undefined)
    return lifecycleEvent ? [`lifecycle_event=${lifecycleEvent} with no matching candidate; NOOP`] : [];
  const found = `1 candidate found (score=${score})`;
  if (!lifecycleEvent) return [found];
  return category.deletableByHook
    ? [found, `lifecycle_event=${lifecycleEvent} suggests DELETE if eligible`]
    : [found, `lifecycle_event=${lifecycleEvent} present but DELETE disallowed for ${category.name}; consider UPDATE`];
}

type Ranked = { entry: IndexEntry; score: number };

function rankEntries(entries: readonly IndexEntry[], { category, newInfo }: CandidateRequest): Ranked[] {
  const words = tokenise(newInfo);
  return entries
    .filter((entry) => entry.display === category.display)
    .map((entry) => ({ entry, score: scoreEntry(words, entry) }))
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((a, b) => b.score - a.score || compareText(a.entry.path, b.entry.path));
}

/** The best entry whose file is a record of this memory. A poisoned line is named and passed over: it must not hide the next. */
function firstUsable(
  recordStore: RecordStore,
  ranked: readonly Ranked[],
  category: Category,
  warnings: string[],
): { candidate: Candidate; score: number } | undefined {
  for (const { entry, score } of ranked) {
    let file: string;
    try {
      if (path.posix.extname(entry.path) !== '.json') throw new CairnError('PATH_ERROR', 'it is not a .json file');
      file = fileOfIndexPath(recordStore, entry.path);
    } catch (error) {
      warnings.push(`WARNING: candidate path ${entry.path} is skipped: ${messageOf(error)}`);
      continue;
    }
    const { display: _, ...rest } = entry;
    return { candidate: { ...rest, excerpt: excerptOf(file, category, warnings) }, score };
  }
  return undefined;
}

function excerptOf(file: string, category: Category, warnings: string[]): Excerpt | null {
  let record: JsonObject;
  try {
    const text = readText(file);
    if (text === undefined) throw new CairnError('READ_ERROR', `${file} does not exist.`);
    record = parseJsonObject(text, file);
  } catch (error) {
    warnings.push(`WARNING: candidate file cannot be read: ${messageOf(error)}`);
    return null;
  }
  const content = isObject(record.content) ? record.content : {};
  const shown = category.keyFields.flatMap((field): [string, string][] => {
    const value = content[field];
    return value === undefined || value === null ? [] : [[field, cutCodePoints(inOneLine(value), EXCERPT_MAX)]];
  });
  return {
    title: typeof record.title === 'string' ? record.title : '',
    record_status: record.record_status ?? 'active',
    tags: record.tags ?? [],
    last_change_summary: lastChange(record.changes),
    key_fields: Object.fromEntries(shown),
  };
}

const inOneLine = (value: unknown): string => (Array.isArray(value) ? value.map(asText).join('; ') : asText(value));
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function lastChange(changes: unknown): string {
  if (!Array.isArray(changes) || changes.length === 0) return 'Initial creation';
  const summary = isObject(changes.at(-1)) ? changes.at(-1).summary : undefined;
  return typeof summary === 'string' ? summary : 'Unknown change';
}

/** The entries of index.md, made first if it is missing. An empty memory has none, nor has one that nobody wrote to yet. */
async function currentEntries(recordStore: RecordStore): Promise<IndexEntry[]> {
  const file = indexFile(recordStore);
  if (!fs.existsSync(recordStore.root)) return [];
  const text = readIndex(file);
  if (text !== undefined) return entriesOf(text);
  await rebuildIndex(recordStore, { keepMissingIfEmpty: true });
  return entriesOf(readIndex(file) ?? '');
}
