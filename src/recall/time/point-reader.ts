// One time: a day, a week, a month, so long ago. It may be a time of its own or one end of a range, so that what it is in the end is
// told when the other end is known.

import { Calendar } from './calendar.ts';
import {
  ago,
  dayOf,
  dayOfMonth,
  days,
  type Impossible,
  isImpossible,
  isLikelyYear,
  isoWeek,
  lastWeekday,
  lastWeekend,
  monthOf,
  type Period,
  quarterOf,
  startOfLast,
  unitBack,
  weekdayOfWeek,
  weekend,
  yearOf,
} from './periods.ts';
import type { Token } from './time-tokens.ts';
import type { Tag, TimeWords } from './time-words.ts';
import { type Counted, type ReadOptions, WordReader } from './word-reader.ts';

/** One end of a range, or a time of its own. The year may come from the other end. */
export type Point = {
  readonly next: number;
  readonly resolve: (given: { year?: number; notBefore?: number }) => Period | Impossible;
  /** The year that was written. */
  readonly year?: number | undefined;
  readonly yearless?: boolean;
  /** It goes on: today, this week, the last three days. */
  readonly open?: boolean;
  /** Names a time only behind a preposition, or as an end of a range. */
  readonly weak?: boolean;
  readonly isMonth?: boolean;
  /** Of a day: its month, from 0. */
  readonly month?: number;
  readonly isWeekday?: boolean;
};

const noEarlier = ({ notBefore }: { notBefore?: number }): { notBefore?: number } =>
  notBefore === undefined ? {} : { notBefore };

export class PointReader extends WordReader {
  protected readonly calendar: Calendar;

  constructor(tokens: readonly Token[], language: TimeWords, calendar: Calendar, options: ReadOptions) {
    super(tokens, language, options);
    this.calendar = calendar;
  }

  protected point(at: number, said: boolean, how?: Tag): Point | undefined {
    const token = this.tokens[at];
    if (!token || this.is(at - 1, 'next')) return undefined;
    return (
      this.dayWord(at, said) ??
      this.ago(at) ??
      this.relative(at) ??
      this.unitBefore(at) ??
      this.written(at, token) ??
      this.monthDay(at, said, how) ??
      this.quarter(at) ??
      this.weekday(at, said, how) ??
      this.year(at, said, how)
    );
  }

  protected dayWord(at: number, said: boolean): Point | undefined {
    const known: readonly (readonly [Tag, number])[] = [
      ['dayBeforeYesterday', -2],
      ['yesterday', -1],
      ['today', 0],
    ];
    for (const [tag, shift] of known) {
      const next = this.take(at, tag);
      if (next === undefined || (this.isDoubtful(at, tag) && !this.spoken && !said && !this.is(next, 'partOfDay')))
        continue;
      return { next, open: shift === 0, resolve: () => days(this.calendar, shift, shift) };
    }
    // “this morning”, “last night”
    const [isThis, last] = [this.take(at, 'this'), this.take(at, 'last')];
    const behind = isThis ?? last;
    const part = behind === undefined ? undefined : this.take(behind, 'partOfDay');
    if (part === undefined) return undefined;
    const shift = isThis === undefined ? -1 : 0;
    return { next: part, open: shift === 0, resolve: () => days(this.calendar, shift, shift) };
  }

  /** “3 days ago”, “about ten days ago”, “vor 3 Tagen”, “il y a 3 jours”, “hace 3 días”. */
  protected ago(at: number): Point | undefined {
    // The German word for “before” is the one for “ago”: “vor Montag”, “vor 3 Tagen”.
    const isGerman = this.language.words.has('vor');
    const prefix = this.take(at, 'agoBefore') ?? (isGerman ? this.take(at, 'before') : undefined);
    const about = this.take(prefix ?? at, 'about');
    const counted = this.counted(about ?? prefix ?? at);
    if (!counted) return undefined;
    const next = prefix === undefined ? this.take(counted.next, 'ago') : counted.next;
    if (next === undefined) return undefined;
    const { count, unit } = counted;
    return { next, resolve: () => ago(this.calendar, { count, unit, about: about !== undefined }) };
  }

