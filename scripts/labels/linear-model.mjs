// Multinomial logistic regression over sparse features, with L2, brought to its minimum by L-BFGS. Deterministic.

/** A number between 0 and 1 that is the same in every run. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The keys that at least `fewest` statements have, with a place each. */
export function vocabularyOf(rows, fewest) {
  const counts = new Map();
  for (const { features } of rows)
    for (const key of new Set(features.map(([each]) => each))) counts.set(key, (counts.get(key) ?? 0) + 1);
  const kept = [...counts].filter(([, count]) => count >= fewest).map(([key]) => key);
  return new Map(kept.sort((a, b) => a - b).map((key, at) => [key, at]));
}

/** Features as places and values; keys that the vocabulary does not have are left out. `scales`: by what the values of each place are multiplied. */
export const vectorise = (rows, vocabulary, scales) =>
  rows.map(({ features }) => {
    const known = features.filter(([key]) => vocabulary.has(key));
    return {
      at: Int32Array.from(known, ([key]) => vocabulary.get(key)),
      value: Float32Array.from(known, ([key, value]) => value * (scales?.[vocabulary.get(key)] ?? 1)),
    };
  });

/** Weights that make the answers likeliest (`weights`: how much each statement counts), and are kept small by `l2`: L-BFGS over all statements. */
export function train(vectors, answers, weights, { size, classes, l2, passes }) {
  const bias = size * classes;
  const lossAt = (point, slope) => {
    slope.fill(0);
    const model = { w: point, b: point.subarray(bias) };
    let loss = 0;
    for (let one = 0; one < vectors.length; one += 1) {
      const { at, value } = vectors[one];
      const shares = softmax(sumsOf(model, vectors[one], classes));
      loss -= weights[one] * Math.log(Math.max(1e-12, shares[answers[one]]));
      shares[answers[one]] -= 1;
      for (let k = 0; k < classes; k += 1) shares[k] *= weights[one];
      for (let f = 0; f < at.length; f += 1)
        for (let k = 0; k < classes; k += 1) slope[at[f] * classes + k] += value[f] * shares[k];
      for (let k = 0; k < classes; k += 1) slope[bias + k] += shares[k];
    }
    for (let at = 0; at < bias; at += 1) {
      loss += (l2 / 2) * point[at] * point[at];
      slope[at] += l2 * point[at];
    }
    return loss;
  };
  const point = minimum(lossAt, bias + classes, passes);
  return { w: point.slice(0, bias), b: point.slice(bias) };
}

/** So many of the last steps are remembered. */
const REMEMBERED = 8;

/** Where a smooth, convex function is least, after at most `passes` steps from zero. `lossAt(point, slope)` fills the slope and gives the loss. */
export function minimum(lossAt, size, passes) {
  let point = new Float64Array(size);
  let slope = new Float64Array(size);
  let loss = lossAt(point, slope);
  const steps = [];
  for (let pass = 0; pass < passes; pass += 1) {
    const way = downhill(slope, steps);
    const fall = dot(way, slope);
    let length = steps.length === 0 ? 1 / Math.sqrt(Math.max(1e-12, dot(slope, slope))) : 1;
    let next;
    let nextSlope;
    let nextLoss;
    do {
      next = point.map((each, at) => each + length * way[at]);
      nextSlope = new Float64Array(size);
      nextLoss = lossAt(next, nextSlope);
      length /= 2;
    } while (nextLoss > loss + 2e-4 * length * fall && length > 1e-10);
    const [by, change] = [next.map((each, at) => each - point[at]), nextSlope.map((each, at) => each - slope[at])];
    const curve = dot(by, change);
    if (curve > 1e-12) steps.push({ by, change, curve });
    if (steps.length > REMEMBERED) steps.shift();
    const gained = loss - nextLoss;
    [point, slope, loss] = [next, nextSlope, nextLoss];
    if (gained < 1e-7 * Math.abs(loss)) break;
  }
  return point;
}

/** Where to go: against the slope, bent by what the last steps told about the curve. */
function downhill(slope, steps) {
  const way = slope.map((each) => -each);
  const pulls = [];
  for (const { by, change, curve } of steps.toReversed()) {
    const pull = dot(by, way) / curve;
    pulls.push(pull);
    for (let at = 0; at < way.length; at += 1) way[at] -= pull * change[at];
  }
  const last = steps.at(-1);
  if (last) {
    const scale = last.curve / dot(last.change, last.change);
    for (let at = 0; at < way.length; at += 1) way[at] *= scale;
  }
  for (const { by, change, curve } of steps) {
    const push = pulls.pop() - dot(change, way) / curve;
    for (let at = 0; at < way.length; at += 1) way[at] += push * by[at];
  }
  return way;
}

function dot(one, other) {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += one[at] * other[at];
  return sum;
}

export function sumsOf({ w, b }, { at, value }, classes) {
  const sums = Float64Array.from(b);
  for (let f = 0; f < at.length; f += 1)
    for (let k = 0; k < classes; k += 1) sums[k] += value[f] * w[at[f] * classes + k];
  return sums;
}

export function softmax(sums, heat = 1) {
  const most = Math.max(...sums);
  const powers = sums.map((each) => Math.exp((each - most) / heat));
  const whole = powers.reduce((total, each) => total + each, 0);
  return powers.map((each) => each / whole);
}
