// What becomes of the rows: a verdict changes a label, a status or what is told, never deletes, comes back from the file in every
// rebuilt store, and is gone when the file is gone and the conversation is read anew.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/fixtures/temporary.ts';
import {
  indexConversation,
  knownIn,
  LOCKS_ANSWER,
  NOW,
  PROJECT,
  spansOf,
  TOPICS,
  writeConversation,
} from '../../test/llm/conversation.ts';
import { llmSettings } from '../../test/llm/llm-settings.ts';
import { apiForTest, type Received, type Step } from '../../test/llm/scripted-api.ts';
import { indexTranscript } from '../indexing/transcripts/index-transcript.ts';
import { type SourceLine, spanLines } from '../indexing/transcripts/span-lines.ts';
import type { Llm } from '../llm/llm.ts';
import { openLlm } from '../llm/open-llm.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Document, Json, Store } from '../store/store.ts';
import { openArchive } from '../transcripts/archive/archive.ts';
import { applyRefinements, refineSpans } from './refine-spans.ts';
import { asBefore } from './refined-rows.ts';
import { refinementFile } from './refinement-file.ts';

const LLM = 'test:judge';
const LATER = new Date(NOW.getTime() + 24 * 3_600_000);

async function storeFor(folder: string, name = 'memory.db'): Promise<Store> {
  const store = await openSqliteStore(path.join(folder, name));
  onTestFinished(() => store.close());
  return store;
}

async function allOf(store: Store) {
  const { documents } = await store.list({ order: 'ref', limit: 2_000 });
  const refs = documents.map(({ ref }) => ref);
  const links = await store.links({ refs, direction: 'out' });
  return { documents, links, mentions: await store.mentions({ refs, limit: 5_000 }) };
}

const answering = (answerFor: (prompt: string) => object): Llm => ({
  name: LLM,
  complete: async ({ prompt }) => ({ text: JSON.stringify(answerFor(prompt)), tokensIn: 1, tokensOut: 1 }),
});

/**
 * Of the first topic: its question is settled by what was agreed, what the agent found is a problem, and neither what was asked first
 * nor what the agent reports, which is for search only anyway, is worth being told.
 */
function judgement(prompt: string): object {
  const known = knownIn(prompt);
  const idOf = (part: string): string => known.find(({ text }) => text.includes(part))?.id ?? 'k999';
  if (!prompt.includes('advisory lock')) return { title: 'The sidebar of the viewer', ideas: [] };
  return {
    title: LOCKS_ANSWER.title,
    ideas: [LOCKS_ANSWER.ideas[2]],
    verdicts: [
      { id: idOf('Should we use Redis'), verdict: 'settled', by: idOf('Agreed, we use a lease') },
      { id: idOf('Agreed, we use a lease'), verdict: 'decision', lines: [5] },
      { id: idOf('waits for an advisory lock'), verdict: 'problem', lines: [2] },
      { id: idOf('Please find out why'), verdict: 'drop' },
      { id: idOf('Done: src/export/lease.ts'), verdict: 'drop' },
    ],
    entities: [{ name: 'export_jobs', kind: 'concept', lines: [5] }],
  };
}

class Place {
  readonly folder = temporaryFolder();
  readonly file = path.join(this.folder, 'projects', 'talk.jsonl');
  readonly refinementsDir = path.join(this.folder, 'refinements');
  readonly options = {
    linesOf: spanLines(openArchive(path.join(this.folder, 'archive'), { maxBytes: 1e9, now: () => NOW })),
    refinementsDir: this.refinementsDir,
    now: () => NOW,
  };

  async indexed(name?: string): Promise<Store> {
    if (!fs.existsSync(this.file)) writeConversation(this.file);
    const store = await storeFor(this.folder, name);
    await indexConversation(store, this.file);
    return store;
  }
}

