// Phrases that name a time in Japanese and Chinese, which have no spaces: 昨日, 先週の月曜日, 三日前, 11月1日から30日まで; 上周, 三天前,
// 从3月到5月. The days come from periods.ts.

import { lazy } from '../../model/lazy.ts';
import type { Calendar } from './calendar.ts';
import {
  ago,
  dayOf,
  days,
  type Impossible,
  isImpossible,
  lastWeekday,
  monthOf,
  type Period,
  quarterOf,
  startOfLast,
  type Unit,
  unitBack,
  weekdayOfWeek,
  weekend,
  yearOf,
} from './periods.ts';
import type { Phrase, Span } from './read-phrase.ts';

const DIGITS = '〇一二三四五六七八九';
const WEEK_DAYS = '日月火水木金土';
const CHINESE_DAYS = '日一二三四五六';

/** 3, ３, 三, 十二, 两. */
function numberOf(written: string): number {
  const plain = written
    .trim()
    .replace(/[０-９]/g, (digit) => String(digit.charCodeAt(0) - 0xff10))
    .replace(/[两兩]/g, '二');
  if (/^\d+$/.test(plain)) return Number(plain);
  const ten = plain.indexOf('十');
  const digit = (text: string): number => Math.max(0, DIGITS.indexOf(text));
  if (ten < 0) return digit(plain.at(-1) ?? '');
  return (
    (ten === 0 ? 1 : digit(plain.slice(0, ten))) * 10 + (ten === plain.length - 1 ? 0 : digit(plain.slice(ten + 1)))
  );
}

type Found = Period | Impossible | (Period & { readonly open: true });
type Rule = readonly [pattern: string, read: (groups: readonly string[], calendar: Calendar) => Found];

const N = '([0-9０-９]{1,3}|[一二三四五六七八九十两兩]{1,3})\\s?';
const Y = '(?:([0-9０-９]{4})年[のに]?)';
const still = (period: Period): Found => ({ ...period, open: true });
const last = (calendar: Calendar, count: number, unit: Unit): Found =>
  still({ since: startOfLast(calendar, count, unit), until: calendar.today(1) });
const yearIn = (written: string | undefined): { year?: number } => (written ? { year: numberOf(written) } : {});

function yearly(calendar: Calendar, back: number, month: number, day: string | undefined): Found {
  const year = calendar.partsOf(calendar.now).year - back;
  return day === undefined
    ? monthOf(calendar, { year, month: month - 1 })
    : dayOf(calendar, { year, month: month - 1, day: numberOf(day) });
}

const UNIT: { readonly [written: string]: Unit } = {
  時間: 'hour', 小时: 'hour', 小時: 'hour', 日: 'day', 日間: 'day', 天: 'day', 週間: 'week', 週: 'week', 周: 'week', 星期: 'week',
  礼拜: 'week', 禮拜: 'week', 月: 'month', 年: 'year', 年間: 'year',
}; // biome-ignore format: a table
// A number before 月 is a month's name, unless a counter stands between them.
const UNITS = '(?:個|个)?(時間|小时|小時|週間|日間|年間|日|天|週|周|星期|礼拜|禮拜|年)間?';
const MONTHS = '(?:個|个|ヶ|か|カ|ヵ|ケ|箇)月間?';
const unitOf = (written: string | undefined): Unit => UNIT[written ?? ''] ?? 'day';

const WEEK_OF =
  '(先々週|先週|今週|上上周|上上週|上周|上週|上个星期|上個星期|上星期|上个礼拜|这周|這週|本周|本週|这个星期|這個星期|这星期)';
const weeksBack = (written: string): number => (/先々|上上/.test(written) ? 2 : /先|上/.test(written) ? 1 : 0);

