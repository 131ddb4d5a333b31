// The scorer of labelled conversations (bench/quality/labels.mjs) on a made-up store whose right numbers are known: a scorer that
// counts wrongly would praise or blame every build.

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoriesFor } from '../../src/app/export.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Document, Json, Store } from '../../src/store/store.ts';
import { sampleIdea } from '../fixtures/sample-idea.ts';
import { temporaryFolder } from '../fixtures/temporary.ts';

type Row = { ref: string; in: string; line: number };
type Halves<T> = { all: T; 'looked at': T; 'kept apart': T };
type Label = { [field: string]: unknown };
type Labels = { statements: Label[]; sessions: Label[]; open: Label[]; pairs: Label[] };
type Statements = {
  statements: number;
  accuracy: number;
  junkTold: number;
  keepStored: number;
  labels: { [label: string]: { precision: number; recall: number } };
  worth: { auc: number };
};
type Found = { of: number; found: number; other: number; stored: number };
type Linked = { relations: { [relation: string]: { linked: number; right: number } }; none: { linked: number } };
type Scores = {
  statements: Halves<Statements>;
  sessions: { decisions: Halves<Found>; fixes: Halves<Found>; titles: { own: string }[] };
  open: { measured: { [name: string]: { right: number; wrong: number; unmatched: number; recall: number } } };
  pairs: { measured: Halves<Linked>; links: { [relation: string]: number } };
};

const load = async <T>(file: string): Promise<T> =>
  (await import(pathToFileURL(path.resolve(import.meta.dirname, '../../bench/quality', file)).href)) as T;
const { scoreLabels } = await load<{
  scoreLabels(
    labels: Labels,
    stored: { rows: Row[]; links: readonly object[]; open: { [set: string]: Row[] } },
  ): Scores;
}>('labels.mjs');
const { exportedRows } = await load<{
  exportedRows(cairn: { memoriesFor: typeof memoriesFor }, store: Store): Promise<Row[]>;
}>('labels/labelled-store.mjs');
const { isKeptApart } = await load<{ isKeptApart(session: string): boolean }>('labels/read-labels.mjs');

const PROJECT = '/made-up';
const read = [...'abcdefgh'].find((name) => !isKeptApart(name))!;
const apart = [...'abcdefgh'].find(isKeptApart)!;
const NO_LABELS: Labels = { statements: [], sessions: [], open: [], pairs: [] };

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore(path.join(temporaryFolder(), 'memory.db'));
});
afterEach(() => store.close());

type Place = { session?: string; line: number; kind?: string; confidence?: number; meta?: { [field: string]: Json } };

const put = (ref: string, text: string, { session = read, line, ...more }: Place): Promise<void> => {
  const source = { file: `/transcripts/${session}.jsonl`, line };
  const document: Document = sampleIdea(PROJECT, ref, text, { session, source, ...more });
  return store.apply([{ op: 'put', document }]);
};

async function score(labels: Partial<Labels>, open: { [set: string]: string[] } = {}): Promise<Scores> {
  const rows = await exportedRows({ memoriesFor }, store);
  const links = await store.links({ refs: rows.map(({ ref }) => ref), direction: 'out' });
  const listed = Object.entries(open).map(([set, refs]) => [set, rows.filter(({ ref }) => refs.includes(ref))]);
  return scoreLabels({ ...NO_LABELS, ...labels }, { rows, links, open: Object.fromEntries(listed) });
}

const statement = (line: number, text: string, intent: string, worth: string, session = read): Label => ({
  ...{ session, line, text, intent, worth },
});

