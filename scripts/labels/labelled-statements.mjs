// The labelled statements with the features that the sources give them today: transcripts are read and cut as the indexer does it, and each
// label is found again by its session, line and words.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../bench/bundle.mjs';

const SETS = ['context-evaluator', 'cipher-box'];
const FILES = ['statements', 'statements_enriched', 'statements_more'];
/** So much of a label's words must stand in the statement. */
const SHARED = 0.5;

const jsonLines = (file) =>
  fs
    .readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const wordsOf = (text) => new Set((text ?? '').toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []);
export const shortHash = (text) =>
  createHash('sha256').update(text.replace(/\s+/g, ' ').trim()).digest('hex').slice(0, 8);

/** `sources`: the bundled sources. Gives rows of {session, file, intent, worth, features: [key, value][]}, the names of the keys and the project of each session. */
export function labelledStatements(sources, data) {
  const names = new Map();
  const speeches = new Map();
  const projects = new Map();
  for (const set of SETS) {
    const folder = path.join(data, set, 'transcripts');
    if (!fs.existsSync(folder)) continue;
    for (const file of fs.readdirSync(folder)) {
      projects.set(path.basename(file, '.jsonl'), set);
      for (const speech of speechesIn(sources, path.join(folder, file)))
        add(speeches, `${path.basename(file, '.jsonl')}:${speech.turn.line}`, speech);
    }
  }
  const rows = [];
  const missing = { statements: 0, statements_enriched: 0, statements_more: 0, own: 0 };
  const featuresOf = (speech, at) => {
    const found = [];
    speech.features ??= new sources.Features(speech);
    speech.features.of(at, (key, value, group, name) => {
      if (!names.has(key)) names.set(key, sources.featureName(group, name));
      found.push([key, value]);
    });
    return found;
  };
  const take = (row, found) =>
    rows.push({ ...row, place: found.speech.place, features: featuresOf(found.speech, found.at) });
  for (const file of FILES) {
    const at = path.join(data, 'labels', `${file}.jsonl`);
    if (!fs.existsSync(at)) continue;
    for (const label of jsonLines(at)) {
      const found = byWords(speeches.get(`${label.session}:${label.line}`) ?? [], label.text);
      const { session, line, intent, worth, text } = label;
      if (found)
        take(
          { session, line, intent, worth, text, file, isNatural: file === 'statements' || label.natural === true },
          found,
        );
      else missing[file] += 1;
    }
  }
  const full = new Map([...speeches.keys()].map((key) => [key.slice(0, 8), key.split(':')[0]]));
  for (const line of fs.readFileSync(path.join(root, 'bench/quality/labels/more-labels.tsv'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [short, number, hash, intent, worth, how] = line.split('\t');
    const session = full.get(short);
    const found = byHash(speeches.get(`${session}:${number}`) ?? [], hash);
    if (found)
      take({ session, line: Number(number), intent, worth, text: found.text, file: how, isNatural: false }, found);
    else missing.own += 1;
  }
  return { rows, names, missing, projects };
}

function add(map, key, value) {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Every speech of a transcript, cut into exchanges as the indexer does. */
function speechesIn(sources, file) {
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const reader = sources.readerFor(
    file,
    lines.slice(0, 8).map((line) => line.slice(0, 8_192)),
  );
  let state = reader.start(file, {});
  const exchanges = [];
  lines.forEach((text, at) => {
    const read = reader.read(state, { number: at + 1, text });
    state = read.state;
    for (const item of read.items) {
      const last = exchanges.at(-1);
      if (!last) exchanges.push(sources.firstExchange(item));
      else if (sources.isPrompt(item)) exchanges.push(sources.nextExchange(last, item));
      else if (sources.isFull(last)) exchanges.push(sources.continued(last, item));
      else exchanges[exchanges.length - 1] = sources.withItem(last, item);
    }
  });
  return exchanges.flatMap((exchange, at) => sources.speechesOf(exchange, nextPrompt(sources, exchanges[at + 1])));
}

const nextPrompt = (sources, exchange) => (exchange ? sources.promptOf(exchange) : undefined);

function byWords(speeches, text) {
  const wanted = wordsOf(text);
  let best;
  let most = SHARED;
  for (const speech of speeches)
    speech.statements.forEach(({ start, end }, at) => {
      const said = speech.text.slice(start, end);
      const theirs = wordsOf(said);
      let common = 0;
      for (const word of wanted) if (theirs.has(word)) common += 1;
      const score = (wanted.size ? common / wanted.size : 0) - Math.abs(said.length - text.length) / 5_000;
      if (score <= most) return;
      most = score;
      best = { speech, at, text: said };
    });
  return best;
}

function byHash(speeches, hash) {
  for (const speech of speeches)
    for (const [at, { start, end }] of speech.statements.entries()) {
      const text = speech.text.slice(start, end);
      if (shortHash(text) === hash) return { speech, at, text };
    }
  return undefined;
}
