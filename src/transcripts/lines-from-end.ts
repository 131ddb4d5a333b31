// The lines of a transcript, newest first, so that the end of a huge file costs no more than that of a small one. Long lines that say
// nothing are not even parsed, and what is no line of the client's is passed over.

import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import { tailLines } from '../files/tail-lines.ts';
import { fieldsIn } from './fields.ts';
import type { LineFormat, ParsedLine } from './parsed-line.ts';

/** Shorter lines are parsed without a look at what they begin with. */
const PARSE_ALWAYS = 4_096;
const HEAD_LENGTH = 2_048;

type EndLimits = {
  /** No more of the file is read. */
  readonly maxBytes: number;
  /** Longer lines are left out. */
  readonly maxLineBytes?: number;
};

export function* linesFromEnd(
  descriptor: number,
  format: LineFormat,
  { maxBytes, ...options }: EndLimits,
): Generator<ParsedLine, void, undefined> {
  const { size } = fs.fstatSync(descriptor);
  for (const line of tailLines(descriptor, options)) {
    if (size - line.offset > maxBytes) return;
    if (line.length > PARSE_ALWAYS && !format.isWorthParsing(line.head(HEAD_LENGTH).toString('latin1'))) continue;
    const bytes = line.bytes();
    const fields = bytes.length > 0 && isUtf8(bytes) ? fieldsIn(bytes.toString('utf8')) : undefined;
    if (fields) yield format.parse(fields);
  }
}