describe('the labels of statements', () => {
  it('counts what is stored by its label, and what is missing, doubtful or for search only as none', async () => {
    await put('idea:1', 'We keep the keys in the vault of the server', { line: 1 });
    await put('idea:2', 'The tests of the parser pass', { line: 2, kind: 'conclusion', meta: { search_only: true } });
    await put('idea:3', 'Now look at the other folder', { line: 3, kind: 'todo', confidence: 0.3 });
    await put('idea:4', 'Reading the log of the build', { session: apart, line: 4, kind: 'todo' });
    const { statements } = await score({
      statements: [
        statement(1, 'keep the keys in the vault', 'decision', 'keep'),
        statement(2, 'The tests of the parser pass', 'none', 'junk'),
        statement(3, 'Now look at the other folder', 'none', 'junk'),
        statement(4, 'Reading the log of the build', 'none', 'junk', apart),
        statement(9, 'The queue loses messages on restart', 'problem', 'keep'),
      ],
    });
    expect(statements.all).toMatchObject({ statements: 5, accuracy: 3 / 5, junkTold: 1 / 2, keepStored: 1 / 2 });
    expect(statements['looked at']).toMatchObject({ statements: 4, accuracy: 3 / 4, junkTold: 0 });
    expect(statements['kept apart']).toMatchObject({ statements: 1, accuracy: 0, junkTold: 1 });
    expect(statements.all.labels.none).toMatchObject({ precision: 2 / 3, recall: 2 / 3 });
  });

  it('takes worth where it is told, else the confidence, and nothing for what is missing', async () => {
    await put('idea:1', 'We keep the keys in the vault', { line: 1, confidence: 0.4, meta: { worth: 0.9 } });
    await put('idea:2', 'Tests pass and all is well', { line: 2, confidence: 0.8 });
    const labels = [
      statement(1, 'We keep the keys in the vault', 'decision', 'keep'),
      statement(2, 'Tests pass and all is well', 'none', 'junk'),
      statement(3, 'Never stored by anybody', 'none', 'junk'),
    ];
    expect((await score({ statements: labels })).statements.all.worth.auc).toBe(1);
    await put('idea:1', 'We keep the keys in the vault', { line: 1, confidence: 0.4, meta: { worth: 0.1 } });
    expect((await score({ statements: labels })).statements.all.worth.auc).toBe(0.5);
  });
});

describe('the labels of whole conversations', () => {
  const decision = (line: number, quote: string, text: string): Label => ({ line, quote, text, by: 'user' });
  const label = (decisions: Label[], fixes: Label[] = []): Label => ({
    ...{ session: read, title: 'Keys', decisions, fixes, open_at_end: [], preferences: [] },
  });

  it('tells what is found from what is something else, for search only, elsewhere or missing', async () => {
    await put('idea:1', 'How shall keys be stored? — In the vault of the server', { line: 10 });
    await put('idea:2', 'The cache is written on every save from now on', { line: 20, kind: 'todo' });
    await put('idea:3', 'Names stay as they are in the old tables', { line: 30, meta: { search_only: true } });
    await put('idea:4', 'Logs go to the standard error stream', { line: 44 });
    await put('idea:5', 'For the mobile client we settled on short tokens that expire after one hour', { line: 50 });
    await put('idea:6', 'Tokens expire hourly', { line: 60 });
    const { sessions } = await score({
      sessions: [
        label([
          decision(11, 'In the vault', 'Secrets never leave that machine.'),
          decision(20, 'written on every save', 'The cache is written at every save.'),
          decision(30, 'Names stay as they are', 'Names in old tables are not changed.'),
          decision(40, 'Logs go to standard error', 'Logs go to standard error.'),
          decision(50, 'yes, that one', 'Tokens of the mobile client expire early.'),
          decision(
            60,
            'go with hourly ones',
            'Sessions last long, but their tokens always expire and are then refreshed.',
          ),
          decision(60, 'go with daily ones', 'Sessions last long, but their cookies stay and are then refreshed.'),
        ]),
      ],
    });
    expect(sessions.decisions.all).toEqual({ of: 7, found: 3, other: 1, stored: 5 });
    expect(sessions.decisions['kept apart'].of).toBe(0);
  });

  it('takes the word of the exchange around the line, and no other, and the title of the conversation', async () => {
    const exchange = (more: { [field: string]: Json }) => ({ kind: 'span', meta: { level: 'exchange', ...more } });
    await put('span:1', 'a', { line: 1, ...exchange({ decided: ['Keys are stored in the vault of the server'] }) });
    await put('span:2', 'b', {
      line: 50,
      ...exchange({ fixed: [{ text: 'The restart lost the queue of messages' }] }),
    });
    await put('span:3', 'Vault for keys', { line: 1, kind: 'span', meta: { level: 'session' } });
    const keys = (line: number) => decision(line, 'the vault then', 'Keys are stored in the vault.');
    const fix = { solution_line: 60, solution_quote: 'queue is safe now', text: 'A restart lost the message queue.' };
    const { sessions } = await score({ sessions: [label([keys(40), keys(60)], [fix])] });
    expect(sessions.decisions.all).toMatchObject({ of: 2, found: 1 });
    expect(sessions.fixes.all).toMatchObject({ of: 1, found: 1 });
    expect(sessions.titles[0]!.own).toBe('Vault for keys');
  });
});

