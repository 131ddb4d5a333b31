// What stands in a turn without being the speaker's own words: quotations, block quotes, code, and, in a prompt, what was pasted. Ideas,
// topics, triage, session notes and the questions to a model all look here, so that none of them takes it for what was said.

import { fencedCode } from './fenced-code.ts';
import type { Segment } from './injected-elements.ts';
import { pastedText } from './pasted-text.ts';
import { HOLE, merged, quotations } from './quotations.ts';

export type Foreign = Segment & { readonly as: 'quoted' | 'pasted' };

/** By user or agent: only people paste. */
export function foreignText(text: string, role: 'user' | 'assistant'): Foreign[] {
  const fenced = fencedCode(text).map(({ start, end }) => ({ start, end }));
  const code = [...fenced, ...indentedCode(text)];
  const pasted = role === 'user' ? merged([...pastedText(text, fenced), ...code]) : [];
  const quoted = quotations(text, role === 'user' ? pasted : merged(code));
  const all: Foreign[] = [
    ...pasted.map((each) => ({ ...each, as: 'pasted' as const })),
    ...quoted.map((each) => ({ ...each, as: 'quoted' as const })),
    ...(role === 'user' ? [] : code.map((each) => ({ ...each, as: 'quoted' as const }))),
  ];
  return merged(all.filter(({ start, end }) => end > start));
}

/** The same text with blanks in their place: what is left can be read for cues, and every place in it stays where it was. */
export function blanked(text: string, foreign: readonly Segment[]): string {
  if (foreign.length === 0) return text;
  let rest = '';
  let from = 0;
  for (const { start, end } of foreign) {
    rest += text.slice(from, start) + text.slice(start, end).replace(/[^\n]/g, ' ');
    from = end;
  }
  return rest + text.slice(from);
}

/** What the speaker said: the rest, with a mark where a passage of a line was. */
export function ownWords(text: string, role: 'user' | 'assistant'): string {
  const foreign = foreignText(text, role);
  if (foreign.length === 0) return text;
  let rest = '';
  let from = 0;
  for (const { start, end } of foreign) {
    const isInLine =
      !text.slice(start, end).includes('\n') && /\S[^\S\n]*$/.test(text.slice(Math.max(0, start - 80), start));
    rest += text.slice(from, start) + (isInLine ? HOLE : '');
    from = end;
  }
  return (rest + text.slice(from)).replace(/\n{3,}/g, '\n\n').trim();
}

const LIST_ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;
const INDENTED = /^(?: {4}|\t)[^\S\n]*\S/;

/** Code by indentation: behind a blank line, and not what belongs to the item of a list above it. */
function indentedCode(text: string): Segment[] {
  if (!/(?:^|\n)(?: {4}|\t)/.test(text)) return [];
  const found: Segment[] = [];
  let open: { start: number; end: number } | undefined;
  let isBehindBlank = true;
  let isInList = false;
  for (let start = 0; start <= text.length; ) {
    let end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    const line = text.slice(start, Math.min(end, start + 100));
    const isBlank = line.trim() === '';
    if (INDENTED.test(line) && !isInList && !LIST_ITEM.test(line) && (open || isBehindBlank)) {
      open = { start: open?.start ?? start, end };
    } else if (!isBlank) {
      if (open) found.push(open);
      open = undefined;
      isInList = LIST_ITEM.test(line) || (isInList && /^\s/.test(line));
    }
    isBehindBlank = isBlank;
    start = end + 1;
  }
  if (open) found.push(open);
  return found;
}
