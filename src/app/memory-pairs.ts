// Which memories say the same twice, and which contradict each other: by their words alone. Pure. It proposes, a person settles: in doubt it
// says nothing, because an inbox that is mostly wrong is not read.

import { valuesOf } from '../extraction/relations/values.ts';
import { takenAway } from '../extraction/relations/wording.ts';
import { topicWords } from '../extraction/topic-words.ts';
import { readable } from '../model/readable.ts';
import type { Document } from '../store/store.ts';

export type Judgement = { readonly kind: 'double' | 'contradiction'; readonly why: string };
export type Pair = { readonly a: Document; readonly b: Document } & Judgement;

const LOOKED_AT = 500;
/** Of all words that either has, both have so many. */
const SAME = 0.6;
const SAME_TITLE = 0.8;
const FEWEST = 3;
/** Of the words that both are about, the shorter one has so many. */
const SAME_SUBJECT = 0.5;
/** A word of more memories than this tells nothing about any two of them. */
const COMMON = 60;

type Saying = {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly title: ReadonlySet<string>;
  readonly choice: Choice | undefined;
  readonly isDenied: boolean;
};

/** `use X for Y`: what was chosen, and what for. */
type Choice = {
  readonly chosen: ReadonlySet<string>;
  readonly purpose: ReadonlySet<string>;
  readonly chosenText: string;
};

const CHOICE =
  /\b(?:use|uses|using|used|choose|chose|prefer|adopt|adopted|pick|picked|go with|going with|went with|switch(?:ed)? to|move[d]? to|stick with|verwenden?|nutzen)\s+(.{2,60}?)\s+(?:for|as|to|when|in|on|für|als)\s+(.{3,80})/i;
const DENIED =
  /\b(?:not|never|no longer|don'?t|doesn'?t|do not|does not|must not|should not|shouldn'?t|mustn'?t|cannot|can'?t|avoid|without|stop|nicht|kein\w*|nie|jamais|ne pas|nunca)\b/gi;

function sayingOf(document: Document): Saying {
  const { title, meta } = document;
  const gist = typeof meta?.gist === 'string' ? meta.gist : '';
  const told = document.layer === 'trace' ? document.text : gist === '' ? document.text : gist;
  const text = readable((told.includes(title) ? told : `${title}. ${told}`).slice(0, LOOKED_AT));
  return {
    text,
    words: wordsIn(text.replace(DENIED, ' ')),
    title: wordsIn(title.replace(DENIED, ' ')),
    choice: choiceIn(text),
    isDenied: (text.match(DENIED)?.length ?? 0) % 2 === 1,
  };
}

const wordsIn = (text: string): ReadonlySet<string> => new Set(topicWords(text));

function choiceIn(text: string): Choice | undefined {
  const [, chosen = '', purpose = ''] = CHOICE.exec(text) ?? [];
  const found = { chosen: wordsIn(chosen), purpose: wordsIn(purpose.split(/[.;,]| because | since /)[0] ?? '') };
  return found.chosen.size > 0 && found.purpose.size > 0 ? { ...found, chosenText: chosen.trim() } : undefined;
}

const common = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => [...a].filter((word) => b.has(word)).length;
const shareOfAll = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const both = common(a, b);
  return both / Math.max(1, a.size + b.size - both);
};
const shareOfFewer = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  common(a, b) / Math.max(1, Math.min(a.size, b.size));

/** Which of these say the same twice or contradict each other; with `others`, each against those alone. */
export function pairsAmong(documents: readonly Document[], others?: readonly Document[]): Pair[] {
  const sayings = new Map([...documents, ...(others ?? [])].map((each) => [each, sayingOf(each)]));
  const withWord = new Map<string, Document[]>();
  for (const each of others ?? documents)
    for (const word of sayings.get(each)?.words ?? []) withWord.set(word, [...(withWord.get(word) ?? []), each]);
  const pairs: Pair[] = [];
  for (const a of documents) {
    const own = sayings.get(a);
    if (!own) continue;
    const shared = new Map<Document, number>();
    for (const word of own.words) {
      const having = withWord.get(word) ?? [];
      if (having.length <= COMMON) for (const b of having) shared.set(b, (shared.get(b) ?? 0) + 1);
    }
    for (const [b, count] of shared) {
      const theirs = sayings.get(b);
      if (b === a || count < 1 || theirs === undefined || (!others && isBefore(b, a))) continue;
      const judged = judge(own, theirs, { a, b });
      if (judged) pairs.push({ a, b, ...judged });
    }
  }
  return pairs;
}

