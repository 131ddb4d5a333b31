// One change of one record as `cairn write` asks for it: finds the memory that the path lies in, takes the record from its staging file,
// does it, and removes the file.

import path from 'node:path';
import { CairnError } from '../errors.ts';
import { isInside, realPath } from '../files/paths.ts';
import type { JsonObject } from '../model/json.ts';
import { parseInput, readInputFile, removeInputFile } from '../records/input-file.ts';
import { rootNamedBy } from '../records/record-store.ts';
import type { Memory, Outcome } from './memory.ts';

export const WRITE_ACTIONS = ['create', 'update', 'delete', 'archive', 'unarchive', 'restore'] as const;
export type WriteRequest = {
  action: (typeof WRITE_ACTIONS)[number];
  target: string;
  category?: string;
  /** A file, or `-` for standard input. */
  input?: string;
  hash?: string;
  reason?: string;
};
/** Where it is asked from. `open`: the memory of that place, or the one at another root. */
type WriteFrom = {
  readonly cwd: string;
  readonly open: (root?: string) => Memory;
  readonly readStdin: () => Promise<string>;
};

export async function writeRecord(request: WriteRequest, from: WriteFrom): Promise<Outcome> {
  const memory = memoryFor(from, request.target);
  const place = { target: request.target, cwd: from.cwd };
  const reason = request.reason === undefined ? {} : { reason: request.reason };
  switch (request.action) {
    case 'delete':
      return memory.retire({ ...place, ...reason });
    case 'archive':
      return memory.archive({ ...place, ...reason });
    case 'unarchive':
      return memory.unarchive(place);
    case 'restore':
      return memory.restore(place);
    case 'create':
    case 'update': {
      const record = await readRecord(from, memory, request);
      const outcome = await save(memory, request, { ...place, record });
      if (request.input !== undefined && request.input !== '-') removeInputFile(request.input, from.cwd);
      return outcome;
    }
  }
}

function save(
  memory: Memory,
  { action, category, hash }: WriteRequest,
  place: { target: string; cwd: string; record: JsonObject },
): Promise<Outcome> {
  if (action === 'update')
    return memory.update({
      ...place,
      ...(category === undefined ? {} : { category }),
      ...(hash === undefined ? {} : { hash }),
    });
  if (category === undefined) {
    throw new CairnError('INPUT_ERROR', '--category is required to create a record.', {
      fix: `Add --category ${memory.kinds.names.join('|')}.`,
    });
  }
  return memory.create({ ...place, category });
}

async function readRecord(from: WriteFrom, memory: Memory, request: WriteRequest): Promise<JsonObject> {
  if (request.input === undefined) {
    throw new CairnError('INPUT_ERROR', `--input is required to ${request.action} a record.`, {
      fix: 'Add --input <file>, or --input - for standard input.',
    });
  }
  if (request.input === '-') return parseInput(await from.readStdin(), 'standard input');
  const { memoryRoot, userRoot } = memory.config.paths;
  return readInputFile(request.input, { cwd: from.cwd, memoryRoot, userRoot });
}

/** The memory that the target lies in: the configured one, or the one that the path itself names. */
function memoryFor(from: WriteFrom, target: string): Memory {
  const own = from.open();
  const plain = target.replaceAll('\0', '');
  if (leadsInto(own.recordStore.root, path.resolve(from.cwd, plain))) return own;
  const named = rootNamedBy(plain, from.cwd);
  return named === undefined || leadsInto(own.recordStore.root, named) ? own : from.open(named);
}

/** A path that leads nowhere (a circle of links, an impossible name) stays with this memory, which refuses it by name. */
function leadsInto(root: string, file: string): boolean {
  try {
    return isInside(root, realPath(file));
  } catch {
    return true;
  }
}
