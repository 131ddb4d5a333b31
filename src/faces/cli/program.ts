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
  ['log today', async () => (await import('./commands/log.ts')).logCommands],
  ['todo done drop', async () => (await import('./commands/todo.ts')).todoCommands],
  ['blame', async () => (await import('./commands/blame.ts')).blameCommand],
  ['inbox', async () => (await import('./commands/inbox.ts')).inboxCommand],
  ['topics', async () => (await import('./commands/topics.ts')).topicsCommand],
  ['stats', async () => (await import('./commands/stats.ts')).statsCommand],
  ['store', async () => (await import('./commands/store.ts')).storeCommand],
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
  ['sync', async () => (await import('./commands/sync.ts')).syncCommand],
  ['trust', async () => (await import('./commands/trust.ts')).trustCommand],
  ['config', async () => (await import('./commands/config.ts')).configCommand],
  ['write', async () => (await import('./commands/write.ts')).writeCommand],
  ['candidate', async () => (await import('./commands/candidate.ts')).candidateCommand],
  ['index', async () => (await import('./commands/index.ts')).indexCommand],
];

/** The headings of the help. What is under none of them stands at its end, and a test fails. */
const GROUPS: readonly (readonly [heading: string, words: string])[] = [
  ['Ask what is remembered:', 'remember log today todo done drop blame topics show search list query ui'],
  ['Keep and settle:', 'save note inbox retire archive unarchive restore import export'],
  ['What is told unasked:', 'why feedback trust'],
  ['Conversations and what is stored of them:', 'backfill reindex stats forget redact sync store'],
  ['Set up and look after:', 'install uninstall doctor status config'],
  ['For models and programs:', 'hook mcp write candidate index graph'],
];

function group(program: Command): void {
  const placeOf = (command: Command): number =>
    GROUPS.findIndex(([, words]) => words.split(' ').includes(command.name()));
  for (const command of program.commands) {
    const [heading] = GROUPS[placeOf(command)] ?? [];
    if (heading !== undefined) command.helpGroup(heading);
  }
  // Headings stand in the order of their first commands.
  (program.commands as Command[]).sort((a, b) => placeOf(a) - placeOf(b));
}

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
  group(program);
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
