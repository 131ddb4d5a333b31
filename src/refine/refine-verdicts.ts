// What a model may say about statements that are known: that one is of another kind, that it is not worth being told, that another
// one settles it, how two relate. The words of a known statement are not the model's, but its verdict is; so each is held to the
// lines as a new statement would be, and an answer that says the same of everything was not made by reading.

import { RELATIONS } from '../extraction/relations/relations-of.ts';
import type { SourceLine } from '../indexing/transcripts/span-lines.ts';
import { choice, type Infer, integer, list, object, optional, problemsOf, text } from '../model/schema.ts';
import { INTENTS, type Intent } from '../model/trace.ts';
import { onlyKnownFields } from './answer-text.ts';
import { type KnownIdea, type RefineQuestion, VERDICTS } from './refine-prompt.ts';
import { MOST_LINES_OF_CLAIM, supportOf } from './refine-support.ts';
import { contentWords } from './support-words.ts';

/** One of the answer's own ideas (`n1`) or a known one, as far as verdicts and relations look at it. */
export type Place = {
  readonly id: string;
  readonly text: string;
  readonly intent: string;
  readonly line: number;
  readonly isHere: boolean;
};

export type CheckedVerdict = {
  readonly id: string;
  readonly verdict: 'keep' | 'drop' | 'settled' | Intent;
  /** The id of what settles it. */
  readonly by?: string;
};
export type CheckedRelation = Infer<typeof RELATION>;

const ID = { pattern: { source: '^[nk][1-9][0-9]{0,2}$', says: 'n1 or k1' } };
const VERDICT_FIELDS = {
  id: text({ pattern: { source: '^k[1-9][0-9]{0,2}$', says: 'k1' } }),
  verdict: choice(VERDICTS),
  by: optional(text(ID)),
  lines: optional(list(integer({ min: 1 }), { maxItems: MOST_LINES_OF_CLAIM })),
};
const VERDICT = object(VERDICT_FIELDS);
const RELATION_FIELDS = { from: text(ID), to: text(ID), relation: choice(RELATIONS) };
const RELATION = object(RELATION_FIELDS);

const NEAR_LINES = 6;
/** So many verdicts of one kind, and so large a share of what was shown: nobody has read it. */
const MANY = 8;
const ALL_RELABELLED = 0.6;
const ALL_PUT_AWAY = 0.9;
const CAN_BE_SETTLED: readonly string[] = ['question', 'problem', 'todo'];

const isIntent = (value: string): value is Intent => (INTENTS as readonly string[]).includes(value);

/** `places` has the answer's own ideas under n1, n2 … and every known one. */
export function checkVerdicts(
  values: readonly unknown[],
  question: RefineQuestion,
  places: ReadonlyMap<string, Place>,
): { kept: CheckedVerdict[]; refused: number } {
  const kept = new Map<string, CheckedVerdict>();
  for (const value of values) {
    const plain = onlyKnownFields(value, VERDICT_FIELDS);
    if (problemsOf(VERDICT, plain).length > 0) continue;
    const said = plain as Infer<typeof VERDICT>;
    const known = question.known.get(said.id);
    if (!known || kept.has(known.id)) continue;
    const checked = checkVerdict(said, known, { question, places });
    if (checked) kept.set(known.id, checked);
  }
  const read = withoutSweeping([...kept.values()], question);
  return { kept: read, refused: values.length - read.length };
}

type Around = { readonly question: RefineQuestion; readonly places: ReadonlyMap<string, Place> };

function checkVerdict(
  { id, verdict, by, lines }: Infer<typeof VERDICT>,
  known: KnownIdea,
  { question, places }: Around,
): CheckedVerdict | undefined {
  if (verdict === 'settled') {
    const [later, earlier] = [places.get(by ?? ''), places.get(id)];
    return later && earlier && settles(later, earlier, known) ? { id, verdict, by: later.id } : undefined;
  }
  if (known.where !== 'page') return undefined;
  if (!isIntent(verdict)) return { id, verdict };
  if (verdict === known.label) return { id, verdict: 'keep' };
  return isOfKind(known, verdict, { named: lines ?? [], shown: [...question.lines.values()] })
    ? { id, verdict }
    : undefined;
}

