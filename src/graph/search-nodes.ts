// Full-text search over nodes: every word must be found, in any case and inside other words too. A word counts where it weighs most:
// title or id 4, tag 3, gist 2, body 1. Bodies are read only for words that stand nowhere else.

import { type GraphNode, nameOf } from './graph-node.ts';

/** The text of a node's file; `undefined` if it cannot be read. */
export type ReadBody = (node: GraphNode) => string | undefined;

export function wordsOf(query: string): string[] {
  return [...new Set(query.toLowerCase().split(/\s+/).filter(Boolean))];
}

/** 0 if a word is missing. */
export function scoreOf(key: string, node: GraphNode, words: readonly string[], readBody: ReadBody): number {
  const title = `${node.title}\n${nameOf(key)}\n${node.file ?? ''}`.toLowerCase();
  const tags = node.tags.join('\n');
  const gist = node.gist.toLowerCase();
  let body: string | undefined;
  let score = 0;
  for (const word of words) {
    if (title.includes(word)) score += 4;
    else if (tags.includes(word.replace(/^#/, ''))) score += 3;
    else if (gist.includes(word)) score += 2;
    else {
      body ??= (readBody(node) ?? '').toLowerCase();
      if (!body.includes(word)) return 0;
      score += 1;
    }
  }
  return score;
}
