// How well conversations are understood, and how well recall finds what it should, on conversations with known answers:
//   npm run eval -- --data DIR                  everything, written to bench/EVAL.md
//   npm run eval -- --data DIR --only labels    extraction by hand-made labels, printed (labels.mjs has its options)
//   npm run eval -- --data DIR --only questions natural questions, printed (questions.mjs)
//   npm run eval -- --data DIR [--set NAME] [--types] [--quick] [--json]     recall on the sets, printed
// DIR holds a folder for each set: transcripts/**/*.jsonl and queries.jsonl ({"query","type","project"?,"gold":[{"session","line"?}]}),
// some with questions.jsonl; and labels/.
// --only redaction measures how much of what is secret is masked, which needs no DIR (redaction.mjs; `npm run redaction` shows more).
// --no-vectors measures words alone; --quick the hybrid alone; --types prints a row for each type of question in every way of searching.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ablationsOf, EVERY } from './ablations.mjs';
import { baselinesOf } from './baselines.mjs';
import { pageOf, sectionOf } from './eval-report.mjs';
import { labelsSection } from './labels/labels-report.mjs';
import { hasLabels } from './labels/read-labels.mjs';
import { measureLabels, runLabels } from './labels.mjs';
import { measureQuestions, questionSetsOf, questionsList, questionsSection } from './questions.mjs';
import { currencyOf, scoreOf, summarise } from './recall-score.mjs';
import { silenceOf } from './recall-silence.mjs';
import { loadProject, queriesOf, setsOf, storeOf } from './recall-store.mjs';
import { measure as measureRedaction, section, writeSection } from './redaction.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const argument = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const has = (name) => process.argv.includes(name);
const say = (line) => process.stderr.write(`${line}\n`);
const data = argument('--data');
if (argument('--only') === 'redaction') {
  const lines = section(await measureRedaction({ data }));
  writeSection(lines);
  console.log(lines.join('\n'));
  process.exit(0);
}
const only = argument('--only');
if (!data || !fs.existsSync(data) || !['labels', 'questions', undefined].includes(only)) {
  say(
    'npm run eval -- --data DIR [--only labels|questions|redaction]   (DIR: a folder with data sets; see bench/quality/eval.mjs)',
  );
  process.exit(2);
}

if (only === 'labels') {
  const asked = { json: has('--json'), allSessions: has('--all-sessions'), sessions: has('--sessions') };
  await runLabels(data, { ...asked, quick: has('--quick'), print: argument('--print'), say });
  process.exit(0);
}

/** Plain BM25 over whole turns, as published with the sets: what any keyword search reaches. */
const FLOORS = {
  'context-evaluator': 'friction hit@5 .620 MRR .528; open_items hit@5 .861 MRR .710; commit_subject recall@5 .655',
  'locomo-dev': 'recall@5 .508, recall@10 .580, MRR .428',
  'beam-dev':
    'recall@5 .351, recall@10 .436, MRR .407; knowledge_update recall@10 .800; preference_following .421; instruction_following .100',
};
const LIMIT = 50;
const started = Date.now();
const told = (line) => say(`${Math.round((Date.now() - started) / 1_000)} s  ${line}`);

const isWhole = !has('--no-vectors') && !has('--quick') && !argument('--set') && !has('--json');
const project = await loadProject();
const model = has('--no-vectors')
  ? undefined
  : await project.openMinilm({ cacheDir: path.join(os.tmpdir(), 'cairn-eval') });
const embedder = model && remembering(model);
if (only === 'questions') {
  const measured = await measureAllQuestions();
  if (argument('--print')) fs.writeFileSync(argument('--print'), `${questionsList(measured).join('\n')}\n`);
  console.log(has('--json') ? JSON.stringify(measured, null, 2) : questionsSection(measured).join('\n'));
  await model?.close();
  process.exit(0);
}
const ways = has('--quick') ? ['hybrid'] : ['keyword', 'vector', 'hybrid'];
const report = {};
for (const set of setsOf(data).filter((name) => !argument('--set') || name === argument('--set'))) {
  const store = await storeOf(project, data, set, { embedder: model, say: told });
  const queries = queriesOf(data, set);
  report[set] = { floor: FLOORS[set], ways: {} };
  for (const way of ways)
    for (const expand of has('--quick') ? [true] : [false, true]) {
      const name = `${way}${expand ? ' + expansion' : ''}`;
      told(`${set}: ${name}`);
      const scored = await measure(store, queries, { weights: weightsFor(way), expand, vectors: way !== 'keyword' });
      report[set].ways[name] = Object.fromEntries(summarise(scored));
      if (way === 'hybrid' && expand) {
        const currency = currencyOf(scored, await times(store, scored));
        if (currency.both > 0) report[set].currency = currency;
      }
    }
  if (!has('--quick')) report[set].baselines = await measureBaselines(set, store, queries);
  if (isWhole) Object.assign(report[set], await measureAblations(set, store, queries));
  told(`${set}: silence`);
  report[set].silence = await silenceOf(project, { store, queries, embedder, others: otherQueries(set) });
  await store.close();
}
const questions = isWhole ? await measureAllQuestions() : {};
await model?.close();

