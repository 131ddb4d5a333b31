// A small memory with everything that ranking looks at, written in an order that its seed decides, and the answers to a dozen
// queries as one string. Bundled and run by same-bytes.test.ts, here and on the other supported runtime.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type RecallDeps, recall } from '../../src/recall/recall.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Change } from '../../src/store/store.ts';
import { DAY, idea, NOW, PROJECT, record } from './memories.ts';

const SUBJECTS = 'redis postgres login invoice parser cache queue schema deploy colour'.split(' ');
const VERBS = ['keeps', 'drops', 'checks', 'needs', 'replaces', 'returns'];
const KINDS = ['decision', 'problem', 'solution', 'question', 'todo', 'context'];

/** The same numbers on every machine. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const vectorOf = (text: string): Float32Array => {
  const draw = numbers(7);
  const table = SUBJECTS.concat(VERBS).map((word) => [word, draw(), draw(), draw()] as const);
  const vector = new Float32Array(48);
  for (const [at, [word, ...parts]] of table.entries()) {
    if (!text.toLowerCase().includes(word)) continue;
    for (const [n, part] of parts.entries()) vector[(at * 3 + n) % 48]! += part;
  }
  vector[47]! += 0.1;
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
};

function memories(): { change: Change; text: string }[] {
  const draw = numbers(3);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(draw() * list.length)]!;
  const made = Array.from({ length: 600 }, (_, n) => {
    const text = `The ${pick(SUBJECTS)} ${pick(VERBS)} the ${pick(SUBJECTS)} of the ${pick(SUBJECTS)}${n % 7 === 0 ? ` in ${n % 90} steps` : ''}`;
    const change = idea(String(n), text, {
      kind: pick(KINDS),
      session: `s${n % 40}`,
      line: n,
      createdAt: NOW - (n % 60) * DAY,
      confidence: (n % 10) / 10,
      status: n % 53 === 0 ? 'superseded' : 'active',
      entities: n % 5 === 0 ? ['Redis'] : [],
      links:
        n > 20 && n % 11 === 0 ? [{ to: `idea:${n - 11}`, relation: 'supersedes', confidence: 0.8, rule: 'r' }] : [],
    });
    return { change, text };
  });
  const records = SUBJECTS.map((word) => ({
    change: record(word, `Use the ${word}`, `The ${word} needs the cache`, { tags: [word, 'cache'] }),
    text: `The ${word} needs the cache`,
  }));
  return [...made, ...records];
}

const QUERIES = [
  'what did we decide about the redis cache',
  'open questions about login',
  'how many steps does the parser need now',
  'problems with the invoice schema last month',
  'queue',
  'did I say that the deploy drops the queue',
  'the latest about postgres',
  'decisions since November',
  'colour of the login, recently',
  'Redis',
  'zzz unknown words',
  'the cache keeps the cache of the cache',
];

/** The answers without the time they took, which is the one thing that may differ. */
export async function answersAsText(seed: number): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-same-'));
  const store = await openSqliteStore(path.join(folder, 'memory.db'));
  try {
    await fill(store, seed);
    const answers: unknown[] = [];
    const embedder: NonNullable<RecallDeps['embedder']> = {
      model: 'by-hand',
      embed: async (texts) => texts.map(vectorOf),
    };
    for (const query of QUERIES)
      for (const deps of [{}, { embedder }]) {
        const asked = { query, projects: [PROJECT], limit: 12, explain: true };
        const { took_ms: _, ...answer } = await recall({ store, now: NOW, timeZone: 'UTC', ...deps }, asked);
        answers.push(answer);
      }
    return JSON.stringify(answers);
  } finally {
    await store.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Shuffled, in batches of many sizes; some memories are written twice, first with other words. */
async function fill(store: Awaited<ReturnType<typeof openSqliteStore>>, seed: number): Promise<void> {
  const draw = numbers(seed);
  const order = memories()
    .map((each) => ({ each, place: draw() }))
    .sort((a, b) => a.place - b.place)
    .map(({ each }) => each);
  for (let from = 0; from < order.length; ) {
    const batch = order.slice(from, from + 1 + Math.floor(draw() * 80));
    from += batch.length;
    const first = batch.filter(() => draw() < 0.1);
    await store.apply(first.map(({ change }) => withOtherWords(change)));
    await store.apply(batch.map(({ change }) => change));
    const vectors = batch.map(({ change, text }) => ({
      hash: change.op === 'put' ? change.document.hash : '',
      model: 'by-hand',
      vector: vectorOf(text),
    }));
    await store.apply([{ op: 'vectors', vectors }]);
  }
}

const withOtherWords = (change: Change): Change =>
  change.op === 'put'
    ? { ...change, document: { ...change.document, text: 'Not what was meant', hash: `${change.document.hash}-old` } }
    : change;
