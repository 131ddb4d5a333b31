// What the client called the lines of forgotten conversations, as keyed hashes: a fork copies lines with their names, and by these they
// are known again. ~/.cairn/forgotten-lines.bin has ten bytes for each line: six of its hash, and the four of the tombstone it is of.
// A file of its own, because forgotten.json is read by every hook and this only by who reads transcripts.

import fs from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../errors.ts';
import { atomicWrite } from './atomic-write.ts';

const NAME = 'forgotten-lines.bin';
const HASH_BYTES = 6;
const ID_BYTES = 4;
const RECORD = HASH_BYTES + ID_BYTES;
/** Ten megabytes, some thousand long conversations; beyond it the oldest go. Six bytes make a chance hit of one in 10⁸ then. */
const MAX_RECORDS = 1_000_000;

export const lineNamesFile = (userRoot: string): string => path.join(userRoot, NAME);

/** What is kept of a name: of its keyed hash in hexadecimal digits. */
export const shortName = (hash: string): number => Number.parseInt(hash.slice(0, 2 * HASH_BYTES), 16);

export class LineNames {
  readonly #sorted: Float64Array;

  constructor(names: Float64Array) {
    this.#sorted = names.sort();
  }

  get size(): number {
    return this.#sorted.length;
  }

  has(name: number): boolean {
    let [from, to] = [0, this.#sorted.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#sorted[middle]! < name) from = middle + 1;
      else to = middle;
    }
    return this.#sorted[from] === name;
  }
}

/** Of these tombstones: a killed writer may have left some of one that nobody knows. */
export function readLineNames(userRoot: string, ids: ReadonlySet<string>): LineNames {
  const bytes = bytesIn(userRoot);
  const wanted = new Set([...ids].map(idNumber));
  const names = new Float64Array(bytes.length / RECORD);
  let count = 0;
  for (let at = 0; at < bytes.length; at += RECORD)
    if (wanted.has(bytes.readUInt32BE(at + HASH_BYTES))) names[count++] = bytes.readUIntBE(at, HASH_BYTES);
  return new LineNames(names.subarray(0, count));
}

/** Tombstones are named by four bytes in hexadecimal digits. */
const idNumber = (id: string): number => Number.parseInt(id, 16);

/** Whole records only. */
function bytesIn(userRoot: string): Buffer {
  try {
    const bytes = fs.readFileSync(lineNamesFile(userRoot));
    return bytes.subarray(0, bytes.length - (bytes.length % RECORD));
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return Buffer.alloc(0);
    throw error;
  }
}

/** Doing it twice is doing it once. The caller holds the lock of forgotten.json. */
export function addLineNames(userRoot: string, id: string, names: Iterable<number>): void {
  const bytes = bytesIn(userRoot);
  const known = readLineNames(userRoot, new Set([id]));
  const added = [...new Set(names)].filter((name) => !known.has(name));
  if (added.length === 0) return;
  const more = Buffer.alloc(added.length * RECORD);
  added.forEach((name, index) => {
    more.writeUIntBE(name, index * RECORD, HASH_BYTES);
    more.writeUInt32BE(idNumber(id), index * RECORD + HASH_BYTES);
  });
  write(userRoot, Buffer.concat([bytes, more]).subarray(-MAX_RECORDS * RECORD));
}

/** Those of a tombstone, or some names of all. The caller holds the lock of forgotten.json. */
export function dropLineNames(userRoot: string, gone: { id: string } | { names: ReadonlySet<number> }): void {
  const bytes = bytesIn(userRoot);
  const isGone = (at: number): boolean =>
    'id' in gone
      ? bytes.readUInt32BE(at + HASH_BYTES) === idNumber(gone.id)
      : gone.names.has(bytes.readUIntBE(at, HASH_BYTES));
  const kept: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += RECORD) if (!isGone(at)) kept.push(bytes.subarray(at, at + RECORD));
  if (kept.length * RECORD < bytes.length) write(userRoot, Buffer.concat(kept));
}

function write(userRoot: string, bytes: Buffer): void {
  const file = lineNamesFile(userRoot);
  if (bytes.length === 0) fs.rmSync(file, { force: true });
  else atomicWrite(file, bytes, { mode: 0o600 });
}
