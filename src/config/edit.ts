// Changing a configuration file for a person: the key and the value are checked against the table of settings, everything
// else in the file stays as it is, and two commands at once do not undo each other.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError, messageOf } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { removeFromJson, type SameKey, setInJson } from '../files/edit-json.ts';
import { parseJsonObject, readExactText, readText } from '../files/json-file.ts';
import { type Lock, withLock } from '../files/lock.ts';
import { isInside, realPath } from '../files/paths.ts';
import { isObject, type JsonObject, parseJson } from '../model/json.ts';
import { markFounded, trustOf } from '../trust/trust.ts';
import { type TrustKey, writeMark } from '../trust/trust-mark.ts';
import type { Config } from './load.ts';
import { DEFAULT_ROOT, expandHome, MAX_CONFIG_BYTES, mayHoldMemory, PROJECT_FILE } from './roots.ts';
import { BY_CATEGORY, canonicalKey } from './settings/read-settings.ts';
import { expectedBy, readTyped, readValue, showValue } from './settings/setting-values.ts';
import { CATEGORY_NAMES, isCategoryName, isCustomName, type Setting, settingsFor } from './settings/settings.ts';

export type ConfigScope = 'project' | 'user';
/** What the file held before and holds now; `undefined` is nothing. */
export type ConfigChange = { file: string; old: unknown; now: unknown };
type Scope = { scope: ConfigScope };

/** `key` as in docs/CONFIG.md, or `categories.<name>` with an object to declare a category of your own. */
export async function setConfig(config: Config, key: string, value: string, options: Scope): Promise<ConfigChange> {
  const name = canonicalKey(key.trim());
  const now = valueFor(config, name, value, options.scope);
  if (name === 'memory_root' && options.scope === 'project') return movePointer(config, now as string);
  return change(config, placeOf(config, name, options.scope), name, (text) =>
    setInJson(text, name.split('.'), now, sameKeyOn(name)),
  );
}

/** Removes what the file says, so that the layer below it counts again. Unknown keys can be removed too. */
export async function unsetConfig(config: Config, key: string, options: Scope): Promise<ConfigChange> {
  const name = canonicalKey(key.trim());
  const place = placeOf(config, name, options.scope);
  if (!fs.existsSync(place.file)) return { file: place.file, old: undefined, now: undefined };
  return change(config, place, name, (text) => removeFromJson(text, name.split('.'), sameKeyOn(name)));
}

/** What the user's own file says that would mean the same on another machine of theirs. */
export function portableSettings({ paths }: Config): Map<string, unknown> {
  const said = parseJsonObject(readText(paths.userConfig, MAX_CONFIG_BYTES) ?? '{}', paths.userConfig);
  const categories = Object.keys(isObject(said.categories) ? said.categories : {}).filter(isCustomName);
  const found = new Map<string, unknown>();
  for (const row of settingsFor(categories).values()) {
    const value = isPortable(row) ? valueAt(said, row.path) : undefined;
    if (value !== undefined && isUsable(row, value)) found.set(row.path, value);
  }
  return found;
}

/** What could send something away, leads to a place on the disk, or is for this machine alone to decide, stays on it. */
const isPortable = ({ userOnly, path: name }: Setting): boolean => !userOnly && name !== 'memory_root';

function isUsable(row: Setting, value: unknown): boolean {
  const reading = readValue(row, value);
  return reading.ok && !reading.changed;
}

/** A setting that came from another machine; `undefined` takes it back. False if it means nothing here. */
export async function setPortable(config: Config, name: string, value: unknown): Promise<boolean> {
  const category = /^categories\.([^.]+)\./.exec(name)?.[1];
  const custom = category !== undefined && isCustomName(category) ? [category] : [];
  const row = settingsFor([...new Set([...customNames(config), ...custom])]).get(name);
  if (!row || !isPortable(row) || (value !== undefined && !isUsable(row, value))) return false;
  const edit = (text: string): string =>
    value === undefined
      ? removeFromJson(text, name.split('.'), sameKeyOn(name))
      : setInJson(text, name.split('.'), value, sameKeyOn(name));
  await change(config, placeOf(config, name, 'user'), name, edit);
  return true;
}

