// What a session note needs from the transcript: when it began, what was asked first, how many messages there were, and
// which files were written.
// The format is the client's own and changes; what is not understood is left out, and a huge file is not read to its end.

import fs from 'node:fs';
import { isObject, type JsonObject } from '../files/json-file.ts';
import { learnFrom } from '../safety/find-secrets.ts';
import { ownWords } from '../safety/foreign-text.ts';
import { KnownValues } from '../safety/known-values.ts';
import { maskText } from '../safety/mask-text.ts';
import { removePrivate } from '../safety/private-tags.ts';
import { redact } from '../safety/redact.ts';

export type TranscriptFacts = {
  readonly startedAt?: Date;
  /** What a person asked first. */
  readonly firstPrompt?: string;
  /** Prompts and answers; left out if the file is too large to be counted. */
  readonly messageCount?: number;
  /** Files that a tool wrote, with how often, in the order of first writing; as the model named them. */
  readonly edited?: readonly { readonly path: string; readonly edits: number }[];
};

export type TranscriptLimits = {
  /** A larger file is read from its beginning only, and its messages are not counted. */
  readonly maxBytes?: number;
};

const MAX_BYTES = 8 * 1024 * 1024;
const HEAD_BYTES = 512 * 1024;
const PROMPT_MAX = 2_000;
const WRITING_TOOLS = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'];
/** Written by the client or a hook in the user's name. */
const MACHINE =
  /^\s*(?:<(?:command-|local-command-|task-notification|bash-|system-reminder)|Stop hook feedback:|\[Request interrupted|Caveat: The messages below)/;

/** Nothing is said about a file that is not there or cannot be read. */
export function transcriptFacts(file: string, limits: TranscriptLimits = {}): TranscriptFacts {
  const read = readBounded(file, limits.maxBytes ?? MAX_BYTES);
  if (!read) return {};
  let startedAt: Date | undefined;
  let firstPrompt: string | undefined;
  let prompts = 0;
  const answers = new Set<string>();
  const writes = new Map<string, string>();
  for (const line of linesOf(read.text)) {
    const message = messageOf(line);
    if (!message) continue;
    startedAt ??= timeOf(message);
    for (const block of blocksOf(message)) noteWrite(writes, block);
    if (message.type === 'assistant') {
      answers.add(answerId(message) ?? `answer ${answers.size}`);
      continue;
    }
    const prompt = promptOf(message);
    if (prompt === undefined) continue;
    prompts++;
    firstPrompt ||= maskText(prompt); // a note shows only the beginning: half a secret looks like nothing
  }
  // What the conversation gives away anywhere is masked in the little that a note shows of it.
  const known = new KnownValues();
  if (firstPrompt || writes.size > 0) learnFrom(read.text, known);
  return {
    ...(startedAt ? { startedAt } : {}),
    ...(firstPrompt ? { firstPrompt: maskText(firstPrompt, known) } : {}),
    ...(read.whole ? { messageCount: prompts + answers.size } : {}),
    ...(writes.size > 0 ? { edited: countPaths([...writes.values()].map((file) => redact(file, known).text)) } : {}),
  };
}

/** A call is a write until its result says that it failed. */
function noteWrite(writes: Map<string, string>, block: JsonObject): void {
  if (block.type === 'tool_result' && block.is_error === true) writes.delete(String(block.tool_use_id));
  if (block.type !== 'tool_use' || !WRITING_TOOLS.includes(String(block.name)) || !isObject(block.input)) return;
  const file = block.input.file_path ?? block.input.notebook_path;
  if (typeof file === 'string' && file !== '' && !file.includes('\0')) writes.set(String(block.id), file);
}

function countPaths(paths: Iterable<string>): { path: string; edits: number }[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + 1);
  return [...counts].map(([path, edits]) => ({ path, edits }));
}

function readBounded(file: string, maxBytes: number): { text: string; whole: boolean } | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    const stat = fs.fstatSync(descriptor);
    if (!stat.isFile()) return undefined;
    const whole = stat.size <= maxBytes;
    const bytes = Buffer.alloc(Math.min(stat.size, whole ? maxBytes : HEAD_BYTES));
    const length = fs.readSync(descriptor, bytes, 0, bytes.length, 0);
    return { text: bytes.toString('utf8', 0, length), whole };
  } catch {
    return undefined; // gone, not ours to read, or a name that is no file name: the note does without it
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const stop = end === -1 ? text.length : end;
    yield text.slice(at, stop);
    at = stop + 1;
  }
}

/** A line that somebody said; the many other kinds, which repeat it all, are not even parsed. */
function messageOf(line: string): JsonObject | undefined {
  if (!/"type":\s*"(?:user|assistant|human)"/.test(line)) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value) || value.isMeta || value.isCompactSummary || value.isSidechain) return undefined;
    return value.type === 'user' || value.type === 'assistant' || value.type === 'human' ? value : undefined;
  } catch {
    return undefined; // half a line: the client was just writing it
  }
}

function timeOf(message: JsonObject): Date | undefined {
  const time = typeof message.timestamp === 'string' ? Date.parse(message.timestamp) : Number.NaN;
  return Number.isFinite(time) ? new Date(time) : undefined;
}

/** One answer is several lines, one for each block of it, under one id. */
function answerId(message: JsonObject): string | undefined {
  const id = isObject(message.message) ? message.message.id : undefined;
  return typeof id === 'string' ? id : undefined;
}

function blocksOf(message: JsonObject): JsonObject[] {
  const content = isObject(message.message) ? message.message.content : message.content;
  return Array.isArray(content) ? content.filter(isObject) : [{ type: 'text', text: content }];
}

/** What a person typed; tool results and what the client says in their name are none. */
function promptOf(message: JsonObject): string | undefined {
  const blocks = blocksOf(message);
  if (blocks.some((block) => block.type === 'tool_result')) return undefined;
  const text = blocks
    .flatMap((block) => (block.type === 'text' && typeof block.text === 'string' ? [block.text] : []))
    .filter((each) => !MACHINE.test(each))
    .join('\n');
  const visible = removePrivate(text).trim().slice(0, PROMPT_MAX);
  // A note tells what was asked, in the words of who asked; of a prompt that is nothing but a paste it tells nothing.
  return visible === '' ? undefined : ownWords(visible, 'user');
}
