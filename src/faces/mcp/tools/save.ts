// `save` and `update`: records from what a model knows. The rules are those of `cairn write`; here a model may also give plain
// text, and is shown the record that it would repeat.

import fs from 'node:fs';
import type { Memory } from '../../../app/memory.ts';
import { CairnError } from '../../../errors.ts';
import { decodeUtf8, parseJsonObject, readBytes } from '../../../files/json-file.ts';
import type { Category } from '../../../model/categories.ts';
import { recordMd5 } from '../../../model/hash.ts';
import { isObject, type JsonObject } from '../../../model/json.ts';
import { SUMMARY_MAX } from '../../../model/record.ts';
import { any, boolean, type Infer, list, number, object, optional, text } from '../../../model/schema.ts';
import { cutCodePoints } from '../../../model/text.ts';
import { timestampOf } from '../../../model/timestamp.ts';
import { growTags } from '../../../records/auto-fix.ts';
import { unknownCategory } from '../../../records/create-record.ts';
import { draftRecord } from '../../../records/draft.ts';
import { defineTool } from '../tool.ts';
import { changeAnswer, changed, contentOf, findRecord, refInput, refOfPath } from './record-refs.ts';

const MAX_TAGS = 12;
const common = {
  title: optional(text({ minLength: 1, maxLength: 300, describe: 'One line that names it.' })),
  tags: optional(list(text({ maxLength: 100 }), { maxItems: MAX_TAGS })),
  related_files: optional(list(text({ maxLength: 1_000 }), { maxItems: 50 })),
  confidence: optional(number({ min: 0, max: 1 })),
};

const saveInput = object({
  category: text({
    minLength: 1,
    maxLength: 60,
    describe: 'decision, runbook, constraint, tech_debt, preference, session_summary, or one of the project.',
  }),
  text: optional(text({ minLength: 1, maxLength: 20_000, describe: 'What to remember and why, in plain words.' })),
  content: optional(any('Object with the fields of the category; what it lacks is read from the text.')),
  ...common,
  new: optional(boolean('Create it even if a similar record exists.')),
});

export const saveTool = defineTool({
  name: 'save',
  title: 'Save to memory',
  description:
    'Save one lasting fact of this project as a record: a decision with its reason, a fix that worked, a rule, a limit, an open debt, a preference. Give text, content, or both. If a similar record exists you are told its ref: then call update.',
  traits: { alwaysLoaded: true },
  input: saveInput,
  output: changed,
  async run(given, session) {
    const memory = await session.memory();
    const category = categoryOf(memory, given.category);
    const { record, notStated, notes } = await recordOf(category, given);
    if (!given.new) await assertNew(memory, category, record);
    const outcome = await memory.add(category, record);
    return changeAnswer(
      { ...outcome, notes: [...notes, ...outcome.notes] },
      notStated.length > 0 ? { not_stated: notStated } : {},
    );
  },
});

export function categoryOf(memory: Memory, name: string): Category {
  const category = memory.kinds.byName(name.trim().toLowerCase().replaceAll('-', '_'));
  if (!category) throw unknownCategory(memory.recordStore, name);
  return category;
}

async function recordOf(
  category: Category,
  given: Infer<typeof saveInput>,
): Promise<{ record: JsonObject; notStated: string[]; notes: string[] }> {
  const content = given.content === undefined ? undefined : objectIn('content', given.content);
  const said = given.text ?? (given.content === undefined ? '' : (given.title ?? ''));
  if (said.trim() === '')
    throw new CairnError('INPUT_ERROR', 'There is nothing to save.', {
      fix: 'Give "text", or "content" with a "title".',
    });
  const draft = await draftRecord(
    category,
    {
      text: said,
      ...(given.title ? { title: given.title } : {}),
      ...(given.tags?.length ? { tags: given.tags } : {}),
      ...(given.related_files?.length ? { relatedFiles: given.related_files } : {}),
      ...(typeof given.confidence === 'number' ? { confidence: given.confidence } : {}),
    },
    async () => undefined,
  );
  const record = { ...draft.record, content: { ...contentOf(draft.record), ...content } };
  const notStated = draft.assumed.filter((field) => !Object.hasOwn(content ?? {}, field));
  return { record, notStated, notes: draft.notes };
}

