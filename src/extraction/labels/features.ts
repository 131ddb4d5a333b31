// What the labels of a statement are judged by: where it stands in its exchange, its shape, what stands above and beside it, what was
// asked and what followed, and its words. A feature is a number made of two hashes, so that nothing is put together as text while a
// conversation is read; `explain` gives the names back.

import { lazy } from '../../model/lazy.ts';
import { withoutQuotations } from '../../safety/quotations.ts';
import type { Statement } from '../statements/statement.ts';
import { keyOf, type Name, named } from './names.ts';
import { Outline } from './sections.ts';
import { AGREES, ASKS, BESIDE, COMMITS, SHAPE_NAMES, SHAPES } from './shapes.ts';

/** Where in its exchange: the prompt, before more work, or behind all of it. */
export const PLACES = ['prompt', 'between', 'final'] as const;
export type Place = (typeof PLACES)[number];

/** A turn with its statements and what its exchange tells about it. */
export type Speech = {
  readonly text: string;
  readonly place: Place;
  readonly statements: readonly Statement[];
  /** Typed while the agent was working. */
  readonly isAside: boolean;
  /** The prompt of its exchange is a plan that was handed over to be carried out. */
  readonly isPlan: boolean;
  /** The first exchange of its conversation. */
  readonly isFirst: boolean;
  /** In its exchange. */
  readonly wrote: boolean;
  readonly wroteBefore: boolean;
  readonly committed: boolean;
  readonly failed: boolean;
  /** The agent goes on to work right behind it. */
  readonly worksOn: boolean;
  /** The end of what the agent said before this prompt. */
  readonly asked: string;
  /** The beginning of the next prompt; missing while there is none. */
  readonly next: string | undefined;
};

/** Gets each feature by its key; group and name are for those who explain. */
export type AddFeature = (key: number, value: number, group: Name, name: Name) => void;

/** What a feature is called: its group, and its name in it where it has one. */
export const featureName = (group: Name, name: Name): string => `${group.text}: ${name.text}`;

const KINDS = ['prose', 'item', 'row', 'heading', 'code'] as const;
const place = PLACES.map((each) => named(`place ${each}`));
const kind = KINDS.map((each) => named(`kind ${each}`));
const shape = named('shape');
const word = named('word');
const above = named('above');
const aboveIn = KINDS.map((each) => named(`above ${each}`));
const before = named('before');
const behind = named('behind');
const wordBefore = named('word before');
const wordBehind = named('word behind');
const atPlace = [named('word 1'), named('word 2'), named('word 3')];
const firstTwo = named('first two words');
const exchange = named('exchange');
const position = named('position');
const number = named('number');
const length = named('length');
const message = named('message');
const followed = named('followed by');
const section = named('section');
const sectionIn = KINDS.map((each) => named(`section ${each}`));
const sectionAround = named('section around');
const aroundIn = KINDS.map((each) => named(`section around ${each}`));
const depthOfSection = named('depth of section');
const replies = named('replies');
const repliesLong = named('replies, prompt');
const itself = named('');

const LENGTHS = [12, 25, 45, 80, 130, 200];
const NUMBERS = [2, 3, 5, 9, 16, 30];
const MESSAGES = [80, 200, 500, 1_200, 3_000, 8_000];
const REPLIES = [60, 200];
const MOST_WORDS = 60;
const MOST_ABOVE = 8;
const steps = Array.from({ length: 8 }, (_, at) => named(String(at)));
const POSITIONS = {
  first: named('first'),
  last: named('last'),
  early: named('early'),
  late: named('late'),
  mid: named('mid'),
};
const KIND_NAMES = KINDS.map((each) => named(each));
const NOTHING = named('nothing');

const flags = {
  aside: named('aside'),
  plan: named('plan'),
  first: named('first of the conversation'),
  wrote: named('files written'),
  wroteBefore: named('files written before'),
  committed: named('commit'),
  failed: named('failure'),
  worksOn: named('works on'),
  askedBefore: named('agent asked before'),
  saidBefore: named('agent spoke before'),
  nothingBefore: named('nothing said before'),
  box: named('box'),
  foreign: named('foreign'),
  several: named('several sentences'),
  lead: named('something above'),
  leadColon: named('leads'),
  noLead: named('nothing above'),
  options: named('options'),
};

