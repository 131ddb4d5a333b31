// Checks what a model says about a page of a topic: against the form that was asked for, and against the lines it was shown. A model
// can be wrong, and a transcript can talk it into things; so whatever the lines do not bear is dropped, piece by piece.

import { isObject, type JsonObject, parseJson } from '../model/json.ts';
import {
  any as anything,
  choice,
  type Infer,
  integer,
  list,
  number,
  object,
  optional,
  problemsOf,
  text,
} from '../model/schema.ts';
import { INTENTS } from '../model/trace.ts';
import { checkSummary, checkTitle, cleanModelLine, onlyKnownFields } from './answer-text.ts';
import {
  ENTITY_KINDS,
  IDEA_LENGTH,
  type KnownIdea,
  MOST_ENTITIES,
  MOST_IDEAS,
  OUTCOME_LENGTH,
  type RefineQuestion,
  SUMMARY_LENGTH,
} from './refine-prompt.ts';
import { MOST_LINES_OF_CLAIM, supportOf } from './refine-support.ts';
import {
  type CheckedRelation,
  type CheckedVerdict,
  checkRelations,
  checkVerdicts,
  type Place,
} from './refine-verdicts.ts';
import { onlyAsks } from './sentences.ts';
import { contentWords, hasWord, normalised, shareOf, sourceWords } from './support-words.ts';

export type RefinedIdea = Pick<Infer<typeof IDEA>, 'text' | 'intent'> & {
  readonly confidence: number;
  /** The line that it is kept under, of those that it names. */
  readonly line: number;
  readonly lines: readonly number[];
};
export type RefinedOutcome = { readonly id: string; readonly title?: string; readonly outcome?: string };
export type RefinedEntity = Pick<Infer<typeof ENTITY>, 'name' | 'kind'>;
export type DoubtfulBorder = Infer<typeof BORDER>;

/** What is left of an answer. Ends of relations, and what settles, are `n1` (the first idea) or the ids of known ideas. */
export type CheckedAnswer = {
  readonly title: string | undefined;
  readonly summary: string | undefined;
  readonly ideas: readonly RefinedIdea[];
  readonly verdicts: readonly CheckedVerdict[];
  readonly outcomes: readonly RefinedOutcome[];
  readonly entities: readonly RefinedEntity[];
  readonly borders: readonly DoubtfulBorder[];
  readonly relations: readonly CheckedRelation[];
  /** How many of all these were not kept. */
  readonly refused: number;
};

const LINES = list(integer({ min: 1 }), { minItems: 1, maxItems: MOST_LINES_OF_CLAIM });
const IDEA_FIELDS = {
  text: text({ minLength: 8, maxLength: IDEA_LENGTH }),
  intent: choice(INTENTS),
  confidence: optional(number({ min: 0, max: 1 })),
  lines: LINES,
};
const IDEA = object(IDEA_FIELDS);
const OUTCOME_FIELDS = {
  id: text({ pattern: { source: '^e[1-9][0-9]{0,2}$', says: 'e1' } }),
  title: optional(text({ maxLength: 2_000 })),
  outcome: optional(text({ maxLength: 2_000 })),
};
const OUTCOME = object(OUTCOME_FIELDS);
const ENTITY_FIELDS = { name: text({ minLength: 2, maxLength: 60 }), kind: choice(ENTITY_KINDS), lines: LINES };
const ENTITY = object(ENTITY_FIELDS);
const BORDER_FIELDS = { line: integer({ min: 1 }), change: choice(['split', 'merge']) };
const BORDER = object(BORDER_FIELDS);
const items = () => list(anything(), { maxItems: 200 });
const ANSWER_FIELDS = {
  title: text({ maxLength: 2_000 }),
  summary: text({ maxLength: 20_000 }),
  verdicts: items(),
  ideas: items(),
  outcomes: items(),
  entities: items(),
  borders: items(),
  relations: items(),
};
const ANSWER = object(ANSWER_FIELDS);

const MAX_ANSWER_LENGTH = 200_000;
const LEAST_IDEA = 8;
/** An answer of more ideas than this is not looked at to its end: each is held to every line that it names. */
const MOST_LOOKED_AT = 3 * MOST_IDEAS;
const SURE = 0.7;
const SAME_WORDS = 0.85;

