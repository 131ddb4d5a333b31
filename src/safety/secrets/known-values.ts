// The values that were recognised as secrets, so that a later mention is masked although nothing beside it tells what it is. Within one
// text they are compared as they are; over a conversation, which is read in many runs, only a keyed hash of each is kept, never the value.
// A rolling hash over the text says where to look closer, so that the time hangs on the length of the text alone.

import type { Span } from './pattern.ts';
import { isMentionable } from './secret-value.ts';

/** One value as it is kept: its length, sixteen bits that say where to look, what it must be there, and the kind of secret. */
export type KnownValue = readonly [length: number, trace: number, digest: string, kind: string];

export type Mention = Readonly<Required<Span> & { kind: string }>;

/** How values are compared: as they are, or as keyed hashes of them. */
export type Digest = { readonly of: (value: string) => string; readonly base: number };

/** Only ever in memory: the value stands for itself. */
const PLAIN: Digest = { of: (value) => value, base: 0x2c1b_3c6d };

/** More are in no conversation; a dump of thousands must not make every later line slow. The newest stay. */
const MOST_VALUES = 512;
const LONGEST = 1_024;
const WINDOW = 1 << 16;

/** Of a window of the text: the rolling hash up to each place, and whether something may begin or end there. */
let sums = new Uint32Array(1_024);
let edges = new Uint8Array(1_024);

/** The names of fields come again in every line, and so does what a line says, as a turn. */
const MOST_NAMES = 1_000;
const LONGEST_NAME = 64;
const WORTH_KEEPING = 200;
const MOST_CLEAN = 16;
/** So many are as quickly looked for one by one. */
const FEW_FORMS = 16;

/** All values of one length. */
type OfLength = { readonly length: number; readonly power: number; readonly traces: Set<number> };
/** A first look at all traces at once, whatever the length. */
const TRACE_BITS = 4_095;

export class KnownValues {
  readonly #digest: Digest;
  #values: KnownValue[] = [];
  readonly #digests = new Set<string>();
  #lengths: OfLength[] = [];
  #traces: Uint8Array | undefined;
  /** Texts and names without a mention of what is known by now. */
  #clean: string[] = [];
  #lastFound: { readonly text: string; readonly mentions: readonly Mention[] } | undefined;
  readonly #cleanNames = new Set<string>();
  /** All that is known, as it is written: nothing else can be mentioned. Only while the process runs, and only where it met all of them itself. */
  #forms: string[] | undefined = [];
  /** Values as they are, while the process runs: one that stands in every line is hashed once. */
  readonly #learnt = new Set<string>();
  readonly #also: KnownValues | undefined;

  /** `also`: values from elsewhere, which are found and never added to. */
  constructor(values: readonly KnownValue[] = [], digest: Digest = PLAIN, also?: KnownValues) {
    this.#digest = digest;
    this.#also = also;
    this.#values = [...values];
    for (const value of values) this.#index(value);
    if (values.length > 0) this.#forms = undefined;
  }

  /** For the state of a conversation. */
  get values(): readonly KnownValue[] {
    return this.#values;
  }

