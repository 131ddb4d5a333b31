// `cairn install` and `cairn uninstall`: the plugin registered with Claude Code, or the memory's tools with another client. Both can
// be repeated, show with --dry-run what they would do, and never touch the memory.

import fs from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import {
  ClaudeClient,
  findProgram,
  installCommands,
  isHere,
  type RegisteredPlugin,
  type Scope,
  uninstallCommands,
} from '../../../app/install/claude-client.ts';
import { addServer, clientFile, MCP_CLIENTS, type McpClient, removeServer } from '../../../app/install/mcp-clients.ts';
import { isTemporary, packageLocation } from '../../../app/install/package-location.ts';
import { type FileChange, makeChange } from '../../../app/install/planned-change.ts';
import { type HookWay, pluginChanges, pluginFolder, registeredWay } from '../../../app/install/plugin-files.ts';
import { type Config, loadConfig, warningText } from '../../../config/load.ts';
import { CairnError } from '../../../errors.ts';
import type { Io } from '../io.ts';

/** More of them are counted, not listed. */
const SHOWN_FILES = 5;

type Options = { scope: Scope; client: 'claude' | McpClient; hooks?: HookWay; dryRun?: true; json?: true };

/** What a run means to do, and how it went. */
type Job = {
  changes: readonly FileChange[];
  /** Arguments for `claude`. */
  commands: readonly (readonly string[])[];
  /** Lines for the user when all is done. */
  done: readonly string[];
  /** Where most of the files are. */
  folder?: string;
  /** Files of the client that the commands change. */
  theirs?: readonly string[];
  /** Nobody is there to run the commands. */
  byHand?: true;
  /** Made when the commands have run. */
  later?: readonly FileChange[];
};

export function installCommand(program: Command, io: Io, done: (exit: number) => void): void {
  const command = (name: string, about: string): Command =>
    program
      .command(name)
      .description(about)
      .addOption(
        new Option('--scope <scope>', 'for you, for everybody in this project, or for you in this project')
          .choices(['user', 'project', 'local'])
          .default('user'),
      )
      .addOption(new Option('--client <name>', 'the client').choices(['claude', ...MCP_CLIENTS]).default('claude'))
      .option('--dry-run', 'show each file that would change and each command that would run; do nothing')
      .option('--json', 'print data instead of text');
  command('install', 'Register the plugin with Claude Code, or the memory tools with another client')
    .addOption(
      new Option('--hooks <way>', 'warm: through the running MCP server; command: one process for each event').choices([
        'warm',
        'command',
      ]),
    )
    .action(async (options: Options) => done(await carryOut(io, options, installJob)));
  command('uninstall', 'Take the plugin, or the tools, out again; the memory stays').action(async (options: Options) =>
    done(await carryOut(io, options, uninstallJob)),
  );
}

type Maker = (context: Context) => Promise<Job>;
type Context = { io: Io; options: Options; config: Config; claude: ClaudeClient | undefined };

async function carryOut(io: Io, options: Options, make: Maker): Promise<number> {
  const config = loadConfig({ cwd: io.cwd, env: io.env });
  for (const each of config.warnings) io.err(`WARNING: ${warningText(each)}`);
  const file = options.client === 'claude' ? findProgram('claude', io.env) : undefined;
  const claude =
    file === undefined ? undefined : new ClaudeClient(file, { env: io.env, cwd: config.paths.projectRoot });
  const job = await make({ io, options, config, claude });
  if (!options.dryRun) {
    for (const change of job.changes) makeChange(change);
    if (!job.byHand) for (const command of job.commands) await claude?.run(command);
    for (const change of job.later ?? []) makeChange(change);
  }
  if (options.json) io.out(JSON.stringify(asData(job, options)));
  else for (const line of asText(job, options)) io.out(line);
  return job.byHand && !options.dryRun ? 1 : 0;
}

const asData = ({ changes, later = [], commands, byHand }: Job, { dryRun }: Options): object => ({
  dry_run: dryRun === true,
  files: [...changes, ...later].map(({ file, what }) => ({ file, what })),
  commands: commands.map((words) => ['claude', ...words]),
  left_to_you: byHand === true,
});

