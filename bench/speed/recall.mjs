// One recall inside a running process: made-up ideas in one project, vectors in clusters as models give them. The vector of the
// query is given; making it takes the model about 6 ms more.
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { document, random, speaker } from '../../test/store/made-up.mjs';
import { load } from './filled-store.mjs';
import { median, removeFolder } from './measure.mjs';

export const title = 'Recall in a running process';
const DIMENSIONS = 384;
const QUESTIONS = 80;
const PROJECT = '/work/measured';
const MODEL = 'made-up';

export async function measure(say) {
  const { openSqliteStore, recall } = await load();
  const rows = [];
  const medians = new Map();
  for (const ideas of [10_000, 100_000]) {
    say(`${ideas} ideas`);
    const base = mkdtempSync(path.join(os.tmpdir(), 'cairn-bench-'));
    const store = await openSqliteStore(path.join(base, 'memory.db'));
    try {
      const questions = await fill(store, ideas);
      for (const way of ['words and vectors', 'words']) {
        const embedder = way === 'words' ? undefined : { model: MODEL, embed: async (texts) => texts.map(vectorOf) };
        const ask = (query) =>
          recall(
            { store, now: 1_780_000_000_000, ...(embedder ? { embedder } : {}) },
            { query, projects: [PROJECT], limit: 10 },
          );
        for (const query of questions.slice(0, 20)) await ask(query);
        const times = [];
        for (const query of questions) {
          const begun = performance.now();
          await ask(query);
          times.push(performance.now() - begun);
        }
        medians.set(`${way} ${ideas}`, median(times));
        const isTarget = ideas === 100_000 && way !== 'words';
        rows.push({
          what: `one recall by ${way}, ${ideas.toLocaleString('en')} ideas, median of ${QUESTIONS}`,
          shown: `${median(times).toFixed(1)} ms`,
          ...(isTarget ? { wanted: '≤ 15 ms', met: median(times) <= 15 } : {}),
        });
      }
    } finally {
      await store.close();
      removeFolder(base);
    }
  }
  const growth = medians.get('words and vectors 100000') / medians.get('words and vectors 10000');
  rows.push({
    what: 'growth from 10,000 to 100,000 ideas',
    shown: `${growth.toFixed(2)} ×`,
    wanted: '≤ 2 ×',
    met: growth <= 2,
  });
  return rows;
}

async function fill(store, ideas) {
  const voice = speaker(11);
  const questions = [];
  for (let from = 0; from < ideas; from += 1_000) {
    const changes = [];
    const vectors = [];
    for (let n = from; n < from + 1_000; n++) {
      const text = voice.sentence(90 + (n % 120));
      if (n % Math.floor(ideas / QUESTIONS) === 0 && questions.length < QUESTIONS)
        questions.push(text.split(' ').slice(0, 9).join(' '));
      const idea = { ...document(n, text), project: PROJECT, title: text.slice(0, 80) };
      changes.push({ op: 'put', document: idea });
      vectors.push({ hash: idea.hash, model: MODEL, vector: vectorOf(text) });
    }
    await store.apply([...changes, { op: 'vectors', vectors }]);
  }
  return questions;
}

/** The same for the same text: one of 200 centres, and some of its own. */
function vectorOf(text) {
  let seed = 7;
  for (let at = 0; at < text.length; at++) seed = (Math.imul(seed, 31) + text.charCodeAt(at)) >>> 0;
  const [centre, own] = [random(seed % 200), random(seed)];
  const vector = Float32Array.from({ length: DIMENSIONS }, () => centre() - 0.5 + (own() - 0.5) * 0.8);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
