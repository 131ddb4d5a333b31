// A memory of a given size for measuring: records as files, ideas in the store, words as frequent as in real language, vectors in
// clusters. The same in every run. Pages of one run share what was filled.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { document, speaker } from '../../test/store/made-up.mjs';
import { bundle } from '../bundle.mjs';
import { madeUpVectors } from './made-up-vectors.mjs';
import { makeRepository, removeFolder } from './measure.mjs';

const BATCH = 2_000;
const QUESTIONS = 200;

let sources;
/** The store, what fills it, and recall, from the sources. */
export function load() {
  sources ??= bundle(
    'store/sqlite/sqlite-store.ts',
    'indexing/files/index-files.ts',
    'model/kinds.ts',
    'recall/recall.ts',
    'indexing/vectors/embed-documents.ts',
    'store/vector-bytes.ts',
  );
  return sources;
}

const filled = new Map();

/** { project, home, questions }: a project of so many records, and a user's folder with them and so many ideas in its store. */
export function filledStore({ records, ideas }) {
  const name = `${records}-${ideas}`;
  if (!filled.has(name)) filled.set(name, fill({ records, ideas }));
  return filled.get(name);
}

export function removeStores() {
  for (const folder of folders.splice(0)) removeFolder(folder);
}
const folders = [];
process.on('exit', removeStores);

async function fill({ records, ideas }) {
  const base = mkdtempSync(path.join(os.tmpdir(), 'cairn-bench-store-'));
  folders.push(base);
  const [project, home] = [path.join(base, 'project'), path.join(base, 'home')];
  const { openSqliteStore, syncFiles, Kinds } = await load();
  const say = speaker(7);
  const memory = path.join(project, '.claude/memory');
  for (const folder of ['decisions', 'runbooks']) mkdirSync(path.join(memory, folder), { recursive: true });
  mkdirSync(home, { mode: 0o700 });
  for (let at = 0; at < records; at++) writeFileSync(...recordFile(memory, at, say));
  makeRepository(project, home);
  const store = await openSqliteStore(path.join(home, 'memory.db'));
  try {
    await syncFiles(store, { root: memory, project: memory, kinds: new Kinds(), projectRoot: project });
    const questions = await addIdeas(store, { project, from: 0, to: ideas, say });
    await addVectors(store); // of the records
    return { project, home, questions };
  } finally {
    await store.close();
  }
}

/** Ideas number `from` to `to` of a project, with their vectors; returns questions that some of them answer. A `copy` has vectors of its own. */
export async function addIdeas(store, { project, from, to, say, copy = '' }) {
  const { rounded } = await load();
  const { model, vector } = await madeUpVectors();
  const questions = [];
  const every = Math.max(1, Math.floor((to - from) / QUESTIONS));
  for (let start = from; start < to; start += BATCH) {
    const [changes, vectors] = [[], []];
    for (let n = start; n < Math.min(to, start + BATCH); n++) {
      const text = say.sentence(90 + (n % 120));
      if ((n - from) % every === 0 && questions.length < QUESTIONS)
        questions.push(text.split(' ').slice(0, 12).join(' '));
      const plain = document(n, text);
      const idea = { ...plain, hash: `${plain.hash}${copy}`, project, title: text.slice(0, 80) };
      changes.push({ op: 'put', document: idea });
      vectors.push({ hash: idea.hash, model, vector: rounded(vector(n)) });
    }
    await store.apply([...changes, { op: 'vectors', vectors }]);
  }
  return questions;
}

/** Every document that has no vector yet gets one. */
export async function addVectors(store) {
  const { rounded } = await load();
  const { model, vector } = await madeUpVectors();
  let cursor;
  let count = 0;
  do {
    const page = await store.list({
      filter: { unembedded: model },
      order: 'ref',
      limit: 5_000,
      ...(cursor ? { cursor } : {}),
    });
    const hashes = [...new Set(page.documents.map(({ hash }) => hash))];
    const vectors = hashes.map((hash) => ({ hash, model, vector: rounded(vector(numberOf(hash))) }));
    if (vectors.length > 0) await store.apply([{ op: 'vectors', vectors }]);
    count += vectors.length;
    cursor = page.next;
  } while (cursor);
  return count;
}

const numberOf = (hash) => Number.parseInt(hash.slice(0, 8), 16);

function recordFile(memory, at, say) {
  const decision = at % 2 === 0;
  const id = `record-${at}`;
  const content = decision
    ? { status: 'accepted', context: say.sentence(120), decision: say.sentence(80), rationale: [say.sentence(60)] }
    : { trigger: say.sentence(60), steps: [say.sentence(60), say.sentence(60)], verification: say.sentence(40) };
  const record = {
    schema_version: '1.0',
    category: decision ? 'decision' : 'runbook',
    id,
    title: say.sentence(50),
    record_status: 'active',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    tags: [say.word()],
    content,
    changes: [],
    times_updated: 0,
  };
  return [path.join(memory, decision ? 'decisions' : 'runbooks', `${id}.json`), JSON.stringify(record)];
}
