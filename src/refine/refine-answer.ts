// Checks what a model says about a topic: against the form that was asked for, and against the lines it was shown. A model can
// be wrong, and a transcript can talk it into things; so an idea is kept only if its line says it, in words and in sense.

import { RELATIONS } from '../extraction/relations/relations-of.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import {
  any as anything,
  choice,
  type Infer,
  integer,
  list,
  number,
  object,
  problemsOf,
  text,
} from '../model/schema.ts';
import { cutCodePoints, stripUnsafeText } from '../model/text.ts';
import { INTENTS, type Intent } from '../model/trace.ts';
import { removePrivate } from '../safety/private-tags.ts';
import { neutraliseTag } from '../safety/sanitise.ts';
import { redact } from '../safety/secrets/redact.ts';
import {
  IDEA_LENGTH,
  type KnownIdea,
  MOST_IDEAS,
  NAME_LENGTH,
  type RefineQuestion,
  SUMMARY_LENGTH,
} from './refine-prompt.ts';
import {
  contentWords,
  isSaidIn,
  isSupported,
  type SourceWords,
  saysItInSense,
  shareOf,
  sourceWords,
} from './refine-support.ts';

export type RefinedIdea = Pick<Infer<typeof IDEA>, 'text' | 'intent' | 'confidence' | 'line'>;
export type RefinedRelation = Infer<typeof RELATION>;

/** What is left of an answer. Ends of relations are `n1` (the first idea) or the ids of known ideas. */
export type CheckedAnswer = {
  readonly name: string | undefined;
  readonly summary: string | undefined;
  readonly ideas: readonly RefinedIdea[];
  /** Known ideas that are of another kind than was thought. */
  readonly judged: readonly { readonly id: string; readonly intent: Intent; readonly confidence: number }[];
  readonly relations: readonly RefinedRelation[];
  /** Ideas, relations, names and sentences that were not kept. */
  readonly refused: number;
};

const IDEA = object({
  text: text({ minLength: 8, maxLength: IDEA_LENGTH }),
  intent: choice(INTENTS),
  confidence: number({ min: 0, max: 1 }),
  line: integer({ min: 1 }),
  quote: text({ minLength: 6, maxLength: 500 }),
});
const RELATION = object({
  from: text({ pattern: { source: '^[nk][1-9][0-9]{0,2}$', says: 'n1 or k1' } }),
  to: text({ pattern: { source: '^[nk][1-9][0-9]{0,2}$', says: 'n1 or k1' } }),
  relation: choice(RELATIONS),
});
const ANSWER = object({
  name: text({ maxLength: 2_000 }),
  summary: text({ maxLength: 20_000 }),
  ideas: list(anything(), { maxItems: 200 }),
  relations: list(anything(), { maxItems: 200 }),
});

const MAX_ANSWER_LENGTH = 200_000;
const NAME_SHARE = 0.6;
const SENTENCE_SHARE = 0.7;
const SAME_WORDS = 0.85;
const NEAR_LINES = 6;
/** Elements with a meaning to the client, to us or to a model: no stored text may open or close one. */
const TAGS = [
  'memory-context',
  'system-reminder',
  'triage_data',
  'transcript_data',
  'task-notification',
  'command-name',
  'command-message',
  'command-args',
  'private',
  'system',
];

/** `undefined`: it is not the object that was asked for. */
export function checkAnswer(answer: string, question: RefineQuestion): CheckedAnswer | undefined {
  const value = parseAnswer(answer);
  if (!value || problemsOf(ANSWER, value).length > 0) return undefined;
  const { name, summary, ideas, relations } = value as Infer<typeof ANSWER>;
  const all = sourceWords([...question.lines.values()].map((line) => line.text).join('\n'));
  const goodName = checkName(name, all);
  const goodSummary = checkSummary(summary, all);
  const places = new Map<string, Place>([...question.known.values()].map((each) => [each.id, placeOf(each)]));
  const kept: RefinedIdea[] = [];
  const judged: (RefinedIdea & { id: string })[] = [];
  let refused = (goodName === undefined ? 1 : 0) + goodSummary.refused;
  for (const [at, each] of ideas.entries()) {
    const checked = kept.length < MOST_IDEAS ? checkIdea(each, question, all) : undefined;
    if (!checked) {
      refused += 1;
      continue;
    }
    const same = knownAs(checked, question);
    if (!same) kept.push(checked);
    else if (same.intent !== checked.intent) judged.push({ id: same.id, ...checked });
    const place = { ...checked, id: same?.id ?? `n${kept.length}`, inside: true };
    places.set(`n${at + 1}`, place);
    if (same) places.set(same.id, place); // its other name, with what is known better now
  }
  const related = checkRelations(relations, places);
  return {
    name: goodName,
    summary: goodSummary.text,
    ideas: kept,
    judged,
    relations: related.kept,
    refused: refused + related.refused,
  };
}

