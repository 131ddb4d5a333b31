// Codex CLI's rollouts: a session line, then response items. Messages are kept; the events that repeat them are not counted
// twice. Patches and commands say which files were touched and what was committed; plans and questions are followed too.

import type { TraceEvent, TraceHead, TraceItem, TraceLine, TranscriptReader } from '../../model/trace.ts';
import { maskText } from '../../safety/mask-text.ts';
import { compactionSummary } from '../compaction-summary.ts';
import { fieldsIn } from '../fields.ts';
import {
  answerText,
  type Block,
  type LineContext,
  type ParsedLine,
  promptText,
  type SessionLine,
} from '../parsed-line.ts';
import { nameOf } from '../transcript-name.ts';
import { codexFormat, isRollout } from './line.ts';
import { type CodexWork, codexCall, codexResult, NO_CODEX_WORK } from './tools.ts';

export type CodexState = {
  readonly session: string;
  readonly agent: string | null;
  readonly cwd: string | null;
  readonly branch: string | null;
  /** The session line was read; a fork repeats the one of its parent behind it. */
  readonly begun: boolean;
  readonly told: boolean;
  readonly thinking: boolean;
  /** The agent has said something, and called no tool since. */
  readonly spoke: boolean;
  /** The last name that the conversation got, masked. */
  readonly titled: string | null;
  readonly work: CodexWork;
};

type Place = { readonly line: number; readonly time: number | undefined };
type Reading = ReturnType<TranscriptReader<CodexState>['read']>;

const MAX_LINE = 16 * 1024 * 1024;
const MAX_TITLE = 300;

export const codex: TranscriptReader<CodexState> = {
  name: 'codex',

  recognises: (file, firstLines) =>
    isRollout(file) ||
    firstLines.some((line) => /^\s*\{[^{]*"type": ?"(?:session_meta|response_item)"/.test(line.slice(0, 2_048))),

  start: (file, options) => ({
    session: nameOf(file).replace(/^rollout-[\dT-]*?-(?=[0-9a-f]{8}-)/, ''),
    agent: null,
    cwd: null,
    branch: null,
    begun: false,
    told: false,
    thinking: options?.thinking === true,
    spoke: false,
    titled: null,
    work: NO_CODEX_WORK,
  }),

  read(state, line) {
    if (line.text.trim() === '') return { state, items: [] };
    const parsed = line.text.length > MAX_LINE ? undefined : fieldsIn(line.text);
    return parsed ? readParsed(state, line, codexFormat.parse(parsed)) : { state, items: [], unreadable: true };
  },
};

function readParsed(state: CodexState, { number }: TraceLine, parsed: ParsedLine): Reading {
  const at = { line: number, time: parsed.time };
  switch (parsed.kind) {
    case 'session':
      return state.begun ? { state, items: [] } : begin(state, parsed);
    case 'compaction': {
      const summary = parsed.summary === undefined ? undefined : compactionSummary(parsed.summary);
      const event = {
        kind: 'event',
        event: 'compaction',
        ...(summary === undefined ? {} : { summary }),
        ...at,
      } as const;
      return told(state, {}, [event]);
    }
    case 'title': {
      const text = [...maskText(parsed.text).replace(/\s+/g, ' ').trim()].slice(0, MAX_TITLE).join('').trim();
      if (text === '' || text === state.titled) return { state, items: [], unsaid: true };
      return told(state, { titled: text }, [{ kind: 'event', event: 'title', text, by: parsed.by, ...at }]);
    }
    case 'interrupted':
      return told(state, {}, [{ kind: 'event', event: 'interrupted', ...at }]);
    case 'user': {
      const text = promptText(parsed.prompt);
      // What a subagent is told, it is told by another agent.
      const role = state.agent === null ? 'user' : 'assistant';
      if (text !== '') return told(state, { spoke: false }, [{ kind: 'turn', role, text, ...at, message: undefined }]);
      return work(state, parsed.blocks, at);
    }
    case 'assistant': {
      const text = answerText(parsed.blocks, state.thinking);
      if (text === '') return work(state, parsed.blocks, at);
      const turn = {
        kind: 'turn',
        role: 'assistant',
        ...ownSpeaker(state),
        text,
        ...at,
        message: parsed.message,
      } as const;
      return told(state, { spoke: true }, [turn]);
    }
    default:
      return parsed.kind === 'other' && parsed.isNote ? { state, items: [], unsaid: true } : told(state, {}, []);
  }
}

function begin(state: CodexState, { id = state.session, parent, cwd, branch }: LineContext & SessionLine): Reading {
  const next: CodexState = {
    ...state,
    session: parent ?? id,
    agent: parent === undefined ? null : id,
    cwd: cwd ?? state.cwd,
    branch: branch ?? state.branch,
    begun: true,
    told: true,
  };
  return { state: next, items: [], head: headOf(next) };
}

const ownSpeaker = ({ agent }: CodexState): { speaker?: 'subagent' } => (agent === null ? {} : { speaker: 'subagent' });

/** What a call or its result says about the work: a line holds one of them. */
function work(state: CodexState, blocks: readonly Block[], at: Place): Reading {
  const [block] = blocks;
  const found =
    block?.kind === 'call'
      ? codexCall(state.work, block, state.cwd)
      : block?.kind === 'result'
        ? codexResult(state.work, block)
        : { work: state.work, told: [] };
  const works = state.spoke && block?.kind === 'call';
  const events = [...(works ? [{ event: 'work' as const }] : []), ...found.told].map(
    (each): TraceEvent => ({ kind: 'event', ...at, ...ownSpeaker(state), ...each }),
  );
  return told(state, { work: found.work, spoke: state.spoke && !works }, events);
}

function told(before: CodexState, changes: Partial<CodexState>, items: readonly TraceItem[]): Reading {
  const fields = Object.keys(changes) as (keyof CodexState)[];
  const isSame = before.told && fields.every((field) => changes[field] === before[field]);
  const state = isSame ? before : { ...before, ...changes, told: true };
  return { state, items, ...(before.told ? {} : { head: headOf(state) }) };
}

function headOf({ session, agent, cwd, branch }: CodexState): TraceHead {
  return { session, cwd: cwd ?? undefined, branch: branch ?? undefined, ...(agent === null ? {} : { agent }) };
}
