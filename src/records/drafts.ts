// Records that triage has prepared and nobody has saved yet: one small JSON file each, in a folder of the memory root that git ignores.
// They are derived and bounded in number and age. A repository may bring files of this name too, so each is checked when it is read.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { readText } from '../files/json-file.ts';
import { shortHash } from '../model/hash.ts';
import type { JsonObject } from '../model/json.ts';
import { TAG_CAP, TITLE_MAX } from '../model/record.ts';
import {
  any,
  type Infer,
  integer,
  list,
  number,
  omittable,
  openObject,
  parseAs,
  text,
  timestamp,
} from '../model/schema.ts';

const DRAFTS_FOLDER = '.drafts';
/** The oldest go first. */
const MOST_DRAFTS = 40;
const DRAFT_LIFE_MS = 30 * 86_400_000;
const MAX_DRAFT_BYTES = 64 * 1024;
const ID = /^d-[0-9a-f]{8}$/;

const draftFile = openObject({
  id: text({ pattern: { source: ID.source, says: 'the id of a draft' } }),
  category: text({ minLength: 1, maxLength: 60 }),
  title: text({ minLength: 1, maxLength: TITLE_MAX, line: true }),
  tags: list(text({ maxLength: 100 }), { maxItems: TAG_CAP }),
  content: any(),
  related_files: list(text({ maxLength: 1_000 }), { maxItems: 50 }),
  confidence: number({ min: 0, max: 1 }),
  /** Where it was said. */
  session: text({ maxLength: 200 }),
  line: omittable(integer({ min: 1 })),
  created_at: timestamp(),
});

export type StoredDraft = Omit<Infer<typeof draftFile>, 'content'> & { content: JsonObject };
export type NewDraft = Omit<StoredDraft, 'id' | 'created_at'>;

const folderIn = (root: string): string => path.join(root, DRAFTS_FOLDER);
const fileOf = (root: string, id: string): string => path.join(folderIn(root), `${id}.json`);

/** The same thing said in the same conversation has the same id. */
export const draftId = ({ session, category, title }: Pick<NewDraft, 'session' | 'category' | 'title'>): string =>
  `d-${shortHash(JSON.stringify([session, category, title])).slice(0, 8)}`;

/** Writes one, and removes those that are too old or too many. */
export function writeDraft(root: string, draft: NewDraft, now: Date): StoredDraft {
  const folder = folderIn(root);
  fs.mkdirSync(folder, { recursive: true });
  if (!fs.lstatSync(folder).isDirectory()) throw new CairnError('PATH_ERROR', `${folder} is not a folder.`);
  const ignore = path.join(folder, '.gitignore');
  if (!fs.existsSync(ignore)) atomicWrite(ignore, '*\n', { durable: false });
  const stored = { id: draftId(draft), ...draft, created_at: now.toISOString().replace(/\.\d{3}Z$/, 'Z') };
  atomicWrite(fileOf(root, stored.id), `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, durable: false });
  const kept = readDrafts(root, now);
  for (const { id } of kept.slice(MOST_DRAFTS)) removeDraft(root, id);
  removeExpired(root, new Set(kept.map(({ id }) => id)));
  return stored;
}

/** Newest first; none that has expired or does not look like one. */
export function readDrafts(root: string, now: Date): StoredDraft[] {
  const drafts = idsIn(root).flatMap((id) => readFile(root, id) ?? []);
  const oldest = now.getTime() - DRAFT_LIFE_MS;
  return drafts
    .filter(({ created_at }) => Date.parse(created_at) >= oldest)
    .sort((a, b) => (a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? 1 : -1));
}

/** The one of this id, or of an id that begins so. */
export function readDraft(root: string, id: string, now: Date): StoredDraft {
  const found = readDrafts(root, now).filter((draft) => id !== '' && draft.id.startsWith(id));
  const [only] = found;
  if (only && (found.length === 1 || only.id === id)) return only;
  throw new CairnError('NOT_FOUND', `There is no draft ${JSON.stringify(id)}.`, {
    fix: 'Drafts go when they are saved, dropped, or a month old. `cairn inbox` lists those that wait.',
  });
}

/** Whether there was one. */
export function removeDraft(root: string, id: string): boolean {
  const file = fileOf(root, id);
  if (!ID.test(id) || !fs.existsSync(file)) return false;
  fs.rmSync(file, { force: true });
  return true;
}

/** The files of drafts that were made from these conversations. */
export const draftFilesOf = (root: string, sessions: ReadonlySet<string>): string[] =>
  idsIn(root)
    .filter((id) => sessions.has(readFile(root, id)?.session ?? ''))
    .map((id) => fileOf(root, id));

function removeExpired(root: string, kept: ReadonlySet<string>): void {
  for (const id of idsIn(root)) if (!kept.has(id)) removeDraft(root, id);
}

function readFile(root: string, id: string): StoredDraft | undefined {
  try {
    const draft = parseAs(draftFile, readText(fileOf(root, id), MAX_DRAFT_BYTES) ?? '');
    const { content } = draft ?? {};
    const isWhole = typeof content === 'object' && content !== null && !Array.isArray(content);
    return draft?.id === id && isWhole ? { ...draft, content: content as JsonObject } : undefined;
  } catch (error) {
    if (error instanceof CairnError || isSystemError(error)) return undefined;
    throw error;
  }
}

function idsIn(root: string): string[] {
  try {
    return fs
      .readdirSync(folderIn(root))
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
      .filter((id) => ID.test(id))
      .sort();
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
