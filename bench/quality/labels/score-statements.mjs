// Single statements against what was stored of them: is the label right, does worth tell what a colleague would want to be shown,
// and does confidence say how likely the label is right. The rule of finding and counting is that of the labels' own scorer.
import { bestAt } from './match-text.mjs';
import { byHalves } from './read-labels.mjs';

export const LABELS = ['decision', 'conclusion', 'question', 'problem', 'solution', 'todo', 'context', 'none'];
const UNTELLING = ['none', 'context'];
/** At most this sure means kept for search only. */
const LEAST = 0.3;
const BINS = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

export function scoreStatements(statements, rows) {
  const at = new Map();
  for (const row of rows) {
    if (row.kind === 'span' || !row.line) continue;
    const key = `${row.in}:${row.line}`;
    at.set(key, [...(at.get(key) ?? []), row]);
  }
  const judged = statements.map((statement) => {
    const stored = bestAt(at.get(`${statement.session}:${statement.line}`) ?? [], statement.text);
    return { ...statement, stored, got: labelOf(stored), shown: worthOf(stored) };
  });
  return byHalves(judged, ({ session }) => [session], measure);
}

function labelOf(stored) {
  if (!stored || stored.search_only === true || stored.confidence <= LEAST) return 'none';
  return LABELS.includes(stored.kind) ? stored.kind : 'context';
}

/** What is not stored is worth nothing; a build that knows no worth is taken at its confidence. */
const worthOf = (stored) => (stored ? (stored.worth ?? stored.confidence) : 0);

function measure(judged) {
  const labels = Object.fromEntries(
    LABELS.map((label) => {
      const got = judged.filter((each) => each.got === label).length;
      const real = judged.filter((each) => each.intent === label).length;
      const right = judged.filter((each) => each.got === label && each.intent === label).length;
      const [precision, recall] = [share(right, got), share(right, real)];
      const f1 = right === 0 ? 0 : (2 * precision * recall) / (precision + recall);
      return [label, { precision, recall, f1, got, real }];
    }),
  );
  const telling = judged.filter(({ got }) => !UNTELLING.includes(got));
  const keep = judged.filter(({ worth }) => worth === 'keep');
  return {
    statements: judged.length,
    accuracy: share(judged.filter(({ got, intent }) => got === intent).length, judged.length),
    macroF1: LABELS.reduce((sum, label) => sum + labels[label].f1, 0) / LABELS.length,
    labels,
    telling: telling.length,
    junkTold: share(telling.filter(({ worth }) => worth === 'junk').length, telling.length),
    keep: keep.length,
    keepStored: share(keep.filter(({ stored }) => stored).length, keep.length),
    worth: {
      auc: areaUnder(judged.map(({ shown, worth }) => ({ score: shown, isRight: worth === 'keep' }))),
      tenth: bestTenth(judged),
    },
    reliability: reliability(judged.filter(({ got }) => got !== 'none')),
  };
}

const share = (part, whole) => (whole === 0 ? 0 : part / whole);

/** The chance that one that is right has a higher score than one that is not; equal scores count half. */
export function areaUnder(scored) {
  const right = scored.filter(({ isRight }) => isRight);
  const wrong = scored.filter(({ isRight }) => !isRight);
  if (right.length === 0 || wrong.length === 0) return Number.NaN;
  let won = 0;
  for (const { score } of right)
    for (const other of wrong) won += score > other.score ? 1 : score === other.score ? 0.5 : 0;
  return won / (right.length * wrong.length);
}

/** Shares of keep and junk in the best tenth. Those that tie for its last places have a part in each of them. */
function bestTenth(judged) {
  let places = judged.length / 10;
  const found = { keep: 0, junk: 0 };
  for (const score of [...new Set(judged.map(({ shown }) => shown))].sort((a, b) => b - a)) {
    if (places <= 0) break;
    const tied = judged.filter(({ shown }) => shown === score);
    const part = Math.min(1, places / tied.length);
    for (const worth of ['keep', 'junk']) found[worth] += part * tied.filter((each) => each.worth === worth).length;
    places -= tied.length;
  }
  return { keep: share(found.keep, judged.length / 10), junk: share(found.junk, judged.length / 10) };
}

/** Of everything with a label: how sure it was, and how often it was right. */
function reliability(labelled) {
  const bins = BINS.map((to, at) => {
    const inside = labelled.filter(({ stored }) => stored.confidence <= to && stored.confidence > (BINS[at - 1] ?? -1));
    return {
      to,
      statements: inside.length,
      confidence: share(
        inside.reduce((sum, { stored }) => sum + stored.confidence, 0),
        inside.length,
      ),
      right: share(inside.filter(({ got, intent }) => got === intent).length, inside.length),
    };
  });
  const off = bins.reduce((sum, bin) => sum + bin.statements * Math.abs(bin.confidence - bin.right), 0);
  return { bins: bins.filter(({ statements }) => statements > 0), off: share(off, labelled.length) };
}
