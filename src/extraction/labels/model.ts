// A plain linear model: every feature of a statement adds its weights to the eight labels and to the three grades of worth. The weights are
// made by scripts/train-labels.mjs from statements that people labelled, and are part of the repository; docs/EXTRACTION.md says how
// well they do on conversations that they were not made from.

import { lazy } from '../../model/lazy.ts';
import { INTENTS, type Intent } from '../../model/trace.ts';
import { type Features, featureName } from './features.ts';
import { WEIGHTS } from './weights.ts';

/** `none`: narration, headings, output, courtesies: nothing that a label should be put on. */
export const LABELS = [...INTENTS, 'none'] as const;
export type Label = Intent | 'none';
/** What a colleague would say weeks later: useless, worth finding, worth being shown. */
export const GRADES = ['junk', 'search_only', 'keep'] as const;

export type Verdict = {
  readonly label: Label;
  /** How likely the label is right. */
  readonly confidence: number;
  /** 0 … 1: how much a colleague would want to be shown it weeks later. */
  readonly worth: number;
  /** How likely it is of no use at all. */
  readonly junk: number;
  /** How likely no label should be put on it. */
  readonly none: number;
  /** Of each label, in the order of LABELS. */
  readonly shares: readonly number[];
};

/** What is only worth finding counts for this much beside what is worth being shown. */
const FINDING = 0.3;

type Table = {
  /** In ascending order. */
  readonly keys: Uint32Array;
  readonly labels: Int8Array;
  readonly grades: Int8Array;
  /** Places of keys by their hash, -1 where there is none; made once many are looked up. */
  readonly slots: () => Int32Array;
};

const table = lazy((): Table => {
  const bytes = Buffer.from(WEIGHTS.data, 'base64');
  const count = bytes.length / (4 + LABELS.length + GRADES.length);
  const behindKeys = 4 * count;
  const behindLabels = behindKeys + LABELS.length * count;
  const keys = keysIn(bytes, count);
  return {
    keys,
    labels: new Int8Array(bytes.subarray(behindKeys, behindLabels)),
    grades: new Int8Array(bytes.subarray(behindLabels)),
    slots: lazy(() => slotsOf(keys)),
  };
});

/** As they lie there, where this machine writes numbers the same way round. */
function keysIn(bytes: Buffer, count: number): Uint32Array {
  const isAsWritten = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 && bytes.byteOffset % 4 === 0;
  if (isAsWritten) return new Uint32Array(bytes.buffer, bytes.byteOffset, count);
  return Uint32Array.from({ length: count }, (_, at) => bytes.readUInt32LE(4 * at));
}

function slotsOf(keys: Uint32Array): Int32Array {
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * keys.length + 2))).fill(-1);
  const mask = slots.length - 1;
  keys.forEach((key, at) => {
    let slot = key & mask;
    while (slots[slot] !== -1) slot = (slot + 1) & mask;
    slots[slot] = at;
  });
  return slots;
}

/** A hook that judges one exchange ends before the slots were worth making. */
const FEW_LOOKUPS = 10_000;
let lookups = 0;

function rowOf(known: Table, key: number): number {
  return lookups < FEW_LOOKUPS ? searched(known.keys, key) : slotted(known.keys, known.slots(), key);
}

function slotted(keys: Uint32Array, slots: Int32Array, key: number): number {
  const mask = slots.length - 1;
  for (let slot = key & mask; ; slot = (slot + 1) & mask) {
    const row = slots[slot]!;
    if (row === -1 || keys[row] === key) return row;
  }
}

function searched(keys: Uint32Array, key: number): number {
  lookups += 1;
  let [from, to] = [0, keys.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((keys[middle] ?? 0) < key) from = middle + 1;
    else to = middle;
  }
  return keys[from] === key ? from : -1;
}

/** The verdict on one statement of a turn. */
export function verdictOn(features: Features, at: number): Verdict {
  const sums = Float64Array.from(WEIGHTS.labelBias);
  const grades = Float64Array.from(WEIGHTS.gradeBias);
  collected = 0;
  features.of(at, collect);
  addRows(table(), sums, grades);
  const shares = sharesOf(sums, WEIGHTS.labelHeat);
  const [junk = 0, finding = 0, keep = 0] = sharesOf(grades, WEIGHTS.gradeHeat);
  const best = mostLikely(shares);
  return {
    label: LABELS[best] ?? 'none',
    confidence: shares[best] ?? 0,
    worth: keep + FINDING * finding,
    junk,
    none: shares[LABELS.indexOf('none')] ?? 0,
    shares,
  };
}

/** The features of the statement that is judged: hundreds each, collected first and added up in one loop, because all the time is spent here. */
const MOST_FEATURES = 2_048;
const keysOf = new Uint32Array(MOST_FEATURES);
const valuesOf = new Float64Array(MOST_FEATURES);
let collected = 0;

function collect(key: number, value: number): void {
  if (collected === MOST_FEATURES) return; // a statement has at most some four hundred
  keysOf[collected] = key;
  valuesOf[collected] = value;
  collected += 1;
}

function addRows(known: Table, sums: Float64Array, grades: Float64Array): void {
  const { labels: labelWeights, grades: gradeWeights } = known;
  const { labelScale, gradeScale } = WEIGHTS;
  const { keys } = known;
  const slots = lookups < FEW_LOOKUPS ? undefined : known.slots();
  for (let feature = 0; feature < collected; feature += 1) {
    const row = slots ? slotted(keys, slots, keysOf[feature]!) : searched(keys, keysOf[feature]!);
    if (row === -1) continue;
    const forLabels = valuesOf[feature]! * labelScale;
    const forGrades = valuesOf[feature]! * gradeScale;
    for (let at = 0; at < sums.length; at += 1) sums[at]! += forLabels * labelWeights[row * sums.length + at]!;
    for (let at = 0; at < grades.length; at += 1) grades[at]! += forGrades * gradeWeights[row * grades.length + at]!;
  }
}

/** `heat`: by how much the sums have to be divided so that shares come true as often as they say. */
function sharesOf(sums: Float64Array, heat: number): number[] {
  let most = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < sums.length; at += 1) most = Math.max(most, sums[at]!);
  const shares: number[] = [];
  let whole = 0;
  for (let at = 0; at < sums.length; at += 1) {
    const power = Math.exp((sums[at]! - most) / heat);
    shares.push(power);
    whole += power;
  }
  for (let at = 0; at < shares.length; at += 1) shares[at]! /= whole;
  return shares;
}

/** Labels that are told too rarely or too often for their number are helped or held back: `lean` is added to the logarithm. */
function mostLikely(shares: readonly number[]): number {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  shares.forEach((share, at) => {
    const score = Math.log(share) + (WEIGHTS.lean[at] ?? 0);
    if (score <= most) return;
    best = at;
    most = score;
  });
  return best;
}

/** What spoke most for the label that it got, and against it: for those who ask why. */
export function reasonsFor(features: Features, at: number, label: Label, most = 6): { name: string; weight: number }[] {
  const known = table();
  const place = LABELS.indexOf(label);
  const found: { name: string; weight: number }[] = [];
  features.of(at, (key, value, group, name) => {
    const row = rowOf(known, key);
    if (row === -1) return;
    const weight = value * WEIGHTS.labelScale * (known.labels[row * LABELS.length + place] ?? 0);
    found.push({ name: featureName(group, name), weight: Math.round(100 * weight) / 100 });
  });
  return found.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, most);
}
