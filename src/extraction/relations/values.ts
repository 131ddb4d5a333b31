// The values in what somebody says of their own affairs: amounts, dates, times, each with the words around it. When the same
// thing is said with another value later, the later one holds.

import { lazy } from '../../model/lazy.ts';
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
  /** Said right before it: “now reached 165”, “increased my sessions to 12”. */
  readonly isNow: boolean;
  /** What it was before: “from 60% to 85%”. */
  readonly isBefore: boolean;
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
const NOW =
  /\b(?:now|(?:now |has |have |just )?reached|(?:increased|improved|raised|adjusted|lowered|reduced|grown|grew|moved|extended|updated|went up) (?:[\w']+ ){0,4}to)\W+(?:\w+ ){0,2}$/i;
const YEAR = /^(?:19|20)\d\d$/;
/** What a server answers with is the name of a fault, and no amount: “answers 503”, “HTTP 404”. */
const STATUS = /^[1-5]\d\d$/;
const ANSWERS =
  /\b(?:answer|return|respond|repl(?:y|ie)|status|http|code|error|fail)(?:s|ed|ing|d)?(?: with| of| code| status| a| an| is)*[ :]*$/i;
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
    if (STATUS.test(written) && ANSWERS.test(text.slice(Math.max(0, match.index - AROUND), match.index))) continue;
    values.push(valueAt(text, { kind: kind as Value['kind'], written, start: match.index, length: match[0].length }));
    if (values.length >= MOST) break;
  }
  return values;
}

type Found = { kind: Value['kind']; written: string; start: number; length: number };

/** Most values are compared with none of their kind: what stands around one is looked at when somebody asks. */
function valueAt(text: string, { kind, written, start, length }: Found): Value {
  const end = start + length;
  const before = lazy(
    () =>
      text
        .slice(Math.max(0, start - BEFORE), start)
        .split(SENTENCE_END)
        .at(-1) ?? '',
  );
  const after = lazy(() => text.slice(end, end + AROUND).split(SENTENCE_END)[0] ?? '');
  const unit = lazy(() => (kind === 'number' ? tellingUnit(topicWords(after().slice(0, 24), 1)[0]) : undefined));
  const isOwn = lazy(() => OWN_DEED.test(before()));
  const isNow = lazy(() => NOW.test(before()));
  const isBefore = lazy(() => FROM.test(before()));
  const isNews = lazy(() => bringsUpToDate(`${before()} ${after()}`));
  const words = lazy(() => new Set([...topicWords(before()), ...topicWords(after())].filter(isTelling)));
  return {
    kind,
    text: evenForm(written),
    get unit() {
      return unit();
    },
    get isOwn() {
      return isOwn();
    },
    get isNow() {
      return isNow();
    },
    get isBefore() {
      return isBefore();
    },
    get isNews() {
      return isNews();
    },
    get words() {
      return words();
    },
  };
}

const FROM = /\bfrom (?:\w+ ){0,2}$/i;
const isTelling = (word: string): boolean => !NOT_TELLING.test(word);
const tellingUnit = (word: string | undefined): string | undefined =>
  word === undefined || isTelling(word) ? word : undefined;

function evenForm(written: string): string {
  const plain = written.toLowerCase().replace(/[\s,]|\.$/g, '');
  const named = NUMBER_WORDS.indexOf(plain);
  return named === -1 ? plain : String(NUMBERS[named]);
}