function objectIn(name: string, value: unknown): JsonObject {
  if (isObject(value)) return value;
  throw new CairnError('INPUT_ERROR', `"${name}" must be an object.`, { fix: `Give "${name}" as {"field": value}.` });
}

/** Two records of one fact are worse than none: the model is shown the one that is there. */
async function assertNew(memory: Memory, category: Category, record: JsonObject): Promise<void> {
  if (!fs.existsSync(memory.recordStore.root)) return;
  const tags = Array.isArray(record.tags) ? record.tags.join(' ') : '';
  const { answer } = await memory.candidate({ category, newInfo: `${record.title} ${tags}` });
  const { candidate } = answer;
  if (!candidate) return;
  const shown = Object.entries(candidate.excerpt?.key_fields ?? {}).map(([field, value]) => `  ${field}: ${value}`);
  throw new CairnError(
    'CREATE_ERROR',
    [`A similar record exists: ${refOfPath(candidate.path)}: ${candidate.title}`, ...shown].join('\n'),
    { fix: `If it is the same thing, change that one; if not, save again with "new": true.` },
  );
}

const updateInput = object({
  ref: refInput,
  summary: text({ minLength: 1, maxLength: 1_000, describe: 'What changed and why, for the history.' }),
  content: optional(any('Object with the fields to replace; the others stay.')),
  ...common,
  hash: optional(text({ maxLength: 64, describe: 'Of the record as you read it with get.' })),
});

export const updateTool = defineTool({
  name: 'update',
  title: 'Update a memory',
  description:
    'Change a record: replace fields of its content, its title or confidence, add tags and files. The history keeps what changed.',
  traits: { destroys: true },
  input: updateInput,
  output: changed,
  async run(given, session) {
    const memory = await session.memory();
    const found = findRecord(memory, given.ref);
    const bytes = readBytes(found.file);
    if (!bytes) throw new CairnError('UPDATE_ERROR', `${found.path} is gone.`);
    const old = parseJsonObject(decodeUtf8(bytes, found.path), found.path);
    const { record, notes } = mergedRecord(old, given, timestampOf(memory.recordStore.now()));
    const hash = given.hash ?? recordMd5(bytes);
    const outcome = await memory.update({ target: found.file, cwd: memory.recordStore.root, record, hash });
    return changeAnswer({ ...outcome, notes: [...notes, ...outcome.notes] });
  },
});

/** Tags, files and history only grow. */
function mergedRecord(
  old: JsonObject,
  given: Infer<typeof updateInput>,
  now: string,
): { record: JsonObject; notes: string[] } {
  const content = given.content === undefined ? {} : objectIn('content', given.content);
  const entry = { date: now, summary: cutCodePoints(given.summary, SUMMARY_MAX) };
  const { tags, notes } = growTags(old.tags, given.tags ?? []);
  const record = {
    ...old,
    ...(given.title ? { title: given.title } : {}),
    ...(typeof given.confidence === 'number' ? { confidence: given.confidence } : {}),
    ...(given.tags?.length ? { tags } : {}),
    ...(given.related_files?.length ? { related_files: joined(old.related_files, given.related_files) } : {}),
    content: { ...contentOf(old), ...content },
    changes: [...(Array.isArray(old.changes) ? old.changes : []), entry],
  };
  return { record, notes: given.tags?.length ? notes : [] };
}

const joined = (old: unknown, more: readonly string[]): unknown[] => [
  ...new Set([...(Array.isArray(old) ? old : []), ...more]),
];
