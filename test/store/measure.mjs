// Measures the SQLite store at 100,000 documents, for docs/STORE.md:  node test/store/measure.mjs [documents]
// Run it with another Node to measure the other driver. Numbers are of one machine; compare only those of one run.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { document, median, percentile90, speaker, vectors } from './made-up.mjs';

const COUNT = Number(process.argv[2] ?? 100_000);
const DIMENSIONS = 384;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-measure-'));
const file = path.join(folder, 'memory.db');
const bundle = path.resolve('.cairn-test', `measure-${process.pid}.mjs`);
await build({
  stdin: {
    contents: `export { openSqliteStore } from './sqlite-store.ts'; export { openDriver } from './driver.ts'; export { indexWords } from '../index-words.ts';`,
    resolveDir: 'src/store/sqlite',
    loader: 'ts',
  },
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
});
const { openSqliteStore, openDriver, indexWords } = await import(pathToFileURL(bundle).href);

const say = (name, value) => process.stdout.write(`${name.padEnd(58)} ${value}\n`);
const ms = (times) => `${median(times).toFixed(2)} ms (90 %: ${percentile90(times).toFixed(2)})`;

/** Time of the processor, which other work on the machine disturbs less than time on the clock. */
async function timed(times, action) {
  const start = process.cpuUsage();
  const result = await action();
  const { user, system } = process.cpuUsage(start);
  times.push((user + system) / 1000);
  return result;
}

const megabytes = () =>
  `${((fs.statSync(file).size + (fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0)) / 1e6).toFixed(0)} MB`;

async function fill(store) {
  const text = speaker(1);
  let spent = 0;
  for (let from = 0; from < COUNT; from += 1_000) {
    const batch = Array.from({ length: 1_000 }, (_, n) => ({
      op: 'put',
      document: document(from + n, text.sentence(200), { projects: 10 }),
    }));
    const times = [];
    await timed(times, () => store.apply(batch));
    spent += times[0];
  }
  say(`put ${COUNT} documents of 200 characters, 1,000 a batch`, `${(spent / 1000).toFixed(1)} s`);
}

async function fillVectors(store) {
  const make = vectors(3, DIMENSIONS);
  let spent = 0;
  for (let from = 0; from < COUNT; from += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, n) => ({
      hash: `${from + n}`.padStart(32, '0'),
      model: 'measured',
      vector: make(),
    }));
    const times = [];
    await timed(times, () => store.apply([{ op: 'vectors', vectors: rows }]));
    spent += times[0];
  }
  say(`store ${COUNT} vectors of ${DIMENSIONS}, 1,000 a batch`, `${(spent / 1000).toFixed(1)} s`);
  return Array.from({ length: 50 }, make);
}

async function measureText(store, filter, name) {
  const text = speaker(7);
  const times = [];
  for (let n = 0; n < 200; n++) {
    const terms = Array.from({ length: 5 }, () => ({ text: text.word() }));
    await timed(times, () => store.search({ terms, filter, limit: 50 }));
  }
  say(name, ms(times));
}

/** What FTS5 does without a plan, and how much of its first ten the planned search finds among its own first ten. */
async function compareWithPlain(store) {
  const driver = openDriver(file);
  const plain = driver.prepare(
    'SELECT d.ref FROM words JOIN document d ON d.id = words.rowid WHERE words MATCH ? ORDER BY bm25(words, 2, 1, 1.5, 0.5, 0) LIMIT 10',
  );
  const text = speaker(7);
  const times = [];
  let [same, all] = [0, 0];
  for (let n = 0; n < 100; n++) {
    const words = [...new Set(Array.from({ length: 5 }, () => text.word()))];
    const wanted = await timed(times, () => plain.all(words.map((word) => `"${indexWords(word)[0]}"`).join(' OR ')));
    const got = new Set(
      (await store.search({ terms: words.map((word) => ({ text: word })), limit: 10 })).map((hit) => hit.ref),
    );
    same += wanted.filter((row) => got.has(row.ref)).length;
    all += wanted.length;
  }
  driver.close();
  say('  the same by plain FTS5', ms(times));
  say('  of the first 10 of plain FTS5, the search has', `${((100 * same) / all).toFixed(1)} %`);
}

async function measureVectors(store, queries, filter, name) {
  const times = [];
  for (const vector of queries)
    await timed(times, () => store.nearest({ model: 'measured', vector, filter, limit: 50 }));
  say(name, ms(times));
}

/** Whole processes from start to end, in turns, so that all see the same load; beside the bare runtime. */
function measureCold(scripts) {
  const runs = Object.entries(scripts).map(([name, body], n) => {
    const script = path.resolve('.cairn-test', `cold-${process.pid}-${n}.mjs`);
    fs.writeFileSync(script, body);
    return { name, script, times: [] };
  });
  for (let round = 0; round < 25; round++) {
    for (const { script, times } of runs) {
      const start = performance.now();
      const { status, stderr } = spawnSync(process.execPath, [script], { stdio: 'pipe' });
      times.push(performance.now() - start);
      if (status !== 0) throw new Error(String(stderr));
    }
  }
  const bare = median(runs[0].times);
  for (const { name, script, times } of runs) {
    fs.rmSync(script);
    say(name, `${ms(times)} = ${(median(times) / bare).toFixed(2)} x bare`);
  }
}

const openFirst = `import { openSqliteStore } from ${JSON.stringify(pathToFileURL(bundle).href)};
const store = await openSqliteStore(${JSON.stringify(file)});`;
const words = JSON.stringify(['badema', 'kolati', 'dibena', 'rola', 'savoni'].map((text) => ({ text })));

const store = await openSqliteStore(file);
say('engine', `${(await store.stats()).engine}, Node ${process.version}, ${os.cpus().length} cores`);
await fill(store);
say('size on disk', megabytes());
await measureText(store, {}, '5 words, all projects');
await compareWithPlain(store);
await measureText(
  store,
  { projects: ['github.com/acme/project-3'], statuses: ['active'] },
  '5 words, one project of ten',
);
await measureText(store, { kinds: ['decision', 'question'] }, '5 words, two kinds of seven');
await measureText(store, { since: 1_700_000_000_000 + COUNT * 30_000 }, '5 words, the newer half');
const listed = [];
for (let n = 0; n < 50; n++) {
  const filter = { projects: ['github.com/acme/project-3'], kinds: ['question'] };
  await timed(listed, () => store.list({ filter, limit: 20 }));
}
say('list the 20 newest of a kind in a project', ms(listed));
const queries = await fillVectors(store);
say('size on disk', megabytes());
await measureVectors(store, queries, {}, `nearest 50, all projects`);
await measureVectors(store, queries, { projects: ['github.com/acme/project-3'] }, 'nearest 50, one project of ten');
await measureVectors(store, queries, { since: 1_700_000_000_000 + COUNT * 59_000 }, 'nearest 50, the newest sixtieth');
await store.close();
const opens = [];
for (let n = 0; n < 50; n++) await (await timed(opens, () => openSqliteStore(file))).close();
say('open in a running process', ms(opens));
measureCold({
  'a process that does nothing': '0',
  'a process that opens the store': openFirst,
  'a process that opens and searches 5 words': `${openFirst} await store.search({ terms: ${words}, limit: 20 });`,
  'a process that opens and finds the nearest 20': `${openFirst}
    await store.nearest({ model: 'measured', vector: new Float32Array(${DIMENSIONS}).fill(0.05), limit: 20 });`,
});
fs.rmSync(folder, { recursive: true });
fs.rmSync(bundle);
