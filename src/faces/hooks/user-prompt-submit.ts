// Adds what is remembered to a prompt. It runs before every prompt, so it does nothing that this prompt does not need,
// and says nothing where it has nothing to say.

import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config.ts';
import { CairnError, isSystemError } from '../../errors.ts';
import type { JsonObject } from '../../files/json-file.ts';
import { isInside, realPath, toPosix } from '../../files/paths.ts';
import { memoryContext } from '../../inject/memory-context.ts';
import { Kinds } from '../../model/kinds.ts';
import { matchTitleTags } from '../../recall/title-tags.ts';
import { indexFile, type Shelf } from '../../records/shelf.ts';
import { type HookContext, type HookHandler, SILENT } from './hook.ts';

const MIN_PROMPT = 10;
/** A prompt is a question, not a file: the words after this add nothing but time. */
const MAX_PROMPT = 100_000;
const MAX_INDEX_BYTES = 64 * 1024 * 1024;
/** Prompts that the client makes: reports of background work, what a command put in, output of a shell. */
const MACHINE_PROMPT = /^<(?:task-notification|command-|local-command|bash-|system-reminder)/;
/** `/name` or `/plugin:name`; a path such as `/etc/hosts` is part of a question. */
const SLASH_COMMAND = /^\/[a-z0-9][\w:.-]*(?:\s|$)/i;

export const userPromptSubmit: HookHandler = async (payload, context) => {
  const { settings } = context.config;
  const prompt = promptOf(payload);
  if (prompt === undefined || !settings.retrieval.enabled || settings.retrieval.max_inject <= 0) return SILENT;
  const shelf = shelfOf(context.config, context.now);
  const text = await readIndex(shelf, context);
  if (text === undefined) return SILENT;
  const descriptions = Object.fromEntries(
    Object.entries(settings.categories).flatMap(([name, each]) => (each.enabled ? [[name, each.description]] : [])),
  );
  const matches = matchTitleTags(shelf, text, { prompt, limit: settings.retrieval.max_inject, descriptions });
  const source = sourceOf(context.config);
  const stdout = memoryContext(
    matches.map(({ entry }) => entry),
    { source, descriptions },
  );
  return stdout === '' ? SILENT : { exit: 0, stdout };
};

/** What a person asked; `undefined` if there is nothing to look for. */
function promptOf(payload: JsonObject): string | undefined {
  const raw = typeof payload.prompt === 'string' ? payload.prompt : payload.user_prompt;
  if (typeof raw !== 'string' || payload.source === 'system') return undefined;
  const prompt = raw.trim();
  const isLong = prompt.length >= 2 * MIN_PROMPT || [...prompt].length >= MIN_PROMPT;
  return isLong && !MACHINE_PROMPT.test(prompt) && !SLASH_COMMAND.test(prompt)
    ? prompt.slice(0, MAX_PROMPT)
    : undefined;
}

function shelfOf({ paths, settings }: Config, now: () => Date): Shelf {
  return {
    root: realPath(paths.memoryRoot),
    projectRoot: paths.projectRoot,
    graveyard: path.join(paths.userRoot, 'archive', 'records'),
    kinds: new Kinds(settings.categories),
    rules: settings,
    now,
  };
}

/** The text of index.md, made anew if it is gone. A byte that is not UTF-8 spoils its line, not the others. */
async function readIndex(shelf: Shelf, context: HookContext): Promise<string | undefined> {
  const file = indexFile(shelf);
  const text = readIndexFile(file);
  if (text !== undefined || !fs.statSync(shelf.root, { throwIfNoEntry: false })?.isDirectory()) return text;
  const { rebuildIndex } = await import('../../records/index-upkeep.ts');
  const { problems } = await rebuildIndex(shelf, { keepMissingIfEmpty: true });
  for (const problem of problems) context.problem(new Error(`${problem.path}: ${problem.message}`));
  return readIndexFile(file);
}

function readIndexFile(file: string): string | undefined {
  try {
    const stat = fs.statSync(file);
    if (!stat.isFile()) throw new CairnError('INDEX_ERROR', `${file} is not a file.`);
    if (stat.size > MAX_INDEX_BYTES) throw new CairnError('INDEX_ERROR', `${file} is over ${MAX_INDEX_BYTES} bytes.`);
    return fs.readFileSync(file, 'utf8');
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
