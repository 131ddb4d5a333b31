// The only reader of the environment and of configuration files: finds the project, the memory root and the user's own
// folder, and lays the sources over each other. It never throws for what it finds on disk; it warns and goes on with less.
// Project files come with a clone, from anybody: they may shape the memory of their project, not lead it elsewhere.

import fs from 'node:fs';
import path from 'node:path';
import { messageOf } from '../errors.ts';
import { readText } from '../files/json-file.ts';
import { isInside, realPath } from '../files/paths.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import { isTrusted, type Trust, trustOf } from '../trust/trust.ts';
import {
  currentDirectory,
  DEFAULT_ROOT,
  expandHome,
  findProjectRoot,
  homeOf,
  MAX_CONFIG_BYTES,
  mayHoldMemory,
  PROJECT_FILE,
} from './roots.ts';
import {
  type ConfigSource,
  type ConfigWarning,
  ENVIRONMENT,
  type Layer,
  readSettings,
  type UnknownKey,
  warning,
} from './settings/read-settings.ts';
import { readTyped, readValue, showValue } from './settings/setting-values.ts';
import { type Settings, settingsFor } from './settings/settings.ts';

export { isTrusted, type Trust } from '../trust/trust.ts';
export { warningText } from './settings/read-settings.ts';
export type { ConfigSource, ConfigWarning, UnknownKey };

export type ConfigPaths = {
  projectRoot: string;
  memoryRoot: string;
  userRoot: string;
  userConfig: string;
  projectConfig: string;
  home: string;
  /** Where Claude Code and Codex keep what is theirs, the transcripts among it. */
  clientRoot: string;
  codexRoot: string;
};

export type Config = {
  settings: Settings;
  warnings: ConfigWarning[];
  /** Values that were moved into their range or cut; for `cairn config list`. */
  adjusted: ConfigWarning[];
  /** Keys that mean nothing to Cairn; for `cairn config list`. */
  unknown: UnknownKey[];
  /** Settings of the project that do not count, because the user has not agreed to it. */
  withheld: UnknownKey[];
  /** Whether the memory of the project may speak to the model; looked up when it is first asked for. */
  readonly trust: Trust;
  paths: ConfigPaths;
  /** Hooks do nothing: the user said so, or this process was started by Cairn itself. */
  disabled: boolean;
  sourceOf(key: string): ConfigSource;
};

export type ConfigOptions = {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  projectRoot?: string;
  /** `--root`: wins over everything; relative to `cwd`, as everything on a command line. */
  memoryRoot?: string;
};

/** The older layout kept the settings of its notes here. */
const OLD_FILE = 'config.json';
const OLD_SECTIONS = ['capture', 'injection', 'retention', 'graph'];
const UNTRUSTED =
  'this memory came with the repository and you have not agreed to it: nothing of it is injected, and of its settings only those count that make Cairn do less. Look at it: cairn trust';

export function loadConfig(options: ConfigOptions = {}): Config {
  const env = options.env ?? process.env;
  const warnings: ConfigWarning[] = [];
  const home = homeOf(env);
  const cwd = path.resolve(options.cwd ?? currentDirectory(home));
  const userRoot = userRootOf(env, home, warnings);
  const userConfig = path.join(userRoot, 'config.json');
  const user = readConfigFile(userConfig, warnings);
  const explicit =
    options.memoryRoot === undefined ? undefined : path.resolve(cwd, expandHome(options.memoryRoot, home));
  const projectRoot = options.projectRoot
    ? path.resolve(cwd, options.projectRoot)
    : findProjectRoot(cwd, env, explicit);
  const place = findMemoryRoot({ env, home, userRoot, projectRoot, explicit, user, warnings });
  const asked = { userRoot, projectRoot, memoryRoot: place.root, byUser: place.byUser };
  let known: Trust | undefined;
  const trust = (): Trust => (known ??= trustOf(asked, trustSetting(env, user)));

  const projectConfig = path.join(place.root, PROJECT_FILE);
  const oldFile = path.join(place.root, OLD_FILE);
  const layers: Layer[] = [];
  if (user) layers.push({ source: 'user', file: userConfig, data: user });
  const old = oldFile === userConfig ? undefined : readConfigFile(oldFile, warnings);
  if (old) layers.push({ source: 'project', file: oldFile, data: old, only: OLD_SECTIONS });
  layers.push(...place.layers);

  // Asked here only where a project has something to say: the guard before every write needs it for nothing else.
  const untrusted = layers.some(({ source }) => source === 'project') && !isTrusted(trust());
  const reading = readSettings(untrusted ? layers.map((each) => asUntrusted(each)) : layers, env);
  return {
    settings: reading.settings,
    warnings: [...warnings, ...reading.warnings],
    adjusted: reading.adjusted,
    unknown: reading.unknown,
    withheld: reading.withheld,
    get trust() {
      return trust();
    },
    paths: {
      projectRoot,
      memoryRoot: place.root,
      userRoot,
      userConfig,
      projectConfig,
      home,
      clientRoot: namedFolder(env.CLAUDE_CONFIG_DIR, home) ?? path.join(home, '.claude'),
      codexRoot: namedFolder(env.CODEX_HOME, home) ?? path.join(home, '.codex'),
    },
    disabled: isOn(env.CAIRN_DISABLE) || isOn(env.CAIRN_CHILD),
    sourceOf: reading.sourceOf,
  };
}

