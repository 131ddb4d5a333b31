// Indexing a transcript: however it is cut into runs, stopped or repeated, the rows are the same.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { archiveReader, archiveWriter, olderReader } from '../../src/indexing/transcripts/archive-transcript.ts';
import { type IndexOptions, indexTranscript, stateKey } from '../../src/indexing/transcripts/index-transcript.ts';
import { linesAround } from '../../src/indexing/transcripts/lines-around.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Document, Store } from '../../src/store/store.ts';
import { openArchive } from '../../src/transcripts/archive/archive.ts';
import { conversation } from './conversation.ts';
import { differences, SAME, storeRows } from './store-rows.ts';

let base: string;
let open: Store[];
beforeEach(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-traces-'));
  open = [];
});
afterEach(async () => {
  for (const store of open) await store.close();
  fs.rmSync(base, { recursive: true, force: true });
});

let stores = 0;
async function newStore(): Promise<Store> {
  const store = await openSqliteStore(path.join(base, `${stores++}.db`));
  open.push(store);
  return store;
}

const OPTIONS: IndexOptions = { projectOf: (cwd, file) => cwd ?? file };
const write = (file: string, lines: readonly string[]): void =>
  fs.writeFileSync(file, lines.map((line) => `${line}\n`).join(''));

describe('a transcript', () => {
  it('indexed line by line gives the rows of one indexed at once', async () => {
    const { lines } = conversation(1, 60);
    const file = path.join(base, 'a.jsonl');
    const byStep = await newStore();
    fs.writeFileSync(file, '');
    for (const line of lines) {
      fs.appendFileSync(file, `${line}\n`);
      await indexTranscript(byStep, file, OPTIONS);
    }
    const atOnce = await newStore();
    const report = await indexTranscript(atOnce, file, OPTIONS);
    expect(report?.ideas).toBeGreaterThan(30);
    expect(await differences(byStep, atOnce)).toEqual(SAME);
  });

  it('that was read by a version whose rows said less is read anew by itself; gone everywhere, its old rows stay', async () => {
    const { lines } = conversation(2, 12);
    const file = path.join(base, 'old.jsonl');
    write(file, lines);
    const store = await newStore();
    await indexTranscript(store, file, OPTIONS);
    const fresh = await storeRows(store);
    const asOlder = async (): Promise<void> => {
      const [state] = await store.state({ keys: [stateKey(file)] });
      const { documents } = await store.list({ filter: { layers: ['trace'] }, limit: 500 });
      await store.apply([
        ...documents.map(({ meta, ...document }) => {
          const { speaker: _, provenance: __, ...older } = meta ?? {};
          return { op: 'put' as const, document: { ...document, meta: older } };
        }),
        { op: 'state', key: stateKey(file), value: JSON.stringify({ ...JSON.parse(state!.value), v: 5 }) },
      ]);
    };
    await asOlder();
    expect(await storeRows(store)).not.toEqual(fresh);
    expect(await indexTranscript(store, file, OPTIONS)).toMatchObject({ restarted: true });
    expect(await storeRows(store)).toEqual(fresh);
    await asOlder();
    const older = await storeRows(store);
    fs.rmSync(file);
    expect(await indexTranscript(store, file, OPTIONS)).toBeUndefined();
    expect(await storeRows(store)).toEqual(older);
  });

  it.each([
    ['cut off', (row: string) => row.slice(0, row.length / 2)],
    ['of blanks', (row: string) => ' '.repeat(row.length)],
    ['a list', () => '[]'],
    ['nothing', () => 'null'],
    ['without its place', (row: string) => row.replace(/"offset":\d+/, '"offset":"far"')],
    ['without its reader', (row: string) => row.replace(/"reader":"[^"]*"/, '"reader":7')],
    ['without what it knew', (row: string) => row.replace(/"trace":.*$/, '"trace":3}')],
    ['with forks of nothing', (row: string) => row.replace(/\}$/, ',"forks":[null]}')],
  ])('whose row is damaged (%s) is read anew, and gives the same rows', async (_, damaged) => {
    const { lines } = conversation(3, 12);
    const file = path.join(base, 'damaged.jsonl');
    write(file, lines);
    const store = await newStore();
    await indexTranscript(store, file, OPTIONS);
    const fresh = await storeRows(store);
    const [state] = await store.state({ keys: [stateKey(file)] });
    const value = damaged(state!.value);
    expect(value).not.toBe(state!.value);
    await store.apply([{ op: 'state', key: stateKey(file), value }]);
    expect(await indexTranscript(store, file, OPTIONS)).toMatchObject({ restarted: true });
    expect(await storeRows(store)).toEqual(fresh);
  });

  it('cut anywhere, also inside a line, gives the same rows', async () => {
    const file = path.join(base, 'b.jsonl');
    await fc.assert(
      fc.asyncProperty(fc.nat(30), fc.array(fc.nat(), { maxLength: 6 }), async (number, cuts) => {
        const bytes = Buffer.from(
          conversation(number, 12)
            .lines.map((line) => `${line}\n`)
            .join(''),
        );
        const ends = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((a, b) => a - b);
        const byStep = await newStore();
        for (const end of [...ends, bytes.length]) {
          fs.writeFileSync(file, bytes.subarray(0, end));
          await indexTranscript(byStep, file, OPTIONS);
        }
        const atOnce = await newStore();
        await indexTranscript(atOnce, file, OPTIONS);
        expect(await differences(byStep, atOnce)).toEqual(SAME);
      }),
      { numRuns: 25 },
    );
  });

  it('indexed twice changes nothing', async () => {
    const file = path.join(base, 'c.jsonl');
    write(file, conversation(2, 30).lines);
    const store = await newStore();
    await indexTranscript(store, file, OPTIONS);
    const rows = await storeRows(store);
    const again = await indexTranscript(store, file, OPTIONS);
    expect(again).toMatchObject({ lines: 0, ideas: 0, restarted: false });
    expect(await storeRows(store)).toEqual(rows);
  });

  it('that was rewritten is noticed and read anew, beside what it was', async () => {
    const file = path.join(base, 'd.jsonl');
    const store = await newStore();
    write(file, conversation(3, 30).lines);
    await indexTranscript(store, file, OPTIONS);
    const before = await ideasIn(store);
    const other = conversation(4, 40).lines;
    write(file, other);
    expect(await indexTranscript(store, file, OPTIONS)).toMatchObject({ restarted: true, lines: other.length });
    const fresh = await newStore();
    await indexTranscript(fresh, file, OPTIONS);
    const texts = (ideas: readonly Document[]): string[] =>
      ideas.map(({ text, source }) => `${source?.line} ${text}`).sort();
    expect(texts(await ideasIn(store))).toEqual(texts([...before, ...(await ideasIn(fresh))]));
    expect(await store.get({ refs: before.map(({ ref }) => ref) })).toHaveLength(before.length);
  });

  it('that became shorter is what it was, and goes on from there when it is whole again', async () => {
    const file = path.join(base, 'cut.jsonl');
    const { lines } = conversation(5, 60);
    const [store, calm] = [await newStore(), await newStore()];
    write(file, lines);
    await indexTranscript(store, file, OPTIONS);
    const rows = await storeRows(store);
    const bytes = fs.readFileSync(file);
    for (const share of [0.9, 0.5, 0.51, 0.2, 0.03]) {
      fs.writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length * share)));
      expect(await indexTranscript(store, file, OPTIONS)).toMatchObject({ shorter: true, lines: 0, restarted: false });
      expect(await storeRows(store)).toEqual(rows);
    }
    write(file, [...lines, ...conversation(5, 70).lines.slice(lines.length)]);
    await indexTranscript(store, file, OPTIONS);
    await indexTranscript(calm, file, OPTIONS);
    expect(await differences(store, calm)).toEqual(SAME);
  });

  it('that is read anew, and killed or refused in between, has the rows of before where it has none of now', async () => {
    const file = path.join(base, 'anew.jsonl');
    const [store, calm] = [await newStore(), await newStore()];
    write(file, conversation(7, 700).lines);
    await indexTranscript(store, file, OPTIONS);
    const before = await ideasIn(store);
    // As if an older Cairn had read it: it is read anew, with one row that is no more.
    const stale = { ...before[10]!, ref: 'idea:stale', text: 'nobody says so any more' };
    await store.apply([{ op: 'put', document: stale }]);
    let steps = 0;
    const report = await indexTranscript(store, file, { ...OPTIONS, anew: () => true, stopped: () => ++steps === 2 });
    expect(report).toMatchObject({ finished: false, restarted: true });
    const between = new Set((await ideasIn(store)).map(({ ref }) => ref));
    expect(before.filter(({ ref }) => !between.has(ref))).toEqual([]);
    expect(await indexTranscript(store, file, OPTIONS)).toMatchObject({ finished: true });
    await indexTranscript(calm, file, OPTIONS);
    expect(await differences(store, calm)).toEqual(SAME);
  });

  it('that was marked by an older Cairn goes on from there', async () => {
    const { lines } = conversation(4, 30);
    const file = path.join(base, 'marked.jsonl');
    const store = await newStore();
    write(file, lines.slice(0, 20));
    await indexTranscript(store, file, OPTIONS);
    const { key, value } = (await store.state({ keys: [stateKey(file)] }))[0]!;
    const bytes = fs.readFileSync(file);
    const ends = [bytes.subarray(0, 2_048), bytes.subarray(Math.max(0, bytes.length - 2_048))];
    const digest = createHash('sha256');
    for (const each of ends) digest.update(each).update(String(each.length));
    const mark = digest.digest('hex').slice(0, 16);
    await store.apply([{ op: 'state', key, value: JSON.stringify({ ...JSON.parse(value), mark }) }]);
    fs.appendFileSync(file, `${lines[20]}\n`);
    expect(await indexTranscript(store, file, OPTIONS)).toMatchObject({ restarted: false, lines: 1 });
  });

  it('by two indexers at once is indexed once', async () => {
    const file = path.join(base, 'e.jsonl');
    write(file, conversation(5, 200).lines);
    const name = path.join(base, 'shared.db');
    const [one, two] = [await openSqliteStore(name), await openSqliteStore(name)];
    open.push(one, two);
    await Promise.all([indexTranscript(one, file, OPTIONS), indexTranscript(two, file, OPTIONS)]);
    const fresh = await newStore();
    await indexTranscript(fresh, file, OPTIONS);
    expect(await differences(one, fresh)).toEqual(SAME);
  });

  it('leaves no secret and nothing private in the store', async () => {
    const file = path.join(base, 'f.jsonl');
    write(file, conversation(6, 200).lines);
    const store = await newStore();
    await indexTranscript(store, file, OPTIONS);
    const rows = (await storeRows(store)).join('\n');
    expect(rows).not.toContain('sk-ant-api03-kkkk');
    expect(rows).not.toContain('swordfish');
  });

  it('counts lines that nobody can read, and goes on', async () => {
    const file = path.join(base, 'g.jsonl');
    const { lines } = conversation(7, 80);
    write(file, lines);
    const report = await indexTranscript(await newStore(), file, OPTIONS);
    expect(report?.unreadable).toBe(lines.filter((line) => line.endsWith('"half"')).length);
    expect(report?.unreadable).toBeGreaterThan(0);
    expect(report?.lines).toBe(lines.length);
  });

  it('of no known format is left alone', async () => {
    const file = path.join(base, 'h.jsonl');
    fs.writeFileSync(file, '{"something":"else"}\n');
    const store = await newStore();
    expect(await indexTranscript(store, file, OPTIONS)).toBeUndefined();
    expect(await storeRows(store)).toEqual([]);
  });
});

