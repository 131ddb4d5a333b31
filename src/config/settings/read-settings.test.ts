import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalKey, type Layer, readSettings, warningText } from './read-settings.ts';
import { readValue } from './setting-values.ts';
import {
  CATEGORY_NAMES,
  defaultSettings,
  envNameOf,
  isCategoryName,
  type Setting,
  type Settings,
  settingsFor,
} from './settings.ts';

const project = (data: object, file = 'project.json'): Layer => ({
  source: 'project',
  file,
  data: data as Layer['data'],
});
const user = (data: object): Layer => ({ source: 'user', file: 'user.json', data: data as Layer['data'] });
const read = (data: object) => readSettings([project(data)], {});

describe('layers of settings', () => {
  it('warns of a URL without its login', () => {
    const password = ['kT6!', 'vbLm2'].join('');
    const warning = {
      file: 'f.json',
      key: 'llm.base_url',
      value: `"https://app:${password}@host/v1"`,
      message: 'ignored',
    };
    expect(warningText(warning)).toBe('f.json: llm.base_url = "https://…@host/v1": ignored');
  });

  it('fall back to the default, and say file, key and value, for what cannot be used', () => {
    const { settings, warnings } = read({ retrieval: { max_inject: 'all' } });
    expect(settings.retrieval.max_inject).toBe(5);
    expect(warnings).toEqual([
      {
        file: 'project.json',
        key: 'retrieval.max_inject',
        value: '"all"',
        message: 'expected a whole number from 0 to 20; using 5',
      },
    ]);
    expect(warningText(warnings[0]!)).toBe(
      'project.json: retrieval.max_inject = "all": expected a whole number from 0 to 20; using 5',
    );
  });

  it('fall back to the layer below where that one has a usable value', () => {
    const { settings, sourceOf, warnings } = readSettings(
      [user({ retrieval: { max_inject: 9 } }), project({ retrieval: { max_inject: null } })],
      { CAIRN_RETRIEVAL_MAX_INJECT: 'lots' },
    );
    expect(settings.retrieval.max_inject).toBe(9);
    expect(sourceOf('retrieval.max_inject')).toBe('user');
    expect(warnings.map(({ file, key }) => [file, key])).toEqual([
      ['project.json', 'retrieval.max_inject'],
      ['the environment', 'CAIRN_RETRIEVAL_MAX_INJECT'],
    ]);
  });

  it('move numbers into their range without a warning, but keep a note of it', () => {
    const { settings, warnings, adjusted } = read({ retrieval: { max_inject: 100 }, triage: { max_messages: 12.9 } });
    expect(settings.retrieval.max_inject).toBe(20);
    expect(settings.triage.max_messages).toBe(12);
    expect(warnings).toEqual([]);
    expect(adjusted.map(({ key }) => key)).toEqual(['retrieval.max_inject', 'triage.max_messages']);
  });

  it.each([null, 'off', 3, [], true])('take %j for a section as if it were not there', (section) => {
    const { settings, warnings } = read({ triage: section, categories: section, delete: section });
    expect(settings).toEqual(defaultSettings());
    expect(warnings.map(({ key }) => key)).toEqual(['triage', 'categories', 'delete']);
  });

  it('read the names of categories in any case; of two spellings the later one counts', () => {
    const { settings, unknown } = read({
      triage: {
        thresholds: { decision: 0.9, DECISION: 0.15, Runbook: 0.2 },
        parallel: { category_models: { TECH_DEBT: 'Opus' } },
      },
      categories: { RUNBOOK: { description: 'fixes' }, Decision: { enabled: false } },
    });
    expect(settings.triage.thresholds.decision).toBe(0.15);
    expect(settings.triage.thresholds.runbook).toBe(0.2);
    expect(settings.triage.parallel.category_models.tech_debt).toBe('opus');
    expect(settings.categories.runbook.description).toBe('fixes');
    expect(settings.categories.decision.enabled).toBe(false);
    expect(unknown).toEqual([]);
  });

  it('list unknown keys apart, and say nothing about $schema and version', () => {
    const { unknown, warnings } = read({
      $schema: './x.json',
      version: '1.0.0',
      retrival: {},
      retrieval: { max_injekt: 3, enabled: true },
      'retrieval.max_inject': 3,
      triage: { thresholds: { poem: 0.1 } },
      categories: { decision: { max_retained: 3 } },
    });
    expect(warnings).toEqual([]);
    expect(unknown.map(({ key }) => key)).toEqual([
      'retrival',
      'retrieval.max_injekt',
      '"retrieval.max_inject"',
      'triage.thresholds.poem',
      'categories.decision.max_retained',
    ]);
  });

  it('read only the named sections of a file of the older layout', () => {
    const old: Layer = {
      ...project({ version: '1.0.0', capture: { capture_todos: false }, retrieval: { enabled: false }, poem: 1 }),
      only: ['capture'],
    };
    const { settings, unknown } = readSettings([old], {});
    expect(settings.capture.capture_todos).toBe(false);
    expect(settings.retrieval.enabled).toBe(true);
    expect(unknown).toEqual([]);
  });

  it('do not let a project set what only the user may', () => {
    const { settings, warnings } = readSettings([project({ allowed_roots: ['/'] })], {});
    expect(settings.allowed_roots).toEqual([]);
    expect(warnings[0]?.message).toContain('a project may not set this');
    expect(readSettings([user({ allowed_roots: ['/m'] })], {}).settings.allowed_roots).toEqual(['/m']);
  });

  it('treat __proto__ and constructor as the unknown keys that they are', () => {
    const data = JSON.parse(
      '{"__proto__": {"retrieval": {"max_inject": 1}}, "constructor": {"prototype": {"x": 1}}, "retrieval": {"__proto__": {"enabled": false}}, "categories": {"__proto__": {"enabled": false}, "constructor": {"enabled": false}}}',
    );
    const { settings } = read(data);
    expect(settings).toEqual(defaultSettings());
    expect(({} as { x?: unknown }).x).toBeUndefined();
    expect(({} as { enabled?: unknown }).enabled).toBeUndefined();
  });
});

