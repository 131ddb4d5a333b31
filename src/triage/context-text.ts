// The file that a triggered category hands to whoever drafts the record: where the words were found, with the lines
// around them. Quoted text cannot close the element it stands in, secrets are masked, and the file has a limit.

import { stripUnsafeText } from '../model/text.ts';
import { neutraliseTag, snippetForPrompt } from '../safety/sanitise.ts';

export const MAX_CONTEXT_BYTES = 50_000;
const TRUNCATED = '[Truncated: context exceeded 50KB]';
/** What could be the tag; the exact search looks through invisible characters and takes time to get ready. */
const MAY_BE_TAG = /<[^a-z<]*t/i;
const AROUND = 10;
/** A line can be a megabyte long; what is quoted of it is not. */
export const MAX_SNIPPET_SOURCE = 2_000;
/** Of a whole session the end tells most; all of it would cost the drafting model more than it is worth. */
const SESSION_BYTES = 12_000;

export type Context = {
  readonly category: string;
  readonly description: string;
  readonly score: number;
  /** Facts about the conversation, a line each. */
  readonly facts?: readonly string[];
  readonly excerpt: string;
  readonly snippets: readonly string[];
  /** Masks secrets; given by the caller because its patterns are costly to load. */
  readonly redact: (text: string) => string;
};

export function contextText(context: Context): string {
  const { category, description, score, facts = [], snippets, redact } = context;
  const head = [
    `Category: ${category}`,
    ...(description ? [`Description: ${snippetForPrompt(description)}`] : []),
    `Score: ${score.toFixed(2)}`,
    ...facts,
    '',
    '<transcript_data>\n',
  ].join('\n');
  const quotes = redact(snippets.map((snippet) => snippet.slice(0, MAX_SNIPPET_SOURCE)).join('\n')).split('\n');
  const list = quotes.map(snippetForPrompt).flatMap((quote) => (quote === '' ? [] : [`- ${quote}`]));
  const foot = `\n</transcript_data>\n${list.length > 0 ? `\nKey snippets:\n${list.join('\n')}\n` : ''}`;
  const quoted = stripUnsafeText(context.excerpt.slice(0, 2 * MAX_CONTEXT_BYTES)); // no need to clean what is cut away
  const masked = redact(quoted);
  const excerpt = MAY_BE_TAG.test(masked) ? neutraliseTag(masked, 'transcript_data') : masked;
  const room = MAX_CONTEXT_BYTES - Buffer.byteLength(head) - Buffer.byteLength(foot);
  return head + cutBytes(excerpt, room) + foot;
}

/** The lines around the given ones; windows that touch become one. */
export function linesAround(lines: readonly string[], numbers: readonly number[]): string {
  const windows: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const from = Math.max(0, number - AROUND);
    const to = Math.min(lines.length, number + AROUND + 1);
    const last = windows.at(-1);
    if (last && from <= last.to) last.to = to;
    else windows.push({ from, to });
  }
  return windows.map(({ from, to }) => lines.slice(from, to).join('\n')).join('\n---\n');
}

/** The last lines of a conversation that fit. */
export function lastLines(lines: readonly string[]): string {
  let bytes = 0;
  let from = lines.length;
  while (from > 0) {
    bytes += Buffer.byteLength(lines[from - 1]!) + 1;
    if (bytes > SESSION_BYTES) break;
    from--;
  }
  // A last line that is longer than all that still tells how the session ended.
  return from < lines.length ? lines.slice(from).join('\n') : (lines.at(-1) ?? '').slice(-SESSION_BYTES / 3);
}

function cutBytes(text: string, room: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= room) return text;
  let end = Math.max(0, room - TRUNCATED.length - 1);
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--; // not in the middle of a character
  return `${bytes.toString('utf8', 0, end)}\n${TRUNCATED}`;
}
