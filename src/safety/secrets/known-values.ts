// The values that were recognised as secrets, so that a later mention is masked although nothing beside it tells what it is. Within one
// text they are compared as they are; over a conversation, which is read in many runs, only a keyed hash of each is kept, never the value.
// A rolling hash over the text says where to look closer, so that the time hangs on the length of the text alone.

import type { Span } from './pattern.ts';
import { isMentionable } from './secret-value.ts';

/** One value as it is kept: its length, sixteen bits that say where to look, what it must be there, and the kind of secret. */
export type KnownValue = readonly [length: number, trace: number, digest: string, kind: string];

export type Mention = Required<Span> & { kind: string };

/** How values are compared: as they are, or as keyed hashes of them. */
export type Digest = { readonly of: (value: string) => string; readonly base: number };

/** Only ever in memory: the value stands for itself. */
const PLAIN: Digest = { of: (value) => value, base: 0x2c1b_3c6d };

/** More are in no conversation; a dump of thousands must not make every later line slow. The newest stay. */
const MOST_VALUES = 512;
const LONGEST = 1_024;
const WINDOW = 1 << 16;

let sums = new Uint32Array(1_024);

export class KnownValues {
  readonly #digest: Digest;
  #values: KnownValue[] = [];
  readonly #digests = new Set<string>();
  readonly #traces = new Map<number, { power: number; traces: Set<number> }>();

  readonly #also: KnownValues | undefined;

  /** `also`: values from elsewhere, which are found and never added to. */
  constructor(values: readonly KnownValue[] = [], digest: Digest = PLAIN, also?: KnownValues) {
    this.#digest = digest;
    this.#also = also;
    this.#values = [...values];
    for (const value of values) this.#index(value);
  }

  /** For the state of a conversation. */
  get values(): readonly KnownValue[] {
    return this.#values;
  }

  /** What is too short or too plain to be told from ordinary words is not learnt. */
  learn(value: string, kind: string): void {
    if (value.length > LONGEST || !isMentionable(value)) return;
    for (const form of writtenForms(value)) {
      const digest = this.#digest.of(form);
      if (!this.#digests.has(digest)) this.#add([form.length, traceOf(form, this.#digest.base), digest, kind]);
    }
  }

  /** Every mention, in order, not overlapping. */
  find(text: string): Mention[] {
    const found: Mention[] = [];
    if (this.#values.length === 0) return this.#also?.find(text) ?? found;
    for (let from = 0; from < text.length; from += WINDOW - LONGEST) {
      const last = found.at(-1)?.end ?? 0;
      const end = Math.min(text.length, from + WINDOW);
      this.#findIn(text, { from, end, after: last }, found);
      if (end === text.length) break;
    }
    return this.#also === undefined ? found : apart([...found, ...this.#also.find(text)]);
  }

  #findIn(text: string, { from, end, after }: { from: number; end: number; after: number }, found: Mention[]): void {
    const { base } = this.#digest;
    const size = end - from;
    if (sums.length <= size) sums = new Uint32Array(Math.max(2 * sums.length, size + 1));
    let sum = 0;
    for (let i = 0; i < size; i += 1) {
      sum = (Math.imul(sum, base) + text.charCodeAt(from + i) + 1) >>> 0;
      sums[i + 1] = sum;
    }
    let next = Math.max(0, after - from);
    for (let at = next; at < size; at += 1) {
      if (at < next || !isEdge(text, from + at)) continue;
      for (const [length, { power, traces }] of this.#traces) {
        const stop = at + length;
        if (stop > size) continue;
        const hash = (sums[stop]! - Math.imul(sums[at]!, power)) >>> 0;
        if (!traces.has((hash ^ (hash >>> 16)) & 0xffff) || !isEdge(text, from + stop)) continue;
        const mention = this.#confirm(text, from + at, from + stop);
        if (mention === undefined) continue;
        found.push(mention);
        next = stop;
        break;
      }
    }
  }

  #confirm(text: string, start: number, end: number): Mention | undefined {
    const value = text.slice(start, end);
    const digest = this.#digest.of(value);
    if (!this.#digests.has(digest)) return undefined;
    const kind = this.#values.find((known) => known[2] === digest)?.[3] ?? 'known-secret';
    return { start, end, tail: value.slice(-4), kind };
  }

  #add(value: KnownValue): void {
    this.#values.push(value);
    this.#index(value);
    if (this.#values.length <= MOST_VALUES) return;
    this.#values = this.#values.slice(-MOST_VALUES / 2);
    this.#digests.clear();
    this.#traces.clear();
    for (const each of this.#values) this.#index(each);
  }

  #index([length, trace, digest]: KnownValue): void {
    this.#digests.add(digest);
    const known = this.#traces.get(length);
    if (known) known.traces.add(trace);
    else this.#traces.set(length, { power: powerOf(this.#digest.base, length), traces: new Set([trace]) });
  }
}

/** In order; of two that overlap the first. */
function apart(mentions: Mention[]): Mention[] {
  let end = 0;
  return mentions
    .sort((a, b) => a.start - b.start)
    .filter((mention) => {
      if (mention.start < end) return false;
      end = mention.end;
      return true;
    });
}

/** As it is, in a URL, in a JSON string, in base64: what programs make of a value that they pass on. */
function writtenForms(value: string): Set<string> {
  const base64 = Buffer.from(value).toString('base64');
  const forms = new Set([value, JSON.stringify(value).slice(1, -1), base64, base64.replace(/=+$/, '')]);
  try {
    forms.add(encodeURIComponent(value));
  } catch {
    // half a surrogate pair: it stands in no URL
  }
  return forms;
}

function traceOf(value: string, base: number): number {
  let sum = 0;
  for (let i = 0; i < value.length; i += 1) sum = (Math.imul(sum, base) + value.charCodeAt(i) + 1) >>> 0;
  return (sum ^ (sum >>> 16)) & 0xffff;
}

function powerOf(base: number, exponent: number): number {
  let power = 1;
  for (let i = 0; i < exponent; i += 1) power = Math.imul(power, base);
  return power;
}

/** Between two letters or figures nothing begins or ends, unless the first belongs to an escape: `\n`, `%3D`. */
function isEdge(text: string, at: number): boolean {
  if (at === 0 || at >= text.length || !isWord(text.charCodeAt(at)) || !isWord(text.charCodeAt(at - 1))) return true;
  return text[at - 2] === '\\' || text[at - 3] === '%';
}

function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code > 191;
}
