// A line of a Claude Code transcript, from 1.0 on, as a typed value. The one place that knows the client's fields: whoever needs more
// of a line adds it here. Lines come from many versions, and nothing in them may be taken for granted.

import { isOwnCommand, isOwnPlugin } from '../../model/own-agents.ts';
import {
  COMPACTION_SUMMARY,
  isInterruption,
  isMachinePrompt,
  STOP_FEEDBACK,
  withoutInjected,
} from '../../safety/injected-elements.ts';
import { type Fields, fieldsOf, listOf, timeOf, wordsOf } from '../fields.ts';
import {
  type AssistantLine,
  type Block,
  type LineContext,
  type LineFormat,
  type LineMeaning,
  type ParsedLine,
  type Prompt,
  type QueuedLine,
  type QueueLine,
  type TitleLine,
  type ToolCall,
  textsIn,
  type UserLine,
} from '../parsed-line.ts';

const MAX_MESSAGE_ID = 200;
const MAX_NAME = 2_000;
const COMMAND = '<command-';
const ARGUMENTS = '<command-args>';
/** Commands of the client whose arguments choose something in a menu, name the conversation, or go to somebody else. */
const SETTINGS =
  /^\/(?:add-dir|agents|bashes|branch|btw|bug|chrome|clear|color|config|context|copy|cost|desktop|diff|doctor|effort|exit|export|extra-usage|fast|feedback|files|fork|help|hooks|ide|insights|install-[a-z-]+|keybindings|login|logout|mcp|memory|mobile|model|new|output-style|permissions|plugin|plugins|privacy-settings|quit|release-notes|reload-plugins|remote-[a-z-]+|rename|reset|resume|rewind|sandbox|skills|stats|status|tag|tasks|teleport|terminal-setup|theme|todos|upgrade|usage|vim|voice)$/;
const SHELL_COMMAND = /^\s*<bash-input>([\s\S]*?)<\/bash-input>/;
const READS = ['Read', 'NotebookRead'];
const WRITES = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'];
const SHELLS = ['Bash', 'PowerShell'];
/** The client's notes to itself bear one of these; lines of the older, flat shape bear none. */
const IDS = ['uuid', 'sessionId', 'messageId', 'leafUuid'];
/** The first type in a line that may hold speech: the line's own, or that of a message or block that stands before it. */
const SPEAKING = ['assistant', 'human', 'message', 'text', 'image', 'document', 'thinking', 'tool_use'];

export const claudeCodeFormat: LineFormat = {
  parse: (line) => withContext(meaningOf(line), line),

  message: /"type":\s*"(?:user|assistant|human)"/,

  /** Tool results and the client's notes to itself are by far the longest lines, and say nothing of their own. */
  isWorthParsing(head) {
    const type = /"type"\s*:\s*"([^"]*)"/.exec(head)?.[1];
    if (type === undefined) return true;
    if (type === 'user') return !/"content"\s*:\s*\[\s*\{\s*"(?:tool_use_id|type"\s*:\s*"tool_result)"/.test(head);
    return SPEAKING.includes(type) || !/"(?:uuid|sessionId|messageId)"/.test(head);
  },
};

/** Into the value itself, which was just made: to spread two into a third takes longer than all else that is done with a line. */
function withContext(meaning: LineMeaning, line: Fields): ParsedLine {
  const parsed = meaning as LineMeaning & { -readonly [Name in keyof LineContext]: LineContext[Name] };
  parsed.time = timeOf(line.timestamp);
  parsed.session = nameIn(line.sessionId);
  parsed.cwd = nameIn(line.cwd);
  parsed.branch = nameIn(line.gitBranch);
  parsed.uuid = nameIn(line.uuid);
  parsed.isSidechain = line.isSidechain === true;
  parsed.isMeta = line.isMeta === true;
  return parsed;
}

function nameIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME ? value : null;
}

function meaningOf(line: Fields): LineMeaning {
  switch (line.type) {
    case 'user':
    case 'human':
      return userLine(line);
    case 'assistant':
      return assistantLine(line);
    case 'queue-operation':
      return queueLine(line);
    case 'tool_use':
      return { kind: 'call', name: typeof line.name === 'string' ? line.name : '' };
    case 'ai-title':
    case 'custom-title':
    case 'summary':
      return titleLine(line) ?? otherLine(line);
    case 'pr-link': {
      const url = wordsOf(line.prUrl);
      return url === undefined ? otherLine(line) : { kind: 'pull-link', url };
    }
    default: {
      if (line.type === 'system' && line.subtype === 'compact_boundary') return { kind: 'compaction' };
      const attachment = line.type === 'attachment' ? fieldsOf(line.attachment) : undefined;
      if (attachment?.type === 'queued_command') return queuedLine(attachment);
      return otherLine(line);
    }
  }
}

const otherLine = (line: Fields): LineMeaning => ({ kind: 'other', isNote: IDS.some((name) => name in line) });

/** A summary of older versions names the line that it is about; without one nobody knows which conversation it is of. */
function titleLine(line: Fields): TitleLine | undefined {
  if (line.type === 'custom-title') {
    const text = wordsOf(line.customTitle);
    return text === undefined ? undefined : { kind: 'title', text, by: 'user' };
  }
  const text = line.type === 'summary' ? wordsOf(line.summary) : (wordsOf(line.aiTitle) ?? wordsOf(line.title));
  const leaf = line.type === 'summary' ? wordsOf(line.leafUuid) : undefined;
  if (text === undefined || (line.type === 'summary' && leaf === undefined)) return undefined;
  return { kind: 'title', text, by: 'client', ...(leaf === undefined ? {} : { leaf }) };
}

