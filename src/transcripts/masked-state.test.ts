// What a reader carries from line to line is stored with the rows, so no secret and no private passage may be in it.

import { expect, it } from 'vitest';
import type { TraceItem, TranscriptReader } from '../model/trace.ts';
import { claudeCode } from './claude-code/reader.ts';
import { codex } from './codex/reader.ts';

// Put together at run time, so that no scanner takes this file for a leak.
const TOKEN = `ghp_${'a1B2c3D4'.repeat(5)}`;
const PASSWORD = ['hunter2', 'secret1'].join('');
const SECRET = `${TOKEN} password=${PASSWORD} <private>kumquat</private>`;

function readAll(reader: TranscriptReader<never>, lines: readonly object[]): { states: string; items: TraceItem[] } {
  const any = reader as unknown as TranscriptReader<unknown>;
  let state = any.start('/p/5c1f0e52-7f8e-4f0b-9b51-2d3a6c6e8a01.jsonl');
  const states: string[] = [];
  const items: TraceItem[] = [];
  for (const [at, line] of lines.entries()) {
    const read = any.read(state, { number: at + 1, text: JSON.stringify(line) });
    state = read.state;
    states.push(JSON.stringify(state));
    items.push(...read.items);
  }
  return { states: states.join('\n'), items };
}

function expectMasked(states: string): void {
  for (const secret of [TOKEN.slice(0, 12), PASSWORD, 'kumquat']) expect(states).not.toContain(secret);
  expect(states).toContain('[redacted:github-token:');
}

const user = (content: unknown, more: object = {}): object => ({
  type: 'user',
  message: { role: 'user', content },
  ...more,
});
const call = (id: string, name: string, input: object): object => ({
  type: 'assistant',
  message: { id: `m-${id}`, role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
});
const queued = (operation: string, content?: string): object => ({ type: 'queue-operation', operation, content });

it('is masked for Claude Code: commands, commits, questions, tasks, what waits in the queue', () => {
  const { states, items } = readAll(claudeCode as never, [
    call('b', 'Bash', { command: `curl -H "x: ${SECRET}"; git commit -m "Use ${SECRET}"` }),
    call('c', 'Bash', { command: `git commit -m "Use ${SECRET}"` }),
    call('q', 'AskUserQuestion', { questions: [{ question: `Use ${SECRET}?` }] }),
    user([
      { type: 'tool_result', tool_use_id: 'q', content: `User has answered: "Use ${SECRET}?"="yes". You can now` },
    ]),
    call('t', 'TodoWrite', { todos: [{ content: `Rotate ${SECRET}`, status: 'pending' }] }),
    call('n', 'TaskCreate', { subject: `Revoke ${SECRET}` }),
    user([{ type: 'tool_result', tool_use_id: 'n', content: 'Task #1 created' }]),
    queued('enqueue', `And ${SECRET}`),
    queued('enqueue', `Also ${SECRET}`),
    user(`And ${SECRET}`),
    queued('remove', `Also ${SECRET}`),
    { type: 'attachment', attachment: { type: 'queued_command', prompt: `Also ${SECRET}` } },
    { type: 'summary', summary: `About ${SECRET}`, leafUuid: 'u9' },
    { type: 'custom-title', customTitle: `Rename ${SECRET}` },
    call('p', 'Bash', { command: `gh pr create --title "Use ${SECRET}" --body "Because of ${SECRET}"` }),
    call('r', 'Bash', { command: `git checkout -- 'file ${SECRET}'` }),
    call('f', 'Bash', { command: `deploy ${SECRET}` }),
    user([{ type: 'tool_result', tool_use_id: 'f', is_error: true, content: 'no' }]),
    call('g', 'Bash', { command: `deploy ${SECRET}` }),
    user([{ type: 'tool_result', tool_use_id: 'g', content: 'ok' }]),
    user(`This session is being continued from a previous conversation\n\nSummary:\n${SECRET}`),
  ]);
  expectMasked(states);
  const told = items.map((item) => (item.kind === 'turn' ? item.text.split(' ')[0] : item.event));
  expect(told).toEqual([
    'commit',
    'answer',
    'todo',
    'todo',
    'And',
    'Also',
    'title',
    'failure',
    'success',
    'compaction',
  ]); // each once, as if there were no secret in it
});

it('and so is what is told of commits, pull requests, titles and summaries, wherever it is cut', () => {
  const body = `${'word '.repeat(798)}${SECRET}`;
  const { items } = readAll(claudeCode as never, [
    call('b', 'Bash', { command: `git commit -m "Use it" -m "${body}"` }),
    user([{ type: 'tool_result', tool_use_id: 'b', content: `[main 1a2b3c4] Use ${SECRET}` }]),
    call('p', 'Bash', { command: `gh pr create --title "Use it" --body "${body}"` }),
    user([{ type: 'tool_result', tool_use_id: 'p', content: 'ok' }]),
    call('l', 'ExitPlanMode', { plan: 'Plan' }),
    user([
      { type: 'tool_result', tool_use_id: 'l', content: `The user doesn't want to proceed; the user said: ${SECRET}` },
    ]),
    { type: 'ai-title', aiTitle: `Use ${SECRET}` },
    user(`This session is being continued from a previous conversation\n\n${'word '.repeat(7_998)}${SECRET}`),
  ]);
  const events = items.filter((item) => item.kind === 'event');
  expect(events.map(({ event }) => event)).toEqual([
    'commit',
    'committed',
    'pull-request',
    'plan',
    'plan-verdict',
    'title',
    'compaction',
  ]);
  for (const secret of [TOKEN.slice(0, 6), PASSWORD, 'kumquat']) expect(JSON.stringify(events)).not.toContain(secret);
});

it('is masked before it is cut: half a secret looks like nothing', () => {
  const before = 'echo '.repeat(30);
  const { states, items } = readAll(claudeCode as never, [
    call('b', 'Bash', { command: `${before}${TOKEN}` }),
    user([{ type: 'tool_result', tool_use_id: 'b', is_error: true, content: `${'no '.repeat(90)}${TOKEN}` }]),
  ]);
  expect(items).toMatchObject([{ event: 'failure' }]);
  for (const text of [states, JSON.stringify(items)]) expect(text).not.toContain(TOKEN.slice(0, 6));
});

it('is masked for Codex: commits, questions, the plan', () => {
  const made = (name: string, input: object, id = name): object => ({
    type: 'response_item',
    payload: { type: 'function_call', name, call_id: id, arguments: JSON.stringify(input) },
  });
  const { states } = readAll(codex as never, [
    made('shell', { command: ['bash', '-lc', `git commit -m "Use ${SECRET}"`] }),
    made('update_plan', { plan: [{ step: `Rotate ${SECRET}`, status: 'pending' }] }),
    made('request_user_input', { questions: [{ id: 'a', question: `Use ${SECRET}?` }] }),
  ]);
  expectMasked(states);
});
