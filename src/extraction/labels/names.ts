// The names of features as numbers, so that nothing is put together as text while a conversation is read.

export type Name = { readonly text: string; readonly hash: number };

export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

export const named = (text: string): Name => ({ text, hash: hashOf(text) });

/** One number for two. */
export function keyOf(one: number, other: number): number {
  let key = Math.imul(one ^ (other >>> 15), 0x85ebca6b) ^ Math.imul(other, 0xc2b2ae35);
  key = Math.imul(key ^ (key >>> 13), 0x27d4eb2f);
  return (key ^ (key >>> 16)) >>> 0;
}
