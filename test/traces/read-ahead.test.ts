// What a second thread reads ahead gives the rows that one thread gives, state included, whatever the conversations are: forks, secrets,
// compactions, damaged lines, files that change meanwhile.

import fs from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aheadOf } from '../../src/app/read-ahead-thread.ts';
import { archiveReader, archiveWriter } from '../../src/indexing/transcripts/archive-transcript.ts';
import { backfill } from '../../src/indexing/transcripts/backfill.ts';
import { type IndexOptions, indexTranscript } from '../../src/indexing/transcripts/index-transcript.ts';
import { type Ahead, lookOf, readAhead } from '../../src/indexing/transcripts/read-ahead.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { openArchive } from '../../src/transcripts/archive/archive.ts';
import { newFolder, put, temporaryFolder } from '../fixtures/temporary.ts';
import { conversation } from './conversation.ts';
import { forkOf, named } from './fork.ts';
import { differences, SAME } from './store-rows.ts';

const binary = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');
const KEY = 'a'.repeat(64);
const SECRETS = [
  'The password is hunter2-Tr0ub4dor and DB_PASSWORD=hunter2-Tr0ub4dor in the file.',
  'We keep hunter2-Tr0ub4dor in the vault. <private>nobody reads this</private> We decided to use Redis.',
];

/** Conversations with forks and secrets in them, and lines that nobody can read. */
function write(folder: string, seeds: readonly number[], turns: number, padding = 0): string[] {
  return seeds.flatMap((seed) => {
    const number = seed * 10;
    const parent = named(number, turns);
    const at = Math.max(2, (seed * 7) % parent.lines.length);
    const kind = (['print', 'interactive', 'branch'] as const)[seed % 3] ?? 'print';
    const said = SECRETS.map((text, nth) => {
      const timestamp = new Date(Date.UTC(2026, 5, 1, nth)).toISOString();
      const message = { role: 'user', content: text + ' '.repeat(padding) };
      return JSON.stringify({ type: 'user', sessionId: parent.session, cwd: '/work/example', timestamp, message });
    });
    const lines = [...parent.lines.slice(0, at), '{"half', '', ...said, ...parent.lines.slice(at)];
    const fork = forkOf(lines, { number: number + 1, at: at + 2, turns: 3, kind });
    return [{ session: parent.session, lines }, fork, conversation(number + 2, turns)].map((each) =>
      put(path.join(folder, `${each.session}.jsonl`), `${each.lines.join('\n')}\n`),
    );
  });
}

/** As the thread does it, in this one. `meanwhile`: what happens to a file after it was read. */
const inThisThread = (options: { archives: boolean }, meanwhile: (file: string) => void = () => undefined): Ahead => ({
  of: async (file) => {
    const look = lookOf(file);
    if (!look) return undefined;
    const lines = [...readAhead(file, { ...options, thinking: false, maskKey: () => KEY })];
    async function* parts(): AsyncGenerator<typeof lines> {
      yield structuredClone(lines.slice(0, 5));
      yield structuredClone(lines.slice(5));
      meanwhile(file);
    }
    return { look, lines: parts() };
  },
});

async function indexed(base: string, files: readonly string[], more: Partial<IndexOptions> = {}): Promise<Store> {
  const folder = fs.mkdtempSync(path.join(base, 'store-'));
  const store = await openSqliteStore(path.join(folder, 'memory.db'));
  const archive = openArchive(path.join(folder, 'archive'), { maxBytes: 1e9, now: () => new Date(0) });
  for (const file of files)
    await indexTranscript(store, file, {
      projectOf: (cwd) => cwd ?? 'none',
      maskKey: () => KEY,
      archive: archiveWriter(archive),
      archived: archiveReader(archive),
      ...more,
    });
  return store;
}

describe('what was read ahead', () => {
  it('gives the rows and the state that are read here, in any order of files', async () => {
    const property = fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 2 }),
      fc.integer({ min: 2, max: 25 }),
      fc.infiniteStream(fc.nat()),
      async (seeds, turns, chances) => {
        const base = newFolder();
        try {
          const files = write(path.join(base, 'talk'), seeds, turns).sort(() => ((chances.next().value ?? 0) % 3) - 1);
          const [one, two] = [
            await indexed(base, files),
            await indexed(base, files, { ahead: inThisThread({ archives: true }) }),
          ];
          expect(await differences(one, two)).toEqual(SAME);
          await one.close();
          await two.close();
        } finally {
          fs.rmSync(base, { recursive: true, force: true });
        }
      },
    );
    await fc.assert(property, { numRuns: 15 });
  }, 120_000);

  it('is given up where the file has changed since, and read here', async () => {
    const base = temporaryFolder();
    const files = write(path.join(base, 'talk'), [3], 12);
    const more = `${JSON.stringify({ type: 'user', cwd: '/work/example', message: { role: 'user', content: 'We decided to use Kafka.' } })}\n`;
    const meanwhile = (file: string): void => fs.appendFileSync(file, more);
    const two = await indexed(base, files, { ahead: inThisThread({ archives: true }, meanwhile) });
    const one = await indexed(base, files);
    expect(await differences(one, two)).toEqual(SAME);
    expect((await two.search({ terms: [{ text: 'Kafka' }], limit: 50 })).length).toBeGreaterThan(0);
    await one.close();
    await two.close();
  });

  it('comes from a real thread as it is installed', async () => {
    const base = temporaryFolder();
    const userRoot = path.join(base, 'user');
    put(path.join(userRoot, 'mask.key'), `${KEY}\n`);
    const files = write(path.join(base, 'talk'), [1, 2, 3, 4], 20, 600_000);
    put(path.join(base, 'talk', 'readme.txt'), 'no conversation');
    const found = files.map((file) => ({ file, size: fs.statSync(file).size }));
    const threads: Worker[] = [];
    const run = async (isAhead: boolean): Promise<Store> => {
      const store = await openSqliteStore(path.join(base, `${isAhead}.db`));
      await backfill(store, found, {
        projectOf: (cwd) => cwd ?? 'none',
        maskKey: () => KEY,
        ...(isAhead
          ? {
              readAhead: async (wanted) => {
                const workerData = { files: wanted, thinking: false, archives: false, userRoot };
                const thread = new Worker(binary, { argv: ['hook', 'read-worker'], workerData });
                threads.push(thread);
                return aheadOf(thread, wanted);
              },
            }
          : {}),
      });
      return store;
    };
    const [one, two] = [await run(false), await run(true)];
    expect(threads).toHaveLength(1);
    expect(await differences(one, two)).toEqual(SAME);
    await one.close();
    await two.close();
  }, 60_000);

  it('of a thread that dies is missed by nobody', async () => {
    const base = temporaryFolder();
    const files = write(path.join(base, 'talk'), [5], 10);
    const thread = new Worker('throw new Error("no")', { eval: true });
    const two = await indexed(base, files, { ahead: aheadOf(thread, files) });
    const one = await indexed(base, files);
    expect(await differences(one, two)).toEqual(SAME);
    await one.close();
    await two.close();
  });
});