/** The lines bear the other label: a decision is one of the user, and nothing that is only asked settles anything. */
function isOfKind(
  { text: said, line }: KnownIdea,
  intent: Intent,
  { named, shown }: { named: readonly number[]; shown: readonly SourceLine[] },
): boolean {
  // A long line may have been shortened just where the statement stands.
  const whole = shown.map((each) => (each.line === line ? { ...each, text: `${each.text}\n${said}` } : each));
  return supportOf({ text: said, intent, lines: [line, ...named] }, whole) !== undefined;
}

function settles(later: Place, earlier: Place, known: KnownIdea): boolean {
  if (!CAN_BE_SETTLED.includes(known.label) || later.id === earlier.id || !later.isHere) return false;
  return isAfter(later, earlier, known.where !== 'elsewhere') && areRelated(later, earlier, known.where === 'page');
}

const isAfter = (later: Place, earlier: Place, isSameTopic: boolean): boolean =>
  !isSameTopic || earlier.line <= later.line;

/** They share a telling word, or stand side by side. */
function areRelated(later: Place, earlier: Place, isSamePage: boolean): boolean {
  if (isSamePage && later.line - earlier.line <= NEAR_LINES) return true;
  const words = contentWords(later.text);
  return [...contentWords(earlier.text)].some((word) => words.has(word));
}

/**
 * Without the verdicts that an answer gives to nearly everything. Of dropping everything, what is said between the prompt and the last
 * word of the agent may be dropped: there, all of it can be narration.
 */
function withoutSweeping(verdicts: readonly CheckedVerdict[], { known, lines }: RefineQuestion): CheckedVerdict[] {
  const shown = [...known.values()].filter(({ where }) => where === 'page').length;
  const counts = new Map<string, number>();
  for (const { verdict } of verdicts) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const isSweeping = (verdict: CheckedVerdict['verdict']): boolean => {
    const count = counts.get(verdict) ?? 0;
    return verdict !== 'keep' && count >= MANY && count >= (isIntent(verdict) ? ALL_RELABELLED : ALL_PUT_AWAY) * shown;
  };
  const said = [...lines.values()];
  const isBetween = (line: number | undefined): boolean => {
    const at = said.findIndex((each) => each.line === line);
    const next = said[at + 1];
    return at >= 0 && said[at]?.who !== 'user' && next !== undefined && next.who !== 'user';
  };
  return verdicts.filter(
    ({ id, verdict }) => !isSweeping(verdict) || (verdict === 'drop' && isBetween(known.get(id)?.line)),
  );
}

export function checkRelations(
  values: readonly unknown[],
  places: ReadonlyMap<string, Place>,
): { kept: CheckedRelation[]; refused: number } {
  const kept = new Map<string, CheckedRelation>();
  for (const value of values) {
    const plain = onlyKnownFields(value, RELATION_FIELDS);
    if (problemsOf(RELATION, plain).length > 0) continue;
    const { from, to, relation } = plain as CheckedRelation;
    const [later, earlier] = [places.get(from), places.get(to)];
    if (!later || !earlier || !canRelate(later, earlier, relation)) continue;
    kept.set(`${later.id} ${earlier.id} ${relation}`, { from: later.id, to: earlier.id, relation });
  }
  return { kept: [...kept.values()], refused: values.length - kept.size };
}

function canRelate(later: Place, earlier: Place, relation: CheckedRelation['relation']): boolean {
  if (later.id === earlier.id || !later.isHere || !isAfter(later, earlier, earlier.isHere)) return false;
  if (relation === 'answers' && !CAN_BE_SETTLED.includes(earlier.intent)) return false;
  if (relation === 'supersedes' && ['question', 'context'].includes(earlier.intent)) return false;
  return areRelated(later, earlier, earlier.isHere);
}
