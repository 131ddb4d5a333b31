// The table of settings for other readers: as a JSON Schema, so that editors complete and check memory-config.json,
// and as the Markdown table of docs/CONFIG.md.

import { type JsonSchema, toJsonSchema } from '../../model/json-schema.ts';
import { expectedBy } from './setting-values.ts';
import { CATEGORY_NAMES, envNameOf, type Setting, settingsFor, settingTable } from './settings.ts';

type Section = JsonSchema & { properties: { [key: string]: JsonSchema } };

/** JSON Schema, draft 2020-12, of memory-config.json and of the user's config.json. */
export function configJsonSchema(): JsonSchema {
  const root = section({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Cairn configuration',
    description: 'Settings of a project (memory-config.json in the memory root) or of a user (config.json).',
  });
  root.properties.$schema = { type: 'string', description: 'Where the schema of this file is.' };
  root.properties.version = { type: 'string', description: 'Not used.' };
  for (const setting of settingsFor().values()) place(root, setting);
  allowCustomCategories(root);
  return root;
}

function section(head: JsonSchema = {}): Section {
  return { ...head, type: 'object', properties: {}, additionalProperties: false };
}

function place(root: Section, setting: Setting): void {
  const keys = setting.path.split('.');
  sectionAt(root, keys.slice(0, -1)).properties[keys.at(-1) ?? ''] = valueSchema(setting);
}

function sectionAt(root: Section, keys: readonly string[]): Section {
  let at = root;
  for (const key of keys) {
    at.properties[key] ??= section();
    at = at.properties[key] as Section;
  }
  return at;
}

/** Below these a key is any category's name: a custom one, or one of the six in capitals. */
function allowCustomCategories(root: Section): void {
  const custom = section({ description: 'A category of your own.' });
  for (const setting of settingTable())
    if (setting.path.startsWith('categories.*.'))
      custom.properties[setting.path.slice('categories.*.'.length)] = valueSchema(setting);
  sectionAt(root, ['categories']).additionalProperties = custom;
  for (const setting of settingTable())
    if (setting.path.endsWith('.*'))
      sectionAt(root, setting.path.split('.').slice(0, -1)).additionalProperties = valueSchema(setting);
}

function valueSchema(setting: Setting): JsonSchema {
  const preset = setting.default === undefined ? {} : { default: setting.default };
  return { description: meaningOf(setting), ...toJsonSchema(setting.schema), ...preset };
}

const meaningOf = (setting: Setting): string => setting.description + limitOf(setting);

function limitOf(setting: Setting): string {
  if (setting.userOnly) return ' Only in your own configuration, not in that of a project.';
  return setting.only === 'custom' ? ' Only for categories of your own.' : '';
}

/** One row a setting; what differs between the categories is in `categoryDocs`. */
export function settingDocs(): string {
  const rows = settingTable().map((setting) => {
    const key = setting.path.replace('*', '<category>');
    return row([code(key), presetOf(setting), expectedBy(setting), meaningOf(setting), code(envNameOf(key))]);
  });
  return [row(['key', 'default', 'takes', 'meaning', 'environment']), row(Array(5).fill('---')), ...rows].join('\n');
}

export function categoryDocs(): string {
  const rows = CATEGORY_NAMES.map((name) => {
    const at = (path: string) => shown(settingsFor().get(path.replace('*', name))?.default);
    return row([
      code(name),
      at('categories.*.folder'),
      at('categories.*.retention_days'),
      at('triage.thresholds.*'),
      at('triage.parallel.category_models.*'),
    ]);
  });
  const head = ['category', 'folder', 'retention_days', 'threshold', 'model'];
  return [row(head), row(head.map(() => '---')), ...rows].join('\n');
}

function presetOf(setting: Setting): string {
  if (!setting.defaults) return setting.default === undefined ? 'none' : shown(setting.default);
  return setting.schema.type === 'integer' ? `${shown(setting.default)} (see below)` : 'see below';
}

function shown(value: unknown): string {
  return code(JSON.stringify(value));
}

function code(text: string): string {
  return `\`${text}\``;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