/** For a person at a command line: also that the project is not trusted. */
export function warningsOf({ warnings, trust, paths }: Config): ConfigWarning[] {
  return isTrusted(trust)
    ? warnings
    : [...warnings, { file: paths.memoryRoot, key: '', value: '', message: UNTRUSTED }];
}

/** For whoever was given none: this file is the only one that reads it. */
export const environment = (): NodeJS.ProcessEnv => process.env;

const asUntrusted = (layer: Layer): Layer => (layer.source === 'project' ? { ...layer, untrusted: true } : layer);

function trustSetting(env: NodeJS.ProcessEnv, user: JsonObject | undefined): Settings['trust'] {
  return (typed('trust', env.CAIRN_TRUST) ?? written('trust', user?.trust) ?? 'repositories') as Settings['trust'];
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !/^(?:|0|false|no|off)$/i.test(value.trim());
}

function userRootOf(env: NodeJS.ProcessEnv, home: string, warnings: ConfigWarning[]): string {
  const otherwise = path.join(home, '.cairn');
  if (!env.CAIRN_HOME) return otherwise;
  const root = expandHome(env.CAIRN_HOME, home);
  if (path.isAbsolute(root) && !root.includes('\0')) return path.normalize(root);
  // Relative, it would be another folder after each `cd`.
  const at = { file: ENVIRONMENT, key: 'CAIRN_HOME' };
  warnings.push(warning(at, env.CAIRN_HOME, `expected an absolute path; using ${showValue(otherwise)}`));
  return otherwise;
}

function namedFolder(value: string | undefined, home: string): string | undefined {
  const folder = value ? expandHome(value, home) : '';
  return path.isAbsolute(folder) && !folder.includes('\0') ? path.normalize(folder) : undefined;
}

type Search = {
  env: NodeJS.ProcessEnv;
  home: string;
  userRoot: string;
  projectRoot: string;
  explicit: string | undefined;
  user: JsonObject | undefined;
  warnings: ConfigWarning[];
};
type Place = { root: string; layers: Layer[]; byUser: boolean };

function findMemoryRoot(search: Search): Place {
  const { env, home, projectRoot, explicit, user, warnings } = search;
  const standard = path.join(projectRoot, DEFAULT_ROOT);
  const fromHere = (value: string) => path.resolve(projectRoot, expandHome(value, home));
  const chosen = explicit ?? mapText(typed('memory_root', env.CAIRN_MEMORY_ROOT), fromHere);
  if (chosen !== undefined) return rootWith(chosen, search, true);

  const file = path.join(standard, PROJECT_FILE);
  const data = readConfigFile(file, warnings);
  const { memory_root: named, ...rest } = data ?? {};
  const wanted = mapText(written('memory_root', named), fromHere);
  if (wanted !== undefined && wanted !== standard) {
    const refusal = whyNot(wanted, standard, search);
    if (refusal === undefined) {
      warnOfOrphans(file, wanted, rest, warnings);
      const place = rootWith(wanted, search, false);
      return { ...place, layers: [{ source: 'project', file, data: { memory_root: named } }, ...place.layers] };
    }
    warnings.push(warning({ file, key: 'memory_root' }, named, `${refusal}; using ${showValue(DEFAULT_ROOT)}`));
    return { root: standard, layers: [{ source: 'project', file, data: rest }], byUser: false };
  }
  const fromUser = mapText(written('memory_root', user?.memory_root), fromHere);
  if (wanted === undefined && fromUser !== undefined && fromUser !== standard) return rootWith(fromUser, search, true);
  return { root: standard, layers: data ? [{ source: 'project', file, data }] : [], byUser: false };
}

