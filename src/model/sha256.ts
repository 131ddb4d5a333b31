// SHA-256 of a text. The first texts of a process are digested by a little WebAssembly: loading node:crypto, with all of Node's
// streams behind it, cost the worker of one turn more than everything it hashes. Whoever goes on to hash much gets node:crypto.

import { hash } from 'node:crypto';

/** So many characters, and node:crypto has paid for its loading. As UTF-8 they fit into the one page of memory. */
const FEW_CHARACTERS = 20_000;
let characters = 0;

/** In hexadecimal digits, of the text as UTF-8. */
export function sha256(text: string): string {
  characters += text.length;
  return (characters <= FEW_CHARACTERS ? inWebAssembly(text) : undefined) ?? hash('sha256', text, 'hex');
}

/**
 * (func schedule (param $at i32)  the 64 words of the block at $at, to byte 0)
 * (func first)                    rounds 0 to 31, from the state at 512 to the one at 544
 * (func second)                   rounds 32 to 63, from 544, added to the state at 512
 * (func d (param $length i32)     pads the text at 1024, takes block after block, writes the digits to 576)
 * with the constants of the rounds at 256 and the memory exported as m. The rounds are two functions because V8 compiles one anew
 * when it has run for a while, which the few texts of a turn should not bring about. A test compares it with node:crypto.
 */
const CODE =
  'AGFzbQEAAAABCAJgAX8AYAAAAwUEAAEBAAUDAQABBwkCAW0CAAFkAAMK7QcEiwEBAn8DQCABIAAgAWooAoAIIgJBCHdB/4H8B3EgAkEIeEGA/oN4cXI2Ag' +
  'AgAUEEaiIBQcAASQ0AC0EAIQEDQCABIAEoAgAgASgCJGogASgCBCICQQd4IAJBEnhzIAJBA3ZzaiABKAI4IgJBEXggAkETeHMgAkEKdnNqNgJAIAFBBGoi' +
  'AUHAAUkNAAsLiwIBCn9BACgCgAQhAEEAKAKEBCEBQQAoAogEIQJBACgCjAQhA0EAKAKQBCEEQQAoApQEIQVBACgCmAQhBkEAKAKcBCEHA0AgByAEQQZ4IA' +
  'RBC3hzIARBGXhzaiAGIAQgBSAGc3FzaiAIKAKAAmogCCgCAGohCSAGIQcgBSEGIAQhBSADIAlqIQQgAEECeCAAQQ14cyAAQRZ4cyAAIAFxIAIgACABcnFy' +
  'aiAJaiEJIAIhAyABIQIgACEBIAkhACAIQQRqIghBgAFJDQALQQAgADYCoARBACABNgKkBEEAIAI2AqgEQQAgAzYCrARBACAENgKwBEEAIAU2ArQEQQAgBj' +
  'YCuARBACAHNgK8BAvIAgEKf0EAKAKgBCEAQQAoAqQEIQFBACgCqAQhAkEAKAKsBCEDQQAoArAEIQRBACgCtAQhBUEAKAK4BCEGQQAoArwEIQdBgAEhCANA' +
  'IAcgBEEGeCAEQQt4cyAEQRl4c2ogBiAEIAUgBnNxc2ogCCgCgAJqIAgoAgBqIQkgBiEHIAUhBiAEIQUgAyAJaiEEIABBAnggAEENeHMgAEEWeHMgACABcS' +
  'ACIAAgAXJxcmogCWohCSACIQMgASECIAAhASAJIQAgCEEEaiIIQYACSQ0AC0EAQQAoAoAEIABqNgKABEEAQQAoAoQEIAFqNgKEBEEAQQAoAogEIAJqNgKI' +
  'BEEAQQAoAowEIANqNgKMBEEAQQAoApAEIARqNgKQBEEAQQAoApQEIAVqNgKUBEEAQQAoApgEIAZqNgKYBEEAQQAoApwEIAdqNgKcBAuGAgEDfyAAQcgAak' +
  'FAcSEBIABBgAhqQQAgASAAa/wLACAAQYABOgCACCABIABBA3RBAHY6AP8HIAEgAEEDdEEIdjoA/gcgASAAQQN0QRB2OgD9B0EAQefMp9AGNgKABEEAQYXd' +
  'ntt7NgKEBEEAQfLmu+MDNgKIBEEAQbrqv6p6NgKMBEEAQf+kuYgFNgKQBEEAQYzRldh5NgKUBEEAQauzj/wBNgKYBEEAQZmag98FNgKcBANAIAIQABABEA' +
  'IgAkHAAGoiAiABSQ0ACwNAIAMgA0EBdkF8cSgCgARBByADa0ECdHZBD3EiAkEwaiACQQlLQSdsajoAwAQgA0EBaiIDQcAASQ0ACwsLiAIBAEGAAguAApgv' +
  'ikKRRDdxz/vAtaXbtelbwlY58RHxWaSCP5LVXhyrmKoH2AFbgxK+hTEkw30MVXRdvnL+sd6Apwbcm3Txm8HBaZvkhke+78adwQ/MoQwkbyzpLaqEdErcqb' +
  'Bc2oj5dlJRPphtxjGoyCcDsMd/Wb/zC+DGR5Gn1VFjygZnKSkUhQq3JzghGy78bSxNEw04U1RzCmW7Cmp2LsnCgYUscpKh6L+iS2YaqHCLS8KjUWzHGeiS' +
  '0SQGmdaFNQ70cKBqEBbBpBkIbDceTHdIJ7W8sDSzDBw5SqrYTk/KnFvzby5o7oKPdG9jpXgUeMiECALHjPr/vpDrbFCk96P5vvJ4ccY=';
const DIGITS_AT = 576;
const DIGITS = 64;
const TEXT_AT = 1_024;

type Digest = (length: number) => void;

/** As much of it as is used here; TypeScript knows it from browsers only. */
type Wasm = {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (
    module: object,
  ) => { readonly exports: { readonly d: Digest; readonly m: { readonly buffer: ArrayBuffer } } };
};

let made: { readonly digest: Digest; readonly memory: Buffer } | 'impossible' | undefined;

function machine(): Exclude<typeof made, undefined> {
  try {
    const { Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
    const { d, m } = new Instance(new Module(Buffer.from(CODE, 'base64'))).exports;
    return { digest: d, memory: Buffer.from(m.buffer) };
  } catch {
    return 'impossible';
  }
}

/** Undefined where the machine or the limits of the process do not allow it, and of a long text. */
export function inWebAssembly(text: string): string | undefined {
  if (text.length > FEW_CHARACTERS) return undefined;
  made ??= machine();
  if (made === 'impossible') return undefined;
  const { digest, memory } = made;
  digest(memory.write(text, TEXT_AT, 'utf8'));
  return memory.toString('latin1', DIGITS_AT, DIGITS_AT + DIGITS);
}
