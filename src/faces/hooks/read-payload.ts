// Reads a hook's standard input without trusting that it ends: the client may leave it open. It is done when the bytes
// are one whole JSON value, when the stream ends, or when nothing has come for a while.

import type { Readable } from 'node:stream';
import { isObject, type JsonObject } from '../../files/json-file.ts';

const FIRST_BYTE_MS = 1_500;
const PAUSE_MS = 1_000;
const MAX_BYTES = 32 * 1024 * 1024;

/** The payload; `undefined` if there was none. Throws if it is too large or not a JSON object. */
export async function readPayload(input: Readable): Promise<JsonObject | undefined> {
  const text = await readText(input);
  if (text.trim() === '') return undefined;
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error('the hook input is not a JSON object');
  return value;
}

function readText(input: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let timer = setTimeout(finish, FIRST_BYTE_MS);
    function finish(): void {
      clearTimeout(timer);
      input.removeAllListeners('data');
      input.pause();
      input.destroy();
      resolve(Buffer.concat(chunks).toString('utf8'));
    }
    input.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      clearTimeout(timer);
      if (size > MAX_BYTES) {
        input.destroy();
        reject(new Error(`the hook input is larger than ${MAX_BYTES} bytes`));
      } else if (endsWhole(chunk) && parses(Buffer.concat(chunks))) {
        finish();
      } else {
        timer = setTimeout(finish, PAUSE_MS);
      }
    });
    input.on('end', finish);
    input.on('error', finish);
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
