// Any sequence of actions, valid or not, keeps what records promise. The oracle is the state before each step: it knows
// nothing of how the actions work, only what they may never do.

import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CairnError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { collectGarbage } from '../../src/records/collect-garbage.ts';
import { validateIndex } from '../../src/records/index-upkeep.ts';
import { rebuiltIndex } from '../../src/records/repair-records.ts';
import { scanRecords } from '../../src/records/scan.ts';
import { recordProblems } from '../../src/records/validate.ts';
import { DAY, HOUR, TestShelf } from '../fixtures/record-store.ts';
import { type SampleCategory, sampleContent, sampleInput } from '../fixtures/sample-records.ts';
import { newMemoryFolder, put } from '../fixtures/temporary.ts';

const NAMES = ['decisions/a', 'decisions/b', 'runbooks/a', 'sessions/a', 'sessions/b', 'sessions/c', 'preferences/a'];
const EXISTING = 'src/there.ts';
type Change = { date: string; summary: string };
type Stored = JsonObject & {
  tags: string[];
  changes?: Change[];
  related_files?: string[] | null;
  times_updated?: number;
};
type State = Map<string, Stored>;

type Action =
  | { do: 'create'; name: string; input: JsonObject }
  | { do: 'update'; name: string; edit: Edit; hash: 'right' | 'wrong' | 'none' }
  | { do: 'retire' | 'archive' | 'unarchive' | 'restore'; name: string }
  | { do: 'wait'; ms: number }
  | { do: 'gc' };
type Edit = (old: Stored) => JsonObject;

const name = fc.constantFrom(...NAMES);
const word = fc.constantFrom(
  'alpha',
  'beta',
  'gamma',
  'delta',
  'Émile',
  '認証',
  'a -> b',
  '#tags:',
  '\u202e',
  'x'.repeat(40),
);
const title = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const tags = fc.array(fc.constantFrom(...'abcdefghijklmnop'), { maxLength: 14 });
const oddFields = fc.constantFrom<JsonObject>(
  {},
  {},
  {},
  {},
  { record_status: 'retired', retired_at: '2020-01-01T00:00:00Z' },
  { created_at: '2001-01-01T00:00:00Z', id: 'other', category: 'constraint', schema_version: '' },
  { confidence: 7, times_updated: 3 },
  { unknown_field: true },
  { tags: 'one text' },
  { content: { nonsense: 1 } },
  { changes: [{ date: 'never', summary: 'x' }] },
);

const entry = (summary: string): Change => ({ date: '2026-02-01T00:00:00Z', summary });
const appended = (old: Stored, count = 1): Change[] => [
  ...(old.changes ?? []),
  ...Array.from({ length: count }, (_, at) => entry(`entry ${at}`)),
];
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.constant<Edit>((old) => ({ ...old, changes: appended(old) })),
  fc.constant<Edit>((old) => ({ ...old })),
  fc.integer({ min: 2, max: 60 }).map<Edit>((count) => (old) => ({ ...old, changes: appended(old, count) })),
  title.map<Edit>((text) => (old) => ({ ...old, title: text, changes: appended(old) })),
  tags.map<Edit>((more) => (old) => ({ ...old, tags: [...old.tags, ...more], changes: appended(old) })),
  tags.map<Edit>((other) => (old) => ({ ...old, tags: other, changes: appended(old) })),
  fc
    .subarray([EXISTING, 'src/gone.ts', 'src/other.ts'])
    .map<Edit>((files) => (old) => ({ ...old, related_files: files, changes: appended(old) })),
  fc.constantFrom('status', 'trigger', 'topic', 'goal').map<Edit>((field) => (old) => {
    const content = old.content as JsonObject;
    return Object.hasOwn(content, field) ? { ...old, content: { ...content, [field]: 'superseded' } } : { ...old };
  }),
  fc.constant<Edit>((old) => ({ ...old, changes: (old.changes ?? []).slice(1) })),
  fc.constant<Edit>((old) => ({ ...old, changes: [entry('rewritten'), ...appended(old).slice(1), entry('x')] })),
  oddFields.map<Edit>((odd) => (old) => ({ ...old, changes: appended(old), ...odd })),
);

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({ do: fc.constant('create' as const), name, title, tags, odd: oddFields })
      .map((each): Action => {
        const category = categoryOf(each.name);
        const changes = { title: each.title, tags: each.tags, content: sampleContent(category), ...each.odd };
        return { do: 'create', name: each.name, input: sampleInput(category, changes) };
      }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('update' as const),
      name,
      edit,
      hash: fc.constantFrom('right' as const, 'right' as const, 'right' as const, 'wrong' as const, 'none' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('retire' as const, 'archive' as const, 'unarchive' as const, 'restore' as const),
      name,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1000, HOUR, DAY, 8 * DAY, 31 * DAY) }),
  },
  { weight: 1, arbitrary: fc.constant<Action>({ do: 'gc' }) },
);

