// Codex CLI's rollouts: a session line, then response items. Messages are kept, also the events that repeat them in older
// versions are not counted twice; patches and commands say which files were touched and what was committed.

import type { TraceEvent, TraceItem, TranscriptReader } from '../trace.ts';
import { nameOf, timeOf } from './claude-code.ts';
import { commitSubject } from './claude-code-tools.ts';

type Item = {
  type?: unknown;
  role?: unknown;
  content?: unknown;
  name?: unknown;
  arguments?: unknown;
  input?: unknown;
  id?: unknown;
  cwd?: unknown;
  git?: unknown;
};
type CodexState = { session: string; cwd: string | undefined; branch: string | undefined };

const KEPT = /"(?:message|function_call|custom_tool_call|local_shell_call|session_meta)"|"instructions" ?:/;

export const codex: TranscriptReader<CodexState> = {
  name: 'codex',

  recognises: (file, firstLines) =>
    /rollout-[^\\/]*\.jsonl$/.test(file) ||
    firstLines.some((line) => /"type": ?"(?:session_meta|response_item)"/.test(line.slice(0, 2_048))),

  start: (file) => ({
    session: nameOf(file).replace(/^rollout-[\dT-]*?-(?=[0-9a-f]{8}-)/, ''),
    cwd: undefined,
    branch: undefined,
  }),

  read(state, line) {
    if (!KEPT.test(line.text.slice(0, 4_096))) return { state, items: [] };
    let parsed: { type?: unknown; timestamp?: unknown; payload?: Item } & Item;
    try {
      parsed = JSON.parse(line.text);
    } catch {
      return { state, items: [], unreadable: true };
    }
    if (typeof parsed !== 'object' || parsed === null) return { state, items: [], unreadable: true };
    const item: Item = typeof parsed.payload === 'object' && parsed.payload !== null ? parsed.payload : parsed;
    if (
      parsed.type === 'session_meta' ||
      (line.number === 1 && typeof item.id === 'string' && item.type === undefined)
    ) {
      const branch = (item.git as { branch?: unknown } | null | undefined)?.branch;
      const next = {
        session: typeof item.id === 'string' ? item.id : state.session,
        cwd: typeof item.cwd === 'string' ? item.cwd : undefined,
        branch: typeof branch === 'string' ? branch : undefined,
      };
      return { state: next, items: [], head: next };
    }
    if (parsed.type === 'event_msg' || parsed.type === 'turn_context') return { state, items: [] }; // told again by the items themselves
    return { state, items: itemsOf(item, line.number, timeOf(parsed.timestamp)) };
  },
};

function itemsOf(item: Item, line: number, time: number | undefined): TraceItem[] {
  if (item.type === 'message' && (item.role === 'user' || item.role === 'assistant')) {
    const text = textOf(item.content).trim();
    if (text === '' || /^<(?:environment_context|user_instructions|turn_aborted|permissions)\b/.test(text)) return [];
    return [
      { kind: 'turn', role: item.role, text, line, time, message: typeof item.id === 'string' ? item.id : undefined },
    ];
  }
  const call = typeof item.arguments === 'string' ? item.arguments : typeof item.input === 'string' ? item.input : '';
  return call === '' ? [] : callEvents(call, line, time);
}

function callEvents(call: string, line: number, time: number | undefined): TraceEvent[] {
  const command = commandOf(call);
  const events: TraceEvent[] = [];
  const subject = commitSubject(command);
  if (subject) events.push({ kind: 'event', event: 'commit', subject, line, time });
  const files = [...command.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map((match) => match[1]!.trim());
  if (files.length > 0) events.push({ kind: 'event', event: 'files', files, wrote: true, line, time });
  return events;
}

/** The command of a shell call: an argument vector or a text; a patch is text already. */
function commandOf(call: string): string {
  try {
    const parsed = JSON.parse(call) as { command?: unknown; cmd?: unknown; input?: unknown };
    const command = parsed.command ?? parsed.cmd ?? parsed.input;
    return Array.isArray(command) ? command.join(' ') : typeof command === 'string' ? command : call;
  } catch {
    return call;
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((block: { type?: unknown; text?: unknown } | null) =>
      typeof block?.text === 'string' && /text$/.test(String(block.type)) ? [block.text] : [],
    )
    .join('\n\n');
}
