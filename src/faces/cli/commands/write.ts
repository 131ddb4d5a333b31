// `cairn write`: the schema-enforced change of one record, for models and programs. It answers on standard output:
// one line of JSON when it was done, the error protocol when not.

import { type Command, Option } from 'commander';
import { WRITE_ACTIONS, type WriteRequest, writeRecord } from '../../../app/write-record.ts';
import { CairnError, isSystemError, messageOf } from '../../../errors.ts';
import type { Io } from '../io.ts';
import { open } from '../open.ts';
import { protocolText } from '../print-error.ts';

export function writeCommand(program: Command, io: Io, done: (exit: number) => void): void {
  program
    .command('write')
    .description('Create, update, retire, archive, unarchive or restore one record (for models and programs)')
    .addOption(new Option('--action <action>', 'what to do').choices([...WRITE_ACTIONS]).makeOptionMandatory())
    .requiredOption('--target <path>', 'the record: .claude/memory/<folder>/<slug>.json')
    .option('--category <category>', 'its category (create)')
    .option(
      '--input <file>',
      'JSON file with the record, in the temporary directory; - reads standard input (create, update)',
    )
    .option('--hash <md5>', 'MD5 of the file as it was read; another one means a conflict (update)')
    .option('--reason <text>', 'why (delete, archive)')
    .option('--json', 'accepted for symmetry: the answer is JSON anyway')
    .action(async (request: WriteRequest) => {
      try {
        const outcome = await writeRecord(request, {
          cwd: io.cwd,
          open: (root) => open(io, root === undefined ? {} : { root }),
          readStdin: () => io.readStdin(),
        });
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
