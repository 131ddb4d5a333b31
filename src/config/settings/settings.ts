// The settings as the program uses them: the type, the defaults, and the table with a row for each category.

import type { EmbedProvider, LlmProvider } from './background-settings.ts';
import {
  CATEGORY_NAMES,
  type CategoryName,
  type FieldType,
  type Setting,
  type SettingValue,
  type VocabularySetting,
} from './setting.ts';
import {
  type MatchStrategy,
  type ModelName,
  type PruneStrategy,
  SETTINGS,
  type TrustSetting,
} from './setting-table.ts';

export type {
  CategoryName,
  EmbedProvider,
  FieldType,
  LlmProvider,
  ModelName,
  Setting,
  SettingValue,
  TrustSetting,
  VocabularySetting,
};
export { CATEGORY_NAMES, SETTINGS };

export type CategorySettings = {
  enabled: boolean;
  folder: string;
  auto_capture: boolean;
  retention_days: number;
  description: string;
  /** Only `session_summary` has it. */
  max_retained?: number;
  /** Only custom categories have it, and only if their content was declared. */
  fields?: { readonly [name: string]: FieldType };
  required?: readonly string[];
};

/** A value for each of the six; custom categories come besides. Made without a prototype: any name is safe to look up. */
export type PerCategory<T> = Record<CategoryName, T> & { [custom: string]: T };

export type Settings = {
  memory_root: string;
  allowed_roots: readonly string[];
  trust: TrustSetting;
  categories: PerCategory<CategorySettings> & { session_summary: { max_retained: number } };
  auto_commit: boolean;
  max_memories_per_category: number;
  retrieval: { enabled: boolean; max_inject: number; match_strategy: MatchStrategy };
  triage: {
    enabled: boolean;
    max_messages: number;
    thresholds: PerCategory<number>;
    vocabulary: VocabularySetting;
    parallel: {
      enabled: boolean;
      category_models: PerCategory<ModelName>;
      verification_model: ModelName;
      default_model: ModelName;
    };
  };
  delete: { grace_period_days: number; archive_retired: boolean };
  capture: {
    enabled: boolean;
    auto_summarize_threshold_kb: number;
    auto_summarize_languages: readonly string[];
    commit_sessions: boolean;
    exclude: readonly string[];
    capture_todos: boolean;
    capture_subagent_results: boolean;
  };
  injection: {
    session_start_max_tokens: number;
    prompt_max_tokens: number;
    session_max_tokens: number;
    max_nodes_per_query: number;
  };
  retention: {
    max_nodes: number;
    session_archive_days: number;
    conversation_days: number;
    prune_strategy: PruneStrategy;
  };
  graph: { rebuild_on_change: boolean; cache_ttl_seconds: number };
  traces: {
    enabled: boolean;
    thinking: boolean;
    aliases: readonly string[];
    exclude: readonly string[];
    archive_max_mb: number;
  };
  embeddings: {
    provider: EmbedProvider;
    model: string;
    base_url: string;
    dimensions: number;
    batch: number;
    timeout_seconds: number;
  };
  llm: {
    provider: LlmProvider;
    model: string;
    base_url: string;
    daily_calls: number;
    daily_tokens: number;
    timeout_seconds: number;
  };
};

let builtIn: ReadonlyMap<string, Setting> | undefined;

/** The table with a row for each category in place of `*`, by path. */
export function settingsFor(custom: readonly string[] = []): ReadonlyMap<string, Setting> {
  if (custom.length > 0) return expand([...CATEGORY_NAMES, ...custom]);
  builtIn ??= expand(CATEGORY_NAMES);
  return builtIn;
}

function expand(categories: readonly string[]): Map<string, Setting> {
  const rows = new Map<string, Setting>();
  for (const setting of SETTINGS) {
    if (!setting.path.includes('*')) {
      rows.set(setting.path, setting);
      continue;
    }
    for (const category of categories) {
      if (setting.only === 'custom' && isCategoryName(category)) continue;
      const row = forCategory(setting, category);
      rows.set(row.path, row);
    }
  }
  return rows;
}

function forCategory(setting: Setting, category: string): Setting {
  const path = setting.path.replace('*', category);
  const given = isCategoryName(category) ? setting.defaults?.[category] : undefined;
  const own = given ?? (setting.type === 'folder' ? category.replaceAll('_', '-') : undefined);
  return own === undefined ? { ...setting, path } : { ...setting, path, default: own };
}

export function isCategoryName(name: string): name is CategoryName {
  return (CATEGORY_NAMES as readonly string[]).includes(name);
}

const CUSTOM_NAME = /^[a-z][a-z0-9_]{0,39}$/;
const FOLDER = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** `nodes` holds the notes; the others are device names on Windows, where such a folder cannot be made. */
const RESERVED_FOLDER = /^(?:nodes|con|prn|aux|nul|com[0-9]|lpt[0-9])$/;
/** `constructor` is found on every object; the rest are too easily taken for one of the six. */
const RESERVED_NAMES = ['constructor', 'prototype', 'sessions', 'decisions', 'runbooks', 'constraints', 'preferences'];

export function isFolderName(folder: string): boolean {
  return FOLDER.test(folder) && !RESERVED_FOLDER.test(folder);
}

/** Names of fields follow the same rule. */
export function isFieldName(name: string): boolean {
  return CUSTOM_NAME.test(name) && name !== 'constructor' && name !== 'prototype';
}

export function isCustomName(name: string): boolean {
  return (
    CUSTOM_NAME.test(name) &&
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
  const values = new Map<string, SettingValue>();
  for (const [path, setting] of settingsFor()) if (setting.default !== undefined) values.set(path, setting.default);
  return nestSettings(values);
}

/** Values by path → the nested object. The caller has checked every value against the table. */
export function nestSettings(values: ReadonlyMap<string, SettingValue>): Settings {
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
