// Claude Code's transcripts, from 1.0 on: one JSON object a line, many kinds of lines, of which only what people and the
// model said counts, and a few tool calls that say what was done. Most bytes are tool results, repeated requests and hook
// output.

import type {
  Reading as AnyReading,
  ReaderOptions,
  TraceHead,
  TraceItem,
  TraceLine,
  TranscriptReader,
} from '../../model/trace.ts';
import { isInterruption } from '../../safety/injected-elements.ts';
import { compactionSummary } from '../compaction-summary.ts';
import { fieldsIn } from '../fields.ts';
import {
  type AssistantLine,
  answerText,
  type LineContext,
  type ParsedLine,
  type Prompt,
  promptText,
  type UserLine,
} from '../parsed-line.ts';
import { nameOf } from '../transcript-name.ts';
import { type Answer, answerBlocks, NO_ANSWER } from './answer-blocks.ts';
import { claudeCodeFormat } from './line.ts';
import { afterPrompt, NO_QUEUE, type Queue, queuedCommand, queueOperation } from './queue.ts';
import { lineSeen, NO_TITLES, type Titles, titleLine } from './titles.ts';
import { linkEvents, NO_WORK, shellEvents, toolEvents, type Work } from './tools.ts';

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
  /** The border of a compaction, which is told with the summary that follows it. */
  readonly border: { readonly line: number; readonly time: number | null } | null;
  /** The agent has said something, and called no tool since. */
  readonly spoke: boolean;
  readonly titles: Titles;
  readonly answer: Answer;
  readonly work: Work;
  readonly queue: Queue;
};

type Reading = AnyReading<ClaudeCodeState>;
type Place = { readonly line: number; readonly time: number | undefined };

/** A longer line is no speech; parsing it would only cost memory. */
const MAX_LINE = 16 * 1024 * 1024;
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

  read(state, line) {
    if (line.text.trim() === '') return { state, items: [] };
    const parsed = line.text.length > MAX_LINE ? undefined : fieldsIn(line.text);
    return parsed
      ? { ...readNamed(state, line, claudeCodeFormat.parse(parsed)), parsed }
      : { state, items: [], unreadable: true };
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
    border: null,
    spoke: false,
    titles: NO_TITLES,
    answer: NO_ANSWER,
    work: NO_WORK,
    queue: NO_QUEUE,
  };
}

/** Whether a summary of an older version is about this conversation is known by the names of its lines. */
function readNamed(state: ClaudeCodeState, line: TraceLine, parsed: ParsedLine): Reading {
  const read = readParsed(state, line, parsed);
  const isOwn = parsed.uuid !== null && (!parsed.isSidechain || state.agent !== null);
  if (parsed.uuid === null || !isOwn) return read;
  const { titles, events } = lineSeen(state.titles, parsed.uuid, read.items.length > 0, parsed.time);
  if (titles === state.titles) return read;
  const { unsaid: _, ...told } = read;
  return { ...told, state: { ...read.state, titles }, items: [...events, ...read.items] };
}

function readParsed(state: ClaudeCodeState, line: TraceLine, parsed: ParsedLine): Reading {
  if (parsed.isSidechain && state.agent === null)
    return { state, items: [], ...(isOnlyResults(parsed) ? { unsaid: true } : {}) };
  const at = { line: line.number, time: parsed.time };
  switch (parsed.kind) {
    case 'user':
      return readPrompt(state, at, parsed);
    case 'assistant':
      return readAnswer(state, at, parsed);
    case 'compaction':
      return told(state, parsed, { border: { line: at.line, time: at.time ?? null } }, borderOf(state));
    case 'queued': {
      const { queue, turn } = queuedCommand(state.queue, parsed, at);
      return told(state, parsed, { queue }, turn && !parsed.isMeta ? [asHeard(state, turn)] : []);
    }
    case 'queue': {
      const { queue, turn } = queueOperation(state.queue, parsed, { ...at, isLastWord: state.spoke });
      return told(state, parsed, { queue }, turn ? [asHeard(state, turn)] : []);
    }
    case 'title': {
      const { titles, events } = titleLine(state.titles, parsed, at);
      if (titles === state.titles) return { state, items: [], unsaid: true };
      // Whole files hold nothing but summaries of other conversations: those are no beginning of this one.
      return events.length === 0
        ? { state: { ...state, titles }, items: [] }
        : told(state, parsed, { titles }, [...events]);
    }
    case 'pull-link': {
      const work = linkEvents(state.work, parsed.url);
      return work === state.work ? { state, items: [], unsaid: true } : told(state, parsed, { work }, []);
    }
    case 'call':
      return state.spoke
        ? told(state, parsed, { spoke: false }, asOwn(state, [worked(at)]))
        : { state, items: [], unsaid: true };
    default:
      return { state, items: [], unsaid: true };
  }
}

