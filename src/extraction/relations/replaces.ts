// What takes the place of an earlier decision or change: a change that names what it removes or replaces, the user's veto of what the agent has
// just done, a revert, and the same amount or date said anew.

import { namesIn } from './names.ts';
import { newerValue } from './newer-value.ts';
import {
  commonWords,
  type Found,
  headOf,
  isCommit,
  isSettling,
  link,
  onceEach,
  overlapOf,
  type Statement,
  tellingWords,
  wordsOf,
} from './statement.ts';
import { reportsChange, takenAway } from './wording.ts';

/** `from`: names of what it was taken out of, where it may stay elsewhere. */
type Taken = {
  readonly names: ReadonlySet<string>;
  readonly words: readonly string[];
  readonly from: ReadonlySet<string>;
};

/** What a statement says is gone. */
export const takenBy = onceEach((text): readonly Taken[] =>
  takenAway(headOf(text)).map(({ what, from }) => ({
    names: namesIn(what),
    words: [...tellingWords(what)].slice(0, 6),
    from: namesIn(from),
  })),
);
export const namesOf = onceEach((text) => namesIn(headOf(text)));

const CODE_NAME = /^[A-Za-z]+[a-z\d][A-Z]/;
const FILE = /[\w-]+\.[a-z]{1,4}\b/g;
export const filesOf = onceEach((text) => new Set(text.match(FILE) ?? []));

/** Is it about the thing that is gone? Names of code are unique; those of other things mean that of the file, and words that of the matter. */
function isOf({ names, words, from }: Taken, statement: Statement, other: Statement): boolean {
  if (from.size > 0 && commonWords(from, namesOf(other)) === 0) return false;
  if (names.size === 0) return words.length > 0 && commonWords(words, wordsOf(other)) === words.length;
  const known = [...names].filter((name) => namesOf(other).has(name));
  if (known.some((name) => CODE_NAME.test(name))) return true;
  const files = filesOf(statement);
  const isHere = files.size === 0 || commonWords(files, filesOf(other)) > 0;
  return known.length > 0 && isHere && overlapOf(statement, other) >= MIN_SHARE;
}

export function replacementRule(statement: Statement, other: Statement): Found | undefined {
  const newer = newerValue(statement, other);
  if (newer > 0) return link(statement, other, 'supersedes', 0.4 + newer / 2, 'newer-value');
  if (statement.searchOnly || other.searchOnly) return undefined;
  if (isContrary(statement, other)) return link(statement, other, 'supersedes', 0.7, 'contrary');
  if (!isSettling(statement) || !isSettling(other) || saysAgain(statement, other)) return undefined;
  const taken = takenBy(statement).find((each) => isOf(each, statement, other));
  if (!taken || (taken.names.size === 0 && !isSaidToChange(statement, other, taken))) return undefined;
  return link(statement, other, 'supersedes', 0.8, taken.names.size > 0 ? 'replaces-name' : 'replaces-words');
}