/** What of a statement is looked at again and again by its neighbours. */
export type Look = { readonly shapes: readonly number[]; readonly words: readonly Name[]; readonly length: number };

export function lookAt(text: string): Look {
  const trimmed = text.trim();
  const bare = /[*_#]/.test(trimmed) ? trimmed.replace(/[*_#]+/g, '').trim() : trimmed;
  const shapes: number[] = [];
  for (let at = 0; at < SHAPES.length; at += 1) {
    const entry = SHAPES[at];
    if (entry?.[1].test(entry[2] ? bare : trimmed)) shapes.push(at);
  }
  return { shapes, words: wordsOf(trimmed), length: trimmed.length };
}

/** Wide marks mean what narrow ones do. */
const NARROW: { readonly [mark: string]: string } = { '？': '?', '！': '!', '：': ':' };

/** Somebody who quotes a whole sentence has not said it: nothing in it speaks for a label. */
export const ownIn = (text: string): string => (MAY_QUOTE.test(text) ? withoutQuotations(text) : text);
const MAY_QUOTE = /["“„«»‹「『＂‘‚]|(?<![\p{L}\p{N}])'/u;

/** Code, addresses, paths and numbers are each one word: which one it is tells nothing about other projects. */
function wordsOf(text: string): Name[] {
  const plain = withPlaceholders(text.toLowerCase());
  const found: Name[] = [];
  WORD.lastIndex = 0;
  for (let match = WORD.exec(plain); match !== null && found.length < MOST_WORDS; match = WORD.exec(plain))
    found.push(nameOf(match[0]));
  return found;
}

const WORD = /[a-zß-ž']+|‹.›|\?|!|:|→|✅|—|\|/g;

/** Each pattern is run only where its mark stands: most statements have none of them. */
function withPlaceholders(lower: string): string {
  let plain = WIDE_MARK.test(lower) ? lower.replace(WIDE_MARKS, (mark) => NARROW[mark] ?? mark) : lower;
  if (plain.includes('`')) plain = plain.replace(/`[^`]{1,120}`/g, ' ‹c› ');
  if (plain.includes('://')) plain = plain.replace(/https?:\/\/\S+/g, ' ‹u› ');
  if (plain.includes('/') || plain.includes('.'))
    plain = plain.replace(/[\w@.-]*\/[\w@./-]+|\b[\w-]+\.(?:tsx?|jsx?|go|py|md|json|rs|ya?ml|sql|sh|css)\b/g, ' ‹f› ');
  return /\d/.test(plain) ? plain.replace(/\b\d[\d.,]*\b/g, ' ‹n› ') : plain;
}

const WIDE_MARK = /[？！：]/;
const WIDE_MARKS = /[？！：]/g;

// Text repeats its words: most are looked up, not hashed.
const MAX_KNOWN = 20_000;
const known = new Map<string, Name>();
function nameOf(text: string): Name {
  let name = known.get(text);
  if (name === undefined) {
    if (known.size >= MAX_KNOWN) known.clear();
    name = named(text);
    known.set(text, name);
  }
  return name;
}

const placeGroups = lazy((): readonly PlaceGroups[] =>
  place.map((each) => ({
    number: ofPlace(each, number),
    length: ofPlace(each, length),
    message: ofPlace(each, message),
    position: ofPlace(each, position),
    plan: ofPlace(each, flags.plan),
    followed: ofPlace(each, followed),
    section: ofPlace(each, section),
    depth: ofPlace(each, depthOfSection),
    word: { ...ofPlace(each, word), text: `${each.text}, word 1` },
  })),
);

const firstTwos = new Map<Name, Name>();
function firstTwoFrom(first: Name): Name {
  let group = firstTwos.get(first);
  if (group === undefined) {
    if (firstTwos.size >= MAX_KNOWN) firstTwos.clear();
    group = { text: `${firstTwo.text} ${first.text}`, hash: keyOf(firstTwo.hash, first.hash) };
    firstTwos.set(first, group);
  }
  return group;
}

const stepOf = (value: number, borders: readonly number[]): Name => {
  let at = 0;
  while (at < borders.length && value >= (borders[at] ?? 0)) at += 1;
  return steps[at] ?? NOTHING;
};

/** Groups of a place: the hash of one is turned into the group of the other. */
const ofPlace = (place: Name, group: Name): Name => ({
  text: `${place.text}, ${group.text}`,
  hash: keyOf(place.hash, group.hash),
});

type PlaceGroups = {
  readonly [group in
    | 'number'
    | 'length'
    | 'message'
    | 'position'
    | 'plan'
    | 'followed'
    | 'section'
    | 'depth'
    | 'word']: Name;
};

/** The features of each statement of a turn, in order. */
export class Features {
  readonly #speech: Speech;
  readonly #looks: (Look | undefined)[];
  readonly #place: Name;
  readonly #groups: PlaceGroups;
  readonly #aboves = new Map<string, readonly Name[]>();
  readonly #outline: Outline;

  constructor(speech: Speech) {
    this.#speech = speech;
    this.#looks = new Array(speech.statements.length);
    this.#place = place[PLACES.indexOf(speech.place)] ?? NOTHING;
    this.#groups = placeGroups()[PLACES.indexOf(speech.place)] as PlaceGroups;
    this.#outline = new Outline(speech);
  }

  of(at: number, add: AddFeature): void {
    const { statements } = this.#speech;
    const statement = statements[at];
    const look = this.#lookAt(at);
    if (!statement || !look) return;
    const put: Put = (group, name, value) => add(keyOf(group.hash, name.hash), value ?? 1, group, name);
    const kindAt = KINDS.indexOf(statement.kind);
    const ofKind = kind[kindAt] ?? NOTHING;
    const here = this.#place;
    put(here, itself);
    put(ofKind, itself);
    put(here, KIND_NAMES[kindAt] ?? NOTHING);
    this.#position(at, look, put);
    for (const each of look.shapes) {
      const name = SHAPE_NAMES[each] ?? NOTHING;
      put(shape, name);
      put(here, name);
      put(ofKind, name);
    }
    this.#flags(statement, put);
    this.#above(statement, aboveIn[kindAt] ?? NOTHING, put);
    this.#section(at, kindAt, put);
    this.#beside(at, put);
    this.#words(look, put);
    if (this.#speech.place === 'prompt' && this.#speech.asked !== '') this.#reply(at, look, put);
  }

  /** When somebody asks: what is foreign is not judged, and is looked at for its neighbours alone. */
  #lookAt(at: number): Look | undefined {
    const { text, statements } = this.#speech;
    const statement = statements[at];
    if (!statement) return undefined;
    this.#looks[at] ??= lookAt(ownIn(text.slice(statement.start, statement.end)));
    return this.#looks[at];
  }

  #position(at: number, look: Look, put: Put): void {
    const count = this.#speech.statements.length;
    const share = count > 1 ? at / (count - 1) : 0.5;
    const where =
      at === 0
        ? POSITIONS.first
        : at === count - 1
          ? POSITIONS.last
          : share < 0.25
            ? POSITIONS.early
            : share > 0.75
              ? POSITIONS.late
              : POSITIONS.mid;
    put(position, itself, share);
    put(position, where);
    const [many, long, whole] = [
      stepOf(count, NUMBERS),
      stepOf(look.length, LENGTHS),
      stepOf(this.#speech.text.length, MESSAGES),
    ];
    put(number, many);
    put(this.#groups.number, many);
    put(length, long);
    put(this.#groups.length, long);
    put(message, whole);
    put(this.#groups.message, whole);
    put(this.#groups.position, where);
    put(length, itself, Math.log1p(look.length) / 6);
  }

  #flags(statement: Statement, put: Put): void {
    const speech = this.#speech;
    const here = this.#place;
    if (statement.box) put(flags.box, nameOf(statement.box));
    if (statement.provenance !== 'said') put(flags.foreign, nameOf(statement.provenance));
    put(flags.several, steps[Math.min(3, statement.sentence)] ?? NOTHING);
    if (statement.sentences > 1) put(flags.several, itself);
    if (speech.isPlan) {
      put(exchange, flags.plan);
      put(here, flags.plan);
      put(this.#groups.plan, nameOf(statement.kind));
    }
    if (speech.isAside) put(exchange, flags.aside);
    if (speech.worksOn) put(exchange, flags.worksOn);
    if (speech.isFirst) put(here, flags.first);
    if (speech.wrote) put(here, flags.wrote);
    if (speech.wroteBefore) put(here, flags.wroteBefore);
    if (speech.committed) put(here, flags.committed);
    if (speech.failed) put(here, flags.failed);
    if (speech.place === 'prompt') {
      put(exchange, speech.asked === '' ? flags.nothingBefore : flags.saidBefore);
      if (ASKED.test(speech.asked)) put(exchange, flags.askedBefore);
    }
    const group = this.#groups.followed;
    if (speech.next === undefined) put(group, NOTHING);
    else {
      if (SHAPES[AGREES]?.[1].test(speech.next)) put(group, SHAPE_NAMES[AGREES] ?? NOTHING);
      if (SHAPES[COMMITS]?.[1].test(speech.next.slice(0, 40))) put(group, SHAPE_NAMES[COMMITS] ?? NOTHING);
    }
  }

  /** Whoever was asked decides by few words; a long prompt says itself what it wants. */
  #reply(at: number, { shapes }: Look, put: Put): void {
    const { asked, text } = this.#speech;
    const isAsked = ASKED.test(asked);
    put(repliesLong, stepOf(text.length, REPLIES));
    if (OPTIONS.test(asked)) put(replies, flags.options);
    if (!isAsked) return;
    put(replies, stepOf(text.length, REPLIES));
    if (at === 0) put(replies, POSITIONS.first);
    for (const each of shapes) put(replies, SHAPE_NAMES[each] ?? NOTHING);
  }

  #above({ lead, kind: ofStatement }: Statement, aboveKind: Name, put: Put): void {
    if (lead === '' || ofStatement === 'heading') {
      put(flags.noLead, itself);
      return;
    }
    put(flags.lead, itself);
    let words = this.#aboves.get(lead);
    if (!words) {
      words = wordsOf(lead).slice(0, MOST_ABOVE);
      this.#aboves.set(lead, words);
    }
    for (const each of words) {
      put(above, each);
      put(aboveKind, each);
    }
  }

  /** Which sort of section it stands in, and which the sections around that one are. */
  #section(at: number, kindAt: number, put: Put): void {
    const { sorts, around, depth } = this.#outline.of(at);
    const [ofKind, aroundOfKind] = [sectionIn[kindAt] ?? NOTHING, aroundIn[kindAt] ?? NOTHING];
    for (const each of sorts) {
      put(section, each);
      put(ofKind, each);
      put(this.#groups.section, each);
    }
    for (const each of around) {
      put(sectionAround, each);
      put(aroundOfKind, each);
    }
    put(this.#groups.depth, steps[depth] ?? NOTHING);
  }

  #beside(at: number, put: Put): void {
    for (const [offset, group, ofWord] of [
      [-1, before, wordBefore],
      [1, behind, wordBehind],
    ] as const) {
      const look = this.#lookAt(at + offset);
      const other = this.#speech.statements[at + offset];
      put(group, other ? (KIND_NAMES[KINDS.indexOf(other.kind)] ?? NOTHING) : NOTHING);
      if (!look) continue;
      for (const each of BESIDE) if (look.shapes.includes(each)) put(group, SHAPE_NAMES[each] ?? NOTHING);
      const first = look.words[0];
      if (first) put(ofWord, first);
    }
  }

  #words({ words }: Look, put: Put): void {
    const seen = new Set<Name>();
    for (const each of words) {
      if (seen.has(each)) continue;
      seen.add(each);
      put(word, each);
      put(this.#place, each);
    }
    const [first, second] = words;
    for (let at = 0; at < 3 && at < words.length; at += 1) put(atPlace[at] ?? NOTHING, words[at] ?? NOTHING);
    if (first) put(this.#groups.word, first);
    if (first && second) put(firstTwoFrom(first), second);
  }
}

const ASKED = /[?？]\s*$/;
const OPTIONS = /^\s*(?:\d|[A-D])[.)] /m;

type Put = (group: Name, name: Name, value?: number) => void;

/** Whether a text asks something, as the features see it. */
export const asks = (text: string): boolean => SHAPES[ASKS]?.[1].test(text.trim()) === true;
