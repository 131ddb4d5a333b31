// The value of an option that takes a time: `--since`, `--until`, `--before`, `--day`.

import { writtenDay, writtenTime } from '../../app/written-time.ts';
import { CairnError } from '../../errors.ts';

/** `until` is the end of what is named, all others its beginning. */
export function timeOption(option: string, written: string, now = new Date()): number {
  return writtenTime(written, option.endsWith('until') ? 'until' : 'since', now, refusal(option, written));
}

export const dayOption = (option: string, written: string, now = new Date()): { since: number; until: number } =>
  writtenDay(written, now, refusal(option, written));

const refusal =
  (option: string, written: string) =>
  (why: string, fix: string): CairnError =>
    new CairnError(
      'USAGE_ERROR',
      `${option} ${JSON.stringify(written)} is no time${why === '' ? '' : `: ${why.replace(/\.$/, '')}`}.`,
      {
        fix,
      },
    );
