// The answer to one prompt, from the end of a transcript: what the model wrote and what it gave to tools. Knows of the client's
// format only what this needs; the readers of conversations (traces/) need all of it.

import fs from 'node:fs';
import { isObject, type JsonObject } from '../files/json-file.ts';
import { tailLines } from '../files/tail-lines.ts';
import { shortHash } from '../model/hash.ts';

export type Answer = { readonly prompt: string; readonly text: string };

/** Of a turn that took longer than this, the end is looked at. */
const MAX_BYTES = 24 * 1024 * 1024;
const MAX_LINE_BYTES = 1024 * 1024;
const MAX_TEXT = 200_000;

/** The prompt as the hook sees it and as the transcript keeps it: without the blanks around it. */
export const promptHash = (prompt: string): string => shortHash(prompt.trim());

/** `undefined` where the prompt is not among the last of the transcript, or nothing follows it. */
export function answerTo(transcript: string, hash: string): Answer | undefined {
  const descriptor = fs.openSync(transcript, 'r');
  try {
    const said: string[] = [];
    let [bytes, length] = [0, 0];
    for (const line of tailLines(descriptor, { maxLineBytes: MAX_LINE_BYTES })) {
      bytes += line.length + 1;
      if (bytes > MAX_BYTES) return undefined;
      const value = line.length === 0 ? undefined : parse(line.bytes());
      if (!value || value.isSidechain === true) continue;
      if (value.type === 'assistant') {
        const text = assistantText(contentOf(value));
        if (text !== '' && length < MAX_TEXT) said.push(text.slice(0, MAX_TEXT - length));
        length += text.length;
      } else if (value.type === 'user') {
        const prompt = promptText(contentOf(value));
        if (prompt === undefined || value.isMeta === true) continue;
        if (promptHash(prompt) === hash)
          return said.length > 0 ? { prompt, text: said.reverse().join('\n') } : undefined;
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

function parse(bytes: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // half a line, or none of the client's
  }
}

const contentOf = ({ message, content }: JsonObject): unknown => (isObject(message) ? message.content : content);

function assistantText(content: unknown): string {
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  return blocks
    .map(({ type, text, input }) => {
      if (type === 'text' && typeof text === 'string') return text;
      return type === 'tool_use' && isObject(input) ? JSON.stringify(input) : '';
    })
    .filter((text) => text !== '')
    .join('\n');
}

/** `undefined` for results of tools. */
function promptText(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  if (blocks.length === 0 || blocks.some(({ type }) => type === 'tool_result')) return undefined;
  return blocks.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}