/** Each two once. */
const isBefore = (a: Document, b: Document): boolean => a.ref < b.ref || (a.ref === b.ref && a.project < b.project);

function judge(one: Saying, other: Saying, { a, b }: { a: Document; b: Document }): Judgement | undefined {
  const against =
    otherChoice(one, other) ??
    otherValue(one, other) ??
    denied(one, other) ??
    (isLater(b, a) ? gone(other, one) : gone(one, other));
  if (against !== undefined) return { kind: 'contradiction', why: against };
  if (a.layer === 'trace' || b.layer === 'trace' || !isSameSort(a, b)) return undefined;
  const [titles, texts] = [shareOfAll(one.title, other.title), shareOfAll(one.words, other.words)];
  if (Math.min(one.words.size, other.words.size) < FEWEST) return undefined;
  if (titles >= SAME_TITLE && one.title.size >= FEWEST - 1) return { kind: 'double', why: 'the same title' };
  return texts >= SAME ? { kind: 'double', why: 'nearly the same words' } : undefined;
}

const isLater = (a: Document, b: Document): boolean => a.updatedAt > b.updatedAt;

/** A decision may be written down as a record and as a note; a runbook does not double a decision. */
const isSameSort = (a: Document, b: Document): boolean =>
  a.kind === b.kind || [a, b].every(({ kind }) => ['decision', 'preference', 'constraint'].includes(kind));

function otherChoice({ choice: one }: Saying, { choice: other }: Saying): string | undefined {
  if (!one || !other || common(one.chosen, other.chosen) > 0) return undefined;
  if (shareOfFewer(one.purpose, other.purpose) < SAME_SUBJECT) return undefined;
  // What the one has chosen may be what the other is about.
  if (common(one.chosen, other.purpose) + common(other.chosen, one.purpose) > 0) return undefined;
  return `${one.chosenText} or ${other.chosenText}, for the same`;
}

function otherValue(one: Saying, other: Saying): string | undefined {
  if (one.isDenied !== other.isDenied) return undefined;
  const [values, theirs] = [valuesOf(one.text), valuesOf(other.text)];
  for (const mine of values) {
    if (theirs.some(({ text }) => text === mine.text)) continue;
    for (const your of theirs) {
      if (your.kind !== mine.kind || values.some(({ text }) => text === your.text)) continue;
      const both = common(mine.words, your.words);
      if (both >= 2 && both >= SAME * Math.max(1, Math.min(mine.words.size, your.words.size)))
        return `${mine.text} or ${your.text}, of the same`;
    }
  }
  return undefined;
}

function denied(one: Saying, other: Saying): string | undefined {
  if (one.isDenied === other.isDenied || Math.min(one.words.size, other.words.size) < FEWEST - 1) return undefined;
  return shareOfAll(one.words, other.words) >= SAME ? 'one says it is so, the other that it is not' : undefined;
}

/** The later one says that what the earlier one is about is gone. */
function gone(later: Saying, earlier: Saying): string | undefined {
  if (takenAway(earlier.text).length > 0) return undefined;
  for (const { what } of takenAway(later.text)) {
    const words = wordsIn(what);
    const rest = new Set([...later.words].filter((word) => !words.has(word)));
    if (words.size === 0 || common(words, earlier.words) < words.size) continue;
    if (common(rest, earlier.words) >= 1 && shareOfFewer(later.words, earlier.words) >= SAME_SUBJECT)
      return `the later one says that ${what.trim()} is gone`;
  }
  return undefined;
}
