// The values in what somebody says of their own affairs: amounts, dates, times, each with the words around it. When the same
// thing is said with another value later, the later one holds.

import { topicWords } from '../topic-words.ts';
import { bringsUpToDate } from './wording.ts';

export type Value = {
  readonly kind: 'date' | 'time' | 'share' | 'money' | 'number';
  readonly text: string;
  /** The word that is counted: `interviews` in “3 interviews”. */
  readonly unit: string | undefined;
  /** What the speaker did or has: “I've added 52 sources”, not “drawing 2 cards”. */
  readonly isOwn: boolean;
  /** Said to be new, right beside it. */
  readonly isNews: boolean;
  /** The telling words around it. */
  readonly words: ReadonlySet<string>;
};

const MOST = 8;
const MAX_TEXT = 600;
const AROUND = 64;
const BEFORE = 100;
const SENTENCE_END = /[.;!?]\s|\n/;
const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const VALUE = new RegExp(
  `\\b(?<date>(?:${MONTH})\\.? \\d{1,2})(?:st|nd|rd|th)?\\b(?!:)|\\b(?<time>\\d{1,2}(?::\\d{2})? ?[ap]\\.?m)\\b|(?<share>\\b\\d{1,3}(?:\\.\\d{1,3})? ?%)|(?<money>[$€£]\\d[\\d,.]{0,12})|(?<![\\w.:/#-])(?<number>\\d{1,3}(?:,\\d{3}){1,3}|\\d{1,7}(?:\\.\\d{1,3})?|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)(?![\\w-]|[.:/]\\d|,\\d{3})`,
  'gi',
);
const OWN_DEED =
  /\b(?:i|we)(?:'ve| have| had)? (?:\w{2,9}ly |just |also |only |now |already ){0,3}\w+(?:ed|nt|ught|lt|ade|ot|ne)\b/i;
const YEAR = /^(?:19|20)\d\d$/;
/** Around a value these say nothing about what it is a value of. */
const NOT_TELLING = new RegExp(
  `^(?:${MONTH}|pm|am|per|week|day|month|year|hour|minute|ms|project|cm|mm|km|kg|kinda|worri|worry|try|help|feel|sure|understand|includ|specifically|especially|around|least|about|recently|able|side)$`,
);
const NUMBER_WORDS = [
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'twelve',
  'fifteen',
  'twenty',
];
const NUMBERS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20];

/** Whether it is worth a closer look: cheap, and true of little. */
export const hasValue = (text: string): boolean =>
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten)\b/i.test(text);

export function valuesOf(whole: string): Value[] {
  const text = whole.length > MAX_TEXT ? whole.slice(0, MAX_TEXT) : whole;
  const values: Value[] = [];
  for (const match of text.matchAll(VALUE)) {
    const [kind, written] = Object.entries(match.groups ?? {}).find(([, each]) => each !== undefined) ?? [];
    if (kind === undefined || written === undefined || YEAR.test(written)) continue;
    const end = match.index + match[0].length;
    const before =
      text
        .slice(Math.max(0, match.index - BEFORE), match.index)
        .split(SENTENCE_END)
        .at(-1) ?? '';
    const after = text.slice(end, end + AROUND).split(SENTENCE_END)[0] ?? '';
    const telling = (words: string): string[] => topicWords(words).filter((word) => !NOT_TELLING.test(word));
    const unit = kind === 'number' ? topicWords(after.slice(0, 24), 1)[0] : undefined;
    values.push({
      kind: kind as Value['kind'],
      text: evenForm(written),
      unit: unit !== undefined && NOT_TELLING.test(unit) ? undefined : unit,
      isOwn: OWN_DEED.test(before),
      isNews: bringsUpToDate(`${before} ${after}`),
      words: new Set([...telling(before), ...telling(after)]),
    });
    if (values.length >= MOST) break;
  }
  return values;
}

function evenForm(written: string): string {
  const plain = written.toLowerCase().replace(/[\s,]|\.$/g, '');
  const named = NUMBER_WORDS.indexOf(plain);
  return named === -1 ? plain : String(NUMBERS[named]);
}
