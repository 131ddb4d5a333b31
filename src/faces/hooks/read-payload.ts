// Reads a hook's standard input without trusting that it ends: the client may leave it open. It is done when the bytes
// are one whole JSON value, when the input ends, or when nothing has come for a while.

import fs from 'node:fs';
import type { Readable } from 'node:stream';
import { isSystemError } from '../../errors.ts';
import { isObject, type JsonObject } from '../../files/json-file.ts';

/** Gives one chunk each time it is asked; `undefined` is the end. */
export type Input = (give: (chunk: Buffer | undefined) => void) => void;

const FIRST_BYTE_MS = 1_500;
const PAUSE_MS = 1_000;
const MAX_BYTES = 32 * 1024 * 1024;
const STDIN = 0;
const CHUNK = 64 * 1024;

/** The payload; `undefined` if there was none. Throws if it is too large or not a JSON object. */
export async function readPayload(input: Input): Promise<JsonObject | undefined> {
  const text = await readText(input);
  if (text.trim() === '') return undefined;
  const value = parsed(text);
  if (!isObject(value)) throw new Error('the hook input is not a JSON object');
  return value;
}

/** The error of `JSON.parse` quotes the text, and what goes wrong here is logged: a prompt does not belong there. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`the hook input is not JSON (${text.length} characters)`);
  }
}

function readText(input: Input): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let timer = setTimeout(finish, FIRST_BYTE_MS);
    function finish(): void {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('utf8'));
    }
    input(function take(chunk) {
      clearTimeout(timer);
      if (!chunk) return finish();
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BYTES) return reject(new Error(`the hook input is larger than ${MAX_BYTES} bytes`));
      if (endsWhole(chunk) && parses(Buffer.concat(chunks))) return finish();
      timer = setTimeout(finish, PAUSE_MS);
      input(take);
    });
  });
}

/** Only a chunk that ends like a JSON object is worth trying to parse: else a large payload would be parsed many times. */
function endsWhole(chunk: Buffer): boolean {
  let last = chunk.length - 1;
  while (last >= 0 && (chunk[last] === 0x0a || chunk[last] === 0x0d || chunk[last] === 0x20)) last--;
  return last < 0 || chunk[last] === 0x7d;
}

function parses(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/**
 * Standard input, read by its descriptor: the streams that `process.stdin` needs cost more to load than the work of most hooks.
 * `isWaiting` tells of a read that has not come back; `process.exit` would wait for it. What is no pipe, socket or file (a
 * terminal) or does not wait for its data is read as a stream.
 */
export function standardInput(): { readonly input: Input; isWaiting(): boolean } {
  let isWaiting = false;
  let read: Input = isPlain(STDIN) ? fromDescriptor : fromStream(process.stdin);
  function fromDescriptor(give: (chunk: Buffer | undefined) => void): void {
    const chunk = Buffer.allocUnsafe(CHUNK);
    isWaiting = true;
    fs.read(STDIN, chunk, 0, CHUNK, null, (error, bytes) => {
      isWaiting = false;
      if (error && isSystemError(error, 'EAGAIN')) {
        read = fromStream(process.stdin);
        return read(give);
      }
      give(error || bytes === 0 ? undefined : chunk.subarray(0, bytes));
    });
  }
  return { input: (give) => read(give), isWaiting: () => isWaiting };
}

function isPlain(descriptor: number): boolean {
  try {
    const kind = fs.fstatSync(descriptor);
    return kind.isFIFO() || kind.isSocket() || kind.isFile();
  } catch {
    return false; // closed: the stream knows what to do
  }
}

function fromStream(stream: Readable): Input {
  return (give) => {
    const once = (chunk: Buffer | undefined): void => {
      stream.off('data', once).off('end', end).off('error', end).pause();
      give(chunk);
    };
    const end = (): void => once(undefined);
    stream.on('data', once).on('end', end).on('error', end);
  };
}
