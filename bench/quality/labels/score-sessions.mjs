// Whole conversations against what was stored of them: which of the decisions, fixes, open ends and preferences that a reader found
// are there as what they are, which only as something else, and which not at all. Titles are put side by side for a reader.
import { says } from './match-text.mjs';
import { byHalves } from './read-labels.mjs';

const NEAR = 2;

/** Where a labelled thing may be found: ideas of these kinds near its line, or this field of the exchange around it. */
const WANTED = {
  decisions: { kinds: ['decision'], field: 'decided', place: ({ line, quote, text }) => ({ line, quote, text }) },
  fixes: {
    kinds: ['solution'],
    field: 'fixed',
    place: ({ solution_line: line, solution_quote: quote, text }) => ({ line, quote, text }),
  },
  open_at_end: {
    kinds: ['todo', 'question', 'problem'],
    field: 'left',
    place: ({ line, quote, text }) => ({ line, quote, text }),
  },
  preferences: { kinds: ['decision'], field: 'decided', place: ({ line, quote, text }) => ({ line, quote, text }) },
};

/** { decisions: { all: { of, found, other, stored }, … }, …, things, titles } */
export function scoreSessions(sessions, rows) {
  const bySession = new Map();
  for (const row of rows) bySession.set(row.in, [...(bySession.get(row.in) ?? []), row]);
  const things = sessions.flatMap(({ session, ...labels }) =>
    Object.entries(WANTED).flatMap(([what, wanted]) =>
      labels[what].map((label) => ({
        ...{ session, what, ...wanted.place(label) },
        how: howFound(wanted.place(label), wanted, bySession.get(session) ?? []),
      })),
    ),
  );
  const titles = sessions.map(({ session, title }) => ({
    ...{ session, title },
    own: titleOf(bySession.get(session) ?? []),
  }));
  return {
    ...Object.fromEntries(
      Object.keys(WANTED).map((what) => [
        what,
        byHalves(
          things.filter((thing) => thing.what === what),
          ({ session }) => [session],
          counted,
        ),
      ]),
    ),
    perSession: byHalves(
      sessions,
      ({ session }) => [session],
      (some) => some.flatMap(({ session }) => (bySession.get(session) ?? []).filter(isDecision)).length / some.length,
    ),
    things,
    titles,
  };
}

const isDecision = ({ kind, search_only: hidden }) => kind === 'decision' && hidden !== true;

function counted(things) {
  const count = (...hows) => things.filter(({ how }) => hows.includes(how)).length;
  return {
    of: things.length,
    found: count('found'),
    other: count('other'),
    stored: count('found', 'other', 'search_only'),
  };
}

/** `found`: as what it is. `other`: as something else that is shown. `search_only`, or `missing`. */
function howFound(label, { kinds, field }, rows) {
  const ideas = rows.filter(
    (row) => row.kind !== 'span' && Math.abs(row.line - label.line) <= NEAR && says(row.text, label),
  );
  const shown = ideas.filter((row) => row.search_only !== true);
  if (shown.some(({ kind }) => kinds.includes(kind))) return 'found';
  if (textsAround(rows, label.line, field).some((text) => says(text, label))) return 'found';
  return shown.length > 0 ? 'other' : ideas.length > 0 ? 'search_only' : 'missing';
}

/** What the exchanges say that reach to within two lines of this one. An exchange ends where the next begins. */
function textsAround(rows, line, field) {
  const exchanges = rows.filter(({ level }) => level === 'exchange').sort((a, b) => a.line - b.line);
  return exchanges
    .filter((each, at) => each.line <= line + NEAR && (exchanges[at + 1]?.line ?? Infinity) > line - NEAR)
    .flatMap((each) => textsIn(each[field]));
}

/** One text, several, or objects with a text. */
function textsIn(value) {
  if (typeof value === 'string') return value.split('\n');
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (value && typeof value === 'object')
    return [
      Object.values(value)
        .filter((each) => typeof each === 'string')
        .join(' '),
    ];
  return [];
}

/** The title of the conversation where there is one, else those of its topics. */
function titleOf(rows) {
  const spans = rows.filter(({ kind }) => kind === 'span').sort((a, b) => a.line - b.line);
  const own = spans.find(({ level }) => level === 'session');
  if (own) return own.title;
  return spans
    .filter(({ level }) => level !== 'exchange')
    .map(({ title }) => title)
    .join(' / ');
}
