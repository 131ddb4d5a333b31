// The headings and lead-ins of a turn that only name what stands below them. Each is put before those statements, so that none of them needs a
// row; together they say how the turn is built, and are kept for search in the order in which they stand.

import type { Judged } from '../labels/judge-speech.ts';

/** More of it is cut off between two headings. */
const LONGEST_OUTLINE = 600;

/** Empty where no heading is left over. */
export function outlineOf(text: string, judged: readonly Judged[]): string {
  const names = new Set<string>();
  let length = 0;
  for (const { statement, slight } of judged) {
    if (!slight || !statement.leads || statement.provenance !== 'said') continue;
    const name = plain(text.slice(statement.start, statement.end));
    if (name === '' || names.has(name)) continue;
    length += name.length + SEPARATOR.length;
    if (length > LONGEST_OUTLINE) break;
    names.add(name);
  }
  return [...names].join(SEPARATOR);
}

const SEPARATOR = ' · ';

const plain = (text: string): string =>
  text
    .replace(/[*`]+|[:：]\**\s*$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
