// How the weights of the labels are made: settings, folds by conversation, training, calibration, and the form in which they are stored. Shared by
// scripts/train-labels.mjs, which writes them, and by the evaluation, which asks each conversation of weights that never saw it.
import path from 'node:path';
import { bundle, root } from '../../bench/bundle.mjs';
import { labelledStatements } from './labelled-statements.mjs';
import { seeded, softmax, sumsOf, train, vectorise, vocabularyOf } from './linear-model.mjs';
import { madeUpStatements } from './made-up-turns.mjs';

export const FOLDS = 5;
export const DEFAULTS = {
  l2: 3,
  gradeL2: 8,
  passes: 60,
  fewest: 3,
  drawn: 1,
  chosen: 0.6,
  written: 0.5,
  balance: 0.3,
  rare: 0.2,
};

export async function prepare(data) {
  const sources = await bundle(
    'extraction/labels/features.ts',
    'extraction/labels/model.ts',
    'extraction/exchanges/exchange.ts',
    'transcripts/readers.ts',
  );
  const { LABELS, GRADES } = sources;
  const { rows, missing, projects } = labelledStatements(sources, data);
  const written = madeUpStatements(sources, path.join(root, 'bench/quality/labels/made-up-turns.txt'));
  return { LABELS, GRADES, rows: [...rows, ...written], missing, projects, folds: foldsOf(rows) };
}

/** Which fold a conversation is in; what was written for training is in none, and nothing is measured on it. */
function foldsOf(rows) {
  const sessions = [...new Set(rows.map(({ session }) => session))].sort();
  const random = seeded(7);
  for (let i = sessions.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [sessions[i], sessions[j]] = [sessions[j], sessions[i]];
  }
  return new Map(sessions.map((session, at) => [session, at % FOLDS]));
}

export function trainOn({ LABELS, GRADES }, inside, settings = DEFAULTS) {
  const { l2, gradeL2, passes, fewest, balance, drawn, chosen, written, rare } = settings;
  /** Statements that were chosen because they are doubtful, or written, count less than those that were drawn. */
  const trusted = { drawn, chosen, written };
  const vocabulary = vocabularyOf(inside, fewest);
  const scales = scalesOf(vectorise(inside, vocabulary), vocabulary.size, rare);
  const vectors = vectorise(inside, vocabulary, scales);
  const trust = inside.map(({ file }) => trusted[file] ?? 1);
  const counts = new Map();
  for (const { intent } of inside) counts.set(intent, (counts.get(intent) ?? 0) + 1);
  const balanced = inside.map(
    ({ intent }, at) => trust[at] * (inside.length / (LABELS.length * counts.get(intent))) ** balance,
  );
  const size = vocabulary.size;
  const answers = (name, list) => inside.map((row) => list.indexOf(row[name]));
  const labels = train(vectors, answers('intent', LABELS), balanced, {
    l2,
    passes,
    size,
    classes: LABELS.length,
  });
  const grades = train(vectors, answers('worth', GRADES), trust, { l2: gradeL2, passes, size, classes: GRADES.length });
  for (const [{ w }, classes] of [
    [labels, LABELS.length],
    [grades, GRADES.length],
  ])
    for (let at = 0; at < w.length; at += 1) w[at] *= scales[Math.floor(at / classes)];
  return { vocabulary, labels, grades };
}

/** What most statements have says little about any of them, and is held smaller: the frequent features count less while the weights are made, the rare ones
 * more. */
function scalesOf(vectors, size, rare) {
  const counts = new Float64Array(size);
  for (const { at } of vectors) for (const each of new Set(at)) counts[each] += 1;
  return counts.map((count) => (Math.max(1, count) / USUAL) ** -rare);
}

/** A feature that so many statements have counts as it is. */
const USUAL = 100;

/** What each row is judged to be by weights of the other folds. `folds`: by conversation, or any other map of conversations, as `projects`. `trained` gets the
 * weights of each. */
export function crossValidate(prepared, settings, { folds = prepared.folds, trained = () => {} } = {}) {
  const { rows, LABELS, GRADES } = prepared;
  const judged = new Array(rows.length);
  for (const fold of new Set(folds.values())) {
    const model = trainOn(prepared, without({ rows, folds }, fold), settings);
    trained(fold, model);
    const { vocabulary, labels, grades } = model;
    rows.forEach((row, at) => {
      if (folds.get(row.session) !== fold) return;
      const [vector] = vectorise([row], vocabulary);
      judged[at] = { sums: sumsOf(labels, vector, LABELS.length), grades: sumsOf(grades, vector, GRADES.length) };
    });
  }
  return judged;
}

const without = ({ rows, folds }, fold) => rows.filter(({ session }) => folds.get(session) !== fold);

