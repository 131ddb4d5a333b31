// What a session note needs from the lines of a transcript: when it began, how many messages there were, and which files were written.
// The format is the client's own and changes; what is not understood is left out, and a huge file is not read to its end.

import fs from 'node:fs';
import { isInterruption } from '../safety/injected-elements.ts';
import { removePrivate } from '../safety/private-tags.ts';
import { learnFrom } from '../safety/secrets/find-secrets.ts';
import { KnownValues } from '../safety/secrets/known-values.ts';
import { redact } from '../safety/secrets/redact.ts';
import { fieldsIn } from './fields.ts';
import { formatOf } from './formats.ts';
import {
  type AssistantLine,
  type Block,
  type LineContext,
  type LineFormat,
  type Prompt,
  textsIn,
  type UserLine,
} from './parsed-line.ts';

export type TranscriptFacts = {
  readonly startedAt?: Date;
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
/** Nothing is said about a file that is not there or cannot be read. */
export function transcriptFacts(file: string, limits: TranscriptLimits = {}): TranscriptFacts {
  const read = readBounded(file, limits.maxBytes ?? MAX_BYTES);
  if (!read) return {};
  const format = formatOf(file);
  let startedAt: Date | undefined;
  let prompts = 0;
  const answers = new Set<string>();
  const writes = new Map<string, string>();
  for (const line of linesOf(read.text)) {
    const message = messageOf(line, format);
    if (!message) continue;
    if (message.time !== undefined) startedAt ??= new Date(message.time);
    for (const block of message.blocks) noteWrite(writes, block);
    if (message.kind === 'assistant') {
      const { by, message: id, blocks } = message;
      // Where answers have no ids, a call of a tool is a line of its own, and none.
      if (by === 'model' && (id !== undefined || textsIn(blocks).length > 0))
        answers.add(id ?? `answer ${answers.size}`);
      continue;
    }
    if (isPrompt(message.prompt)) prompts++;
  }
  // What the conversation gives away anywhere is masked in the little that a note shows of it.
  const known = new KnownValues();
  if (writes.size > 0) learnFrom(read.text, known);
  return {
    ...(startedAt ? { startedAt } : {}),
    ...(read.whole ? { messageCount: prompts + answers.size } : {}),
    ...(writes.size > 0 ? { edited: countPaths([...writes.values()].map((file) => redact(file, known).text)) } : {}),
  };
}

/** A call is a write until its result says that it failed. */
function noteWrite(writes: Map<string, string>, block: Block): void {
  if (block.kind === 'result' && block.failed) writes.delete(String(block.call));
  if (block.kind !== 'call' || !block.writes) return;
  for (const file of block.files) if (!file.includes('\0')) writes.set(String(block.id), file);
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
function messageOf(line: string, format: LineFormat): (LineContext & (UserLine | AssistantLine)) | undefined {
  if (!format.message.test(line)) return undefined;
  const fields = fieldsIn(line); // nothing for half a line: the client was just writing it
  const parsed = fields && format.parse(fields);
  if (!parsed || parsed.isMeta || parsed.isSidechain) return undefined;
  if (parsed.kind === 'user') return parsed.prompt.isSummary ? undefined : parsed;
  return parsed.kind === 'assistant' ? parsed : undefined;
}

/** What a person typed; tool results and what the client says in their name are none. */
function isPrompt({ words }: Prompt): boolean {
  const text = words.filter((each) => !isInterruption(each)).join('\n');
  return removePrivate(text).trim() !== '';
}
