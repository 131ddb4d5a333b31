// Finds secrets in a text in one pass. Every pattern has anchors; the three rarest letters of each anchor go into a
// table of all three-letter combinations (folded to five bits each, so that case does not matter), and the scan only
// stops where the table says so. Ordinary text costs a table look-up per character and nothing else.
import { lazy } from '../../model/lazy.ts';
import type { KnownValues, Mention } from './known-values.ts';
import type { SecretPattern, Span } from './pattern.ts';
import { secretPatterns } from './secret-patterns.ts';

export type FoundSecret = Readonly<Required<Span> & { kind: string }>;

type Anchor = { text: string; offset: number; first: number; pattern: SecretPattern; rank: number };
/**
 * `slots`: for each combination of three letters the number of its bucket. `before`, `behind`: for each bucket the letters that may stand beside
 * the three, a bit each; most stops end there.
 */
type AnchorTable = {
  patterns: readonly SecretPattern[];
  slots: Uint16Array;
  before: Int32Array;
  behind: Int32Array;
  buckets: Anchor[][];
};

const COMBINATIONS = 1 << 15;
// The mask is only trusted in exactly the form that redact writes; it hides four characters at most.
export const MASK = /\[redacted:[a-z0-9-]{1,40}:…[^\s[\]]{0,4}\]/g;

const patterns = lazy(secretPatterns);
let table: AnchorTable | undefined;
let looked = 0;
/** A hook looks through a prompt or two. The table of all anchors is worth making for whoever looks through more. */
const FEW_CHARACTERS = 8_192;
const EACH_TEXT = 1_024;

/** All secrets, in order, not overlapping. Masks that redact wrote earlier are never touched. */
export function findSecrets(text: string): FoundSecret[] {
  if (text.length < 3 || isKnownClean(text)) return [];
  if (text === lastFound.text) return [...lastFound.secrets];
  const own = table ?? tableFor(text);
  const hits = collect(text, own);
  if (hits.length === 0) keepClean(text);
  if (hits.length === 0) return [];
  const secrets = merge(text, withoutMasks(text, hits), own.patterns);
  if (text.length >= WORTH_KEEPING) lastFound = { text, secrets };
  return [...secrets];
}

function tableFor(text: string): AnchorTable {
  looked += text.length + EACH_TEXT;
  if (looked <= FEW_CHARACTERS) return buildTable(patterns(), windowsOf(text));
  table = buildTable(patterns());
  return table;
}

/** On its way into the store the same text is looked through several times: in its line, as a turn, as a statement. */
const clean: string[] = new Array<string>(16).fill('');
let oldest = 0;
/** A shorter one is as quickly looked through. */
const WORTH_KEEPING = 200;
/** The last text that holds some: whether it does, what it teaches and what is masked in it are three questions. */
let lastFound: { readonly text: string; readonly secrets: readonly FoundSecret[] } = { text: '', secrets: [] };

const isKnownClean = (text: string): boolean => text.length >= WORTH_KEEPING && clean.includes(text);

function keepClean(text: string): void {
  if (text.length < WORTH_KEEPING) return;
  clean[oldest] = text;
  oldest = (oldest + 1) % clean.length;
}

/**
 * The same with every other mention of a value that is known: from this text, and from what was read before. The values of this text are
 * learnt.
 */
export function findMentions(text: string, known: KnownValues): FoundSecret[] {
  const secrets = learnFrom(text, known);
  const mentions = known.find(text);
  return mentions.length === 0 ? secrets : joined(secrets, outsideMasks(text, mentions));
}

/** What a text gives away, for texts that nobody keeps. */
export function learnFrom(text: string, known: KnownValues): FoundSecret[] {
  const secrets = findSecrets(text);
  for (const { start, end, kind } of secrets) if (!BLOCKS.has(kind)) known.learn(text.slice(start, end), kind);
  return secrets;
}

/** Their frame tells them wherever they stand. */
const BLOCKS: ReadonlySet<string> = new Set(['private-key']);