describe('a verdict', () => {
  it('changes the row, keeps what it was, and deletes nothing', async () => {
    const place = new Place();
    const store = await place.indexed();
    const before = await allOf(store);
    expect(await refineSpans(store, answering(judgement), place.options)).toMatchObject({ refined: 2, refused: 0 });
    const { documents, links, mentions } = await allOf(store);
    const find = (part: string, among = documents): Document =>
      among.find(({ text, kind }) => kind !== 'span' && text.includes(part)) ?? expect.fail(part);
    for (const { ref, text } of before.documents.filter(({ kind }) => kind !== 'span'))
      expect(documents.find((each) => each.ref === ref)?.text).toBe(text);

    const asked = find('Should we use Redis');
    const agreed = find('Agreed, we use a lease');
    expect(asked).toMatchObject({
      kind: 'question',
      status: 'done',
      meta: { judged: LLM },
    });
    expect(agreed).toMatchObject({ kind: 'decision', status: 'active' });
    expect(links).toContainEqual({
      ...{ project: PROJECT, from: agreed.ref, to: asked.ref, relation: 'answers', confidence: 0.7, rule: 'model' },
    });
    for (const [part, word, kind] of [
      ['Please find out why', 'finishes', 'todo'],
      ['Done: src/export/lease.ts', 'lease.ts', 'context'],
    ] as const) {
      const [dropped, original] = [find(part), find(part, before.documents)];
      expect(original.kind).toBe(kind);
      expect(dropped).toMatchObject({ kind: 'context', meta: { search_only: true, judged: LLM } });
      expect(dropped.confidence).toBeLessThanOrEqual(0.3);
      expect(asBefore(dropped)).toEqual(original);
      const found = await store.search({ terms: [{ text: word }], limit: 5 });
      expect(found.map(({ ref }) => ref)).toContain(dropped.ref);
    }
    const waits = find('waits for an advisory lock');
    const { kind: first } = find('waits for an advisory lock', before.documents);
    expect(first).not.toBe('problem');
    expect(waits).toMatchObject({ kind: 'problem', meta: { before: { kind: first } } });
    for (const row of [asked, agreed, waits])
      expect(asBefore(row)).toEqual(before.documents.find(({ ref }) => ref === row.ref));

    const [locks] = await spansOf(store);
    expect(before.mentions.filter(({ ref }) => ref === locks!.ref)).toEqual([]);
    expect(mentions).toContainEqual({
      project: PROJECT,
      ref: locks!.ref,
      entity: 'exportjobs', // one name for all its spellings
      kind: 'concept',
      count: 1,
    });
    expect(find('test for the expiry of the lease is missing')).toMatchObject({
      kind: 'todo',
      meta: { by: LLM, worth: 0.8, lines: [6] },
    });
  });

  it('comes back from its file in a rebuilt store, the same in every respect', async () => {
    const place = new Place();
    const store = await place.indexed();
    await refineSpans(store, answering(judgement), place.options);
    const fresh = await place.indexed('rebuilt.db');
    expect(await applyRefinements(fresh, place.refinementsDir, place.options)).toEqual({ applied: 2, stale: 0 });
    expect(await allOf(fresh)).toEqual(await allOf(store));
  });

  it('is gone when its file is gone and the conversation is read anew', async () => {
    const place = new Place();
    const store = await place.indexed();
    const plain = await allOf(store);
    await refineSpans(store, answering(judgement), place.options);
    fs.rmSync(place.refinementsDir, { recursive: true });
    await indexTranscript(store, place.file, { projectOf: () => PROJECT, anew: () => true });
    await applyRefinements(store, place.refinementsDir, place.options);
    expect(await allOf(store)).toEqual(plain);
  });

  it('no longer counts once its topic went on: the store is what a rebuilt one would be', async () => {
    const place = new Place();
    writeConversation(place.file, TOPICS.slice(0, 1));
    const store = await place.indexed();
    await refineSpans(store, answering(judgement), { ...place.options, now: () => LATER });
    const more = [['user', 'And the export worker shall write the lease to the log as well.']] as const;
    writeConversation(place.file, [[...TOPICS[0]!, ...more]]);
    await indexConversation(store, place.file);
    expect(await applyRefinements(store, place.refinementsDir, place.options)).toEqual({ applied: 0, stale: 1 });
    expect(await allOf(store)).toEqual(await allOf(await place.indexed('rebuilt.db')));
  });

  it('finds its statement again where another build has named it otherwise, and touches no other', async () => {
    const place = new Place();
    const store = await place.indexed();
    await refineSpans(store, answering(judgement), place.options);
    const judged = (await allOf(store)).documents.filter(({ meta }) => meta?.judged !== undefined);
    const fresh = await place.indexed('rebuilt.db');
    for (const { ref } of judged) {
      const [row] = await fresh.get({ refs: [ref] });
      const named = { ...row!, ref: `${ref}-b` };
      const other = { ...row!, text: 'Something else.', hash: 'else' };
      await fresh.apply([
        { op: 'put', document: named },
        { op: 'put', document: other },
      ]);
    }
    await applyRefinements(fresh, place.refinementsDir, place.options);
    const { documents } = await allOf(fresh);
    const isIdea = ({ kind, meta }: Document): boolean => kind !== 'span' && meta?.judged !== undefined;
    const refs = documents.filter(isIdea).map(({ ref }) => ref);
    expect(refs.sort()).toEqual(
      judged
        .filter(isIdea)
        .map(({ ref }) => `${ref}-b`)
        .sort(),
    );
  });

  it('of the first builds is still put back', async () => {
    const place = new Place();
    const store = await place.indexed();
    await refineSpans(store, answering(judgement), place.options);
    const [locks] = await spansOf(store);
    const file = refinementFile(place.refinementsDir, { project: PROJECT, span: locks!.ref });
    const { pages: _, answer, ...head } = JSON.parse(fs.readFileSync(file, 'utf8'));
    const judged = answer.verdicts
      .filter(({ verdict }: { verdict: string }) => verdict === 'problem')
      .map(({ ref }: { ref: string }) => ({ ref, intent: 'problem', confidence: 0.9 }));
    expect(judged).toHaveLength(1);
    const ideas = answer.ideas.map(({ lines: __, ...idea }: { lines: number[] }) => idea);
    const old = { name: answer.title, summary: 'What was said.', ideas, judged, relations: [] };
    fs.writeFileSync(file, JSON.stringify({ ...head, version: '1', answer: old }));
    const fresh = await place.indexed('rebuilt.db');
    const plain = (await allOf(fresh)).documents.find(({ ref }) => ref === judged[0].ref);
    expect(await applyRefinements(fresh, place.refinementsDir, place.options)).toEqual({ applied: 2, stale: 0 });
    expect((await spansOf(fresh))[0]).toMatchObject({ title: LOCKS_ANSWER.title, text: 'What was said.' });
    const [row, ...others] = (await allOf(fresh)).documents.filter(
      ({ kind, meta }) => kind !== 'span' && meta?.judged !== undefined,
    );
    expect(plain?.kind).not.toBe('problem');
    expect(row).toMatchObject({ ref: judged[0].ref, kind: 'problem', meta: { before: { kind: plain?.kind } } });
    expect(others).toEqual([]);
  });
});