/** Heat and lean, from what is judged by weights that never saw it. */
export function calibrate({ rows, LABELS, GRADES }, judged) {
  const natural = [...rows.keys()].filter((at) => rows[at].isNatural && judged[at]);
  const labelHeat = heatOf(
    judged.map((each) => each?.sums),
    rows.map(({ intent }) => LABELS.indexOf(intent)),
    natural,
  );
  const gradeHeat = heatOf(
    judged.map((each) => each?.grades),
    rows.map(({ worth }) => GRADES.indexOf(worth)),
    natural,
  );
  for (const each of judged) {
    if (!each) continue;
    each.shares = softmax(each.sums, labelHeat);
    each.worths = softmax(each.grades, gradeHeat);
  }
  return { labelHeat, gradeHeat, lean: leanOf({ rows, LABELS }, judged, natural) };
}

/** The divisor of the sums with which the shares come true as often as they say. */
function heatOf(sums, answers, chosen) {
  let best = 1;
  let least = Number.POSITIVE_INFINITY;
  for (let heat = 0.5; heat <= 4; heat += 0.05) {
    const loss = chosen.reduce(
      (total, at) => total - Math.log(Math.max(1e-9, softmax(sums[at], heat)[answers[at]])),
      0,
    );
    if (loss < least) [best, least] = [heat, loss];
  }
  return Math.round(100 * best) / 100;
}

/** What is added to the logarithm of each share before the largest is taken, so that rare labels are told about as often as they are. */
function leanOf(labelled, judged, chosen) {
  const found = labelled.LABELS.map(() => 0);
  const value = (lean) => {
    const { f1, accuracy } = measure(labelled, judged, chosen, lean);
    return f1 + accuracy;
  };
  let best = value(found);
  for (let pass = 0; pass < 2; pass += 1)
    for (let at = 0; at < found.length - 1; at += 1)
      for (const step of [-0.2, 0.2]) {
        const tried = found.with(at, found[at] + step);
        const reached = value(tried);
        if (reached <= best + 0.002) continue;
        best = reached;
        found[at] = tried[at];
      }
  return found.map((each) => Math.round(100 * each) / 100);
}

export function labelOf({ shares }, lean) {
  const scores = shares.map((share, k) => Math.log(share) + lean[k]);
  return scores.indexOf(Math.max(...scores));
}

export function measure({ rows, LABELS }, judged, chosen, lean) {
  const counts = LABELS.map(() => LABELS.map(() => 0));
  for (const at of chosen) counts[LABELS.indexOf(rows[at].intent)][labelOf(judged[at], lean)] += 1;
  const parts = LABELS.map((label, k) => {
    const right = counts[k][k];
    const told = counts.reduce((sum, row) => sum + row[k], 0);
    const real = counts[k].reduce((sum, each) => sum + each, 0);
    const precision = told ? right / told : 0;
    const recall = real ? right / real : 0;
    return { label, precision, recall, f1: precision + recall ? (2 * precision * recall) / (precision + recall) : 0 };
  });
  const right = LABELS.reduce((sum, _, k) => sum + counts[k][k], 0);
  return { parts, accuracy: right / chosen.length, f1: parts.reduce((sum, { f1 }) => sum + f1, 0) / LABELS.length };
}

/** The text of src/extraction/labels/weights.ts. */
export function weightsText({ LABELS, GRADES }, { vocabulary, labels, grades }, { labelHeat, gradeHeat, lean }) {
  const keys = [...vocabulary.keys()];
  const labelScale = Math.max(...labels.w.map(Math.abs)) / 127;
  const gradeScale = Math.max(...grades.w.map(Math.abs)) / 127;
  const steps = (weights, scale, at, classes) =>
    Array.from({ length: classes }, (_, k) => Math.round(weights[at * classes + k] / scale));
  const kept = keys
    .map((key, at) => ({
      key,
      label: steps(labels.w, labelScale, at, LABELS.length),
      grade: steps(grades.w, gradeScale, at, GRADES.length),
    }))
    .filter(({ label, grade }) => [...label, ...grade].some((each) => each !== 0));
  const bytes = Buffer.alloc(kept.length * (4 + LABELS.length + GRADES.length));
  kept.forEach(({ key, label, grade }, at) => {
    bytes.writeUInt32LE(key, 4 * at);
    label.forEach((each, k) => {
      bytes.writeInt8(each, 4 * kept.length + at * LABELS.length + k);
    });
    grade.forEach((each, k) => {
      bytes.writeInt8(each, (4 + LABELS.length) * kept.length + at * GRADES.length + k);
    });
  });
  const rounded = (list) => `[${Array.from(list, (each) => Math.round(1e4 * each) / 1e4).join(', ')}]`;
  return [
    '// Written by scripts/train-labels.mjs: do not edit.',
    'export const WEIGHTS = {',
    `  labelBias: ${rounded(labels.b)},`,
    `  gradeBias: ${rounded(grades.b)},`,
    `  labelScale: ${Number(labelScale.toPrecision(6))},`,
    `  gradeScale: ${Number(gradeScale.toPrecision(6))},`,
    `  labelHeat: ${labelHeat},`,
    `  gradeHeat: ${gradeHeat},`,
    `  lean: ${rounded(lean)},`,
    `  data: '${bytes.toString('base64')}',`,
    '};',
    '',
  ].join('\n');
}
