// The settings as the program uses them: the type, the defaults, and the table with a row for each category.

import { CATEGORY_NAMES, type CategoryName, type Described, type Setting, type SettingTree } from './setting.ts';
import { FOLDER, NAME_PATTERN, SETTING_TREE } from './setting-table.ts';

export type { CategoryName, Setting };
export { CATEGORY_NAMES };

/** A value for each of the six; custom categories come besides. Made without a prototype: any name is safe to look up. */
type PerCategory<T> = Record<CategoryName, T> & { [custom: string]: T };

/** What only some categories have may be missing. */
type Rare<T> = { [K in keyof T]: T[K] extends { only: string } ? K : never }[keyof T];
type ValuesOf<T> =
  T extends Described<infer Value>
    ? Value
    : T extends { '*': infer Each }
      ? PerCategory<ValuesOf<Each>>
      : { [K in Exclude<keyof T, Rare<T>>]: ValuesOf<T[K]> } & { [K in Rare<T>]?: ValuesOf<T[K]> };

export type Settings = ValuesOf<typeof SETTING_TREE> & {
  categories: { session_summary: { max_retained: number } };
};
export type CategorySettings = Settings['categories'][string];

/** Calls `visit` for every setting, in the order of the table. */
function walk(tree: SettingTree, prefix: string, visit: (path: string, node: Described) => void): void {
  for (const key in tree) {
    const node = tree[key];
    if (node === undefined) continue;
    if (!isDescribed(node)) walk(node, `${prefix}${key}.`, visit);
    else visit(isCategoryName(node.only) ? (prefix + key).replace('*', node.only) : prefix + key, node);
  }
}

function isDescribed(node: Described | SettingTree): node is Described {
  return Object.hasOwn(node, 'schema');
}

/** The table with `*` for the name of a category. */
export function settingTable(): Setting[] {
  const rows: Setting[] = [];
  walk(SETTING_TREE, '', (path, node) => rows.push({ ...node, path }));
  return rows;
}

let builtIn: ReadonlyMap<string, Setting> | undefined;

/** The table with a row for each category in place of `*`, by path. */
export function settingsFor(custom: readonly string[] = []): ReadonlyMap<string, Setting> {
  if (custom.length > 0) return expand([...CATEGORY_NAMES, ...custom]);
  builtIn ??= expand(CATEGORY_NAMES);
  return builtIn;
}

function expand(categories: readonly string[]): Map<string, Setting> {
  const rows = new Map<string, Setting>();
  walk(SETTING_TREE, '', (path, node) => {
    if (!path.includes('*')) rows.set(path, { ...node, path });
    else
      for (const category of categories) {
        if (node.only === 'custom' && isCategoryName(category)) continue;
        const row = rowOf(path, node, category);
        rows.set(row.path, row);
      }
  });
  return rows;
}

function rowOf(path: string, node: Described, category: string): Setting {
  const given = isCategoryName(category) ? node.defaults?.[category] : undefined;
  const own = given ?? (path === 'categories.*.folder' ? category.replaceAll('_', '-') : node.default);
  return { ...node, path: path.replace('*', category), default: own };
}

export function isCategoryName(name: string | undefined): name is CategoryName {
  return (CATEGORY_NAMES as readonly (string | undefined)[]).includes(name);
}

/** Too easily taken for one of the six. */
const RESERVED_NAMES = ['sessions', 'decisions', 'runbooks', 'constraints', 'preferences'];

export const isFolderName = (folder: string): boolean => new RegExp(FOLDER.source).test(folder);

export function isCustomName(name: string): boolean {
  return (
    new RegExp(NAME_PATTERN).test(name) &&
    !isCategoryName(name) &&
    !RESERVED_NAMES.includes(name) &&
    isFolderName(name.replaceAll('_', '-'))
  );
}

/** `CAIRN_RETRIEVAL_MAX_INJECT` */
export function envNameOf(path: string): string {
  return `CAIRN_${path.replaceAll('.', '_').toUpperCase()}`;
}

export function defaultSettings(): Settings {
  const values = new Map<string, unknown>();
  for (const [path, setting] of settingsFor()) if (setting.default !== undefined) values.set(path, setting.default);
  return nestSettings(values);
}

/** Values by path → the nested object. The caller has checked every value against the table. */
export function nestSettings(values: ReadonlyMap<string, unknown>): Settings {
  const sections = new Map<string, Section>([['', Object.create(null) as Section]]);
  for (const [path, value] of values)
    sectionOf(sections, path)[path.slice(path.lastIndexOf('.') + 1)] = Array.isArray(value) ? [...value] : value;
  return sections.get('') as unknown as Settings;
}

type Section = { [key: string]: unknown };

function sectionOf(sections: Map<string, Section>, path: string): Section {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')));
  let section = sections.get(parent);
  if (section === undefined) {
    section = Object.create(null) as Section;
    sections.set(parent, section);
    sectionOf(sections, parent)[parent.slice(parent.lastIndexOf('.') + 1)] = section;
  }
  return section;
}
