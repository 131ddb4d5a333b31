// From the lines of a transcript to the messages that triage looks at: what a person wrote and what the model answered. Tool
// results, reminders, skill bodies, summaries, and whatever Cairn itself put into the conversation are not evidence.

import { ownWords } from '../safety/foreign-text.ts';
import { isInterruption, withoutInjected } from '../safety/injected-elements.ts';
import { withoutPrivate } from '../safety/private-blocks.ts';
import { type AssistantLine, type ParsedLine, textsIn, type UserLine } from './parsed-line.ts';
import { stripCode } from './strip-code.ts';

export type Message = {
  readonly role: 'user' | 'assistant' | 'other';
  /** What counts as said: without code, quotations, what was pasted, private elements and injected text. */
  readonly text: string;
  /** One entry for each tool call; empty if the tool had no name. */
  readonly tools: readonly string[];
};

type Draft = { role: Message['role']; id: string | undefined; texts: string[]; tools: string[] };

/** What marks a block of the Stop hook as ours. */
const OUR_MARK = '<triage_data>';

export type Tail = {
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** The categories that triage has offered to save within the last messages. */
  readonly offered: ReadonlySet<string>;
  /** Nobody has said anything since triage last spoke up: the model's words are about the saving. */
  readonly isSaving: boolean;
};

/**
 * The last `max` messages from lines that come newest first; it takes no more lines than it needs. What was said
 * before triage last spoke up has been offered already, and what was said while saving it is about the saving: only
 * what follows the first prompt after that is returned.
 */
export function transcriptMessages(newestFirst: Iterable<ParsedLine>, max: number): Tail {
  const drafts: Draft[] = [];
  const offered = new Set<string>();
  let news: number | undefined; // how many of the drafts are new
  for (const line of newestFirst) {
    const feedback = ourFeedback(line);
    if (feedback !== undefined) {
      news ??= drafts.findLastIndex(({ role }) => role === 'user') + 1;
      for (const [, category] of feedback.matchAll(/"category"\s*:\s*"(\w+)"/g)) offered.add(category!);
      continue;
    }
    const draft = draftOf(line);
    if (!draft) continue;
    const last = drafts.at(-1);
    if (last?.id !== undefined && last.id === draft.id && last.role === draft.role) {
      // One answer of the model is several lines.
      last.texts.push(...draft.texts);
      last.tools.push(...draft.tools);
    } else if (drafts.length >= max) break;
    else drafts.push(draft);
  }
  const messages = drafts.slice(0, news).reverse().map(finished);
  return { messages, offered, isSaving: news === 0 };
}

function finished({ role, texts, tools }: Draft): Message {
  return { role, text: texts.reverse().join('\n'), tools };
}

/**
 * What its speaker said in words of their own: what a page, a log or somebody else says is no sign of a decision, nor is code. A private
 * passage may begin in one text and end in another.
 */
function ownTexts(texts: readonly string[], role: 'user' | 'assistant'): string[] {
  return openTexts(texts).map((text) => stripCode(ownWords(text, role)));
}

const openTexts = (texts: readonly string[]): readonly string[] => withoutPrivate(texts).value as readonly string[];

/**
 * The client writes the transcript while it goes on, so it may call the Stop hook before the last answer is in there, or
 * before anything is, and sends the answer along: it is put at the end unless it is there already.
 */
export function withLastAnswer(tail: Tail, answer: unknown): Tail {
  if (typeof answer !== 'string' || answer === '' || tail.isSaving) return tail;
  const [text = ''] = ownTexts([withoutInjected(answer)], 'assistant');
  const words = squeeze(text);
  if (tail.messages.some((message) => message.role === 'assistant' && squeeze(message.text).includes(words)))
    return tail;
  return { ...tail, messages: [...tail.messages, { role: 'assistant', text, tools: [] }] };
}

/** The blocks of an answer are joined in other ways here and there. */
function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function draftOf(line: ParsedLine): Draft | undefined {
  if (line.isMeta || line.isSidechain) return undefined;
  switch (line.kind) {
    case 'user':
      return userDraft(line);
    case 'assistant':
      return assistantDraft(line);
    case 'call':
      return { role: 'other', id: undefined, texts: [], tools: [line.name] };
    default:
      // In the flat shape every line is one of the last N; the client's own notes are none.
      return line.kind === 'other' && !line.isNote ? { role: 'other', id: undefined, texts: [], tools: [] } : undefined;
  }
}

function userDraft({ blocks, prompt }: UserLine): Draft | undefined {
  if (prompt.isSummary || (blocks.length > 0 && blocks.every(({ kind }) => kind === 'result'))) return undefined;
  const words = openTexts(prompt.words.filter((text) => !isInterruption(text)));
  // A prompt of nothing but reminders was not written by anybody; a picture was sent.
  if (words.every((text) => text.trim() === '') && textsIn(blocks).some((text) => text !== '')) return undefined;
  return { role: 'user', id: undefined, texts: ownTexts(words, 'user').reverse(), tools: [] };
}

function assistantDraft({ by, message, blocks }: AssistantLine): Draft | undefined {
  if (by !== 'model') return undefined;
  return {
    role: 'assistant',
    id: message,
    texts: ownTexts(textsIn(blocks).map(withoutInjected), 'assistant').reverse(),
    tools: blocks.flatMap((block) => (block.kind === 'call' ? [block.name] : [])),
  };
}

/** The message with which triage blocked a stop, as the client passed it on. */
function ourFeedback(line: ParsedLine): string | undefined {
  if (line.kind !== 'user' || line.isSidechain) return undefined;
  const { stopFeedback } = line.prompt;
  return stopFeedback?.includes(OUR_MARK) ? stopFeedback : undefined;
}