/** Without topics, which grow. */
async function ideasIn(store: Store): Promise<Document[]> {
  const { documents } = await store.list({ filter: { layers: ['trace'] }, order: 'ref', limit: 100_000 });
  return documents.filter(({ kind }) => kind !== 'span');
}

describe('the archive of a transcript', () => {
  const options = (): IndexOptions => {
    const archive = openArchive(path.join(base, 'archive'), { maxBytes: 1e9, now: () => new Date() });
    return {
      ...OPTIONS,
      archive: archiveWriter(archive),
      archived: archiveReader(archive),
      older: olderReader(archive),
      nextGeneration: archive.nextGeneration,
    };
  };

  it('gives the same rows when the file and the database are gone', async () => {
    const file = path.join(base, 'a.jsonl');
    write(file, conversation(8, 120).lines);
    const before = await newStore();
    await indexTranscript(before, file, options());
    fs.rmSync(file);
    const after = await newStore();
    expect((await indexTranscript(after, file, options()))?.ideas).toBeGreaterThan(50);
    expect(await differences(after, before, { fromArchive: true })).toEqual(SAME);
    // And once more: there is nothing new in it.
    expect(await indexTranscript(after, file, options())).toMatchObject({ lines: 0, ideas: 0 });
  });

  it('of a transcript that was rewritten has both, and gives the same rows when the database is gone', async () => {
    const file = path.join(base, 'r.jsonl');
    const { lines } = conversation(8, 80);
    const fork = 60;
    const other = conversation(8, 80)
      .lines.slice(0, fork)
      .concat(conversation(12, 40).lines.map((line) => line.replaceAll(/0{11}12/g, '000000000008')));
    const store = await newStore();
    write(file, lines);
    await indexTranscript(store, file, options());
    const before = await ideasIn(store);
    write(file, other);
    expect(await indexTranscript(store, file, options())).toMatchObject({ restarted: true });
    const ideas = await ideasIn(store);
    // What both begin with is there once.
    const shared = ideas.filter(({ source }) => source!.line! <= fork);
    expect(shared.map(({ ref }) => ref)).toEqual(
      before.filter(({ source }) => source!.line! <= fork).map(({ ref }) => ref),
    );
    expect(new Set(ideas.map(({ ref }) => ref)).size).toBe(ideas.length);
    const refs = new Set(ideas.map(({ ref }) => ref));
    expect(before.filter(({ ref }) => !refs.has(ref))).toEqual([]);
    expect(ideas.some(({ meta }) => meta?.generation === 2)).toBe(true);
    for (const isGone of [false, true]) {
      if (isGone) fs.rmSync(file);
      const after = await newStore();
      await indexTranscript(after, file, options());
      const [one, two] = [await ideasIn(after), ideas].map((each) =>
        each.map(({ ref, text, meta }) => ({ ref, text, meta })),
      );
      expect(one).toEqual(two);
    }
    // And every old ref still finds its line.
    const archive = openArchive(path.join(base, 'archive'), { maxBytes: 1e9, now: () => new Date() });
    for (const { source, meta, text } of ideas.filter((_, at) => at % 9 === 0)) {
      const generation = Number(meta?.generation ?? 1);
      const said = text.replace(/^Committed: /, '');
      const around = linesAround(archive, { file, line: source!.line!, generation }, { before: 0, after: 0 });
      expect(around?.lines.map((each) => each.text).join(' ')).toContain(said.slice(0, 20).trimEnd());
    }
  });

  it('stands in for a transcript that became shorter, also when the database is gone', async () => {
    const file = path.join(base, 's.jsonl');
    const { lines } = conversation(9, 60);
    const store = await newStore();
    write(file, lines);
    await indexTranscript(store, file, options());
    write(file, lines.slice(0, 20));
    expect(await indexTranscript(store, file, options())).toMatchObject({ shorter: true, restarted: false });
    const after = await newStore();
    expect(await indexTranscript(after, file, options())).toMatchObject({ shorter: true });
    expect(await differences(after, store, { fromArchive: true })).toEqual(SAME);
    // It goes another way now: what is shared stays, and both endings are there.
    write(file, [...lines.slice(0, 20), ...conversation(10, 5).lines]);
    expect(await indexTranscript(store, file, options())).toMatchObject({ restarted: true });
    const archive = openArchive(path.join(base, 'archive'), { maxBytes: 1e9, now: () => new Date() });
    expect(archive.olderFor(file).map(({ line }) => line)).toEqual([lines.length]);
  });

  it('holds no secret and nothing private', async () => {
    const file = path.join(base, 'b.jsonl');
    write(file, conversation(6, 200).lines);
    await indexTranscript(await newStore(), file, options());
    const archive = openArchive(path.join(base, 'archive'), { maxBytes: 1e9, now: () => new Date() });
    const kept = [...archive.lines(archive.entryFor(file)!)].join('\n');
    expect(kept).toContain('Postgres');
    expect(kept).not.toContain('sk-ant-api03-kkkk');
    expect(kept).not.toContain('swordfish');
  });

  it('that was removed is made again from the file', async () => {
    const file = path.join(base, 'c.jsonl');
    const { lines } = conversation(9, 60);
    const half = Math.floor(lines.length / 2);
    const store = await newStore();
    write(file, lines.slice(0, half));
    await indexTranscript(store, file, options());
    fs.rmSync(path.join(base, 'archive'), { recursive: true });
    write(file, lines);
    await indexTranscript(store, file, options());
    fs.rmSync(file);
    const after = await newStore();
    await indexTranscript(after, file, options());
    expect(await differences(after, store, { fromArchive: true })).toEqual(SAME);
  });
});
