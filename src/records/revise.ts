// Revising a record: what a person or a model changes in it, made into the whole record that an update wants, with a line of its
// history. One set of rules for the command line, the server and the viewer; docs/FILE-FORMAT.md tells them.

import { recordMd5 } from '../model/hash.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import { type ChangeEntry, SUMMARY_MAX } from '../model/record.ts';
import { cutCodePoints } from '../model/text.ts';
import { timestampOf } from '../model/timestamp.ts';
import { growTags } from './auto-fix.ts';
import { type Outcome, readExisting } from './critical-section.ts';
import { type RecordStore, resolveTarget } from './record-store.ts';
import { updateRecord } from './update-record.ts';

/** What is left out stays as it is. */
export type Revision = {
  /** What changed and why, for the history. */
  readonly summary: string;
  readonly title?: string | undefined;
  /** `null` takes it away. */
  readonly confidence?: number | null | undefined;
  /** The fields to replace; `null` takes a field away. */
  readonly content?: JsonObject | undefined;
  /** The whole list, as a form shows it: one that lacks what must stay is refused. */
  readonly tags?: readonly string[] | undefined;
  readonly relatedFiles?: readonly string[] | undefined;
  /** Beside those that are there. */
  readonly moreTags?: readonly string[] | undefined;
  readonly moreFiles?: readonly string[] | undefined;
  /** Of the file that was read. Without it, only a change from now on is noticed. */
  readonly hash?: string | undefined;
};

/** `before` is the record as it was. */
export type Revised = Outcome & { before: JsonObject };

export async function reviseRecord(recordStore: RecordStore, file: string, revision: Revision): Promise<Revised> {
  const cwd = recordStore.root;
  const { record: before, bytes } = readExisting(
    resolveTarget(recordStore, file, cwd),
    'NOT_FOUND',
    'It may have been removed since. If index.md still names it, bring that in step with: cairn index --rebuild',
  );
  const { moreTags, moreFiles, hash = recordMd5(bytes) } = revision;
  const { tags, notes } = moreTags?.length ? growTags(before.tags, moreTags) : { tags: revision.tags, notes: [] };
  const files = moreFiles?.length ? [...listOf(before.related_files), ...moreFiles] : revision.relatedFiles;
  const record: JsonObject = {
    ...before,
    ...(revision.title === undefined ? {} : { title: revision.title }),
    ...(tags === undefined ? {} : { tags }),
    ...(files === undefined ? {} : { related_files: [...new Set(files)] }),
    ...(revision.confidence === undefined ? {} : { confidence: revision.confidence }),
    content: revisedContent(before.content, revision.content ?? {}),
    changes: [...listOf(before.changes), entryOf(recordStore, revision.summary)],
  };
  if (revision.confidence === null) delete record.confidence;
  const outcome = await updateRecord(recordStore, { target: file, cwd, record, hash });
  return { ...outcome, notes: [...notes, ...outcome.notes], before };
}

function revisedContent(before: unknown, fields: JsonObject): JsonObject {
  const all = Object.entries({ ...(isObject(before) ? before : {}), ...fields });
  return Object.fromEntries(all.filter(([field]) => fields[field] !== null));
}

const entryOf = (recordStore: RecordStore, summary: string): ChangeEntry => ({
  date: timestampOf(recordStore.now()),
  summary: cutCodePoints(summary, SUMMARY_MAX),
});

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
