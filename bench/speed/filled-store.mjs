// A memory of a given size for measuring: records as files, ideas in the store, words as frequent as in real language. The same
// in every run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { document, speaker } from '../../test/store/made-up.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Writes `<project>/.claude/memory` and `<home>/memory.db`; returns a prompt that something in it answers. */
export async function fillStore({ project, home, records, ideas }) {
  const { openSqliteStore, syncFiles, Kinds } = await load();
  const say = speaker(7);
  const memory = path.join(project, '.claude/memory');
  mkdirSync(path.join(memory, 'decisions'), { recursive: true });
  mkdirSync(path.join(memory, 'runbooks'), { recursive: true });
  for (let at = 0; at < records; at++) writeFileSync(...recordFile(memory, at, say));
  const store = await openSqliteStore(path.join(home, 'memory.db'));
  try {
    await syncFiles(store, {
      root: memory,
      project: memory,
      kinds: new Kinds(),
      projectRoot: project,
    });
    let prompt = '';
    for (let from = 0; from < ideas; from += 1_000) {
      const changes = [];
      for (let n = from; n < Math.min(ideas, from + 1_000); n++) {
        const text = say.sentence(90 + (n % 120));
        if (n === Math.floor(ideas / 2)) prompt = text.split(' ').slice(0, 12).join(' ');
        changes.push({ op: 'put', document: { ...document(n, text), project, title: text.slice(0, 80) } });
      }
      await store.apply(changes);
    }
    return prompt;
  } finally {
    await store.close();
  }
}

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

/** The sources as they are, bundled; below node_modules, so that native packages are found from there. */
export async function load() {
  const folder = await mkdtemp(path.join(root, 'node_modules', '.cairn-bench-'));
  try {
    const outfile = path.join(folder, 'sources.mjs');
    await build({
      stdin: {
        contents: `export { openSqliteStore } from './src/store/sqlite/sqlite-store.ts';
          export { syncFiles } from './src/indexing/index-files.ts';
          export { Kinds } from './src/model/kinds.ts';
          export { recall } from './src/recall/recall.ts';
          `,
        resolveDir: root,
        loader: 'ts',
      },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
