// The last exchange of a transcript, read from the end of the file: the prompt that somebody typed last, and all that followed. A long
// conversation costs no more than a short one, but for an exchange that is too long to be looked at when a turn ends.

import { isUtf8 } from 'node:buffer';
import { tailLines } from '../files/tail-lines.ts';
import type { TraceItem, Turn } from '../model/trace.ts';
import { isInterruption, withoutInjected } from '../safety/injected-elements.ts';
import { fieldsIn } from './fields.ts';
import { formatOf } from './formats.ts';
import { type ParsedLine, textsIn } from './parsed-line.ts';
import { readerOf } from './readers.ts';

const MAX_BYTES = 4 * 1024 * 1024;
/** Longer lines that look like output of a tool are left out. */
const LONG_LINE = 64 * 1024;
const HEAD_LENGTH = 2_048;
/** So far before the prompt the agent's last words are looked for. */
const MOST_BEFORE = 60;

export type LastExchange = {
  /** Lines count from 1 at the prompt. */
  readonly items: readonly TraceItem[];
  /** Where its prompt begins in the file. */
  readonly offset: number;
  /** What the agent had said before it. */
  readonly before: string;
  /** Nothing was said before it. */
  readonly isFirst: boolean;
  /** The last answer stands in the transcript, as far as anybody can tell. */
  readonly isWhole: boolean;
};

/** `undefined` where nobody typed anything, or too long ago. `answer`: what the client says that the agent said last. */
export function lastExchange(descriptor: number, file: string, answer: unknown): LastExchange | undefined {
  const format = formatOf(file);
  const lines: string[] = [];
  let read = 0;
  let prompt: { offset: number; before: string; isFirst: boolean } | undefined;
  let behind = 0;
  for (const line of tailLines(descriptor)) {
    read += line.length + 1;
    if (read > MAX_BYTES || behind > MOST_BEFORE) break;
    if (line.length > LONG_LINE && !format.isWorthParsing(line.head(HEAD_LENGTH).toString('latin1'))) continue;
    const bytes = line.bytes();
    if (bytes.length === 0 || !isUtf8(bytes)) continue;
    const text = bytes.toString('utf8');
    if (!prompt) {
      lines.push(text);
      if (MAY_BE_TYPED.test(text) && isTyped(parsed(text))) prompt = { offset: line.offset, before: '', isFirst: true };
      continue;
    }
    behind += 1;
    const said = agentsWords(parsed(text));
    if (said === undefined) continue;
    prompt = { ...prompt, before: said, isFirst: false };
    break;
  }
  if (!prompt) return undefined;
  const items = itemsOf(file, lines.reverse());
  const whole = withAnswer(items, answer);
  return { ...prompt, items: whole, isWhole: whole === items };

  function parsed(text: string): ParsedLine | undefined {
    const fields = fieldsIn(text);
    return fields && format.parse(fields);
  }
}

/** To parse a line takes much longer. */
const MAY_BE_TYPED = /"(?:user|human|user_message)"/;

function isTyped(line: ParsedLine | undefined): boolean {
  if (line?.kind !== 'user' || line.isMeta || line.isSidechain || line.prompt.isSummary) return false;
  const { words } = line.prompt;
  return words.some((text) => text.trim() !== '' && !isInterruption(text));
}

function agentsWords(line: ParsedLine | undefined): string | undefined {
  if (line?.kind !== 'assistant' || line.by !== 'model' || line.isSidechain) return undefined;
  const text = textsIn(line.blocks).map(withoutInjected).join('\n').trim();
  return text === '' ? undefined : text;
}

function itemsOf(file: string, lines: readonly string[]): TraceItem[] {
  const reader = readerOf(file);
  const items: TraceItem[] = [];
  let state = reader.start(file);
  lines.forEach((text, at) => {
    const reading = reader.read(state, { number: at + 1, text });
    state = reading.state;
    items.push(...reading.items);
  });
  return items;
}

/** The client may call the hook before the last answer is in the transcript, and sends it along. */
function withAnswer(items: TraceItem[], answer: unknown): TraceItem[] {
  if (typeof answer !== 'string') return items;
  const text = withoutInjected(answer);
  const words = squeeze(text);
  const isThere = (item: TraceItem): boolean =>
    item.kind === 'turn' && item.role === 'assistant' && squeeze(item.text).includes(words);
  if (words === '' || items.some(isThere)) return items;
  const last = items.at(-1);
  const turn: Turn = {
    kind: 'turn',
    role: 'assistant',
    text,
    line: (last?.line ?? 0) + 1,
    time: last?.time,
    message: undefined,
  };
  return [...items, turn];
}

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim();
