// What the row of a topic or of an exchange says besides its name and text, read from its `meta`: what was asked, what came out, what was
// decided, mended and left. One place, because every face shows it, and rows may have been written by an older Cairn.

type Meta = { readonly [key: string]: unknown } | undefined;

export type ExchangeFields = {
  /** Its place in the conversation, from 0. */
  readonly number: number;
  readonly asked: string;
  readonly outcome: string;
  readonly decided: readonly string[];
  readonly fixed: readonly string[];
  readonly files: readonly string[];
  readonly commits: readonly string[];
  readonly left: readonly string[];
};

export type TopicFields = {
  /** How many exchanges it has. */
  readonly exchanges: number;
  readonly outcome: string;
  readonly decided: readonly string[];
  readonly commits: readonly string[];
  readonly left: readonly string[];
  /** What the user or the client called the conversation. */
  readonly sessionTitle: string;
};

/** What is written where nothing came of it, because it was broken off. */
export const STOPPED = 'Stopped by the user';

/** Nothing where the row is no exchange. */
export function exchangeFields(meta: Meta): ExchangeFields | undefined {
  if (meta?.level !== 'exchange') return undefined;
  return {
    number: typeof meta.number === 'number' ? meta.number : 0,
    asked: textOf(meta.asked),
    outcome: textOf(meta.outcome),
    decided: textsOf(meta.decided),
    fixed: textsOf(meta.fixed),
    files: textsOf(meta.files),
    commits: textsOf(meta.commits),
    left: textsOf(meta.left),
  };
}

/** Nothing where the row is no topic. */
export function topicFields(meta: Meta): TopicFields | undefined {
  if (meta?.level !== 'topic') return undefined;
  return {
    exchanges: typeof meta.exchanges === 'number' ? meta.exchanges : 0,
    outcome: textOf(meta.outcome),
    decided: textsOf(meta.decided),
    commits: textsOf(meta.commits),
    left: textsOf(meta.left),
    sessionTitle: textOf(meta.session_title),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
