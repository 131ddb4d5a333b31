// The time that a query names: “last week”, “since March”, “between 1 and 30 November”, in the languages that extraction speaks. The
// days are those of the asker's time zone. What was understood is taken out of the text, so that it is not searched for as words.

import { Calendar } from './calendar.ts';
import { isImpossible } from './periods.ts';
import { mayHaveCjkTime, readCjkPhrases } from './read-cjk-phrase.ts';
import { type Phrase, readPhrases } from './read-phrase.ts';
import { LANGUAGES } from './time-words.ts';

export type TimeWindow = {
  /** Milliseconds; from since on, before until. */
  readonly since: number | undefined;
  readonly until: number | undefined;
  /** The words that named it, if there are any. */
  readonly phrase: string | undefined;
  /** The query without them. */
  readonly rest: string;
};

/** A question says soon what time it is about; what a long prompt mentions further down is its matter. */
const READ = 500;

/** The first time that the text names. `timeZone` is an IANA name; absent, it is the machine's. */
export function readDates(text: string, now: number, timeZone?: string): TimeWindow {
  const found = timePhrases(text.slice(0, READ), new Calendar(now, timeZone)).find(({ meant }) => !isImpossible(meant));
  if (!found || isImpossible(found.meant)) return { since: undefined, until: undefined, phrase: undefined, rest: text };
  const { start, end, meant } = found;
  const phrase = text.slice(start, end);
  return { ...meant, phrase, rest: `${text.slice(0, start).trimEnd()} ${text.slice(end).trimStart()}` };
}

/** In the order of the text; of two languages that read the same place, the one that understands more of it. */
export function timePhrases(text: string, calendar: Calendar, whole = false): Phrase[] {
  const words = [...new Set(text.toLowerCase().match(/[a-z\u00c0-\u024f]+/g) ?? [])];
  const hasDigits = /\d{4}|\bq\d\b|\d(?:st|nd|rd|th)\b/i.test(text);
  const found: Phrase[] = [];
  for (const { needed, table, isSpokenIn } of LANGUAGES) {
    if (!hasDigits && !words.some((word) => needed().has(word))) continue;
    const spoken = words.length === 1 || isSpokenIn(words);
    found.push(...readPhrases(text, table(), calendar, { whole, spoken }));
  }
  if (mayHaveCjkTime(text)) found.push(...readCjkPhrases(text, calendar));
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}
