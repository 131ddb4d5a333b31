// Claude Code's transcripts, from 1.0 on: one JSON object a line, many kinds of lines, of which only what people and the
// model said counts, and a few tool calls that say what was done. Most bytes are tool results, repeated requests and hook
// output; those lines are told by a look at their bytes and never parsed.

import { isOwnPlugin } from '../../model/own-agents.ts';
import type {
  Reading as AnyReading,
  ReaderOptions,
  TraceHead,
  TraceItem,
  TraceLine,
  TranscriptReader,
} from '../trace.ts';
import { lookAtLine } from './claude-code-line.ts';
import { afterPrompt, type Queue, queuedCommand, queueOperation } from './claude-code-queue.ts';
import { type Answer, answerBlocks, NO_ANSWER, promptOf, saidIn } from './claude-code-speech.ts';
import { commitEvents, NO_WORK, type ToolPlace, toolEvents, type Work } from './claude-code-tools.ts';
import { type Fields, fieldsOf, listOf, timeOf } from './fields.ts';
import { bufferOf } from './json-bytes.ts';
import { nameOf } from './name-of.ts';

export type ClaudeCodeState = {
  readonly session: string;
  /** The session is known for certain; until then a line may name it. */
  readonly settled: boolean;
  /** The id of the subagent whose file this is: there everything is a side chain, and counts. */
  readonly agent: string | null;
  readonly cwd: string | null;
  readonly branch: string | null;
  /** The head has been given. */
  readonly told: boolean;
  readonly thinking: boolean;
  /** The last line was the border of a compaction, and its summary follows. */
  readonly compacted: boolean;
  readonly answer: Answer;
  readonly work: Work;
  readonly queue: Queue;
};

type Reading = AnyReading<ClaudeCodeState>;

/** A longer line is no speech; parsing it would only cost memory. */
const MAX_LINE = 16 * 1024 * 1024;
const MAX_NAME = 200;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The client's own side work: copies of the conversation, of which it makes a summary or a suggestion. */
const OWN_AGENTS = /^agent-a(?:compact|prompt_suggestion)[-_]/;
const OF_A_TRANSCRIPT =
  /"(?:sessionId|parentUuid|isSidechain|leafUuid)" ?:|"type": ?"(?:user|assistant|human|summary|file-history-snapshot|queue-operation)"/;

