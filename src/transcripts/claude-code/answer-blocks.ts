// One answer of Claude Code is several lines, and some versions repeat blocks in them: each block counts once.

import { shortHash } from '../../model/hash.ts';
import type { Block } from '../parsed-line.ts';

/** The answer that is being written, with marks of the blocks that were in it. */
export type Answer = { readonly message: string | null; readonly seen: readonly string[] };

export const NO_ANSWER: Answer = { message: null, seen: [] };

const MOST_SEEN = 200;

/** The blocks of a line that were not in an earlier line of the same answer. */
export function answerBlocks(
  before: Answer,
  message: string | undefined,
  all: readonly Block[],
): { blocks: readonly Block[]; answer: Answer } {
  if (message === undefined) return { blocks: all, answer: NO_ANSWER };
  const seen = new Set(before.message === message ? before.seen : []);
  const blocks = all.filter((block) => {
    const mark = markOf(block);
    if (mark === undefined) return true;
    const isNew = !seen.has(mark);
    seen.add(mark);
    return isNew;
  });
  return { blocks, answer: { message, seen: [...seen].slice(-MOST_SEEN) } };
}

function markOf(block: Block): string | undefined {
  if (block.kind === 'call') return block.id?.slice(0, 100);
  return block.kind === 'text' || block.kind === 'thinking' ? shortHash(block.text) : undefined;
}
