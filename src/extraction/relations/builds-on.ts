// What goes on with something that stays valid: a change that carries out a decision of its topic, and one that takes up a thing which an earlier
// change brought in.

import { filesOf, namesOf, takenBy } from './replaces.ts';
import { commonWords, type Found, isChange, isSettling, link, overlapOf, type Statement } from './statement.ts';

const MIN_SHARE = 0.5;

export function implementationsIn(exchange: readonly Statement[], before: readonly Statement[]): Found[] {
  const decisions = [...before, ...exchange].filter(
    ({ intent, role, searchOnly, place }) =>
      intent === 'decision' && !searchOnly && (role === 'user' || place === undefined),
  );
  return exchange.filter(isChange).flatMap((change) => {
    let best: Statement | undefined;
    let share = MIN_SHARE;
    for (const decision of decisions) {
      if (decision.line >= change.line || decision.topic !== change.topic) continue;
      const common = overlapOf(change, decision);
      if (common > share) [best, share] = [decision, common];
    }
    return best ? [link(change, best, 'builds_on', 0.4 + Math.min(0.5, share), 'carries-out')] : [];
  });
}

const BROUGHT_IN =
  /\b(?:add(?:s|ed)?|new|create[sd]?|introduce[sd]?|implement(?:s|ed)?|extract(?:s|ed)?|wrote)(?: (?:an?|the|new|optional|shared|exported|helper|function|component|hook|endpoint|field|column|table|class|type|flag|method|prop))*\W{0,4}$/i;

/** Below “New files”, what stands first behind the file is what came with it. */
const NEW_FILES = /^\W*(?:new|created|added)\b[^:|]{0,30}: [^—–]{0,120} [—–-] \W*$/i;

function bringsIn({ text }: Statement, name: string): boolean {
  const at = text.indexOf(name);
  return BROUGHT_IN.test(text.slice(Math.max(0, at - 60), at)) || NEW_FILES.test(text.slice(0, at));
}

/** Names come again in other places: it must be in the same file, or about the same besides. */
const isNear = (one: Statement, other: Statement): boolean =>
  commonWords(filesOf(one), filesOf(other)) > 0 || overlapOf(one, other) >= 0.3;

/** What it says is called now, or used, before anything else. */
const CALLED = /\b(?:call(?:s|ed|ing)?(?: to)?|us(?:es|ed|ing)|invok(?:es|ed|ing)) `?([A-Za-z_]\w{3,60})/;

/** The later one changes a thing that the earlier one brought in, by its name. */
export function takesUp(statement: Statement, other: Statement): Found | undefined {
  if (statement.searchOnly || other.searchOnly || !isChange(statement) || !isSettling(other)) return undefined;
  // In its own conversation it mostly says again what was just done.
  if (statement.session === other.session) return undefined;
  if (takenBy(statement).length > 0 || takenBy(other).length > 0 || !isNear(statement, other)) return undefined;
  const called = CALLED.exec(statement.text)?.[1];
  for (const name of namesOf(statement)) {
    if (!namesOf(other).has(name)) continue;
    if (bringsIn(other, name) && !bringsIn(statement, name))
      return link(statement, other, 'builds_on', name === called ? 0.8 : 0.7, 'takes-up');
  }
  return undefined;
}
