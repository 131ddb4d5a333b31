// From transcript lines to the messages that triage looks at: what a person wrote and what the model answered. Tool
// results, reminders, skill bodies, summaries, and whatever Cairn itself put into the conversation are not evidence.
// Two shapes are read: the client's (`user`, nested `message`, one line per content block) and the older, flat one.

import { ownWords as withoutForeign } from '../safety/foreign-text.ts';
import { ADDED_ELEMENTS, isMachinePrompt } from '../safety/injected-elements.ts';
import { withoutPrivate } from '../safety/private-blocks.ts';
import { removePrivate } from '../safety/private-tags.ts';
import { stripCode } from './strip-code.ts';

type JsonObject = { readonly [key: string]: unknown };

export type Message = {
  readonly role: 'user' | 'assistant' | 'other';
  /** What counts as said: without code, quotations, what was pasted, private elements and injected text. */
  readonly text: string;
  /** One entry for each tool call; empty if the tool had no name. */
  readonly tools: readonly string[];
};

type Draft = { role: Message['role']; id: string | undefined; texts: string[]; tools: string[] };

/** How the client passes a block of the Stop hook on, and what marks it as ours. */
const FEEDBACK = 'Stop hook feedback:';
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
 * The last `max` messages from parsed lines that come newest first; it takes no more lines than it needs. What was said
 * before triage last spoke up has been offered already, and what was said while saving it is about the saving: only
 * what follows the first prompt after that is returned.
 */
export function transcriptMessages(newestFirst: Iterable<JsonObject>, max: number): Tail {
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

/** What its speaker said in words of their own: what a page, a log or somebody else says is no sign of a decision. */
const ownText = (text: string, role: 'user' | 'assistant'): string => stripCode(withoutForeign(text, role));
const spoken = (text: string, role: 'user' | 'assistant'): string => ownText(visibleWords(text), role);

/** What is left of a text without what nobody said, or said in private. Code is still in it. */
function visibleWords(text: string): string {
  let rest = removePrivate(text);
  if (rest.includes('</')) for (const name of ADDED_ELEMENTS) rest = withoutElement(rest, name);
  return rest;
}

/**
 * The client writes the transcript while it goes on, so it may call the Stop hook before the last answer is in there, or
 * before anything is, and sends the answer along: it is put at the end unless it is there already.
 */
export function withLastAnswer(tail: Tail, answer: unknown): Tail {
  if (typeof answer !== 'string' || answer === '' || tail.isSaving) return tail;
  const text = spoken(answer, 'assistant');
  const words = squeeze(text);
  if (tail.messages.some((message) => message.role === 'assistant' && squeeze(message.text).includes(words)))
    return tail;
  return { ...tail, messages: [...tail.messages, { role: 'assistant', text, tools: [] }] };
}

/** The blocks of an answer are joined in other ways here and there. */
function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Shorter lines are parsed without a look at `isWorthParsing`. */
export const PARSE_ALWAYS = 4_096;
export const HEAD_LENGTH = 2_048;

/**
 * Whether a long line is worth parsing, from its first characters. Tool results and the client's notes to itself are
 * by far the longest lines of a transcript and say nothing here.
 */
export function isWorthParsing(head: string): boolean {
  const type = /"type"\s*:\s*"([^"]*)"/.exec(head)?.[1];
  if (type === undefined) return true;
  if (type === 'user') return !/"content"\s*:\s*\[\s*\{\s*"(?:tool_use_id|type"\s*:\s*"tool_result)"/.test(head);
  return SPEAKING.includes(type) || !/"(?:uuid|sessionId|messageId)"/.test(head);
}
/** The first type in a line that may hold speech: the line's own, or that of a message or block that stands before it. */
const SPEAKING = ['assistant', 'human', 'message', 'text', 'image', 'document', 'thinking', 'tool_use'];

function draftOf(line: JsonObject): Draft | undefined {
  if (line.isMeta === true || line.isSidechain === true || line.isCompactSummary === true) return undefined;
  switch (line.type) {
    case 'user':
    case 'human':
      return userDraft(line);
    case 'assistant':
      return assistantDraft(line);
    case 'tool_use':
      return { role: 'other', id: undefined, texts: [], tools: [nameOf(line)] };
    default:
      // In the flat shape every line is one of the last N; the client's own notes bear these fields and are none.
      return 'uuid' in line || 'sessionId' in line || 'messageId' in line || 'leafUuid' in line
        ? undefined
        : { role: 'other', id: undefined, texts: [], tools: [] };
  }
}

function userDraft(line: JsonObject): Draft | undefined {
  const content = contentOf(line);
  if (Array.isArray(content) && content.length > 0 && content.every((block) => typeOf(block) === 'tool_result'))
    return undefined;
  const texts = textsOf(content);
  const said = texts.map((text) => (isMachinePrompt(text) ? '' : visibleWords(text)));
  // A prompt of nothing but reminders was not written by anybody.
  if (texts.some((text, i) => text !== '' && said[i]!.trim() === '') && said.every((text) => text.trim() === ''))
    return undefined;
  return { role: 'user', id: undefined, texts: said.map((text) => ownText(text, 'user')).reverse(), tools: [] };
}

function assistantDraft(line: JsonObject): Draft | undefined {
  const message = isObject(line.message) ? line.message : undefined;
  // The client's own words: "API Error: …", "No response requested."
  if (line.isApiErrorMessage === true || message?.model === '<synthetic>') return undefined;
  const content = contentOf(line);
  const blocks = Array.isArray(content) ? content : [];
  return {
    role: 'assistant',
    id: typeof message?.id === 'string' ? message.id : undefined,
    texts: textsOf(content)
      .map((text) => spoken(text, 'assistant'))
      .reverse(),
    tools: blocks.filter((block) => typeOf(block) === 'tool_use').map(nameOf),
  };
}

function contentOf(line: JsonObject): unknown {
  const nested = isObject(line.message) ? line.message.content : undefined;
  const content = nested === undefined ? line.content : nested;
  // A private passage may begin in one block and end in another.
  return Array.isArray(content) && content.length > 1 ? withoutPrivate(content).value : content;
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) => {
    if (typeof block === 'string') return [block];
    return isObject(block) && block.type === 'text' && typeof block.text === 'string' ? [block.text] : [];
  });
}

/** The message with which triage blocked a stop, as the client passed it on. */
function ourFeedback(line: JsonObject): string | undefined {
  if (line.type !== 'user' || line.isSidechain === true) return undefined;
  return textsOf(contentOf(line)).find((text) => text.trimStart().startsWith(FEEDBACK) && text.includes(OUR_MARK));
}

/** Only whole elements: a person who merely writes the name of a tag keeps the rest of the sentence. */
function withoutElement(text: string, name: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    const open = text.indexOf(`<${name}`, from);
    const close = open === -1 ? -1 : text.indexOf(`</${name}>`, open);
    if (close === -1) return kept + text.slice(from);
    kept += text.slice(from, open);
    from = close + name.length + 3;
  }
}

function nameOf(block: unknown): string {
  return isObject(block) && typeof block.name === 'string' ? block.name : '';
}

function typeOf(block: unknown): unknown {
  return isObject(block) ? block.type : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