const RULES: readonly Rule[] = [
  ['一昨日|おととい|前天', (_, calendar) => days(calendar, -2, -2)],
  ['昨日|昨夜|昨晩|きのう|昨天|昨晚', (_, calendar) => days(calendar, -1, -1)],
  ['今日|今朝|今晩|きょう|今天|今晚|今早', (_, calendar) => still(days(calendar, 0, 0))],
  [`${WEEK_OF}の?([${WEEK_DAYS}])曜日?`, ([, week = '', day = ''], calendar) => weekdayOfWeek(calendar, WEEK_DAYS.indexOf(day), weeksBack(week))],
  [`${WEEK_OF}的?(?:星期|周|週|礼拜|禮拜)?([${CHINESE_DAYS}天])(?![月年])`, ([, week = '', day = ''], calendar) => weekdayOfWeek(calendar, Math.max(0, CHINESE_DAYS.indexOf(day)), weeksBack(week))],
  ['(先週|上)(?:の)?(?:週末|个?周末|個?週末)', (_, calendar) => weekend(calendar, 0)],
  ['週末|周末', (_, calendar) => weekend(calendar, 0)],
  [WEEK_OF, ([, week = ''], calendar) => (weeksBack(week) === 0 ? still(unitBack(calendar, 'week', 0)) : unitBack(calendar, 'week', weeksBack(week)))],
  ['先々月|上上个?月', (_, calendar) => unitBack(calendar, 'month', 2)],
  ['先月|上个?月|上個月', (_, calendar) => unitBack(calendar, 'month', 1)],
  ['今月|这个?月|這個?月|本月', (_, calendar) => still(unitBack(calendar, 'month', 0))],
  ['前四半期|上个?季度|上個?季度', (_, calendar) => unitBack(calendar, 'quarter', 1)],
  ['今四半期|这个?季度|這個?季度|本季度', (_, calendar) => still(unitBack(calendar, 'quarter', 0))],
  [`${Y}?第${N}(?:四半期|季度)`, ([, year, quarter = ''], calendar) => quarterOf(calendar, { quarter: numberOf(quarter), ...yearIn(year) })],
  [`${N}${UNITS}(?:ほど|くらい|ぐらい)?(?:以|之)?前`, ([, count = '', unit], calendar) => ago(calendar, { count: numberOf(count), unit: unitOf(unit), about: false })],
  [`${N}${MONTHS}(?:ほど|くらい|ぐらい)?(?:以|之)?前`, ([, count = ''], calendar) => ago(calendar, { count: numberOf(count), unit: 'month', about: false })],
  [`(?:過去|直近|ここ|この|最近的?|过去的?|過去的|近)${N}${MONTHS}`, ([, count = ''], calendar) => last(calendar, numberOf(count), 'month')],
  [`(?:過去|直近|ここ|この|最近的?|过去的?|過去的|近)${N}${UNITS}`, ([, count = '', unit], calendar) => last(calendar, numberOf(count), unitOf(unit))],
  [`(去年|昨年|今年)[のに]?${N}月(?:${N}[日号號])?`, ([, year = '', month = '', day], calendar) => yearly(calendar, year === '今年' ? 0 : 1, numberOf(month), day)],
  [`${Y}?${N}月${N}[日号號]`, ([, year, month = '', day = ''], calendar) => dayOf(calendar, { month: numberOf(month) - 1, day: numberOf(day), ...yearIn(year) })],
  [`${Y}?${N}月(?![0-9０-９曜])`, ([, year, month = ''], calendar) => monthOf(calendar, { month: numberOf(month) - 1, ...yearIn(year) })],
  [`([${WEEK_DAYS}])曜日?`, ([, day = ''], calendar) => lastWeekday(calendar, WEEK_DAYS.indexOf(day), false)],
  [`(?:星期|周|週|礼拜|禮拜)([${CHINESE_DAYS}天])`, ([, day = ''], calendar) => lastWeekday(calendar, Math.max(0, CHINESE_DAYS.indexOf(day)), false)],
  ['一昨年|前年', (_, calendar) => unitBack(calendar, 'year', 2)],
  ['去年|昨年', (_, calendar) => unitBack(calendar, 'year', 1)],
  ['今年', (_, calendar) => still(unitBack(calendar, 'year', 0))],
  ['([0-9]{4})年', ([, year = ''], calendar) => yearOf(calendar, numberOf(year))],
  ['([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})', ([, year = '', month = '', day = ''], calendar) => dayOf(calendar, { year: Number(year), month: Number(month) - 1, day: Number(day) })],
]; // biome-ignore format: a table

