// How good the traces are that are made of conversations, without a model: are the points that somebody later summed up
// found as ideas of a fitting intent, are questions tied to their answers, do topics end where work was committed, and is
// anything that was said left out.
//   node bench/quality/extraction.mjs --data DIR [--no-vectors]   DIR holds sets: DIR/<set>/transcripts, DIR/<set>/queries.jsonl
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../bundle.mjs';
import { intentTable } from './intents.mjs';

const NEAREST = 10;
/** Shorter turns are mostly a word of agreement. */
const SUBSTANTIVE = 40;

/**
 * Which intents say what an item of a summary says. What was left open may have been told as work to do, as a question, as
 * what is missing, or as a choice to leave it; friction as what went wrong, as its cause, or as the way round it.
 */
export const FITTING = {
  open_items: ['todo', 'question', 'problem', 'decision'],
  friction: ['problem', 'conclusion', 'solution'],
};

/** Markdown: the extraction part of `npm run eval`. */
export async function extraction(dataDir, { vectors = true, say = () => {} } = {}) {
  const cairn = await load();
  const text = ['## Extraction', '', ...intentTable()];
  for (const set of setsIn(dataDir)) {
    say(set);
    const home = mkdtempSync(path.join(os.tmpdir(), 'cairn-extraction-'));
    const store = await cairn.openSqliteStore(path.join(home, 'memory.db'));
    try {
      const folder = path.join(dataDir, set);
      const talks = await index(cairn, store, path.join(folder, 'transcripts'));
      const ideas = (await allOf(store)).filter(({ kind }) => kind !== 'span');
      text.push(`### ${set}`, '');
      text.push(...(await counts(store, talks, ideas)));
      text.push(...coverage(cairn, talks));
      text.push(...(await answers(store, talks, ideas)));
      text.push(...(await borders(store, talks)));
      text.push(...(await summaryItems(cairn, store, { folder, vectors, say })));
    } finally {
      await store.close();
      rmSync(home, { recursive: true, force: true });
    }
  }
  return text.join('\n');
}

/** What `npm run eval` asks for. */
export const report = ({ data }) => extraction(data);

const setsIn = (dataDir) =>
  readdirSync(dataDir)
    .filter((name) => existsSync(path.join(dataDir, name, 'transcripts')))
    .sort();

/** What is measured. */
export const load = () =>
  bundle(
    'store/sqlite/sqlite-store.ts',
    'indexing/transcripts/backfill.ts',
    'transcripts/locate.ts',
    'indexing/vectors/embed-documents.ts',
    'embed/open-embedder.ts',
    'transcripts/readers.ts',
    'extraction/ideas/ideas-of.ts',
  );

/** Indexes all transcripts, and reads them a second time for what was in them. */
export async function index(cairn, store, folder) {
  const found = cairn.transcriptsAt(folder);
  await cairn.backfill(store, found, { projectOf: (cwd, file) => cwd ?? path.dirname(file) });
  return found.map(({ file }) => {
    const lines = readFileSync(file, 'utf8').split('\n');
    const reader = cairn.readerFor(file, lines.slice(0, 8));
    let state = reader.start(file);
    const items = [];
    for (const [at, text] of lines.entries()) {
      if (text.trim() === '') continue;
      const read = reader.read(state, { number: at + 1, text });
      state = read.state;
      items.push(...read.items);
    }
    return { file, items };
  });
}

export async function allOf(store) {
  const all = [];
  let cursor;
  do {
    const page = await store.list({ order: 'ref', limit: 5_000, ...(cursor ? { cursor } : {}) });
    all.push(...page.documents);
    cursor = page.next;
  } while (cursor !== undefined);
  return all;
}

export async function allLinks(store, ideas) {
  const links = [];
  for (let from = 0; from < ideas.length; from += 500)
    links.push(...(await store.links({ refs: ideas.slice(from, from + 500).map(({ ref }) => ref), direction: 'out' })));
  return links;
}

async function counts(store, talks, ideas) {
  const links = await allLinks(store, ideas);
  const by = (list, key) => {
    const counted = {};
    for (const each of list) counted[key(each)] = (counted[key(each)] ?? 0) + 1;
    return Object.entries(counted)
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  };
  return [
    `${talks.length} conversations, ${ideas.length} ideas: ${by(ideas, ({ kind }) => kind)}.`,
    `${links.length} relations: ${by(links, ({ relation }) => relation)}; by rule: ${by(links, ({ rule }) => rule)}.`,
    '',
  ];
}

/** A later question about any turn that says something must be able to find it. */
function coverage(cairn, talks) {
  const rows = [];
  for (const role of ['user', 'assistant']) {
    const turns = talks
      .flatMap(({ items }) => items)
      .filter((item) => item.kind === 'turn' && item.role === role && item.text.trim().length >= SUBSTANTIVE);
    const found = turns.filter((turn) => cairn.ideasOf(turn).length > 0).length;
    rows.push(`${role} ${found} of ${turns.length}`);
  }
  return [`Turns of ${SUBSTANTIVE} characters and more that give an idea: ${rows.join(', ')}.`, ''];
}