/** Whether the file says more than where the memory is. */
export function holdsSettings(file: string): boolean {
  try {
    return Object.keys(parseJsonObject(readText(file) ?? '{}', file)).some((key) => key !== 'memory_root');
  } catch (error) {
    if (error instanceof CairnError) return false;
    throw error;
  }
}

/** The setting that was probably meant, or nothing. */
export function nearestSetting(config: Config, key: string): string | undefined {
  const wanted = canonicalKey(key.trim());
  const known = [...settingsFor(customNames(config)).keys()];
  const byEnd = known.filter((path) => path.endsWith(`.${wanted}`));
  if (byEnd.length === 1) return byEnd[0];
  const ranked = known.map((path) => [distance(wanted, path), path] as const).sort((a, b) => a[0] - b[0]);
  const [best] = ranked;
  return best && best[0] <= Math.max(2, Math.floor(wanted.length / 5)) ? best[1] : undefined;
}

function customNames(config: Config): string[] {
  return Object.keys(config.settings.categories).filter((name) => !isCategoryName(name));
}

// --- what may be set ---

function valueFor(config: Config, name: string, typed: string, scope: ConfigScope): unknown {
  const category = /^categories\.([^.]+)(\..+)?$/.exec(name);
  const custom = category?.[1] && isCustomName(category[1]) ? category[1] : undefined;
  if (custom && category?.[2] === undefined) return declaredCategory(config, custom, typed);
  const existing = customNames(config);
  if (custom && !existing.includes(custom)) refuseMisspelling(custom, name);
  const row = settingsFor(custom ? [...existing, custom] : existing).get(name);
  if (!row) throw unknownKey(config, name);
  if (row.userOnly && scope !== 'user')
    throw new CairnError('CONFIG_ERROR', `${name} cannot be set for a project: projects come from other people.`, {
      fix: `Set it for yourself: cairn config set --user ${name} ${typed}`,
    });
  const reading = readTyped(row, typed);
  if (!reading.ok || reading.changed) throw badValue(row, typed);
  return settled(config, row, reading.value);
}

/** What the table cannot say about one value alone. */
function settled(config: Config, row: Setting, value: unknown): unknown {
  const categories = Object.entries(config.settings.categories);
  const owner = row.path.split('.')[1];
  if (row.path === `categories.${owner}.folder`) {
    const other = categories.find(([name, category]) => name !== owner && category.folder === value);
    if (other)
      throw new CairnError('CONFIG_ERROR', `The folder "${String(value)}" belongs to the category ${other[0]}.`);
  }
  if (row.path === `categories.${owner}.required`) {
    const fields = config.settings.categories[owner ?? '']?.fields ?? {};
    const stray = (value as readonly string[]).find((field) => !Object.hasOwn(fields, field));
    if (stray !== undefined)
      throw new CairnError('CONFIG_ERROR', `The category ${owner} has no field "${stray}".`, {
        fix: `Declare it first: cairn config set categories.${owner}.fields '{"${stray}": "text"}'`,
      });
  }
  return value;
}

function declaredCategory(config: Config, name: string, typed: string): JsonObject {
  const value = parseJson(typed);
  if (!isObject(value))
    throw new CairnError('CONFIG_ERROR', `categories.${name} is ${showValue(typed)}: expected an object.`, {
      fix: `For example: cairn config set categories.${name} '{"description": "What it is for", "fields": {"summary": "text"}}'`,
    });
  const rows = settingsFor([...new Set([...customNames(config), name])]);
  for (const [key, raw] of Object.entries(value)) {
    const row = rows.get(`categories.${name}.${key}`);
    if (!row) throw unknownKey(config, `categories.${name}.${key}`);
    const reading = readValue(row, raw);
    if (!reading.ok || reading.changed) throw badValue(row, showValue(raw));
    if (key === 'folder') settled(config, row, reading.value);
  }
  const fields = isObject(value.fields) ? value.fields : {};
  const stray = ((value.required as string[] | undefined) ?? []).find((field) => !Object.hasOwn(fields, field));
  if (stray !== undefined) throw new CairnError('CONFIG_ERROR', `The category ${name} has no field "${stray}".`);
  return value;
}