function joined(secrets: readonly FoundSecret[], mentions: readonly Mention[]): FoundSecret[] {
  const all: { -readonly [Key in keyof FoundSecret]: FoundSecret[Key] }[] = [];
  for (const each of [...secrets, ...mentions].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1);
    if (last === undefined || each.start >= last.end) all.push({ ...each });
    else if (each.end > last.end) [last.end, last.tail] = [each.end, each.tail];
  }
  return all;
}

function outsideMasks(text: string, mentions: readonly Mention[]): readonly Mention[] {
  if (!text.includes('[redacted:')) return mentions;
  const masks = Array.from(text.matchAll(MASK), ({ index, 0: mask }) => ({ start: index, end: index + mask.length }));
  let at = 0;
  return mentions.filter(({ start, end }) => {
    while (at < masks.length && masks[at]!.end <= start) at += 1;
    return at >= masks.length || masks[at]!.start >= end;
  });
}

type Hit = Span & { rank: number };

const NO_HITS: Hit[] = [];

function collect(text: string, table: AnchorTable): Hit[] {
  // Most texts are short and have no such place: nothing is made for them.
  const first = nextStop(text, table, 2);
  return first < text.length ? collectFrom(text, first, table) : NO_HITS;
}

function collectFrom(text: string, first: number, table: AnchorTable): Hit[] {
  const { slots, buckets } = table;
  let hits = NO_HITS;
  let resumeAt: Map<SecretPattern, number> | undefined;
  for (let i = first; i < text.length; i = nextStop(text, table, i + 1)) {
    const bucket = buckets[slots[fold(text, i - 2)]!]!;
    for (let each = 0; each < bucket.length; each += 1) {
      const anchor = bucket[each]!;
      const at = i - 2 - anchor.offset;
      // Most stops are for three letters of an ordinary word: its first one tells.
      if (at < 0 || (text.charCodeAt(at) | 32) !== anchor.first || !isAnchorAt(text, at, anchor)) continue;
      if (resumeAt !== undefined && at < (resumeAt.get(anchor.pattern) ?? 0)) continue;
      const span = anchor.pattern.find(text, at, anchor.text);
      if (span === undefined) continue;
      if (hits === NO_HITS) hits = [];
      hits.push({ ...span, rank: anchor.rank });
      resumeAt ??= new Map();
      resumeAt.set(anchor.pattern, span.end);
    }
  }
  return hits;
}

/** The next position where three letters end that are in the table, between letters that fit. On its own, because all the time is spent here. */
function nextStop(text: string, { slots, before, behind }: AnchorTable, from: number): number {
  if (text.length < 3) return text.length;
  let window = ((text.charCodeAt(from - 2) & 31) << 5) | (text.charCodeAt(from - 1) & 31);
  for (let i = from; i < text.length; i += 1) {
    window = ((window << 5) | (text.charCodeAt(i) & 31)) & (COMBINATIONS - 1);
    const slot = slots[window]!;
    if (slot !== 0 && hasLetter(behind[slot]!, text, i + 1) && hasLetter(before[slot]!, text, i - 3)) return i;
  }
  return text.length;
}

const EVERY_LETTER = -1;

/** Outside of the text there is none: `charCodeAt` gives NaN there, which counts as a sign that some anchors may have. */
const hasLetter = (letters: number, text: string, at: number): boolean =>
  ((letters >>> (text.charCodeAt(at) & 31)) & 1) !== 0;

const letterBit = (text: string, at: number): number =>
  at >= 0 && at < text.length ? 1 << (text.charCodeAt(at) & 31) : EVERY_LETTER;

function isAnchorAt(text: string, at: number, anchor: Anchor): boolean {
  if (!anchor.pattern.ignoreCase) return text.startsWith(anchor.text, at);
  for (let i = 0; i < anchor.text.length; i += 1) {
    const code = text.charCodeAt(at + i);
    if ((code >= 65 && code <= 90 ? code + 32 : code) !== anchor.text.charCodeAt(i)) return false;
  }
  return true;
}