const FILE = '/talks/long.jsonl';
const row = (ref: string, kind: string, line: number, fields: Partial<Document> = {}): Document => ({
  ref,
  project: PROJECT,
  layer: 'trace',
  kind,
  status: 'active',
  title: ref,
  text: '',
  tags: [],
  confidence: 0.5,
  createdAt: line,
  updatedAt: line,
  source: { file: FILE, line },
  hash: ref,
  ...fields,
});
const span = (ref: string, start: number, end: number, meta: { [key: string]: Json }, above?: string): Document =>
  row(ref, 'span', start, { ...(above ? { span: above } : {}), meta: { start, end, turns: end - start + 1, ...meta } });

describe('exchanges with rows of their own', () => {
  const LINES: SourceLine[] = [
    { line: 1, who: 'user', text: 'The gearbox is loud. Please look at the bearings.' },
    {
      line: 2,
      who: 'assistant',
      text: 'The left bearing is worn. I can order a new bearing, or grease it. Which one?',
    },
    { line: 3, who: 'user', text: 'grease it for now' },
    { line: 4, who: 'assistant', text: 'The bearing is greased. A test run under load is still to be done.' },
  ];
  const idea = (ref: string, kind: string, line: number, text: string, meta = {}) =>
    row(ref, kind, line, {
      ...{ text, hash: `h-${ref}`, span: line <= 2 ? 'span:e1' : 'span:e2' },
      meta: { role: line % 2 ? 'user' : 'assistant', speaker: 'user', provenance: 'said', ...meta },
    });
  const ROWS = [
    span('span:t', 1, 4, { level: 'topic' }),
    span(
      'span:e1',
      1,
      2,
      { level: 'exchange', asked: 'look at the bearings', outcome: 'Which one?', left: ['Which one?'] },
      'span:t',
    ),
    span('span:e2', 3, 4, { level: 'exchange', asked: 'grease it', outcome: 'done', decided: [], left: [] }, 'span:t'),
    idea('idea:q', 'question', 2, 'Which one?', { worth: 0.4 }),
    idea('idea:g', 'context', 3, 'grease it for now', { search_only: true, worth: 0.2 }),
    idea('idea:d', 'solution', 4, 'The bearing is greased.', { worth: 0.7 }),
  ];
  const ANSWER = (prompt: string): object => {
    const idOf = (text: string) => knownIn(prompt).find((each) => each.text === text)?.id;
    return {
      title: 'Loud gearbox with a worn bearing',
      verdicts: [
        { id: idOf('Which one?'), verdict: 'settled', by: idOf('The bearing is greased.') },
        { id: idOf('grease it for now'), verdict: 'decision', lines: [2, 3] },
        { id: idOf('The bearing is greased.'), verdict: 'keep' },
      ],
      ideas: [
        {
          text: 'The left bearing of the gearbox is greased for now; no new one is ordered.',
          intent: 'decision',
          lines: [2, 3],
        },
        { text: 'The left bearing is only greased for now.', intent: 'decision', lines: [2, 3] },
        { text: 'A test run of the greased bearing under load is still to be done.', intent: 'todo', lines: [4] },
      ],
      outcomes: [
        { id: 'e1', title: 'Loud gearbox', outcome: 'The left bearing is worn.' },
        { id: 'e2', outcome: 'The bearing is greased; a test run under load is still to be done.' },
      ],
      borders: [{ line: 3, change: 'split' }],
    };
  };
  const refined = async (rows = ROWS) => {
    const folder = temporaryFolder();
    const store = await storeFor(folder);
    await store.apply(rows.map((document) => ({ op: 'put', document })));
    const options = { linesOf: () => LINES, refinementsDir: path.join(folder, 'refinements'), now: () => NOW };
    const report = await refineSpans(store, answering(ANSWER), options);
    return { store, options, report };
  };
  const rowOf = async (store: Store, ref: string): Promise<Document> =>
    (await store.get({ refs: [ref] }))[0] ?? expect.fail(ref);

  it('are asked about with their topic, and get title, outcome, what was decided and what is left', async () => {
    const { store, report } = await refined();
    expect(report).toMatchObject({ refined: 1, failed: 0, left: 0 });
    expect(await rowOf(store, 'span:t')).toMatchObject({
      title: 'Loud gearbox with a worn bearing',
      meta: { refined: LLM, doubtful_borders: [{ line: 3, change: 'split' }] },
    });
    expect(await rowOf(store, 'span:e1')).toMatchObject({
      title: 'Loud gearbox',
      meta: { asked: 'look at the bearings', outcome: 'The left bearing is worn.', left: [] },
    });
    const second = await rowOf(store, 'span:e2');
    expect(second.title).toBe('span:e2');
    expect(second.meta).toMatchObject({
      outcome: 'The bearing is greased; a test run under load is still to be done.',
      decided: ['The left bearing is only greased for now.'],
      left: ['A test run of the greased bearing under load is still to be done.'],
    });
    expect(second.text).toContain('a test run under load');
    expect(await rowOf(store, 'idea:g')).toMatchObject({ kind: 'decision', confidence: 0.8, meta: { worth: 0.6 } });
    expect((await rowOf(store, 'idea:g')).meta).not.toHaveProperty('search_only');
    expect(await rowOf(store, 'idea:d')).toMatchObject({ kind: 'solution', confidence: 0.8, meta: { worth: 0.7 } });
  });

  it('hold what a model finds in their lines, also where nothing was found without it', async () => {
    const { store } = await refined(ROWS.filter(({ ref }) => ref !== 'idea:d'));
    const { documents } = await allOf(store);
    const made = documents.filter(({ meta }) => meta?.by === LLM);
    expect(made.map(({ kind, span: of, source }) => [kind, of, source?.line])).toContainEqual(['todo', 'span:e2', 4]);
    expect(made.every(({ span: of }) => of === 'span:e2')).toBe(true);
  });

  it('leave what is kept for search only where it is, if all that is said of it is keep', async () => {
    const folder = temporaryFolder();
    const store = await storeFor(folder);
    const hidden = [
      idea('idea:h', 'context', 4, 'A test run under load', { search_only: true }),
      { ...idea('idea:u', 'context', 4, 'is still to be done'), confidence: 0.3 },
    ];
    await store.apply([...ROWS.slice(0, 3), ...hidden].map((document) => ({ op: 'put', document })));
    const keepAll = (prompt: string) => ({
      title: 'Loud gearbox',
      verdicts: knownIn(prompt).map(({ id }) => ({ id, verdict: 'keep' })),
    });
    const options = { linesOf: () => LINES, refinementsDir: path.join(folder, 'refinements'), now: () => NOW };
    expect(await refineSpans(store, answering(keepAll), options)).toMatchObject({ refined: 1 });
    for (const document of hidden) expect(await rowOf(store, document.ref)).toEqual(document);
  });

  it('are what they were before once the answer does not count any more', async () => {
    const { store, options } = await refined();
    const topic = await rowOf(store, 'span:t');
    const { refined: _, doubtful_borders: __, ...meta } = topic.meta ?? {};
    await store.apply([{ op: 'put', document: { ...topic, meta } }]);
    const linesOf = () => [...LINES, { line: 4, who: 'assistant', text: 'And more.' }];
    await applyRefinements(store, options.refinementsDir, { ...options, linesOf });
    for (const document of ROWS.slice(1)) expect(await rowOf(store, document.ref)).toEqual(document);
    expect((await allOf(store)).documents).toHaveLength(ROWS.length);
    expect((await allOf(store)).links).toEqual([]);
  });
});