/** `undefined`: it is not the object that was asked for. */
export function checkAnswer(answer: string, question: RefineQuestion): CheckedAnswer | undefined {
  const value = parseAnswer(answer);
  if (!value || problemsOf(ANSWER, value).length > 0) return undefined;
  const said = value as Infer<typeof ANSWER>;
  const title = checkTitle(said.title, question.topic);
  const summary = checkSummary(said.summary, question.topic, SUMMARY_LENGTH);
  const ideas = checkIdeas(said.ideas, question);
  const verdicts = checkVerdicts(said.verdicts, question, ideas.places);
  const judged = new Map(verdicts.kept.map((each) => [each.id, each]));
  // Written anew in its own words, it is a verdict on the one that is known.
  for (const each of ideas.again) if (!judged.has(each.id)) judged.set(each.id, each);
  const outcomes = checkOutcomes(said.outcomes, question);
  const entities = checkEntities(said.entities, question);
  const borders = checkBorders(said.borders, question);
  const relations = checkRelations(said.relations, ideas.places);
  const parts = [summary, ideas, verdicts, outcomes, entities, borders, relations];
  return {
    title,
    summary: summary.text,
    ideas: ideas.kept,
    verdicts: [...judged.values()],
    outcomes: outcomes.kept,
    entities: entities.kept,
    borders: borders.kept,
    relations: relations.kept,
    refused: parts.reduce((sum, { refused }) => sum + refused, said.title !== '' && title === undefined ? 1 : 0),
  };
}

/** Models like to put a fence or a sentence around what they were asked for. */
function parseAnswer(answer: string): JsonObject | undefined {
  if (answer.length > MAX_ANSWER_LENGTH) return undefined;
  const [start, end] = [answer.indexOf('{'), answer.lastIndexOf('}')];
  if (start === -1 || end < start) return undefined;
  const value = parseJson(answer.slice(start, end + 1));
  // At least one of the two that matter: any other object is another answer.
  if (!isObject(value) || !(Object.hasOwn(value, 'ideas') || Object.hasOwn(value, 'verdicts'))) return undefined;
  const empty = {
    title: '',
    summary: '',
    ideas: [],
    verdicts: [],
    outcomes: [],
    entities: [],
    borders: [],
    relations: [],
  };
  const given = Object.entries(onlyKnownFields(value, ANSWER_FIELDS) as JsonObject).filter(([, part]) => part !== null);
  return { ...empty, ...Object.fromEntries(given) };
}

type CheckedIdeas = {
  readonly kept: readonly RefinedIdea[];
  /** Known ideas that were written down once more, under another label. */
  readonly again: readonly CheckedVerdict[];
  readonly places: ReadonlyMap<string, Place>;
  readonly refused: number;
};

function checkIdeas(values: readonly unknown[], question: RefineQuestion): CheckedIdeas {
  const places = new Map<string, Place>([...question.known.values()].map((each) => [each.id, placeOf(each)]));
  const kept: RefinedIdea[] = [];
  const again: CheckedVerdict[] = [];
  let refused = 0;
  for (const [at, value] of values.entries()) {
    const idea = kept.length < MOST_IDEAS && at < MOST_LOOKED_AT ? checkIdea(value, question) : undefined;
    if (!idea) {
      refused += 1;
      continue;
    }
    const same = knownAs(idea, question);
    if (!same) kept.push(idea);
    else again.push({ id: same.id, verdict: same.label === idea.intent ? 'keep' : idea.intent });
    const { text: said, intent, line } = idea;
    const place = { id: same?.id ?? `n${kept.length}`, text: said, intent, line, isHere: true };
    places.set(`n${at + 1}`, place);
    if (same) places.set(same.id, place); // its other name, with what is known better now
  }
  return { kept, again, places, refused };
}

