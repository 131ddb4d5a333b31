// Indexing a transcript: however it is cut into runs, stopped or repeated, the rows are the same.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openArchive } from '../../src/indexing/archive.ts';
import { archiveReader, archiveWriter } from '../../src/indexing/archive-transcript.ts';
import { type IndexOptions, indexTranscript, stateKey } from '../../src/indexing/index-transcript.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
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

  it('that was rewritten is noticed and read anew', async () => {
    const file = path.join(base, 'd.jsonl');
    const store = await newStore();
    write(file, conversation(3, 30).lines);
    await indexTranscript(store, file, OPTIONS);
    const other = conversation(4, 20).lines;
    write(file, other);
    expect(await indexTranscript(store, file, OPTIONS)).toMatchObject({ restarted: true, lines: other.length });
    const fresh = await newStore();
    await indexTranscript(fresh, file, OPTIONS);
    expect(await differences(store, fresh)).toEqual(SAME);
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

describe('the archive of a transcript', () => {
  const options = (): IndexOptions => {
    const archive = openArchive(path.join(base, 'archive'), { maxBytes: 1e9, now: () => new Date() });
    return { ...OPTIONS, archive: archiveWriter(archive), archived: archiveReader(archive) };
  };

  it('gives the same rows when the file and the database are gone', async () => {
    const file = path.join(base, 'a.jsonl');
    write(file, conversation(8, 120).lines);
    const before = await newStore();
    await indexTranscript(before, file, options());
    fs.rmSync(file);
    const after = await newStore();
    expect((await indexTranscript(after, file, options()))?.ideas).toBeGreaterThan(50);
    expect(await differences(after, before)).toEqual(SAME);
    // And once more: there is nothing new in it.
    expect(await indexTranscript(after, file, options())).toMatchObject({ lines: 0, ideas: 0 });
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
    expect(await differences(after, store)).toEqual(SAME);
  });
});
