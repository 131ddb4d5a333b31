// Values compared by keyed hashes: what is kept of a secret over a conversation tells nobody what it was.

import { createHash, createHmac } from 'node:crypto';
import type { Digest } from './secrets/known-values.ts';

const HASH_DIGITS = 24;

export function keyedDigest(key: string): Digest {
  const base = createHash('sha256').update(`base ${key}`).digest().readUInt32LE(0) | 1;
  return { of: (value) => createHmac('sha256', key).update(value).digest('hex').slice(0, HASH_DIGITS), base };
}