function checkIdea(value: unknown, { lines }: RefineQuestion): RefinedIdea | undefined {
  const plain = onlyKnownFields(value, IDEA_FIELDS);
  if (problemsOf(IDEA, plain).length > 0) return undefined;
  const idea = plain as Infer<typeof IDEA>;
  const said = cleanModelLine(idea.text);
  if ([...said].length < LEAST_IDEA) return undefined;
  const { intent } = idea;
  const support = supportOf({ text: said, intent, lines: idea.lines }, [...lines.values()]);
  if (!support) return undefined;
  const named = [...new Set(idea.lines)].sort((a, b) => a - b);
  return { text: said, intent, confidence: idea.confidence ?? SURE, line: support.line.line, lines: named };
}

/** The same statement, found without a model: not one that only contains it. */
function knownAs(idea: RefinedIdea, { known }: RefineQuestion): KnownIdea | undefined {
  const words = contentWords(idea.text);
  return [...known.values()].find(
    (each) =>
      each.where === 'page' &&
      idea.lines.includes(each.line) &&
      asks(each.text) === asks(idea.text) &&
      areAlike(words, contentWords(each.text)),
  );
}

const asks = (said: string): boolean => onlyAsks(said, 'assistant');

const areAlike = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  shareOf(a, b) >= SAME_WORDS && shareOf(b, a) >= SAME_WORDS;

const placeOf = ({ id, text: said, label, line, where }: KnownIdea): Place => ({
  ...{ id, text: said, intent: label, line, isHere: where === 'page' },
});

type Checked<T> = { readonly kept: readonly T[]; readonly refused: number };

function checkOutcomes(values: readonly unknown[], { sections, lines }: RefineQuestion): Checked<RefinedOutcome> {
  const kept = new Map<string, RefinedOutcome>();
  for (const value of values) {
    const plain = onlyKnownFields(value, OUTCOME_FIELDS);
    if (problemsOf(OUTCOME, plain).length > 0) continue;
    const { id, title, outcome } = plain as Infer<typeof OUTCOME>;
    const section = sections.get(id);
    if (!section || kept.has(id)) continue;
    const inside = [...lines.values()].filter(({ line }) => line >= section.start && line <= section.end);
    const said = sourceWords(inside.map((line) => line.text).join('\n'));
    const goodTitle = checkTitle(title ?? '', said);
    const goodOutcome = checkSummary(outcome ?? '', said, OUTCOME_LENGTH).text;
    if (goodTitle === undefined && goodOutcome === undefined) continue;
    const titled = goodTitle === undefined ? {} : { title: goodTitle };
    kept.set(id, { id, ...titled, ...(goodOutcome === undefined ? {} : { outcome: goodOutcome }) });
  }
  return { kept: [...kept.values()], refused: values.length - kept.size };
}

/** It stands in a line that is named, as it is written. */
function checkEntities(values: readonly unknown[], { lines }: RefineQuestion): Checked<RefinedEntity> {
  const kept = new Map<string, RefinedEntity>();
  for (const value of values) {
    const plain = onlyKnownFields(value, ENTITY_FIELDS);
    if (kept.size >= MOST_ENTITIES || problemsOf(ENTITY, plain).length > 0) continue;
    const { name, kind, lines: named } = plain as Infer<typeof ENTITY>;
    const clean = cleanModelLine(name);
    const isThere = named.some((line) => hasWord(normalised(lines.get(line)?.text ?? ''), normalised(clean)));
    if (isThere && /\p{L}/u.test(clean)) kept.set(normalised(clean), { name: clean, kind });
  }
  return { kept: [...kept.values()], refused: values.length - kept.size };
}

/** Topics begin and end with an exchange, so a border can be doubted only where one begins. */
function checkBorders(values: readonly unknown[], { borders }: RefineQuestion): Checked<DoubtfulBorder> {
  const kept = new Map<number, DoubtfulBorder>();
  for (const value of values) {
    const plain = onlyKnownFields(value, BORDER_FIELDS);
    if (problemsOf(BORDER, plain).length > 0) continue;
    const { line, change } = plain as DoubtfulBorder;
    const isPossible = change === 'split' ? borders.split.includes(line) : borders.merge === line;
    if (isPossible) kept.set(line, { line, change });
  }
  return { kept: [...kept.values()], refused: values.length - kept.size };
}
