// `cairn sync`: the same memory on all machines of one person, through a folder or a git remote of their own, encrypted.

import fs from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { pullSync, pushSync, type SyncOptions } from '../../../app/sync.ts';
import { initSync, keysOf, type Opener, setAutomatic, setMemories } from '../../../app/sync-setup.ts';
import { type SyncStatus, syncStatus } from '../../../app/sync-status.ts';
import { type Config, loadConfig, warningsOf, warningText } from '../../../config/load.ts';
import { CairnError, messageOf } from '../../../errors.ts';
import { stripUnsafe } from '../../../model/text.ts';
import { onInterrupt } from '../interrupt.ts';
import type { Io } from '../io.ts';
import { plural } from '../open.ts';
import { megabytes, progressBar } from '../progress.ts';

type InitOptions = {
  keyFile?: string;
  passphraseFile?: string;
  name?: string;
  auto: boolean;
  memories?: true;
  json?: true;
};
type StatusOptions = { json?: true; auto?: 'on' | 'off'; memories?: 'on' | 'off' };
type RunOptions = { json?: true; again?: true; vectors?: boolean };

const INTERRUPTED = 130;
const SHORTEST_PASSPHRASE = 12;
const PASSPHRASE = 'CAIRN_SYNC_PASSPHRASE';
const WHAT = `
Carried: archived conversations (without their secrets), verdicts and use of memories, what you settled, settings that mean the same
everywhere, and what was forgotten. Records and notes travel with their repository; those of a memory that lies in none are carried if you
say so (--memories). Trust stays on each machine.
Read docs/SYNC.md for a walk through it, what the place can see, and what to do when something is lost.`;

export function syncCommand(program: Command, io: Io, done: (exit: number) => void): void {
  const sync = program
    .command('sync')
    .description('The same memory on all your machines: encrypted, through a folder or a git remote of your own')
    .addHelpText('after', WHAT);
  sync
    .command('init')
    .description('Set up a place for sync, or join one that another machine has set up')
    .argument('<place>', 'a folder that all your machines see, or the address of an empty git repository')
    .addOption(
      new Option(
        '--key-file <file>',
        'open it with an age key (`age-keygen -o FILE`) instead of a passphrase',
      ).conflicts('passphraseFile'),
    )
    .option('--passphrase-file <file>', `read the passphrase from there, - for standard input; or set ${PASSPHRASE}`)
    .option('--name <name>', 'what this machine is called among yours (default: its host name)')
    .option('--no-auto', 'only when asked: not by itself when a conversation begins or ends')
    .option('--memories', 'also the records and notes of memories that lie in no repository (memory_root)')
    .option('--json', 'print data instead of text')
    .addHelpText(
      'after',
      '\nThe passphrase is not kept: what it opens is, in ~/.cairn/sync (0600). Nobody can restore it; write it down.',
    )
    .action(async (place: string, options: InitOptions) => done(await init(io, place, options)));
  sync
    .command('push')
    .description('Put what this machine has at the place')
    .option('--again', 'all of it anew, whatever is there: after something at the place was damaged or lost')
    .option('--json', 'print data instead of text')
    .action(async (options: RunOptions) => done(await runPush(io, options)));
  sync
    .command('pull')
    .description('Bring here what your other machines have pushed')
    .option('--no-vectors', 'leave the vectors for later')
    .option('--json', 'print data instead of text')
    .action(async (options: RunOptions) => done(await runPull(io, options)));
  sync
    .command('status')
    .description('Where the place is, what waits to be pushed, and who else is there')
    .addOption(new Option('--auto <state>', 'whether it happens by itself from now on').choices(['on', 'off']))
    .addOption(
      new Option(
        '--memories <state>',
        'whether records and notes of memories in no repository are carried from now on',
      ).choices(['on', 'off']),
    )
    .option('--json', 'print data instead of text')
    .action(async (options: StatusOptions) => done(await status(io, options)));
}

function configFor(io: Io): Config {
  const config = loadConfig({ cwd: io.cwd, env: io.env });
  for (const each of warningsOf(config)) io.err(`WARNING: ${warningText(each)}`);
  return config;
}