describe('custom categories', () => {
  it('exist as soon as they are named, with settings of their own', () => {
    const { settings, warnings } = readSettings(
      [
        user({ categories: { glossary: { description: 'words', fields: { term: 'text', state: ['old', 'new'] } } } }),
        project({
          categories: { glossary: { retention_days: 3, required: ['term'] }, API_Note: {} },
          triage: { thresholds: { glossary: 0.3 } },
        }),
      ],
      { CAIRN_CATEGORIES_GLOSSARY_FOLDER: 'words' },
    );
    expect(warnings).toEqual([]);
    expect(settings.categories.glossary).toEqual({
      enabled: true,
      folder: 'words',
      auto_capture: true,
      retention_days: 3,
      description: 'words',
      fields: { term: 'text', state: ['old', 'new'] },
      required: ['term'],
    });
    expect(settings.categories.api_note?.folder).toBe('api-note');
    expect(settings.categories.api_note?.fields).toBeUndefined();
    expect(settings.triage.thresholds.glossary).toBe(0.3);
    expect(settings.triage.parallel.category_models.glossary).toBeUndefined();
  });

  it.each(['nodes', 'Has Space', '../up', 'sessions', '9lives', ''])('cannot be called %j', (name) => {
    const { settings, warnings } = read({ categories: { [name]: { enabled: true } } });
    expect(Object.keys(settings.categories)).toHaveLength(CATEGORY_NAMES.length);
    expect(warnings[0]?.key).toBe(`categories.${name}`);
  });

  it('must be objects', () => {
    const { settings, warnings } = read({ categories: { glossary: true } });
    expect(settings.categories.glossary).toBeUndefined();
    expect(warnings).toHaveLength(1);
  });

  it('are at most 32, and a flood of bad ones does not flood the warnings', () => {
    const names = Array.from({ length: 40 }, (_, index) => `c${index}`);
    const many = read({ categories: Object.fromEntries(names.map((name) => [name, {}])) });
    expect(Object.keys(many.settings.categories)).toHaveLength(CATEGORY_NAMES.length + 32);
    const bad = Array.from({ length: 5000 }, (_, index) => `${index} x`);
    expect(read({ categories: Object.fromEntries(bad.map((name) => [name, {}])) }).warnings.length).toBe(100);
  });

  it('cannot require a field that they do not have', () => {
    const { settings, warnings } = read({
      categories: { glossary: { fields: { term: 'text' }, required: ['meaning'] } },
    });
    expect(settings.categories.glossary?.required).toBeUndefined();
    expect(warnings[0]?.key).toBe('categories.glossary.required');
  });
});

describe('folders of categories', () => {
  it('can be chosen, and exchanged', () => {
    const { settings, warnings } = read({
      categories: { decision: { folder: 'runbooks' }, runbook: { folder: 'decisions' }, constraint: { folder: 'adr' } },
    });
    expect(warnings).toEqual([]);
    expect([settings.categories.decision.folder, settings.categories.runbook.folder]).toEqual([
      'runbooks',
      'decisions',
    ]);
    expect(settings.categories.constraint.folder).toBe('adr');
  });

  it('go back to the default when another category has the folder', () => {
    const { settings, warnings, sourceOf } = read({
      categories: { decision: { folder: 'runbooks' }, glossary: { folder: 'sessions' } },
    });
    expect(settings.categories.decision.folder).toBe('decisions');
    expect(settings.categories.glossary?.folder).toBe('glossary');
    expect(warnings.map(({ key }) => key)).toEqual(['categories.decision.folder', 'categories.glossary.folder']);
    expect(sourceOf('categories.decision.folder')).toBe('default');
  });

  it.each(['../x', 'nodes', 'a/b', '.', '', 5, null])('cannot be %j', (folder) => {
    const { settings, warnings } = read({ categories: { decision: { folder } } });
    expect(settings.categories.decision.folder).toBe('decisions');
    expect(warnings).toHaveLength(1);
  });
});