/** One letter wrong would otherwise found a new category, and the setting would seem to have no effect. */
function refuseMisspelling(custom: string, name: string): void {
  for (const known of CATEGORY_NAMES)
    if (distance(custom, known) <= 2)
      throw new CairnError('CONFIG_ERROR', `There is no category "${custom}".`, {
        fix: `Did you mean ${name.replace(custom, known)}? To declare a new one: cairn config set categories.${custom} '{}'`,
      });
}

function unknownKey(config: Config, name: string): CairnError {
  const near = nearestSetting(config, name);
  return new CairnError('CONFIG_ERROR', `There is no setting ${showValue(name)}.`, {
    details: [['key', name]],
    fix: near ? `Did you mean ${near}?` : 'cairn config list shows every setting.',
  });
}

function badValue(row: Setting, typed: string): CairnError {
  return new CairnError('CONFIG_ERROR', `${row.path} cannot be ${showValue(typed)}.`, {
    details: [['key', row.path]],
    fix: `It takes ${expectedBy(row)}.`,
  });
}

/** Edit distance; short words only, so the plain table is good enough. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    let left = i + 1;
    const next = [left];
    for (const [j, other] of [...b].entries()) {
      left = Math.min((row[j + 1] ?? 0) + 1, left + 1, (row[j] ?? 0) + (letter === other ? 0 : 1));
      next.push(left);
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

// --- where it is written ---

type Place = { file: string; lock: string; mode: number; founds?: TrustKey };

/** The lock of the memory root: the records' writers read this file under it. */
const LOCK = '.index.lockdir';

function placeOf(config: Config, name: string, scope: ConfigScope): Place {
  const { userRoot, userConfig, projectRoot, memoryRoot } = config.paths;
  // People keep this file in a dotfiles repository and link to it: write where the link leads.
  if (scope === 'user') {
    const file = follow(userConfig);
    return { file, lock: path.join(userRoot, '.config.lockdir'), mode: 0o600 };
  }
  // The root is named from the place where everybody looks first, even after it was moved.
  const root = name === 'memory_root' ? path.join(projectRoot, DEFAULT_ROOT) : memoryRoot;
  const file = path.join(root, PROJECT_FILE);
  if (isInside(follow(root), follow(file)))
    return { file: follow(file), lock: path.join(root, LOCK), mode: 0o644, founds: trustKey(config, root) };
  throw new CairnError('PATH_ERROR', `${file} is a link that leads out of the memory root.`, {
    details: [['target', follow(file)]],
    fix: 'Replace the link by the file itself.',
  });
}

function trustKey({ paths, trust }: Config, memoryRoot: string): TrustKey {
  if (memoryRoot === paths.memoryRoot) return trust.key;
  return trustOf({ ...paths, memoryRoot, byUser: false }, 'always').key;
}

function follow(file: string): string {
  try {
    return realPath(file);
  } catch (error) {
    throw unusable(file, messageOf(error), error);
  }
}

async function change(
  config: Config,
  place: Place,
  name: string,
  edit: (text: string) => string,
): Promise<ConfigChange> {
  try {
    if (place.founds) markFounded(config.paths.userRoot, { key: place.founds }, new Date());
    fs.mkdirSync(path.dirname(place.lock), { recursive: true, ...(place.mode === 0o600 ? { mode: 0o700 } : {}) });
    const work = (lock: Lock): ConfigChange => {
      const whole = readExactText(place.file, MAX_CONFIG_BYTES) ?? '{}\n';
      const mark = whole.startsWith('\uFEFF') ? '\uFEFF' : ''; // some editors begin a file with it; it is not JSON's
      const text = whole.slice(mark.length);
      const before = objectIn(text, place.file);
      const edited = edit(text);
      if (edited !== text)
        atomicWrite(place.file, mark + edited, { mode: place.mode, beforeCommit: () => lock.assertHeld() });
      return { file: place.file, old: valueAt(before, name), now: valueAt(objectIn(edited, place.file), name) };
    };
    // The writers of records have the same lock as a project's settings, and know how to repair what one of them left. Where there are
    // only settings, as after the memory was moved, none of them will come, and there is nothing to repair.
    const repair = (): boolean => hasOnlySettings(path.dirname(place.lock));
    return await withLock(place.lock, work, place.founds ? { repair } : {});
  } catch (error) {
    if (error instanceof CairnError && error.code !== 'READ_ERROR') throw error;
    if (isSystemError(error)) throw notWritten(place.file, error);
    throw unusable(place.file, messageOf(error).replace(/\.$/, ''), error);
  }
}

