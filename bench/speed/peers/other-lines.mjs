// What somebody would use instead, over the same texts: grep and ripgrep on the transcripts, the reference memory server, MiniSearch,
// QMD's keyword mode. Each by the question as asked and, where it does not rank or wants every word, in the way that helps it most.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openMcp } from '../mcp-process.mjs';
import { memoryOf, run, sizeOf } from '../measure.mjs';
import { tellingWords } from './corpus.mjs';
import { installPeer, PLATFORM } from './install-peer.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const LIMIT = 5;

/** Neither ranks: lines with the most different words of the question come first. Both find the same lines. */
export async function grepLines({ transcripts, say, timing }) {
  say('grep and ripgrep');
  const way = 'any telling word, lines with most of them first (ranked by us)';
  const asker = (program, options) => (query) => {
    const { stdout } = spawnSync(program, [...options, tellingWords(query).join('|'), transcripts], {
      maxBuffer: 256 * 1024 * 1024,
    });
    return mostWords(String(stdout));
  };
  const line = (name, program) => {
    const version = /\d[\d.]*/.exec(String(spawnSync(program, ['--version']).stdout))?.[0];
    return { system: `${name} (${version ?? 'unknown'})`, way, indexMs: 0, disk: 0 };
  };
  const grep = asker('grep', ['-rnoiE']);
  try {
    const name = `@vscode/ripgrep-${PLATFORM}`;
    const folder = installPeer('ripgrep', { [name]: '1.18.0' });
    const program = path.join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'rg.exe' : 'rg');
    const ripgrep = await timing.warm(asker(program, ['-noi', '--no-heading', '-e']));
    const times = await timing.coldBy(grep); // a few: each takes long
    return {
      lines: [
        { ...line('grep', 'grep'), ...ripgrep, times, cold: times },
        { ...line('ripgrep', program), ...ripgrep, cold: ripgrep.times },
      ],
      notes: [],
    };
  } catch (error) {
    const found = await timing.warm(grep);
    return {
      lines: [{ ...line('grep', 'grep'), ...found, cold: found.times }],
      notes: [`**ripgrep could not be had:** ${error.message}`],
    };
  }
}

/** Ties by name, so that every run gives the same. */
const best = (counts) =>
  counts
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, LIMIT)
    .map(([id]) => id);

function mostWords(out) {
  const words = new Map();
  for (const line of out.split('\n')) {
    const [, session, number, word] = /([\w-]+)\.jsonl:(\d+):(.*)$/.exec(line) ?? [];
    if (session === undefined) continue;
    const id = `${session}:${number}`;
    if (!words.has(id)) words.set(id, new Set());
    words.get(id).add(word.toLowerCase());
  }
  return best([...words].map(([id, found]) => [id, found.size]));
}