const FORBIDS = /\b(?:(?:should|must|may|shall|can)(?:n'?t| not)|never|is not to|no longer|darf nicht|nie)\b/i;
const DEMANDS = /\b(?:should|must|always|shall|has to|have to|needs? to|muss|immer)\b/i;
const BELOW_HEADING = /^[^:]{3,60}: /;

type Rule = { readonly forbids: boolean; readonly subject: ReadonlySet<string> };

/** What must be so, or must not: its subject stands before the word that says it. */
const ruleOf = onceEach((text): Rule | undefined => {
  const plain = text.replace(BELOW_HEADING, '');
  const forbidden = FORBIDS.exec(plain);
  const said = forbidden ?? DEMANDS.exec(plain);
  const subject = said
    ? (plain
        .slice(0, said.index)
        .split(/[.;!?]\s/)
        .at(-1) ?? '')
    : '';
  return said ? { forbids: forbidden !== null, subject: tellingWords(subject) } : undefined;
});

/** A rule that the user has typed: worth a look into other conversations. */
export const isRule = (statement: Statement): boolean =>
  statement.intent === 'decision' &&
  statement.role === 'user' &&
  !statement.isGoAhead &&
  (ruleOf(statement)?.subject.size ?? 0) > 0 &&
  !BELOW_HEADING.test(statement.text);

/** A line of a plan that the user handed over demands as much as a decision. */
const isDemand = ({ intent, role }: Statement): boolean =>
  intent === 'decision' || (intent === 'todo' && role === 'user');

/** What the user forbids now had to be done, or the other way round. */
function isContrary(statement: Statement, other: Statement): boolean {
  const [rule, old] = [ruleOf(statement), ruleOf(other)];
  if (!rule || !old || rule.forbids === old.forbids || !isRule(statement) || !isDemand(other)) return false;
  const common = commonWords(rule.subject, old.subject);
  return common > 0 && common >= Math.min(2, rule.subject.size) && common * 2 >= rule.subject.size;
}

/** Without a name it must say that it changes something, and be about the same besides. */
function isSaidToChange(statement: Statement, other: Statement, { words }: Taken): boolean {
  if (isCommit(statement) || !changes(statement) || overlapOf(statement, other) < MIN_SHARE) return false;
  return commonWords(wordsOf(statement), wordsOf(other)) - words.length >= 2;
}

const changes = onceEach(reportsChange);
const MIN_SHARE = 0.35;

/** A commit and a summary tell once more what was done, and so does whoever names the same as gone. */
function saysAgain(statement: Statement, other: Statement): boolean {
  if (statement.session === other.session && (statement.exchange === other.exchange || isCommit(statement)))
    return true;
  const gone = new Set(takenBy(statement).flatMap(({ words }) => words));
  return takenBy(other).some(({ words }) => commonWords(words, gone) > 0);
}
const VETO =
  /\b(?:better not|rather not|(?:don'?t|do not)(?! (?:forget|know|think|see|have|understand|need|worry|mind|get|believe|remember))|should(?:n'?t| not)|must(?: not|n'?t)|undo|revert|take (?:that|it|this) back|scrap|get rid of|changed? my mind|on second thoughts?|not what i)\b/i;
const vetoes = onceEach((text) => VETO.test(text));

/** What the agent found best, and did next. */
const proposes = onceEach((text) =>
  /\b(?:(?:simplest|easiest|best|cleanest|right) (?:fix|way|solution|approach|option) (?:is|would be)|i'll|i will|let'?s)\b/i.test(
    text,
  ),
);

/** The user says no to what the agent has just said or done, and the agent takes it back. */
export function vetoesIn(exchange: readonly Statement[], before: readonly Statement[]): Found[] {
  const done = before.filter(
    (each) => each.role === 'assistant' && !each.searchOnly && (isSettling(each) || proposes(each)),
  );
  const said = exchange.filter(
    (each) => each.role === 'user' && each.place === 'prompt' && !each.isGoAhead && !each.searchOnly,
  );
  // What is not to be done yet, or stands further down in a request, is how to do what comes.
  const first = said.slice(0, FIRST_WORDS).filter((each) => vetoes(each) && !isForLater(each));
  return first.flatMap((veto) => {
    const undone = done.filter(
      (each) =>
        veto.exchange - each.exchange === 1 &&
        commonWords(wordsOf(veto), wordsOf(each)) >= 2 &&
        overlapOf(veto, each) > MIN_VETOED,
    );
    if (undone.length === 0) return [];
    const undoing = exchange.find((each) => each.role === 'assistant' && each.line > veto.line && undoes(each));
    return [veto, ...(undoing ? [undoing] : [])].flatMap((each) =>
      undone.map((old) => link(each, old, 'supersedes', 0.4 + Math.min(0.5, overlapOf(veto, old)), 'veto')),
    );
  });
}

const FIRST_WORDS = 2;
const isForLater = onceEach((text) => /\b(?:don'?t|do not|not)\b[^.!?]{0,80}\b(?:yet|for now)\b/i.test(text));
const undoes = onceEach((text) =>
  /\b(?:revert(?:ed|ing)?|undo(?:ne|ing)?|undid|roll(?:ed|ing)? back|take (?:that|it) back)\b/i.test(text),
);
const MIN_VETOED = 0.2;
const TAKEN_BACK = /^Taken back: (.+)$/s;
const HEAD = /^HEAD(?:~(\d*))?$/;
/** Shorter names stand in other words. */
const SHORTEST_NAME = 5;

/** A revert takes back the commit that it counts from the last one, or what was last said to be done to its files. */
export function revertsIn(exchange: readonly Statement[], before: readonly Statement[]): Found[] {
  return exchange.flatMap((revert) => {
    const what = revert.place === undefined ? TAKEN_BACK.exec(revert.text)?.[1] : undefined;
    if (what === undefined) return [];
    const done = [...before, ...exchange].filter(
      (each) => each.line < revert.line && each.role === 'assistant' && isSettling(each),
    );
    const undone = commitAt(done, what) ?? lastAbout(done, what);
    return undone ? [link(revert, undone, 'supersedes', 0.8, 'revert')] : [];
  });
}

function commitAt(done: readonly Statement[], what: string): Statement | undefined {
  const head = HEAD.exec(what);
  if (!head) return undefined;
  const back = head[1] === undefined ? 0 : Number(head[1] || 1);
  return done.filter(isCommit).at(-1 - back);
}

function lastAbout(done: readonly Statement[], what: string): Statement | undefined {
  const names = what
    .split(/[\s,]+/)
    .flatMap((name) => name.split('/').at(-1) ?? [])
    .filter((name) => name.length >= SHORTEST_NAME);
  return done.findLast(({ text }) => names.some((name) => text.includes(name)));
}
