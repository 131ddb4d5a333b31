// The summary that takes the place of what was compacted, as the agent's model wrote it: without the frame that the client puts around it,
// and without the thoughts that it wrote down before.

import { withoutInjected } from '../safety/injected-elements.ts';
import { maskText } from '../safety/mask-text.ts';

const MAX_SUMMARY = 40_000;
const OPENING = /^This session is being continued from a previous conversation[^\n]*\n*/;
const CLOSING =
  /\n\s*(?:If you need specific details from before compaction|(?:Please c|C)ontinue the conversation from where|Recent messages are preserved verbatim)[\s\S]*$/;
/** The closing words stand at the end; somebody may be quoted with the like of them before. */
const CLOSING_LENGTH = 2_000;
const THOUGHTS = /^(?:Analysis:|<analysis>)[\s\S]*?\n(?=Summary:|<summary>)/;
const LABEL = /^(?:Summary:|<summary>)\s*/;

/** Masked and bounded; `undefined` where it says nothing. */
export function compactionSummary(text: string): string | undefined {
  const framed = withoutInjected(text).trim().replace(OPENING, '').trimStart();
  const end = Math.max(0, framed.length - CLOSING_LENGTH);
  const summary = `${framed.slice(0, end)}${framed.slice(end).replace(CLOSING, '')}`
    .replace(THOUGHTS, '')
    .replace(LABEL, '')
    .replace(/<\/summary>\s*$/, '');
  const told = maskText(summary).slice(0, MAX_SUMMARY).trim();
  return told === '' ? undefined : told;
}
