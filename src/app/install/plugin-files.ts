// The plugin as it is registered with the client: a copy in the user's own folder whose hooks name this program by its full path.
// A client may read a marketplace in place or copy it into its cache; neither may break what the plugin starts.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { CairnError } from '../../errors.ts';
import { parseJsonObject, readText } from '../../files/json-file.ts';
import { isObject, type JsonObject } from '../../model/json.ts';
import { parseAs, text } from '../../model/schema.ts';
import type { PackageLocation } from './package-location.ts';
import { changeTo, type FileChange } from './planned-change.ts';

export type HookWay = 'warm' | 'command';

export const MARKETPLACE = 'cairn';
const PLUGIN = 'memory';
export const PLUGIN_ID: string = `${PLUGIN}@${MARKETPLACE}`;

/** How the shipped declarations name the package around them. */
const OUTSIDE = ['$', '{CLAUDE_PLUGIN_ROOT}/../'].join('');
const HOOKS = path.join('hooks', 'hooks.json');
const LAUNCHER = path.join('bin', 'cairn');

export const pluginFolder = (userRoot: string): string => path.join(userRoot, 'plugin');

/** What must be written below `folder`, and what of an earlier version must go. */
export function pluginChanges(place: PackageLocation, folder: string, way?: HookWay): FileChange[] {
  const wanted = new Map<string, { content: string; mode: number }>();
  const put = (name: string, content: string, mode = 0o600): void => void wanted.set(name, { content, mode });
  put(path.join('.claude-plugin', 'marketplace.json'), marketplace(place));
  const hooks = hooksFile(place, way);
  for (const name of shippedFiles(place.plugin)) {
    if (path.dirname(name) === 'hooks' && name !== HOOKS) continue; // the other way of hooks, or notes about them
    const target = path.join(PLUGIN, name);
    if (name === LAUNCHER) put(target, launcher(place), 0o700);
    else if (name === HOOKS) put(target, pointed(place, hooks));
    else put(target, name.endsWith('.json') ? pointed(place, name) : textOf(place, name));
  }
  const changes = [...wanted].map(([name, { content, mode }]) => changeTo(path.join(folder, name), content, { mode }));
  return [...changes.filter((each) => each !== undefined), ...removals(folder, wanted)];
}

/** The way that the registered copy goes; `undefined` if there is none. */
export function registeredWay(folder: string): HookWay | undefined {
  const text = readText(path.join(folder, PLUGIN, HOOKS));
  return text === undefined ? undefined : wayOf(text);
}

/** The program that the registered copy starts. */
export function registeredProgram(folder: string): string | undefined {
  const hooks = readText(path.join(folder, PLUGIN, HOOKS)) ?? '';
  const written = /"((?:[^"\\]|\\.)*main\.js)"/.exec(hooks)?.[1];
  return written === undefined ? undefined : parseAs(text(), `"${written}"`);
}

const wayOf = (hooks: string): HookWay => (/"type":\s*"mcp_tool"/.test(hooks) ? 'warm' : 'command');

/** The shipped file that goes the wanted way; without a wish the warm one, where there is one. */
function hooksFile(place: PackageLocation, way: HookWay | undefined): string {
  const files = shippedFiles(place.plugin).filter((name) => path.dirname(name) === 'hooks' && name.endsWith('.json'));
  const found = files.find((name) => wayOf(textOf(place, name)) === (way ?? 'warm'));
  if (found !== undefined) return found;
  if (way === undefined) return HOOKS;
  throw new CairnError('CONFIG_ERROR', `This version has no ${way} hooks.`, {
    fix: `Leave out --hooks ${way}.`,
  });
}

function shippedFiles(plugin: string): string[] {
  return fs
    .readdirSync(plugin, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(plugin, path.join(entry.parentPath, entry.name)))
    .sort();
}

function textOf(place: PackageLocation, name: string): string {
  const text = readText(path.join(place.plugin, name));
  if (text === undefined) throw new CairnError('NOT_FOUND', `The plugin has no ${name}.`);
  return text;
}

function pointed(place: PackageLocation, name: string): string {
  const file = path.join(place.plugin, name);
  const value = pointing(parseJsonObject(textOf(place, name), file), place.root);
  return `${JSON.stringify(value, null, 2)}\n`;
}

function pointing(value: unknown, root: string): unknown {
  if (typeof value === 'string')
    return value.startsWith(OUTSIDE) ? path.join(root, value.slice(OUTSIDE.length)) : value;
  if (Array.isArray(value)) return value.map((each) => pointing(each, root));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, pointing(each, root)]));
}

const launcher = ({ program }: PackageLocation): string =>
  `#!/usr/bin/env node\nimport(${JSON.stringify(pathToFileURL(program).href)});\n`;

function marketplace({ root }: PackageLocation): string {
  const file = path.join(root, '.claude-plugin', 'marketplace.json');
  const text = readText(file);
  if (text === undefined)
    throw new CairnError('NOT_FOUND', `There is no ${file}.`, { fix: 'Install the package again.' });
  const value = parseJsonObject(text, file);
  const plugins = (value.plugins as JsonObject[]).map((each) => ({ ...each, source: `./${PLUGIN}` }));
  return `${JSON.stringify({ ...value, plugins }, null, 2)}\n`;
}

function removals(folder: string, wanted: ReadonlyMap<string, unknown>): FileChange[] {
  if (!fs.existsSync(path.join(folder, PLUGIN))) return [];
  return shippedFiles(folder)
    .filter((name) => !wanted.has(name))
    .map((name) => ({ file: path.join(folder, name), what: 'remove' as const }));
}