async function init(io: Io, place: string, options: InitOptions): Promise<number> {
  const config = configFor(io);
  const opener = await openerFor(io, options);
  const named = /^(?:\w[\w+.-]*:\/\/|[\w.-]+@)/.test(place) ? place : path.resolve(io.cwd, expandHome(place, config));
  const report = await initSync(
    config,
    {
      place: named,
      opener,
      auto: options.auto,
      ...(options.memories ? { memories: true } : {}),
      ...(options.name === undefined ? {} : { label: stripUnsafe(options.name).slice(0, 60) }),
    },
    { env: io.env },
  );
  if (options.json) io.out(JSON.stringify(report));
  else
    io.out(
      [
        `${report.joined ? 'Joined' : 'Set up'} ${stripUnsafe(report.place)} as ${stripUnsafe(report.machine)}.`,
        report.joined
          ? 'Bring here what is there: cairn sync pull'
          : 'Put there what is here: cairn sync push. Then, on each other machine: the same `cairn sync init`, and cairn sync pull',
        options.auto
          ? 'From now on it also happens by itself, when a conversation begins or ends.'
          : 'It happens when you ask for it: cairn sync push, cairn sync pull',
      ].join('\n'),
    );
  return 0;
}

const expandHome = (place: string, { paths }: Config): string =>
  place === '~' || /^~[\\/]/.test(place) ? path.join(paths.home, place.slice(1)) : place;

async function openerFor(io: Io, { keyFile, passphraseFile }: InitOptions): Promise<Opener> {
  if (keyFile !== undefined) return { identities: keysOf(path.resolve(io.cwd, keyFile)) };
  const given = passphraseFile === undefined ? io.env[PASSPHRASE] : await readPassphrase(io, passphraseFile);
  const passphrase = given ?? (await askTwice(io));
  if (passphrase.length >= SHORTEST_PASSPHRASE) return { passphrase };
  throw new CairnError(
    'INPUT_ERROR',
    `A passphrase has at least ${SHORTEST_PASSPHRASE} characters; this has ${passphrase.length}.`,
    {
      fix: 'Whoever gets at the place can try passphrases for as long as they like. Five words that do not belong together are good.',
    },
  );
}

