// The argument of a tool that takes a time: `since`, `until`.

import { writtenTime } from '../../../app/written-time.ts';
import { CairnError } from '../../../errors.ts';

export function timeArgument(
  name: 'since' | 'until',
  written: string | null | undefined,
  now: Date,
): number | undefined {
  if (!written) return undefined;
  return writtenTime(
    written,
    name,
    now,
    (why, fix) =>
      new CairnError('INPUT_ERROR', `"${name}" is no time: ${JSON.stringify(written)}. ${why}`.trim(), { fix }),
  );
}