/** Every question that the agent put with its tool and the user answered: question + decision, tied to each other. */
async function answers(store, talks, ideas) {
  let asked = 0;
  let tied = 0;
  const at = new Map();
  for (const idea of ideas) {
    const key = `${idea.source.file} ${idea.source.line}`;
    at.set(key, [...(at.get(key) ?? []), idea]);
  }
  const links = (await allLinks(store, ideas)).filter(({ relation }) => relation === 'answers');
  for (const { file, items } of talks) {
    for (const item of items) {
      if (item.event !== 'answer') continue;
      asked++;
      const here = at.get(`${file} ${item.line}`) ?? [];
      const question = here.find(
        ({ kind, text }) => kind === 'question' && item.question.startsWith(text.slice(0, 60)),
      );
      const decision = here.find(
        ({ kind, text }) => kind === 'decision' && text.includes(item.answer.slice(0, 60)) && text !== question?.text,
      );
      if (question && links.some(({ from, to }) => from === decision?.ref && to === question.ref)) tied++;
    }
  }
  if (asked === 0) return [];
  return [`Answered questions of the agent that are a question, a decision and \`answers\`: ${tied} of ${asked}.`, ''];
}

/**
 * A border is expected at the first prompt after a commit that says something: not at “and push”, “clear” or an interruption.
 * Topics need not follow commits; that most do is a good sign.
 */
async function borders(store, talks) {
  const page = await store.list({ filter: { kinds: ['span'] }, order: 'ref', limit: 100_000 });
  const tops = page.documents.filter(({ meta }) => meta.depth === 0);
  const starts = (spans, file) => new Set(spans.filter(({ source }) => source.file === file).map((s) => s.meta.start));
  const table = { topics: tops, 'topics and parts': page.documents };
  const lines = [
    `${tops.length} topics with ${page.documents.length - tops.length} parts, ${(tops.length / talks.length).toFixed(1)} topics a conversation.`,
  ];
  let commits = 0;
  for (const [name, spans] of Object.entries(table)) {
    let expected = 0;
    let found = 0;
    let right = 0;
    for (const { file, items } of talks) {
      const after = promptsAfterCommits(items);
      const first = items.find(({ kind }) => kind === 'turn')?.line;
      const inner = [...starts(spans, file)].filter((line) => line !== first);
      expected += after.length;
      found += inner.length;
      right += inner.filter((line) => after.includes(line)).length;
    }
    commits = expected;
    if (expected > 0)
      lines.push(
        `Borders of ${name} at the first prompt after a commit (${expected}): recall ${share(right, expected)}, precision ${share(right, found)} (${found} borders).`,
      );
  }
  return [...lines.slice(0, commits > 0 ? 3 : 1), ''];
}

function promptsAfterCommits(items) {
  const lines = [];
  let isCommitted = false;
  for (const item of items) {
    if (item.event === 'commit') isCommitted = true;
    else if (item.kind === 'turn' && item.role === 'user') {
      const says = item.text.trim().length >= SUBSTANTIVE && !item.text.startsWith('[Request interrupted');
      if (isCommitted && says) lines.push(item.line);
      if (says) isCommitted = false;
    }
  }
  return lines;
}

/** The share of summary items for which an idea of a fitting intent from the right conversation is among the ten nearest. */
async function summaryItems(cairn, store, { folder, vectors, say }) {
  const queries = readFileSync(path.join(folder, 'queries.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type in FITTING);
  if (queries.length === 0) return [];
  const filter = {
    layers: ['trace'],
    kinds: ['decision', 'conclusion', 'question', 'problem', 'solution', 'todo', 'context'],
  };
  const searches = {
    words: ({ query }) => store.search({ terms: wordsOf(query), filter, limit: NEAREST }),
  };
  const embedder = vectors ? await openEmbedder(cairn, say) : undefined;
  if (embedder) {
    await cairn.embedDocuments(store, embedder, { filter });
    searches.vectors = async ({ query }) =>
      store.nearest({ model: embedder.model, vector: (await embedder.embed([query]))[0], filter, limit: NEAREST });
  }
  const lines = [
    '| among the ten nearest | by | fitting intent, right conversation | right conversation |',
    '|---|---|---|---|',
  ];
  for (const [by, search] of Object.entries(searches)) {
    for (const type of Object.keys(FITTING)) {
      const asked = queries.filter((query) => query.type === type);
      let right = 0;
      let fitting = 0;
      for (const query of asked) {
        const hits = await store.get({ refs: (await search(query)).map(({ ref }) => ref) });
        const here = hits.filter(({ session }) => query.gold.some((gold) => gold.session === session));
        if (here.length > 0) right++;
        if (here.some(({ kind }) => FITTING[type].includes(kind))) fitting++;
      }
      lines.push(
        `| ${type} (${asked.length}) | ${by} | ${share(fitting, asked.length)} | ${share(right, asked.length)} |`,
      );
    }
  }
  await embedder?.close();
  return [...lines, ''];
}

async function openEmbedder(cairn, say) {
  try {
    return await cairn.openEmbedder(
      { provider: 'local', model: '' },
      { env: {}, cacheDir: path.join(os.tmpdir(), 'cairn-models') },
    );
  } catch (error) {
    say(`no vectors: ${error.message}`);
    return undefined;
  }
}

const wordsOf = (query) =>
  [...new Set(query.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_.'-]*/gu) ?? [])]
    .slice(0, 64)
    .map((text) => ({ text }));

const share = (part, whole) => (whole === 0 ? '–' : `${(part / whole).toFixed(3)} (${part})`);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--data');
  if (at === -1 || process.argv[at + 1] === undefined) {
    console.error('Say where the sets are: node bench/quality/extraction.mjs --data DIR');
    process.exit(2);
  }
  const say = (line) => process.stderr.write(`${line}\n`);
  console.log(
    await extraction(path.resolve(process.argv[at + 1]), { vectors: !process.argv.includes('--no-vectors'), say }),
  );
}
