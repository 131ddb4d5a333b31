// A time as a person or a model wrote it for a question, read the same way by every face.

import type { CairnError } from '../errors.ts';
import { readSince, SINCE_FORMS } from '../recall/time/since.ts';

export { SINCE_FORMS };

/** In milliseconds. `refused` makes the error of the face from what to do about it. */
export function writtenTime(written: string, now: Date, refused: (fix: string) => CairnError): number {
  const time = readSince(written, now);
  if (time === undefined) throw refused(`Write it like one of ${SINCE_FORMS}.`);
  return time;
}
