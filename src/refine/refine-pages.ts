// A topic in pages that a question can hold: some exchanges at a time, with at most thirty of the ideas that are known of them. Most
// topics are one page; a long one takes several calls, and what was left open on a page is shown again on the next.

import type { SourceLine } from '../indexing/transcripts/span-lines.ts';
import type { Document } from '../store/store.ts';
import { LINES_LENGTH } from './refine-lines.ts';

export type RefinePage = {
  readonly lines: readonly SourceLine[];
  /** What is known of these lines, to be judged. */
  readonly ideas: readonly Document[];
};

export const MOST_KNOWN = 30;
/** Of a topic that is longer, the rest stays as it is. */
export const MOST_PAGES = 8;

/** At most this sure means kept for search only. */
export const SEARCH_ONLY_CONFIDENCE = 0.3;

/** Rows of earlier builds say it by their confidence alone. */
export const isSearchOnly = ({ meta, confidence }: Document): boolean =>
  meta?.search_only === true || confidence <= SEARCH_ONLY_CONFIDENCE;
const lineOf = ({ source }: Document): number => source?.line ?? 0;

/** `starts`: the lines where an exchange begins; no page ends in the middle of one that it can hold. */
export function pagesOf(
  lines: readonly SourceLine[],
  ideas: readonly Document[],
  starts: readonly number[],
): RefinePage[] {
  const telling = ideas.filter((idea) => !isSearchOnly(idea));
  const pages: RefinePage[] = [];
  let open: RefinePage = { lines: [], ideas: [] };
  for (const exchange of exchangesOf(lines, telling, starts).flatMap(divided)) {
    const fits =
      open.ideas.length + exchange.ideas.length <= MOST_KNOWN && lengthOf(open) + lengthOf(exchange) <= LINES_LENGTH;
    if (!fits && open.lines.length > 0) {
      pages.push(open);
      open = { lines: [], ideas: [] };
    }
    open = { lines: [...open.lines, ...exchange.lines], ideas: [...open.ideas, ...exchange.ideas] };
  }
  if (open.lines.length > 0) pages.push(open);
  const hidden = ideas.filter(isSearchOnly);
  return pages.slice(0, MOST_PAGES).map((page) => filled(withQuestion(page, lines), hidden));
}

/** A page that begins with a prompt is shown what this may be the answer to. */
function withQuestion(page: RefinePage, lines: readonly SourceLine[]): RefinePage {
  const [first] = page.lines;
  const before = first && lines.findLast(({ line, who }) => line < first.line && who !== 'user');
  return before ? { ...page, lines: [before, ...page.lines] } : page;
}

const lengthOf = ({ lines }: RefinePage): number => lines.reduce((sum, { text }) => sum + text.length, 0);

function exchangesOf(
  lines: readonly SourceLine[],
  ideas: readonly Document[],
  starts: readonly number[],
): RefinePage[] {
  const first = lines[0];
  if (!first) return [];
  const borders = [...new Set([first.line, ...starts])].filter((line) => line >= first.line).sort((a, b) => a - b);
  return borders
    .map((from, at) => {
      const to = borders[at + 1] ?? Number.POSITIVE_INFINITY;
      const isInside = (line: number): boolean => (at === 0 || line >= from) && line < to;
      return {
        lines: lines.filter(({ line }) => isInside(line)),
        ideas: ideas.filter((idea) => isInside(lineOf(idea))),
      };
    })
    .filter((exchange) => exchange.lines.length > 0);
}

/** An exchange of more ideas than a page holds: each part with its own lines, and the prompt again. */
function divided(exchange: RefinePage): RefinePage[] {
  const { lines, ideas } = exchange;
  if (ideas.length <= MOST_KNOWN) return [exchange];
  const parts: RefinePage[] = [];
  for (let from = 0; from < ideas.length; from += MOST_KNOWN) {
    const own = ideas.slice(from, from + MOST_KNOWN);
    const [first, next] = [ideas[from], ideas[from + MOST_KNOWN]];
    const start = from === 0 || !first ? 0 : lineOf(first);
    const end = next ? Math.max(lineOf(next) - 1, ...own.map(lineOf)) : Number.POSITIVE_INFINITY;
    const isOwn = ({ line }: SourceLine, at: number): boolean => at === 0 || (line >= start && line <= end);
    parts.push({ lines: lines.filter(isOwn), ideas: own });
  }
  return parts;
}

/** What is kept for search only is shown where there is room, the most promising first: a model may know better. */
function filled({ lines, ideas }: RefinePage, hidden: readonly Document[]): RefinePage {
  const shown = new Set(lines.map(({ line }) => line));
  const worth = ({ meta }: Document): number => (typeof meta?.worth === 'number' ? meta.worth : 0);
  const extra = hidden
    .filter((idea) => shown.has(lineOf(idea)))
    .sort((a, b) => worth(b) - worth(a) || lineOf(a) - lineOf(b) || (a.ref < b.ref ? -1 : 1))
    .slice(0, MOST_KNOWN - ideas.length);
  return {
    lines,
    ideas: [...ideas, ...extra].sort((a, b) => lineOf(a) - lineOf(b) || (a.ref < b.ref ? -1 : 1)),
  };
}
