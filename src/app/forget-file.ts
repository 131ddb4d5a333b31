// Forgetting one record or one note: its file without a last copy, the copies that were kept earlier, its rows, and what was learned of
// it. git keeps what was committed.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError } from '../errors.ts';
import { filesBelow } from '../files/folder-stats.ts';
import { realPath } from '../files/paths.ts';
import { dropKept } from '../indexing/files/file-versions-log.ts';
import { criticalSection } from '../records/critical-section.ts';
import { type Counts, drawAnew, type PlannedMemory, removePlaces } from './forget-places.ts';
import { Memory } from './memory.ts';
import type { TraceMemory } from './trace-memory.ts';
import { archiveRoot, blobsFile } from './user-files.ts';

export type GoneFile = { readonly ref: string; readonly file: string };

export function namedFile(
  memory: TraceMemory,
  name: string,
): { order: { kind: 'file' } & GoneFile; goes: PlannedMemory[]; counts: Counts; stays: string[] } {
  const { ref, file, title } = found(new Memory(memory.config), name);
  const order = { kind: 'file' as const, ref, file };
  return {
    order,
    goes: [{ name: ref, title }],
    counts: { files: 1, copies: copiesOf(memory, order).length },
    stays: ['what git has committed of it, and conversations in which it was talked about'],
  };
}

function found(memory: Memory, name: string): { ref: string; file: string; title: string } {
  const note = /^record:/.test(name) ? undefined : memory.findNote(name);
  if (note) return { ref: `note:${note.id}`, file: note.file, title: note.title };
  if (!/^record:/.test(name) && /^note:/.test(name)) throw nothing(name);
  try {
    const { category, slug, file, title } = memory.find(name);
    return { ref: `record:${category.folder}/${slug}`, file, title };
  } catch (error) {
    if (error instanceof CairnError && error.code === 'NOT_FOUND' && !/may be any of/.test(error.message))
      throw nothing(name);
    throw error;
  }
}

const nothing = (name: string): CairnError =>
  new CairnError('NOT_FOUND', `There is no conversation, record or note ${JSON.stringify(name)}.`, {
    fix: '`cairn topics` shows conversations with their ids, `cairn list --all` records, `cairn remember` finds memories with their refs.',
  });

/** The last copies of what was removed or replaced earlier under this name. */
function copiesOf({ config }: TraceMemory, { ref, file }: GoneFile): string[] {
  const name = path.basename(file).replace(/\.\w+$/, '');
  const folder = path.join(archiveRoot(config), ref.startsWith('note:') ? 'notes' : 'records');
  return [...filesBelow(folder)]
    .map(({ file: copy }) => copy)
    .filter((copy) => path.basename(copy).startsWith(`${name}.`));
}

export async function forgetFile(
  memory: TraceMemory,
  order: GoneFile,
): Promise<{ counts: Counts; problems: string[] }> {
  const { config, store } = memory;
  const { recordStore } = new Memory(config);
  const copies = copiesOf(memory, order);
  const documents = await store.get({ refs: [order.ref] });
  const own = documents.filter(
    ({ source }) => source?.file === undefined || realOf(source.file) === realOf(order.file),
  );
  await criticalSection(recordStore, (section) => {
    if (fs.existsSync(order.file)) section.remove(order.file);
  });
  for (const copy of copies) fs.rmSync(copy, { force: true });
  const gone = { sessions: new Set<string>(), files: [], documents: own, notes: [] };
  const places = await removePlaces(memory, gone, { apply: true, transcript: false });
  await dropKept(blobsFile(config), new Set([order.ref]));
  await drawAnew(config);
  return { counts: { files: 1, copies: copies.length, ...places }, problems: [] };
}

function realOf(file: string): string {
  return fs.existsSync(file) ? realPath(file) : path.resolve(file);
}