it('spells keys as the table does', () => {
  expect(canonicalKey('categories.DECISION.folder')).toBe('categories.decision.folder');
  expect(canonicalKey('triage.parallel.category_models.Runbook')).toBe('triage.parallel.category_models.runbook');
  expect(canonicalKey('Retrieval.max_inject')).toBe('Retrieval.max_inject');
});

describe('whatever the files say', () => {
  /** Usable and unusable values for known keys, among anything else that JSON can hold. */
  const anyData = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc
      .array(fc.tuple(fc.constantFrom(...settingsFor(['glossary']).values()), fc.jsonValue(), fc.boolean()))
      .map((pairs) => {
        const data = {};
        for (const [row, junk, good] of pairs) put(data, row.path, good ? row.default : junk);
        return data;
      }),
  );

  it('gives settings that satisfy the table, and never throws', () => {
    fc.assert(
      fc.property(anyData, anyData, fc.dictionary(fc.constantFrom(...envNames()), fc.string()), (mine, theirs, env) => {
        const { settings, warnings, unknown } = readSettings([user(mine), project(theirs)], env);
        expect(violations(settings)).toEqual([]);
        for (const each of warnings) expect(warningText(each)).toMatch(/^.+: .+ = .+: .+$/u);
        expect(Array.isArray(unknown)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('obeys the environment, then the project, then the user, for every setting', () => {
    for (const row of settingsFor(['glossary']).values()) {
      const [first, second, third] = threeValues(row);
      const layers = (...values: unknown[]): Layer[] =>
        values.map((value, index) => {
          const fields = { f1: 'text', f2: 'text', f3: 'text' };
          const data = index === 0 ? { categories: { glossary: { fields } } } : {};
          if (value !== undefined) put(data, row.path, value);
          return index === 0 ? user(data) : project(data);
        });
      const at = (reading: ReturnType<typeof readSettings>) => [
        get(reading.settings, row.path),
        reading.sourceOf(row.path),
      ];
      const env = { [envNameOf(row.path)]: typeof third === 'string' ? third : JSON.stringify(third) };
      expect(at(readSettings(layers(first, undefined), {})), row.path).toEqual([first, 'user']);
      if (row.userOnly) continue;
      expect(at(readSettings(layers(first, second), {})), row.path).toEqual([second, 'project']);
      expect(at(readSettings(layers(first, second), env)), row.path).toEqual([third, 'env']);
      expect(at(readSettings(layers(first, undefined), env)), row.path).toEqual([third, 'env']);
    }
  });
});

function envNames(): string[] {
  return [...settingsFor().keys()].map(envNameOf);
}

function threeValues(row: Setting): [unknown, unknown, unknown] {
  const { type, min, choices } = row.schema;
  switch (type) {
    case 'boolean':
      return [row.default !== true, true, false];
    case 'integer':
      return [min! + 1, min! + 2, min! + 3];
    case 'number':
      return [0.1, 0.2, 0.3];
    case 'choice':
      return [choices![0], choices!.at(-1), choices![0]];
    case 'list':
      return [['f1'], ['f2'], ['f3']];
    case 'map': {
      if (row.path.endsWith('.fields'))
        return [{ f1: 'text', f2: 'text', f3: 'text' }, { f1: 'list' }, { f1: ['a', 'b'] }];
      const one = (phrase: string) => ({ en: { decision: { primary: [phrase], boosters: [] } } });
      return [one('settled'), one('went for'), one('took')];
    }
    default:
      return ['one', 'two', 'three'];
  }
}

/** Every way in which the settings differ from what the table allows. */
function violations(settings: Settings): string[] {
  const custom = Object.keys(settings.categories).filter((name) => !isCategoryName(name));
  const problems: string[] = [];
  for (const row of settingsFor(custom).values()) {
    const value = get(settings, row.path);
    if (value === undefined && row.default === undefined) continue;
    const reading = readValue(row, value);
    if (!reading.ok || reading.changed) problems.push(`${row.path} is ${JSON.stringify(value)}`);
  }
  const folders = Object.values(settings.categories).map(({ folder }) => folder);
  if (new Set(folders).size !== folders.length) problems.push(`folders are shared: ${folders}`);
  return problems;
}

function get(settings: object, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (at as { [key: string]: unknown } | undefined)?.[key], settings);
}

function put(data: object, path: string, value: unknown): void {
  const keys = path.split('.');
  let at = data as { [key: string]: unknown };
  for (const key of keys.slice(0, -1)) {
    if (typeof at[key] !== 'object' || at[key] === null || Array.isArray(at[key])) at[key] = {};
    at = at[key] as { [key: string]: unknown };
  }
  at[keys.at(-1)!] = value;
}
