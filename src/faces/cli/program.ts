// The command line: one program, a file for each command. Exit codes: 0 done, 1 failed, 2 wrong use.

import { Command, CommanderError } from 'commander';
import { onBrokenLock } from '../../app/broken-locks.ts';
import { CairnError } from '../../errors.ts';
import { stripUnsafe } from '../../model/text.ts';
import { version } from '../../version.ts';
import type { Io } from './io.ts';
import { printError } from './print-error.ts';

/** What a command returns: its exit code. */
export type Exit = number;
export type Register = (program: Command, io: Io, done: (exit: Exit) => void) => void;

/** By the words that a command line may begin with, in the order of the help; each is loaded when it is wanted. */
const COMMANDS: readonly (readonly [words: string, load: () => Promise<Register>])[] = [
  ['remember', async () => (await import('./commands/remember.ts')).rememberCommand],
  ['save', async () => (await import('./commands/save.ts')).saveCommand],
  ['search', async () => (await import('./commands/search.ts')).searchCommand],
  ['list', async () => (await import('./commands/list.ts')).listCommand],
  ['status', async () => (await import('./commands/status.ts')).statusCommand],
  ['retire archive unarchive restore', async () => (await import('./commands/lifecycle.ts')).lifecycleCommands],
  ['note', async () => (await import('./commands/note.ts')).noteCommand],
  ['query', async () => (await import('./commands/query.ts')).queryCommand],
  ['graph', async () => (await import('./commands/graph.ts')).graphCommand],
  ['backfill reindex', async () => (await import('./commands/backfill.ts')).backfillCommands],
  ['topics', async () => (await import('./commands/topics.ts')).topicsCommand],
  ['stats', async () => (await import('./commands/stats.ts')).statsCommand],
  ['show', async () => (await import('./commands/show.ts')).showCommand],
  ['why', async () => (await import('./commands/why.ts')).whyCommand],
  ['ui', async () => (await import('./commands/ui.ts')).uiCommand],
  ['feedback', async () => (await import('./commands/feedback.ts')).feedbackCommand],
  ['import', async () => (await import('./commands/import.ts')).importCommand],
  ['install uninstall', async () => (await import('./commands/install.ts')).installCommand],
  ['hook', async () => (await import('./commands/hook.ts')).hookCommand],
  ['mcp', async () => (await import('./commands/mcp.ts')).mcpCommand],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctorCommand],
  ['forget', async () => (await import('./commands/forget.ts')).forgetCommand],
  ['redact', async () => (await import('./commands/redact.ts')).redactCommand],
  ['export', async () => (await import('./commands/export.ts')).exportCommand],
  ['trust', async () => (await import('./commands/trust.ts')).trustCommand],
  ['config', async () => (await import('./commands/config.ts')).configCommand],
  ['write', async () => (await import('./commands/write.ts')).writeCommand],
  ['candidate', async () => (await import('./commands/candidate.ts')).candidateCommand],
  ['index', async () => (await import('./commands/index.ts')).indexCommand],
];

/** The commands that this command line may mean: one, or all if it is a question for help or a mistake. */
function wanted(argv: readonly string[]): Promise<Register[]> {
  const named = COMMANDS.filter(([words]) => words.split(' ').includes(argv[0] ?? ''));
  return Promise.all((named.length > 0 ? named : COMMANDS).map(([, load]) => load()));
}

export async function run(argv: readonly string[], io: Io): Promise<Exit> {
  let exit: Exit = 0;
  onBrokenLock((text) => io.err(`WARNING: ${stripUnsafe(text)}`));
  const program = new Command('cairn')
    .description('Long-term memory for Claude Code: records, notes and conversations in plain files on your machine.')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.out(text.trimEnd()), writeErr: (text) => io.err(text.trimEnd()) })
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
    .showSuggestionAfterError()
    .addHelpText('after', '\nEvery command takes --help. Exit codes: 0 done, 1 failed, 2 wrong use.');
  for (const register of await wanted(argv)) register(program, io, (code) => (exit = code));
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
    return error instanceof CairnError && error.code === 'USAGE_ERROR' ? 2 : 1;
  }
}
