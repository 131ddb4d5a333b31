import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TestShelf } from '../../test/fixtures/record-store.ts';
import type { RecordStore } from './record-store.ts';
import { type SearchOptions, searchRecords } from './search.ts';

const OLD = Date.parse('2026-01-05T10:00:00Z') / 1000;

/** The same memory, searched with the kept words; `ttlMs` 0 looks at every file. */
function withTexts(shelf: TestShelf, ttlMs = 0, from = 0): RecordStore {
  const { root, projectRoot, deletedCopies, kinds, rules, now } = shelf;
  return { root, projectRoot, deletedCopies, kinds, rules, now, searchTexts: { file: fileOf(shelf), from, ttlMs } };
}

const fileOf = (shelf: TestShelf): string => path.join(shelf.base, 'home/cache/records/words.txt');

/** As old as files of a memory are: what was written just now is read again anyway. */
function age(shelf: TestShelf): void {
  for (const folder of fs.readdirSync(shelf.root)) fs.utimesSync(path.join(shelf.root, folder), OLD, OLD);
}

function answers(store: RecordStore, query: string, options: SearchOptions = {}) {
  const { hits, problems } = searchRecords(store, query, options);
  return { hits: hits.map(({ scanned, score, why }) => ({ path: scanned.path, score, why })), problems };
}

const record = (said: object): string =>
  JSON.stringify({ title: 'One', tags: [], record_status: 'active', updated_at: '2026-02-20T00:00:00Z', ...said });

const WORDS = [
  'migrat',
  'Migration',
  'ci',
  'ci/cd',
  'K8S',
  '認証システム',
  '認証',
  'İstanbul',
  'ΟΔΟΣ',
  '42',
  'a\nb',
  '"x',
  '𝐀b',
];
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 5 }).map((words) => words.join(' '));
const content = fc.record({
  title: text,
  tags: fc.array(text, { maxLength: 2 }),
  record_status: fc.constantFrom('active', 'retired'),
  content: fc.record({ steps: fc.array(text, { maxLength: 2 }) }),
});
const name = fc.constantFrom('decisions/a', 'decisions/b', 'runbooks/a', 'runbooks/c', 'preferences/d');
const step = fc.oneof(
  fc.record({ op: fc.constant('write' as const), name, content }),
  fc.record({ op: fc.constant('replace' as const), name, content }),
  fc.record({ op: fc.constant('remove' as const), name }),
  fc.record({ op: fc.constant('break' as const), name }),
  fc.record({
    op: fc.constant('search' as const),
    query: text,
    all: fc.boolean(),
    limit: fc.integer({ min: 1, max: 6 }),
  }),
);

describe('the words that a search of a large memory keeps', () => {
  it('give the answers that the files give, whatever happened between two searches', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 3, maxLength: 14 }), text, (steps, last) => {
        const shelf = new TestShelf();
        const kept = withTexts(shelf);
        const compare = (query: string, all: boolean, limit = 10): void => {
          const options = { limit, ...(all ? { includeRetired: true } : {}) };
          expect(answers(kept, query, options)).toEqual(answers(shelf, query, options));
        };
        for (const each of steps) {
          if (each.op === 'write') shelf.plant(each.name, record(each.content));
          else if (each.op === 'replace') {
            fs.mkdirSync(path.dirname(shelf.file(each.name)), { recursive: true });
            fs.writeFileSync(`${shelf.file(each.name)}.new`, record(each.content));
            fs.renameSync(`${shelf.file(each.name)}.new`, shelf.file(each.name));
          } else if (each.op === 'remove') fs.rmSync(shelf.file(each.name), { force: true });
          else if (each.op === 'break') shelf.plant(each.name, '{');
          else compare(each.query, each.all, each.limit);
        }
        compare(last, true);
        fs.rmSync(shelf.base, { recursive: true });
      }),
      { numRuns: 60 },
    );
  });

  it('are read instead of records that did not move', () => {
    const shelf = new TestShelf();
    const file = shelf.plant('decisions/a', record({ title: 'About zebras' }));
    fs.utimesSync(file, OLD, OLD);
    age(shelf);
    const kept = withTexts(shelf, 3_600_000);
    expect(answers(kept, 'zebras').hits).toHaveLength(1);
    const later = Date.now() / 1000 + 60; // the look was long after the files
    fs.utimesSync(fileOf(shelf), later, later - 50);
    fs.writeFileSync(fileOf(shelf), fs.readFileSync(fileOf(shelf), 'utf8').replace('about zebras', 'about lions'));
    fs.utimesSync(fileOf(shelf), later, later - 50);
    expect(answers(kept, 'zebras').hits).toEqual([]);
  });

  it('follow a record that is put in the place of another at once, and one that is edited in place when the time is up', () => {
    const shelf = new TestShelf();
    fs.utimesSync(shelf.plant('decisions/a', record({ title: 'About zebras' })), OLD, OLD);
    age(shelf);
    const kept = withTexts(shelf, 3_600_000);
    answers(kept, 'zebras');
    fs.writeFileSync(`${shelf.file('decisions/a')}.new`, record({ title: 'About lions' }));
    fs.renameSync(`${shelf.file('decisions/a')}.new`, shelf.file('decisions/a'));
    expect(answers(kept, 'lions').hits).toHaveLength(1);
    fs.writeFileSync(shelf.file('decisions/a'), record({ title: 'About tigers' }));
    expect(answers(withTexts(shelf, 0), 'tigers').hits).toHaveLength(1);
  });

  it('hold no secret and nothing private, and such records are found all the same', () => {
    const shelf = new TestShelf();
    const key = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
    shelf.plant('decisions/key', record({ title: 'Walrus', content: { note: `token = ${key}` } }));
    shelf.plant('decisions/own', record({ title: 'Walrus', content: { note: '<private>my doctor</private>' } }));
    const kept = withTexts(shelf);
    for (const query of ['walrus', key, 'doctor']) {
      expect(answers(kept, query)).toEqual(answers(shelf, query));
      expect(answers(kept, query).hits.length).toBeGreaterThan(0);
    }
    const written = fs.readFileSync(fileOf(shelf), 'utf8');
    expect(written).not.toContain(key.toLowerCase());
    expect(written).not.toContain('doctor');
  });

  it('are made anew where they are damaged, and not made for a small memory', () => {
    const shelf = new TestShelf();
    shelf.plant('decisions/a', record({ title: 'About zebras' }));
    expect(answers(withTexts(shelf, 0, 1), 'zebras').hits).toHaveLength(1);
    expect(fs.existsSync(fileOf(shelf))).toBe(false);
    for (const damage of ['', '{', 'null', '{"version":1,"folders":[{"key":"x","mtime":1,"count":7}]}', '\0\0\0']) {
      answers(withTexts(shelf), 'zebras');
      fs.writeFileSync(fileOf(shelf), damage);
      expect(answers(withTexts(shelf), 'zebras').hits).toHaveLength(1);
    }
  });

  it('are not needed: where they cannot be written, files are searched', () => {
    const shelf = new TestShelf();
    shelf.plant('decisions/a', record({ title: 'About zebras' }));
    fs.mkdirSync(path.join(shelf.base, 'home'), { recursive: true });
    fs.writeFileSync(path.join(shelf.base, 'home/cache'), 'a file');
    expect(answers(withTexts(shelf), 'zebras').hits).toHaveLength(1);
  });
});
