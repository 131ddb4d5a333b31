// What a language model would gain, without one: answers written by hand are given in its place, checked and applied like any others,
// and decisions, labels and open ends are scored on the labelled conversations before and after.
//   node bench/quality/refine-gain.mjs --data DIR --answers FOLDER [--show]
// FOLDER holds SESSION.json for each conversation: { topics: [{ line, title, summary, outcome }], ideas: [{ text, intent, lines }],
// verdicts: [{ line, has, verdict, by: { line, has }, lines }] }. A known statement is named by its line and some of its words, so that
// the file outlives another reading; what no verdict names is left as it is. --show prints what is known of these conversations, to write one.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bundle } from '../bundle.mjs';
import { exportedRows } from './labels/labelled-store.mjs';
import { says } from './labels/match-text.mjs';
import { LABELLED_SETS } from './labels/read-labels.mjs';
import { scoreSessions } from './labels/score-sessions.mjs';
import { scoreStatements } from './labels/score-statements.mjs';

const argument = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const [data, folder] = [argument('--data'), argument('--answers')];
if (!data || !folder) {
  console.error('node bench/quality/refine-gain.mjs --data DIR --answers FOLDER [--show]');
  process.exit(2);
}
const sessions = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => path.basename(name, '.json'));
const answers = new Map(
  sessions.map((session) => [session, JSON.parse(readFileSync(path.join(folder, `${session}.json`), 'utf8'))]),
);

const cairn = await bundle(
  'store/sqlite/sqlite-store.ts',
  'indexing/transcripts/backfill.ts',
  'indexing/transcripts/span-lines.ts',
  'transcripts/archive/archive.ts',
  'transcripts/locate.ts',
  'app/export.ts',
  'refine/refine-spans.ts',
  'refine/refine-lines.ts',
  'refine/refine-support.ts',
);
let asked;
const home = mkdtempSync(path.join(os.tmpdir(), 'cairn-refine-gain-'));
const store = await cairn.openSqliteStore(path.join(home, 'memory.db'));
try {
  const found = LABELLED_SETS.flatMap((set) => cairn.transcriptsAt(path.join(data, set, 'transcripts'))).filter(
    ({ file }) => sessions.includes(sessionOf(file)),
  );
  await cairn.backfill(store, found, { projectOf: (cwd, file) => cwd ?? path.dirname(file) });
  const readLines = cairn.spanLines(
    cairn.openArchive(path.join(home, 'archive'), { maxBytes: 1e9, now: () => new Date() }),
  );
  // What is asked about next is what was read last.
  const linesOf = (span) => {
    asked = sessionOf(span.source.file);
    return readLines(span);
  };
  const before = (await exportedRows(cairn, store)).filter((row) => sessions.includes(row.in));
  if (process.argv.includes('--show')) show(before);
  else {
    const llm = scripted();
    const report = await cairn.refineSpans(store, llm, { linesOf, refinementsDir: path.join(home, 'refinements') });
    const after = (await exportedRows(cairn, store)).filter((row) => sessions.includes(row.in));
    console.log(
      `${sessions.length} conversations, ${llm.calls} calls, ${report.refused} pieces of the answers refused`,
    );
    if (report.failed + report.left > 0)
      console.log(`topics that failed ${report.failed}, that were left ${report.left}`);
    await printSupport(linesOf);
    printGain(before, after);
  }
} finally {
  await store.close();
  rmSync(home, { recursive: true, force: true });
}

function sessionOf(file) {
  return path.basename(file).replace(/\.jsonl.*$/, '');
}

/** Says of each page what its answer says of its lines: no more than a model could that sees only these. */
function scripted() {
  const llm = {
    name: 'hand:made',
    calls: 0,
    async complete({ prompt }) {
      llm.calls += 1;
      const lines = rowsIn(prompt, 'The conversation').map(({ line }) => line);
      const known = rowsIn(prompt, 'Known statements, to be judged');
      return {
        text: JSON.stringify(answerTo(answers.get(asked) ?? {}, { prompt, lines, known })),
        tokensIn: 0,
        tokensOut: 0,
      };
    },
  };
  return llm;
}

function answerTo({ topics = [], ideas = [], verdicts = [] }, { prompt, lines, known }) {
  const isShown = (numbers) => numbers.every((line) => lines.includes(line));
  const find = ({ line, has }) => known.find((each) => each.line === line && each.text.includes(has ?? ''));
  const topic = topics.findLast(({ line }) => lines.includes(line)) ?? {};
  return {
    title: topic.title ?? '',
    summary: topic.summary ?? '',
    ideas: ideas.filter((idea) => isShown(idea.lines)),
    verdicts: known.flatMap((each) => {
      const said = verdicts.find(({ line, has }) => line === each.line && each.text.includes(has ?? ''));
      if (!said) return [];
      const by = said.by ? find(said.by)?.id : undefined;
      if (said.by && !by) return [];
      return [
        { id: each.id, verdict: said.verdict, ...(by ? { by } : {}), ...(said.lines ? { lines: said.lines } : {}) },
      ];
    }),
    outcomes: rowsIn(prompt, 'Its exchanges').flatMap(({ id, line }) => {
      const outcome = topics.find((each) => each.line === line);
      return outcome ? [{ id, title: outcome.title, outcome: outcome.outcome ?? outcome.summary }] : [];
    }),
  };
}

