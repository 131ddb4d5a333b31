// The command line: one program, a file for each command. Exit codes: 0 done, 1 failed, 2 wrong use.

import { Command, CommanderError } from 'commander';
import { version } from '../../version.ts';
import { candidateCommand } from './commands/candidate.ts';
import { configCommand } from './commands/config.ts';
import { importCommand } from './commands/import.ts';
import { indexCommand } from './commands/index.ts';
import { lifecycleCommands } from './commands/lifecycle.ts';
import { listCommand } from './commands/list.ts';
import { noteCommand } from './commands/note.ts';
import { saveCommand } from './commands/save.ts';
import { searchCommand } from './commands/search.ts';
import { statusCommand } from './commands/status.ts';
import { writeCommand } from './commands/write.ts';
import type { Io } from './io.ts';
import { printError } from './print-error.ts';

/** What a command returns: its exit code. */
export type Exit = number;
export type Register = (program: Command, io: Io, done: (exit: Exit) => void) => void;

const COMMANDS: readonly Register[] = [
  saveCommand,
  searchCommand,
  listCommand,
  statusCommand,
  lifecycleCommands,
  noteCommand,
  importCommand,
  configCommand,
  writeCommand,
  candidateCommand,
  indexCommand,
];

export async function run(argv: readonly string[], io: Io): Promise<Exit> {
  let exit: Exit = 0;
  const program = new Command('cairn')
    .description('Long-term memory for Claude Code: records, notes and conversations in plain files on your machine.')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.out(text.trimEnd()), writeErr: (text) => io.err(text.trimEnd()) })
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
    .showSuggestionAfterError()
    .addHelpText('after', '\nEvery command takes --help. Exit codes: 0 done, 1 failed, 2 wrong use.');
  for (const register of COMMANDS) register(program, io, (code) => (exit = code));
  if (argv.length === 0) {
    program.outputHelp();
    return 0;
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    printError(io, error, argv.includes('--json'));
    return 1;
  }
}