const isOnlyResults = (line: ParsedLine): boolean =>
  line.kind === 'user' && line.blocks.length > 0 && line.blocks.every(({ kind }) => kind === 'result');

function readPrompt(state: ClaudeCodeState, at: Place, parsed: LineContext & UserLine): Reading {
  const { blocks, prompt } = parsed;
  const place = { ...at, cwd: state.cwd ?? parsed.cwd, result: parsed.result };
  const { work, events, said } = toolEvents(state.work, blocks, place);
  // Results that nobody waits for leave no trace.
  if (isOnlyResults(parsed) && work === state.work && events.length === 0 && said === undefined)
    return { state, items: [], unsaid: true };
  if (parsed.isMeta) return told(state, parsed, {}, []);
  if (prompt.isSummary) return told(state, parsed, { border: null }, [compaction(at, prompt.summary)]);
  const commands =
    prompt.shell === undefined ? { work, events: [] } : shellEvents(work, undefined, prompt.shell, place);
  const words = promptText(typed(prompt));
  const text = [words, said].filter(Boolean).join('\n\n');
  const turn: TraceItem[] =
    text === ''
      ? []
      : [
          asHeard(state, {
            kind: 'turn',
            role: 'user',
            text,
            ...at,
            message: undefined,
            ...(words ? {} : { aside: true }),
          }),
        ];
  const stopped: TraceItem[] = prompt.words.some(isInterruption)
    ? [{ kind: 'event', event: 'interrupted', ...at }]
    : [];
  const changes = {
    work: commands.work,
    queue: words === '' ? state.queue : afterPrompt(state.queue, words),
    border: words === '' ? state.border : null,
    // A turn ends with whatever is said to the agent next, also by the client: what it said before was its last word.
    spoke: state.spoke && isOnlyResults(parsed),
  };
  const border = words === '' ? [] : borderOf(state);
  return told(state, parsed, changes, [...border, ...stopped, ...turn, ...asOwn(state, events), ...commands.events]);
}

/** That the agent was stopped is an event, and nobody's words. */
const typed = (prompt: Prompt): Prompt => ({ ...prompt, words: prompt.words.filter((text) => !isInterruption(text)) });

function readAnswer(state: ClaudeCodeState, at: Place, parsed: LineContext & AssistantLine): Reading {
  if (parsed.isMeta || parsed.by !== 'model') return told(state, parsed, {}, []);
  const { message } = parsed;
  const { blocks, answer } = answerBlocks(state.answer, message, parsed.blocks);
  const text = answerText(blocks, state.thinking);
  const { work, events } = toolEvents(state.work, blocks, { ...at, cwd: state.cwd ?? parsed.cwd, result: undefined });
  const turn: TraceItem[] = text === '' ? [] : [{ kind: 'turn', role: 'assistant', text, ...at, message }];
  const spoke = state.spoke || text !== '';
  const works = spoke && blocks.some(({ kind }) => kind === 'call');
  const items = asOwn(state, [...turn, ...(works ? [worked(at)] : []), ...events]);
  const border = text === '' ? [] : borderOf(state);
  const changes = { answer, work, spoke: spoke && !works, border: text === '' ? state.border : null };
  return told(state, parsed, changes, [...border, ...items]);
}

/** In the file of a subagent, what stands there as the user's was said by the agent that sent it. */
function asHeard(state: ClaudeCodeState, turn: Extract<TraceItem, { kind: 'turn' }>): TraceItem {
  return state.agent === null ? turn : { ...turn, role: 'assistant' };
}

/** And what stands there as the assistant's was said by the subagent. */
const asOwn = (state: ClaudeCodeState, items: readonly TraceItem[]): TraceItem[] =>
  state.agent === null ? [...items] : items.map((item) => ({ ...item, speaker: 'subagent' }));

const worked = (at: Place): TraceItem => ({ kind: 'event', event: 'work', ...at });

function compaction(at: Place, text: string | undefined): TraceItem {
  const summary = text === undefined ? undefined : compactionSummary(text);
  return { kind: 'event', event: 'compaction', ...(summary === undefined ? {} : { summary }), ...at };
}

/** The border that still waits for its summary: the conversation goes on without one. */
function borderOf({ border }: ClaudeCodeState): TraceItem[] {
  return border ? [compaction({ line: border.line, time: border.time ?? undefined }, undefined)] : [];
}

/** The next state, with what the line says about the conversation; the head where that is new. */
function told(
  before: ClaudeCodeState,
  line: LineContext,
  changes: Partial<ClaudeCodeState>,
  items: TraceItem[],
): Reading {
  const named = before.settled ? null : line.session;
  const state: ClaudeCodeState = {
    ...before,
    ...changes,
    session: named ?? before.session,
    settled: before.settled || named !== null,
    cwd: before.cwd ?? line.cwd, // where it began: later lines follow `cd`
    branch: line.branch ?? before.branch,
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
