// Plain exports of a conversation: Markdown or text in which a line names the speaker, and what Claude Code's `/export` writes.
// The last reader that is asked; a file without speakers is read as one long statement of the assistant's side.

import { lazy } from '../../model/lazy.ts';
import type { TraceItem, TranscriptReader, Turn } from '../../model/trace.ts';
import { type Hidden, NOTHING_HIDDEN, withoutHidden } from '../../safety/hidden-lines.ts';
import { isInterruption } from '../../safety/injected-elements.ts';
import { nameOf } from '../transcript-name.ts';

export type MarkdownState = {
  readonly session: string;
  readonly told: boolean;
  readonly role: Turn['role'] | null;
  readonly fence: string | null;
  /** A copy of the terminal: signs at the start of a line say who speaks. */
  readonly terminal: boolean;
  /** In the terminal: output of a tool, until something less indented. */
  readonly output: boolean;
  /** In the terminal: the agent has said something, and called no tool since. */
  readonly spoke?: true;
  /** What began in an earlier line and must not be kept; missing where there is none. */
  readonly hidden?: Hidden;
};

type Reading = ReturnType<TranscriptReader<MarkdownState>['read']>;

const USER = 'user|human|you|me|prompt|question';
const ASSISTANT =
  'assistant|agent|claude(?: code)?|codex|chatgpt|gpt[-\\w.]{0,20}|model|ai|bot|answer|gemini|copilot|cursor';
