// The validation after a write. What reaches the memory past the guard (an older client, a call allowed by other means)
// is looked at here: a file that is no record is moved aside under a name that nothing reads, and the model is told.
// People's own edits never come through this hook, so they are never moved; `cairn index --validate` reports them.

import fs from 'node:fs';
import path from 'node:path';
import { loadConfig } from '../../config/load.ts';
import { CairnError, isSystemError, messageOf } from '../../errors.ts';
import { parseJsonObject, readText } from '../../files/json-file.ts';
import type { MemoryPath } from '../../files/memory-path.ts';
import { realPath, toPosix } from '../../files/paths.ts';
import type { JsonObject } from '../../model/json.ts';
import { Kinds } from '../../model/kinds.ts';
import { cutCodePoints, stripUnsafe } from '../../model/text.ts';
import { recordProblems } from '../../records/validate.ts';
import { type HookContext, type HookHandler, SILENT } from './hook.ts';
import { memoryPathsOf } from './written-paths.ts';

const CONFIG_NAME = 'memory-config.json';
/** Settings of the older layout: not a record, and not ours to move away. */
const OLD_CONFIG_NAME = 'config.json';
/** Made from the records and notes: whatever was written there is gone with the next rebuild. */
const DERIVED: { readonly [name: string]: string } = {
  'index.md': 'cairn index --rebuild',
  'graph.json': 'cairn graph --rebuild',
};
const MAX_PROBLEMS = 5;
const MAX_SHOWN = 300;
const HOW_TO =
  'Records are written with `cairn write --action create|update --target <path> --input <file in the temporary directory>`, which checks them first.';

/** What the model is told, if anything, and what goes to the client's debug log. */
type Verdict = { blocked?: string; warnings: string[] };

export const postToolUse: HookHandler = (payload, context) => {
  const written = new Map(memoryPathsOf(payload, context).map((each) => [each.path.file ?? each.given, each]));
  const verdicts = [...written.values()].map(({ given, path: found }) => judge(given, found, context));
  const warnings = verdicts.flatMap((each) => each.warnings);
  const reasons = verdicts.flatMap((each) => each.blocked ?? []);
  if (warnings.length === 0) return SILENT;
  context.worked?.();
  const stderr = warnings.map((each) => `WARNING: ${each}\n`).join('');
  if (reasons.length === 0) return { exit: 0, stderr };
  return { exit: 0, stderr, stdout: JSON.stringify({ hookSpecificOutput: denial(reasons.join('\n')) }) };
};

/**
 * The call has happened, so nothing can be refused any more: what counts is that the model learns of it. The client hands it
 * `additionalContext`; the decision is the answer that programs which were written for the recorded behaviour look for.
 */
const denial = (reason: string) => ({
  hookEventName: 'PostToolUse',
  permissionDecision: 'deny',
  permissionDecisionReason: reason,
  additionalContext: reason,
});

function judge(given: string, found: MemoryPath, context: HookContext): Verdict {
  if (found.names.every((name) => name === CONFIG_NAME)) return { warnings: [] };
  const shown = show(given);
  const warnings = [`${shown} was written past the write guard of the memory.`];
  const { file, root } = found;
  if (file === undefined)
    return { warnings, blocked: `${shown} leads out of the memory through a link. It was left as it is. ${HOW_TO}` };

  const name = toPosix(path.relative(root, file));
  if (name === OLD_CONFIG_NAME) return { warnings };
  const rebuild = Object.hasOwn(DERIVED, name) ? DERIVED[name] : undefined;
  if (rebuild)
    return { warnings, blocked: `${shown} is made by Cairn; do not write it. Restore it with \`${rebuild}\`.` };
  if (isNote(name)) return judgeNote(file, shown, warnings);
  if (!name.endsWith('.json'))
    return {
      warnings,
      blocked: `${shown} is not a JSON file, so it is no record. It was left there, unused. ${HOW_TO}`,
    };

  const problem = problemOf(file, name, kindsOf(root, context));
  if (problem === undefined) return { warnings };
  const aside = moveAside(file, context.now());
  if (aside.failed) warnings.push(`${shown} is invalid and could not be moved aside: ${aside.failed}`);
  const where = aside.to
    ? `It was moved to ${show(aside.to)} and is not part of the memory.`
    : 'It could not be moved aside.';
  return { warnings, blocked: `${shown} is not a valid record: ${problem}. ${where} ${HOW_TO}` };
}

/**
 * Notes are Markdown below `nodes/`. One with front matter passes with the warning, as a valid record does: whether its
 * fields are right is for the notes to say. Without front matter it would never be read, and that is worth telling.
 */
const isNote = (name: string): boolean => /^nodes\/.*\.md$/s.test(name);

function judgeNote(file: string, shown: string, warnings: string[]): Verdict {
  try {
    if (readText(file)?.startsWith('---')) return { warnings };
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
  }
  const how = 'A note begins with front matter between two lines of `---`.';
  return { warnings, blocked: `${shown} is not a note that can be read. It was left there, unused. ${how}` };
}

/** The categories of the memory that was written to, which may be another project's. */
function kindsOf(root: string, { config, env }: HookContext): Kinds {
  const own = root === realPath(config.paths.memoryRoot);
  return new Kinds((own ? config : loadConfig({ memoryRoot: root, env })).settings.categories);
}

/** Why the file is no record; `undefined` if it is one. The folder decides what kind, else the record itself. */
function problemOf(file: string, name: string, kinds: Kinds): string | undefined {
  let record: JsonObject;
  try {
    if (fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
      return 'it is a link that leads out of the memory';
    const text = readText(file);
    if (text === undefined) return 'there is no such file';
    record = parseJsonObject(text, name);
  } catch (error) {
    if (!(error instanceof CairnError) && !isSystemError(error)) throw error;
    return clean(messageOf(error)).replace(/\.$/, '');
  }
  const folder = name.includes('/') ? name.slice(0, name.indexOf('/')) : undefined;
  const own = typeof record.category === 'string' ? kinds.byName(record.category) : undefined;
  const category = (folder === undefined ? undefined : kinds.byFolder(folder)) ?? own;
  if (!category) return `neither its folder nor its category is one of ${kinds.names.join(', ')}`;
  const problems = recordProblems(category, record);
  if (problems.length === 0) return undefined;
  const told = problems
    .slice(0, MAX_PROBLEMS)
    .map((each) => clean(`${each.field || 'it'}: expected ${each.expected}, got ${each.got}`));
  const more = problems.length > told.length ? `; and ${problems.length - told.length} more` : '';
  return told.join('; ') + more;
}

/** One rename, onto a name reserved for it: what was moved aside earlier is never written over. */
function moveAside(file: string, now: Date): { to?: string; failed?: string } {
  try {
    for (let stamp = Math.floor(now.getTime() / 1000); ; stamp++) {
      const to = `${file}.invalid.${stamp}`;
      if (!reserve(to)) continue;
      try {
        fs.renameSync(file, to);
      } catch (error) {
        fs.unlinkSync(to);
        throw error;
      }
      return { to };
    }
  } catch (error) {
    return { failed: messageOf(error) };
  }
}

function reserve(file: string): boolean {
  try {
    fs.closeSync(fs.openSync(file, 'wx', 0o600));
    return true;
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false;
    throw error;
  }
}

const clean = (text: string): string => cutCodePoints(stripUnsafe(text), MAX_SHOWN);
const show = (file: string): string => JSON.stringify(clean(file));