function asText(job: Job, { dryRun }: Options): string[] {
  const { changes, later = [], commands, done, byHand } = job;
  const verb = (what: FileChange['what']): string =>
    dryRun ? `would ${what}` : { create: 'created', change: 'changed', remove: 'removed' }[what];
  const all = [...changes, ...later];
  const lines =
    !dryRun && all.length > SHOWN_FILES
      ? [`wrote ${all.length} files below ${job.folder}`]
      : all.map(({ file, what, backup }) =>
          backup && what === 'change'
            ? `${verb(what)} ${file} (the old one is kept beside it)`
            : `${verb(what)} ${file}`,
        );
  const run = commands.map((words) => `  claude ${words.map(quoted).join(' ')}`);
  if (byHand) {
    if (run.length > 0) lines.push('There is no `claude` on your PATH. Run this where there is one:', ...run);
  } else if (run.length > 0) {
    lines.push(dryRun ? 'would run:' : 'ran:', ...run);
    if (dryRun) lines.push('which changes, by the client itself:', ...(job.theirs ?? []).map((file) => `  ${file}`));
  }
  if (dryRun) return lines.length > 0 ? lines : ['Nothing would change.'];
  return [...lines, ...done];
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

async function installJob(context: Context): Promise<Job> {
  const { options, config, io, claude } = context;
  const place = packageLocation();
  if (!fs.existsSync(place.program))
    throw new CairnError('NOT_FOUND', `The program ${place.program} is not there.`, {
      fix: 'Install the package again.',
    });
  if (isTemporary(place.root))
    io.err(`WARNING: ${place.root} belongs to a package runner and may vanish. Install the package for good first.`);
  if (options.client !== 'claude') return addToClient(context, options.client, place.program);
  const folder = pluginFolder(config.paths.userRoot);
  const changes = pluginChanges(place, folder, options.hooks ?? registeredWay(folder));
  const wanted = installCommands(folder, options.scope);
  const common = { changes, folder, theirs: filesOfClient(config, options.scope) };
  const done = [
    'Cairn is installed. It works from the next conversation on; nothing else is needed.',
    'Past conversations of this project: cairn backfill. How it is: cairn doctor.',
  ];
  if (!claude) return { ...common, commands: wanted, done: [], byHand: true };
  const here = (await claude.registered()).filter((each) => isHere(each, options.scope, config.paths.projectRoot));
  if (here.length > 0 && changes.length === 0 && here.every(({ enabled }) => enabled))
    return { changes, commands: [], done: [`Cairn is installed already (${options.scope}).`] };
  // A client that keeps a copy would go on with the old one.
  const stale = here.filter(isCopy).length > 0 ? uninstallCommands(options.scope, false) : [];
  return { ...common, commands: [...stale, ...wanted], done };
}

function filesOfClient({ paths: { clientRoot, projectRoot } }: Config, scope: Scope): string[] {
  const ofProject = path.join(projectRoot, '.claude', scope === 'local' ? 'settings.local.json' : 'settings.json');
  const own = ['settings.json', 'plugins/known_marketplaces.json', 'plugins/installed_plugins.json'];
  return [...(scope === 'user' ? [] : [ofProject]), ...own.map((name) => path.join(clientRoot, name))];
}

const isCopy = ({ readFromFolder }: RegisteredPlugin): boolean => readFromFolder === undefined;

async function addToClient({ options, config, io }: Context, client: McpClient, program: string): Promise<Job> {
  const file = clientFile(client, options.scope, { ...config.paths, env: io.env });
  const change = await addServer(client, file, { command: process.execPath, args: [program, 'mcp'] });
  return {
    changes: change ? [change] : [],
    commands: [],
    done: [`${client} starts Cairn's memory tools from ${file}${change ? '' : ' already'}. Restart it if it runs.`],
  };
}

async function uninstallJob({ options, config, io, claude }: Context): Promise<Job> {
  const { memoryRoot, userRoot } = config.paths;
  const stays = [`Your memory stays where it is: ${memoryRoot} (this project), ${userRoot} (conversations, settings).`];
  if (options.client !== 'claude') {
    const file = clientFile(options.client, options.scope, { ...config.paths, env: io.env });
    const change = await removeServer(options.client, file);
    const said = change ? `${options.client} no longer knows Cairn.` : `There is no entry of Cairn in ${file}.`;
    return { changes: change ? [change] : [], commands: [], done: [said, ...stays] };
  }
  const folder = pluginFolder(userRoot);
  if (!claude) return { changes: [], commands: uninstallCommands(options.scope, true), done: [], byHand: true };
  const registered = await claude.registered();
  const others = registered.filter((each) => !isHere(each, options.scope, config.paths.projectRoot));
  if (others.length === registered.length) {
    const elsewhere = others.length > 0 ? ` It is in: ${others.map(({ scope }) => scope).join(', ')}.` : '';
    return { changes: [], commands: [], done: [`Cairn is not installed (${options.scope}).${elsewhere}`, ...stays] };
  }
  const last = others.length === 0;
  return {
    changes: [],
    theirs: filesOfClient(config, options.scope),
    commands: uninstallCommands(options.scope, last),
    later: last && fs.existsSync(folder) ? [{ file: folder, what: 'remove' }] : [],
    done: [`Cairn is uninstalled (${options.scope}).`, ...stays],
  };
}
