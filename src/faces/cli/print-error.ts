// Errors as people, programs and models read them: what happened, the facts, what to do.

import { CairnError, messageOf } from '../../errors.ts';
import { stripUnsafe, stripUnsafeText } from '../../safety/sanitise.ts';
import type { Io } from './io.ts';

/** The layout of the write protocol: the code on the first line, then one fact a line. */
export function protocolText(error: CairnError): string {
  const named = error.details.some(([name]) => name === 'field'); // the fields say it all
  const details = [...error.details, ...(named ? [] : [['message', error.message] as const])];
  const fix = error.fix ? [['fix', error.fix] as const] : [];
  return [error.code, ...[...details, ...fix].map(([name, value]) => `${name}: ${oneLine(value)}`)].join('\n');
}

export function printError(io: Io, error: unknown, json: boolean): void {
  if (json) {
    io.out(JSON.stringify({ error: errorObject(error) }));
    return;
  }
  io.err(`cairn: ${stripUnsafeText(messageOf(error))}`);
  if (!(error instanceof CairnError)) return;
  for (const [name, value] of error.details) io.err(`  ${name}: ${oneLine(value)}`);
  if (error.fix) io.err(`What to do: ${error.fix}`);
}

function errorObject(error: unknown): object {
  if (!(error instanceof CairnError)) return { code: 'IO_ERROR', message: messageOf(error) };
  const { code, message, fix, details } = error;
  return {
    code,
    message,
    ...(details.length > 0 ? { details: details.map(([name, value]) => ({ name, value })) } : {}),
    ...(fix ? { fix } : {}),
  };
}

/** Facts may quote what somebody else wrote: no line of theirs may pass for one of ours, no code of theirs may reach the terminal. */
const oneLine = (value: string): string => stripUnsafe(value.replace(/[\r\n\u2028\u2029]+/g, ' '));