it('judges the list of what is open by what is open and what is settled', async () => {
  await put('idea:1', 'Todo: add auto-update to the desktop application', { line: 5, kind: 'todo' });
  await put('idea:2', 'Shall I commit this?', { line: 9, kind: 'question' });
  await put('idea:3', 'Something else remains to be looked at', { line: 12, kind: 'todo' });
  await put('idea:4', 'Shall I rotate the signing keys every month?', { line: 20, kind: 'question' });
  const row = (line: number, text: string, open: boolean): Label => ({
    project: 'set',
    session: read,
    line,
    text,
    open,
  });
  const open = [
    row(80, 'Add auto-update to the desktop application', true),
    row(81, 'Rotate the signing keys every month', true),
    row(9, 'Shall I commit this?', false),
    row(20, 'Shall I rotate the signing keys', false),
  ];
  const { measured } = (await score({ open }, { set: ['idea:1', 'idea:2', 'idea:3', 'idea:4'] })).open;
  expect(measured.all).toMatchObject({ right: 1, wrong: 2, unmatched: 1, recall: 1 / 2 });
  expect(measured.set).toEqual(measured['looked at']);
});

it('wants links between labelled pairs to have the relation and the direction of the label', async () => {
  const texts = [
    'Parquet it is from now on',
    'DuckDB holds the tables',
    'Shall we ship the build today?',
    'Yes, ship it',
  ];
  for (const [at, text] of texts.entries()) await put(`idea:${at}`, text, { line: at + 1 });
  const pair = (a: number, b: number, relation: string): Label => ({
    a: { session: read, line: a + 1, text: texts[a] },
    b: { session: read, line: b + 1, text: texts[b] },
    relation,
  });
  const pairs = [pair(0, 1, 'supersedes'), pair(3, 2, 'answers'), pair(3, 1, 'none')];
  const link = (from: number, to: number, relation: string) =>
    store.apply([
      { op: 'link', links: [{ project: PROJECT, from: `idea:${from}`, to: `idea:${to}`, relation, confidence: 1 }] },
    ]);
  await link(0, 1, 'supersedes');
  await link(2, 3, 'answers');
  await link(3, 1, 'relates_to');
  const { measured, links } = (await score({ pairs })).pairs;
  expect(measured.all.relations).toMatchObject({
    supersedes: { linked: 1, right: 1 },
    answers: { linked: 1, right: 0 },
    relates_to: { linked: 1, right: 0 },
  });
  expect(measured.all.none.linked).toBe(1);
  expect(links).toEqual({ supersedes: 1, answers: 1, relates_to: 1 });
});

it('ranks the answers to a natural question by lines, and takes two lines off for a hit', async () => {
  const { rankOf } = await load<{
    rankOf(question: object, results: object[]): { line: number; session: number };
  }>('questions.mjs');
  const at = (session: string, line: number) => ({ session, line });
  const question = { gold: [at('s', 10)] };
  expect(rankOf(question, [at('t', 10), at('t', 10), at('s', 13), at('s', 12)])).toEqual({ line: 2, session: 1 });
  expect(rankOf(question, [at('s', 13)])).toEqual({ line: -1, session: 0 });
});
