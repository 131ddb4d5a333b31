// `cairn import --json`: what `cairn export --json` wrote, read back. Records and notes go the way of every other one, checked and masked; what is
// here already stays as it is, and says so where it differs. What was said in conversations comes from conversations, and is not taken over.

import path from 'node:path';
import { CairnError } from '../errors.ts';
import { parseJsonObject, readText } from '../files/json-file.ts';
import { withLock } from '../files/lock.ts';
import { changeSettled, readSettled, type Settlement, settlementOf } from '../files/settled.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import { stripUnsafeText } from '../model/text.ts';
import { readNote } from '../notes/note.ts';
import { notePath, writeNote } from '../notes/vault.ts';
import { removePrivate } from '../safety/private-tags.ts';
import { redact } from '../safety/secrets/redact.ts';
import type { Memory } from './memory.ts';
import { currentProject, sameScopesIn } from './project-scopes.ts';

export type JsonImport = {
  readonly created: readonly string[];
  /** The same as what is here. */
  readonly unchanged: readonly string[];
  /** Here already, and other than in the file: left as they are. */
  readonly differing: readonly string[];
  readonly refused: readonly { readonly ref: string; readonly why: string }[];
  /** What was settled by hand, and was not known. */
  readonly settled: number;
  /** Statements and topics of conversations, which are not read from here. */
  readonly conversations: number;
};

const FORMAT = 'cairn-export-1';
const MAX_BYTES = 256 * 1024 * 1024;
const REF = /^(record|note):([a-z0-9][\w./-]{0,200})$/i;

type Tally = { created: string[]; unchanged: string[]; differing: string[]; refused: { ref: string; why: string }[] };

export async function importJson(memory: Memory, file: string, dryRun: boolean): Promise<JsonImport> {
  const text = readText(file, MAX_BYTES);
  if (text === undefined)
    throw new CairnError('INPUT_ERROR', `There is no file ${file}.`, {
      fix: 'Name what `cairn export --json -o` wrote.',
    });
  const data = parseJsonObject(text, file);
  if (data.format !== FORMAT || !Array.isArray(data.memories))
    throw new CairnError('INPUT_ERROR', `${file} is no export of Cairn.`, {
      fix: 'Name what `cairn export --json -o FILE` wrote; transcripts are read by `cairn backfill`.',
    });
  const tally: Tally = { created: [], unchanged: [], differing: [], refused: [] };
  let conversations = 0;
  for (const each of data.memories) {
    if (!isObject(each) || typeof each.ref !== 'string') continue;
    const { ref } = each;
    try {
      if (isObject(each.record)) await takeRecord(memory, ref, each.record, { tally, dryRun });
      else if (typeof each.markdown === 'string') await takeNote(memory, ref, each.markdown, { tally, dryRun });
      else conversations++;
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      tally.refused.push({ ref, why: error.message });
    }
  }
  return { ...tally, settled: await takeSettled(memory, data.settled, dryRun), conversations };
}

type Taking = { readonly tally: Tally; readonly dryRun: boolean };

function nameIn(ref: string, layer: string): string {
  const [, kind, name = ''] = REF.exec(ref) ?? [];
  if (kind === layer && !name.includes('..')) return name;
  throw new CairnError('INPUT_ERROR', `${JSON.stringify(ref.slice(0, 80))} is no name of a ${layer}.`);
}

async function takeRecord(memory: Memory, ref: string, record: JsonObject, { tally, dryRun }: Taking): Promise<void> {
  const name = nameIn(ref, 'record');
  const [folder = '', slug = ''] = name.split('/');
  const known = memory.list().records.find((each) => each.category.folder === folder && each.slug === slug);
  if (known) {
    (saysSame(known.record, record) ? tally.unchanged : tally.differing).push(ref);
    return;
  }
  const category = memory.category(String(record.category ?? ''));
  if (category.folder !== folder)
    throw new CairnError('INPUT_ERROR', `${ref} does not lie in the folder of its category.`);
  if (!dryRun) {
    const cwd = memory.recordStore.root;
    const target = path.join(cwd, folder, `${slug}.json`);
    await memory.create({ category: category.name, target, cwd, record: { ...record } });
    const { record_status: status } = record;
    const reason = (value: unknown): { reason?: string } => (typeof value === 'string' ? { reason: value } : {});
    if (status === 'retired') await memory.retire({ target, cwd, ...reason(record.retired_reason) });
    if (status === 'archived') await memory.archive({ target, cwd, ...reason(record.archived_reason) });
  }
  tally.created.push(ref);
}

/** By what a reader sees: times and history are of each machine. */
const saysSame = (one: JsonObject, other: JsonObject): boolean =>
  ['title', 'content', 'tags', 'record_status'].every(
    (field) => canonical(one[field] ?? null) === canonical(other[field] ?? null),
  );

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  ) ?? '';

async function takeNote(memory: Memory, ref: string, markdown: string, { tally, dryRun }: Taking): Promise<void> {
  const id = nameIn(ref, 'note');
  const text = redact(removePrivate(stripUnsafeText(markdown))).text;
  const { note, problem } = readNote(text, { folder: '', name: id });
  if (!note || note.id !== id) throw new CairnError('INPUT_ERROR', problem ?? 'Its id is not that of its name.');
  const known = memory.findNote(id);
  if (known) {
    (known.body === note.body && known.title === note.title ? tally.unchanged : tally.differing).push(ref);
    return;
  }
  const { root, lockDir } = memory.vault;
  const file = notePath(root, note.kind, id);
  if (!dryRun) await withLock(lockDir, (lock) => writeNote(root, file, text, () => lock.assertHeld()));
  tally.created.push(ref);
}

/** Of another machine's project they are this one's: that is where the import is made. */
async function takeSettled(memory: Memory, given: unknown, dryRun: boolean): Promise<number> {
  const { userRoot } = memory.config.paths;
  const { id, scopes } = currentProject(memory.config);
  const same = sameScopesIn(memory.config);
  const items = (Array.isArray(given) ? given : []).flatMap((each): Settlement[] => {
    const item = settlementOf(each);
    if (!item) return [];
    const isKnown = scopes.includes(item.project) || same(item.project).length > 1;
    return [{ ...item, text: redact(item.text).text, project: isKnown ? item.project : id }];
  });
  const known = readSettled(userRoot);
  const fresh = items.filter((item) => !known.some(({ ref, text }) => ref === item.ref && text === item.text));
  if (!dryRun && fresh.length > 0) await changeSettled(userRoot, (all) => [...all, ...fresh]);
  return fresh.length;
}
