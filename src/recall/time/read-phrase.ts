// Phrases that name a time, in the languages that are written in letters: “last week”, “between 1 and 30 November”, “vor drei Tagen”,
// “la semaine dernière”. A phrase is read from where it begins; the words come from time-words.ts, the days from periods.ts.

import type { Calendar } from './calendar.ts';
import { dayOf, type Impossible, isImpossible, type Period, startOfLast } from './periods.ts';
import { type Point, PointReader } from './point-reader.ts';
import { timeTokens } from './time-tokens.ts';
import type { Tag, TimeWords } from './time-words.ts';
import type { ReadOptions } from './word-reader.ts';

/** What a phrase means: from `since` on, before `until`. */
export type Span = { readonly since: number | undefined; readonly until: number | undefined };

export type Phrase = {
  readonly start: number;
  readonly end: number;
  readonly meant: Span | Impossible;
  /** Both ends were named: “from March to May”. */
  readonly isRange: boolean;
};

const HOW: ReadonlySet<Tag> = new Set<Tag>(['since', 'from', 'after', 'before', 'until', 'in', 'on']);

/** All phrases of one language in a text, in their order. */
export function readPhrases(text: string, language: TimeWords, calendar: Calendar, options: ReadOptions): Phrase[] {
  const tokens = timeTokens(text, (first, second) => {
    const has = (part: string, tag: Tag): boolean => (language.words.get(part) ?? []).some((word) => word.tag === tag);
    if (language.words.has(`${first} ${second}`)) return 'phrase';
    if (!has(second, 'month')) return undefined;
    return has(first, 'month') ? 'range' : has(first, 'partOfMonth') ? 'phrase' : undefined;
  });
  return new PhraseReader(tokens, language, calendar, options).phrases();
}

class PhraseReader extends PointReader {
  phrases(): Phrase[] {
    const found: Phrase[] = [];
    for (let at = 0; at < this.tokens.length; ) {
      const read = this.isPlain(at) ? undefined : this.read(at);
      if (read) {
        const [from, to] = this.withClock(at, read.next);
        const [first, last] = [this.tokens[from], this.tokens[to - 1]];
        if (first && last) found.push({ start: first.start, end: last.end, meant: read.meant, isRange: read.isRange });
        at = Math.max(to, at + 1);
      } else at += 1;
    }
    return found;
  }

  protected read(at: number): { next: number; meant: Span | Impossible; isRange: boolean } | undefined {
    if (this.is(at - 1, 'next')) return undefined;
    return this.range(at) ?? this.bounded(at);
  }

  /** “between A and B”, “from A to B”, “A – B”. */
  protected range(at: number): { next: number; meant: Span | Impossible; isRange: boolean } | undefined {
    const between = this.take(at, 'between');
    const from =
      between === undefined ? (this.take(at, 'from') ?? this.take(at, 'of') ?? this.take(at, 'since')) : undefined;
    const start = this.articles(between ?? from ?? at);
    const isSaid = between !== undefined || from !== undefined || this.whole;
    const [a, after] = this.firstEnd(start) ?? [];
    if (!a || after === undefined) return undefined;
    const link =
      between === undefined ? (this.take(after, 'to') ?? this.take(after, 'until')) : this.take(after, 'and');
    const dash = this.tokens[after]?.kind === 'dash' ? after + 1 : undefined;
    const second = dash ?? link ?? (between === undefined ? undefined : this.take(after, 'to'));
    if (second === undefined) return undefined;
    const b = this.secondEnd(this.articles(this.take(second, 'on') ?? second), a);
    // “march to may” may be anything; “March to May 2025”, “from March to May” are times.
    if (!b || (!isSaid && dash === undefined && b.weak && b.year === undefined)) return undefined;
    return { next: b.next, meant: joined(a, b), isRange: true };
  }

  /** The first end of a range may be a day without its month: “1 to 30 November”, or lead the way for the second: “November 1 to 30”. */
  protected firstEnd(start: number): [Point, number] | undefined {
    const number = this.dayNumber(start);
    if (number !== undefined) {
      const link = this.linkAfter(start + 1);
      const month = link === undefined ? undefined : this.point(this.articles(link), true);
      const of = link === undefined ? undefined : this.monthAround(this.articles(link));
      if (month && of && !this.point(start, true)?.isMonth)
        return [
          {
            next: start + 1,
            yearless: true,
            resolve: ({ year }) => dayOf(this.calendar, { year, month: of.month, day: number }),
          },
          start + 1,
        ];
    }
    const point = this.point(start, true, 'since');
    return point ? [point, point.next] : undefined;
  }

