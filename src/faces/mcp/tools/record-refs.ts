// From the ref of a record to its file and back, as all tools that change records need it.

import type { Memory, Outcome, ScannedRecord } from '../../../app/memory.ts';
import { CairnError } from '../../../errors.ts';
import type { JsonObject } from '../../../model/json.ts';
import { any, list, object, optional, text } from '../../../model/schema.ts';
import type { ToolAnswer } from '../tool.ts';

export const refInput = text({ minLength: 1, maxLength: 300, describe: 'record:folder/slug, as recall gives it.' });

const answered = {
  ref: text(),
  status: text({ describe: 'created, updated, retired, archived, unarchived, restored, or already_…' }),
  path: text(),
  title: optional(text()),
  notes: list(text({ describe: 'What was noticed.' })),
  not_stated: optional(list(text({ describe: 'Fields of the content that the text did not say.' }))),
};
/** What every change answers. */
export const changed = object(answered);
export const savedDraft = object({ ...answered, content: any('As it was saved.') });

export function findRecord(memory: Memory, ref: string): ScannedRecord {
  if (/^(?:note|idea|span):/.test(ref))
    throw new CairnError('USAGE_ERROR', `${JSON.stringify(ref)} is not a record.`, {
      fix: 'Only records can be changed with these tools; their refs begin with record:.',
    });
  return memory.find(ref);
}

export const refOfRecord = ({ category, slug }: ScannedRecord): string => `record:${category.folder}/${slug}`;

/** `.claude/memory/decisions/use-jwt.json` → `record:decisions/use-jwt`. */
export function refOfPath(path: string): string {
  const [folder, file] = path.split('/').slice(-2);
  return `record:${folder}/${file?.replace(/\.json$/, '')}`;
}

export function changeAnswer({ result, notes }: Outcome, extra: JsonObject = {}): ToolAnswer {
  const path = String(result.target);
  const [ref, status] = [refOfPath(path), String(result.status)];
  const told = notes.filter((note) => !note.startsWith('[AUTO-FIX]'));
  const title = typeof result.title === 'string' ? { title: result.title } : {};
  const missing = Array.isArray(extra.not_stated) && extra.not_stated.length > 0 ? extra.not_stated.join(', ') : '';
  const lines = [
    `${status}: ${ref} (${path})`,
    ...told,
    ...(missing ? [`Not stated, so marked as such: ${missing}. Call update with them if you know.`] : []),
  ];
  return { text: lines.join('\n'), data: { ref, status, path, ...title, notes: told, ...extra } };
}
