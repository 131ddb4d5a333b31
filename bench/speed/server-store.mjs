// PostgreSQL beside SQLite in one run: one recall, putting ideas with their vectors, size on disk, and 16 clients who ask at once.
//   node bench/speed/server-store.mjs [ideas …] [--copies N]     (10000 and 100000 if none are named)
// --copies: at last both get the project so many times more, under other names, and are asked again. The server copies it by itself, in minutes;
// SQLite gets ideas put one by one, about half an hour for a million. No more than one batch is in memory at a time.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { speaker } from '../../test/store/made-up.mjs';
import { bundle } from '../bundle.mjs';
import { addIdeas, load } from './filled-store.mjs';
import { madeUpVectors } from './made-up-vectors.mjs';
import { median } from './measure.mjs';

const PROJECT = '/work/measured';
const QUESTIONS = 60;
const CLIENTS = 16;
const EACH = 10;
const given = process.argv.slice(2);
const copies = given.includes('--copies') ? Number(given.splice(given.indexOf('--copies'), 2)[1]) : 0;
const sizes = given.map(Number).filter(Boolean);
if (sizes.length === 0) sizes.push(10_000, 100_000);

const { openSqliteStore, recall } = await load();
const { startServer, openPostgresStore } = await bundle(
  '../test/fixtures/postgres-server.ts',
  'store/postgres/postgres-store.ts',
);
const { model, vector } = await madeUpVectors();
const embed = async (texts) => texts.map((text) => vector(text.length * 7919 + text.charCodeAt(3)));
const folder = mkdtempSync(path.join(os.tmpdir(), 'cairn-bench-server-'));
const server = await startServer([
  'shared_buffers=512MB',
  'max_wal_size=4GB',
  'work_mem=32MB',
  'maintenance_work_mem=256MB',
]);
const place = {
  connection: { connectionString: server.url() },
  where: 'the server',
  schema: 'cairn',
  machine: 'bench',
};
const openers = {
  SQLite: () => openSqliteStore(path.join(folder, 'memory.db')),
  PostgreSQL: () => openPostgresStore(place),
};
const ask = (store, query, words, projects = [PROJECT]) =>
  recall(
    { store, now: 1_780_000_000_000, ...(words ? {} : { embedder: { model, embed } }) },
    { query, limit: 10, ...(projects.length > 0 ? { projects } : {}) },
  );

try {
  const questions = [];
  let from = 0;
  console.log(`PostgreSQL ${server.version}, Node ${process.versions.node}, ${os.cpus().length} cores`);
  for (const ideas of sizes) {
    const fill = {};
    for (const [name, open] of Object.entries(openers)) {
      const store = await open();
      const voice = speaker(11 + ideas);
      const begun = performance.now();
      const said = await addIdeas(store, { project: PROJECT, from, to: ideas, say: voice });
      fill[name] = (ideas - from) / ((performance.now() - begun) / 1_000);
      if (name === 'SQLite') questions.splice(0, questions.length, ...said.slice(0, QUESTIONS));
      await store.close();
    }
    await server.sql('VACUUM ANALYZE');
    from = ideas;
    const opened = {};
    for (const [name, open] of Object.entries(openers)) opened[name] = await open();
    const { times, same } = await timed(opened, questions, [PROJECT]);
    for (const [name, store] of Object.entries(opened)) {
      const { bytes } = await store.stats();
      console.log(
        `${ideas} ideas, ${name}: recall ${median(times[name].both).toFixed(1)} ms with vectors, ${median(times[name].words).toFixed(1)} ms by words; ${Math.round(fill[name])} ideas put a second; ${(bytes / 1e6).toFixed(0)} MB`,
      );
    }
    console.log(`${ideas} ideas: the same first ten for ${same} of ${questions.length} questions`);
    for (const store of Object.values(opened)) await store.close();
    console.log(`${ideas} ideas, ${CLIENTS} clients at once: ${await together(questions)}`);
  }
  if (copies > 0) await askAmongCopies(questions, from);
} finally {
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
}

/** The same ideas as the first project has, said by the same voices. */
async function copyInSqlite() {
  const store = await openers.SQLite();
  for (let c = 1; c <= copies; c++)
    for (const [at, to] of sizes.entries())
      await addIdeas(store, {
        project: `${PROJECT}-${c}`,
        from: sizes[at - 1] ?? 0,
        to,
        say: speaker(11 + to),
        copy: `-${c}`,
      });
  await store.close();
}