  /** “last week”, “la semaine dernière”, “the last 3 days”, “les 3 derniers jours”, “this month”, “the week before last”, “last Friday”. */
  protected relative(at: number): Point | undefined {
    const last = this.take(at, 'last');
    const counted = this.counted(last ?? at);
    if (counted && (last !== undefined || counted.lastInside)) return this.lastCounted(counted);
    const isWeekend = this.take(last ?? this.take(at, 'this') ?? at, 'weekend');
    if (isWeekend !== undefined) return this.weekend(isWeekend, last !== undefined);
    const found = this.unitBack(at);
    if (!found) return undefined;
    const { unit, back, next } = found;
    if (unit === 'week') {
      // “last week on Friday”
      const day = this.plainWeekday(this.take(next, 'on') ?? next);
      if (day) return { next: day.next, resolve: () => weekdayOfWeek(this.calendar, day.value, back) };
    }
    return { next, open: back === 0, resolve: () => unitBack(this.calendar, unit, back) };
  }

  /** “the week before 16 November”: seven days, up to that one. */
  protected unitBefore(at: number): Point | undefined {
    const unit = this.unit(at);
    const before = unit && !unit.plural ? this.take(at + 1, 'before') : undefined;
    const point = before === undefined ? undefined : this.point(this.articles(before), true);
    if (!unit || !point || point.isMonth || point.isWeekday) return undefined;
    return {
      next: point.next,
      year: point.year,
      resolve: () => {
        const end = point.resolve({});
        if (isImpossible(end)) return end;
        const calendar = new Calendar(end.since, this.calendar.zone);
        return { since: startOfLast(calendar, 1, unit.unit), until: end.since };
      },
    };
  }

  protected lastCounted({ count, unit, next }: Counted): Point {
    return {
      next,
      open: true,
      resolve: () => ({ since: startOfLast(this.calendar, count, unit), until: this.calendar.today(1) }),
    };
  }

  protected weekend(next: number, isLast: boolean): Point {
    const behind = this.take(next, 'last');
    const before = isLast || behind !== undefined;
    return {
      next: behind ?? next,
      weak: !before && !this.is(next - 2, 'this'),
      resolve: () => (before ? lastWeekend(this.calendar) : weekend(this.calendar, 0)),
    };
  }

  /** “2026-01-31”, “31.1.2026”, “2026-W07”. */
  protected written(at: number, { kind, values }: Token): Point | undefined {
    const [first = 0, second = 0, third = 0] = values;
    const next = at + 1;
    if (kind === 'date')
      return {
        next,
        year: first,
        resolve: () => dayOf(this.calendar, { year: first, month: second - 1, day: third }),
      };
    if (kind === 'slashDate') {
      // The first number is the day, unless it can only be the other way round; 3/4/2026 may be either.
      const [month, day] = second > 12 ? [third, second] : [second, third];
      const resolve = (): Period | Impossible =>
        second <= 12 && third <= 12 && second !== third
          ? { impossible: 'Its day and its month cannot be told apart.' }
          : dayOf(this.calendar, { year: first, month: month - 1, day });
      return { next, year: first, resolve };
    }
    if (kind === 'isoMonth')
      return {
        next,
        year: first,
        weak: true,
        isMonth: true,
        resolve: () => monthOf(this.calendar, { year: first, month: second - 1 }),
      };
    if (kind === 'isoWeek') return { next, year: first, resolve: () => isoWeek(this.calendar, first, second) };
    return undefined;
  }

  /** “7 May 2023”, “May 7th”, “the 7th of May”, “May 2023”, “May”. */
  protected monthDay(at: number, said: boolean, how: Tag | undefined): Point | undefined {
    return (
      this.dayThenMonth(at, said) ??
      this.monthThenDay(at, said) ??
      this.dayAlone(at, how) ??
      this.wholeMonth(at, said, how)
    );
  }