function rowsIn(prompt, name) {
  const [mark, ...rows] = (prompt.split(`\n${name}:\n`)[1] ?? '').split('\n');
  return rows.slice(0, rows.indexOf(mark.replace('<', '</'))).map((row) => JSON.parse(row));
}

function show(rows) {
  for (const row of rows.toSorted((a, b) => (a.in < b.in ? -1 : a.in > b.in ? 1 : a.line - b.line)))
    console.log(
      `${row.in.slice(0, 8)} ${row.line} ${row.kind}${row.search_only ? ' (search only)' : ''}: ${row.text || row.title}`,
    );
}

/** How the check fares: good claims, the same claims under the lines of others, and turned into their opposite. */
async function printSupport(linesOf) {
  const counts = { good: [0, 0], moved: [0, 0], denied: [0, 0] };
  const count = (what, claim, lines) => {
    counts[what][1] += 1;
    const isKept = cairn.supportOf(claim, lines) !== undefined;
    if (isKept) counts[what][0] += 1;
    if (isKept !== (what === 'good') && process.argv.includes('--misses'))
      console.log(`  ${what}: ${claim.text} ${claim.lines}`);
  };
  const { documents } = await store.list({ filter: { kinds: ['span'] }, order: 'oldest', limit: 1_000 });
  for (const [session, { ideas }] of answers) {
    const spans = documents.filter(({ source }) => source && sessionOf(source.file) === session);
    const byNumber = new Map();
    for (const span of spans)
      for (const line of cairn.cleanLines((await linesOf(span)) ?? [])) byNumber.set(line.line, line);
    const lines = [...byNumber.values()].sort((a, b) => a.line - b.line);
    for (const [at, idea] of ideas.entries()) {
      count('good', idea, lines);
      for (let other = 1; other < ideas.length; other++) {
        const { lines: elsewhere } = ideas[(at + other) % ideas.length];
        if (!elsewhere.some((line) => idea.lines.includes(line))) count('moved', { ...idea, lines: elsewhere }, lines);
      }
      const denied = idea.text.replace(/ (?:is|are|gets?|becomes?|will|shall|can|must|comes?) (?!not|no )/, '$&not ');
      if (denied !== idea.text) count('denied', { ...idea, text: denied }, lines);
    }
  }
  console.log(
    `claims accepted: good ${counts.good.join(' of ')}, under lines of other claims ${counts.moved.join(' of ')}, denied ${counts.denied.join(' of ')}`,
  );
}

function printGain(before, after) {
  const read = (name) =>
    readFileSync(path.join(data, 'labels', name), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line))
      .filter(({ session }) => sessions.includes(session));
  const labelled = read('sessions.jsonl');
  const natural = read('statements.jsonl');
  const all = [...natural, ...read('statements_enriched.jsonl'), ...read('statements_more.jsonl')];
  const rows = [
    ['', 'before', 'after'],
    ...['decisions', 'fixes', 'open_at_end'].map((what) => [
      `${what} found`,
      ...[before, after].map((stored) => {
        const { found, of } = scoreSessions(labelled, stored)[what].all;
        return `${found} of ${of}`;
      }),
    ]),
    ['decisions shown that are labelled ones', ...[before, after].map((stored) => shownDecisions(labelled, stored))],
    ...[
      ['statements', natural],
      ['all draws', all],
    ].flatMap(([name, statements]) =>
      Object.entries({
        [`${name} (${statements.length}): accuracy`]: ({ accuracy }) => accuracy.toFixed(2),
        [`${name}: macro-F1`]: ({ macroF1 }) => macroF1.toFixed(2),
        [`${name}: decision precision`]: ({ labels: { decision } }) =>
          `${decision.precision.toFixed(2)} of ${decision.got}`,
        [`${name}: decision recall`]: ({ labels: { decision } }) => `${decision.recall.toFixed(2)} of ${decision.real}`,
        [`${name}: labelled that is junk`]: ({ junkTold, telling }) => `${junkTold.toFixed(2)} of ${telling}`,
      }).map(([what, value]) => [
        what,
        ...[before, after].map((stored) => value(scoreStatements(statements, stored).all)),
      ]),
    ),
    ['ideas that carry a telling label', ...[before, after].map((stored) => stored.filter(isTelling).length)],
  ];
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}

function isTelling({ kind, search_only: hidden }) {
  return !['span', 'context'].includes(kind) && hidden !== true;
}

/** Of the decisions that would be shown, those that a reader listed too; what nobody listed may still be one. */
function shownDecisions(labelled, rows) {
  const shown = rows.filter(({ kind, search_only: hidden }) => kind === 'decision' && hidden !== true);
  const right = shown.filter((row) =>
    labelled.some(({ session, decisions }) => session === row.in && decisions.some((label) => says(row.text, label))),
  );
  return `${right.length} of ${shown.length}`;
}