/** What may stand behind a time: until when, since when. */
const SIDES: readonly (readonly [pattern: RegExp, side: 'since' | 'after' | 'before' | 'until'])[] = [
  [/^(?:以来|以降|以來|からずっと|から|开始|開始|起)/, 'since'],
  [/^(?:之后|之後|以后|以後|より後|の後)/, 'after'],
  [/^(?:之前|以前|より前|の前)/, 'before'],
  [/^(?:まで|为止|為止)/, 'until'],
];
const LINK = /^(?:から|〜|～|~|-|–|—|到|至|和|と)/;
const SINCE_BEFORE = /(?:自从|自從|自|从|從)$/;
const patterns = lazy(() => RULES.map(([pattern]) => new RegExp(`^(?:${pattern})`)));
/** No phrase is without one of these. */
const MAYBE = /[年月日号週周天昨今期曜礼禮季]|おととい|きのう|きょう/;

export const mayHaveCjkTime = (text: string): boolean => MAYBE.test(text);

export function readCjkPhrases(text: string, calendar: Calendar): Phrase[] {
  const found: Phrase[] = [];
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    const first =
      (code > 0x7f || (code >= 0x30 && code <= 0x39 && !/[\w.-]/.test(text[at - 1] ?? ''))) &&
      pointAt(text, at, calendar);
    if (!first) {
      at += 1;
      continue;
    }
    const phrase = rangeFrom(text, at, first, calendar) ?? sided(text, at, first);
    found.push(phrase);
    at = phrase.end;
  }
  return found;
}

type Read = { readonly period: Found; readonly end: number };

function pointAt(
  text: string,
  at: number,
  calendar: Calendar,
  notBefore?: { month: number; year: number },
): Read | undefined {
  const rest = text.slice(at, at + 40);
  for (const [place, pattern] of patterns().entries()) {
    const match = pattern.exec(rest);
    const rule = RULES[place];
    if (match && rule) return { period: rule[1]([...match], calendar), end: at + match[0].length };
  }
  // “30日” behind “11月1日から”
  const day = notBefore && new RegExp(`^${N}[日号號]`).exec(rest);
  if (!day || !notBefore) return undefined;
  return { period: dayOf(calendar, { ...notBefore, day: numberOf(day[1] ?? '') }), end: at + day[0].length };
}

/** 3月から5月まで, 从3月到5月, 11月1日〜30日. */
function rangeFrom(text: string, at: number, first: Read, calendar: Calendar): Phrase | undefined {
  const link = LINK.exec(text.slice(first.end, first.end + 3));
  if (!link || isImpossible(first.period)) return undefined;
  const { year, month } = calendar.partsOf(first.period.since);
  const second = pointAt(text, first.end + link[0].length, calendar, { year, month });
  if (!second) return undefined;
  const start = startWith(text, at);
  const end = second.end + (/^(?:まで|之间|之間|の間|间)/.exec(text.slice(second.end))?.[0].length ?? 0);
  if (isImpossible(second.period)) return { start, end, meant: second.period, isRange: true };
  const meant = {
    since: Math.min(first.period.since, second.period.since),
    until: Math.max(first.period.until, second.period.until),
  };
  return { start, end, meant, isRange: true };
}

const startWith = (text: string, at: number): number =>
  at - (SINCE_BEFORE.exec(text.slice(Math.max(0, at - 2), at))?.[0].length ?? 0);

function sided(text: string, at: number, { period, end }: Read): Phrase {
  if (isImpossible(period)) return { start: at, end, meant: period, isRange: false };
  const behind = text.slice(end, end + 6);
  const start = startWith(text, at);
  for (const [pattern, side] of SIDES) {
    const match = pattern.exec(behind);
    if (match) return { start, end: end + match[0].length, meant: onSide(period, side), isRange: false };
  }
  const particle = /^(?:には|に|の|的)/.exec(behind)?.[0].length ?? 0;
  const meant =
    start < at ? onSide(period, 'since') : { since: period.since, until: 'open' in period ? undefined : period.until };
  return { start, end: end + particle, meant, isRange: false };
}

function onSide({ since, until }: Period, side: 'since' | 'after' | 'before' | 'until'): Span {
  if (side === 'since') return { since, until: undefined };
  if (side === 'after') return { since: until, until: undefined };
  return { since: undefined, until: side === 'before' ? since : until };
}
