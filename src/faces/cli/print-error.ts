// Errors as people, programs and models read them: what happened, the facts, what to do.

import { CairnError, isSystemError, messageOf } from '../../errors.ts';
import { stripUnsafe, stripUnsafeText } from '../../model/text.ts';
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
  if (error instanceof CairnError) for (const [name, value] of error.details) io.err(`  ${name}: ${oneLine(value)}`);
  const fix = error instanceof CairnError ? error.fix : systemFix(error);
  if (fix) io.err(`What to do: ${fix}`);
}

/** The system says what and where; by its word for it one can say what to do. */
const FIXES: readonly (readonly [codes: readonly string[], fix: string])[] = [
  [['EACCES', 'EPERM'], 'Check who may read and write it, and the folders above it.'],
  [['ENOSPC', 'EDQUOT'], 'Free some space on that disk, then try again.'],
  [['EROFS'], 'That file system cannot be written to: choose another place, or mount it for writing.'],
  [['EMFILE', 'ENFILE'], 'Too many files are open: close other programs, or raise the limit (ulimit -n).'],
  [['EIO'], 'The disk failed: look at the log of the system, then try again.'],
  [['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG'], 'Look at what is at that path, and try again.'],
];

const systemFix = (error: unknown): string | undefined => FIXES.find(([codes]) => isSystemError(error, ...codes))?.[1];

function errorObject(error: unknown): object {
  if (!(error instanceof CairnError)) {
    const todo = systemFix(error);
    return { code: 'IO_ERROR', message: messageOf(error), ...(todo ? { fix: todo } : {}) };
  }
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