describe('a topic of more ideas than a question holds', () => {
  const LINES: SourceLine[] = Array.from({ length: 80 }, (_, at) => ({
    line: at + 1,
    who: at % 8 === 0 ? 'user' : 'assistant',
    text: `Bearing number ${at + 1} of the gearbox is worn.`,
  }));
  const ROWS = [
    span('span:long', 1, 80, { depth: 0 }),
    ...LINES.map(({ line, text }) =>
      row(`idea:${line}`, line === 1 ? 'problem' : 'context', line, { text, hash: `h${line}`, span: 'span:long' }),
    ),
  ];
  const prepared = async () => {
    const folder = temporaryFolder();
    const store = await storeFor(folder);
    await store.apply(ROWS.map((document) => ({ op: 'put', document })));
    const options = { linesOf: () => LINES, refinementsDir: path.join(folder, 'refinements'), now: () => NOW };
    return { folder, store, options };
  };
  const answerTo = (prompt: string): object => {
    const known = knownIn(prompt);
    const verdicts = known.slice(0, 4).map(({ id }) => ({ id, verdict: 'problem' }));
    const first = /\{"id":"(k\d+)","line":1,"label":"problem"/.exec(prompt.split('may be settled meanwhile')[1] ?? '');
    const settled = first ? [{ id: first[1], verdict: 'settled', by: known.at(-1)?.id }] : [];
    return { title: 'Worn bearings of the gearbox', ideas: [], verdicts: [...verdicts, ...settled] };
  };

  it('is asked about in pages, every one of which is counted, and none of which is paid for twice', async () => {
    const { folder, store, options } = await prepared();
    const promptOf = (request: Received): string => request.body.messages[0].content;
    const api = await apiForTest((request): Step => ({ say: JSON.stringify(answerTo(promptOf(request))) }));
    let time = NOW;
    const ledgerFile = path.join(folder, 'ledger.json');
    const opened = { env: { ANTHROPIC_API_KEY: 'key' }, ledgerFile, now: () => time };
    const llm = (await openLlm(llmSettings({ base_url: api.url, daily_calls: 2 }), opened))!;
    expect(await refineSpans(store, llm, options)).toMatchObject({
      refined: 0,
      left: 1,
      halted: { failure: 'ceiling' },
    });
    expect(api.requests).toHaveLength(2);
    expect(await allOf(store)).toMatchObject({
      documents: await (await store.list({ order: 'ref', limit: 100 })).documents,
    });
    expect((await spansOf(store))[0]?.meta).not.toHaveProperty('refined');

    time = LATER;
    expect(await refineSpans(store, llm, options)).toMatchObject({ refined: 1, left: 0, failed: 0 });
    expect(api.requests).toHaveLength(4);
    const shown = api.requests.map((request) => knownIn(promptOf(request)).map(({ line }) => line));
    expect(shown.map(({ length }) => length)).toEqual([24, 24, 24, 8]);
    expect(new Set(shown.flat()).size).toBe(80);
    const judged = (await allOf(store)).documents.filter(({ meta }) => meta?.judged !== undefined);
    expect(judged).toHaveLength(16);
    // What the first page left open, a later one has settled.
    expect((await store.get({ refs: ['idea:1'] }))[0]).toMatchObject({ kind: 'problem', status: 'done' });
    const days = JSON.parse(fs.readFileSync(ledgerFile, 'utf8'));
    expect(JSON.stringify(days)).toContain('"calls":2');
  });

  it('loses nothing of the good pages to one that can never be used', async () => {
    const { store, options } = await prepared();
    let asked = 0;
    const llm: Llm = {
      name: LLM,
      async complete({ prompt }) {
        asked += 1;
        const isBad = knownIn(prompt).some(({ line }) => line === 30);
        return { text: isBad ? 'no' : JSON.stringify(answerTo(prompt)), tokensIn: 1, tokensOut: 1 };
      },
    };
    expect(await refineSpans(store, llm, options)).toMatchObject({ failed: 1 });
    expect(await refineSpans(store, llm, options)).toMatchObject({ failed: 1 });
    expect(await refineSpans(store, llm, options)).toMatchObject({ refined: 1 });
    expect(asked).toBe(4); // the first page once, the bad one three times
    expect((await allOf(store)).documents.filter(({ meta }) => meta?.judged !== undefined)).toHaveLength(4);
  });
});
