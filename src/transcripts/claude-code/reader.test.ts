import { describe, expect, it } from 'vitest';
import type { ReaderOptions, TraceHead, TraceItem } from '../../model/trace.ts';
import { claudeCode } from './reader.ts';

const SESSION = '5c1f0e52-7f8e-4f0b-9b51-2d3a6c6e8a01';
const FILE = `/home/dev/.claude/projects/-home-dev-app/${SESSION}.jsonl`;
const TIME = '2026-03-01T10:00:00.000Z';

type Line = { [field: string]: unknown };
type Told = { items: TraceItem[]; heads: TraceHead[]; unreadable: number };

function read(lines: readonly (Line | string)[], file = FILE, options?: ReaderOptions): Told {
  let state = claudeCode.start(file, options);
  const told: Told = { items: [], heads: [], unreadable: 0 };
  for (const [index, line] of lines.entries()) {
    const text = typeof line === 'string' ? line : JSON.stringify(line);
    const result = claudeCode.read(state, { number: index + 1, text });
    state = JSON.parse(JSON.stringify(result.state));
    expect(state).toStrictEqual(result.state);
    told.items.push(...result.items);
    if (result.head) told.heads.push(result.head);
    if (result.unreadable) told.unreadable++;
  }
  return told;
}

const common = { parentUuid: 'p', isSidechain: false, userType: 'external', cwd: '/home/dev/app', sessionId: SESSION };
const user = (content: unknown, more: Line = {}): Line => ({
  ...common,
  version: '2.1.45',
  gitBranch: 'main',
  type: 'user',
  message: { role: 'user', content },
  uuid: 'u',
  timestamp: TIME,
  ...more,
});
const assistant = (content: unknown, more: Line = {}, id = 'msg_1'): Line => ({
  ...common,
  gitBranch: 'main',
  message: { id, type: 'message', role: 'assistant', model: 'claude-opus', content, usage: { input_tokens: 3 } },
  requestId: 'req_1',
  type: 'assistant',
  uuid: 'a',
  timestamp: TIME,
  ...more,
});
const text = (words: string): Line => ({ type: 'text', text: words });
const call = (name: string, input: Line, id = 'toolu_1'): Line => ({ type: 'tool_use', id, name, input });
const result = (content: unknown, id = 'toolu_1', more: Line = {}): Line => ({
  tool_use_id: id,
  type: 'tool_result',
  content,
  ...more,
});
const spoken = ({ items }: Told): [string, string][] =>
  items.flatMap((item): [string, string][] => (item.kind === 'turn' ? [[item.role, item.text]] : []));
const events = ({ items }: Told): TraceItem[] => items.filter((item) => item.kind === 'event');

