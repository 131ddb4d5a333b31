// Rewrites a file to which others append lines meanwhile. They take no lock, because hooks must not wait for one; so what came to the old file
// while the new one was written, or comes from somebody who had opened it before, is brought over until it is quiet.

import fs from 'node:fs';
import { atomicWrite } from './atomic-write.ts';

const POLL_MS = 10;
/** Whoever appends opens, writes one line and closes. */
const QUIET_POLLS = 8;
const NEWLINE = 0x0a;

/** Whether a file is one that lines are appended to. */
export const isLog = (file: string): boolean => /\.jsonl$|\.log(?:\.\d+)?$/.test(file);

/** `change` gets whole lines, and at the end of the file perhaps half a one that a killed writer left. True if something was changed. */
export function rewriteLog(file: string, change: (text: string) => string): boolean {
  const descriptor = fs.openSync(file, 'r');
  try {
    const old = new Lines(descriptor);
    const before = old.next() + old.halfLine();
    const after = change(before);
    if (after === before) return false;
    atomicWrite(file, after, { mode: 0o600 });
    const bringOver = (more: string): void => {
      if (more !== '') fs.appendFileSync(file, change(more), { mode: 0o600 });
    };
    for (let quiet = 0; quiet < QUIET_POLLS; quiet++) {
      sleep();
      const more = old.next();
      if (more !== '') quiet = 0;
      bringOver(more);
    }
    bringOver(old.halfLine());
    return true;
  } finally {
    fs.closeSync(descriptor);
  }
}

class Lines {
  readonly #descriptor: number;
  #at = 0;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** Whole lines that have come since. */
  next(): string {
    const bytes = this.#rest();
    return this.#taken(bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1));
  }

  /** What is behind the last line, once nobody writes on it any more; as many lines as have come of it. */
  halfLine(): string {
    let bytes = this.#rest();
    for (let quiet = 0; bytes.length > 0 && bytes.at(-1) !== NEWLINE && quiet < QUIET_POLLS; quiet++) {
      sleep();
      const now = this.#rest();
      if (now.length > bytes.length) quiet = 0;
      bytes = now;
    }
    return this.#taken(bytes);
  }

  #taken(bytes: Buffer): string {
    this.#at += bytes.length;
    return bytes.toString('utf8');
  }

  #rest(): Buffer {
    const length = Math.max(0, fs.fstatSync(this.#descriptor).size - this.#at);
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, length === 0 ? 0 : fs.readSync(this.#descriptor, bytes, 0, length, this.#at));
  }
}

const sleep = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