/** Other projects with as many ideas, each with vectors of its own. */
async function copyOnServer() {
  await server.sql(`SET search_path = cairn;
DO $$ DECLARE old integer; fresh integer; step bigint; BEGIN
  SELECT id INTO old FROM shelf WHERE project = '${PROJECT}';
  FOR c IN 1..${copies} LOOP
    step := c * 100000000::bigint;
    INSERT INTO shelf (scope, project) SELECT scope, project || '-' || c FROM shelf WHERE id = old RETURNING id INTO fresh;
    INSERT INTO document OVERRIDING SYSTEM VALUE
      SELECT (jsonb_populate_record(d, jsonb_build_object('id', d.id + step, 'shelf', fresh, 'hash', d.hash || '-' || c))).*
      FROM document d WHERE shelf = old;
    INSERT INTO posting SELECT fresh, word, document + step, tf FROM posting WHERE shelf = old ORDER BY word, document;
    INSERT INTO near SELECT fresh, model, document + step, bits FROM near WHERE shelf = old ORDER BY model, document;
    INSERT INTO embedding SELECT scope, model, hash || '-' || c, vector, bits, tokens FROM embedding WHERE hash NOT LIKE '%-%';
    INSERT INTO tally SELECT scope, word || '-' || c, documents FROM tally WHERE word = E'\\uE000project ${PROJECT}';
  END LOOP;
  UPDATE tally SET documents = documents * ${copies + 1} WHERE word NOT LIKE E'\\uE000project %';
END $$`);
  await server.sql('VACUUM ANALYZE');
}

async function askAmongCopies(questions, ideas) {
  const all = ideas * (copies + 1);
  for (const [name, copy] of Object.entries({ SQLite: copyInSqlite, PostgreSQL: copyOnServer })) {
    const begun = performance.now();
    await copy();
    const seconds = Math.round((performance.now() - begun) / 1_000);
    console.log(`${all} ideas in ${copies + 1} projects, ${name}: the copies took ${seconds} s`);
  }
  const opened = {};
  for (const [name, open] of Object.entries(openers)) opened[name] = await open();
  for (const [where, projects] of Object.entries({ 'one project': [PROJECT], 'all projects': [] })) {
    const { times, same } = await timed(opened, questions, projects);
    for (const name of Object.keys(opened))
      console.log(
        `${all} ideas, ${name}, ${where}: recall ${median(times[name].both).toFixed(1)} ms with vectors, ${median(times[name].words).toFixed(1)} ms by words`,
      );
    console.log(`${all} ideas, ${where}: the same first ten for ${same} of ${questions.length} questions`);
  }
  for (const [name, store] of Object.entries(opened)) {
    console.log(`${all} ideas, ${name}: ${((await store.stats()).bytes / 1e6).toFixed(0)} MB`);
    await store.close();
  }
  console.log(`${all} ideas, ${CLIENTS} clients at once in one project: ${await together(questions)}`);
}

/** Question by question, so that what else the machine does falls on both; the first ten are asked for nothing. */
async function timed(opened, questions, projects) {
  const times = Object.fromEntries(Object.keys(opened).map((name) => [name, { both: [], words: [] }]));
  for (const store of Object.values(opened))
    for (const query of questions.slice(0, 10)) await ask(store, query, false, projects);
  let same = 0;
  for (const query of questions) {
    const refs = {};
    for (const [name, store] of Object.entries(opened))
      for (const way of ['both', 'words']) {
        const begun = performance.now();
        const answer = await ask(store, query, way === 'words', projects);
        times[name][way].push(performance.now() - begun);
        if (way === 'both') refs[name] = answer.results.map(({ ref, project }) => `${project} ${ref}`).join(' ');
      }
    if (refs.SQLite === refs.PostgreSQL) same++;
  }
  return { times, same };
}

async function together(questions) {
  const stores = await Promise.all(Array.from({ length: CLIENTS }, () => openPostgresStore(place)));
  const times = [];
  const begun = performance.now();
  await Promise.all(
    stores.map(async (store, client) => {
      for (let n = 0; n < EACH; n++) {
        const from = performance.now();
        await ask(store, questions[(client * EACH + n) % questions.length]);
        times.push(performance.now() - from);
      }
    }),
  );
  const seconds = (performance.now() - begun) / 1_000;
  for (const store of stores) await store.close();
  return `${((CLIENTS * EACH) / seconds).toFixed(1)} recalls a second, median ${median(times).toFixed(0)} ms each`;
}
process.exit(0);
