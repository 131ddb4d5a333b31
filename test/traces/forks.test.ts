// Forks copy the lines of a conversation: what was read once is not read again, whichever transcript is read first and in whatever
// steps, and nothing is lost when one of them goes.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { archiveReader, archiveWriter } from '../../src/indexing/transcripts/archive-transcript.ts';
import { type IndexOptions, indexTranscript, stateKey } from '../../src/indexing/transcripts/index-transcript.ts';
import { rowsWithoutTranscript } from '../../src/indexing/transcripts/rows-without-transcript.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Document, Store } from '../../src/store/store.ts';
import { openArchive } from '../../src/transcripts/archive/archive.ts';
import { forkOf, type Kind, named, PROMPT } from './fork.ts';

let base: string;
let open: Store[];
beforeEach(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-forks-'));
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
const KINDS: readonly Kind[] = ['print', 'interactive', 'branch'];
type Transcript = { readonly session: string; readonly lines: readonly string[] };

function write({ session, lines }: Transcript, most = lines.length): string {
  const file = path.join(base, `${session}.jsonl`);
  fs.writeFileSync(
    file,
    lines
      .slice(0, most)
      .map((line) => `${line}\n`)
      .join(''),
  );
  return file;
}

async function index(store: Store, files: readonly string[], options = OPTIONS): Promise<void> {
  for (const file of files) await indexTranscript(store, file, options);
}

async function rowsIn(store: Store, file?: string): Promise<Document[]> {
  const filter = { layers: ['trace'], ...(file === undefined ? {} : { files: [file] }) };
  return [...(await store.list({ filter, order: 'ref', limit: 100_000 })).documents];
}

const ideasIn = async (store: Store, file?: string): Promise<Document[]> =>
  (await rowsIn(store, file)).filter(({ kind }) => kind !== 'span');

/** What does not hang on which conversation was read first: relations to others do. */
async function comparable(store: Store): Promise<string[]> {
  const rows = await rowsIn(store);
  const mentions = await store.mentions({ limit: 1_000_000 });
  return [...rows, ...mentions].map((row) => JSON.stringify(row)).sort();
}

async function stateOf(store: Store, file: string): Promise<{ lineage?: { of?: string[] }; anew?: boolean }> {
  const value = (await store.state({ keys: [stateKey(file)] }))[0]?.value;
  return JSON.parse(value ?? '{}') as { lineage?: { of?: string[] }; anew?: boolean };
}

/** As it would be without the other: by line, which is its own in each. */
async function alone(file: string, options = OPTIONS): Promise<Document[]> {
  const store = await newStore();
  await index(store, [file], options);
  return ideasIn(store, file);
}

const textsOf = (rows: readonly Document[]): string[] =>
  rows.map(({ text, createdAt }) => `${createdAt} ${text}`).sort();

describe.each(KINDS)('a fork (%s)', (kind) => {
  it('has rows of what was said in it alone, and the conversation that it was made of keeps its own', async () => {
    const parent = named(1, 40);
    const fork = forkOf(parent.lines, { number: 2, at: 60, turns: 10, kind });
    const files = [write(parent), write(fork)];
    for (const order of [files, files.toReversed()]) {
      const store = await newStore();
      await index(store, order);
      expect(await ideasIn(store, files[0])).toEqual(await alone(files[0]!));
      const copies = fork.lines.findIndex((line) => line.includes(PROMPT) && line.includes('"user"'));
      const whole = await alone(files[1]!);
      const own = whole.filter(({ source }) => source!.line! > copies);
      expect(own.length).toBeLessThan(whole.length - 5);
      expect(textsOf(await ideasIn(store, files[1]))).toEqual(textsOf(own));
      const refs = new Set((await rowsIn(store, files[1])).map(({ ref }) => ref));
      for (const { span } of await ideasIn(store, files[1])) expect(refs).toContain(span);
    }
  });

  it('knows what was said before it', async () => {
    const lines = (...said: readonly (readonly ['user' | 'assistant', string])[]): string[] =>
      said.map(([type, text], at) =>
        JSON.stringify({
          type,
          uuid: `12345678-0000-4000-8000-00000000000${at}`,
          timestamp: `2026-05-01T10:0${at}:00.000Z`,
          sessionId: 'f0000000-0000-4000-8000-000000000000',
          cwd: '/work/example',
          message: { role: type, content: type === 'user' ? text : [{ type: 'text', text }] },
        }),
      );
    const parent = {
      session: 'f0000000-0000-4000-8000-000000000000',
      lines: lines(
        ['user', 'We decided to use Postgres for the quorum ledger, because it is safe.'],
        ['assistant', 'Postgres it is. Should the quorum ledger have an index on its dates?'],
      ),
    };
    const fork = forkOf(parent.lines, { number: 2, at: 2, turns: 0, kind });
    const [first, second] = [write(parent), write(fork)];
    const store = await newStore();
    await index(store, [second, first]);
    const [prompt] = await ideasIn(store, second);
    expect(prompt).toMatchObject({ text: PROMPT, context: expect.stringContaining('an index on its dates?') });
    const answer = { ...JSON.parse(fork.lines.at(-1)!), uuid: '12345678-0000-4000-8000-000000000099' };
    answer.timestamp = new Date(Date.parse(answer.timestamp) + 60_000).toISOString();
    answer.message = { role: 'user', content: 'We switched from Postgres to SQLite for the quorum ledger.' };
    fs.appendFileSync(second, `${JSON.stringify(answer)}\n`);
    await index(store, [second]);
    const said = new Map((await ideasIn(store)).map(({ ref, text }) => [ref, text]));
    const links = await store.links({ refs: [...said.keys()] });
    const replaced = links.find(({ relation }) => relation === 'supersedes');
    expect(said.get(replaced?.from ?? '')).toContain('SQLite');
    expect(said.get(replaced?.to ?? '')).toContain('We decided to use Postgres');
    expect(links.filter(({ from, to }) => from === replaced?.from && to === replaced?.to)).toHaveLength(1);
    expect(links.every(({ to }) => said.has(to))).toBe(true);
  });

  it('read before the conversation that it was made of gives up its rows to it, also when the worker stops in between', async () => {
    const parent = named(1, 40);
    const fork = forkOf(parent.lines, { number: 2, at: 60, turns: 10, kind });
    const [first, second] = [write(parent), write(fork)];
    const store = await newStore();
    await index(store, [second]);
    expect(textsOf(await ideasIn(store, second))).toEqual(textsOf(await alone(second)));
    // The batch is written, and nothing after it is done.
    const killed = {
      ...OPTIONS,
      onProgress: () => {
        throw new Error('killed');
      },
    };
    await expect(indexTranscript(store, first, killed)).rejects.toThrow('killed');
    expect(await stateOf(store, second)).toMatchObject({ anew: true });
    await index(store, [second]);
    await index(store, [first]);
    const calm = await newStore();
    await index(calm, [first, second]);
    expect(await comparable(store)).toEqual(await comparable(calm));
    expect(await stateOf(store, second)).toMatchObject({ lineage: { of: [first] } });
    expect((await stateOf(store, second)).anew).toBeUndefined();
  });
});

/** Without the mark of a list before it, which belongs to an idea only where something else stands before: each of its items is one. */
const longestSentence = (text: string): string =>
  text.split(/(?<=[.!?]) (?:- )?| - /).toSorted((a, b) => b.length - a.length)[0] ?? '';

describe('forks', () => {
  it('in any order and in any steps give the rows of all at once', async () => {
    const kind = fc.constantFrom(...KINDS);
    const steps = fc.array(fc.record({ of: fc.nat(2), share: fc.double({ min: 0, max: 1, noNaN: true }) }), {
      maxLength: 8,
    });
    const ends = fc.shuffledSubarray([0, 1, 2], { minLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(20),
        fc.tuple(kind, kind, fc.boolean()),
        fc.tuple(fc.integer({ min: 3, max: 30 }), fc.integer({ min: 3, max: 40 })),
        steps,
        ends,
        async (number, [firstKind, secondKind, ofFork], [at, later], cuts, last) => {
          const parent = named(100 + number, 14);
          const fork = forkOf(parent.lines, { number: 200 + number, at, turns: 4, kind: firstKind });
          const of = ofFork ? fork.lines : parent.lines;
          const second = forkOf(of, { number: 300 + number, at: later, turns: 4, kind: secondKind });
          const family = [parent, fork, second];
          const byStep = await newStore();
          const read = [0, 0, 0];
          for (const { of: which, share } of cuts) {
            const each = family[which]!;
            read[which] = Math.max(read[which]!, Math.ceil(share * each.lines.length));
            await index(byStep, [write(each, read[which])]);
          }
          for (const which of last) await index(byStep, [write(family[which]!)]);
          const atOnce = await newStore();
          await index(
            atOnce,
            family.map((each) => write(each)),
          );
          expect(await comparable(byStep)).toEqual(await comparable(atOnce));
          for (const { session } of family)
            expect((await stateOf(byStep, path.join(base, `${session}.jsonl`))).anew).toBeUndefined();
          const texts = textsOf(await ideasIn(byStep));
          expect(texts).toEqual([...new Set(texts)]);
          // Nothing that anybody said is missing; a task that was named before a compaction is a new one only to who did not see that.
          // Which sentences make one idea hangs on what followed, which a fork has others of.
          const said = (await ideasIn(byStep)).map(({ text }) => text).join('\n');
          for (const each of family)
            for (const { text } of await alone(path.join(base, `${each.session}.jsonl`)))
              expect(said).toContain(longestSentence(text));
        },
      ),
      { numRuns: 20 },
    );
  }, 120_000);

  it('of a compacted conversation begin where it was compacted, and are known all the same', async () => {
    const { session, lines } = named(3, 60);
    const border = lines.findLastIndex((line) => line.includes('compact_boundary'));
    expect(border).toBeGreaterThan(30);
    const parent = { session, lines };
    const fork = forkOf(lines, { number: 4, at: lines.length, turns: 3, kind: 'print' });
    expect(fork.lines.some((line) => line.includes(JSON.parse(lines[0]!).uuid))).toBe(false);
    const files = [write(parent), write(fork)];
    for (const order of [files, files.toReversed()]) {
      const store = await newStore();
      await index(store, order);
      const texts = textsOf(await ideasIn(store));
      expect(texts).toEqual([...new Set(texts)]);
      expect(await ideasIn(store, files[0])).toEqual(await alone(files[0]!));
    }
  });

  it('of another project, and transcripts of subagents, have their rows whatever their lines are called', async () => {
    const parent = named(5, 20);
    const fork = forkOf(parent.lines, { number: 6, at: 30, turns: 3, kind: 'print' });
    const files = [write(parent), write(fork)];
    const elsewhere = { ...OPTIONS, projectOf: (_: unknown, file: string) => file };
    const store = await newStore();
    await index(store, files, elsewhere);
    expect(textsOf(await ideasIn(store, files[1]))).toEqual(textsOf(await alone(files[1]!, elsewhere)));
    const folder = path.join(base, parent.session, 'subagents');
    fs.mkdirSync(folder, { recursive: true });
    const agent = path.join(folder, 'agent-a1.jsonl');
    fs.writeFileSync(agent, parent.lines.map((line) => `${line}\n`).join(''));
    await index(store, [agent]);
    expect(textsOf(await ideasIn(store, agent))).toEqual(textsOf(await alone(agent)));
  });

  it('are what they were when the other is gone: from its archive, or from the rows that are left of it', async () => {
    const archive = openArchive(path.join(base, 'archive'), { maxBytes: 1e9, now: () => new Date() });
    const archiving = { ...OPTIONS, archive: archiveWriter(archive), archived: archiveReader(archive) };
    const parent = named(7, 40);
    const fork = forkOf(parent.lines, { number: 8, at: 60, turns: 6, kind: 'interactive' });
    const [first, second] = [write(parent), write(fork)];
    const store = await newStore();
    await index(store, [first, second], archiving);
    const texts = textsOf(await ideasIn(store, second));
    fs.rmSync(first);
    const fromArchive = await newStore();
    await index(fromArchive, [second, first], archiving);
    expect(textsOf(await ideasIn(fromArchive, second))).toEqual(texts);
    // No archive either: as `cairn reindex` does, what is nowhere else is put back before the rest is read.
    const kept = await rowsWithoutTranscript(store, [first]);
    const left = await newStore();
    await left.apply(kept);
    await index(left, [second]);
    expect(textsOf(await ideasIn(left, second))).toEqual(texts);
    expect(await ideasIn(left, first)).toEqual(await ideasIn(store, first));
  });

  it('cost one look where there are none', async () => {
    const { session, lines } = named(9, 30);
    const store = await newStore();
    await index(store, [write({ session, lines })]);
    const begins = await store.state({ prefix: 'begins:' });
    expect(begins.length).toBe(1 + lines.filter((line) => line.includes('compact_boundary')).length);
  });
});