  /** “on the 13th”, “since the 5th”: behind such a word, and before nothing that it may count (“on the 3rd try”). */
  protected dayAlone(at: number, how: Tag | undefined): Point | undefined {
    const day = this.tokens[at]?.kind === 'ordinal' ? this.dayNumber(at) : undefined;
    const isLast = this.tokens[at]?.ends === true || this.tokens[at + 1]?.kind !== 'word';
    if (day === undefined || how === undefined || how === 'in' || how === 'from' || !isLast) return undefined;
    return { next: at + 1, resolve: () => dayOfMonth(this.calendar, day) };
  }

  /** “7 May 2023”, “the 7th of May”. */
  protected dayThenMonth(at: number, said: boolean): Point | undefined {
    const day = this.dayNumber(at);
    const of = this.take(at + 1, 'of');
    const month = day === undefined ? undefined : this.month(of ?? at + 1);
    if (day === undefined || !month) return undefined;
    const behind = (of ?? at + 1) + 1;
    const year = this.yearAt(behind);
    const isOrdinal = this.tokens[at]?.kind === 'ordinal' || of !== undefined;
    if (!this.isMonthName(month, said || isOrdinal || year !== undefined)) return undefined;
    return this.dated({ month: month.value, day, year: year?.value, next: year?.next ?? behind });
  }

  /** “May 7th, 2023”. */
  protected monthThenDay(at: number, said: boolean): Point | undefined {
    const [month, day] = [this.month(at), this.dayNumber(at + 1)];
    if (!month || day === undefined) return undefined;
    const year = this.yearAt(at + 2);
    if (!this.isMonthName(month, said || year !== undefined)) return undefined;
    return this.dated({ month: month.value, day, year: year?.value, next: year?.next ?? at + 2 });
  }

  /** “May 2023”, “last May”, “early May”, “May”. */
  protected wholeMonth(at: number, said: boolean, how: Tag | undefined): Point | undefined {
    const part = this.take(at, 'partOfMonth');
    const start = part === undefined ? at : this.articles(this.take(part, 'of') ?? part);
    const last = this.take(start, 'last');
    const placed = last ?? this.take(start, 'this');
    const month = this.month(placed ?? start);
    if (!month) return undefined;
    const behind = (placed ?? start) + 1;
    const year = this.yearAt(behind) ?? this.lastYearAt(behind);
    const isVerb = this.is(behind, 'pronoun') || !this.isMonthName(month, said || placed !== undefined);
    if (month.doubtful && year === undefined && !this.whole && isVerb) return undefined; // “may we”
    const { value } = month;
    return {
      next: year?.next ?? behind,
      year: year?.value,
      yearless: year === undefined && last === undefined,
      isMonth: true,
      weak: year === undefined && placed === undefined && part === undefined && how === undefined,
      resolve: (given) =>
        last === undefined
          ? monthOf(this.calendar, { month: value, year: year?.value ?? given.year, ...noEarlier(given) })
          : this.monthBefore(value),
    };
  }

  /** “may” and “march” are verbs, unless something speaks for a month: a word before them, a year, a capital. */
  protected isMonthName(month: { doubtful: boolean; isCapital: boolean }, isSaid: boolean): boolean {
    return isSaid || this.whole || !month.doubtful || month.isCapital;
  }

  protected dated({
    month,
    day,
    year,
    next,
  }: {
    month: number;
    day: number;
    year: number | undefined;
    next: number;
  }): Point {
    return {
      next,
      month,
      year,
      yearless: year === undefined,
      resolve: (given) => dayOf(this.calendar, { month, day, year: year ?? given.year, ...noEarlier(given) }),
    };
  }

  /** “Last March”, asked in March, is the one of last year. */
  protected monthBefore(month: number): Period | Impossible {
    const found = monthOf(this.calendar, { month });
    if (isImpossible(found) || found.until <= this.calendar.now) return found;
    const { year } = this.calendar.partsOf(found.since);
    return monthOf(this.calendar, { month, year: year - 1 });
  }

