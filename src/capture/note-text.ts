// Makes text from elsewhere fit for a section of a note: cleaned and masked as the write path does it, without headings
// that would end the section, and without links, fields and tags that nobody meant.

import { cutCodePoints, stripUnsafe, stripUnsafeText } from '../model/text.ts';
import { removePrivate } from '../safety/private-tags.ts';
import { redact } from '../safety/secrets/redact.ts';
import { outsideCode } from './summarise/prose.ts';

/** As the write path leaves it. Cleaning twice changes nothing, so a digest of this is one of what is written. */
export const cleanSection = (text: string): string => redact(removePrivate(stripUnsafeText(text))).text.trim();

/** One line of it. */
export const cleanLine = (text: string, max: number): string => {
  const line = redact(removePrivate(stripUnsafe(text.replace(/[\r\n\t]+/g, ' '))))
    .text.replace(/ {2,}/g, ' ')
    .trim();
  return line.length <= max ? line : `${cutCodePoints(line, max - 1).trimEnd()}…`;
};

/** Text that came with the colours of a terminal. */
// biome-ignore lint/complexity/useRegexLiterals: the escape character is clearer spelt out
const ANSI = new RegExp(
  '\\u001b(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^\\u0007\\u001b]{0,500}(?:\\u0007|\\u001b\\\\)|[@-Z\\\\-_])',
  'g',
);
export const withoutColours = (text: string): string => text.replace(ANSI, '');

/** Headings of the first two levels would end the section; inside code such a line moves in by one blank. */
export function insideSection(text: string): string {
  return outsideCode(
    text,
    (line) => line.replace(/^\s*#{1,2}(?=[ \t])/, '###'), // cleaning takes the blanks in front away
    (line) => (/^#{1,2}[ \t]/.test(line) ? ` ${line}` : line),
  );
}

/** A block of code that the text cannot end. */
export function codeBlock(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map((match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** Code within a line. */
export const inlineCode = (text: string): string => `\`${text.replaceAll('`', "'")}\``;