function categoryOf(named: string): SampleCategory {
  const byFolder: { [folder: string]: SampleCategory } = {
    decisions: 'decision',
    runbooks: 'runbook',
    sessions: 'session_summary',
    preferences: 'preference',
  };
  return byFolder[named.split('/')[0]!]!;
}

function stateOf(recordStore: TestShelf): State {
  return new Map(
    scanRecords(recordStore).records.map((each) => [`${each.category.folder}/${each.slug}`, each.record as Stored]),
  );
}

/** Renames move files away from their first names, so that an action on a missing one takes a file that is there. */
function aimed(recordStore: TestShelf, step: Action): Action {
  if (!('name' in step) || step.do === 'create' || recordStore.has(step.name)) return step;
  const there = [...stateOf(recordStore).keys()];
  return there.length === 0 ? step : { ...step, name: there[step.name.charCodeAt(0) % there.length]! };
}

async function perform(recordStore: TestShelf, step: Action): Promise<unknown> {
  switch (step.do) {
    case 'wait':
      recordStore.time += step.ms;
      return undefined;
    case 'gc':
      return collectGarbage(recordStore);
    case 'create':
      return recordStore.create(step.name, step.input);
    case 'update': {
      if (!recordStore.has(step.name)) return recordStore.update(step.name, sampleInput(categoryOf(step.name)));
      const hash =
        step.hash === 'wrong' ? '0'.repeat(32) : step.hash === 'right' ? recordStore.hash(step.name) : undefined;
      return recordStore.update(step.name, step.edit(recordStore.read(step.name) as Stored), hash);
    }
    default:
      return recordStore[step.do](step.name);
  }
}

/** What is true of every memory at every moment. */
function checkMemory(recordStore: TestShelf): void {
  const { records, problems } = scanRecords(recordStore);
  expect(problems).toEqual([]);
  for (const { record, category, slug } of records) {
    expect(recordProblems(category, record)).toEqual([]);
    expect(record.id).toBe(slug);
    expect((record.tags as string[]).length).toBeLessThanOrEqual(12);
  }
  if (!fs.existsSync(path.join(recordStore.root, 'index.md'))) {
    expect(records).toEqual([]);
    return;
  }
  expect(recordStore.index).toBe(rebuiltIndex(recordStore).text);
  expect(validateIndex(recordStore)).toMatchObject({ missing: [], stale: [], invalid: [], problems: [] });
  const left = fs.readdirSync(recordStore.root, { recursive: true }).map(String);
  expect(left.filter((file) => /lockdir|cairn-tmp/.test(file))).toEqual([]);
}

const TRANSITIONS: { [action: string]: readonly string[] } = {
  create: ['none→active', 'retired→active'],
  update: ['active→active'],
  retire: ['active→retired', 'retired→retired'],
  archive: ['active→archived', 'archived→archived'],
  unarchive: ['archived→active'],
  restore: ['retired→active', 'active→active'],
};