/** Looked for in the first letters only, so that the many optional parts cannot cost more than a moment. */
const SPEAKER = lazy(
  () =>
    new RegExp(
      `^(#{1,6} +|> ?)?([*_[]{0,3})(?:\\p{Extended_Pictographic}\\uFE0F? *)?[*_]{0,3}(?:(${USER})|(?:${ASSISTANT}))(?: said)?\\]?(?: *\\([^()]{0,60}\\))?[*_]{0,3} *(?:(:)[*_]{0,3}|$)`,
      'iu',
    ),
);
const SPEAKER_LENGTH = 120;
const FENCE = /^ {0,3}(`{3,100}|~{3,100})/;
const BANNER = /\bClaude Code v\d/;
const SAYS_SOMETHING = lazy(() => /[\p{L}\p{N}]/u);
const BOX_OR_NOTE = /^\s*[▐▝▘▛╭╰│┌└─✻✢✳✶∴]/u;
const INTERRUPTED = /^Interrupted\b/;
const COMPACTED = /^[\s✻✢✳✶─═]*Conversation compacted\b/u;
const TOOL_CALL = /^[A-Z]\w{0,40}(?: - \w{1,40})?\(/;

/**
 * Is this the beginning of a conversation, and not any text? It opens with somebody who speaks, or both sides speak in it; a log or a
 * read-me names one of them at most, somewhere.
 */
export function namesSpeakers(head: string): boolean {
  if (BANNER.test(head)) return true;
  const speakers = new Set<Turn['role']>();
  let begun = false;
  for (const line of head.split('\n')) {
    const trimmed = line.trim();
    if (/^[❯⏺]/u.test(trimmed)) speakers.add(trimmed.startsWith('❯') ? 'user' : 'assistant');
    const speaker = SPEAKER().exec(trimmed.slice(0, SPEAKER_LENGTH));
    if (speaker?.[4] ?? speaker?.[1] ?? speaker?.[2]) speakers.add(speaker![3] ? 'user' : 'assistant');
    if (speakers.size === 2 || (speakers.size === 1 && !begun)) return true;
    begun ||= trimmed !== '';
  }
  return false;
}

export const markdown: TranscriptReader<MarkdownState> = {
  name: 'markdown',
  needsAll: true,
  // A zero is in no text that anybody reads: it is a program, a picture, or UTF-16.
  recognises: (file, firstLines) =>
    /\.(?:md|markdown|txt)$/i.test(file) && !firstLines.some((line) => line.includes('\0')),
  start: (file) => ({ session: nameOf(file), told: false, role: null, fence: null, terminal: false, output: false }),

  /** Every line is an item of its own: a statement keeps the number of its line, and nothing waits for what may follow. */
  read(state, line) {
    const head = { session: state.session, cwd: undefined, branch: undefined };
    const found = readOpen(state, line.text.replace(/\r$/, ''), line.number);
    return state.told ? found : { ...found, state: { ...found.state, told: true }, head };
  },
};

/** Code is not kept anyway, so nothing in it begins a passage; one that is never closed ends where somebody else plainly speaks. */
function readOpen(state: MarkdownState, line: string, number: number): Reading {
  if (state.fence !== null) return readLine(state, line, number);
  const { text, hidden } = withoutHidden((!beginsTurn(line) && state.hidden) || NOTHING_HIDDEN, line);
  const now = carried(state, hidden);
  const found = text === line || text.trim() !== '' ? readLine(now, text, number) : { state: now, items: [] };
  return text === line ? found : { ...found, open: text };
}

/** The state itself where nothing changed: a line that changes none is not kept. */
function carried(state: MarkdownState, hidden: Hidden): MarkdownState {
  if (hidden.depth === (state.hidden?.depth ?? 0) && hidden.key === (state.hidden?.key ?? false)) return state;
  const { hidden: _, ...open } = state;
  return hidden.depth > 0 || hidden.key ? { ...open, hidden } : open;
}

/** By a heading, bold letters or the terminal's signs; `User: …` also stands in a list of logins. */
function beginsTurn(line: string): boolean {
  const trimmed = line.trim();
  if (/^[❯⏺]/u.test(trimmed)) return true;
  return /^(?:#|\*\*)/.test(trimmed) && SPEAKER().test(trimmed.slice(0, SPEAKER_LENGTH));
}

function readLine(state: MarkdownState, text: string, line: number): Reading {
  const mark = FENCE.exec(text)?.[1];
  if (mark) {
    const closes = state.fence !== null && mark.startsWith(state.fence);
    return { state: { ...state, fence: state.fence === null ? mark : closes ? null : state.fence }, items: [] };
  }
  const trimmed = text.trim();
  if (state.fence !== null || trimmed === '') return { state, items: [] };
  if (BANNER.test(text.slice(0, 400))) return { state: { ...state, terminal: true }, items: [] };
  if (isInterruption(trimmed)) return { state, items: [happened('interrupted', line)] };
  return inTerminal(state, text, trimmed, line) ?? bySpeaker(state, trimmed, line);
}

function bySpeaker(state: MarkdownState, text: string, line: number): Reading {
  const speaker = SPEAKER().exec(text.slice(0, SPEAKER_LENGTH));
  const isMarked = Boolean(speaker?.[1] || speaker?.[2]);
  if (speaker && (speaker[4] || (isMarked && speaker[0].length === text.length))) {
    const role: Turn['role'] = speaker[3] ? 'user' : 'assistant';
    return { state: { ...state, role }, items: said(role, text.slice(speaker[0].length), line) };
  }
  return { state, items: said(state.role ?? 'assistant', text, line) };
}

/** `❯` or `>` before a prompt, `⏺` or `●` before an answer or a tool call, `⎿` before its output. */
function inTerminal(state: MarkdownState, text: string, trimmed: string, line: number): Reading | undefined {
  const sign = [...trimmed.slice(0, 2)][0];
  const rest = trimmed.slice(1).trim();
  if (sign === '❯' || (state.terminal && sign === '>')) {
    const next: MarkdownState = { ...silent(state), terminal: true, role: 'user', output: false };
    return { state: next, items: rest.startsWith('/') ? [] : said('user', rest, line) };
  }
  if (sign === '⏺' || (state.terminal && sign === '●')) {
    const output = TOOL_CALL.test(rest);
    const next: MarkdownState = { ...state, terminal: true, role: 'assistant', output };
    if (output) return { state: silent(next), items: state.spoke ? [happened('work', line)] : [] };
    return spoken(next, said('assistant', rest, line));
  }
  if (!state.terminal) return undefined;
  if (sign === '⎿')
    return { state: { ...state, output: true }, items: INTERRUPTED.test(rest) ? [happened('interrupted', line)] : [] };
  if (COMPACTED.test(trimmed)) return { state, items: [happened('compaction', line)] };
  if (BOX_OR_NOTE.test(trimmed) || (state.output && /^ {4}/.test(text))) return { state, items: [] };
  return spoken({ ...state, output: false }, said(state.role ?? 'assistant', trimmed, line));
}

const spoken = (state: MarkdownState, items: Turn[]): Reading => ({
  state: items.some(({ role }) => role === 'assistant') ? { ...state, spoke: true } : state,
  items,
});

function silent(state: MarkdownState): MarkdownState {
  const { spoke: _, ...others } = state;
  return others;
}

const happened = (event: 'work' | 'interrupted' | 'compaction', line: number): TraceItem => ({
  kind: 'event',
  event,
  line,
  time: undefined,
});

function said(role: Turn['role'], text: string, line: number): Turn[] {
  const own = text.trim();
  if (!SAYS_SOMETHING().test(own) || /^<!--.*-->$/.test(own)) return [];
  return [{ kind: 'turn', role, text: own, line, time: undefined, message: undefined }];
}