export const claudeCode: TranscriptReader<ClaudeCodeState> = {
  name: 'claude-code',

  recognises: (file, firstLines) =>
    /\.jsonl$/i.test(file) &&
    !OWN_AGENTS.test(nameOf(file)) &&
    firstLines.some((line) => /^\s*\{/.test(line) && OF_A_TRANSCRIPT.test(line)),

  start: (file, options) => startState(file, options),

  skips(bytes, state) {
    const look = lookAtLine(bufferOf(bytes));
    if (look.kind !== 'results') return look.kind === 'noise';
    return state !== undefined && !state.work.awaited.some(({ id }) => look.calls.includes(id));
  },

  read(state, line) {
    if (line.text.trim() === '') return { state, items: [] };
    const parsed = line.text.length > MAX_LINE ? undefined : parsedLine(line.text);
    return parsed ? { ...readParsed(state, line, parsed), parsed } : { state, items: [], unreadable: true };
  },
};

/**
 * A conversation is known by the name of its file: resumed and forked ones copy lines that still name another session. A
 * subagent's file lies in `<session>/subagents/`, in older versions beside the session's own; there its lines name it.
 */
function startState(file: string, options: ReaderOptions | undefined): ClaudeCodeState {
  const name = nameOf(file);
  const agent = /^agent-(.+)$/.exec(name)?.[1] ?? null;
  const parent = agent === null ? undefined : /([^\\/]+)[\\/]subagents[\\/]/.exec(file)?.[1];
  return {
    session: parent ?? name,
    settled: agent === null ? UUID.test(name) : parent !== undefined,
    agent,
    cwd: null,
    branch: null,
    told: false,
    thinking: options?.thinking === true,
    compacted: false,
    answer: NO_ANSWER,
    work: NO_WORK,
    queue: { waiting: [], taken: [] },
  };
}

function parsedLine(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function readParsed(state: ClaudeCodeState, line: TraceLine, parsed: Fields): Reading {
  if (parsed.isSidechain === true && state.agent === null) return { state, items: [] };
  switch (parsed.type) {
    case 'user':
    case 'human':
      return readPrompt(state, line, parsed);
    case 'assistant':
      return readAnswer(state, line, parsed);
    case 'system':
      return parsed.subtype === 'compact_boundary'
        ? told(state, parsed, { compacted: true }, [compaction(line, parsed)])
        : { state, items: [] };
    case 'attachment': {
      const attachment = fieldsOf(parsed.attachment);
      if (attachment?.type !== 'queued_command') return { state, items: [] };
      const { queue, turn } = queuedCommand(state.queue, attachment, {
        line: line.number,
        time: timeOf(parsed.timestamp),
      });
      return told(state, parsed, { queue }, turn && parsed.isMeta !== true ? [asHeard(state, turn)] : []);
    }
    case 'queue-operation': {
      const { queue, turn } = queueOperation(state.queue, parsed, {
        line: line.number,
        time: timeOf(parsed.timestamp),
      });
      return told(state, parsed, { queue }, turn ? [asHeard(state, turn)] : []);
    }
    default:
      return { state, items: [] };
  }
}

function readPrompt(state: ClaudeCodeState, line: TraceLine, parsed: Fields): Reading {
  const content = contentOf(parsed);
  const place = placeOf(state, line, parsed);
  const blocks = listOf(content);
  const { work, events, said } = toolEvents(state.work, blocks, place);
  // Results that nobody waits for are passed over unread wherever that saves time: they must not leave a trace here either.
  const onlyResults = blocks.length > 0 && blocks.every((block) => fieldsOf(block)?.type === 'tool_result');
  if (onlyResults && work === state.work && events.length === 0 && said === undefined) return { state, items: [] };
  if (parsed.isMeta === true) return told(state, parsed, {}, []);
  const prompt = promptOf(content);
  if (parsed.isCompactSummary === true || prompt.summary)
    return told(state, parsed, { compacted: false }, state.compacted ? [] : [compaction(line, parsed)]);
  const commands = prompt.command === undefined ? { work, events: [] } : commitEvents(work, prompt.command, place);
  const text = [prompt.text, said].filter(Boolean).join('\n\n');
  const turn: TraceItem[] =
    text === ''
      ? []
      : [
          asHeard(state, {
            kind: 'turn',
            role: 'user',
            text,
            line: line.number,
            time: place.time,
            message: undefined,
            ...(prompt.text ? {} : { aside: true }),
          }),
        ];
  const queue = prompt.text === '' ? state.queue : afterPrompt(state.queue, prompt.text);
  const changes = { work: commands.work, queue, compacted: state.compacted && turn.length === 0 };
  return told(state, parsed, changes, [...turn, ...asOwn(state, events), ...commands.events]);
}

function readAnswer(state: ClaudeCodeState, line: TraceLine, parsed: Fields): Reading {
  const message = fieldsOf(parsed.message);
  // The client's own words: "API Error: …", "No response requested."
  if (parsed.isMeta === true || parsed.isApiErrorMessage === true || message?.model === '<synthetic>')
    return told(state, parsed, {}, []);
  if (isOwnPlugin(parsed.attributionPlugin)) return told(state, parsed, {}, []); // what the memory itself was asked for
  const id = typeof message?.id === 'string' && message.id !== '' ? message.id.slice(0, MAX_NAME) : undefined;
  const { blocks, answer } = answerBlocks(state.answer, id, contentOf(parsed));
  const text = saidIn(blocks, state.thinking);
  const place = placeOf(state, line, parsed);
  const { work, events } = toolEvents(state.work, blocks, place);
  const turn: TraceItem[] =
    text === '' ? [] : [{ kind: 'turn', role: 'assistant', text, line: line.number, time: place.time, message: id }];
  const items = asOwn(state, [...turn, ...events]);
  return told(state, parsed, { answer, work, compacted: state.compacted && text === '' }, items);
}

/** In the file of a subagent, what stands there as the user's was said by the agent that sent it. */
function asHeard(state: ClaudeCodeState, turn: Extract<TraceItem, { kind: 'turn' }>): TraceItem {
  return state.agent === null ? turn : { ...turn, role: 'assistant' };
}

/** And what stands there as the assistant's was said by the subagent. */
const asOwn = (state: ClaudeCodeState, items: readonly TraceItem[]): TraceItem[] =>
  state.agent === null ? [...items] : items.map((item) => ({ ...item, speaker: 'subagent' }));

function contentOf(parsed: Fields): unknown {
  return fieldsOf(parsed.message)?.content ?? parsed.content;
}

function placeOf(state: ClaudeCodeState, line: TraceLine, parsed: Fields): ToolPlace {
  // The first line that names a directory is the one whose calls need it, too.
  const cwd = state.cwd ?? nameIn(parsed.cwd);
  return { line: line.number, time: timeOf(parsed.timestamp), cwd, result: parsed.toolUseResult };
}

const compaction = (line: TraceLine, parsed: Fields): TraceItem => ({
  kind: 'event',
  event: 'compaction',
  line: line.number,
  time: timeOf(parsed.timestamp),
});

/** The next state, with what the line says about the conversation; the head where that is new. */
function told(before: ClaudeCodeState, parsed: Fields, changes: Partial<ClaudeCodeState>, items: TraceItem[]): Reading {
  const named = before.settled ? null : nameIn(parsed.sessionId);
  const state: ClaudeCodeState = {
    ...before,
    ...changes,
    session: named ?? before.session,
    settled: before.settled || named !== null,
    cwd: before.cwd ?? nameIn(parsed.cwd), // where it began: later lines follow `cd`
    branch: nameIn(parsed.gitBranch) ?? before.branch,
    told: true,
  };
  const isNew =
    !before.told || state.session !== before.session || state.cwd !== before.cwd || state.branch !== before.branch;
  if (isNew) return { state, items, head: headOf(state) };
  // A line without a trace gives the very state that went in: whoever archives can leave it out.
  const fields = Object.keys(changes) as (keyof ClaudeCodeState)[];
  return { state: fields.every((field) => state[field] === before[field]) ? before : state, items };
}

function headOf({ session, agent, cwd, branch }: ClaudeCodeState): TraceHead {
  return { session, cwd: cwd ?? undefined, branch: branch ?? undefined, ...(agent === null ? {} : { agent }) };
}

function nameIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME * 10 ? value : null;
}
