// Builds a store from the transcripts of a data set, with vectors, and keeps it beside the others so that the next run is quick.
// What is kept is named by the code that made it: another indexer or another set makes a new one.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bundle, root } from '../bundle.mjs';

/** The TypeScript of the project as one module. */
export async function loadProject() {
  const project = await bundle(
    'recall/recall.ts',
    'recall/weights.ts',
    'model/relevance.ts',
    'store/sqlite/sqlite-store.ts',
    'store/vector-bytes.ts',
    'indexing/transcripts/index-transcript.ts',
    'indexing/vectors/embed-documents.ts',
    'embed/local-embedder.ts',
    'transcripts/readers.ts',
  );
  const indexer = createHash('sha256');
  for (const name of [
    'src/indexing/transcripts',
    'src/indexing/vectors/embedded-text.ts',
    'src/transcripts',
    'src/extraction',
    'src/store/index-words.ts',
    'src/store/sqlite/schema.ts',
  ])
    for (const file of filesOf(path.join(root, name), '.ts'))
      if (!file.endsWith('.test.ts')) indexer.update(fs.readFileSync(file));
  return { ...project, indexer: indexer.digest('hex').slice(0, 12) };
}

export function filesOf(place, ending) {
  if (fs.statSync(place).isFile()) return [place];
  return fs
    .readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** `embedder` undefined: without vectors. */
export async function storeOf(project, data, set, { embedder, say }) {
  const cache = path.join(os.tmpdir(), 'cairn-eval');
  fs.mkdirSync(cache, { recursive: true, mode: 0o700 });
  const files = filesOf(path.join(data, set, 'transcripts'), '.jsonl');
  const name = createHash('sha256').update(
    `${files.join('\n')} ${files.reduce((sum, file) => sum + fs.statSync(file).size, 0)}`,
  );
  const file = path.join(cache, `${set}-${name.digest('hex').slice(0, 8)}-${project.indexer}.db`);
  const done = `${file}.done`;
  const store = await project.openSqliteStore(file);
  if (!fs.existsSync(done)) {
    for (const [at, transcript] of files.entries()) {
      await project.indexTranscript(store, transcript, { projectOf: (cwd, from) => cwd ?? from });
      if (at % 20 === 0) say(`${set}: ${at + 1} of ${files.length} transcripts`);
    }
    fs.writeFileSync(done, '');
  }
  if (embedder) {
    await borrowVectors(project, { store, model: embedder.model, folder: cache, set, own: path.basename(file) });
    const report = await project.embedDocuments(store, embedder, {
      onProgress: ({ embedded }) => embedded % 1_600 < 32 && say(`${set}: ${embedded} vectors`),
    });
    if (report.embedded > 0) say(`${set}: ${report.embedded} vectors made`);
  }
  return store;
}

/** A vector stands for a text, whichever indexer found the text: stores of earlier runs have most of them. */
async function borrowVectors(project, { store, model, folder, set, own }) {
  for (const name of fs.readdirSync(folder)) {
    if (!name.startsWith(`${set}-`) || !name.endsWith('.db') || name === own) continue;
    const other = await project.openSqliteStore(path.join(folder, name));
    let cursor;
    do {
      const page = await store.list({
        filter: { unembedded: model },
        order: 'ref',
        limit: 2_000,
        ...(cursor ? { cursor } : {}),
      });
      const hashes = [...new Set(page.documents.map((document) => document.hash))];
      const tokens = await other.tokens({ model, hashes });
      // A vector without its tokens is made anew: they come out of the same work.
      const vectors = (await other.vectors({ model, hashes })).flatMap((each) =>
        tokens.has(each.hash) ? [{ ...each, vector: project.rounded(each.vector), tokens: tokens.get(each.hash) }] : [],
      );
      if (vectors.length > 0) await store.apply([{ op: 'vectors', vectors }]);
      cursor = page.next;
    } while (cursor);
    await other.close();
  }
}

export function queriesOf(data, set) {
  const lines = fs.readFileSync(path.join(data, set, 'queries.jsonl'), 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
}

export const setsOf = (data) =>
  fs
    .readdirSync(data)
    .filter((name) => fs.existsSync(path.join(data, name, 'queries.jsonl')))
    .sort();
