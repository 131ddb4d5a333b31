import { describe, expect, it } from 'vitest';
import type { TraceItem } from '../../model/trace.ts';
import { claudeCode } from './reader.ts';

const SESSION = '5c1f0e52-7f8e-4f0b-9b51-2d3a6c6e8a01';
const TIME = '2026-03-01T10:00:00.000Z';

type Line = { [field: string]: unknown };
type Told = { items: TraceItem[] };

function read(lines: readonly Line[]): Told {
  let state = claudeCode.start(`/p/${SESSION}.jsonl`);
  const items: TraceItem[] = [];
  for (const [index, line] of lines.entries()) {
    const text = JSON.stringify(line);
    const result = claudeCode.read(state, { number: index + 1, text });
    state = JSON.parse(JSON.stringify(result.state));
    items.push(...result.items);
  }
  return { items };
}

const common = { parentUuid: 'p', isSidechain: false, cwd: '/home/dev/app', sessionId: SESSION };
const user = (content: unknown, more: Line = {}): Line => ({
  ...common,
  type: 'user',
  message: { role: 'user', content },
  timestamp: TIME,
  ...more,
});
const assistant = (content: unknown): Line => ({
  ...common,
  type: 'assistant',
  message: { id: 'm', content },
  timestamp: TIME,
});
const text = (words: string): Line => ({ type: 'text', text: words });
const call = (name: string, input: Line): Line => ({ type: 'tool_use', id: 'toolu_1', name, input });
const result = (content: unknown, id = 'toolu_1', more: Line = {}): Line => ({
  tool_use_id: id,
  type: 'tool_result',
  content,
  ...more,
});
const spoken = ({ items }: Told): [string, string][] =>
  items.flatMap((item): [string, string][] => (item.kind === 'turn' ? [[item.role, item.text]] : []));

describe('words beside the prompts', () => {
  const queue = (operation: string, more: Line = {}): Line => ({
    type: 'queue-operation',
    operation,
    timestamp: TIME,
    sessionId: SESSION,
    ...more,
  });
  const attached = (prompt: unknown, more: Line = {}): Line => ({
    ...common,
    type: 'attachment',
    timestamp: TIME,
    attachment: { type: 'queued_command', prompt, commandMode: 'prompt', ...more },
  });

  it('are kept when they went into the running turn, with the line that holds them', () => {
    const told = read([queue('enqueue', { content: 'and commit it' }), assistant([text('Working')]), queue('remove')]);
    expect(told.items.at(-1)).toEqual({
      kind: 'turn',
      role: 'user',
      text: 'and commit it',
      line: 1,
      time: Date.parse(TIME),
      message: undefined,
      aside: true,
    });
  });

  it('are told once when they become a prompt of their own', () => {
    const told = read([queue('enqueue', { content: 'and commit it' }), queue('dequeue'), user('and commit it')]);
    expect(told.items).toEqual([expect.objectContaining({ text: 'and commit it', line: 3 })]);
    expect(told.items[0]).not.toHaveProperty('aside');
  });

  it.each([
    [
      [
        queue('enqueue', { content: 'first' }),
        queue('remove', { content: 'first', reason: 'absorbed_mid_turn' }),
        attached('first'),
      ],
    ],
    [[queue('enqueue', { content: 'first' }), attached('first'), queue('remove', { content: 'first' })]],
    [[attached([text('first'), { type: 'image' }])]],
    [[attached('first', { origin: { kind: 'human' } })]],
  ])('are told once however newer versions note them (%#)', (lines) => {
    expect(spoken(read(lines))).toEqual([['user', 'first']]);
  });

  it('are taken out before the notes of the client that wait longer', () => {
    const told = read([
      queue('enqueue', { content: '<task-notification>x</task-notification>' }),
      queue('enqueue', { content: 'and commit it' }),
      queue('remove'),
      assistant([text('Yes.')]),
    ]);
    expect(spoken(told)).toEqual([
      ['user', 'and commit it'],
      ['assistant', 'Yes.'],
    ]);
  });

  it('wait on while the client clears away its own tasks at the end of a turn', () => {
    const task = queue('enqueue', { content: '{"task_id":"a1"}' });
    const told = read([
      task,
      queue('enqueue', { content: 'and commit it' }),
      task,
      assistant([text('Done.')]),
      queue('remove'),
      queue('remove'),
      queue('dequeue'),
      user('and commit it'),
      queue('remove'),
    ]);
    expect(spoken(told)).toEqual([
      ['assistant', 'Done.'],
      ['user', 'and commit it'],
    ]);
  });

  it('are found in the order in which they wait', () => {
    const told = read([
      queue('enqueue', { content: '/model' }),
      queue('enqueue', { content: 'one' }),
      queue('enqueue'),
      queue('enqueue', { content: 'two' }),
      queue('remove'),
      queue('remove'),
      queue('remove'),
      queue('remove'),
      queue('remove'),
    ]);
    expect(spoken(told)).toEqual([
      ['user', 'one'],
      ['user', 'two'],
    ]);
  });

  it.each([
    ['a task of the client', [queue('enqueue', { content: '{"task_id":"a1","description":"x"}' }), queue('remove')]],
    ['a command', [queue('enqueue', { content: '/clear' }), queue('remove')]],
    ['a notification', [queue('enqueue', { content: '<task-notification>x</task-notification>' }), queue('remove')]],
    ['what was taken back', [queue('enqueue', { content: 'never mind' }), queue('popAll'), queue('remove')]],
    ['what was cancelled', [queue('enqueue', { content: 'never mind' }), queue('remove', { reason: 'cancelled' })]],
    ['what still waits', [queue('enqueue', { content: 'later' })]],
    [
      'an attached notification',
      [attached('<task-notification>x</task-notification>', { commandMode: 'task-notification' })],
    ],
    ['another agent', [attached('hello', { origin: { kind: 'peer' } })]],
    ['a meta attachment', [{ ...attached('hello'), isMeta: true }]],
    ['the attachment of a side chain', [{ ...attached('hello'), isSidechain: true }]],
  ])('are not %s', (_, lines) => {
    expect(read(lines).items).toEqual([]);
  });

  it('are what the user said when refusing a tool', () => {
    const refused =
      "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n";
    const told = read([
      assistant([call('Edit', { file_path: '/home/dev/app/a.ts' })]),
      user([result(`${refused}Use the new client instead`, 'toolu_1', { is_error: true })], {
        toolUseResult: 'Error: rejected',
      }),
      user([
        result("The user doesn't want to proceed with this tool use. STOP what you are doing.", 'toolu_2', {
          is_error: true,
        }),
      ]),
      user([result(`${refused}The user wants to clarify these questions.`, 'toolu_3', { is_error: true })]),
    ]);
    expect(told.items.filter((item) => item.kind === 'turn')).toEqual([
      {
        kind: 'turn',
        role: 'user',
        text: 'Use the new client instead',
        line: 2,
        time: Date.parse(TIME),
        message: undefined,
        aside: true,
      },
    ]);
  });
});
