// What was really said in a line of Claude Code: without what the client, a hook or Cairn put there, without thinking
// (unless it is asked for), and each block of an answer once.

import { shortHash } from '../../model/hash.ts';
import { isOwnCommand } from '../../model/own-agents.ts';
import { INTERRUPTION, isMachinePrompt, withoutInjected } from '../../safety/injected-elements.ts';
import { fieldsOf, listOf } from './fields.ts';

/** The answer that is being written: one answer is several lines, and some versions repeat blocks in them. */
export type Answer = { readonly message: string | null; readonly seen: readonly string[] };

export const NO_ANSWER: Answer = { message: null, seen: [] };

const MOST_SEEN = 200;
const SUMMARY = 'This session is being continued from a previous conversation';
const COMMAND = '<command-';
const SHELL_COMMAND = /^\s*<bash-input>([\s\S]*?)<\/bash-input>/;

/** A prompt: the words of the user, the shell command that they ran themselves, or the summary after a compaction. */
export function promptOf(content: unknown): { text: string; command?: string; summary?: true } {
  const texts = typeof content === 'string' ? [content] : textsOf(listOf(content));
  const first = texts.find((text) => text.trim() !== '')?.trimStart() ?? '';
  if (first.startsWith(SUMMARY)) return { text: '', summary: true };
  // Behind the name of a command stands its text, which nobody typed.
  if (first.startsWith(COMMAND) || isOwnCommand(first)) return { text: '' };
  const text = texts.map(ownWords).filter(Boolean).join('\n\n');
  const command = SHELL_COMMAND.exec(first)?.[1];
  return { text, ...(command === undefined ? {} : { command }) };
}

/** That the user stopped the agent is kept: it is the user's, and says that something went wrong. */
function ownWords(text: string): string {
  if (isMachinePrompt(text) && !text.trimStart().startsWith(INTERRUPTION)) return '';
  const own = withoutInjected(text).trim();
  return isMachinePrompt(own) && !own.startsWith(INTERRUPTION) ? '' : own;
}

/** The blocks of a line that were not in an earlier line of the same answer. */
export function answerBlocks(
  before: Answer,
  message: string | undefined,
  content: unknown,
): { blocks: readonly unknown[]; answer: Answer } {
  const all = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
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

export function saidIn(blocks: readonly unknown[], thinking: boolean): string {
  return textsOf(blocks, thinking)
    .map((text) => withoutInjected(text).trim())
    .filter(Boolean)
    .join('\n\n');
}

function textsOf(blocks: readonly unknown[], thinking = false): string[] {
  return blocks.flatMap((each) => {
    if (typeof each === 'string') return [each];
    const block = fieldsOf(each);
    const text =
      block?.type === 'text' ? block.text : block?.type === 'thinking' && thinking ? block.thinking : undefined;
    return typeof text === 'string' ? [text] : [];
  });
}

function markOf(each: unknown): string | undefined {
  const block = fieldsOf(each);
  if (block?.type === 'tool_use' && typeof block.id === 'string') return block.id.slice(0, 100);
  const text = block?.type === 'text' ? block.text : block?.type === 'thinking' ? block.thinking : undefined;
  if (typeof text !== 'string') return undefined;
  return shortHash(text);
}
