// Several sources, one answer: lays the layers of configuration over the defaults, value by value. A value that cannot
// be used leaves the layer below it in force and is named in a warning; nothing in a file can make this throw.

import { isObject } from '../../model/json.ts';
import { expectedBy, plainText, type Reading, readTyped, readValue, showValue } from './setting-values.ts';
import {
  type CategorySettings,
  envNameOf,
  isCategoryName,
  isCustomName,
  nestSettings,
  type Setting,
  type Settings,
  settingsFor,
} from './settings.ts';

export type ConfigSource = 'default' | 'user' | 'project' | 'env';
/** `message` says what is wrong and what is used instead; `warningText` makes a line of the whole. No key: it is about the file. */
export type ConfigWarning = { file: string; key: string; value: string; message: string };
export type UnknownKey = { file: string; key: string };

export type Layer = {
  source: 'user' | 'project';
  file: string;
  data: { readonly [key: string]: unknown };
  /** Read these sections alone; whatever else is there is not ours. */
  only?: readonly string[];
  /** Of a project that the user has not agreed to. */
  untrusted?: boolean;
};

export type SettingsReading = {
  settings: Settings;
  warnings: ConfigWarning[];
  /** Values that were moved into their range or cut: worth a line in a listing, not at every prompt. */
  adjusted: ConfigWarning[];
  unknown: UnknownKey[];
  /** Keys of a stranger's project that do not count. */
  withheld: UnknownKey[];
  sourceOf(key: string): ConfigSource;
};

type Environment = { readonly [name: string]: string | undefined };
type Entry = { value: unknown; source: 'user' | 'project' | 'env'; file: string };

export const ENVIRONMENT = 'the environment';
const MAX_CUSTOM_CATEGORIES = 32;
const MAX_KEY = 120;
/** Enough to mend a file by; a hostile one must not flood what prints them. */
const MAX_WARNINGS = 100;
/** Below these a key is the name of a category, and its case does not matter. */
export const BY_CATEGORY: readonly string[] = ['categories', 'triage.thresholds', 'triage.parallel.category_models'];
const NOT_SETTINGS: readonly string[] = ['$schema', 'version'];

/** `layers` from the weakest to the strongest; the environment beats them all. */
export function readSettings(layers: readonly Layer[], env: Environment): SettingsReading {
  const all = new Layers(layers);
  for (const layer of layers) all.readSection(layer, layer.data, '');
  all.readEnvironment(env);
  all.settleFolders();
  all.settleRequired();
  return all.result();
}

/** The key as the table spells it. */
export function canonicalKey(key: string): string {
  const section = BY_CATEGORY.find((prefix) => key.startsWith(`${prefix}.`));
  if (section === undefined) return key;
  const [name = '', ...rest] = key.slice(section.length + 1).split('.');
  return [section, name.toLowerCase(), ...rest].join('.');
}

class Layers {
  readonly #rows: ReadonlyMap<string, Setting>;
  readonly #custom: readonly string[];
  /** What somebody set; everything else is as the table says. */
  readonly #given = new Map<string, Entry>();
  #sections: ReadonlySet<string> | undefined;
  readonly #warnings: ConfigWarning[] = [];
  readonly #adjusted: ConfigWarning[] = [];
  readonly #unknown: UnknownKey[] = [];
  readonly #withheld: UnknownKey[] = [];

  constructor(layers: readonly Layer[]) {
    this.#custom = this.#customCategories(layers);
    this.#rows = settingsFor(this.#custom);
  }

