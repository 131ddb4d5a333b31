import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';
import { envNameOf, settingsFor, settingTable } from './settings.ts';
import { categoryDocs, configJsonSchema, settingDocs } from './settings-schema.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const schemaFile = path.join(root, 'schemas/memory-config.schema.json');
const docsFile = path.join(root, 'docs/CONFIG.md');

type Node = {
  type?: string;
  default?: unknown;
  description?: string;
  properties?: { [key: string]: Node };
  additionalProperties?: unknown;
};

function at(path: string): Node | undefined {
  return path.split('.').reduce<Node | undefined>((node, key) => node?.properties?.[key], configJsonSchema() as Node);
}

describe('the JSON Schema of the configuration', () => {
  it('describes every setting with its default', () => {
    for (const [key, setting] of settingsFor()) {
      expect(at(key)?.description, key).toContain(setting.description);
      expect(at(key)?.default, key).toEqual(setting.default);
    }
  });

  it('gives ranges and choices', () => {
    expect(at('retrieval.max_inject')).toMatchObject({ type: 'integer', minimum: 0, maximum: 20 });
    expect(at('triage.thresholds.decision')).toMatchObject({ type: 'number', minimum: 0, maximum: 1, default: 0.4 });
    expect(at('retrieval.match_strategy')).toMatchObject({ enum: ['title_tags', 'hybrid'] });
  });

  it('refuses misspelt keys, but not $schema and the names of categories', () => {
    expect((configJsonSchema() as Node).additionalProperties).toBe(false);
    expect(at('retrieval')?.additionalProperties).toBe(false);
    expect(at('$schema')?.type).toBe('string');
    const custom = at('categories')?.additionalProperties as Node;
    expect(Object.keys(custom.properties!)).toEqual([
      'enabled',
      'folder',
      'auto_capture',
      'retention_days',
      'description',
      'fields',
      'required',
    ]);
    expect(at('triage.thresholds')?.additionalProperties).toMatchObject({ type: 'number', maximum: 1 });
  });

  it.runIf(fs.existsSync(schemaFile))('is the one that is checked in', () => {
    expect(JSON.parse(fs.readFileSync(schemaFile, 'utf8'))).toEqual(JSON.parse(JSON.stringify(configJsonSchema())));
  });
});

describe('docs/CONFIG.md', () => {
  const docs = fs.readFileSync(docsFile, 'utf8');

  it('has the table of settings and that of the categories as they are', async () => {
    const current = fill(fill(docs, 'settings', settingDocs()), 'categories', categoryDocs());
    await expect(current).toMatchFileSnapshot(docsFile);
  });

  it('names every setting with its variable', () => {
    for (const { path } of settingTable()) {
      const key = path.replace('*', '<category>');
      expect(docs).toContain(`| \`${key}\` |`);
      expect(docs).toContain(`\`${envNameOf(key)}\``);
    }
  });

  it('has examples that load without a complaint', () => {
    const examples = [...docs.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => JSON.parse(json!));
    expect(examples.length).toBeGreaterThan(0);
    for (const data of examples) {
      const { warnings, unknown, adjusted } = readSettings([{ source: 'project', file: 'example', data }], {});
      expect([warnings, unknown, adjusted]).toEqual([[], [], []]);
    }
  });

  it('names only variables and settings that exist', () => {
    const known = new Set([...settingsFor().keys()].map(envNameOf));
    const others = ['CAIRN_HOME', 'CAIRN_DISABLE', 'CAIRN_CHILD', 'CAIRN_WORKER_PAYLOAD', 'CAIRN_'];
    for (const [name] of docs.matchAll(/\bCAIRN_[A-Z_]*(?![A-Z_<])/g))
      expect(known.has(name) || others.includes(name) || name.endsWith('_'), name).toBe(true);
    for (const [, key] of docs.matchAll(/cairn config (?:get|set|unset) (?:--user )?([a-z_.]+)/g))
      expect(settingsFor(['glossary']).has(key!) || key === 'categories.glossary', key).toBe(true);
  });
});

/** `docs` with the block between two comments replaced. */
function fill(docs: string, name: string, table: string): string {
  const block = new RegExp(`(<!-- ${name}: [^>]*-->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
  expect(docs).toMatch(block);
  return docs.replace(block, (_all, open: string, close: string) => `${open}\n${table}\n\n${close}`);
}