describe('what was said', () => {
  it('is kept with its line, time and message', () => {
    expect(read([user('Why is the build slow?'), assistant([text('The cache is cold.')])]).items).toEqual([
      {
        kind: 'turn',
        role: 'user',
        text: 'Why is the build slow?',
        line: 1,
        time: Date.parse(TIME),
        message: undefined,
      },
      {
        kind: 'turn',
        role: 'assistant',
        text: 'The cache is cold.',
        line: 2,
        time: Date.parse(TIME),
        message: 'msg_1',
      },
    ]);
  });

  it('is read in the shapes of every version', () => {
    const told = read([
      // 1.0
      { type: 'summary', summary: 'Slow builds', leafUuid: 'x' },
      {
        parentUuid: null,
        isSidechain: false,
        userType: 'external',
        cwd: '/home/dev/app',
        sessionId: SESSION,
        version: '1.0.3',
        type: 'user',
        message: { role: 'user', content: [text('one')] },
        uuid: 'a',
        timestamp: TIME,
      },
      {
        parentUuid: 'a',
        cwd: '/home/dev/app',
        sessionId: SESSION,
        version: '1.0.3',
        type: 'assistant',
        message: { id: 'm1', role: 'assistant', content: [text('two')] },
        costUSD: 0.1,
        durationMs: 3,
      },
      // flat
      { type: 'human', content: 'three' },
      { type: 'assistant', content: 'four' },
      // 2.1.325: the type stands behind the message
      {
        parentUuid: null,
        isSidechain: false,
        promptId: 'q',
        type: 'user',
        message: { role: 'user', content: 'five' },
        uuid: 'b',
        timestamp: TIME,
        promptSource: 'user',
        turnOrigin: 'user',
        sessionId: SESSION,
        version: '2.1.325',
      },
      {
        parentUuid: 'b',
        isSidechain: false,
        message: { id: 'm2', type: 'message', role: 'assistant', content: [text('six')] },
        apiBlockIndex: 0,
        requestRef: 'r',
        type: 'assistant',
        uuid: 'c',
        timestamp: TIME,
        sessionId: SESSION,
        version: '2.1.325',
      },
    ]);
    expect(spoken(told).map(([, words]) => words)).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
  });

  it('is one turn a line, with its blocks in order', () => {
    const told = read([user([text('Look at this'), { type: 'image', source: { data: 'AAAA' } }, text('and fix it')])]);
    expect(spoken(told)).toEqual([['user', 'Look at this\n\nand fix it']]);
  });

  it('is told once where lines of one answer repeat blocks', () => {
    const told = read([
      assistant([text('First.')]),
      assistant([text('First.'), text('Second.')]),
      assistant([call('Read', { file_path: '/home/dev/app/a.ts' })]),
      user([result('x')]),
      assistant([call('Read', { file_path: '/home/dev/app/a.ts' })]),
      assistant([text('First.')], {}, 'msg_2'),
    ]);
    expect(spoken(told).map(([, words]) => words)).toEqual(['First.', 'Second.', 'First.']);
    expect(events(told)).toMatchObject([{ event: 'work' }, { event: 'files' }]);
  });

  it('leaves thinking out unless it is asked for', () => {
    const lines = [
      assistant([{ type: 'thinking', thinking: 'Maybe the cache.', signature: 's' }]),
      assistant([
        { type: 'redacted_thinking', data: 'zzz' },
        { type: 'thinking', thinking: '', signature: 's' },
      ]),
      assistant([{ type: 'thinking', thinking: 'Sure now.' }, text('It is the cache.')]),
    ];
    expect(spoken(read(lines))).toEqual([['assistant', 'It is the cache.']]);
    expect(spoken(read(lines, FILE, { thinking: true })).map(([, words]) => words)).toEqual([
      'Maybe the cache.',
      'Sure now.\n\nIt is the cache.',
    ]);
  });

  it('is without what the client, an editor or Cairn added', () => {
    const told = read([
      user('<system-reminder>\nbe brief\n</system-reminder>\nFix the login'),
      user([text('<ide_opened_file>The user opened a.ts</ide_opened_file>'), text('Rename it')]),
      user('<memory-context>Use tabs</memory-context>'),
      assistant([text('Done.<system-reminder>x</system-reminder>')]),
    ]);
    expect(spoken(told)).toEqual([
      ['user', 'Fix the login'],
      ['user', 'Rename it'],
      ['assistant', 'Done.'],
    ]);
  });

  it.each([
    ['<command-name>/clear</command-name>\n<command-message>clear</command-message><command-args>x</command-args>'],
    ['<command-message>review</command-message>'],
    ['<local-command-stdout>ok</local-command-stdout>'],
    ['<local-command-caveat>Caveat</local-command-caveat>'],
    ['<task-notification><task-id>1</task-id></task-notification>\nRead the output file'],
    ['<task-ended>\n<task-id>1</task-id>\n</task-ended>\nRead the output file'],
    ['Operation stopped by hook: Another session is active'],
    ['<bash-stdout>total 0</bash-stdout><bash-stderr></bash-stderr>'],
    ['Stop hook feedback:\nSave what you learned'],
    ['  Stop hook feedback:\n[node x.mjs]: no'],
    ['Caveat: The messages below were generated by the user while running local commands.'],
    ['   '],
  ])('is nothing in %j', (words) => {
    expect(read([user(words)]).items).toEqual([]);
  });

  it('is not the body of a command in the same line', () => {
    expect(
      read([user([text('<command-message>review</command-message>'), text('Review the code like this: …')])]).items,
    ).toEqual([]);
  });

  it('is what was typed behind the name of a command, also of a plugin', () => {
    const command = (name: string, words: string): Line =>
      user(
        `<command-message>x</command-message>\n<command-name>${name}</command-name>\n<command-args>${words}</command-args>`,
      );
    const told = read([
      command('/plan', 'Move the cache <system-reminder>x</system-reminder>'),
      command('/team:quick', 'Put the footer back'),
      user([text('<command-name>/x</command-name><command-args>Look here</command-args>'), text('Do it like this: …')]),
      command('/model', 'opus'),
      command('/rename', 'Caches'),
      command('/memory:remember', 'how the cache works'),
      command('/x', ' '),
      command('/team:plan-phase', ' 14 '),
      user('<command-name>/x</command-name><command-args>never closed'),
    ]);
    expect(spoken(told)).toEqual([
      ['user', 'Move the cache'],
      ['user', 'Put the footer back'],
      ['user', 'Look here'],
      ['user', '/team:plan-phase 14'],
    ]);
    expect(told.items[0]).not.toHaveProperty('aside');
  });

  it('is not that the user stopped the agent: that happened', () => {
    const told = read([
      user([text('[Request interrupted by user for tool use]')]),
      user([text('[Request interrupted by user]'), text('Go on')]),
    ]);
    expect(told.items).toMatchObject([{ event: 'interrupted' }, { event: 'interrupted' }, { text: 'Go on' }]);
  });

  it.each([
    ['a line that nobody typed', user('Base directory for this skill: /x', { isMeta: true })],
    [
      'the summary after a compaction',
      user('Slow builds', { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
    ],
    ['a side chain', user('Go and look', { isSidechain: true })],
    ['an answer of a side chain', assistant([text('I looked')], { isSidechain: true })],
    ['an error of the API', assistant([text('API Error: 529')], { isApiErrorMessage: true })],
    [
      'an answer that the client made up',
      assistant([text('No response requested.')], {
        message: { id: 'x', model: '<synthetic>', content: [text('No response requested.')] },
      }),
    ],
    ['an answer to a command of our own', assistant([text('Found: JWT')], { attributionPlugin: 'memory' })],
    ['a command of our own', user('/memory:remember how the gateway authenticates')],
    ['a tool result', user([result('a long output')], { toolUseResult: { stdout: 'a long output' } })],
    [
      'a failed tool',
      user([result('Exit code 3', 'toolu_9', { is_error: true })], { toolUseResult: 'Error: Exit code 3' }),
    ],
  ])('is not told by %s', (_, line) => {
    expect(spoken(read([line]))).toEqual([]);
  });
});

describe('lines that are passed over', () => {
  const hook = { hookEvent: 'UserPromptSubmit', content: 'remembered', stdout: 'remembered' };
  it.each([
    { type: 'summary', summary: 'x' },
    { type: 'progress', data: { type: 'agent_progress', message: user('inner') } },
    { ...common, type: 'progress', data: { type: 'hook_progress', command: 'x' }, toolUseID: 't' },
    { ...common, type: 'system', subtype: 'stop_hook_summary', hookInfos: [] },
    { ...common, type: 'system', subtype: 'local_command', content: '<local-command-stdout></local-command-stdout>' },
    { ...common, type: 'system', subtype: 'turn_duration', durationMs: 4 },
    { ...common, type: 'system', subtype: 'api_error', error: {} },
    { ...common, type: 'system', content: 'old' },
    {
      ...common,
      attachment: { type: 'hook_success', ...hook },
      type: 'attachment',
      rendered: [{ content: 'remembered' }],
    },
    { ...common, attachment: { type: 'hook_additional_context', content: ['remembered'] }, type: 'attachment' },
    { ...common, attachment: { type: 'async_hook_response', response: {} }, type: 'attachment' },
    { ...common, attachment: { type: 'file', filename: 'a', content: { type: 'text' } }, type: 'attachment' },
    { ...common, type: 'attachment', attachment: null },
    { type: 'api-request', sessionId: SESSION, params: { model: 'm' } },
    { type: 'api-request-shape', sessionId: SESSION, shape: { system: [text('You are')] } },
    { type: 'api-request-blob', sessionId: SESSION, message: { role: 'user', content: [text('Fix the login')] } },
    { type: 'last-prompt', lastPrompt: 'Fix the login', sessionId: SESSION },
    { type: 'tools-used', tools: ['Read'], sessionId: SESSION },
    { type: 'atis-latch', atis: '', sessionId: SESSION },
    { type: 'cost-state', sessionId: SESSION, totalCostUSD: 1 },
    { type: 'mode', mode: 'normal', sessionId: SESSION },
    { type: 'permission-mode', permissionMode: 'plan', sessionId: SESSION },
    { type: 'file-history-snapshot', messageId: 'm', snapshot: {} },
    { type: 'file-history-delta', messageId: 'm', trackingPath: 'a' },
    { type: 'ai-title', aiTitle: ' ' },
    { type: 'custom-title', customTitle: 3 },
    { type: 'pr-link', prUrl: 'https://host.example/a/b/pull/1' },
    { type: 'worktree-state' },
    { type: 'content-replacement' },
    { type: 'something-new-in-2027', message: { role: 'user', content: 'not speech' } },
  ])('say nothing and change nothing: $type', (line) => {
    const state = claudeCode.start(FILE);
    const told = claudeCode.read(state, { number: 1, text: JSON.stringify(line) });
    expect(told).toMatchObject({ state, items: [], unsaid: true });
    expect(told.head).toBeUndefined();
    expect(told.state).toBe(state);
  });

  it('are results of tools, unless somebody waits for one of them', () => {
    const state = claudeCode.start(FILE);
    const line = { number: 2, text: JSON.stringify(user([result('x', 'toolu_7')])) };
    const told = claudeCode.read(state, line);
    expect([told.unsaid, told.state === state, told.head]).toEqual([true, true, undefined]);
    const asked = claudeCode.read(state, {
      number: 1,
      text: JSON.stringify(assistant([call('AskUserQuestion', { questions: [{ question: 'Which?' }] }, 'toolu_7')])),
    }).state;
    expect(claudeCode.read(asked, line).unsaid).toBeUndefined();
  });

  it('are never those that somebody said', () => {
    const state = claudeCode.start(FILE);
    for (const line of [
      user('hello'),
      user([text('hello')]),
      user([result('x'), text('and this')]),
      assistant([text('hello')]),
      { ...common, type: 'system', subtype: 'compact_boundary' },
      { type: 'queue-operation', operation: 'enqueue', content: 'hello' },
      { ...common, type: 'attachment', attachment: { type: 'queued_command', prompt: 'hello' } },
    ])
      expect(claudeCode.read(state, { number: 1, text: JSON.stringify(line) }).unsaid).toBeUndefined();
  });
});

describe('lines that cannot be read', () => {
  it.each([
    '{"type":"user","message":{"role":"us',
    'not JSON',
    '[1]',
    '"x"',
    '12',
    'null',
    '{"type":"progress"',
    '{}{}',
  ])('are counted and hurt nobody: %s', (line) => {
    const told = read([user('before'), line, user('after')]);
    expect(told.unreadable).toBe(1);
    expect(spoken(told)).toHaveLength(2);
  });

  it('are not empty ones', () => {
    expect(read(['', '  ', '\t']).unreadable).toBe(0);
  });

  it('are those that are too long to be speech', () => {
    const told = read([user('x'.repeat(17 * 1024 * 1024))]);
    expect([told.unreadable, told.items]).toEqual([1, []]);
  });
});
