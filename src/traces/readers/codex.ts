// Codex CLI's rollouts: a session line, then response items. Messages are kept; the events that repeat them are not counted
// twice. Patches and commands say which files were touched and what was committed; plans and questions are followed too.

import { withoutInjected } from '../../safety/injected-elements.ts';
import type { TraceEvent, TraceHead, TraceItem, TraceLine, TranscriptReader } from '../trace.ts';
import { type CodexWork, codexCall, codexResult, NO_CODEX_WORK } from './codex-calls.ts';
import { type Fields, fieldsOf, listOf, textOf, timeOf, wordsOf } from './fields.ts';
import { bufferOf, overBlanks, overObject, overValue, shortString } from './json-bytes.ts';
import { nameOf } from './name-of.ts';

export type CodexState = {
  readonly session: string;
  readonly agent: string | null;
  readonly cwd: string | null;
  readonly branch: string | null;
  /** The session line was read; a fork repeats the one of its parent behind it. */
  readonly begun: boolean;
  readonly told: boolean;
  readonly thinking: boolean;
  readonly work: CodexWork;
};

type Reading = ReturnType<TranscriptReader<CodexState>['read']>;

const MAX_LINE = 16 * 1024 * 1024;
/** Told again by the items themselves. */
const REPEATED = new Set(['event_msg', 'turn_context', 'world_state']);
/** What the client puts before the first prompt, and in the user's name later. */
const NOT_SAID =
  /^(?:<(?:environment_context|user_instructions|turn_aborted|permissions|collaboration_mode|skills?|apps_instructions|plugins_instructions|subagent_notification|user_shell_command|model_switch)\b|# AGENTS\.md instructions|# Context from my IDE setup:\s*$)/;

export const codex: TranscriptReader<CodexState> = {
  name: 'codex',

  recognises: (file, firstLines) =>
    /rollout-[^\\/]*\.jsonl$/.test(file) ||
    firstLines.some((line) => /^\s*\{[^{]*"type": ?"(?:session_meta|response_item)"/.test(line.slice(0, 2_048))),

  start: (file, options) => ({
    session: nameOf(file).replace(/^rollout-[\dT-]*?-(?=[0-9a-f]{8}-)/, ''),
    agent: null,
    cwd: null,
    branch: null,
    begun: false,
    told: false,
    thinking: options?.thinking === true,
    work: NO_CODEX_WORK,
  }),

  skips(bytes) {
    const buffer = bufferOf(bytes);
    const types: (string | undefined)[] = [];
    const end = overObject(buffer, overBlanks(buffer, 0), ['type'], (_, at) => {
      types.push(shortString(buffer, at));
      return overValue(buffer, at);
    });
    const [type] = types;
    return end === buffer.length && type !== undefined && types.length === 1 && REPEATED.has(type);
  },

  read(state, line) {
    if (line.text.trim() === '') return { state, items: [] };
    const parsed = line.text.length > MAX_LINE ? undefined : parsedLine(line.text);
    return parsed ? readParsed(state, line, parsed) : { state, items: [], unreadable: true };
  },
};

function parsedLine(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function readParsed(state: CodexState, line: TraceLine, parsed: Fields): Reading {
  if (typeof parsed.type === 'string' && REPEATED.has(parsed.type)) return { state, items: [] };
  const item = fieldsOf(parsed.payload) ?? parsed;
  const isHead = parsed.type === 'session_meta' || (parsed.type === undefined && typeof parsed.id === 'string');
  if (isHead) return state.begun ? { state, items: [] } : begin(state, item);
  const at = { kind: 'event' as const, line: line.number, time: timeOf(parsed.timestamp) };
  if (parsed.type === 'compacted') return told(state, state.work, [{ ...at, event: 'compaction' }]);
  const said = turnOf(state, item, line.number, at.time);
  if (said) return told(state, state.work, [said]);
  const { work, events } = eventsOf(state, item, at);
  return told(state, work, events);
}

function begin(state: CodexState, item: Fields): Reading {
  const spawn = fieldsOf(fieldsOf(fieldsOf(item.source)?.subagent)?.thread_spawn);
  const parent = wordsOf(spawn?.parent_thread_id);
  const id = wordsOf(item.id) ?? state.session;
  const next: CodexState = {
    ...state,
    session: parent ?? id,
    agent: parent === undefined ? null : id,
    cwd: wordsOf(item.cwd) ?? state.cwd,
    branch: wordsOf(fieldsOf(item.git)?.branch) ?? state.branch,
    begun: true,
    told: true,
  };
  return { state: next, items: [], head: headOf(next) };
}

function turnOf(state: CodexState, item: Fields, line: number, time: number | undefined): TraceItem | undefined {
  const message = wordsOf(item.id);
  if (item.type === 'reasoning' && state.thinking) {
    const text = [textOf(item.summary), textOf(item.content)].filter(Boolean).join('\n\n').trim();
    return text === ''
      ? undefined
      : { kind: 'turn', role: 'assistant', ...ownSpeaker(state), text, line, time, message };
  }
  if (item.type !== 'message' || (item.role !== 'user' && item.role !== 'assistant')) return undefined;
  const blocks =
    typeof item.content === 'string' ? [item.content] : listOf(item.content).map((block) => textOf([block]));
  const text = blocks
    .filter((block) => item.role === 'assistant' || !NOT_SAID.test(block.trimStart()))
    .map((block) => withoutInjected(block).trim())
    .filter(Boolean)
    .join('\n\n');
  if (text === '') return undefined;
  // What a subagent is told, it is told by another agent.
  const role = state.agent === null ? item.role : 'assistant';
  const speaker = item.role === 'assistant' ? ownSpeaker(state) : {};
  return { kind: 'turn', role, ...speaker, text, line, time, message };
}

const ownSpeaker = ({ agent }: CodexState): { speaker?: 'subagent' } => (agent === null ? {} : { speaker: 'subagent' });

type At = { readonly kind: 'event'; readonly line: number; readonly time: number | undefined };

function eventsOf(state: CodexState, item: Fields, at: At): { work: CodexWork; events: TraceEvent[] } {
  const found =
    typeof item.type === 'string' && /_output$/.test(item.type)
      ? codexResult(state.work, item)
      : codexCall(state.work, item, state.cwd);
  return { work: found.work, events: found.told.map((each): TraceEvent => ({ ...at, ...ownSpeaker(state), ...each })) };
}

function told(before: CodexState, work: CodexWork, items: readonly TraceItem[]): Reading {
  const state = before.told && work === before.work ? before : { ...before, work, told: true };
  return { state, items, ...(before.told ? {} : { head: headOf(state) }) };
}

function headOf({ session, agent, cwd, branch }: CodexState): TraceHead {
  return { session, cwd: cwd ?? undefined, branch: branch ?? undefined, ...(agent === null ? {} : { agent }) };
}