/** What one action may have done to the record that it was about. */
function checkStep(step: Extract<Action, { name: string }>, before: State, after: State, result: JsonObject): void {
  const renamed = typeof result.renamed_from === 'string';
  const now = after.get(renamed ? `${step.name.split('/')[0]}/${String(result.id)}` : step.name)!;
  const old = before.get(step.name);
  expect(TRANSITIONS[step.do]).toContain(`${old?.record_status ?? 'none'}→${now.record_status}`);
  if (renamed) expect(after.has(step.name)).toBe(false);
  if (!old || step.do === 'create') return;
  expect(now.created_at).toBe(old.created_at);
  expect(now.category).toBe(old.category);
  if (!renamed) expect(now.id).toBe(old.id);
  checkHistory(old.changes ?? [], now.changes ?? []);
  if (step.do !== 'update') {
    expect({ ...now, changes: 0, updated_at: 0, record_status: 0 }).toMatchObject({
      title: old.title,
      tags: old.tags,
      content: old.content,
    });
    return;
  }
  expect(now.times_updated).toBe((old.times_updated ?? 0) + 1);
  expect((now.changes ?? []).length).toBeGreaterThan(Math.min(old.changes?.length ?? 0, 49));
  const lost = old.tags.filter((tag) => !now.tags.includes(tag));
  const won = now.tags.filter((tag) => !old.tags.includes(tag));
  expect(lost.length === 0 || (old.tags.length >= 12 && won.length >= lost.length)).toBe(true);
  const dropped = (old.related_files ?? []).filter((file) => !(now.related_files ?? []).includes(file));
  expect(dropped).not.toContain(EXISTING);
}

/** The old entries are a prefix of the new ones, but for those that the cap of 50 pushed out. */
function checkHistory(old: readonly Change[], now: readonly Change[]): void {
  expect(now.length).toBeLessThanOrEqual(50);
  expect(now.length).toBeGreaterThanOrEqual(Math.min(50, old.length));
  const pushedOut = Array.from({ length: old.length + 1 }, (_, at) => at).find(
    (at) => JSON.stringify(old.slice(at, at + now.length)) === JSON.stringify(now.slice(0, old.length - at)),
  )!;
  expect(pushedOut === 0 || now.length === 50).toBe(true);
}

/** Only the named record changes; a new session may also push the oldest out of the window. */
function checkOthers(step: Action, before: State, after: State): void {
  for (const [file, record] of before) {
    if ('name' in step && file === step.name) continue;
    if (step.do === 'gc') {
      const now = after.get(file);
      if (!now) expect(record.record_status).toBe('retired');
      else if (file.startsWith('sessions/') && now.record_status !== record.record_status) {
        expect(`${record.record_status}→${now.record_status}`).toBe('active→retired'); // past its retention
      } else expect(now).toEqual(record);
    } else if (step.do === 'create' && file.startsWith('sessions/') && after.get(file)?.record_status === 'retired') {
      expect(['active', 'retired']).toContain(record.record_status);
    } else {
      expect(after.get(file)).toEqual(record);
    }
  }
}

async function run(actions: readonly Action[]): Promise<void> {
  const folder = newMemoryFolder();
  try {
    const recordStore = new TestShelf(folder);
    recordStore.rules.categories.session_summary.max_retained = 2;
    put(path.join(recordStore.projectRoot, EXISTING), '');
    for (const planned of actions) {
      const step = aimed(recordStore, planned);
      const before = stateOf(recordStore);
      let outcome: unknown;
      try {
        outcome = await perform(recordStore, step);
      } catch (error) {
        expect(error).toBeInstanceOf(CairnError);
        expect(stateOf(recordStore)).toEqual(before);
        continue;
      }
      const after = stateOf(recordStore);
      if ('name' in step) checkStep(step, before, after, (outcome as { result: JsonObject }).result);
      checkOthers(step, before, after);
      checkMemory(recordStore);
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

it('no sequence of actions breaks a promise of the records', async () => {
  await fc.assert(fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 30, size: 'max' }), run), {
    numRuns: 120,
  });
});