/** A root that was named from outside: its own file cannot move it again. */
function rootWith(root: string, search: Search, byUser: boolean): Place {
  const file = path.join(root, PROJECT_FILE);
  const data = readConfigFile(file, search.warnings);
  if (!data) return { root, layers: [], byUser };
  const { memory_root: named, ...rest } = data;
  const harmless = [root, path.join(search.projectRoot, DEFAULT_ROOT)];
  const meant =
    typeof named === 'string' ? path.resolve(search.projectRoot, expandHome(named, search.home)) : undefined;
  if (named !== undefined && !harmless.includes(meant ?? '') && search.explicit === undefined)
    search.warnings.push(warning({ file, key: 'memory_root' }, named, 'the memory root was chosen elsewhere; ignored'));
  return { root, layers: [{ source: 'project', file, data: rest }], byUser };
}

/** Why a project may not keep its memory there. */
function whyNot(wanted: string, standard: string, search: Search): string | undefined {
  const { userRoot, projectRoot, env, user } = search;
  const outside = 'outside the project and not in your allowed_roots';
  try {
    const project = realPath(projectRoot);
    const real = realPath(wanted);
    if (mayHoldMemory(project, real)) return undefined;
    if (!allowedRoots(search).some((root) => isInside(realPath(root), real))) return outside;
    const pointer = trustOf({ userRoot, projectRoot, memoryRoot: standard, byUser: false }, trustSetting(env, user));
    return pointer.state === 'untrusted' ? 'outside the project, which you have not agreed to' : undefined;
  } catch {
    return outside; // a loop of links, or a folder that we may not look into
  }
}

function allowedRoots({ env, user, home }: Search): string[] {
  const roots = typed('allowed_roots', env.CAIRN_ALLOWED_ROOTS) ?? written('allowed_roots', user?.allowed_roots);
  return ((roots ?? []) as string[]).map((root) => expandHome(root, home)).filter((root) => path.isAbsolute(root));
}

/** Settings beside a `memory_root` that leads away would be lost without a word. */
function warnOfOrphans(file: string, root: string, rest: JsonObject, warnings: ConfigWarning[]): void {
  const keys = Object.keys(rest).filter((key) => key !== '$schema' && key !== 'version');
  if (keys.length > 0)
    warnings.push(
      warning({ file, key: keys.join(', ') }, '…', `ignored; the settings belong in ${path.join(root, PROJECT_FILE)}`),
    );
}

function written(key: string, raw: unknown): unknown {
  const setting = settingsFor().get(key);
  const reading = setting && raw !== undefined ? readValue(setting, raw) : undefined;
  return reading?.ok ? reading.value : undefined;
}

function typed(key: string, text: string | undefined): unknown {
  const setting = settingsFor().get(key);
  const reading = setting && text ? readTyped(setting, text) : undefined;
  return reading?.ok ? reading.value : undefined;
}

function mapText(value: unknown, map: (text: string) => string): string | undefined {
  return typeof value === 'string' ? map(value) : undefined;
}

/** The object in a file; nothing, with a warning unless the file is simply not there, if it holds none. */
function readConfigFile(file: string, warnings: ConfigWarning[]): JsonObject | undefined {
  const refuse = (why: string) => {
    warnings.push({ file, key: '', value: '', message: `the file is not used: ${why}` });
    return undefined;
  };
  let text: string | undefined;
  try {
    // Mostly there is none, and every hook asks: no error is made for that.
    text = fs.statSync(file, { throwIfNoEntry: false }) && readText(file, MAX_CONFIG_BYTES);
  } catch (error) {
    return refuse(messageOf(error).replace(`${file} cannot be read: `, '').replace(/\.$/, ''));
  }
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = parseLenient(text);
  } catch (error) {
    return refuse(`it is not JSON${placeOf(error, text)}`);
  }
  return isObject(value) ? value : refuse(`it holds ${showValue(value)} where an object is expected`);
}

/** NaN and Infinity are not JSON, yet other programs write them. They are let in as numbers that no setting accepts. */
function parseLenient(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!/\b(?:NaN|Infinity)\b/.test(text)) throw error;
    const mark = '\0number:';
    const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g, (token) =>
      token.startsWith('"') ? token : JSON.stringify(mark + token),
    );
    return JSON.parse(marked, (_key, value: unknown) =>
      typeof value === 'string' && value.startsWith(mark) ? Number(value.slice(mark.length)) : value,
    );
  }
}

/** Where the parser gave up. Its own message quotes the file, which may be a link to something private. */
function placeOf(error: unknown, text: string): string {
  const position = /position (\d+)/.exec(messageOf(error))?.[1];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return ` (line ${before.length}, column ${(before.at(-1) ?? '').length + 1})`;
}
