// A short name for a text: to tell whether it is the same one, never to keep it secret or safe. Loading node:crypto would cost a
// hook more than all else it does with it.

const LONGEST = 20_000;

/** 64 bits as 16 hexadecimal digits; of a very long text its beginning, and its length. */
export function shortHash(text: string): string {
  let [a, b] = [0xdeadbeef ^ text.length, 0x41c6ce57 ^ text.length];
  for (let at = 0; at < Math.min(text.length, LONGEST); at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return hex(a) + hex(b);
}

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');
