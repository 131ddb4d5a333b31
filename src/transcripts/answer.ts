// The answer to one prompt, from the end of a transcript: what the model wrote and what it gave to tools.

import fs from 'node:fs';
import { shortHash } from '../model/hash.ts';
import { formatOf } from './formats.ts';
import { linesFromEnd } from './lines-from-end.ts';
import { type Block, promptText, textsIn, type UserLine } from './parsed-line.ts';

export type Answer = { readonly prompt: string; readonly text: string };

/** Of a turn that took longer than this, the end is looked at. */
const MAX_BYTES = 24 * 1024 * 1024;
const MAX_LINE_BYTES = 1024 * 1024;
const MAX_TEXT = 200_000;

/** The prompt as the hook is given it and as the transcript keeps it: without the blanks around it. */
export const promptHash = (prompt: string): string => shortHash(prompt.trim());

/** `undefined` where the prompt is not among the last of the transcript, or nothing follows it. */
export function answerTo(transcript: string, hash: string): Answer | undefined {
  const descriptor = fs.openSync(transcript, 'r');
  try {
    const said: string[] = [];
    let length = 0;
    const limits = { maxBytes: MAX_BYTES, maxLineBytes: MAX_LINE_BYTES };
    for (const line of linesFromEnd(descriptor, formatOf(transcript), limits)) {
      if (line.isSidechain || line.isMeta) continue;
      if (line.kind === 'assistant' && line.by === 'model') {
        const text = answerText(line.blocks);
        if (text !== '' && length < MAX_TEXT) said.push(text.slice(0, MAX_TEXT - length));
        length += text.length;
      } else if (line.kind === 'user' && isPrompt(line)) {
        // An editor may have put something before what the hook was given.
        const prompt = [textsIn(line.blocks).join(''), promptText(line.prompt)].find(
          (text) => promptHash(text) === hash,
        );
        if (prompt !== undefined) return said.length > 0 ? { prompt, text: said.reverse().join('\n') } : undefined;
        // Another prompt: what was gathered so far answers that one.
        said.length = 0;
        length = 0;
      }
    }
    return undefined;
  } finally {
    fs.closeSync(descriptor);
  }
}

function answerText(blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      if (block.kind === 'text') return block.text;
      return block.kind === 'call' && block.input ? JSON.stringify(block.input) : '';
    })
    .filter((text) => text !== '')
    .join('\n');
}

/**
 * Also what the client says in the user's name: what follows is the answer to that. The results of tools are no prompt, nor is the
 * summary after a compaction: the agent goes on with what it was asked.
 */
const isPrompt = ({ blocks, prompt }: UserLine): boolean =>
  blocks.length > 0 && !prompt.isSummary && !blocks.some(({ kind }) => kind === 'result');
