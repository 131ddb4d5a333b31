// What readers said of told lines: useful (new, and relevant for this very prompt), on_topic (but of no use), noise (irrelevant or
// misleading). A judgement belongs to a prompt and the words of a line; ref, day and label of the line may change under it.
import fs from 'node:fs';

export const VERDICTS = ['useful', 'on_topic', 'noise'];
const BY_SCORE = { 2: 'useful', 1: 'on_topic', 0: 'noise' };
/** Lines are cut at other places over time: their beginning says which they are. */
const COMPARED = 80;

/** `-` and label before it; day, speaker, marks and ref after it. */
const AROUND = /^[-*]\s*(?:\[[^\]]*\]\s*)?|\s*\([^()]*\d{4}-\d\d-\d\d[^()]*\)\s*(?:->\s*\S+)?\s*$|\s*->\s*\S+\s*$/g;

export const wordsOfLine = (line) =>
  line
    .replace(AROUND, '')
    .replace(/&(?:quot|amp|lt|gt|#39|apos);/g, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, COMPARED)
    .trim();

/**
 * Rows as the replay writes them, with `judgement` filled in; or with `prompt` (its words), `line` (the text) and `score`.
 * The last of two about the same counts.
 */
export function readJudgements(files) {
  const known = new Map();
  for (const file of files)
    for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
      if (line.trim() === '') continue;
      const row = JSON.parse(line);
      const verdict = row.judgement ?? BY_SCORE[row.score];
      if (verdict === undefined || verdict === '') continue;
      if (!VERDICTS.includes(verdict)) throw new Error(`${file}: ${verdict} is none of ${VERDICTS.join(', ')}`);
      // Where the text stands under `line`, the row says no place.
      const own = row.text === undefined ? { ...row, text: row.line, line: undefined } : row;
      if (own.text !== undefined) known.set(keysOf(own)[0], verdict);
    }
  return (row) =>
    keysOf(row)
      .map((key) => known.get(key))
      .find(Boolean);
}

/** By the place of the prompt, and by its words, for judgements that say no place. */
function keysOf({ what = 'prompt', session, line, prompt, section, text }) {
  const said = `${what} ${sectionName(section)} ${wordsOfLine(text)}`;
  return [
    ...(line === undefined ? [] : [`${session}:${line} ${said}`]),
    ...(prompt === undefined ? [] : [`${wordsOfLine(prompt)} ${said}`]),
  ];
}

const sectionName = (section = '') => section.replace(/\s*\(.*$/, '');
