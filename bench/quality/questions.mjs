// Natural questions, as a developer types them weeks later (DIR/<set>/questions.jsonl: query, type, gold lines, asof?), asked of recall
// and of plain BM25 over turns:
//   npm run eval -- --data DIR --only questions [--json] [--print FILE] [--no-vectors]
// A result counts if it names a gold session and a line within 2 of a gold line; of one line the first result alone. `none` questions
// have no answer: right is to say that nothing is plainly about them. A question is asked at noon of its `asof` day, others today.
import fs from 'node:fs';
import path from 'node:path';
import { filesOf } from './recall-store.mjs';
import { turnSearch, turnsOf } from './turn-bm25.mjs';

const LIMIT = 20;
const NEAR = 2;
const COLUMNS = ['hit@1', 'hit@3', 'hit@5', 'hit@10', 'MRR', 'session@1', 'session@5'];
export const CAIRN = 'Cairn';
export const TURNS = 'plain BM25 over turns';

export const questionSetsOf = (data) =>
  fs
    .readdirSync(data)
    .filter((name) => fs.existsSync(path.join(data, name, 'questions.jsonl')))
    .sort();

/** { ways: { way: { type: row } }, none, asked } of one set. `embedder` undefined: by words alone. */
export async function measureQuestions(project, { data, set, store, embedder }) {
  const questions = fs
    .readFileSync(path.join(data, set, 'questions.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
  const search = turnSearch(turnsOf(project.readerFor, filesOf(path.join(data, set, 'transcripts'), '.jsonl')));
  const asked = [];
  for (const question of questions) {
    const now = question.asof ? new Date(`${question.asof}T12:00:00`).getTime() : Date.now();
    const answer = await project.recall(
      { store, now, ...(embedder ? { embedder } : {}) },
      { query: question.query, limit: LIMIT },
    );
    const found = answer.results.map(({ source, session, ...rest }) => ({
      session: source ? path.basename(source.file).replace(/\.jsonl.*$/, '') : session,
      line: source?.line,
      text: rest.text,
    }));
    asked.push({
      ...question,
      relevance: answer.relevance ?? 0,
      found: { [CAIRN]: rankOf(question, found), [TURNS]: rankOf(question, search(question.query, LIMIT)) },
      top: found.slice(0, 5),
    });
  }
  const answerable = asked.filter(({ type }) => type !== 'none');
  const none = asked.filter(({ type }) => type === 'none');
  const isUnknown = ({ relevance }) => relevance < project.RELEVANCE_THRESHOLD;
  return {
    ways: Object.fromEntries([TURNS, CAIRN].map((way) => [way, byType(answerable, way)])),
    none: { of: none.length, recognised: none.filter(isUnknown).length },
    wronglyUnknown: { of: answerable.length, unknown: answerable.filter(isUnknown).length },
    asked,
  };
}

/** The place of the first result that is right, from 0; -1 without one. */
export function rankOf({ gold }, results) {
  const lines = new Map();
  for (const { session, line } of results)
    if (session && !lines.has(`${session}:${line}`)) lines.set(`${session}:${line}`, { session, line: line ?? -9 });
  const ranked = [...lines.values()];
  return {
    line: ranked.findIndex((each) =>
      gold.some(({ session, line }) => session === each.session && Math.abs(line - each.line) <= NEAR),
    ),
    session: ranked.findIndex((each) => gold.some(({ session }) => session === each.session)),
  };
}

function byType(asked, way) {
  const types = ['all', ...new Set(asked.map(({ type }) => type))];
  return Object.fromEntries(
    types.map((type) => {
      const ranks = asked.filter((each) => type === 'all' || each.type === type).map(({ found }) => found[way]);
      const share = (isGood) => ranks.filter(isGood).length / ranks.length;
      const within = (what, k) => share((rank) => rank[what] >= 0 && rank[what] < k);
      return [
        type,
        {
          questions: ranks.length,
          ...Object.fromEntries([1, 3, 5, 10].map((k) => [`hit@${k}`, within('line', k)])),
          MRR: ranks.reduce((sum, { line }) => sum + (line < 0 ? 0 : 1 / (line + 1)), 0) / ranks.length,
          ...Object.fromEntries([1, 5].map((k) => [`session@${k}`, within('session', k)])),
        },
      ];
    }),
  );
}

export function questionsSection(measured) {
  const short = (value) => value.toFixed(3).replace(/^0/, '');
  const share = (part, whole) => (whole === 0 ? '–' : `${short(part / whole)} (${part} of ${whole})`);
  return [
    '## Natural questions',
    '',
    'As a developer types them weeks later (`npm run eval -- --data DIR --only questions`), asked on the day that a question was asked for. A hit is a',
    'result within two lines of a line that answers.',
    '',
    ...Object.entries(measured).flatMap(([set, { ways, none, wronglyUnknown }]) => [
      `| ${set} | type | questions | ${COLUMNS.join(' | ')} |`,
      `|---|---|---|${COLUMNS.map(() => '---').join('|')}|`,
      ...Object.entries(ways).flatMap(([way, rows]) =>
        Object.entries(rows).map(
          ([type, row]) =>
            `| ${way} | ${type} | ${row.questions} | ${COLUMNS.map((key) => short(row[key])).join(' | ')} |`,
        ),
      ),
      '',
      `Without an answer, and said to be unknown: ${share(none.recognised, none.of)}. With an answer, and said to be unknown: ${share(wronglyUnknown.unknown, wronglyUnknown.of)}.`,
      '',
    ]),
  ];
}

/** What was asked and what came first, for a reader. */
export const questionsList = (measured) =>
  Object.values(measured).flatMap(({ asked }) =>
    asked.flatMap(({ query, type, gold, answer, relevance, found, top }) => [
      `- ${type} · ${query} · rank ${found[CAIRN].line + 1 || 'none'} · relevance ${relevance.toFixed(2)} · ${answer ?? ''}`,
      `  gold ${gold.map(({ session, line }) => `${session.slice(0, 8)}:${line}`).join(' ')}`,
      ...top.map(
        ({ session, line, text }) =>
          `  ${session?.slice(0, 8)}:${line} ${(text ?? '').replace(/\s+/g, ' ').slice(0, 160)}`,
      ),
    ]),
  );