/** Drops hits that touch an earlier mask, unless they enclose it whole (a key block around it). */
function withoutMasks(text: string, hits: Hit[]): Hit[] {
  if (!text.includes('[redacted:')) return hits;
  const masks = Array.from(text.matchAll(MASK), (mask) => ({ start: mask.index, end: mask.index + mask[0].length }));
  if (masks.length === 0) return hits;
  const sorted = hits.toSorted((a, b) => a.start - b.start);
  let first = 0;
  return sorted.filter((hit) => {
    while (first < masks.length && masks[first]!.end <= hit.start) first += 1;
    for (let i = first; i < masks.length && masks[i]!.start < hit.end; i += 1) {
      const mask = masks[i]!;
      const encloses = hit.start < mask.start && mask.end < hit.end && text.startsWith('-', hit.start);
      if (!encloses) return false;
    }
    return true;
  });
}

/** Joins overlapping hits: all of their text goes, under the name of the most specific one. */
function merge(text: string, hits: Hit[], patterns: readonly SecretPattern[]): FoundSecret[] {
  const merged: Hit[] = [];
  for (const hit of hits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || hit.start >= last.end) {
      merged.push({ ...hit });
      continue;
    }
    if (hit.end > last.end) {
      last.end = hit.end;
      if (hit.tail === undefined) delete last.tail;
      else last.tail = hit.tail;
    }
    last.rank = Math.min(last.rank, hit.rank);
  }
  return merged.map(({ start, end, tail, rank }) => ({
    start,
    end,
    tail: tail ?? text.slice(start, end).slice(-4),
    kind: patterns[rank]!.kind,
  }));
}

// Plain loops: this runs once per process, before anything is compiled, and hooks wait for it. `only`: three letters in a row that an anchor
// must begin with; what does not stand in a text is not looked for in it.
function buildTable(patterns: readonly SecretPattern[], only?: Uint8Array): AnchorTable {
  const slots = new Uint16Array(COMBINATIONS);
  const buckets: Anchor[][] = [[]];
  const before: number[] = [0];
  const behind: number[] = [0];
  for (let rank = 0; rank < patterns.length; rank += 1) {
    const pattern = patterns[rank]!;
    const { anchors } = pattern;
    for (let each = 0; each < anchors.length; each += 1) {
      const text = anchors[each]!;
      if (only !== undefined && only[fold(text, 0)] === 0) continue;
      const offset = rarestThree(text);
      const window = fold(text, offset);
      let slot = slots[window]!;
      if (slot === 0) {
        slot = buckets.push([]) - 1;
        slots[window] = slot;
        before.push(0);
        behind.push(0);
      }
      buckets[slot]!.push({ text, offset, first: text.charCodeAt(0) | 32, pattern, rank });
      before[slot]! |= letterBit(text, offset - 1);
      behind[slot]! |= letterBit(text, offset + 3);
    }
  }
  return { patterns, slots, before: Int32Array.from(before), behind: Int32Array.from(behind), buckets };
}

function windowsOf(text: string): Uint8Array {
  const windows = new Uint8Array(COMBINATIONS);
  let window = ((text.charCodeAt(0) & 31) << 5) | (text.charCodeAt(1) & 31);
  for (let i = 2; i < text.length; i += 1) {
    window = ((window << 5) | (text.charCodeAt(i) & 31)) & (COMBINATIONS - 1);
    windows[window] = 1;
  }
  return windows;
}

function fold(text: string, offset: number): number {
  return (
    ((text.charCodeAt(offset) & 31) << 10) |
    ((text.charCodeAt(offset + 1) & 31) << 5) |
    (text.charCodeAt(offset + 2) & 31)
  );
}

// How rare each letter is, `a` to `z`, as `a` (most common) to `z`; everything that is not a letter is rarer still.
const RARITY = 'cqkjapqidxvlnfeoyhgbmtruwz';

/** Which three letters in a row of an anchor stop the scan least often. */
function rarestThree(anchor: string): number {
  let best = 0;
  let bestScore = -1;
  let first = 0;
  let second = 0;
  for (let end = 0; end < anchor.length; end += 1) {
    const letter = (anchor.charCodeAt(end) | 32) - 97;
    const third = letter >= 0 && letter < 26 ? RARITY.charCodeAt(letter) - 97 : 27;
    if (end >= 2 && first + second + third > bestScore) {
      best = end - 2;
      bestScore = first + second + third;
    }
    first = second;
    second = third;
  }
  return best;
}
