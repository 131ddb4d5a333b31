// A time as a person or a model wrote it for a question, read the same way by every face.

import type { CairnError } from '../errors.ts';
import { readDay, readTime, SINCE_FORMS, type TimeEdge } from '../recall/time/since.ts';

export { SINCE_FORMS };

/** Makes the error of the face, from what is wrong with the time (or nothing) and what to do about it. */
type Refused = (why: string, fix: string) => CairnError;

const FIX = `Write it like one of ${SINCE_FORMS}.`;

/** In milliseconds. Of a day or a week, `until` is its end, the others its beginning. */
export function writtenTime(written: string, edge: TimeEdge, now: Date, refused: Refused): number {
  const time = readTime(written, edge, now);
  if (typeof time !== 'number') throw refused(time.problem, FIX);
  return time;
}

/** One day, from its first moment to that of the next. */
export function writtenDay(written: string, now: Date, refused: Refused): { since: number; until: number } {
  const day = readDay(written, now);
  if ('problem' in day) throw refused(day.problem, FIX);
  return day;
}
