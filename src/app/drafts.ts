// Drafts of records that triage has prepared: which ones wait, saving one with what somebody corrects in it, and dropping it. Saving goes
// the way of every other record.

import type { JsonObject } from '../model/json.ts';
import { readDraft, readDrafts, removeDraft, type StoredDraft } from '../records/drafts.ts';
import type { Saved, SaveRequest } from '../records/save.ts';
import type { Memory } from './memory.ts';

export type Draft = StoredDraft;

/** What somebody changes in a draft; fields of `content` replace those of the draft one by one. */
export type Corrections = Pick<SaveRequest, 'ask' | 'choose' | 'dryRun' | 'confidence' | 'relatedFiles' | 'tags'> & {
  readonly category?: string | undefined;
  readonly title?: string | undefined;
  readonly content?: JsonObject | undefined;
  readonly fields?: SaveRequest['fields'];
};

/** Those that nobody saved, newest first. Each goes by itself after a month. */
export const listDrafts = ({ recordStore }: Memory, now: Date = new Date()): Draft[] =>
  readDrafts(recordStore.root, now);

/** Makes it a record. The draft stays where the choice was to leave it. */
export async function saveDraft(
  memory: Memory,
  id: string,
  corrections: Corrections = {},
  now: Date = new Date(),
): Promise<Saved & { draft: Draft }> {
  const draft = readDraft(memory.recordStore.root, id, now);
  const { category: named, content, title, tags, confidence, relatedFiles, ...rest } = corrections;
  const category = memory.category(named ?? draft.category);
  const isOther = category.name !== draft.category;
  const saved = await memory.save({
    ...rest,
    category,
    title: title ?? draft.title,
    // Another category has other fields: what is not given is read from the words.
    ...(isOther ? { text: wordsOf(draft) } : {}),
    content: isOther ? content : { ...without(draft.content, Object.keys(rest.fields ?? {})), ...content },
    tags: tags ?? draft.tags,
    confidence: confidence ?? draft.confidence,
    relatedFiles: relatedFiles ?? draft.related_files,
  });
  if (saved.choice !== 'leave' && !rest.dryRun) removeDraft(memory.recordStore.root, draft.id);
  return { ...saved, draft };
}

/** Throws it away; the draft that it was. */
export function dropDraft({ recordStore }: Memory, id: string, now: Date = new Date()): Draft {
  const draft = readDraft(recordStore.root, id, now);
  removeDraft(recordStore.root, draft.id);
  return draft;
}

const without = (content: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(content).filter(([field]) => !fields.includes(field)));

/** What the draft says, as text: the statement of its category, else its title. */
function wordsOf({ content, title }: Draft): string {
  for (const field of ['decision', 'rule', 'value', 'description', 'trigger'])
    if (typeof content[field] === 'string' && content[field] !== '') return content[field];
  return title;
}
