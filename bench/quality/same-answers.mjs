// Whether PostgreSQL answers as SQLite does: the rows of each data set are carried to a server that is started for it, every question is
// asked of both, and the first ten results are compared.
//   node bench/quality/same-answers.mjs --data DIR [--set NAME] [--no-vectors] [--show]      --show: what differs, place by place
import os from 'node:os';
import path from 'node:path';
import { bundle } from '../bundle.mjs';
import { loadProject, queriesOf, setsOf, storeOf } from './recall-store.mjs';

const argument = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const say = (line) => process.stderr.write(`${line}\n`);
const data = argument('--data');
if (!data) {
  say('node bench/quality/same-answers.mjs --data DIR [--set NAME] [--no-vectors] [--show]');
  process.exit(2);
}
const FIRST = 10;
const NOW = Date.UTC(2026, 4, 1);
const project = await loadProject();
const { startServer, openPostgresStore, copyStore } = await bundle(
  '../test/fixtures/postgres-server.ts',
  'store/postgres/postgres-store.ts',
  'app/copy-store.ts',
);
const model = process.argv.includes('--no-vectors')
  ? undefined
  : await project.openMinilm({ cacheDir: path.join(os.tmpdir(), 'cairn-eval') });
const known = new Map();
const embedder = model && {
  ...model,
  model: model.model,
  embed: async (texts) => {
    const missing = texts.filter((text) => !known.has(text));
    const made = missing.length > 0 ? await model.embed(missing) : [];
    for (const [at, vector] of made.entries()) known.set(missing[at], vector);
    return texts.map((text) => known.get(text));
  },
};

const server = await startServer();
const sums = { questions: 0, same: 0, sameFirst: 0, scores: 0, sqlite: 0, postgres: 0 };
try {
  for (const set of setsOf(data).filter((name) => !argument('--set') || name === argument('--set'))) {
    const sqlite = await storeOf(project, data, set, { embedder: model, say });
    const place = { connection: { connectionString: server.url() }, where: 'the server', machine: 'bench' };
    const postgres = await openPostgresStore({ ...place, schema: `set_${set.replace(/\W/g, '_')}` });
    const began = performance.now();
    const copied = await copyStore(sqlite, postgres);
    await server.sql('VACUUM ANALYZE');
    say(
      `${set}: ${copied.documents} documents, ${copied.vectors} vectors copied and compared in ${Math.round((performance.now() - began) / 1_000)} s, ${copied.different.length} different`,
    );
    const of = { questions: 0, same: 0, sameFirst: 0, scores: 0, sqlite: 0, postgres: 0 };
    for (const query of queriesOf(data, set)) {
      const ask = async (store, name) => {
        const from = performance.now();
        const asked = { query: query.query, limit: FIRST, ...(query.project ? { projects: [query.project] } : {}) };
        const answer = await project.recall({ store, now: NOW, ...(embedder ? { embedder } : {}) }, asked);
        of[name] += performance.now() - from;
        return answer.results;
      };
      await embedder?.embed([query.query]);
      const [one, other] = [await ask(sqlite, 'sqlite'), await ask(postgres, 'postgres')];
      const refs = (results) => results.map(({ ref, project: scope }) => `${scope} ${ref}`).join('\n');
      const isSame = refs(one) === refs(other);
      of.questions++;
      if (isSame) of.same++;
      if (isSame && one.every(({ score }, at) => Math.abs(score - other[at].score) < 1e-6)) of.scores++;
      if (one[0]?.ref === other[0]?.ref) of.sameFirst++;
      if (!isSame && process.argv.includes('--show')) show(query.query, one, other);
    }
    console.log(lineOf(set, of));
    for (const key of Object.keys(sums)) sums[key] += of[key];
    await postgres.close();
    await sqlite.close();
  }
  console.log(lineOf('all', sums));
} finally {
  await server.remove();
  await model?.close();
}

function show(question, one, other) {
  say(question);
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const [left, right] = [one[at], other[at]].map((hit) => (hit ? `${hit.ref} ${hit.score.toFixed(9)}` : 'nothing'));
    if (left !== right) say(`  ${at + 1}. ${left} | ${right}`);
  }
}

function lineOf(set, { questions, same, sameFirst, scores, sqlite, postgres }) {
  const share = (count) => `${((100 * count) / Math.max(1, questions)).toFixed(1)} %`;
  return `${set}: ${questions} questions; the same first ten ${share(same)}, with the same scores ${share(scores)}, the same first one ${share(sameFirst)}; ${(sqlite / questions).toFixed(1)} ms by SQLite, ${(postgres / questions).toFixed(1)} ms by PostgreSQL ${server.version}`;
}
