// `save`, `save_draft` and `update`: records from what a model knows. The rules are those of `cairn write`; here a model may also give plain
// text, correct a draft that triage has prepared, and is shown the record that it would repeat.

import { saveDraft } from '../../../app/drafts.ts';
import type { Plan } from '../../../app/memory.ts';
import { CairnError } from '../../../errors.ts';
import { isObject, type JsonObject } from '../../../model/json.ts';
import { TAG_CAP } from '../../../model/record.ts';
import { any, boolean, list, number, object, optional, text } from '../../../model/schema.ts';
import { defineTool } from '../tool.ts';
import { changeAnswer, changed, findRecord, refInput, refOfPath, savedDraft } from './record-refs.ts';

const common = {
  title: optional(text({ minLength: 1, maxLength: 300, describe: 'One line that names it.' })),
  tags: optional(list(text({ maxLength: 100 }), { maxItems: TAG_CAP })),
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
    const saved = await memory.save({
      category: memory.category(given.category),
      text: given.text ?? undefined,
      title: given.title ?? undefined,
      tags: given.tags ?? undefined,
      relatedFiles: given.related_files ?? undefined,
      confidence: given.confidence ?? undefined,
      content: contentIn(given.content),
      ...(given.new ? {} : { choose: assertNew }),
    });
    const { assumed } = saved.plan;
    return changeAnswer(saved, assumed.length > 0 ? { not_stated: assumed } : {});
  },
});

function contentIn(content: unknown): JsonObject | undefined {
  if (content === undefined || isObject(content)) return content;
  throw new CairnError('INPUT_ERROR', '"content" must be an object.', { fix: 'Give "content" as {"field": value}.' });
}

/** Two records of one fact are worse than none: the model is shown the one that is there. */
function assertNew({ similar }: Plan): 'create' {
  if (!similar) return 'create';
  const shown = Object.entries(similar.excerpt?.key_fields ?? {}).map(([field, value]) => `  ${field}: ${value}`);
  throw new CairnError(
    'CREATE_ERROR',
    [`A similar record exists: ${refOfPath(similar.path)}: ${similar.title}`, ...shown].join('\n'),
    { fix: `If it is the same thing, change that one; if not, save again with "new": true.` },
  );
}

const draftInput = object({
  id: text({ minLength: 2, maxLength: 20, describe: 'Of the draft, as the note at the end of a turn names it.' }),
  category: optional(text({ minLength: 1, maxLength: 60, describe: 'Where another one fits better.' })),
  title: common.title,
  content: optional(any('Object with the fields to correct; the others stay as drafted.')),
  tags: common.tags,
  new: optional(boolean('Create it even if a similar record exists.')),
});

export const saveDraftTool = defineTool({
  name: 'save_draft',
  title: 'Save a draft',
  description:
    'Save a draft that Cairn has prepared from this conversation or an earlier one. Correct what is wrong in the same call. The answer shows what was saved.',
  traits: { alwaysLoaded: true },
  input: draftInput,
  output: savedDraft,
  async run(given, session) {
    const memory = await session.memory();
    const saved = await saveDraft(memory, given.id, {
      category: given.category ?? undefined,
      title: given.title ?? undefined,
      content: contentIn(given.content ?? undefined),
      tags: given.tags ?? undefined,
      ...(given.new ? {} : { choose: assertNew }),
    });
    return changeAnswer(saved, { content: saved.plan.record.content });
  },
});

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
    const revised = await memory.revise(findRecord(memory, given.ref).file, {
      summary: given.summary,
      title: given.title ?? undefined,
      confidence: given.confidence ?? undefined,
      content: contentIn(given.content),
      moreTags: given.tags ?? undefined,
      moreFiles: given.related_files ?? undefined,
      hash: given.hash ?? undefined,
    });
    return changeAnswer(revised);
  },
});
