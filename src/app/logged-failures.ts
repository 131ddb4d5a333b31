// The failures that hooks have logged (failure-log.ts), the newest first: for the doctor, the viewer and the start of a session.

import fs from 'node:fs';
import { isSystemError } from '../errors.ts';
import { tailLines } from '../files/tail-lines.ts';
import { omittable, openObject, parseAs, text } from '../model/schema.ts';
import { failureLog } from './failure-log.ts';

const FAILURE = openObject({ time: text(), event: text(), cause: omittable(text()) });

/** `line`: as it stands there. Half a line of a killed process is passed over. */
export type LoggedFailure = {
  readonly at: number;
  readonly event: string;
  readonly cause: string;
  readonly line: string;
};

/** None where there is no log, or it may not be read. */
export function* loggedFailures(userRoot: string): Generator<LoggedFailure> {
  let descriptor: number;
  try {
    descriptor = fs.openSync(failureLog(userRoot), 'r');
  } catch (error) {
    if (isSystemError(error)) return;
    throw error;
  }
  try {
    for (const each of tailLines(descriptor)) {
      const line = each.bytes().toString('utf8').trim();
      const { time = '', event = '', cause = '' } = parseAs(FAILURE, line) ?? {};
      const at = Date.parse(time);
      if (Number.isFinite(at)) yield { at, event, cause, line };
    }
  } finally {
    fs.closeSync(descriptor);
  }
}
