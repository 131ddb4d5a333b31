// The words of one language among the tokens of a text: which phrase stands at a place, how long it is, and the small things that
// times are made of: numbers, units, months, “last week”.

import type { Unit } from './periods.ts';
import type { Token } from './time-tokens.ts';
import { type Tag, type TimeWord, type TimeWords, UNITS } from './time-words.ts';

export type ReadOptions = {
  /** The text is meant to be a time, so that “march” is a month. */
  readonly whole: boolean;
  /** The text is plainly in this language. */
  readonly spoken: boolean;
};

/** A token with the words of the language that it may be, and how many tokens they take. */
type Meant = { readonly word: TimeWord; readonly length: number };

/** “3 days”. `lastInside`: “les 3 derniers jours”. */
export type Counted = {
  readonly count: number;
  readonly unit: Unit;
  readonly next: number;
  readonly lastInside: boolean;
};

const FEW = 3;
const MOST = 999;
const LONGEST_PHRASE = 3;
const ORDINALS: readonly (readonly string[])[] = [
  ['first', 'erstes', 'ersten', 'premier', 'primer'],
  ['second', 'zweites', 'zweiten', 'deuxième', 'segundo'],
  ['third', 'drittes', 'dritten', 'troisième', 'tercer'],
  ['fourth', 'viertes', 'vierten', 'quatrième', 'cuarto'],
];

const NOTHING: readonly Meant[] = [];

function tagsAt(tokens: readonly Token[], at: number, { words }: TimeWords): readonly Meant[] {
  let found: Meant[] | undefined;
  let phrase = '';
  for (let length = 1; length <= LONGEST_PHRASE; length++) {
    const token = tokens[at + length - 1];
    if (token?.kind !== 'word' || (length > 1 && tokens[at + length - 2]?.ends)) break;
    phrase = length === 1 ? token.text : `${phrase} ${token.text}`;
    const known = words.get(phrase);
    if (known) found = [...known.map((word) => ({ word, length })), ...(found ?? [])];
  }
  return found ?? NOTHING;
}

export class WordReader {
  protected readonly tokens: readonly Token[];
  protected readonly language: TimeWords;
  protected readonly whole: boolean;
  protected readonly spoken: boolean;
  readonly #tags: readonly (readonly Meant[])[];

  constructor(tokens: readonly Token[], language: TimeWords, { whole, spoken }: ReadOptions) {
    this.tokens = tokens;
    this.language = language;
    this.whole = whole;
    this.spoken = spoken || whole;
    this.#tags = tokens.map((_, at) => tagsAt(tokens, at, language));
  }

  /** Behind articles. */
  protected articles(at: number): number {
    let next = at;
    while (this.take(next, 'article') !== undefined && this.tokens[next + 1]) next += 1;
    return next;
  }

  /** The place behind the word or phrase of this tag, if one stands here. */
  protected take(at: number, tag: Tag): number | undefined {
    const found = this.tags(at).find(({ word }) => word.tag === tag);
    return found && at + found.length;
  }

  protected isDoubtful(at: number, tag: Tag): boolean {
    return this.tags(at).find(({ word }) => word.tag === tag)?.word.doubtful === true;
  }

  protected is(at: number, tag: Tag): boolean {
    return at >= 0 && this.take(at, tag) !== undefined;
  }

  /** What the words from here may be, the longest phrases first. Asked many times for each place. */
  protected tags(at: number): readonly Meant[] {
    return this.#tags[at] ?? NOTHING;
  }

  /** Nothing at this place can be a part of a time. */
  protected isPlain(at: number): boolean {
    const kind = this.tokens[at]?.kind;
    return kind === 'other' || kind === 'dash' || kind === 'clock' || (kind === 'word' && this.tags(at).length === 0);
  }

  protected unit(at: number): { unit: Unit; plural: boolean } | undefined {
    const found = this.tags(at).filter(({ word }) => word.tag === 'unit');
    const one = found.find(({ word }) => !word.plural) ?? found[0];
    const unit = UNITS[one?.word.value ?? -1];
    return unit && { unit, plural: one?.word.plural === true };
  }

