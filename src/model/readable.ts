// What was written as Markdown, as one line of plain words: without marks for bold, with the cells of a table row one after the other.
// Names in backticks stay as they are.

import { BETWEEN_SAID } from './topic-outcome.ts';

/** Cells that only count or say how old the row is. */
const COUNTING = /^(?:#?\d{1,3}|\d+\s?[dhw](?: ago)?|today|yesterday|[-–—✅✓✔x\s]*)$/i;

export function readable(text: string): string {
  const line = text.replace(/\*\*/g, '').replace(/\s+/g, ' ').trim();
  return rowAsWords(line).replace(/(^|: )[-*•] (?=\S)/g, '$1');
}

/** `Pending: | 7 | Add a limit | api | today |` → `Pending: Add a limit, api`. */
function rowAsWords(line: string): string {
  const row = /^([^|]*?)\|(.+)\|$/.exec(line);
  if (!row) return line;
  const [, before = '', inner = ''] = row;
  const cells = inner
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => !COUNTING.test(cell));
  return `${before}${cells.join(', ')}`.trim();
}

/** Statements of one answer, one after the other; what stands before all of them (`Fixed: …`) is said once. */
export function readableAll(texts: readonly string[], between = '; '): string {
  let heading = '';
  const said = texts.map((text) => {
    const line = readable(text);
    const before = /^([^:]{3,60}): /.exec(line)?.[1] ?? '';
    const isSame = before !== '' && before === heading;
    heading = before;
    return isSame ? line.slice(before.length + 2) : line;
  });
  return said.join(between);
}

/** The outcome of a row holds up to two statements. */
export const readableOutcome = (outcome: string): string => readableAll(outcome.split(BETWEEN_SAID));
