// Real processes that index the files of a memory: killed at any moment, or two at once.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { syncFiles } from '../../src/indexing/files/index-files.ts';
import { Kinds } from '../../src/model/kinds.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { seededRandom } from '../fixtures/seed.ts';
import { memoryFolder, put } from '../fixtures/temporary.ts';

const random = seededRandom();

const NOTES = 1_600;
const KILLS = 12;

let program: Bundle;
beforeAll(async () => {
  program = await bundle('test/indexing/file-indexer.ts');
}, 60_000);
afterAll(() => program.remove());

function indexFiles(root: string, database: string, killAfter?: number): Promise<NodeJS.Signals | number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program.file, root, database], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal ?? code));
    child.stdout.once('data', () => {
      if (killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter);
    });
  });
}

function makeMemory(base: string): string {
  const root = path.join(base, 'project', '.claude', 'memory');
  for (let n = 0; n < NOTES; n++) {
    const links = `[[note-${(n * 7) % NOTES}]] [[note-${n + 1}]]`;
    put(
      path.join(root, `nodes/discoveries/note-${n}.md`),
      `---\ncreated: 2026-01-01T00:00:00Z\n---\n# Note ${n}\n\n${links}\n`,
    );
  }
  return root;
}

async function rowsOf(database: string): Promise<unknown> {
  const store = await openSqliteStore(database);
  try {
    const { documents } = await store.list({ order: 'ref', limit: NOTES * 2 });
    const refs = documents.map((document) => document.ref);
    return { documents, links: await store.links({ refs, direction: 'out' }) };
  } finally {
    await store.close();
  }
}

async function indexedAtOnce(root: string, database: string): Promise<unknown> {
  const store = await openSqliteStore(database);
  await syncFiles(store, { root, project: root, kinds: new Kinds(), projectRoot: path.dirname(path.dirname(root)) });
  await store.close();
  return rowsOf(database);
}

it('killed at any moment and run again, the rows are those of an undisturbed run', async () => {
  const base = memoryFolder();
  const root = makeMemory(base);
  const database = path.join(base, 'killed.db');
  for (let kill = 0; kill < KILLS; kill++) await indexFiles(root, database, random() * 700);
  // What is changed after a kill is found beside what was left undone.
  put(path.join(root, 'nodes/discoveries/note-1600.md'), '# New\n\nA target that some were waiting for.\n');
  expect(await indexFiles(root, database)).toBe(0);
  expect(await rowsOf(database)).toEqual(await indexedAtOnce(root, path.join(base, 'calm.db')));
}, 180_000);

it('two at once give the same rows as one', async () => {
  const base = memoryFolder();
  const root = makeMemory(base);
  const database = path.join(base, 'shared.db');
  expect(await Promise.all([indexFiles(root, database), indexFiles(root, database)])).toEqual([0, 0]);
  expect(await rowsOf(database)).toEqual(await indexedAtOnce(root, path.join(base, 'calm.db')));
}, 120_000);
