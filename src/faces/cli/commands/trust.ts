// `cairn trust`: look at the memory that a project brought along, and agree to it or not.

import { type Command, Option } from 'commander';
import {
  agreements,
  describeProjectMemory,
  type ProjectMemoryContents,
  revokeTrust,
  trustProject,
} from '../../../app/trust-project.ts';
import { type Config, type ConfigOptions, loadConfig } from '../../../config/load.ts';
import { CairnError } from '../../../errors.ts';
import { stripUnsafe } from '../../../model/text.ts';
import type { Io } from '../io.ts';
import { plural } from '../open.ts';

type Options = { show?: true; yes?: true; revoke?: true; list?: true; json?: true };

export function trustCommand(program: Command, io: Io, done: (exit: number) => void): void {
  program
    .command('trust')
    .description('Look at the memory that came with a repository, and let it be used')
    .addOption(new Option('--show', 'only look').conflicts(['yes', 'revoke', 'list']))
    .addOption(new Option('--yes', 'agree without being asked').conflicts(['revoke', 'list']))
    .addOption(new Option('--revoke', 'take the agreement back').conflicts(['list']))
    .option('--list', 'every memory that you agreed to or that was founded here')
    .option('--json', 'print data instead of text')
    .addHelpText(
      'after',
      '\nUntil you agree, nothing of a memory that came with a repository is shown to the model.\nRead docs/SECURITY.md for what that protects from, and what not.',
    )
    .action(async (options: Options) => {
      const where: ConfigOptions = { cwd: io.cwd, env: io.env };
      if (options.list) list(loadConfig(where), options, io);
      else if (options.revoke) revoke(loadConfig(where), options, io);
      else done(await decide(where, options, io));
    });
}

function list(config: Config, options: Options, io: Io): void {
  const marks = agreements(config);
  if (options.json) io.out(JSON.stringify({ marks }));
  else
    io.out(
      marks.length === 0
        ? 'None yet.'
        : marks.map(({ root, by, time }) => `${time.slice(0, 10)}  ${by.padEnd(8)}  ${stripUnsafe(root)}`).join('\n'),
    );
}

function revoke(config: Config, options: Options, io: Io): void {
  const { memoryRoot } = config.paths;
  const revoked = revokeTrust(config, new Date());
  const now = loadConfig({ cwd: io.cwd, env: io.env }).trust.state;
  if (options.json) io.out(JSON.stringify({ memory_root: memoryRoot, revoked, state: now }));
  else if (revoked) io.out(`Taken back: ${memoryRoot} is ${now === 'untrusted' ? 'not used' : now} from now on.`);
  else io.out(`There was no agreement to ${memoryRoot} (${STATES[now]}).`);
}

/** A memory that leads to another place is asked about twice: for what it says here, and for what is there. */
async function decide(where: ConfigOptions, options: Options, io: Io): Promise<number> {
  const brought = describeProjectMemory(where);
  if (options.show || brought.state !== 'untrusted') {
    io.out(options.json ? JSON.stringify(brought) : pageOf(brought).join('\n'));
    return 0;
  }
  if (!options.json) io.out(pageOf(brought).join('\n'));
  if (options.yes && io.env.CLAUDECODE) throw byModel();
  if (!(options.yes || (await isAgreed(io)))) {
    io.err('Nothing was changed: it is not used.');
    return 1;
  }
  trustProject(loadConfig(where), new Date());
  const { trust, paths } = loadConfig(where);
  if (trust.state === 'untrusted' && trust.leadsOut && paths.memoryRoot !== brought.memory_root)
    return decide(where, options, io);
  if (options.json) io.out(JSON.stringify({ ...brought, state: trust.state }));
  else io.out(`\nAgreed: ${brought.memory_root} is used from now on. Take it back with: cairn trust --revoke`);
  return 0;
}

/** What Claude Code runs has this variable. A model that could agree would be asked to by what it must not read yet. */
const byModel = (): CairnError =>
  new CairnError('SECURITY_ERROR', 'Whether to trust a memory is for the user to decide, not for a model.', {
    fix: 'Run it in a terminal of your own: cairn trust',
  });

async function isAgreed(io: Io): Promise<boolean> {
  if (!io.interactive)
    throw new CairnError('INPUT_ERROR', 'Nobody is there to be asked.', {
      fix: 'Look first (cairn trust --show), then agree: cairn trust --yes',
    });
  return /^y(?:es)?$/i.test(((await io.ask('\nUse this memory? [y/N] ')) ?? '').trim());
}

const STATES: { readonly [state in ProjectMemoryContents['state']]: string } = {
  agreed: 'trusted: you agreed to it, or it was founded here',
  own: 'yours: not in a git repository, or `trust` is set so',
  new: 'nothing there yet',
  untrusted: 'not trusted: nothing of it is shown to the model',
};

function pageOf(brought: ProjectMemoryContents): string[] {
  const counted = (counts: { readonly [kind: string]: number }): string =>
    Object.entries(counts)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', ') || 'none';
  return [
    `Memory   ${stripUnsafe(brought.memory_root)}`,
    `State    ${STATES[brought.state]}`,
    `Records  ${counted(brought.records)}`,
    `Notes    ${counted(brought.notes)}`,
    ...(brought.unreadable > 0 ? [`Other    ${plural(brought.unreadable, 'file')} that cannot be read`] : []),
    ...listed(
      'Told to each session',
      brought.texts.map(({ section, text }) => `${section}: ${text}`),
    ),
    ...listed(
      'Newest',
      brought.titles.map(({ ref, title }) => `${title}  (${ref})`),
    ),
    ...listed(
      'Settings of the project',
      brought.settings.map(({ key, value, counts }) => `${key} = ${value}${counts ? '' : '  (does not count yet)'}`),
    ),
  ];
}

const listed = (head: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', head, ...lines.map((line) => `  ${line}`)];