async function readPassphrase(io: Io, file: string): Promise<string> {
  try {
    const text = file === '-' ? await io.readStdin() : fs.readFileSync(path.resolve(io.cwd, file), 'utf8');
    return text.replace(/\r?\n$/, '');
  } catch (error) {
    if (error instanceof CairnError) throw error;
    throw new CairnError('INPUT_ERROR', `The passphrase cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

async function askTwice(io: Io): Promise<string> {
  const ask = io.askSecret;
  if (!io.interactive || !ask)
    throw new CairnError('INPUT_ERROR', 'There is no passphrase, and nobody is there to be asked.', {
      fix: `Set ${PASSPHRASE}, or use --passphrase-file or --key-file.`,
    });
  const first = (await ask('Passphrase for the place of sync: ')) ?? '';
  const second = (await ask('Once more: ')) ?? '';
  if (first === second) return first;
  throw new CairnError('INPUT_ERROR', 'The two are not the same.', { fix: 'Run it again.' });
}

/** With a bar, and ended by Ctrl-C after the step at hand. */
async function watched<T extends { finished: boolean }>(
  io: Io,
  unit: (amount: number) => string,
  work: (options: SyncOptions) => Promise<T>,
): Promise<T> {
  const bar = progressBar({ unit });
  const interrupt = onInterrupt(() => io.err('Stopping after this step …'));
  try {
    return await work({
      env: io.env,
      stopped: interrupt.stopped,
      onProgress: (at, total, what) => bar.update(at, total, what),
    });
  } finally {
    bar.end();
    interrupt.release();
  }
}

const exitOf = ({ finished, problems }: { finished: boolean; problems: readonly string[] }): number =>
  finished ? (problems.length > 0 ? 1 : 0) : INTERRUPTED;

async function runPush(io: Io, { json, again }: RunOptions): Promise<number> {
  const config = configFor(io);
  const report = await watched(io, megabytes, (options) => pushSync(config, { ...options, again: again ?? false }));
  const { conversations, changed, objects, bytes, removed, files, problems, finished } = report;
  if (json) io.out(JSON.stringify(report));
  else {
    const gone = removed > 0 ? `, ${plural(removed, 'object')} removed` : '';
    const notes =
      files > 0 ? `\n${plural(files, 'record or note', 'records and notes')} of memories in no repository.` : '';
    io.out(
      `Pushed: ${plural(conversations, 'conversation')} of this machine are at the place, ${changed} of them new or longer (${plural(objects, 'object')}, ${megabytes(bytes)}${gone}).${notes}`,
    );
    if (!finished) io.out('Interrupted: run it again to go on.');
  }
  for (const each of problems) io.err(`WARNING: ${stripUnsafe(each)}`);
  return exitOf(report);
}

async function runPull(io: Io, { json, vectors = true }: RunOptions): Promise<number> {
  const config = configFor(io);
  const report = await watched(io, String, (options) => pullSync(config, { ...options, vectors }));
  const { conversations, changed, values, forgotten, machines, memories, finished, after } = report;
  const problems = [...report.problems, ...(after?.problems ?? [])];
  if (json) io.out(JSON.stringify({ ...report, problems }));
  else {
    const from =
      machines.length === 0 ? 'no other machine has pushed yet' : `from ${machines.map(stripUnsafe).join(', ')}`;
    io.out(
      [
        `Pulled: ${plural(conversations, 'conversation')} ${from}, ${changed.length} of them new or longer here.`,
        ...(values > 0
          ? [`${plural(values, 'verdict, settled item or setting', 'verdicts, settled items and settings')} changed.`]
          : []),
        ...(memories.files > 0
          ? [
              `${plural(memories.files, 'record or note', 'records and notes')} of memories in no repository changed here.`,
            ]
          : []),
        ...memories.conflicts.map((each) => `Changed on two machines: ${stripUnsafe(each)}`),
        ...(forgotten > 0 ? [`${plural(forgotten, 'request')} to forget from another machine carried out.`] : []),
        ...(finished ? [] : ['Interrupted: run it again to go on.']),
      ].join('\n'),
    );
  }
  for (const each of problems) io.err(`WARNING: ${stripUnsafe(each)}`);
  return exitOf({ finished, problems: report.problems });
}

async function status(io: Io, { json, auto, memories }: StatusOptions): Promise<number> {
  const config = configFor(io);
  if (auto !== undefined) setAutomatic(config, auto === 'on');
  if (memories !== undefined) setMemories(config, memories === 'on');
  const found = await syncStatus(config, { env: io.env });
  io.out(json ? JSON.stringify(found) : pageOf(found).join('\n'));
  return found.configured && found.trouble !== null ? 1 : 0;
}

const day = (time: string | null): string => (time === null ? 'never' : time.slice(0, 16).replace('T', ' '));

function pageOf(found: SyncStatus): string[] {
  if (!found.configured) return ['Sync is not set up on this machine. Say where: cairn sync init FOLDER|GIT-URL'];
  const { place, machine, auto, memories, pushedAt, pulledAt, toPush, toRead, others, trouble, problems } = found;
  return [
    `Place    ${stripUnsafe(place)}`,
    `Machine  ${stripUnsafe(machine)}`,
    `By itself  ${auto ? 'yes, when a conversation begins or ends' : 'no'}`,
    ...(memories === null
      ? []
      : [`Memories   in no repository: ${memories.length === 0 ? 'none' : memories.map(stripUnsafe).join(', ')}`]),
    `Pushed   ${day(pushedAt)}${trouble === null ? `, ${plural(toPush, 'conversation')} to push` : ''}`,
    `Pulled   ${day(pulledAt)}${toRead > 0 ? `, ${plural(toRead, 'conversation')} still to be read in` : ''}`,
    ...others.map(
      (each) => `Other    ${stripUnsafe(each.machine)}, pushed ${day(each.pushedAt)}${each.isNew ? ', to pull' : ''}`,
    ),
    ...(trouble === null ? [] : ['', `WARNING: ${stripUnsafe(trouble)}`]),
    ...problems.map((each) => `WARNING: ${stripUnsafe(each)}`),
  ];
}
