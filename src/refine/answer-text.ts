// Text that a model wrote, before anything of it is kept: no secrets, nothing private, no hidden characters, no tag that would mean
// something to the client, to Cairn or to a model; and titles and summaries only as far as they are made of what was said.

import { isObject } from '../model/json.ts';
import { cutCodePoints, stripUnsafeText } from '../model/text.ts';
import { removePrivate } from '../safety/private-tags.ts';
import { neutraliseTag } from '../safety/sanitise.ts';
import { redact } from '../safety/secrets/redact.ts';
import { TITLE_LENGTH } from './refine-prompt.ts';
import { isSupported, type SourceWords } from './support-words.ts';

const TITLE_SHARE = 0.6;
const SENTENCE_SHARE = 0.7;
const TAGS = [
  'memory-context',
  'system-reminder',
  'triage_data',
  'transcript_data',
  'task-notification',
  'command-name',
  'command-message',
  'command-args',
  'private',
  'system',
];

export function cleanModelText(written: string): string {
  const plain = stripUnsafeText(redact(removePrivate(written)).text);
  return TAGS.reduce((clean, tag) => neutraliseTag(clean, tag), plain).trim();
}

/** In one line. */
export const cleanModelLine = (written: string): string => cleanModelText(written).replace(/\s+/g, ' ').trim();

export function checkTitle(title: string, said: SourceWords): string | undefined {
  const clean = cutCodePoints(cleanModelLine(title), TITLE_LENGTH).replace(/[.:\s]+$/, '');
  return [...clean].length >= 3 && isSupported(clean, said, TITLE_SHARE) ? clean : undefined;
}

/** Sentence by sentence: one that the lines do not support goes, the others stay. */
export function checkSummary(
  summary: string,
  said: SourceWords,
  most: number,
): { text: string | undefined; refused: number } {
  const sentences = cleanModelText(cutCodePoints(summary, most * 3))
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
  const kept = sentences.filter((sentence) => isSupported(sentence, said, SENTENCE_SHARE));
  let text = '';
  for (const sentence of kept) {
    const longer = text === '' ? sentence : `${text} ${sentence}`;
    if ([...longer].length > most) break;
    text = longer;
  }
  return { text: text === '' ? undefined : text, refused: sentences.length - kept.length };
}

/** What a model adds of its own is not looked at. */
export const onlyKnownFields = (value: unknown, fields: object): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.keys(fields)
          .filter((name) => Object.hasOwn(value, name))
          .map((name) => [name, value[name]]),
      )
    : value;
