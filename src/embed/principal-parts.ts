// Fewer numbers for the same vectors: projects rows onto the directions in which they differ most. The basis is turned at random
// afterwards: the store compares signs first, and signs say most when all numbers vary alike.

export type Matrix = { readonly rows: number; readonly columns: number; readonly values: Float32Array };

const ROUNDS = 12;

/** Rows without their mean, with `width` numbers each. `pause` is called often: this takes seconds. */
export async function principalParts(matrix: Matrix, width: number, pause: () => Promise<void>): Promise<Float32Array> {
  const { rows, columns, values } = matrix;
  const mean = meanOf(matrix);
  const spread = await spreadOf(matrix, mean, pause);
  const random = randomNumbers(1);
  let basis = orthonormal(randomVectors(width, columns, random));
  for (let round = 0; round < ROUNDS; round++) {
    basis = orthonormal(basis.map((vector) => times(spread, vector)));
    await pause();
  }
  const turn = orthonormal(randomVectors(width, width, random));
  const axes = turn.map((weights) => mixed(weights, basis, columns));
  const out = new Float32Array(rows * width);
  const row = new Float64Array(columns);
  for (let at = 0; at < rows; at++) {
    for (let i = 0; i < columns; i++) row[i] = values[at * columns + i]! - mean[i]!;
    for (let axis = 0; axis < width; axis++) out[at * width + axis] = dot(axes[axis]!, row);
    if (at % 1_024 === 0) await pause();
  }
  return out;
}

function meanOf({ rows, columns, values }: Matrix): Float64Array {
  const mean = new Float64Array(columns);
  for (let i = 0; i < values.length; i++) mean[i % columns]! += values[i]! / rows;
  return mean;
}

/** The covariance, up to a factor. */
async function spreadOf(
  { rows, columns, values }: Matrix,
  mean: Float64Array,
  pause: () => Promise<void>,
): Promise<Float64Array[]> {
  const spread = Array.from({ length: columns }, () => new Float64Array(columns));
  const row = new Float64Array(columns);
  for (let at = 0; at < rows; at++) {
    for (let i = 0; i < columns; i++) row[i] = values[at * columns + i]! - mean[i]!;
    for (let i = 0; i < columns; i++) {
      const line = spread[i]!;
      const factor = row[i]!;
      for (let j = 0; j < columns; j++) line[j]! += factor * row[j]!;
    }
    if (at % 256 === 0) await pause();
  }
  return spread;
}

const times = (lines: readonly Float64Array[], vector: Float64Array): Float64Array =>
  Float64Array.from(lines, (line) => dot(line, vector));

function mixed(weights: Float64Array, vectors: readonly Float64Array[], length: number): Float64Array {
  const sum = new Float64Array(length);
  vectors.forEach((vector, at) => {
    const weight = weights[at]!;
    for (let i = 0; i < length; i++) sum[i]! += weight * vector[i]!;
  });
  return sum;
}

/** Gram and Schmidt, each vector against those before it, twice: once loses digits. */
function orthonormal(vectors: readonly Float64Array[]): Float64Array[] {
  const basis: Float64Array[] = [];
  for (const vector of vectors) {
    const rest = vector.slice();
    for (let pass = 0; pass < 2; pass++) {
      for (const axis of basis) {
        const share = dot(axis, rest);
        for (let i = 0; i < rest.length; i++) rest[i]! -= share * axis[i]!;
      }
    }
    const length = Math.sqrt(dot(rest, rest)) || 1;
    basis.push(rest.map((value) => value / length));
  }
  return basis;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

const randomVectors = (count: number, length: number, random: () => number): Float64Array[] =>
  Array.from({ length: count }, () => Float64Array.from({ length }, random));

/** From -1 to 1, the same on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) / 2 ** 23 - 1;
  };
}