  protected secondEnd(at: number, first: Point): Point | undefined {
    const point = this.point(at, true);
    const day = this.dayNumber(at);
    if (point || day === undefined || first.month === undefined) return point;
    const year = this.yearAt(at + 1);
    return this.dated({ month: first.month, day, year: year?.value, next: year?.next ?? at + 1 });
  }

  protected linkAfter(at: number): number | undefined {
    return this.tokens[at]?.kind === 'dash'
      ? at + 1
      : (this.take(at, 'and') ?? this.take(at, 'to') ?? this.take(at, 'until'));
  }

  /** “30 November”: a day with its month. */
  protected monthAround(at: number): { month: number } | undefined {
    if (this.dayNumber(at) === undefined) return undefined;
    const month = this.month(this.take(at + 1, 'of') ?? at + 1);
    return month && { month: month.value };
  }

  /** A time with the word before it that says on which side of it. */
  protected bounded(at: number): { next: number; meant: Span | Impossible; isRange: boolean } | undefined {
    const how = this.tags(at).find(({ word }) => HOW.has(word.tag));
    // “avant-hier”, “the day before yesterday” are days of their own.
    if (how && !this.dayWord(at, true)) {
      const behind = this.articles(at + how.length);
      const tag = how.word.tag;
      // “since 3 days”, “seit drei Tagen”
      const counted = tag === 'since' ? this.counted(behind) : undefined;
      if (counted) {
        const since = startOfLast(this.calendar, counted.count, counted.unit);
        return {
          next: this.take(counted.next, 'ago') ?? counted.next,
          meant: { since, until: undefined },
          isRange: false,
        };
      }
      const point = this.ago(at) ? undefined : this.point(behind, true, tag);
      if (point && !this.isRefused(point, tag)) {
        const onwards = tag === 'from' ? this.take(point.next, 'onwards') : undefined;
        const side = onwards === undefined ? tag : 'since';
        return { next: onwards ?? point.next, meant: bounded(side, point), isRange: false };
      }
    }
    const start = this.articles(at);
    const point = this.point(start, this.whole);
    if (!point || (point.weak && !this.whole)) return undefined;
    const onwards = this.take(point.next, 'onwards');
    if (onwards !== undefined && point.isMonth && this.tokens[onwards - 1]?.text.startsWith('onward'))
      return { next: onwards, meant: bounded('since', point), isRange: false };
    return { next: point.next, meant: bounded('in', point), isRange: false };
  }

  /** “on may”, “on march”: months are not days. */
  protected isRefused(point: Point, tag: Tag): boolean {
    return tag === 'on' && point.isMonth === true && point.yearless === true;
  }

  /** With the time of day around it, which is not looked at: “at 3pm yesterday”, “yesterday right after midnight”. */
  protected withClock(from: number, to: number): [number, number] {
    let next = to;
    for (let at = to; at < this.tokens.length && at < to + 4; at++) {
      if (this.tokens[at - 1]?.ends && at === to) break;
      if (this.isClock(at)) next = at + 1;
      else if (!this.is(at, 'clockWord') && !this.is(at, 'article') && this.tokens[at]?.kind !== 'number') break;
      else if (this.tokens[at]?.kind === 'number' && this.is(at + 1, 'clockWord') && !this.is(at + 1, 'article'))
        next = at + 2;
    }
    const before = this.isClock(from - 1) && !this.tokens[from - 1]?.ends ? from - 1 : from;
    return [before < from && this.is(before - 1, 'clockWord') ? before - 1 : before, next];
  }
}

function bounded(how: Tag, point: Point): Span | Impossible {
  const period = point.resolve({});
  if (isImpossible(period)) return period;
  const { since, until } = period;
  switch (how) {
    case 'since':
      return { since, until: undefined };
    case 'after':
      return { since: until, until: undefined };
    case 'before':
      return { since: undefined, until: since };
    case 'until':
      return { since: undefined, until };
    default:
      return { since, until: point.open ? undefined : until };
  }
}

/** From the beginning of one to the end of the other; a year that only one of them has is that of both. */
function joined(a: Point, b: Point): Span | Impossible {
  const last = b.yearless ? undefined : b.resolve({});
  let first: Period | Impossible;
  if (a.yearless && b.year !== undefined && last && !isImpossible(last)) {
    first = a.resolve({ year: b.year });
    if (!isImpossible(first) && first.since > last.since) first = a.resolve({ year: b.year - 1 });
  } else first = a.resolve({});
  if (isImpossible(first)) return first;
  const second = last && !b.isWeekday ? last : b.resolve({ notBefore: first.since });
  if (isImpossible(second)) return second;
  const until = b.open ? undefined : Math.max(first.until, second.until);
  return { since: Math.min(first.since, second.since), until };
}
