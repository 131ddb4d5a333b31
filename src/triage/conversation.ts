// The messages as one text with numbered lines. Words are searched in the text as a whole, which is much faster than
// line by line; scores, windows and quotes count in lines.

import type { Message } from '../transcripts/tail.ts';

export type Conversation = {
  readonly text: string;
  readonly lines: readonly string[];
  /** Where each line begins in the text. */
  readonly starts: readonly number[];
};

export function conversationOf(messages: readonly Message[]): Conversation {
  const said = messages.filter(({ role }) => role !== 'other').map((message) => message.text);
  const text = said.join('\n');
  const lines = text.split('\n');
  const starts: number[] = [];
  let start = 0;
  for (const line of lines) {
    starts.push(start);
    start += line.length + 1;
  }
  return { text, lines, starts };
}

/** The numbers of all lines in which `find` finds something, in order. */
export function linesWith({ text, starts }: Conversation, find: (text: string, from: number) => number): number[] {
  const numbers: number[] = [];
  let line = 0;
  for (let at = find(text, 0); at !== -1; at = find(text, starts[line]!)) {
    while (line + 1 < starts.length && starts[line + 1]! <= at) line++;
    numbers.push(line);
    line++; // one find per line is enough
    if (line >= starts.length) break;
  }
  return numbers;
}
