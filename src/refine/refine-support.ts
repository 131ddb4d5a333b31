// Whether lines of a conversation say what a model claims, as far as that can be told without understanding either. A claim may be
// worded so that it stands alone: its words may come from the lines it names, from the question that these answer, and names also
// from elsewhere in the exchange. What none of them has was made up; and no line may be turned into its opposite, a name or a
// number put in place of another, or a question taken for its answer.

import type { SourceLine } from '../indexing/transcripts/span-lines.ts';
import { type Clause, chosenOf, clausesOf, isQuestion, onlyAsks, replyOf, sentencesOf } from './sentences.ts';
import {
  contentWords,
  countIn,
  hasName,
  hasWord,
  type Name,
  namesIn,
  normalised,
  type SourceWords,
  shareOf,
  sourceWords,
} from './support-words.ts';

export type Claim = {
  readonly text: string;
  readonly intent: string;
  /** The numbers of the lines that say it. */
  readonly lines: readonly number[];
};

/** The line that a claim is kept under. */
export type Support = { readonly line: SourceLine };

export const MOST_LINES_OF_CLAIM = 4;
/** Of the words of a claim: in the line it is kept under; in those it names and the question before; anywhere in the exchange. */
const OWN_SHARE = 0.25;
const NEAR_SHARE = 0.6;
const EXCHANGE_SHARE = 0.75;
/** Of a clause of at least three words, anywhere in the exchange: nothing is added to what was said. */
const CLAUSE_SHARE = 0.5;
const LONG_CLAUSE = 3;
/** Two clauses are about the same thing if a claim has so much of what was said, or hardly says more than it. */
const MUCH_OF_SAID = 0.5;
const MOST_OF_CLAIM = 0.8;
/** Says that something is so. */
const SETTLES: readonly string[] = ['decision', 'conclusion', 'solution'];
/** A number behind such a word is a name: `phase 14`. */
const LABEL =
  /(?:\b(?:phase|step|version|release|milestone|sprint|section|chapter|option|task|issue|ticket|pr|pull request|port|node|rule|adr|rfc)|#|\bv) ?$/u;

const isUsers = ({ who }: SourceLine): boolean => who === 'user' || who === 'plan';

/** `shown`: what the model was shown, in order. `undefined`: the lines do not say it. */
export function supportOf(claim: Claim, shown: readonly SourceLine[]): Support | undefined {
  const named = linesNamed(claim.lines, shown);
  const words = contentWords(claim.text);
  if (!named || words.size === 0) return undefined;
  const question = questionBefore(named, shown);
  const lines = [...(question ? [question] : []), ...named].sort((a, b) => a.line - b.line);
  const evidence = lines.flatMap((line) => evidenceIn(line, lines, claim.intent));
  const near = sourceWords(evidence.map(({ sentence }) => sentence).join('\n'));
  const exchange = sourceWords(
    exchangeOf(lines, shown)
      .map(({ text }) => text)
      .join('\n'),
  );
  if (shareOf(words, near.words) < NEAR_SHARE || shareOf(words, exchange.words) < EXCHANGE_SHARE) return undefined;
  if (!hasNames(claim.text, { near, exchange, shown })) return undefined;
  const clausesOfLines = (isMeant: (line: SourceLine) => boolean): Clause[] =>
    evidence.filter(({ line }) => isMeant(line)).flatMap(({ clauses }) => [...clauses]);
  // What the user says of a thing decides, whatever the agent said of it.
  const isFirst = (line: SourceLine): boolean => claim.intent === 'decision' && isUsers(line);
  const sources = [
    clausesOfLines(isFirst),
    clausesOfLines((line) => line !== question && !isFirst(line)),
    clausesOfLines((line) => line === question),
  ];
  const material = { sources, exchange, claim: sourceWords(claim.text) };
  const clauses = sentencesOf(claim.text).flatMap(clausesOf);
  if (!clauses.every((clause) => fits(clause, material))) return undefined;
  const line = lineOf(claim.intent, named, { words, shown });
  return line && { line };
}

function linesNamed(numbers: readonly number[], shown: readonly SourceLine[]): SourceLine[] | undefined {
  const wanted = [...new Set(numbers)];
  if (wanted.length === 0 || wanted.length > MOST_LINES_OF_CLAIM) return undefined;
  const found = shown.filter(({ line }) => wanted.includes(line));
  return found.length === wanted.length ? found : undefined;
}

/** What was said before the user's line of a claim and is not named itself, as far as the reply chose it. */
function questionBefore(named: readonly SourceLine[], shown: readonly SourceLine[]): SourceLine | undefined {
  const user = named.findLast((line) => line.who === 'user' && line.answered === undefined);
  const before = user && lineBefore(user, shown);
  if (!before || named.includes(before)) return undefined;
  return { ...before, text: chosenOf(before.text, user.text) };
}

const lineBefore = (user: SourceLine, shown: readonly SourceLine[]): SourceLine | undefined =>
  shown.findLast(({ line, who }) => line < user.line && who !== 'user');

type Evidence = {
  readonly sentence: string;
  /** Empty where a question is only the occasion of what was said: its words count, its sense does not. */
  readonly clauses: readonly Clause[];
  readonly line: SourceLine;
};

/** What a line says about how things are: for a decision or a finding, not what it only asks. */
function evidenceIn(line: SourceLine, lines: readonly SourceLine[], intent: string): Evidence[] {
  const next = lines.find((each) => each.line > line.line && isUsers(each) !== isUsers(line));
  const reply = next && (replyOf(next.text) ?? (onlyAsks(next.text, next.who) ? undefined : 'other'));
  // Only a yes makes a decision of what the user asks; what the agent asks, the user's answer settles in any words.
  const isSettled = intent === 'decision' && isUsers(line) ? reply === 'yes' : reply !== undefined;
  const sentences = sentencesOf(line.text);
  return sentences.flatMap((sentence, at) => {
    const asks = isQuestion(sentence, line.who);
    const isAnsweredHere = line.answered === true && at < sentences.length - 1;
    if (asks && SETTLES.includes(intent) && !isSettled && !isAnsweredHere) return [];
    const clauses = asks && (isAnsweredHere || reply === 'other') ? [] : clausesOf(sentence);
    // A `no` denies what was proposed before it.
    const isDenied = reply === 'no' && !isUsers(line);
    return [
      { sentence, line, clauses: isDenied ? clauses.map((each) => ({ ...each, negated: !each.negated })) : clauses },
    ];
  });
}

/** From the prompt that the first of these lines belongs to, with what was said just before it, to the one after the last of them. */
function exchangeOf(lines: readonly SourceLine[], shown: readonly SourceLine[]): readonly SourceLine[] {
  const numbers = lines.map(({ line }) => line);
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const starts = shown.filter(({ who, answered }) => who === 'user' && answered === undefined).map(({ line }) => line);
  const prompt = starts.findLast((line) => line <= first) ?? 0;
  const from = shown.findLast(({ line, who }) => line < prompt && who !== 'user')?.line ?? prompt;
  const to = starts.find((line) => line > last) ?? Number.POSITIVE_INFINITY;
  return shown.filter(({ line }) => line >= from && line < to);
}

type Around = { readonly near: SourceWords; readonly exchange: SourceWords; readonly shown: readonly SourceLine[] };

/**
 * Names may come from the exchange, and `phase 14` from anywhere. Other numbers come from what is near alone: with another number it is
 * another statement.
 */
function hasNames(text: string, { near, exchange, shown }: Around): boolean {
  const written = normalised(text);
  const isLabelled = (number: string): boolean => {
    const at = written.indexOf(number);
    const label = LABEL.exec(written.slice(0, at))?.[0];
    const name = label && `${label}${number}`.trim();
    return name !== undefined && shown.some((line) => hasWord(normalised(line.text), name));
  };
  return namesIn(text).every((name) => {
    if (hasName(near, name)) return true;
    return name.kind === 'number' ? isLabelled(normalised(name.name)) : hasName(exchange, name);
  });
}

type Material = {
  /** Clauses of the lines; the first group that speaks of the same thing counts. */
  readonly sources: readonly (readonly Clause[])[];
  readonly exchange: SourceWords;
  /** All of the claim. */
  readonly claim: SourceWords;
};

/** One clause of a claim, beside the clause of the lines that has most in common with it. */
function fits(clause: Clause, { sources, exchange, claim }: Material): boolean {
  if (clause.words.size >= LONG_CLAUSE && shareOf(clause.words, exchange.words) < CLAUSE_SHARE) return false;
  const alike = sources.map((source) => aboutTheSame(clause, source)).find(({ length }) => length > 0) ?? [];
  return alike.length === 0 || alike.some((each) => agrees(clause, each) && !isSwapped(clause, each, claim));
}

function aboutTheSame(clause: Clause, source: readonly Clause[]): Clause[] {
  return closest(clause, source).filter(({ words }) => {
    const count = countIn(clause.words, words);
    return count >= MUCH_OF_SAID * words.size || count >= MOST_OF_CLAIM * clause.words.size;
  });
}

function closest(clause: Clause, source: readonly Clause[]): Clause[] {
  let best = { count: 0, likeness: 0 };
  let found: Clause[] = [];
  for (const each of source) {
    const count = countIn(clause.words, each.words);
    const likeness = count / (clause.words.size + each.words.size - count || 1);
    if (count === 0 || count < best.count || (count === best.count && likeness < best.likeness)) continue;
    if (count > best.count || likeness > best.likeness) found = [];
    best = { count, likeness };
    found.push(each);
  }
  return found;
}

const agrees = (one: Clause, other: Clause): boolean => one.soft !== other.soft || one.negated === other.negated;

/** A name or a number that the line does not have, in the place of one of the same kind that it has. */
function isSwapped(clause: Clause, said: Clause, claim: SourceWords): boolean {
  const source = sourceWords(said.text);
  const added = clause.names.filter((name: Name) => !hasName(source, name));
  const lost = said.names.filter((name) => !hasName(claim, name));
  return added.some(({ kind }) => lost.some((name) => name.kind === kind));
}

/** The agent says yes to what the user asks: `why twice?` `You're right.` */
const isGranted = (line: SourceLine, named: readonly SourceLine[]): boolean =>
  named.some((each) => each.line > line.line && !isUsers(each) && replyOf(each.text) === 'yes');

/** A decision is kept under the user's line that made it, and is none without; all else under the line that says most of it. */
function lineOf(
  intent: string,
  named: readonly SourceLine[],
  { words, shown }: { words: ReadonlySet<string>; shown: readonly SourceLine[] },
): SourceLine | undefined {
  const has = (text: string): number => countIn(words, contentWords(text));
  if (intent === 'decision')
    return named.findLast((line) => {
      if (!isUsers(line)) return false;
      if (isGranted(line, named)) return has(line.text) > 0;
      if (onlyAsks(line.text, line.who)) return false;
      if (has(line.text) >= OWN_SHARE * words.size) return true;
      const proposed = replyOf(line.text) === undefined ? undefined : lineBefore(line, shown);
      return proposed !== undefined && has(proposed.text) >= NEAR_SHARE * words.size;
    });
  const best = named.reduce<SourceLine | undefined>(
    (so, line) => (so && has(so.text) >= has(line.text) ? so : line),
    undefined,
  );
  const isOwn = best && (has(best.text) >= OWN_SHARE * words.size || replyOf(best.text) !== undefined);
  return isOwn ? best : undefined;
}