  /** “3 days”, “a couple of weeks”, “3 derniers jours”; “last days” are a few. */
  protected counted(at: number): Counted | undefined {
    const token = this.tokens[at];
    const word = this.tags(at).find(({ word: { tag } }) => tag === 'number');
    const count = token?.kind === 'number' ? token.values[0] : word?.word.value;
    if (count === undefined) {
      const unit = this.unit(at);
      return unit?.plural && this.is(at - 1, 'last')
        ? { count: FEW, unit: unit.unit, next: at + 1, lastInside: false }
        : undefined;
    }
    const behind = this.take(at + (word?.length ?? 1), 'of') ?? at + (word?.length ?? 1);
    const about =
      word && token?.text === 'a' ? this.tags(behind).find(({ word: { tag } }) => tag === 'number') : undefined;
    const start = about ? (this.take(behind + 1, 'of') ?? behind + 1) : behind;
    const inside = this.take(start, 'last');
    const unit = this.unit(inside ?? start);
    if (!unit || count < 1 || count > MOST) return undefined;
    return {
      count: about?.word.value ?? count,
      unit: unit.unit,
      next: (inside ?? start) + 1,
      lastInside: inside !== undefined,
    };
  }

  /** A unit by its place: this one, the last one, the one before. */
  protected unitBack(at: number): { unit: Unit; back: number; next: number } | undefined {
    const places: readonly (readonly [Tag, number])[] = [
      ['beforeLast', 2],
      ['last', 1],
      ['this', 0],
    ];
    for (const [tag, back] of places) {
      const ahead = this.take(at, tag);
      const unit = ahead === undefined ? undefined : this.unit(ahead);
      if (unit && ahead !== undefined && !unit.plural) return { unit: unit.unit, back, next: ahead + 1 };
    }
    const unit = this.unit(at);
    if (!unit || unit.plural) return undefined;
    for (const [tag, back] of places.slice(0, 2)) {
      const behind = this.take(at + 1, tag);
      if (behind !== undefined && (tag !== 'last' || !this.isEnglish)) return { unit: unit.unit, back, next: behind };
    }
    return undefined;
  }

  protected month(at: number): { value: number; doubtful: boolean; isCapital: boolean } | undefined {
    const found = this.tags(at).find(({ word }) => word.tag === 'month');
    const written = this.tokens[at]?.written[0] ?? '';
    return (
      found && {
        value: found.word.value ?? 0,
        doubtful: found.word.doubtful === true,
        isCapital: written !== written.toLowerCase(),
      }
    );
  }

  protected dayNumber(at: number): number | undefined {
    const token = this.tokens[at];
    const [value] = token?.values ?? [];
    return (token?.kind === 'ordinal' || token?.kind === 'number') &&
      value !== undefined &&
      token.text.length <= 4 &&
      value < 100
      ? value
      : undefined;
  }

  protected yearAt(at: number): { value: number; next: number } | undefined {
    const start = this.take(at, 'of') ?? at;
    const token = this.tokens[start];
    const [value = 0] = token?.values ?? [];
    return token?.kind === 'number' && value >= 1990 && value <= 2100 ? { value, next: start + 1 } : undefined;
  }

  protected plainWeekday(at: number): { value: number; next: number; doubtful: boolean } | undefined {
    const found = this.tags(at).find(({ word }) => word.tag === 'weekday');
    return found && { value: found.word.value ?? 0, next: at + found.length, doubtful: found.word.doubtful === true };
  }

  protected ordinal(at: number): number | undefined {
    const token = this.tokens[at];
    if (token?.kind === 'ordinal') return token.values[0];
    const word = token?.kind === 'word' ? token.text : '';
    const known = ORDINALS.findIndex((forms) => forms.includes(word));
    return known < 0 ? undefined : known + 1;
  }

  protected isClock(at: number): boolean {
    return this.tokens[at]?.kind === 'clock' || this.is(at, 'partOfDay');
  }

  /** In English “last” stands before what it is said of. */
  protected get isEnglish(): boolean {
    return this.language.words.has('yesterday');
  }
}
