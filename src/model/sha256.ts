// SHA-256 of a text. The first texts of a process are digested by a little WebAssembly: loading node:crypto, with all of Node's
// streams behind it, cost the worker of one turn more than everything it hashes. Whoever goes on to hash much gets node:crypto.

import { hash } from 'node:crypto';
import { SHA256_CODE } from './sha256-code.ts';

/** So many characters, and node:crypto has paid for its loading. As UTF-8 they fit into the one page of memory. */
const FEW_CHARACTERS = 20_000;
let characters = 0;

/** In hexadecimal digits, of the text as UTF-8. */
export function sha256(text: string): string {
  characters += text.length;
  return (characters <= FEW_CHARACTERS ? inWebAssembly(text) : undefined) ?? hash('sha256', text, 'hex');
}

const DIGITS_AT = 576;
const DIGITS = 64;
const TEXT_AT = 1_024;

type Digest = (length: number) => void;

/** As much of it as is used here; TypeScript knows it from browsers only. */
type Wasm = {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (
    module: object,
  ) => { readonly exports: { readonly digest: Digest; readonly memory: { readonly buffer: ArrayBuffer } } };
};

let made: { readonly digest: Digest; readonly memory: Buffer } | 'impossible' | undefined;

function machine(): Exclude<typeof made, undefined> {
  try {
    const { Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
    const { digest, memory } = new Instance(new Module(Buffer.from(SHA256_CODE, 'base64'))).exports;
    return { digest, memory: Buffer.from(memory.buffer) };
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
