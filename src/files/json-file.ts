// Reading JSON that somebody else may have written: bounded, strict about UTF-8, and with an error that names the file.

import { isAscii } from 'node:buffer';
import fs from 'node:fs';
import { CairnError, isSystemError, messageOf } from '../errors.ts';
import { isObject, type JsonObject } from '../model/json.ts';

/** Nothing that Cairn reads as one JSON value is larger than this; a bigger file is a mistake or an attack. */
export const MAX_JSON_BYTES = 4 * 1024 * 1024;

/** The bytes of a regular file; `undefined` if there is none. */
export function readBytes(file: string, maxBytes = MAX_JSON_BYTES): Buffer | undefined {
  return readWithStat(file, maxBytes)?.bytes;
}

/** The same with what the file was when it was opened. */
export function readWithStat(file: string, maxBytes: number): { bytes: Buffer; stat: fs.Stats } | undefined {
  let descriptor: number;
  try {
    // Without O_NONBLOCK a FIFO planted under this name would hang the reader for good.
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw unreadable(file, messageOf(error), error);
  }
  try {
    const stat = fs.fstatSync(descriptor);
    if (!stat.isFile()) throw unreadable(file, 'it is not a regular file');
    if (stat.size > maxBytes) throw unreadable(file, `it is larger than ${maxBytes} bytes`);
    return { bytes: readWhole(descriptor, stat.size), stat };
  } catch (error) {
    throw error instanceof CairnError ? error : unreadable(file, messageOf(error), error);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** One call instead of three for the common case; a file that grew meanwhile, or that tells no size, is read to its end. */
function readWhole(descriptor: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size + 1);
  const length = fs.readSync(descriptor, bytes, 0, size + 1, 0);
  return length === size && size > 0 ? bytes.subarray(0, size) : fs.readFileSync(descriptor);
}

/** The text of a file; `undefined` if there is none. Bytes that are not UTF-8 are an error, not a guess. */
export function readText(file: string, maxBytes = MAX_JSON_BYTES): string | undefined {
  const bytes = readBytes(file, maxBytes);
  return bytes === undefined ? undefined : decodeUtf8(bytes, file);
}

const SMALL_BYTES = 64 * 1024;
let small: Buffer | undefined;

/**
 * The same for one of thousands that are read one after the other: it asks nobody how large the file is, which takes as long as
 * reading it. `undefined` for all that is not a small file of a common kind; `readText` reads that, or says what is wrong.
 */
export function readSmallText(file: string): string | undefined {
  small ??= Buffer.allocUnsafeSlow(SMALL_BYTES);
  let length: number;
  try {
    const descriptor = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    try {
      length = fs.readSync(descriptor, small, 0, SMALL_BYTES, 0);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
  if (length === 0 || length === SMALL_BYTES) return undefined;
  const bytes = small.subarray(0, length);
  return isAscii(bytes) ? small.toString('latin1', 0, length) : decodeUtf8(bytes, file);
}

/** The same with a byte order mark, if it begins with one: for those who write the file again. */
export function readExactText(file: string, maxBytes = MAX_JSON_BYTES): string | undefined {
  const bytes = readBytes(file, maxBytes);
  if (bytes === undefined) return undefined;
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return (hasMark ? '\uFEFF' : '') + decodeUtf8(bytes, file);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

export function decodeUtf8(bytes: Uint8Array, file: string): string {
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    throw unreadable(file, 'it is not valid UTF-8', error);
  }
}

export function parseJsonObject(text: string, file: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw unreadable(file, `it is not JSON (${messageOf(error)})`, error);
  }
  if (!isObject(value)) throw unreadable(file, 'it does not hold a JSON object');
  if (text.length > DEPTH_CHECK_FROM && depthExceeds(value, MAX_DEPTH))
    throw unreadable(file, `it is nested deeper than ${MAX_DEPTH} levels`);
  return value;
}

const MAX_DEPTH = 200;
/** A shorter text cannot nest deep enough to exhaust the stack of the functions that walk it. */
const DEPTH_CHECK_FROM = 4_000;

/** Without recursion, because it guards the functions that recurse. */
function depthExceeds(root: unknown, limit: number): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return false;
}

function unreadable(file: string, why: string, cause?: unknown): CairnError {
  return new CairnError('READ_ERROR', `${file} cannot be read: ${why}.`, {
    details: [['target', file]],
    fix: 'Repair or remove the file; `cairn index --health` lists every file that cannot be read.',
    ...(cause === undefined ? {} : { cause }),
  });
}
