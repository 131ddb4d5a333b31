// Reads a hook's input without trusting that it ends: the client may leave it open. It is done when the bytes are one whole JSON
// value, when the input ends, or when nothing has come for a while; then the hook ends too, and leaves a line in the log.

import { isObject, type JsonObject, parseJson } from '../../model/json.ts';
import type { Input } from './standard-input.ts';

const FIRST_BYTE_MS = 1_500;
const PAUSE_MS = 1_000;
/** However it trickles in: the client has a limit too, and waits until then. */
const LONGEST_MS = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;

/** The payload; `undefined` if there was none. Throws if it is too large or not a JSON object. */
export async function readPayload(input: Input): Promise<JsonObject | undefined> {
  const { text, hasEnded } = await readText(input);
  if (text.trim() === '') {
    if (hasEnded) return undefined;
    throw new Error('the hook input stayed open and nothing came; nothing was done');
  }
  const value = parsed(text, hasEnded);
  if (!isObject(value)) throw new Error('the hook input is not a JSON object');
  return value;
}

/** The error of `JSON.parse` quotes the text, and what goes wrong here is logged: a prompt does not belong there. */
function parsed(text: string, hasEnded: boolean): unknown {
  const value = parseJson(text);
  if (value !== undefined) return value;
  const why = hasEnded ? 'is not JSON' : 'stayed open and is not whole; nothing was done';
  throw new Error(`the hook input ${why} (${text.length} characters)`);
}

function readText(input: Input): Promise<{ text: string; hasEnded: boolean }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const latest = Date.now() + LONGEST_MS;
    let timer = setTimeout(giveUp, FIRST_BYTE_MS);
    function finish(hasEnded: boolean): void {
      clearTimeout(timer);
      resolve({ text: Buffer.concat(chunks).toString('utf8'), hasEnded });
    }
    /** Timers come before what there is to read: on a busy machine it may be there already, and is read first. */
    function giveUp(): void {
      const before = chunks.length;
      setImmediate(() => chunks.length === before && finish(false));
    }
    input(function take(chunk) {
      clearTimeout(timer);
      if (!chunk) return finish(true);
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BYTES) return reject(new Error(`the hook input is larger than ${MAX_BYTES} bytes`));
      if (endsWhole(chunk) && parses(Buffer.concat(chunks))) return finish(true);
      timer = setTimeout(giveUp, Math.min(PAUSE_MS, Math.max(0, latest - Date.now())));
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

const parses = (bytes: Buffer): boolean => parseJson(bytes.toString('utf8')) !== undefined;
