// The order of text in every store: by UTF-8 bytes, which is by code point. JavaScript's own order goes by UTF-16
// units and a database's by its collation; answers must not depend on either.

export function compareText(a: string, b: string): number {
  if (a === b) return 0; // the same project, mostly
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one !== other) return rank(one) - rank(other);
  }
  return a.length - b.length;
}

// Surrogates (D800–DFFF) stand for code points above FFFF, so they come after E000–FFFF.
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
