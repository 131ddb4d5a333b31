// A line of a Codex rollout as a typed value, and the one place that knows its fields: a session line, then items that are messages,
// calls or their output. Events that repeat the items say nothing; a few have no item.

import { withoutInjected } from '../../safety/injected-elements.ts';
import { type Fields, fieldsIn, fieldsOf, listOf, textOf, timeOf, wordsOf } from '../fields.ts';
import type { Block, LineFormat, LineMeaning, ToolCall } from '../parsed-line.ts';

/** Told again by the items themselves. */
const REPEATED: readonly string[] = ['event_msg', 'turn_context', 'world_state'];
/** What the client puts before the first prompt, and in the user's name later. */
const NOT_SAID =
  /^(?:<(?:environment_context|user_instructions|turn_aborted|permissions|collaboration_mode|skills?|apps_instructions|plugins_instructions|subagent_notification|user_shell_command|model_switch)\b|# AGENTS\.md instructions|# Context from my IDE setup:\s*$)/;
const SHELLS = ['bash', 'sh', 'zsh', 'dash', 'ksh', 'pwsh', 'powershell', 'cmd'];
const PATCHED = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;
const MOST_FILES = 100;

export const isRollout = (file: string): boolean => /rollout-[^\\/]*\.jsonl$/.test(file);

export const codexFormat: LineFormat = {
  parse(line) {
    const item = fieldsOf(line.payload) ?? line;
    const meaning = meaningOf(line, item);
    const isHead = meaning.kind === 'session';
    return {
      time: timeOf(line.timestamp),
      session: null,
      cwd: (isHead && wordsOf(item.cwd)) || null,
      branch: (isHead && wordsOf(fieldsOf(item.git)?.branch)) || null,
      uuid: null,
      isSidechain: false,
      isMeta: false,
      ...meaning,
    };
  },

  message: /"type":\s*"(?:response_item|message|\w+_call(?:_output)?)"/,

  isWorthParsing(head) {
    const type = /"type"\s*:\s*"([^"]*)"/.exec(head)?.[1];
    return type === undefined || !REPEATED.includes(type);
  },
};

function meaningOf(line: Fields, item: Fields): LineMeaning {
  if (line.type === 'event_msg') return eventLine(item);
  if (typeof line.type === 'string' && REPEATED.includes(line.type)) return { kind: 'other', isNote: true };
  if (line.type === 'session_meta' || (line.type === undefined && typeof line.id === 'string')) {
    const spawn = fieldsOf(fieldsOf(fieldsOf(item.source)?.subagent)?.thread_spawn);
    return { kind: 'session', id: wordsOf(item.id), parent: wordsOf(spawn?.parent_thread_id) };
  }
  if (line.type === 'compacted') {
    const summary = wordsOf(item.message);
    return { kind: 'compaction', ...(summary === undefined ? {} : { summary }) };
  }
  if (item.type === 'message' && item.role === 'user') return said(messageBlocks(item));
  if (item.type === 'message') {
    if (item.role !== 'assistant') return { kind: 'other', isNote: false };
    return { kind: 'assistant', message: wordsOf(item.id), blocks: messageBlocks(item), by: 'model' };
  }
  if (item.type === 'reasoning') {
    const text = [textOf(item.summary), textOf(item.content)].filter(Boolean).join('\n\n');
    return { kind: 'assistant', message: wordsOf(item.id), blocks: [{ kind: 'thinking', text }], by: 'model' };
  }
  if (typeof item.type === 'string' && /_output$/.test(item.type)) {
    const call = typeof item.call_id === 'string' ? item.call_id : undefined;
    return said([{ kind: 'result', call, content: item.output, failed: hasFailed(item.output) }]);
  }
  const call = callOf(item);
  return call
    ? { kind: 'assistant', message: undefined, blocks: [call], by: 'model' }
    : { kind: 'other', isNote: false };
}

/** Most events repeat the items; these two have no other line. */
function eventLine(item: Fields): LineMeaning {
  const name = item.type === 'thread_name_updated' ? wordsOf(item.thread_name) : undefined;
  if (name !== undefined) return { kind: 'title', text: name, by: 'user' };
  if (item.type === 'turn_aborted' && (item.reason ?? 'interrupted') === 'interrupted') return { kind: 'interrupted' };
  return { kind: 'other', isNote: true };
}

/** What a command printed, without what the client says about it. */
export function outputText(output: unknown): string {
  const text = typeof output === 'string' ? output : textOf(output);
  const inner = text.startsWith('{') ? fieldsIn(text)?.output : fieldsOf(output)?.output;
  return typeof inner === 'string' ? inner : text;
}

/** By the code with which a command ended: beside what it printed, or in the lines before that. */
function hasFailed(output: unknown): boolean {
  const text = typeof output === 'string' ? output : '';
  const fields = text.startsWith('{') ? fieldsIn(text) : fieldsOf(output);
  const code = fieldsOf(fields?.metadata)?.exit_code;
  if (typeof code === 'number') return code !== 0;
  return /^(?:Exit code:|Process exited with code) [1-9]/m.test(text.slice(0, 400));
}

function messageBlocks({ content }: Fields): Block[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return listOf(content).map((block) => {
    const text = textOf([block]);
    return text === '' ? { kind: 'other' } : { kind: 'text', text };
  });
}

function said(blocks: readonly Block[]): LineMeaning {
  const words = blocks
    .flatMap((block) => (block.kind === 'text' && !NOT_SAID.test(block.text.trimStart()) ? [block.text] : []))
    .map((text) => withoutInjected(text))
    .filter((text) => text.trim() !== '');
  return { kind: 'user', blocks, prompt: { words }, result: undefined };
}

/** Its input is JSON in a text, fields, or a text as it is, which is a patch. */
function callOf(item: Fields): ToolCall | undefined {
  const text = wordsOf(item.arguments) ?? wordsOf(item.input);
  const input = fieldsOf(item.action) ?? (text === undefined ? undefined : (fieldsIn(text) ?? { input: text }));
  if (input === undefined && typeof item.name !== 'string') return undefined;
  const command = commandOf(input);
  const shell = Array.isArray(command) ? scriptOf(command) : wordsOf(command);
  const patch =
    shell ??
    listOf(command)
      .filter((each) => typeof each === 'string')
      .join('\n');
  const files = [...patch.matchAll(PATCHED)].slice(0, MOST_FILES).map((match) => match[1]!.trim());
  return {
    kind: 'call',
    id: typeof item.call_id === 'string' ? item.call_id : undefined,
    name: typeof item.name === 'string' ? item.name : '',
    input,
    files,
    writes: files.length > 0,
    ...(shell === undefined ? {} : { shell }),
  };
}

/** A script, or the words of a command. */
export const commandOf = (input: Fields | undefined): unknown =>
  input?.command ?? input?.cmd ?? input?.input ?? input?.patch;

/** `["bash", "-lc", script]` */
function scriptOf(words: readonly unknown[]): string | undefined {
  const [shell, flag, script] = words;
  if (typeof shell !== 'string' || typeof flag !== 'string' || typeof script !== 'string') return undefined;
  const name = shell
    .split(/[\\/]/)
    .at(-1)!
    .replace(/\.exe$/i, '')
    .toLowerCase();
  return SHELLS.includes(name) && /^[-/]\w*c\w*$/i.test(flag) ? script : undefined;
}
