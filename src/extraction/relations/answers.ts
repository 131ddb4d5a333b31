// Who answers whom, by the structure of exchanges: a prompt answers what the agent asked before it, the agent's last words answer what the
// prompt asked, and a change that was made answers what was wrong. Words only choose among what the structure allows.

import { commonWords, type Found, isChange, link, onceEach, overlapOf, type Statement, wordsOf } from './statement.ts';
import { leavesOpen } from './wording.ts';

const ASKS = /[?？][\s"'”*_)\]`]*$/;
const ASKS_WITHIN = /[?？](?:[\s"'”*_)\]]|$)/;
const CODE = /`[^`]*`/g;
/** Asks for a word without a question mark. */
const INVITES =
  /\b(?:say the word|let me know (?:if|which|whether) (?:you(?:'d| would)? (?:want|like|prefer)|i should|to)|reply with|tell me (?:if|which|whether)|(?:it'?s|that'?s) (?:your call|up to you))\b/i;
/** A request that asks how something is. */
const CHECKS =
  /\b(?:check (?:if|whether|that|again|why|what)|make sure|verify|confirm|find out|see (?:if|whether|why|what)|investigate|look into|explain|tell me)\b/i;
const ENUMERATES = /^\W*(?:1|a)\W.*(?:\b2\b|\bb\b)/is;
const ANNOUNCES = /^(?:(?:ok(?:ay)?|now|sure|good)[,.! ]+)?(?:let me|i'll (?:start|first|begin|look|read|check))\b/i;
/** What begins with one of these is about what was said before, however long it is. */
const REPLIES =
  /^\W*(?:hm+|ah+|oh|ok(?:ay)?|alright|great|perfect|good|nice|cool|yes|yeah|yep|yup|sure|no|nope|nah|not|actually|both|neither|either|all|none|agreed|correct|exactly|sounds|definitely|absolutely|please|go|let'?s|lets|i think|i'd|i would|u+m+|option|the (?:first|second|third|last)|\d+\b|before|instead|rather|also|but|and)\b/i;
/** More than this is a document: a plan, a log. */
const LONGEST_REPLY = 1_200;

const asksSomething = onceEach((text) => ASKS.test(text.trim()));
const isAsking = onceEach((text) => ASKS_WITHIN.test(text.replace(CODE, ' ')) || INVITES.test(text));

/** `exchange`: its statements in their order; `before`: those of the exchanges before it. */
export function answersIn(exchange: readonly Statement[], before: readonly Statement[]): Found[] {
  return [...repliesIn(exchange, before), ...findingsIn(exchange), ...fixesIn(exchange, before)];
}

/** The first words of a prompt are about what the agent asked last, unless it plainly begins something else. */
function repliesIn(exchange: readonly Statement[], before: readonly Statement[]): Found[] {
  const prompt = exchange.filter(isPrompt);
  const [first] = prompt;
  if (!first) return [];
  const asked = lastAsked(before);
  const last = asked.at(-1);
  if (
    !last ||
    beginsAnew(
      prompt.filter(({ line }) => line === first.line),
      asked,
    )
  )
    return [];
  const isList = ENUMERATES.test(first.text);
  const meant = asked.filter((each) => each === last || isList || overlapOf(first, each) >= NEAR);
  const decided = prompt.find(
    ({ intent, line, isGoAhead }) => intent === 'decision' && line === first.line && !isGoAhead,
  );
  const replies = prompt.filter((each) => each === first || each === decided || each.isGoAhead);
  return replies.flatMap((reply) => meant.map((question) => link(reply, question, 'answers', 0.85, 'replies')));
}

/** What the agent asked when it spoke last: a prompt that was stopped before it answered is typed again. */
function lastAsked(before: readonly Statement[]): Statement[] {
  const last = before.findLast(({ role, place }) => role === 'assistant' && place !== undefined);
  const words = before.filter(
    (each) => each.exchange === last?.exchange && each.place === 'final' && each.role === 'assistant',
  );
  // A question in the midst of an answer is part of what it says.
  return words.slice(-AT_THE_END).some(isAsking) ? words.filter(isAsking) : [];
}

const AT_THE_END = 3;

/** A document; or another topic or a question, and no word of what was asked. */
function beginsAnew(prompt: readonly Statement[], asked: readonly Statement[]): boolean {
  const [first] = prompt;
  if (!first || REPLIES.test(first.text)) return false;
  const isLong = prompt.reduce((length, { text }) => length + text.length, 0) > LONGEST_REPLY;
  const isQuestion = first.intent === 'question' || asksSomething(first);
  if (!isLong && !isQuestion && first.topic === asked.at(-1)?.topic) return false;
  const words = new Set(asked.flatMap((each) => [...wordsOf(each)]));
  return isLong || !prompt.some((each) => commonWords(wordsOf(each), words) > 0);
}

/**
 * What the agent said last answers what the user asked: its first finding, and the one that has most of the words. So does what it said at once,
 * before it went on working, in the words of the question.
 */
function findingsIn(exchange: readonly Statement[]): Found[] {
  const typed = [...new Set(exchange.filter(isPrompt).map(({ line }) => line))];
  return exchange.filter(asksAgent).flatMap((question) => {
    const until = typed.find((line) => line > question.line) ?? Number.POSITIVE_INFINITY;
    const behind = exchange.filter(
      ({ line, role, place }) => line > question.line && line < until && role === 'assistant' && place,
    );
    const soon = new Set([...new Set(behind.map(({ line }) => line))].slice(0, SOON));
    const atOnce = behind.find(
      (each) =>
        each.place === 'between' &&
        soon.has(each.line) &&
        isFinding(each) &&
        (DIRECT.test(each.text) || overlapOf(each, question) >= NEAR),
    );
    const findings = behind.filter((each) => each.place === 'final' && isFinding(each));
    const nearest = findings.reduce<Statement | undefined>(
      (best, each) => (overlapOf(each, question) >= (best ? overlapOf(best, question) + 0.01 : NEAR) ? each : best),
      undefined,
    );
    return [...new Set([atOnce, findings[0], nearest])]
      .filter((each) => each !== undefined)
      .map((each) => link(each, question, 'answers', 0.8, 'answered'));
  });
}

/** So many turns of the agent are “at once”. */
const SOON = 2;
const DIRECT =
  /^\W*(?:yes|no|nope|correct|exactly|actually,? no|not (?:quite|really|yet)|good question|short answer)\b/i;
const NEAR = 0.3;

/** What is worth less says that something is so, and not what. */
const LEAST_WORTH = 0.2;

const isFinding = (each: Statement): boolean =>
  !each.searchOnly &&
  each.worth >= LEAST_WORTH &&
  each.intent !== 'question' &&
  each.intent !== 'todo' &&
  !leavesOpen(each.text) &&
  !ANNOUNCES.test(each.text);

const isPrompt = ({ place, role }: Statement): boolean => place === 'prompt' && role === 'user';

/** A question of the user, or a request that asks how something is; a step of a plan that says what to check is none. */
const asksAgent = (each: Statement): boolean =>
  isPrompt(each) &&
  !each.searchOnly &&
  !each.isGoAhead &&
  (each.intent === 'question' ||
    asksSomething(each) ||
    (each.intent === 'todo' && CHECKS.test(each.text) && !BELOW_HEADING.test(each.text)));

const BELOW_HEADING = /^[^:]{3,60}: /;

const NEAR_EXCHANGES = 6;

/** A change that was made, of the same topic and in the words of the problem. */
function fixesIn(exchange: readonly Statement[], before: readonly Statement[]): Found[] {
  const problems = [...before, ...exchange].filter(({ intent, searchOnly }) => intent === 'problem' && !searchOnly);
  if (problems.length === 0) return [];
  return exchange.filter(isChange).flatMap((change) => {
    let best: Statement | undefined;
    let share = 0.34;
    for (const problem of problems) {
      if (
        problem.line >= change.line ||
        problem.topic !== change.topic ||
        change.exchange - problem.exchange > NEAR_EXCHANGES
      )
        continue;
      const common = overlapOf(change, problem);
      if (common >= share) [best, share] = [problem, common];
    }
    return best ? [link(change, best, 'answers', 0.45 + Math.min(0.45, share), 'mends')] : [];
  });
}
