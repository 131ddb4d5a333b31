// Claude Code's transcripts, from 1.0 on: one JSON object a line, many kinds of lines, of which only what people and the
// model said counts, and a few tool calls that say what was done. Most bytes are tool results, repeated requests and hook
// output; those lines are told apart by their look and never parsed.

import type { TraceHead, TraceItem, TraceLine, TranscriptReader } from '../trace.ts';
import { toolEvents } from './claude-code-tools.ts';

type Line = {
  type?: unknown;
  subtype?: unknown;
  isMeta?: unknown;
  isCompactSummary?: unknown;
  isSidechain?: unknown;
  sessionId?: unknown;
  cwd?: unknown;
  gitBranch?: unknown;
  timestamp?: unknown;
  toolUseResult?: unknown;
  message?: { id?: unknown; content?: unknown };
  content?: unknown;
};

export type ClaudeCodeState = {
  session: string;
  cwd: string | undefined;
  branch: string | undefined;
  /** A file of a subagent: there everything is a side chain, and counts. */
  subagent: boolean;
  /** Questions to the user that wait for their answer, by the id of the tool call. */
  asked: { [toolUse: string]: string[] };
};

/** A longer line is no speech; parsing it would only cost memory. */
const MAX_LINE = 16 * 1024 * 1024;
const KEPT = /"type": ?"(?:user|human|assistant)"|"subtype": ?"compact_boundary"/;

export const claudeCode: TranscriptReader<ClaudeCodeState> = {
  name: 'claude-code',

  recognises: (file, firstLines) =>
    file.endsWith('.jsonl') &&
    firstLines.some(
      (line) =>
        /^\{/.test(line) &&
        /"(?:sessionId|parentUuid|isSidechain|leafUuid)" ?:|"type": ?"(?:user|assistant|human|file-history-snapshot|queue-operation)"/.test(
          line,
        ),
    ),

  start: (file) => ({
    session: nameOf(file),
    cwd: undefined,
    branch: undefined,
    subagent: /[\\/]subagents[\\/]agent-[^\\/]*$/.test(file) || /^agent-/.test(nameOf(file)),
    asked: {},
  }),

  read(state, line) {
    const text = line.text;
    if (!KEPT.test(text.length > 4_096 ? head(text) : text) || text.length > MAX_LINE) return { state, items: [] };
    if (isPlainToolResult(text, state)) return { state, items: [] };
    let parsed: Line;
    try {
      parsed = JSON.parse(text) as Line;
    } catch {
      return { state, items: [], unreadable: true };
    }
    if (typeof parsed !== 'object' || parsed === null) return { state, items: [], unreadable: true };
    return readLine(state, line, parsed);
  },
};

/** The kind of a line stands among its first or its last fields; what lies between is content. */
function head(text: string): string {
  return text.slice(0, 2_048) + text.slice(-2_048);
}

/** Results of tools are most of a transcript. Only the answer to a question of ours is worth parsing. */
function isPlainToolResult(text: string, state: ClaudeCodeState): boolean {
  if (!/"type": ?"tool_result"/.test(text.length > 8_192 ? text.slice(0, 4_096) + text.slice(-4_096) : text))
    return false;
  return !Object.keys(state.asked).some((id) => text.includes(id));
}

function readLine(
  before: ClaudeCodeState,
  line: TraceLine,
  parsed: Line,
): ReturnType<TranscriptReader<ClaudeCodeState>['read']> {
  const state = withPlace(before, parsed);
  const changed = state.cwd !== before.cwd || state.branch !== before.branch || state.session !== before.session;
  const found = changed ? { head: headOf(state) } : {};
  const time = timeOf(parsed.timestamp);
  if (parsed.subtype === 'compact_boundary') {
    return { state, items: [{ kind: 'event', event: 'compaction', line: line.number, time }], ...found };
  }
  const role =
    parsed.type === 'assistant' ? 'assistant' : parsed.type === 'user' || parsed.type === 'human' ? 'user' : undefined;
  if (
    !role ||
    parsed.isMeta === true ||
    parsed.isCompactSummary === true ||
    (parsed.isSidechain === true && !state.subagent)
  ) {
    return { state, items: [], ...found };
  }
  const content = parsed.message?.content ?? parsed.content;
  const message = typeof parsed.message?.id === 'string' ? parsed.message.id : undefined;
  const said = speech(textOf(content), role);
  const items: TraceItem[] = said === '' ? [] : [{ kind: 'turn', role, text: said, line: line.number, time, message }];
  const { events, asked } = toolEvents(content, parsed.toolUseResult, {
    line: line.number,
    time,
    cwd: state.cwd,
    asked: state.asked,
  });
  return { state: { ...state, asked }, items: [...items, ...events], ...found };
}

function withPlace(state: ClaudeCodeState, { sessionId, cwd, gitBranch }: Line): ClaudeCodeState {
  return {
    ...state,
    session: typeof sessionId === 'string' && sessionId !== '' ? sessionId : state.session,
    cwd: state.cwd ?? (typeof cwd === 'string' && cwd !== '' ? cwd : undefined), // where it began: later lines follow `cd`
    branch: typeof gitBranch === 'string' && gitBranch !== '' ? gitBranch : state.branch,
  };
}

const headOf = ({ session, cwd, branch }: ClaudeCodeState): TraceHead => ({ session, cwd, branch });

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.flatMap((block: { type?: unknown; text?: unknown } | null) =>
    block?.type === 'text' && typeof block.text === 'string' ? [block.text] : [],
  );
  return texts.join('\n\n');
}

const MACHINE =
  /^(?:<command-|<local-command-|<task-notification>|<bash-(?:input|stdout|stderr)>|Stop hook feedback:|Caveat: The messages below|This session is being continued from a previous conversation)/;
const INJECTED =
  /<(system-reminder|memory-context|local-command-caveat|ide_opened_file|ide_selection)\b[^>]*>[\s\S]*?<\/\1>/g;

/** What was really said: not what the client or a hook put there. */
function speech(text: string, role: 'user' | 'assistant'): string {
  const own = text.includes('<') ? text.replace(INJECTED, '').trim() : text.trim();
  return role === 'user' && MACHINE.test(own) ? '' : own;
}

export function timeOf(stamp: unknown): number | undefined {
  const time = typeof stamp === 'string' ? Date.parse(stamp) : typeof stamp === 'number' ? stamp : Number.NaN;
  return Number.isFinite(time) ? time : undefined;
}

/** The session that a file is named after. */
export function nameOf(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).replace(/\.\w+$/, '');
}
