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

/** The same for one vector and many others. */
export function cosineTo(query: Float32Array): (other: Float32Array) => number {
  const wanted = Float64Array.from(query);
  let bb = 0;
  for (let at = 0; at < wanted.length; at++) bb += wanted[at]! * wanted[at]!;
  return (other) => {
    let dot = 0;
    let aa = 0;
    for (let at = 0; at < other.length; at++) {
      const x = other[at]!;
      dot += x * wanted[at]!;
      aa += x * x;
    }
    return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
  };
}
