// `match_strategy: "title_tags"`, and what is left where there is no store yet: memories whose titles and tags have the words of
// the prompt, from index.md alone. Its text is a published contract.

import { isAscii } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { type Config, isTrusted } from '../../config/load.ts';
import { CairnError, isSystemError } from '../../errors.ts';
import { isInside, realPath, toPosix } from '../../files/paths.ts';
import { memoryContext } from '../../inject/memory-context.ts';
import { countTokens } from '../../inject/token-count.ts';
import { Kinds } from '../../model/kinds.ts';
import { matchTitleTags, type TitleTagsMatch } from '../../recall/title-tags.ts';
import { indexFile, type RecordStore } from '../../records/record-store.ts';
import type { HookContext } from './hook.ts';
import { type Injected, NOTHING_INJECTED } from './recall-for-prompt.ts';

const MAX_INDEX_BYTES = 64 * 1024 * 1024;

export async function titleTagsForPrompt(prompt: string, context: HookContext): Promise<Injected> {
  const { settings, trust } = context.config;
  if (!isTrusted(trust)) return NOTHING_INJECTED;
  const recordStore = shelfOf(context.config, context.now);
  const text = await readIndex(recordStore, context);
  if (text === undefined) return NOTHING_INJECTED;
  const descriptions = Object.fromEntries(
    Object.entries(settings.categories).flatMap(([name, each]) => (each.enabled ? [[name, each.description]] : [])),
  );
  const matches = matchTitleTags(recordStore, text, { prompt, limit: settings.retrieval.max_inject, descriptions });
  const stdout = memoryContext(
    matches.map(({ entry }) => entry),
    { source: sourceOf(context.config), descriptions },
  );
  if (stdout === '') return NOTHING_INJECTED;
  return { text: stdout, tokens: countTokens(stdout), entries: entriesOf(recordStore, matches), lines: {} };
}

function entriesOf(recordStore: RecordStore, matches: readonly TitleTagsMatch[]): Injected['entries'] {
  return matches.map(({ entry, score }, at) => ({
    ref: `record:${entry.path
      .split('/')
      .slice(-2)
      .join('/')
      .replace(/\.json$/, '')}`,
    project: recordStore.root,
    score,
    relevance: 0,
    why: [{ strategy: 'title_tags', rank: at + 1 }],
    tokens: countTokens(entry.title + entry.path + entry.tags.join(',')),
  }));
}

function shelfOf({ paths, settings }: Config, now: () => Date): RecordStore {
  return {
    root: realPath(paths.memoryRoot),
    projectRoot: paths.projectRoot,
    deletedCopies: path.join(paths.userRoot, 'archive', 'records'),
    kinds: new Kinds(settings.categories),
    rules: settings,
    now,
  };
}

/** The text of index.md, made anew if it is gone. A byte that is not UTF-8 spoils its line, not the others. */
async function readIndex(recordStore: RecordStore, context: HookContext): Promise<string | undefined> {
  const file = indexFile(recordStore);
  const text = readIndexFile(file);
  if (text !== undefined || !fs.statSync(recordStore.root, { throwIfNoEntry: false })?.isDirectory()) return text;
  const { rebuildIndex } = await import('../../records/index-upkeep.ts');
  const { problems } = await rebuildIndex(recordStore, { keepMissingIfEmpty: true });
  for (const problem of problems) context.problem(new Error(`${problem.path}: ${problem.message}`));
  return readIndexFile(file);
}

function readIndexFile(file: string): string | undefined {
  try {
    const stat = fs.statSync(file);
    if (!stat.isFile()) throw new CairnError('INDEX_ERROR', `${file} is not a file.`);
    if (stat.size > MAX_INDEX_BYTES) throw new CairnError('INDEX_ERROR', `${file} is over ${MAX_INDEX_BYTES} bytes.`);
    const bytes = fs.readFileSync(file);
    return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'); // the same text, and 2 ms less for a megabyte of it
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** The memory root as index paths begin: from the project, or whole if it lies elsewhere. */
function sourceOf({ paths: { projectRoot, memoryRoot } }: Config): string {
  const root = isInside(projectRoot, memoryRoot) ? path.relative(projectRoot, memoryRoot) : memoryRoot;
  return `${toPosix(root)}/`;
}