  /** What is too short or too plain to be told from ordinary words is not learnt. */
  learn(value: string, kind: string): void {
    if (value.length > LONGEST || this.#learnt.has(value) || !isMentionable(value)) return;
    this.#learnt.add(value);
    for (const form of writtenForms(value)) {
      const digest = this.#digest.of(form);
      if (this.#digests.has(digest)) continue;
      this.#add([form.length, traceOf(form, this.#digest.base), digest, kind]);
      if (this.#forms && this.#forms.push(form) > FEW_FORMS) this.#forms = undefined;
    }
  }

  /** Every mention, in order, not overlapping. */
  find(text: string): Mention[] {
    const found = this.#own(text);
    if (this.#also === undefined) return found;
    return this.#values.length === 0 ? this.#also.find(text) : apart([...found, ...this.#also.find(text)]);
  }

  /** The same question for the name of a field. */
  isIn(name: string): boolean {
    if (this.#cleanNames.has(name)) return false;
    if (this.find(name).length > 0) return true;
    if (this.#cleanNames.size >= MOST_NAMES) this.#cleanNames.clear();
    if (name.length <= LONGEST_NAME) this.#cleanNames.add(name);
    return false;
  }

  #own(text: string): Mention[] {
    const found: Mention[] = [];
    if (this.#values.length === 0) return found;
    const isLong = text.length >= WORTH_KEEPING;
    if (isLong && this.#clean.includes(text)) return found;
    if (this.#forms?.every((form) => !text.includes(form))) return found;
    if (text === this.#lastFound?.text) return [...this.#lastFound.mentions];
    for (let from = 0; from < text.length; from += WINDOW - LONGEST) {
      const last = found.at(-1)?.end ?? 0;
      const end = Math.min(text.length, from + WINDOW);
      this.#findIn(text, { from, end, after: last }, found);
      if (end === text.length) break;
    }
    if (isLong && found.length === 0 && this.#clean.unshift(text) > MOST_CLEAN) this.#clean.pop();
    if (isLong && found.length > 0) this.#lastFound = { text, mentions: [...found] };
    return found;
  }

  #findIn(text: string, { from, end, after }: { from: number; end: number; after: number }, found: Mention[]): void {
    const size = end - from;
    const lengths = this.#lengths;
    const traces = this.#traces!;
    sumUp(text, from, end, this.#digest.base);
    let next = Math.max(0, after - from);
    for (let at = next; at < size; at += 1) {
      if (edges[at] === 0 || at < next) continue;
      const before = sums[at]!;
      for (let each = 0; each < lengths.length; each += 1) {
        const known = lengths[each]!;
        const stop = at + known.length;
        if (stop > size || edges[stop] === 0) continue;
        const hash = (sums[stop]! - Math.imul(before, known.power)) >>> 0;
        const trace = (hash ^ (hash >>> 16)) & 0xffff;
        if (traces[trace & TRACE_BITS] === 0 || !known.traces.has(trace)) continue;
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
    this.#learnt.clear();
    this.#lengths = [];
    this.#traces = undefined;
    for (const each of this.#values) this.#index(each);
  }

  #index([length, trace, digest]: KnownValue): void {
    this.#digests.add(digest);
    this.#traces ??= new Uint8Array(TRACE_BITS + 1);
    this.#traces[trace & TRACE_BITS] = 1;
    const known = this.#lengths.find((each) => each.length === length);
    if (known) known.traces.add(trace);
    else this.#lengths.push({ length, power: powerOf(this.#digest.base, length), traces: new Set([trace]) });
    this.#clean = [];
    this.#lastFound = undefined;
    this.#cleanNames.clear();
  }
}

/** Fills `sums` and `edges` for a window of the text. */
function sumUp(text: string, from: number, end: number, base: number): void {
  const size = end - from;
  if (sums.length <= size) {
    sums = new Uint32Array(Math.max(2 * sums.length, size + 1));
    edges = new Uint8Array(sums.length);
  }
  let sum = 0;
  let wasWord = from > 0 && isWord(text.charCodeAt(from - 1));
  for (let i = 0; i < size; i += 1) {
    const code = text.charCodeAt(from + i);
    const word = isWord(code);
    edges[i] = wasWord && word && !isBehindEscape(text, from + i) ? 0 : 1;
    wasWord = word;
    sum = (Math.imul(sum, base) + code + 1) >>> 0;
    sums[i + 1] = sum;
  }
  const isInWord = end < text.length && wasWord && isWord(text.charCodeAt(end)) && !isBehindEscape(text, end);
  edges[size] = isInWord ? 0 : 1;
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
const isBehindEscape = (text: string, at: number): boolean =>
  text.charCodeAt(at - 2) === BACKSLASH || text.charCodeAt(at - 3) === PERCENT;

const BACKSLASH = 92;
const PERCENT = 37;

function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code > 191;
}
