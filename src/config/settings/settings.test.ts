import { describe, expect, it } from 'vitest';
import { CATEGORIES } from '../../model/categories.ts';
import { readValue } from './setting-values.ts';
import {
  CATEGORY_NAMES,
  defaultSettings,
  envNameOf,
  isCustomName,
  isFolderName,
  type Settings,
  settingsFor,
  settingTable,
} from './settings.ts';

describe('the table of settings', () => {
  it('knows the same categories and folders as the registry of categories', () => {
    const fromRegistry = CATEGORIES.map(({ name, folder }) => [name, folder]);
    const fromSettings = CATEGORY_NAMES.map((name) => [name, settingsFor().get(`categories.${name}.folder`)?.default]);
    expect(fromSettings).toEqual(fromRegistry);
  });

  it('has defaults that it accepts unchanged itself', () => {
    for (const row of settingsFor(['glossary']).values()) {
      if (row.default === undefined) continue;
      expect(readValue(row, row.default), row.path).toEqual({ ok: true, value: row.default, changed: false });
    }
  });

  it('gives every setting a path, an environment variable and a description of its own', () => {
    const rows = [...settingsFor(['glossary', 'decision_log', 'session'])];
    expect(new Set(rows.map(([path]) => envNameOf(path))).size).toBe(rows.length);
    expect(new Set(settingTable().map(({ path }) => path)).size).toBe(settingTable().length);
    for (const { path, description } of settingTable()) expect(description, path).toMatch(/\.$/);
  });

  it('gives numbers a range and enumerations their values', () => {
    for (const { path, schema } of settingTable()) {
      const { type } = schema;
      if (type === 'integer' || type === 'number') expect(schema.max, path).toBeGreaterThan(schema.min!);
      if (type === 'choice') expect(schema.choices?.length, path).toBeGreaterThan(0);
      if (type === 'string' && !schema.pattern) expect(schema.maxLength, path).toBeGreaterThan(0);
      if (type === 'list') expect(schema.item?.maxLength, path).toBeGreaterThan(0);
      if (type === 'list' || type === 'map') expect(schema.maxItems, path).toBeGreaterThan(0);
    }
  });

  it('has rows for a custom category, with its name as the folder', () => {
    const rows = settingsFor(['api_note']);
    expect(rows.get('categories.api_note.folder')?.default).toBe('api-note');
    expect(rows.get('categories.api_note.fields')?.schema.type).toBe('map');
    expect(rows.get('triage.thresholds.api_note')?.default).toBe(0.5);
    expect(rows.has('categories.decision.fields')).toBe(false);
    expect(settingsFor().has('categories.api_note.folder')).toBe(false);
  });
});

describe('the default settings', () => {
  it('are those that the documentation promises', () => {
    const expected: Settings = {
      memory_root: '.claude/memory',
      allowed_roots: [],
      trust: 'repositories',
      categories: {
        session_summary: {
          enabled: true,
          folder: 'sessions',
          auto_capture: true,
          retention_days: 90,
          description: '',
          max_retained: 5,
        },
        decision: category('decisions'),
        runbook: category('runbooks'),
        constraint: category('constraints'),
        tech_debt: category('tech-debt'),
        preference: category('preferences'),
      },
      auto_commit: false,
      max_memories_per_category: 100,
      retrieval: { enabled: true, max_inject: 5, match_strategy: 'hybrid' },
      triage: {
        enabled: true,
        mode: 'evidence',
        max_messages: 50,
        vocabulary: {},
        thresholds: {
          session_summary: 0.6,
          decision: 0.4,
          runbook: 0.4,
          constraint: 0.5,
          tech_debt: 0.4,
          preference: 0.4,
        },
        parallel: {
          enabled: true,
          category_models: {
            session_summary: 'haiku',
            decision: 'sonnet',
            runbook: 'haiku',
            constraint: 'sonnet',
            tech_debt: 'haiku',
            preference: 'haiku',
          },
          verification_model: 'sonnet',
          default_model: 'haiku',
        },
      },
      delete: { grace_period_days: 30, archive_retired: true },
      capture: {
        enabled: true,
        auto_summarize_threshold_kb: 50,
        auto_summarize_languages: ['typescript', 'javascript', 'python', 'go'],
        commit_sessions: false,
        exclude: [],
        capture_todos: true,
        capture_subagent_results: true,
      },
      injection: {
        session_start_max_tokens: 500,
        prompt_max_tokens: 1000,
        session_max_tokens: 6_000,
        max_nodes_per_query: 5,
        other_projects: false,
      },
      retention: {
        max_nodes: 500,
        session_archive_days: 7,
        conversation_days: 0,
        prune_strategy: 'least_connected_oldest',
      },
      graph: { rebuild_on_change: true, cache_ttl_seconds: 300 },
      traces: { enabled: true, thinking: false, aliases: [], exclude: [], commits: 2_000, archive_max_mb: 2_048 },
      store: { url: '' },
      team: { share: { projects: [], kinds: ['decision', 'solution', 'conclusion'] } },
      embeddings: { provider: 'local', model: '', base_url: '', dimensions: 0, batch: 64, timeout_seconds: 30 },
      llm: {
        provider: 'none',
        model: '',
        base_url: '',
        daily_calls: 200,
        daily_tokens: 500_000,
        timeout_seconds: 60,
      },
    };
    expect(defaultSettings()).toEqual(expected);
  });

  it('are made anew each time, so that nobody changes them for others', () => {
    (defaultSettings().capture.auto_summarize_languages as string[]).push('cobol');
    defaultSettings().retrieval.max_inject = 20;
    expect(defaultSettings().capture.auto_summarize_languages).not.toContain('cobol');
    expect(defaultSettings().retrieval.max_inject).toBe(5);
  });

  it('answer nothing for names that every object inherits', () => {
    expect(defaultSettings().categories.constructor).toBeUndefined();
    expect(defaultSettings().triage.thresholds.toString).toBeUndefined();
  });
});

describe('names', () => {
  it.each(['glossary', 'api_note', 'a', 'x9'])('lets a category be called %s', (name) => {
    expect(isCustomName(name)).toBe(true);
  });

  it.each([
    'decision',
    'sessions',
    'nodes',
    'constructor',
    '__proto__',
    'con',
    'Upper',
    '9a',
    'a-b',
    'a.b',
    'a/b',
    '',
    'x'.repeat(41),
  ])('does not let a category be called %j', (name) => {
    expect(isCustomName(name)).toBe(false);
  });

  it.each(['nodes', '..', '.', '.git', 'a/b', 'a\\b', 'Decisions', '-a', '', 'nul', 'a b', 'x'.repeat(65)])(
    'does not take %j for a folder',
    (folder) => {
      expect(isFolderName(folder)).toBe(false);
    },
  );
});

function category(folder: string) {
  return { enabled: true, folder, auto_capture: true, retention_days: 0, description: '' };
}