/** Models like to put a fence or a sentence around what they were asked for. */
function parseAnswer(answer: string): JsonObject | undefined {
  if (answer.length > MAX_ANSWER_LENGTH) return undefined;
  const [start, end] = [answer.indexOf('{'), answer.lastIndexOf('}')];
  if (start === -1 || end < start) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(answer.slice(start, end + 1));
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { name = '', summary = '', ideas, relations = [] } = value; // what it adds of its own is not looked at
  return { name, summary, ideas, relations };
}

const onlyKnownFields = (value: unknown, fields: readonly string[]): unknown =>
  isObject(value)
    ? Object.fromEntries(fields.filter((name) => Object.hasOwn(value, name)).map((name) => [name, value[name]]))
    : value;

function checkIdea(value: unknown, { lines }: RefineQuestion, all: SourceWords): RefinedIdea | undefined {
  const plain = onlyKnownFields(value, Object.keys(IDEA.fields!));
  if (problemsOf(IDEA, plain).length > 0) return undefined;
  const idea = plain as Infer<typeof IDEA>;
  const line = lines.get(idea.line);
  const said = cleanModelText(idea.text).replace(/\s+/g, ' ');
  if (!line || [...said].length < 8) return undefined;
  if (!isSaidIn(said, sourceWords(line.text), all)) return undefined;
  if (!saysItInSense(said, { intent: idea.intent, quote: idea.quote, line: line.text })) return undefined;
  return { text: said, intent: idea.intent, confidence: idea.confidence, line: idea.line };
}

function checkName(name: string, all: SourceWords): string | undefined {
  const clean = cutCodePoints(cleanModelText(name).replace(/\s+/g, ' ').trim(), NAME_LENGTH).replace(/[.:\s]+$/, '');
  return [...clean].length >= 3 && isSupported(clean, all, NAME_SHARE) ? clean : undefined;
}

/** Sentence by sentence: one that the lines do not support goes, the others stay. */
function checkSummary(summary: string, all: SourceWords): { text: string | undefined; refused: number } {
  const sentences = cleanModelText(cutCodePoints(summary, SUMMARY_LENGTH * 3))
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
  const kept = sentences.filter((sentence) => isSupported(sentence, all, SENTENCE_SHARE));
  let text = '';
  for (const sentence of kept) {
    const longer = text === '' ? sentence : `${text} ${sentence}`;
    if ([...longer].length > SUMMARY_LENGTH) break;
    text = longer;
  }
  return { text: text === '' ? undefined : text, refused: sentences.length - kept.length };
}

/** The same statement, found without a model: not one that only contains it. */
function knownAs(idea: RefinedIdea, { known }: RefineQuestion): KnownIdea | undefined {
  const words = contentWords(idea.text);
  return [...known.values()].find(
    (each) => each.inside && each.line === idea.line && areAlike(words, contentWords(each.text)),
  );
}

const areAlike = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  shareOf(a, b) >= SAME_WORDS && shareOf(b, a) >= SAME_WORDS;

type Place = {
  readonly id: string;
  readonly text: string;
  readonly intent: string;
  readonly line: number;
  readonly inside: boolean;
};
const placeOf = ({ id, text, intent, line, inside }: KnownIdea): Place => ({ id, text, intent, line, inside });

function checkRelations(
  relations: readonly unknown[],
  places: ReadonlyMap<string, Place>,
): { kept: RefinedRelation[]; refused: number } {
  const kept = new Map<string, RefinedRelation>();
  for (const each of relations) {
    const plain = onlyKnownFields(each, Object.keys(RELATION.fields!));
    if (problemsOf(RELATION, plain).length > 0) continue;
    const { from, to, relation } = plain as RefinedRelation;
    const [later, earlier] = [places.get(from), places.get(to)];
    if (!later || !earlier || !canRelate(later, earlier, relation)) continue;
    kept.set(`${later.id} ${earlier.id} ${relation}`, { from: later.id, to: earlier.id, relation });
  }
  return { kept: [...kept.values()], refused: relations.length - kept.size };
}

function canRelate(later: Place, earlier: Place, relation: RefinedRelation['relation']): boolean {
  if (later.id === earlier.id || !later.inside) return false;
  if (earlier.inside && earlier.line > later.line) return false;
  if (relation === 'answers' && !['question', 'problem'].includes(earlier.intent)) return false;
  if (relation === 'supersedes' && ['question', 'context'].includes(earlier.intent)) return false;
  if (earlier.inside && later.line - earlier.line <= NEAR_LINES) return true;
  const words = contentWords(later.text);
  return [...contentWords(earlier.text)].some((word) => words.has(word));
}

function cleanModelText(written: string): string {
  const plain = stripUnsafeText(redact(removePrivate(written)).text);
  return TAGS.reduce((clean, tag) => neutraliseTag(clean, tag), plain).trim();
}
