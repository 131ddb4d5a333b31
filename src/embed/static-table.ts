// The file of the static table: for each piece of the vocabulary its vector, rounded to bytes, with how much it counts. Laid out so that a
// hook opens it in well under a millisecond: the pieces are found by hash, not by name, and a prompt's few rows are read one by one.
//
//   header   magic, version, dimensions, tokens; the name of the content (24 characters)
//   slots    16 bits each: hash of a piece → its token
//   marks    32 bits for each token: a second hash, because two pieces may meet in one slot
//   scales   32-bit float for each token: weight of the piece × step of its row
//   rows     one byte for each number

import fs from 'node:fs';
import { isSystemError } from '../errors.ts';
import type { Vocabulary } from './wordpiece.ts';

const MAGIC = 0x4e52_4143;
/** Changes with the layout and with everything that changes a vector. */
export const STATIC_VERSION = 1;
const HEADER = 48;
const NAME_AT = 16;
const NAME_LENGTH = 24;
const SLOTS = 65_536;
const EMPTY = 0xffff;
const LONGEST_PIECE = 32;
/** More rows than a prompt has: then all are read at once. */
const FEW_ROWS = 512;

export type StaticTable = {
  readonly name: string;
  readonly dimensions: number;
  readonly vocabulary: Vocabulary;
  /** Adds the weighted row of a token. */
  addRow(token: number, sum: Float32Array): void;
  close(): void;
};

export type TableContent = {
  readonly name: string;
  readonly dimensions: number;
  /** Every piece with its token, from 0 on. */
  readonly pieces: ReadonlyMap<string, number>;
  /** One row for each token, weighted. */
  readonly rows: Float32Array;
};

export function tableBytes({ name, dimensions, pieces, rows }: TableContent): Uint8Array[] {
  const tokens = rows.length / dimensions;
  const header = Buffer.alloc(HEADER);
  [MAGIC, STATIC_VERSION, dimensions, tokens].forEach((value, at) => {
    header.writeUInt32LE(value, at * 4);
  });
  header.write(name.padEnd(NAME_LENGTH).slice(0, NAME_LENGTH), NAME_AT, 'latin1');
  const slots = new Uint16Array(SLOTS).fill(EMPTY);
  const marks = new Uint32Array(tokens);
  for (const [piece, token] of pieces) {
    const { slot, mark } = hashOf(piece);
    let at = slot;
    while (slots[at] !== EMPTY) at = (at + 1) % SLOTS;
    slots[at] = token;
    marks[token] = mark;
  }
  const { scales, bytes } = roundedRows(rows, dimensions);
  return [header, bytesOf(slots), bytesOf(marks), bytesOf(scales), bytesOf(bytes)];
}

/** `undefined` where there is no table, or one of another version. */
export function openTable(file: string): StaticTable | undefined {
  let descriptor: number;
  try {
    descriptor = fs.openSync(file, 'r');
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
  const table = readHead(descriptor);
  if (!table) fs.closeSync(descriptor);
  return table;
}

function readHead(descriptor: number): StaticTable | undefined {
  const header = readAt(descriptor, 0, HEADER);
  if (!header || header.readUInt32LE(0) !== MAGIC || header.readUInt32LE(4) !== STATIC_VERSION) return undefined;
  const dimensions = header.readUInt32LE(8);
  const tokens = header.readUInt32LE(12);
  const [slotBytes, tokenBytes] = [SLOTS * 2, tokens * 4];
  const rowsAt = HEADER + slotBytes + tokenBytes * 2;
  if (tokens >= EMPTY || fs.fstatSync(descriptor).size !== rowsAt + tokens * dimensions) return undefined;
  const head = readAt(descriptor, HEADER, rowsAt - HEADER);
  if (!head) return undefined;
  const slots = new Uint16Array(head.buffer, 0, SLOTS);
  const marks = new Uint32Array(head.buffer, slotBytes, tokens);
  const scales = new Float32Array(head.buffer, slotBytes + tokenBytes, tokens);
  const rowOf = rowReader(descriptor, rowsAt, { tokens, dimensions });
  return {
    name: header.toString('latin1', NAME_AT, NAME_AT + NAME_LENGTH).trim(),
    dimensions,
    vocabulary: { idOf: (piece) => tokenOf(piece, slots, marks), longest: LONGEST_PIECE },
    addRow: (token, sum) => {
      const scale = scales[token] ?? 0;
      if (scale === 0) return;
      const row = rowOf(token);
      for (let i = 0; i < dimensions; i++) sum[i]! += scale * row[i]!;
    },
    close: () => fs.closeSync(descriptor),
  };
}

function tokenOf(piece: string, slots: Uint16Array, marks: Uint32Array): number | undefined {
  const { slot, mark } = hashOf(piece);
  for (let at = slot; ; at = (at + 1) % SLOTS) {
    const token = slots[at]!;
    if (token === EMPTY) return undefined;
    if (marks[token] === mark) return token;
  }
}

function rowReader(
  descriptor: number,
  rowsAt: number,
  { tokens, dimensions }: { tokens: number; dimensions: number },
): (token: number) => Int8Array {
  let all: Int8Array | undefined;
  let read = 0;
  return (token) => {
    if (!all && read++ >= FEW_ROWS) all = signed(readAt(descriptor, rowsAt, tokens * dimensions));
    if (all) return all.subarray(token * dimensions, (token + 1) * dimensions);
    return signed(readAt(descriptor, rowsAt + token * dimensions, dimensions)) ?? new Int8Array(dimensions);
  };
}

const signed = (bytes: Buffer | undefined): Int8Array | undefined =>
  bytes && new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);

/** Into memory of its own, so that numbers of any width can be seen in it. */
function readAt(descriptor: number, from: number, length: number): Buffer | undefined {
  const bytes = Buffer.from(new ArrayBuffer(length));
  return fs.readSync(descriptor, bytes, 0, length, from) === length ? bytes : undefined;
}

/** Two hashes in one pass (FNV-1a and a multiplicative one). */
function hashOf(piece: string): { slot: number; mark: number } {
  let first = 0x811c_9dc5;
  let second = 0x9e37_79b9;
  for (let i = 0; i < piece.length; i++) {
    const unit = piece.charCodeAt(i);
    first = Math.imul(first ^ unit, 0x0100_0193);
    second = Math.imul(second, 0x85eb_ca6b) + unit;
    second ^= second >>> 13;
  }
  return { slot: (first ^ (first >>> 16)) & (SLOTS - 1), mark: second >>> 0 };
}

function roundedRows(rows: Float32Array, dimensions: number): { scales: Float32Array; bytes: Int8Array } {
  const scales = new Float32Array(rows.length / dimensions);
  const bytes = new Int8Array(rows.length);
  for (let token = 0; token < scales.length; token++) {
    const from = token * dimensions;
    let largest = 0;
    for (let i = from; i < from + dimensions; i++) largest = Math.max(largest, Math.abs(rows[i]!));
    if (largest === 0) continue;
    scales[token] = largest / 127;
    for (let i = from; i < from + dimensions; i++) bytes[i] = Math.round((rows[i]! * 127) / largest);
  }
  return { scales, bytes };
}

const bytesOf = (array: Uint16Array | Uint32Array | Float32Array | Int8Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