function userLine(line: Fields): UserLine {
  const blocks = blocksOf(fieldsOf(line.message)?.content ?? line.content);
  return {
    kind: 'user',
    blocks,
    prompt: line.isCompactSummary === true ? summaryIn(textsIn(blocks)) : promptOf(blocks),
    result: line.toolUseResult,
  };
}

function assistantLine(line: Fields): AssistantLine {
  const message = fieldsOf(line.message);
  const isOfClient = line.isApiErrorMessage === true || message?.model === '<synthetic>';
  return {
    kind: 'assistant',
    message: typeof message?.id === 'string' && message.id !== '' ? message.id.slice(0, MAX_MESSAGE_ID) : undefined,
    blocks: blocksOf(message?.content ?? line.content),
    by: isOfClient ? 'client' : isOwnPlugin(line.attributionPlugin) ? 'memory' : 'model',
  };
}

function queueLine({ operation, content, reason }: Fields): QueueLine {
  const text = typeof content === 'string' ? content : undefined;
  return {
    kind: 'queue',
    operation: typeof operation === 'string' ? operation : '',
    prompt: text === undefined ? undefined : promptOf(blocksOf(text)),
    isTask: text !== undefined && /^\s*\{\s*"task_id"/.test(text),
    reason: wordsOf(reason),
  };
}

function queuedLine(attachment: Fields): QueuedLine {
  const mode = wordsOf(attachment.commandMode) ?? 'prompt';
  const origin = wordsOf(fieldsOf(attachment.origin)?.kind) ?? 'human';
  return {
    kind: 'queued',
    prompt: promptOf(blocksOf(attachment.prompt)),
    isTyped: mode === 'prompt' && origin === 'human' && attachment.isMeta !== true,
  };
}

function blocksOf(content: unknown): Block[] {
  return typeof content === 'string' ? [{ kind: 'text', text: content }] : listOf(content).map(blockOf);
}

function blockOf(each: unknown): Block {
  if (typeof each === 'string') return { kind: 'text', text: each };
  const block = fieldsOf(each) ?? {};
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' ? { kind: 'text', text: block.text } : { kind: 'other' };
    case 'thinking':
      return typeof block.thinking === 'string' ? { kind: 'thinking', text: block.thinking } : { kind: 'other' };
    case 'tool_use':
      return callOf(block);
    case 'tool_result': {
      const { tool_use_id: call, content } = block;
      return {
        kind: 'result',
        call: typeof call === 'string' ? call : undefined,
        content,
        failed: block.is_error === true,
      };
    }
    default:
      return { kind: 'other' };
  }
}

function callOf(block: Fields): ToolCall {
  const name = typeof block.name === 'string' ? block.name : '';
  const input = fieldsOf(block.input);
  const writes = WRITES.includes(name);
  const file =
    writes || READS.includes(name) ? (wordsOf(input?.file_path) ?? wordsOf(input?.notebook_path)) : undefined;
  const shell = SHELLS.includes(name) ? (wordsOf(input?.command) ?? '') : undefined;
  return {
    kind: 'call',
    id: typeof block.id === 'string' ? block.id : undefined,
    name,
    input,
    files: file === undefined ? [] : [file],
    writes,
    ...(shell === undefined ? {} : { shell }),
  };
}

/** The words of the user among what the client, an editor, a hook or Cairn wrote in their name. */
function promptOf(blocks: readonly Block[]): Prompt {
  const texts = textsIn(blocks);
  const first = texts.find((text) => text.trim() !== '')?.trimStart() ?? '';
  if (first.startsWith(COMPACTION_SUMMARY)) return summaryIn(texts);
  const feedback = texts.find((text) => text.trimStart().startsWith(STOP_FEEDBACK));
  const stopFeedback = feedback === undefined ? {} : { stopFeedback: feedback };
  if (first.startsWith(COMMAND)) return { words: commandWords(first), ...stopFeedback };
  if (isOwnCommand(first)) return { words: [], ...stopFeedback };
  const shell = SHELL_COMMAND.exec(first)?.[1];
  return {
    words: texts.map(ownWords).filter((text) => text.trim() !== ''),
    ...(shell === undefined ? {} : { shell }),
    ...stopFeedback,
  };
}

const summaryIn = (texts: readonly string[]): Prompt => ({ words: [], isSummary: true, summary: texts.join('\n\n') });

/**
 * What was typed behind the name of a command, with the name where that is a mere number or sign (`/plan-phase 14`). The text of the
 * command itself, which may follow, nobody typed.
 */
function commandWords(text: string): string[] {
  const name = /<command-name>\s*([^<]*?)\s*<\/command-name>/.exec(text)?.[1] ?? '';
  const start = text.indexOf(ARGUMENTS);
  const end = start === -1 ? -1 : text.indexOf('</command-args>', start);
  if (end === -1 || SETTINGS.test(name) || isOwnCommand(name)) return [];
  const words = ownWords(text.slice(start + ARGUMENTS.length, end));
  if (words.trim() === '') return [];
  return [/\p{L}{3}/u.test(words) ? words : `${name} ${words.trim()}`.trim()];
}

/** That the user stopped the agent is kept: it is the user's, and says that something went wrong. */
function ownWords(text: string): string {
  if (isMachinePrompt(text) && !isInterruption(text)) return '';
  const own = withoutInjected(text);
  return isMachinePrompt(own) && !isInterruption(own) ? '' : own;
}