const hasOnlySettings = (root: string): boolean =>
  fs.readdirSync(root).every((name) => name === PROJECT_FILE || name.startsWith('.'));

/** A file that cannot be understood is not overwritten: it may be one comma away from what its owner meant. */
function objectIn(text: string, file: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw unusable(file, `it is not JSON (${messageOf(error)})`, error);
  }
  if (!isObject(value)) throw unusable(file, 'it does not hold an object');
  return value;
}

/** Nothing is wrong with the file: advice to remove it would be the worst of all. */
const notWritten = (file: string, error: unknown): CairnError =>
  new CairnError('CONFIG_ERROR', `${file} cannot be changed: ${messageOf(error)}.`, {
    cause: error,
    details: [['target', file]],
    fix: 'Nothing was changed. Put right what is in the way, then run the command again.',
  });

function unusable(file: string, why: string, cause?: unknown): CairnError {
  return new CairnError('CONFIG_ERROR', `${file} cannot be changed: ${why}.`, {
    details: [['target', file]],
    fix: 'Repair the file by hand, or remove it.',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Names of categories are written in any case, everything else exactly. */
function sameKeyOn(name: string): SameKey {
  const keys = name.split('.');
  return (existing, wanted, depth) =>
    existing === wanted ||
    (BY_CATEGORY.includes(keys.slice(0, depth).join('.')) && existing.toLowerCase() === wanted.toLowerCase());
}

function valueAt(data: JsonObject, name: string): unknown {
  const same = sameKeyOn(name);
  let value: unknown = data;
  for (const [depth, key] of name.split('.').entries()) {
    if (!isObject(value)) return undefined;
    const found = Object.keys(value).findLast((existing) => same(existing, key, depth));
    value = found === undefined ? undefined : value[found];
  }
  return value;
}

// --- moving the root ---

/**
 * The file at the usual place becomes a pointer. What else it said goes along, unless there is a file at the new place.
 * A root outside the project also enters the user's list: on this machine it was the user who chose it.
 */
async function movePointer(config: Config, wanted: string): Promise<ConfigChange> {
  const { projectRoot, home } = config.paths;
  const pointer = placeOf(config, 'memory_root', 'project');
  const root = path.resolve(projectRoot, expandHome(wanted, home));
  const [project, real] = [realPath(projectRoot), realPath(root)];
  const key = trustKey(config, root);
  if (!isInside(project, real)) {
    await allowRoot(config, real);
    writeMark(config.paths.userRoot, key, { by: 'agreed', now: new Date() });
  } else if (!mayHoldMemory(project, real))
    throw new CairnError('CONFIG_ERROR', `memory_root cannot be ${showValue(wanted)}: it is not a folder of its own.`, {
      fix: 'Name a folder below the project, such as docs/memory.',
    });
  return change(config, pointer, 'memory_root', (text) => {
    const moved = path.join(root, PROJECT_FILE);
    const rest = removeFromJson(text, ['memory_root']);
    const carries = Object.keys(objectIn(rest, pointer.file)).length > 0;
    if (!carries || real === realPath(path.dirname(pointer.file)) || isAnother(moved, rest))
      return setInJson(text, ['memory_root'], wanted);
    markFounded(config.paths.userRoot, { key }, new Date());
    fs.mkdirSync(root, { recursive: true });
    atomicWrite(moved, rest);
    return setInJson('{}\n', ['memory_root'], wanted);
  });
}

/** A file that says the same is what an earlier try left behind. */
const isAnother = (file: string, text: string): boolean => (readText(file, MAX_CONFIG_BYTES) ?? text) !== text;

async function allowRoot(config: Config, root: string): Promise<void> {
  const { home } = config.paths;
  await change(config, placeOf(config, 'allowed_roots', 'user'), 'allowed_roots', (text) => {
    const listed = valueAt(objectIn(text, config.paths.userConfig), 'allowed_roots');
    const roots = Array.isArray(listed) ? listed.filter((item): item is string => typeof item === 'string') : [];
    const known = roots.some((item) => isInside(expandHome(item, home), root));
    return known ? text : setInJson(text, ['allowed_roots'], [...roots, root]);
  });
}
