// `cairn config`: read and change settings, see where each comes from.

import fs from 'node:fs';
import type { Command } from 'commander';
import { Memory } from '../../../app/memory.ts';
import { holdsSettings, setConfig, unsetConfig } from '../../../config/edit.ts';
import { type Config, loadConfig, warningsOf, warningText } from '../../../config/load.ts';
import { isCategoryName, settingsFor } from '../../../config/settings/settings.ts';
import { CairnError, isSystemError } from '../../../errors.ts';
import { stripUnsafe } from '../../../model/text.ts';
import type { Io } from '../io.ts';

export function configCommand(program: Command, io: Io): void {
  const config = program
    .command('config')
    .description('Read and change settings')
    .action(() => config.help());
  getCommand(config, io);
  listCommand(config, io);
  changeCommand(config, io, 'set');
  changeCommand(config, io, 'unset');
  pathCommand(config, io);
}

function getCommand(config: Command, io: Io): void {
  config
    .command('get')
    .description('Print one setting')
    .argument('<key>', 'such as retrieval.max_inject')
    .option('--json', 'print key, value and source')
    .action((key: string, options: { json?: true }) => {
      const loaded = load(io);
      const value = settingAt(loaded, key);
      io.out(options.json ? JSON.stringify({ key, value, source: loaded.sourceOf(key) }) : asText(value));
    });
}

function listCommand(config: Command, io: Io): void {
  config
    .command('list')
    .description('Print every setting with its value and where it comes from')
    .option('--json', 'print data instead of text')
    .action((options: { json?: true }) => {
      const loaded = load(io);
      const { paths, warnings, unknown, withheld } = loaded;
      const rows = keysOf(loaded).map((key) => ({ key, value: settingAt(loaded, key), source: loaded.sourceOf(key) }));
      for (const each of loaded.adjusted) io.err(`NOTE: ${warningText(each)}`);
      for (const each of unknown) io.err(`NOTE: ${each.file}: ${each.key} means nothing to Cairn`);
      for (const each of withheld)
        io.err(`NOTE: ${each.file}: ${each.key} does not count before you agree (cairn trust)`);
      if (options.json) io.out(JSON.stringify({ paths, settings: rows, warnings, unknown, withheld }));
      else
        io.out(
          rows
            .map(({ key, value, source }) => `${key} = ${asText(value)}${source === 'default' ? '' : `  (${source})`}`)
            .join('\n'),
        );
    });
}

const SAYS = { set: 'Change a setting', unset: 'Take a setting back to its default' };

function changeCommand(config: Command, io: Io, name: 'set' | 'unset'): void {
  const command = config.command(name).description(SAYS[name]).argument('<key>', 'such as retrieval.max_inject');
  if (name === 'set') command.argument('<value>', 'the new value; JSON for lists');
  command
    .option('--user', 'for all your projects (~/.cairn/config.json) instead of this one')
    .option('--json', 'print data instead of text')
    .action(async (key: string, ...rest: unknown[]) => {
      const options = rest[name === 'set' ? 1 : 0] as { user?: true; json?: true };
      const scope = { scope: options.user ? ('user' as const) : ('project' as const) };
      const loaded = load(io);
      const change =
        name === 'set' ? await setConfig(loaded, key, rest[0] as string, scope) : await unsetConfig(loaded, key, scope);
      const said = `${key}: ${asText(change.old)} -> ${asText(change.now)}  (${change.file})`;
      io.out(options.json ? JSON.stringify({ key, ...change }) : said);
      const now = loadConfig({ cwd: io.cwd, env: io.env });
      if (now.sourceOf(key) === 'env') io.err(`NOTE: the environment sets ${key} too, and wins.`);
      if (key.startsWith('categories.')) for (const each of new Memory(now).strayFolders()) io.err(`NOTE: ${each}`);
      if (key === 'capture.commit_sessions') await new Memory(now).followSharing();
      const [from, to] = [loaded.paths.memoryRoot, now.paths.memoryRoot];
      if (from !== to && hasFolders(from))
        io.err(
          `NOTE: what was saved stays in ${from}. To take it along, move its folders to ${to}, then: cairn index --rebuild`,
        );
      const [was, is] = [loaded.paths.projectConfig, now.paths.projectConfig];
      if (was !== is && holdsSettings(was))
        io.err(
          `NOTE: the settings of the project stay in ${was} and do not count any more. To keep them, move it to ${is}`,
        );
    });
}

/** Records and notes lie in folders. */
function hasFolders(root: string): boolean {
  try {
    return fs.readdirSync(root, { withFileTypes: true }).some((entry) => entry.isDirectory());
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

function pathCommand(config: Command, io: Io): void {
  config
    .command('path')
    .description('Print where the settings and the memory are')
    .option('--json', 'print data instead of text')
    .action((options: { json?: true }) => {
      const { paths } = load(io);
      const lines = [
        `project config  ${paths.projectConfig}`,
        `user config     ${paths.userConfig}`,
        `memory root     ${paths.memoryRoot}`,
        `project root    ${paths.projectRoot}`,
      ];
      io.out(options.json ? JSON.stringify(paths) : lines.join('\n'));
    });
}

function load(io: Io): Config {
  const loaded = loadConfig({ cwd: io.cwd, env: io.env });
  for (const each of warningsOf(loaded)) io.err(`WARNING: ${warningText(each)}`);
  return loaded;
}

const keysOf = (config: Config): string[] => {
  const custom = Object.keys(config.settings.categories).filter((name) => !isCategoryName(name));
  return [...settingsFor(custom).keys()].filter((key) => isSet(config, key));
};

/** Some settings of custom categories do not exist until somebody sets them. */
function isSet(config: Config, key: string): boolean {
  try {
    return settingAt(config, key) !== undefined;
  } catch {
    return false;
  }
}

function settingAt(config: Config, key: string): unknown {
  let value: unknown = config.settings;
  for (const part of key.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) {
      throw new CairnError('CONFIG_ERROR', `There is no setting ${JSON.stringify(key)}.`, {
        fix: '`cairn config list` shows them all.',
      });
    }
    value = (value as { [part: string]: unknown })[part];
  }
  return value;
}

/** A project's file may say anything, and a terminal would obey it. */
const asText = (value: unknown): string =>
  typeof value === 'string' ? stripUnsafe(value) : value === undefined ? '(not set)' : JSON.stringify(value);