  /** “Q3 2025”, “the first quarter”, “last quarter” is a unit. */
  protected quarter(at: number): Point | undefined {
    const token = this.tokens[at];
    const ordinal = this.ordinal(at);
    const isWord = ordinal !== undefined && this.unit(at + 1)?.unit === 'quarter';
    if (token?.kind !== 'quarter' && !isWord) return undefined;
    const quarter = isWord ? ordinal : (token?.values[0] ?? 0);
    const behind = at + (isWord ? 2 : 1);
    const year =
      token?.values[1] === undefined || isWord
        ? this.yearAt(this.take(behind, 'of') ?? behind)
        : { value: token.values[1], next: behind };
    return {
      next: year?.next ?? behind,
      year: year?.value,
      yearless: year === undefined,
      isMonth: true,
      weak: year === undefined,
      resolve: (given) => quarterOf(this.calendar, { quarter, year: year?.value ?? given.year, ...noEarlier(given) }),
    };
  }

  /** “on Monday”, “last Friday”, “Friday last week”, “Monday 3 March”. */
  protected weekday(at: number, said: boolean, how: Tag | undefined): Point | undefined {
    const last = this.take(at, 'last');
    const isThis = this.take(at, 'this');
    const day = this.plainWeekday(last ?? isThis ?? at);
    if (!day) return undefined;
    // A date behind it says more than the day of the week.
    const date = this.monthDay(this.articles(day.next), true, undefined) ?? this.dateAt(day.next);
    if (date && !date.weak) return date;
    const week = this.weekBehind(day.next);
    if (week) return { next: week.next, resolve: () => weekdayOfWeek(this.calendar, day.value, week.back) };
    const behind = this.isEnglish ? undefined : this.take(day.next, 'last');
    if (this.is(day.next, 'next')) return undefined;
    const isBefore = last !== undefined || behind !== undefined || how === 'since' || how === 'after';
    const isCertain = said || last !== undefined || isThis !== undefined || behind !== undefined;
    const token = this.tokens[day.next - 1];
    if (day.doubtful && !this.whole && !(isCertain && token && token.written[0] !== token.text[0])) return undefined;
    const isAlone = token?.ends || this.tokens[day.next] === undefined || this.is(day.next, 'partOfDay');
    return {
      next: behind ?? day.next,
      isWeekday: true,
      weak: !isAlone && last === undefined && isThis === undefined && behind === undefined && how === undefined,
      resolve: ({ notBefore }) =>
        notBefore === undefined
          ? lastWeekday(this.calendar, day.value, isBefore)
          : this.weekdayAfter(day.value, notBefore),
    };
  }

  protected dateAt(at: number): Point | undefined {
    const token = this.tokens[this.articles(at)];
    return token?.kind === 'date' ? this.written(this.articles(at), token) : undefined;
  }

  protected weekdayAfter(weekday: number, notBefore: number): Period {
    const { year, month, day, weekday: first } = this.calendar.partsOf(notBefore);
    const shift = (weekday - first + 7) % 7;
    return {
      since: this.calendar.startOf(year, month, day + shift),
      until: this.calendar.startOf(year, month, day + shift + 1),
    };
  }

  /** “Friday last week”, “Friday of the week before”, “viernes de la semana pasada”. */
  protected weekBehind(at: number): { back: number; next: number } | undefined {
    const start = this.articles(this.take(at, 'of') ?? at);
    const found = this.unitBack(start);
    if (found?.unit === 'week') return found;
    const before = this.unit(start)?.unit === 'week' ? this.take(start + 1, 'before') : undefined;
    return before === undefined ? undefined : { back: 1, next: before };
  }

  protected year(at: number, said: boolean, how: Tag | undefined): Point | undefined {
    const year = this.yearAt(at);
    if (!year || (how === undefined && !said) || how === 'on' || !isLikelyYear(this.calendar, year.value))
      return undefined;
    return {
      next: year.next,
      year: year.value,
      weak: how === undefined,
      isMonth: true,
      resolve: () => yearOf(this.calendar, year.value),
    };
  }

  /** “in March last year”. */
  protected lastYearAt(at: number): { value: number; next: number } | undefined {
    const found = this.unitBack(this.articles(this.take(at, 'of') ?? at));
    if (found?.unit !== 'year') return undefined;
    return { value: this.calendar.partsOf(this.calendar.now).year - found.back, next: found.next };
  }
}
