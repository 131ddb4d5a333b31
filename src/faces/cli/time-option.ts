// The value of an option that takes a time: `--since`, `--until`, `--before`.

import { writtenTime } from '../../app/written-time.ts';
import { CairnError } from '../../errors.ts';

export function timeOption(option: string, written: string, now = new Date()): number {
  return writtenTime(
    written,
    now,
    (fix) => new CairnError('USAGE_ERROR', `${option} ${JSON.stringify(written)} is no time.`, { fix }),
  );
}
