// The lines of a topic as a model may see them and as its answer is checked against them: cleaned of secrets and of what nobody said,
// and cut to a size. Cleaning comes first, so that a secret never leaves the machine.

import { isMachineTurn, saidSegments } from '../extraction/statements/injected.ts';
import type { SourceLine } from '../indexing/transcripts/span-lines.ts';
import { contentHash } from '../model/hash.ts';
import { cutCodePoints, stripUnsafeText } from '../model/text.ts';
import { ownWords } from '../safety/foreign-text.ts';
import { removePrivate } from '../safety/private-tags.ts';
import { redact } from '../safety/secrets/redact.ts';

/** Of all lines of one question together. */
export const LINES_LENGTH = 20_000;
const LEAST_LINE = 160;

/**
 * Lines as they may be shown and kept: no secrets, nothing private, nothing that nobody said, nothing that somebody only quoted, pasted
 * or got from a tool: what a model does not see, it cannot make a decision of. One entry for each number.
 */
export function cleanLines(lines: readonly SourceLine[]): SourceLine[] {
  const byNumber = new Map<number, SourceLine>();
  for (const each of lines) {
    const text = isMachineTurn(each.text) ? '' : saidIn(each);
    if (text === '') continue;
    const before = byNumber.get(each.line);
    byNumber.set(each.line, before ? { ...before, text: `${before.text}\n${text}` } : { ...each, text });
  }
  return [...byNumber.values()].sort((a, b) => a.line - b.line);
}

function saidIn({ who, text, tried }: SourceLine): string {
  if (who === 'page') return '';
  if (tried !== undefined) return cleanText(tried);
  return who === 'user' || who === 'assistant' || who === 'plan'
    ? ownWords(cleanText(text), who === 'user' ? 'user' : 'assistant')
    : cleanText(text);
}

export function cleanText(text: string): string {
  const visible = removePrivate(text);
  const said = saidSegments(visible).map(({ start, end }) => visible.slice(start, end));
  return stripUnsafeText(redact(said.join(' ')).text).trim();
}

/** What identifies the lines: an answer about other lines must not be used. */
export const sourceHash = (lines: readonly SourceLine[]): string =>
  contentHash(JSON.stringify(lines.map(({ line, who, text }) => [line, who, text]))).slice(0, 32);

/** The lines where an exchange begins: the user's, but for answers to a question of the agent. */
export const promptLines = (lines: readonly SourceLine[]): number[] =>
  lines.filter(({ who, answered }) => who === 'user' && answered === undefined).map(({ line }) => line);

/** Long lines are shortened first, all to the same length; if that is not enough, lines in the middle go that say least. */
export function fitted(lines: readonly SourceLine[], telling: ReadonlySet<number>): SourceLine[] {
  let kept = [...lines];
  while (kept.length * LEAST_LINE > LINES_LENGTH)
    kept = withoutMiddle(kept, telling, Math.floor(LINES_LENGTH / LEAST_LINE));
  const most = longestAllowed(kept.map((line) => line.text.length));
  return kept.map((line) => (line.text.length > most ? { ...line, text: shortened(line.text, most) } : line));
}

function withoutMiddle(lines: readonly SourceLine[], telling: ReadonlySet<number>, most: number): SourceLine[] {
  const middle = lines.length / 2;
  const value = (line: SourceLine, at: number): number =>
    Math.abs(at - middle) / lines.length + (telling.has(line.line) ? 0.5 : 0) + (line.who === 'user' ? 0.5 : 0);
  const ranked = lines.map((line, at) => ({ line, at, value: value(line, at) }));
  return ranked
    .sort((a, b) => b.value - a.value || a.at - b.at)
    .slice(0, most)
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line);
}

/** The length to which lines are cut so that all together fit. */
function longestAllowed(lengths: readonly number[]): number {
  let left = LINES_LENGTH;
  const sorted = [...lengths].sort((a, b) => a - b);
  for (const [at, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - at));
    if (length > share) return share;
    left -= length;
  }
  return LINES_LENGTH;
}

/** The beginning and the end: what is wanted stands at one of them. */
function shortened(text: string, most: number): string {
  const head = cutCodePoints(text, Math.floor(most * 0.65));
  const tail = text.slice(-Math.floor(most * 0.3)).replace(/^[\udc00-\udfff]/, '');
  return `${head} […] ${tail}`;
}