  #valueOf(path: string): unknown {
    const given = this.#given.get(path);
    return given ? given.value : this.#rows.get(path)?.default;
  }

  /** Most have no file, and then nobody asks: every hook reads the settings. */
  #isSection(path: string): boolean {
    this.#sections ??= sectionsOf(this.#rows.keys());
    return this.#sections.has(path);
  }

  #customCategories(layers: readonly Layer[]): string[] {
    const names = new Set<string>();
    for (const layer of layers) {
      const categories = layer.only ? undefined : layer.data.categories;
      if (!isObject(categories)) continue;
      for (const [key, value] of Object.entries(categories)) {
        const name = key.toLowerCase();
        if (isCategoryName(name) || names.has(name)) continue;
        const at = { file: layer.file, key: `categories.${key}` };
        if (!isCustomName(name))
          this.#warn(at, value, 'not a usable name for a category (lower-case letters, digits and "_"); ignored');
        else if (!isObject(value))
          continue; // readSection says so
        else if (names.size < MAX_CUSTOM_CATEGORIES) names.add(name);
        else this.#warn(at, value, `there are ${MAX_CUSTOM_CATEGORIES} custom categories already; ignored`);
      }
    }
    return [...names];
  }

  readSection(layer: Layer, section: { readonly [key: string]: unknown }, prefix: string): void {
    for (const [key, value] of Object.entries(section)) {
      if (prefix === '' && (NOT_SETTINGS.includes(key) || (layer.only && !layer.only.includes(key)))) continue;
      // A dot inside a key does not stand for a level: `cairn config` could not find such a value again.
      const step = key.includes('.') ? JSON.stringify(key) : key;
      const path = canonicalKey(prefix === '' ? step : `${prefix}.${step}`);
      const row = this.#rows.get(path);
      if (row) this.#readFileValue(layer, row, value);
      else if (this.#isSection(path) && isObject(value)) this.readSection(layer, value, path);
      else if (
        this.#isSection(path) ||
        (prefix === 'categories' && !isObject(value) && isCustomName(step.toLowerCase()))
      )
        this.#warn({ file: layer.file, key: path }, value, 'expected an object; ignored');
      else if (prefix === 'categories')
        continue; // not a usable category: already said
      else this.#unknown.push({ file: layer.file, key: plainText(path, MAX_KEY) });
    }
  }

  #readFileValue(layer: Layer, row: Setting, raw: unknown): void {
    const at = { file: layer.file, key: row.path };
    if (row.userOnly && layer.source !== 'user')
      this.#warn(at, raw, 'a project may not set this, only your own configuration may; ignored');
    else if (layer.untrusted && row.fromStrangers !== 'any' && !(row.fromStrangers === 'off' && raw === false))
      this.#withheld.push(at);
    else this.#accept(row, readValue(row, raw), { raw, at, source: layer.source });
  }

  readEnvironment(env: Environment): void {
    // Asking the real environment for a hundred names costs more than listing it once; mostly there is none of ours.
    // In upper case, because one system does not tell the cases apart.
    const ours = new Set<string>();
    for (const name of Object.keys(env)) if (/^CAIRN_/i.test(name)) ours.add(name.toUpperCase());
    if (ours.size === 0) return;
    for (const [path, row] of this.#rows) {
      const name = envNameOf(path);
      const raw = ours.has(name) ? env[name] : undefined;
      if (raw === undefined || raw === '') continue;
      this.#accept(row, readTyped(row, raw), { raw, at: { file: ENVIRONMENT, key: name }, source: 'env' });
    }
  }

  #accept(row: Setting, reading: Reading, from: { raw: unknown; at: UnknownKey; source: Entry['source'] }): void {
    if (!reading.ok) {
      const now = this.#valueOf(row.path);
      const using = now === undefined ? 'ignored' : `using ${showValue(now)}`;
      this.#warn(from.at, from.raw, `expected ${expectedBy(row)}; ${using}`);
      return;
    }
    this.#given.set(row.path, { value: reading.value, source: from.source, file: from.at.file });
    if (reading.changed)
      this.#adjusted.push(warning(from.at, from.raw, `expected ${expectedBy(row)}; using ${showValue(reading.value)}`));
  }

  /** Two categories in one folder would read each other's memories: whoever left its own folder for it goes back. */
  settleFolders(): void {
    const isFolder = (path: string): boolean => path.startsWith('categories.') && path.endsWith('.folder');
    if (![...this.#given.keys()].some(isFolder)) return;
    const names = [...this.#rows.keys()].filter(isFolder);
    for (;;) {
      const clash = names.find((path) => {
        const value = this.#valueOf(path);
        return (
          value !== this.#rows.get(path)?.default &&
          names.some((other) => other !== path && this.#valueOf(other) === value)
        );
      });
      if (clash === undefined) return;
      this.#reset(clash, 'another category has this folder');
    }
  }

  settleRequired(): void {
    for (const name of this.#custom) {
      const path = `categories.${name}.required`;
      const required = this.#valueOf(path) as CategorySettings['required'];
      const fields = this.#valueOf(`categories.${name}.fields`) as CategorySettings['fields'];
      if (required?.some((field) => !fields || !Object.hasOwn(fields, field)))
        this.#reset(path, `it names a field that categories.${name}.fields does not declare`);
    }
  }

  #reset(path: string, why: string): void {
    const given = this.#given.get(path);
    if (!given) return;
    const { value, source, file } = given;
    const otherwise = this.#rows.get(path)?.default;
    const using = otherwise === undefined ? 'ignored' : `using ${showValue(otherwise)}`;
    this.#warn({ file, key: source === 'env' ? envNameOf(path) : path }, value, `${why}; ${using}`);
    this.#given.delete(path);
  }

  #warn(at: UnknownKey, raw: unknown, what: string): void {
    if (this.#warnings.length < MAX_WARNINGS) this.#warnings.push(warning(at, raw, what));
  }

  result(): SettingsReading {
    const given = this.#given;
    const values = new Map<string, unknown>();
    for (const [path, row] of this.#rows) {
      const value = given.size === 0 ? row.default : this.#valueOf(path);
      if (value !== undefined) values.set(path, value);
    }
    return {
      settings: nestSettings(values),
      warnings: this.#warnings,
      adjusted: this.#adjusted,
      unknown: this.#unknown,
      withheld: this.#withheld,
      sourceOf: (key) => given.get(canonicalKey(key))?.source ?? 'default',
    };
  }
}

/** Everything above a path: `triage.parallel.enabled` is in `triage.parallel`, and that in `triage`. */
function sectionsOf(paths: Iterable<string>): Set<string> {
  const sections = new Set<string>();
  for (const path of paths) {
    for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
      const section = path.slice(0, dot);
      if (sections.has(section)) break; // and with it all above it
      sections.add(section);
    }
  }
  return sections;
}

export function warning(at: UnknownKey, raw: unknown, message: string): ConfigWarning {
  return { file: at.file, key: plainText(at.key, MAX_KEY), value: showValue(raw), message };
}

/** `…/memory-config.json: retrieval.max_inject = "all": expected a whole number from 0 to 20; using 5` */
export function warningText({ file, key, value, message }: ConfigWarning): string {
  if (key === '') return `${plainText(file)}: ${message}`;
  return `${plainText(file)}: ${key} = ${value.replace(URL_LOGIN, '://…@')}: ${message}`;
}

/** The client keeps what a hook says: no password of a URL goes there. */
const URL_LOGIN = /:\/\/[^\s"]*@/g;
