// The exchange: one prompt, the work that follows, and the answer that ends it. It is what a conversation is read by: what a statement is
// worth hangs on where it stands in its exchange, on what was done in it, and on what the user said next.

import type { TraceItem, Turn } from '../../model/trace.ts';
import { removePrivate } from '../../safety/private-tags.ts';
import type { Place, Speech } from '../labels/features.ts';
import { isMachineTurn } from '../statements/injected.ts';
import { statementsOf } from '../statements/statements-of.ts';

export type Exchange = {
  /** The line of its prompt, or of its first item where a conversation begins without one. */
  readonly start: number;
  /** Its place in the conversation, from 0. */
  readonly number: number;
  readonly items: readonly TraceItem[];
  /** The end of what the agent had said before it. */
  readonly asked: string;
  /** The first part of it was so long that it was read alone. */
  readonly continues?: true;
  /** So many ideas of its first line belong to the exchange before it. */
  readonly taken?: number;
};

/** More than this is read in parts, so that what is kept between two readings stays small. */
const MOST_CHARACTERS = 200_000;
const MOST_ITEMS = 4_000;
const ASKED_LENGTH = 1_200;
const NEXT_LENGTH = 200;
const PLAN =
  /^\s*implement (?:the following|this) plan\b|^\s*(?:please )?(?:execute|carry out) (?:the following|this) plan\b/i;

/** A prompt that somebody typed, and that begins something. */
export const isPrompt = (item: TraceItem): item is Turn =>
  item.kind === 'turn' && item.role === 'user' && !item.aside && !isMachineTurn(item.text);

export function firstExchange(item: TraceItem): Exchange {
  return { start: item.line, number: 0, items: [item], asked: '' };
}

export function nextExchange(before: Exchange, item: TraceItem): Exchange {
  const asked = endOf(lastWords(before), ASKED_LENGTH);
  return { start: item.line, number: before.number + 1, items: [item], asked };
}

export const withItem = (exchange: Exchange, item: TraceItem): Exchange => ({
  ...exchange,
  items: [...exchange.items, item],
});

/** Too long to be carried on: what came so far is read, and the rest is a part of its own. */
export function isFull({ items }: Exchange): boolean {
  if (items.length >= MOST_ITEMS) return true;
  if (items.length % 16 !== 0) return false; // now and then is enough
  return items.reduce((sum, item) => sum + sizeOf(item), 0) > MOST_CHARACTERS;
}

/** About what it takes to write it down: every text of it counts, a list of files as much as a plan. */
const sizeOf = (item: TraceItem): number =>
  Object.values(item).reduce<number>((sum, value) => sum + 8 + (isCounted(value) ? String(value).length : 0), 0);

const isCounted = (value: unknown): boolean => typeof value === 'string' || Array.isArray(value);

/** The rest of an exchange that was too long: the same prompt stands for it. */
export function continued(exchange: Exchange, item: TraceItem): Exchange {
  const prompt = exchange.items.find(isPrompt);
  return {
    start: item.line,
    number: exchange.number + 1,
    items: [item],
    asked: prompt ? prompt.text.slice(0, ASKED_LENGTH) : exchange.asked,
    continues: true,
  };
}

/** Somebody has said something in it. */
export const hasTurn = ({ items }: Exchange): boolean => items.some(({ kind }) => kind === 'turn');

export const promptOf = ({ items }: Exchange): Turn | undefined => items.find(isPrompt);

/** What the agent said last. */
export function lastWords({ items }: Exchange): string {
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const item = items[at];
    if (item?.kind === 'turn' && item.role === 'assistant') return item.text;
  }
  return '';
}

export type TurnSpeech = Speech & { readonly turn: Turn; readonly speaker: string };

/** Every turn of it that says something, with its statements and its place. `next`: the prompt that follows. */
export function speechesOf(exchange: Exchange, next: Turn | undefined): TurnSpeech[] {
  const { items } = exchange;
  const prompt = promptOf(exchange);
  const lastWork = items.findLastIndex((item) => item.kind === 'event' && ENDS_NOTHING.has(item.event));
  const facts = {
    isPlan: prompt !== undefined && PLAN.test(prompt.text.slice(0, 200)),
    isFirst: exchange.number === 0,
    wrote: items.some(isWriting),
    committed: items.some((item) => item.kind === 'event' && item.event === 'commit'),
    failed: items.some((item) => item.kind === 'event' && item.event === 'failure'),
    next: next?.text.slice(0, NEXT_LENGTH),
  };
  let wroteBefore = false;
  const speeches: TurnSpeech[] = [];
  items.forEach((item, at) => {
    if (isWriting(item)) wroteBefore = true;
    if (item.kind !== 'turn') return;
    const text = item.text.includes('<private') ? removePrivate(item.text) : item.text;
    if (isMachineTurn(text)) return;
    const { statements, speaker } = statementsOf(text, item.role);
    if (statements.length === 0) return;
    // Somebody with a name is a person, whoever wrote the transcript.
    const place: Place = item.role === 'user' || speaker !== '' ? 'prompt' : at > lastWork ? 'final' : 'between';
    const behind = items[at + 1];
    speeches.push({
      ...facts,
      turn: item,
      speaker,
      text,
      place,
      statements,
      isAside: item.aside === true,
      wroteBefore,
      worksOn: behind?.kind === 'event' && behind.event === 'work',
      asked: place === 'prompt' && item === prompt ? exchange.asked : '',
    });
  });
  return speeches;
}

/** What the agent said before one of these was not its last word. */
const ENDS_NOTHING: ReadonlySet<string> = new Set(['work', 'interrupted']);

const isWriting = (item: TraceItem): boolean => item.kind === 'event' && item.event === 'files' && item.wrote;

const endOf = (text: string, most: number): string => {
  const end = text.slice(-most);
  return /^[\udc00-\udfff]/.test(end) ? end.slice(1) : end; // not half a character
};
