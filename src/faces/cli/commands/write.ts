// `cairn write`: the schema-enforced change of one record, for models and programs. It answers on standard output:
// one line of JSON when it was done, the error protocol when not.

import path from 'node:path';
import { type Command, Option } from 'commander';
import type { Memory } from '../../../app/memory.ts';
import { CairnError, isSystemError, messageOf } from '../../../errors.ts';
import { isInside, realPath } from '../../../files/paths.ts';
import type { JsonObject } from '../../../model/json.ts';
import type { Outcome } from '../../../records/critical-section.ts';
import { parseInput, readInputFile, removeInputFile } from '../../../records/input-file.ts';
import { rootNamedBy } from '../../../records/record-store.ts';
import type { Io } from '../io.ts';
import { open } from '../open.ts';
import { protocolText } from '../print-error.ts';

const ACTIONS = ['create', 'update', 'delete', 'archive', 'unarchive', 'restore'] as const;
type Options = {
  action: (typeof ACTIONS)[number];
  target: string;
  category?: string;
  input?: string;
  hash?: string;
  reason?: string;
};

export function writeCommand(program: Command, io: Io, done: (exit: number) => void): void {
  program
    .command('write')
    .description('Create, update, retire, archive, unarchive or restore one record (for models and programs)')
    .addOption(new Option('--action <action>', 'what to do').choices([...ACTIONS]).makeOptionMandatory())
    .requiredOption('--target <path>', 'the record: .claude/memory/<folder>/<slug>.json')
    .option('--category <category>', 'its category (create)')
    .option(
      '--input <file>',
      'JSON file with the record, in the temporary directory; - reads standard input (create, update)',
    )
    .option('--hash <md5>', 'MD5 of the file as it was read; another one means a conflict (update)')
    .option('--reason <text>', 'why (delete, archive)')
    .option('--json', 'accepted for symmetry: the answer is JSON anyway')
    .action(async (options: Options) => {
      try {
        const outcome = await write(io, options);
        for (const note of outcome.notes) io.err(note);
        io.out(JSON.stringify(outcome.result));
        done(0);
      } catch (error) {
        io.out(protocolText(inProtocol(error)));
        done(1);
      }
    });
}

/** What the system refused (no permission, no room) is an answer in the protocol too; anything else is a fault of ours. */
function inProtocol(error: unknown): CairnError {
  if (error instanceof CairnError) return error;
  if (!isSystemError(error)) throw error;
  return new CairnError('IO_ERROR', messageOf(error), { cause: error });
}

async function write(io: Io, options: Options): Promise<Outcome> {
  const memory = memoryFor(io, options.target);
  const place = { target: options.target, cwd: io.cwd };
  const reason = options.reason === undefined ? {} : { reason: options.reason };
  switch (options.action) {
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
      const record = await readRecord(io, memory, options);
      const outcome = await save(memory, options, { ...place, record });
      if (options.input !== undefined && options.input !== '-') removeInputFile(options.input, io.cwd);
      return outcome;
    }
  }
}

function save(
  memory: Memory,
  options: Options,
  request: { target: string; cwd: string; record: JsonObject },
): Promise<Outcome> {
  if (options.action === 'update') {
    const { category, hash } = options;
    return memory.update({
      ...request,
      ...(category === undefined ? {} : { category }),
      ...(hash === undefined ? {} : { hash }),
    });
  }
  if (options.category === undefined) {
    throw new CairnError('INPUT_ERROR', '--category is required to create a record.', {
      fix: `Add --category ${memory.kinds.names.join('|')}.`,
    });
  }
  return memory.create({ ...request, category: options.category });
}

async function readRecord(io: Io, memory: Memory, options: Options): Promise<JsonObject> {
  if (options.input === undefined) {
    throw new CairnError('INPUT_ERROR', `--input is required to ${options.action} a record.`, {
      fix: 'Add --input <file>, or --input - for standard input.',
    });
  }
  if (options.input === '-') return parseInput(await io.readStdin(), 'standard input');
  const { memoryRoot, userRoot } = memory.config.paths;
  return readInputFile(options.input, { cwd: io.cwd, memoryRoot, userRoot });
}

/** The memory that the target lies in: the configured one, or the one that the path itself names. */
function memoryFor(io: Io, target: string): Memory {
  const own = open(io);
  const plain = target.replaceAll('\0', '');
  if (leadsInto(own.recordStore.root, path.resolve(io.cwd, plain))) return own;
  const named = rootNamedBy(plain, io.cwd);
  return named === undefined || leadsInto(own.recordStore.root, named) ? own : open(io, { root: named });
}

/** A path that leads nowhere (a circle of links, an impossible name) stays with this memory, which refuses it by name. */
function leadsInto(root: string, file: string): boolean {
  try {
    return isInside(root, realPath(file));
  } catch {
    return true;
  }
}
