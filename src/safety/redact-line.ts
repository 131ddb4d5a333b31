// Redacts one line of a transcript before it is kept: every string in it, wherever it stands, loses its secrets and what was
// marked as private. JSON stays JSON; what is no JSON, such as a line that was cut off, is treated as text.

import { parseJson } from '../model/json.ts';
import { withoutPrivate } from './private-blocks.ts';
import { removePrivate } from './private-tags.ts';
import type { KnownValues } from './secrets/known-values.ts';
import { redact, redactDeep } from './secrets/redact.ts';

// The word, or escapes that its letters and brackets may hide in. Few lines have either; then the strings are asked.
const MAY_BE_PRIVATE = /private|\\u00[3-7]/i;

/**
 * A line without a find comes back as it is. `parsed`: the same line, where somebody has parsed it already. `known`: the values that the
 * conversation gave away so far; it learns those of this line.
 */
export function redactLine(line: string, { parsed, known }: { parsed?: object; known?: KnownValues } = {}): string {
  if (line === '') return line;
  const value = parsed ?? parseJson(line);
  if (value === undefined) return redact(removePrivate(line), known).text;
  try {
    const open = MAY_BE_PRIVATE.test(line) ? withoutPrivate(value).value : value;
    const { value: clean } = redactDeep(open, known);
    return clean === value ? line : JSON.stringify(clean);
  } catch {
    return ''; // nested too deep to be checked: nobody says anything there
  }
}
