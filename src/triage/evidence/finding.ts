// What is judged of a finished exchange, and what it shows that is worth a record: the category, how sure that is, and the words that the
// draft is made of.

import type { Exchange } from '../../extraction/exchanges/exchange.ts';
import type { ExchangeIdea } from '../../extraction/ideas/exchange-idea.ts';
import type { JsonObject } from '../../model/json.ts';

export type Finding = {
  readonly category: string;
  /** 0 … 1: how likely a reader would keep it. */
  readonly score: number;
  readonly title: string;
  readonly content: JsonObject;
  /** The transcript's line that says it. */
  readonly line: number;
};

/** What is judged: the ideas of the exchange that somebody really said, and what was done in it. */
export type Shown = {
  readonly exchange: Exchange;
  /** What the user and before that the agent said, in words of their own. */
  readonly prompt: string;
  readonly asked: string;
  readonly ideas: readonly ExchangeIdea[];
  readonly wrote: boolean;
  readonly isPlan: boolean;
};

/** Of the draft that is made of it: nobody has looked at it yet. */
export const confidenceOf = (score: number): number => Math.round(100 * UNSEEN * score) / 100;
const UNSEEN = 0.9;

/** The score that a draft was made with. */
export const scoreOf = (confidence = 0): number => confidence / UNSEEN;
