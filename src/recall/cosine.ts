// How near two vectors are: 1 the same direction, 0 nothing in common.

export function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    dot += a[at]! * b[at]!;
    aa += a[at]! * a[at]!;
    bb += b[at]! * b[at]!;
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
}