if (has('--json')) console.log(JSON.stringify(report, null, 2));
else
  for (const [set, part] of Object.entries(report))
    console.log(sectionOf(set, part, { types: has('--types') }).join('\n'));
if (isWhole) {
  const seconds = (Date.now() - started) / 1_000;
  const understanding = hasLabels(data) ? labelsSection(await measureLabels(data)) : [];
  const first = [...understanding, ...(Object.keys(questions).length > 0 ? questionsSection(questions) : [])];
  console.log(first.join('\n'));
  fs.writeFileSync(path.join(here, '../EVAL.md'), pageOf(report, { model: model.model, seconds, first }));
  writeSection(section(await measureRedaction({ data })));
  told('bench/EVAL.md is written');
}

async function measureAllQuestions() {
  const measured = {};
  for (const set of questionSetsOf(data)) {
    told(`${set}: natural questions`);
    const store = await storeOf(project, data, set, { embedder: model, say: told });
    measured[set] = await measureQuestions(project, { data, set, store, embedder });
    await store.close();
  }
  return measured;
}

async function measure(store, queries, { weights = project.WEIGHTS, expand = true, vectors = true }) {
  const scored = [];
  for (const query of queries) {
    const answer = await project.recall(
      { store, now: Date.now(), weights, ...(vectors ? { embedder } : {}) },
      { query: query.query, limit: LIMIT, expand, ...(query.project ? { projects: [query.project] } : {}) },
    );
    scored.push({ query, results: answer.results, score: scoreOf(query, answer.results) });
  }
  return scored;
}

async function measureBaselines(set, store, queries) {
  const measured = {};
  for (const [name, search] of Object.entries(await baselinesOf(store))) {
    told(`${set}: ${name}`);
    const scored = [];
    for (const query of queries)
      scored.push({ query, score: scoreOf(query, await search(query.query, query.project)) });
    measured[name] = Object.fromEntries(summarise(scored));
  }
  return measured;
}

async function measureAblations(set, store, queries) {
  const every = EVERY[set] ?? 1;
  const some = queries.filter((_, at) => at % every === 0);
  const ablations = {};
  for (const [name, way] of Object.entries(ablationsOf(project.WEIGHTS))) {
    told(`${set}: without ${name}`);
    ablations[name] = summarise(await measure(store, some, way)).get('all');
  }
  return { ablations, every };
}

/** By meaning alone: words neither propose nor count. */
function weightsFor(way) {
  const { WEIGHTS } = project;
  if (way !== 'vector') return WEIGHTS;
  return {
    ...WEIGHTS,
    pool: { ...WEIGHTS.pool, keyword: 0, entity: 0 },
    points: { ...WEIGHTS.points, keyword: 0, entity: 0, vector: 1 },
  };
}

/** Queries come several times; their vectors need to be made once. */
function remembering(real) {
  const known = new Map();
  const byToken = new Map();
  return {
    model: real.model,
    embed: async (texts) => {
      const vectors = [];
      for (const text of texts) {
        if (!known.has(text)) known.set(text, (await real.embed([text]))[0]);
        vectors.push(known.get(text));
      }
      return vectors;
    },
    embedTokens: async (texts) => {
      const made = [];
      for (const text of texts) {
        if (!byToken.has(text)) byToken.set(text, (await real.embedTokens([text]))[0]);
        made.push(byToken.get(text));
      }
      return made;
    },
  };
}

async function times(store, scored) {
  const sessions = [...new Set(scored.flatMap(({ query }) => query.gold.map((gold) => gold.session)))];
  const known = new Map();
  let cursor;
  do {
    const page = await store.list({
      filter: { sessions, layers: ['trace'] },
      order: 'ref',
      limit: 5_000,
      ...(cursor ? { cursor } : {}),
    });
    for (const { session, source, createdAt } of page.documents) known.set(`${session} ${source?.line}`, createdAt);
    cursor = page.next;
  } while (cursor);
  return (session, line) => known.get(`${session} ${line}`) ?? 0;
}

function otherQueries(set) {
  return setsOf(data)
    .filter((name) => name !== set)
    .flatMap((name) => queriesOf(data, name).map((query) => query.query));
}