export async function memoryServerLines({ base, corpus, say, timing }) {
  const version = '2026.8.31';
  const folder = installPeer('server-memory', { '@modelcontextprotocol/server-memory': version });
  say('@modelcontextprotocol/server-memory');
  const file = path.join(base, 'server-memory.jsonl');
  const open = () =>
    openMcp([path.join(folder, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js')], {
      env: { MEMORY_FILE_PATH: file },
      cwd: base,
    });
  const server = await open();
  const begun = performance.now();
  for (let from = 0; from < corpus.messages.length; from += 500) {
    const some = corpus.messages.slice(from, from + 500);
    await server.call('create_entities', {
      entities: some.map(({ id, text }) => ({ name: id, entityType: 'message', observations: [text] })),
    });
  }
  const indexMs = performance.now() - begun;
  const search = async (one, query) => {
    const { content } = await one.call('search_nodes', { query });
    return JSON.parse(content[0].text).entities.map(({ name }) => name);
  };
  const asked = await timing.warm(async (query) => (await search(server, query.replace(/\?$/, ''))).slice(0, LIMIT));
  const byWords = await timing.warm(async (query) => {
    const counts = new Map();
    for (const word of tellingWords(query))
      for (const id of await search(server, word)) counts.set(id, (counts.get(id) ?? 0) + 1);
    return best([...counts]);
  });
  const memory = memoryOf(server.pid).peak;
  await server.close();
  const cold = await timing.coldBy(async (query) => {
    const one = await open();
    await search(one, query);
    await one.close();
  });
  const same = { system: `server-memory (${version})`, indexMs, disk: sizeOf(file), cold, memory };
  return {
    lines: [
      { ...same, way: 'the question as asked: it looks for that very text', ...asked },
      { ...same, way: 'a call for each telling word, most of them first (ranked by us)', ...byWords },
    ],
    notes: [],
  };
}

export async function minisearchLines({ base, corpus, say, timing }) {
  const version = '7.2.0';
  const folder = installPeer('minisearch', { minisearch: version });
  say('MiniSearch');
  const [messages, index, queries] = ['messages', 'index', 'queries'].map((name) =>
    path.join(base, `minisearch-${name}.json`),
  );
  writeFileSync(messages, JSON.stringify(corpus.messages));
  const script = path.join(here, 'minisearch-process.mjs');
  const { out, peakMb } = await run([script, folder, 'index', messages, index]);
  const lines = [];
  for (const [way, name] of [
    ['plain', 'the question as asked'],
    ['fuzzy', 'the question as asked, with prefixes and fuzzy words'],
  ]) {
    const warm = await timing.inProcess(queries, [script, folder, 'ask', index, queries, way], (id) => id);
    const cold = timing.cold((query) => {
      writeFileSync(`${queries}.one`, JSON.stringify([query]));
      return { argv: [script, folder, 'ask', index, `${queries}.one`, way] };
    });
    const disk = sizeOf(index);
    const indexMs = JSON.parse(out).ms;
    lines.push({ system: `MiniSearch (${version})`, way: name, indexMs, indexMb: peakMb, disk, cold, ...warm });
  }
  return { lines, notes: [] };
}

export async function qmdLines({ base, corpus, say, timing }) {
  const version = '2.8.3';
  const packages = { '@tobilu/qmd': version, [`sqlite-vec-${PLATFORM}`]: '0.1.9' };
  const folder = installPeer('qmd', packages, { sqlite: true });
  say('@tobilu/qmd, keyword mode');
  const home = path.join(base, 'qmd');
  const notes = path.join(home, 'notes');
  mkdirSync(notes, { recursive: true });
  for (const { id, text } of corpus.messages)
    writeFileSync(path.join(notes, `${id.replace(':', '-')}.md`), `${text}\n`);
  const own = { HOME: home, XDG_CACHE_HOME: path.join(home, 'cache'), XDG_CONFIG_HOME: path.join(home, 'config') };
  const env = { ...process.env, ...own, QMD_CONFIG_DIR: path.join(home, 'config') };
  const command = path.join(folder, 'node_modules/@tobilu/qmd/dist/cli/qmd.js');
  const { ms: indexMs, peakMb } = await run([command, 'collection', 'add', notes, '--name', 'talk'], {
    env,
    cwd: home,
  });
  const cold = timing.cold((query) => ({
    argv: [command, 'search', query, '--json', '-n', String(LIMIT)],
    env,
    cwd: home,
  }));
  const database = path.join(own.XDG_CACHE_HOME, 'qmd/index.sqlite');
  const queries = path.join(home, 'queries.json');
  const process_ = [path.join(here, 'qmd-process.mjs'), folder, database, queries];
  const idOf = (file) => path.basename(file, '.md').replace(/-(\d+)$/, ':$1');
  const asked = await timing.inProcess(queries, process_, idOf);
  const byWords = await timing.inProcess(queries, process_, idOf, (query) => tellingWords(query).join(' '));
  const same = {
    system: `QMD keyword mode (${version})`,
    indexMs,
    indexMb: peakMb,
    disk: sizeOf(path.dirname(database)),
    cold,
  };
  return {
    lines: [
      { ...same, way: 'the question as asked: it wants every word', ...asked },
      { ...same, way: 'its telling words: it wants all of them', ...byWords },
    ],
    notes: [
      'QMD asks for Node 22; here it ran on the Node above, with better-sqlite3 12.11.1, the newest that runs on it. Its search with models is not measured.',
    ],
  };
}
