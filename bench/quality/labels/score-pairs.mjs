// Relations between two statements against the links of the store: of the pairs that a reader judged, which are linked as they
// should be, and which are linked and should not be or are something else.
import { overlaps } from './match-text.mjs';
import { byHalves } from './read-labels.mjs';

const NEAR = 2;
export const RELATIONS = ['answers', 'supersedes', 'contradicts', 'builds_on', 'relates_to'];
/** These say the same read from either end; the others point from a to b. */
const MUTUAL = ['contradicts', 'relates_to'];

/** { all: { relation: { pairs, linked, right, precision, recall } }, …, links: { relation: count }, judged } */
export function scorePairs(pairs, rows, links) {
  const ideasIn = new Map();
  for (const row of rows) if (row.kind !== 'span') ideasIn.set(row.in, [...(ideasIn.get(row.in) ?? []), row]);
  const between = new Map();
  for (const { from, to, relation } of links)
    between.set(`${from} ${to}`, [...(between.get(`${from} ${to}`) ?? []), relation]);
  const judged = pairs.map((pair) => {
    const [a, b] = [refsOf(pair.a, ideasIn), refsOf(pair.b, ideasIn)];
    return { ...pair, both: a.length > 0 && b.length > 0, got: relationsBetween(a, b, between) };
  });
  const counts = {};
  for (const { relation } of links) counts[relation] = (counts[relation] ?? 0) + 1;
  return { measured: byHalves(judged, ({ a, b }) => [a.session, b.session], measure), links: counts, judged };
}

/** All ideas that the statement became: at its line, or else within two lines of it. */
function refsOf({ session, line, text }, ideasIn) {
  const near = (ideasIn.get(session) ?? []).filter(
    (row) => Math.abs(row.line - line) <= NEAR && overlaps(row.text, text),
  );
  const there = near.filter((row) => row.line === line);
  return (there.length > 0 ? there : near).map(({ ref }) => ref);
}

/** `back`: from b to a, where the direction matters. */
function relationsBetween(a, b, between) {
  const got = new Set();
  for (const one of a)
    for (const other of b) {
      if (one === other) continue;
      for (const relation of between.get(`${one} ${other}`) ?? []) got.add(relation);
      for (const relation of between.get(`${other} ${one}`) ?? [])
        got.add(MUTUAL.includes(relation) ? relation : `${relation} back`);
    }
  return [...got];
}

function measure(judged) {
  const none = judged.filter(({ relation }) => relation === 'none');
  const relations = RELATIONS.map((relation) => {
    const wanted = judged.filter((pair) => pair.relation === relation);
    const linked = judged.filter(({ got }) => got.includes(relation) || got.includes(`${relation} back`));
    const right = wanted.filter(({ got }) => got.includes(relation)).length;
    return [
      relation,
      {
        ...{ pairs: wanted.length, linked: linked.length, right },
        precision: linked.length === 0 ? Number.NaN : right / linked.length,
        recall: wanted.length === 0 ? Number.NaN : right / wanted.length,
        both: wanted.filter(({ both }) => both).length,
      },
    ];
  });
  return {
    relations: Object.fromEntries(relations),
    none: { pairs: none.length, linked: none.filter(({ got }) => got.length > 0).length },
  };
}
