// What may still be read of a line of a transcript: nothing of one that was forgotten, and of the others no statement that holds a
// text which the user named. Whoever reads transcripts asks this before anything else sees the line.

import type { Forgotten } from '../files/forgotten.ts';
import { lineWithoutNamed, useNamedTexts } from '../safety/secrets/named-texts.ts';

/** `thread`: the session, and the agent in it; without one only the line's own name tells. */
export type LineFilter = (text: string, number: number, thread?: string) => string;

/** `undefined` where nothing of any line was forgotten. */
export function lineFilter(forgotten: Forgotten | undefined): LineFilter | undefined {
  if (!forgotten) return undefined;
  const { texts, key, holdsLines } = forgotten;
  useNamedTexts({ key, texts });
  if (texts.length === 0 && !holdsLines) return undefined;
  return (text, number, thread) => {
    if (text === '') return text;
    if (holdsLines && forgotten.holdsLine(thread ?? '', number, lineNames(text))) return '';
    return texts.length === 0 ? text : lineWithoutNamed(text);
  };
}

/** As Claude Code names each line, and in a fork the line it was copied from; looked for in the text, because most lines need not be parsed. */
export const lineNames = (text: string): string[] =>
  [...text.matchAll(/"(?:uuid|messageUuid)" ?: ?"([\w-]{8,64})"/g)].map((match) => match[1]!);

/** The name of the line itself. */
export function lineName(text: string): string | undefined {
  try {
    const { uuid } = JSON.parse(text) as { uuid?: unknown };
    return typeof uuid === 'string' ? uuid : undefined;
  } catch {
    return undefined;
  }
}
