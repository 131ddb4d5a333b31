// How often triage may speak: at most one in ten turns of a project, never in two turns in a row, and never twice about the same. Every turn adds
// a tenth to an allowance, every ask takes one of it; the less of it there is, the surer a finding has to be. Pure.

import { topicWords } from '../../extraction/topic-words.ts';
import { nameHash } from '../../model/hash.ts';
import { type Infer, integer, list, map, number, openObject, text } from '../../model/schema.ts';
import type { Finding } from './finding.ts';

/** What is worth less is not even drafted. */
export const LEAST_SCORE = 0.6;
/** So sure has a finding to be when the allowance has just been reached. */
const SURE_SCORE = 0.8;
const LESS_SURE = 0.1;
const EACH_TURN = 0.1;
const MOST_ALLOWED = 4;
/** Decisions come together: the allowance alone keeps the rate, this keeps two asks apart. */
const TURNS_BETWEEN = 2;
const MOST_SESSIONS = 40;
const MOST_SEEN = 400;

/** `sessions` and `seen` hold names that are hashes: nothing of what was said. `asked`: the turn of the last ask, 0 for none. */
export const paceFile = openObject({
  allowed: number({ min: 0, max: MOST_ALLOWED }),
  sessions: map(openObject({ turn: integer({ min: 0 }), asked: integer({ min: 0 }) }), { maxItems: MOST_SESSIONS }),
  seen: list(text({ maxLength: 20 }), { maxItems: MOST_SEEN }),
});
export type Pace = Infer<typeof paceFile>;

/** A new project may be spoken to in its first turn, where something is sure. */
export const FIRST_PACE: Pace = { allowed: 1 - EACH_TURN, sessions: {}, seen: [] };

/** One more turn of this conversation. */
export function afterTurn(pace: Pace, session: string): Pace {
  const { [session]: known = { turn: 0, asked: 0 }, ...others } = pace.sessions;
  const kept = Object.entries(others).slice(-(MOST_SESSIONS - 1));
  return {
    ...pace,
    allowed: Math.min(MOST_ALLOWED, rounded(pace.allowed + EACH_TURN)),
    sessions: Object.fromEntries([...kept, [session, { ...known, turn: known.turn + 1 }]]),
  };
}

/** Whether anything may be asked about now, however sure it is. */
export function mayAskAtAll({ allowed, sessions }: Pace, session: string): boolean {
  const { turn = 0, asked = 0 } = sessions[session] ?? {};
  return allowed >= 1 && (asked === 0 || turn - asked >= TURNS_BETWEEN);
}

/** Whether something so sure may. */
export const mayAsk = (pace: Pace, session: string, score: number): boolean =>
  mayAskAtAll(pace, session) && score >= Math.max(LEAST_SCORE, SURE_SCORE - LESS_SURE * (pace.allowed - 1));

export function afterAsk(pace: Pace, session: string): Pace {
  const { turn = 0 } = pace.sessions[session] ?? {};
  return {
    ...pace,
    allowed: Math.max(0, rounded(pace.allowed - 1)),
    sessions: { ...pace.sessions, [session]: { turn, asked: turn } },
  };
}

/** A finding, or the draft of one. */
type Named = Pick<Finding, 'title'> & { readonly category: string };

export const withSeen = (pace: Pace, asked: readonly Named[]): Pace => ({
  ...pace,
  seen: [...new Set([...pace.seen, ...asked.map(seenName)])].slice(-MOST_SEEN),
});

export const isSeen = ({ seen }: Pace, asked: Named): boolean => seen.includes(seenName(asked));

/** By its words, in any order: a turn that ends twice says the same twice. */
const seenName = ({ category, title }: Named): string =>
  nameHash(`${category} ${[...new Set(topicWords(title))].sort().join(' ')}`);

const rounded = (value: number): number => Math.round(100 * value) / 100;

const SAME_WORDS = 0.6;
const FEWEST_SAME = 2;

/** Whether one of these titles (with tags) says it already: most of the words of its title stand there. */
export function isKnown({ title }: Finding, known: readonly string[]): boolean {
  const words = [...new Set(topicWords(title))];
  return known.some((each) => {
    const has = new Set(topicWords(each));
    const same = words.filter((word) => has.has(word)).length;
    return same >= FEWEST_SAME && same >= SAME_WORDS * words.length;
  });
}
