// A prompt as what it asks for: up to a few parts, each a query of its own, the files it names, and how much of it tells anything. A long
// prompt as one bag of words asks for everything and finds nothing; what somebody pasted into it is not what they ask.

import { indexWords } from '../store/index-words.ts';
import { isTelling } from './ordinary-words.ts';

export type PromptParts = {
  /** Different words that say what it is about, in the form of the index. */
  readonly telling: readonly string[];
  /** Queries, in the order of the prompt. */
  readonly parts: readonly string[];
  /** Paths as they were written. */
  readonly files: readonly string[];
  /** What was pasted to be carried out. */
  readonly isPlan: boolean;
  readonly isQuestion: boolean;
};

/** See docs/INJECTION.md. */
const PARTS = {
  /** With up to so many telling words a prompt is one question. */
  whole: 12,
  /** A sentence with fewer says nothing alone: any statement would have all of it. */
  fewest: 3,
  most: 6,
  files: 4,
  /** Read of a prompt: the wish stands at its beginning or at its end. */
  head: 6_000,
  tail: 1_500,
} as const;

const URL = /\bhttps?:\/\/[^\s)>\]"'`]+/g;
const ISSUE = /\/(?:issues|pull|pulls|merge_requests|discussions)\/(\d+)/;
const FENCE = /^\s*(?:```|~~~)/;
const PLAN = /^\s*(?:please )?(?:implement|execute|carry out) (?:the following|this) plan\b/i;
const HEADING = /^\s{0,3}#{1,6}\s+(.+)$/;
const PATH =
  /(?<![\w@.+/-])@?((?:[\w.+-]+\/)+[\w.+-]*\w|[\w+-]+(?:\.[\w+-]+)*\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cc?|cpp|hh?|cs|sql|md|json|ya?ml|toml|html|s?css|sh|vue|svelte))(?![\w/])/g;
/** Times, levels, stack frames, shells: lines that no person typed. */
const OUTPUT =
  /^\s*(?:\[[^\]]{1,40}\]|\d{1,4}[:/.-]\d\d|at \S+ \(|(?:error|warn(?:ing)?|info|debug|trace)\b[:\s]|[$>%#❯]\s|[|+=*-]{3}|\S+@\S+[:%$ ])/i;
const QUESTION =
  /^(?:(?:ok(?:ay)?|hey|hi|so|and|but|now)[,.]? +)*(?:who|what|where|when|why|how|which|did|do|does|is|are|was|were|have|has) /i;
const SENTENCE_END = /(?<=[.!?。！？])\s+|\n+|(?<=[。！？])/;

/** The words of links are names of places; their numbers are what is meant. */
const withoutLinks = (text: string): string =>
  text.replace(URL, (url) => {
    const number = ISSUE.exec(url)?.[1];
    return number === undefined ? ' ' : ` #${number} `;
  });

export function promptParts(prompt: string, learned: ReadonlySet<string>): PromptParts {
  const text = withoutLinks(bounded(prompt));
  const isPlan = PLAN.test(text);
  const own = isPlan ? planWords(text) : typedWords(text);
  const tellingOf = (words: string): string[] => [
    ...new Set(indexWords(words).filter((word) => isTelling(word, learned))),
  ];
  const telling = tellingOf(own);
  const files = filesIn(text);
  return { telling, parts: partsOf(own, telling.length, tellingOf), files, isPlan, isQuestion: isQuestion(text) };
}

const bounded = (prompt: string): string =>
  prompt.length <= PARTS.head + PARTS.tail ? prompt : `${prompt.slice(0, PARTS.head)}\n${prompt.slice(-PARTS.tail)}`;

/** It begins as a question and is one. */
const isQuestion = (text: string): boolean => QUESTION.test(text.trimStart()) && text.includes('?');

/** Without fenced blocks and printed lines; all of it where nothing else is left. */
function typedWords(text: string): string {
  let fenced = false;
  const lines = text.split('\n').filter((line) => {
    if (FENCE.test(line)) {
      fenced = !fenced;
      return false;
    }
    return !fenced && !OUTPUT.test(line);
  });
  const typed = lines.join('\n').trim();
  return typed === '' ? text : typed;
}

/** A plan is asked by its name and by what it says first about why. */
function planWords(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const title = lines.map((line) => HEADING.exec(line)?.[1]).find((name) => name !== undefined) ?? '';
  const body = typedWords(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !HEADING.test(line) && !PLAN.test(line));
  const why = (body[0] ?? '').split(/(?<=[.!?])\s+/).slice(0, 2);
  return [title.replace(/^plan\s*:?\s*/i, ''), ...why].join('\n');
}

function partsOf(text: string, telling: number, tellingOf: (words: string) => readonly string[]): string[] {
  if (telling <= PARTS.whole) return [text];
  const sentences = text
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => tellingOf(sentence).length >= PARTS.fewest);
  return sentences.length === 0 ? [text] : sentences.slice(0, PARTS.most);
}

/** Files whose names mean something here: every project has a changelog. */
function filesIn(text: string): string[] {
  const named = [...text.matchAll(PATH)].flatMap(([, file]) => (file === undefined ? [] : [file]));
  const own = named.filter((file) => {
    const name = file.slice(file.lastIndexOf('/') + 1);
    return indexWords(name.replace(/\.\w+$/, '')).some((word) => isTelling(word, NONE));
  });
  return [...new Set(own)].slice(0, PARTS.files);
}

const NONE: ReadonlySet<string> = new Set();
