// How a conversation is called: its user named it, or the client's model did. The client writes the same title again and again, so each is
// told once. Summaries of older versions may stand in the file of another conversation: one is believed when the line that it is about
// stands in this file, before it or after it.

import type { TraceEvent } from '../../model/trace.ts';
import { maskText } from '../../safety/mask-text.ts';
import type { TitleLine } from '../parsed-line.ts';

/** Plain JSON, of bounded size. It is stored, so its words are masked. */
export type Titles = {
  readonly user: string | null;
  readonly client: string | null;
  /** Summaries whose line has not been seen. */
  readonly waiting: readonly { readonly leaf: string; readonly text: string; readonly line: number }[];
  /** The newest line that told something. */
  readonly leaf: string | null;
};

export const NO_TITLES: Titles = { user: null, client: null, waiting: [], leaf: null };

type Place = { readonly line: number; readonly time: number | undefined };
type Found = { readonly titles: Titles; readonly events: readonly TraceEvent[] };

const MOST_WAITING = 5;
const MAX_TITLE = 300;
const MAX_LEAF = 100;
/** What stands in place of a title where the model could not be asked. */
const NO_TITLE =
  /^(?:API Error|Invalid API key|Credit balance|Claude (?:AI|usage)|Prompt is too long|\[Request interrupted)/i;

export function titleLine(titles: Titles, { text, by, leaf }: TitleLine, at: Place): Found {
  const title = [...maskText(text).replace(/\s+/g, ' ').trim()].slice(0, MAX_TITLE).join('').trim();
  if (title === '' || NO_TITLE.test(title)) return { titles, events: [] };
  if (leaf === undefined || leaf === titles.leaf) return named(titles, title, by, at);
  if (leaf.length > MAX_LEAF || titles.waiting.some((each) => each.leaf === leaf && each.text === title))
    return { titles, events: [] };
  const waiting = [...titles.waiting, { leaf, text: title, line: at.line }].slice(-MOST_WAITING);
  return { titles: { ...titles, waiting }, events: [] };
}

/** A line of the conversation. `tells`: something was said or done there. */
export function lineSeen(titles: Titles, uuid: string, tells: boolean, time: number | undefined): Found {
  let next = tells && uuid.length <= MAX_LEAF ? { ...titles, leaf: uuid } : titles;
  const events: TraceEvent[] = [];
  for (const each of titles.waiting.filter(({ leaf }) => leaf === uuid)) {
    const found = named(next, each.text, 'client', { line: each.line, time });
    events.push(...found.events);
    next = { ...found.titles, waiting: next.waiting.filter((other) => other !== each) };
  }
  return { titles: next, events };
}

function named(titles: Titles, text: string, by: TitleLine['by'], at: Place): Found {
  if (titles[by] === text) return { titles, events: [] };
  return { titles: { ...titles, [by]: text }, events: [{ kind: 'event', event: 'title', text, by, ...at }] };
}
