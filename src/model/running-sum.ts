// A checksum that grows with its text, line by line: whoever appends goes on from the sum of what is there and need not read it again.
// It tells damage (flipped bits, lost, swapped or foreign lines), not deceit: 64 bits, and each step can be undone, so a single
// character that changed is always noticed. Digests of node:crypto cannot be gone on with, and take longer to load than a turn to index.

/** Of nothing. */
export const FIRST_SUM = '9e3779b97f4a7c15';

export function runningSum(sum: string, lines: Iterable<string>): string {
  let [a, b] = [Number.parseInt(sum.slice(0, 8), 16), Number.parseInt(sum.slice(8), 16)];
  for (const line of lines) {
    const text = LONE.test(line) ? line.replace(EACH_LONE, '\ufffd') : line;
    for (let at = 0; at <= text.length; at++) {
      const code = at < text.length ? text.charCodeAt(at) : LINE_BREAK;
      a = Math.imul(((a << 5) | (a >>> 27)) ^ code, 2_654_435_761);
      b = Math.imul(((b << 11) | (b >>> 21)) ^ code, 1_597_334_677);
    }
  }
  return hex(a) + hex(b);
}

const LINE_BREAK = 0x0a;
/** Half a character becomes another one when it is written as UTF-8. */
const [LONE, EACH_LONE] = [/\p{Surrogate}/u, /\p{Surrogate}/gu];
const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');
