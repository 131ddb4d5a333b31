// What every reader keeps to, tried with lines that look almost right, lines that are hostile, and lines that are noise.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TraceEvent, TraceItem, TranscriptReader } from '../model/trace.ts';
import { READERS, readerFor, readerNamed } from './readers.ts';

const FILES = [
  '/p/5c1f0e52-7f8e-4f0b-9b51-2d3a6c6e8a01.jsonl',
  '/p/s1/subagents/agent-a1.jsonl',
  '/p/rollout-2026-01-02T03-04-05-5c1f0e52-7f8e-4f0b-9b51-2d3a6c6e8a01.jsonl',
  '/p/talk.md',
  '',
];

const any = fc.jsonValue({ maxDepth: 2 });
const words = fc.constantFrom(
  'Fix the login',
  '<system-reminder>x</system-reminder>',
  '<command-name>/x</command-name>',
  '<command-name>/x</command-name><command-args>do it</command-args>',
  'User has approved your plan.',
  '[main 1a2b3c4] Fix it\nhttps://host.example/a/b/pull/7',
  'Operation stopped by hook: no',
  "The user doesn't want to do it; the user said: no",
  'User has answered: "Which?"="A"',
  '[Request interrupted by user]',
  'This session is being continued from a previous conversation',
  '<bash-input>git commit -m "x"</bash-input>',
  '',
  ' ',
);
const id = fc.constantFrom('t1', 't2', '__proto__', '');
const SCRIPTS = [
  'git commit -m "x"',
  "git commit -F - <<'E'\ny\n\nbody\nE",
  'git commit -m "$x"',
  'gh pr create --title x --body y',
  'git checkout -- a.ts',
  'ls',
  'ls | tail',
];
const input = fc.record(
  {
    file_path: fc.oneof(fc.constantFrom('/p/a.ts', 'b.ts'), any),
    command: fc.oneof(fc.constantFrom(...SCRIPTS), any),
    questions: fc.oneof(fc.array(fc.record({ question: fc.oneof(words, any), id })), any),
    plan: fc.oneof(words, fc.array(fc.record({ step: words, status: words })), any),
    subject: fc.oneof(words, any),
    title: fc.oneof(words, any),
    body: fc.oneof(words, any),
    taskId: fc.oneof(id, any),
    status: fc.oneof(fc.constantFrom('completed', 'pending'), any),
    todos: fc.oneof(fc.array(fc.record({ content: fc.oneof(words, any), status: fc.oneof(words, any) })), any),
  },
  { requiredKeys: [] },
);
const block = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      {
        type: fc.oneof(
          fc.constantFrom('text', 'tool_use', 'tool_result', 'thinking', 'input_text', 'output_text'),
          any,
        ),
        text: fc.oneof(words, any),
        thinking: fc.oneof(words, any),
        id,
        name: fc.constantFrom(
          'Read',
          'Write',
          'Bash',
          'AskUserQuestion',
          'ExitPlanMode',
          'TodoWrite',
          'TaskCreate',
          'TaskUpdate',
          'Grep',
          'mcp__x__create_pull_request',
        ),
        input: fc.oneof(input, any),
        tool_use_id: fc.oneof(id, any),
        content: fc.oneof(words, any),
        is_error: fc.constantFrom(true, false),
      },
      { requiredKeys: ['type'] },
    ),
  },
  { weight: 1, arbitrary: any },
);
const content = fc.oneof(words, fc.array(block, { maxLength: 4 }), any);
const flag = fc.constantFrom(true, false, 1, null);
const claudeLine = fc.record(
  {
    isSidechain: flag,
    sessionId: fc.oneof(id, any),
    cwd: fc.oneof(fc.constant('/p'), any),
    gitBranch: fc.oneof(fc.constant('main'), any),
    type: fc.oneof(
      fc.constantFrom(
        'user',
        'user',
        'assistant',
        'human',
        'system',
        'attachment',
        'queue-operation',
        'progress',
        'api-request',
        'tool_use',
        'summary',
        'ai-title',
        'custom-title',
        'pr-link',
      ),
      any,
    ),
    uuid: fc.oneof(id, any),
    leafUuid: fc.oneof(id, any),
    summary: fc.oneof(words, any),
    aiTitle: fc.oneof(words, any),
    customTitle: fc.oneof(words, any),
    prUrl: fc.oneof(fc.constant('https://host.example/a/b/pull/7'), any),
    subtype: fc.oneof(fc.constantFrom('compact_boundary', 'turn_duration'), any),
    message: fc.oneof(fc.record({ id, model: words, content }, { requiredKeys: [] }), any),
    content,
    isMeta: flag,
    isCompactSummary: flag,
    timestamp: fc.oneof(fc.constant('2026-01-02T03:04:05Z'), any),
    toolUseResult: fc.oneof(
      fc.record({
        answers: fc.oneof(fc.dictionary(words, fc.oneof(words, any)), any),
        annotations: any,
        plan: any,
        task: fc.oneof(fc.record({ id }), any),
      }),
      any,
    ),
    operation: fc.constantFrom('enqueue', 'dequeue', 'remove', 'popAll'),
    reason: fc.oneof(words, any),
    attachment: fc.oneof(
      fc.record(
        { type: fc.constantFrom('queued_command', 'file'), prompt: content, commandMode: words, origin: any },
        { requiredKeys: ['type'] },
      ),
      any,
    ),
  },
  { requiredKeys: [] },
);
const codexLine = fc.record(
  {
    timestamp: any,
    type: fc.oneof(
      fc.constantFrom('response_item', 'event_msg', 'session_meta', 'turn_context', 'compacted', 'message'),
      any,
    ),
    payload: fc.oneof(
      fc.record(
        {
          type: fc.constantFrom(
            'message',
            'reasoning',
            'function_call',
            'function_call_output',
            'custom_tool_call',
            'local_shell_call',
            'thread_name_updated',
            'turn_aborted',
          ),
          role: fc.constantFrom('user', 'assistant', 'developer'),
          content,
          summary: content,
          id: fc.oneof(id, any),
          call_id: fc.oneof(id, any),
          name: fc.constantFrom('shell', 'apply_patch', 'update_plan', 'request_user_input'),
          arguments: fc.oneof(
            input.map((value) => JSON.stringify(value)),
            any,
          ),
          input: fc.oneof(fc.constant('*** Begin Patch\n*** Update File: a.ts\n*** End Patch'), any),
          action: fc.oneof(fc.record({ command: fc.oneof(fc.array(words), any) }), any),
          output: fc.oneof(
            fc.constantFrom(
              '{"answers":{"t1":{"answers":["A"]}}}',
              '{"output":"[main 1a2b3c4] x","metadata":{"exit_code":0}}',
            ),
            words,
            any,
          ),
          thread_name: fc.oneof(words, any),
          message: fc.oneof(words, any),
          reason: fc.oneof(fc.constant('interrupted'), any),
          source: any,
          git: any,
        },
        { requiredKeys: [] },
      ),
      any,
    ),
    id: any,
  },
  { requiredKeys: [] },
);

/** Calls and results as they are meant to be, so that what needs both of them is told too. */
const callId = fc.constantFrom('t1', 't2');
const output = fc.oneof(words, fc.constantFrom('ok', '[main 1a2b3c4] Fix it\nhttps://host.example/a/b/pull/7'));
const claudeCall = fc.oneof(
  fc.constantFrom(...SCRIPTS).map((command) => ({ name: 'Bash', input: { command } })),
  fc.constantFrom(
    { name: 'ExitPlanMode', input: { plan: 'Plan' } },
    { name: 'ExitPlanMode', input: {} },
    { name: 'AskUserQuestion', input: { questions: [{ question: 'Which?' }] } },
    { name: 'WebFetch', input: { url: 'https://zebra.example' } },
    { name: 'TaskCreate', input: { subject: 'Fix it' } },
    { name: 'mcp__x__create_pull_request', input: { title: 'Fix it', body: 'Because' } },
  ),
);
const claudeStep = fc.oneof(
  fc
    .tuple(callId, claudeCall)
    .map(([id, call]) => ({ type: 'assistant', message: { content: [{ type: 'tool_use', id, ...call }] } })),
  fc.tuple(callId, output, fc.boolean()).map(([id, content, failed]) => ({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: id, content, is_error: failed }] },
    toolUseResult: { answers: { 'Which?': 'A' }, plan: 'Plan' },
  })),
  words.map((text) => ({ type: 'assistant', uuid: 't1', message: { content: [{ type: 'text', text }] } })),
  words.map((content) => ({ type: 'user', uuid: 't2', message: { content } })),
  fc.constantFrom(
    { type: 'pr-link', prUrl: 'https://host.example/a/b/pull/7' },
    { type: 'system', subtype: 'compact_boundary' },
    { type: 'summary', summary: 'Caches', leafUuid: 't1' },
    { type: 'queue-operation', operation: 'enqueue', content: '{"task_id":"x"}' },
    { type: 'queue-operation', operation: 'enqueue', content: 'Fix it' },
    { type: 'queue-operation', operation: 'remove' },
  ),
);
const codexStep = fc.oneof(
  fc.tuple(callId, fc.constantFrom(...SCRIPTS)).map(([call_id, cmd]) => ({
    type: 'response_item',
    payload: { type: 'function_call', name: 'exec_command', call_id, arguments: JSON.stringify({ cmd }) },
  })),
  fc.tuple(callId, output).map(([call_id, printed]) => ({
    type: 'response_item',
    payload: { type: 'function_call_output', call_id, output: printed },
  })),
  fc.tuple(fc.constantFrom('user', 'assistant'), words).map(([role, content]) => ({
    type: 'response_item',
    payload: { type: 'message', role, content },
  })),
);

const step = fc.oneof(claudeStep, codexStep).map((value) => JSON.stringify(value));

/** Writes JSON as no program does: letters as escapes, blanks, a field twice. */
const strangely = fc
  .tuple(fc.oneof(claudeLine, codexLine), fc.nat(30), fc.boolean(), fc.boolean())
  .map(([line, nth, blanks, twice]) => {
    let text = JSON.stringify(line, null, blanks ? 1 : undefined).replaceAll('\n', ' ');
    if (twice)
      text = text.replace(/\}\s*$/, `${text.length > 4 ? ',' : ''}"type":"user","message":{"content":"again"}}`);
    let count = 0;
    return text.replace(/[a-z]/g, (letter) => (++count === nth ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter));
  });
const markdownLine = fc.constantFrom(
  '**User:** hi',
  '## Assistant',
  '```ts',
  '```',
  '> quoted',
  '❯ do it',
  '⏺ Bash(ls)',
  '  ⎿ out',
  '  ⎿ Interrupted by user',
  '✻ Conversation compacted',
  '[Request interrupted by user]',
  '     more',
  '● Done',
  '---',
  'Claude Code v2.0',
  'me: hm',
);
const line = fc.oneof(
  { weight: 6, arbitrary: claudeLine.map((value) => JSON.stringify(value)) },
  { weight: 3, arbitrary: codexLine.map((value) => JSON.stringify(value)) },
  { weight: 3, arbitrary: step },
  { weight: 3, arbitrary: strangely },
  { weight: 2, arbitrary: markdownLine },
  { weight: 1, arbitrary: any.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);

/** All that an event says must say something. */
function textsOf({ kind: _, line, time, ...event }: TraceEvent): string[] {
  return Object.values(event).flatMap((value) =>
    typeof value === 'boolean' ? [] : Array.isArray(value) ? (value as string[]) : [value as string],
  );
}

function expectWellFormed(item: TraceItem, before: number): void {
  expect(Number.isInteger(item.line) && item.line >= 1 && item.line <= before).toBe(true);
  expect(item.time === undefined || Number.isFinite(item.time)).toBe(true);
  const texts = item.kind === 'turn' ? [item.text] : textsOf(item);
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) expect(typeof text === 'string' && text.trim() !== '').toBe(true);
  if (item.kind === 'turn') {
    expect(['user', 'assistant']).toContain(item.role);
    expect(item.text).toBe(item.text.trim());
    expect(['string', 'undefined']).toContain(typeof item.message);
  }
}

type Out = ReturnType<TranscriptReader['read']>;

describe.each(READERS.map((reader) => [reader.name, reader] as const))('the reader %s', (_, reader) => {
  const lines = fc.oneof(
    { weight: 2, arbitrary: fc.array(line, { maxLength: 12 }) },
    { weight: 1, arbitrary: fc.array(step, { minLength: 10, maxLength: 30 }) },
  );
  const cases = fc.tuple(fc.constantFrom(...FILES), fc.boolean(), lines);

  it('reads any lines without throwing, tells well-formed items and keeps its state as plain JSON', () => {
    fc.assert(
      fc.property(cases, ([file, thinking, lines]) => {
        let state = reader.start(file, { thinking });
        for (const [index, text] of lines.entries()) {
          const out: Out = reader.read(state, { number: index + 1, text });
          expect(JSON.parse(JSON.stringify(out.state))).toStrictEqual(out.state);
          for (const item of out.items) expectWellFormed(item, index + 1);
          expect(out.items.filter((item) => item.kind === 'turn').length).toBeLessThanOrEqual(1);
          if (out.head) expect(out.head.session).toBeTypeOf('string');
          if (out.unreadable) expect(out).toEqual({ state, items: [], unreadable: true });
          state = out.state;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('calls unsaid only what tells nothing and changes nothing', () => {
    fc.assert(
      fc.property(cases, ([file, thinking, lines]) => {
        let state = reader.start(file, { thinking });
        for (const [index, text] of lines.entries()) {
          const out: Out = reader.read(state, { number: index + 1, text });
          if (out.unsaid) expect([out.items, out.head, out.state === state]).toEqual([[], undefined, true]);
          state = out.state;
        }
      }),
      { numRuns: 800 },
    );
  });

  it('tells the same whether its state was kept or written down between lines', () => {
    fc.assert(
      fc.property(cases, ([file, thinking, lines]) => {
        const read = (carry: (state: unknown) => unknown): unknown[] => {
          let state = reader.start(file, { thinking });
          return lines.map((text, index) => {
            const { state: next, ...told } = reader.read(state, { number: index + 1, text });
            state = carry(next);
            return told;
          });
        };
        expect(read((state) => JSON.parse(JSON.stringify(state)))).toEqual(read((state) => state));
      }),
      { numRuns: 300 },
    );
  });

  it('says whether a file is its own for any name and any first lines', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...FILES), fc.string()), fc.array(line, { maxLength: 4 }), (file, lines) => {
        expect(reader.recognises(file, lines)).toBeTypeOf('boolean');
      }),
    );
  });

  it('is found by its name', () => {
    expect(readerNamed(reader.name)).toBe(reader);
  });
});

describe('the readers', () => {
  it("are asked one after the other, and a file that is nobody's has none", () => {
    expect(readerFor('/p/notes.csv', ['a,b'])).toBeUndefined();
    expect(readerNamed('nobody')).toBeUndefined();
  });

  it('read hostile lines in a moment', () => {
    const hostile = [
      `user${' '.repeat(200_000)}x`,
      `**user${'('.repeat(200_000)}`,
      '`'.repeat(200_000),
      '*'.repeat(200_000),
      `{"type":"user","message":{"content":${JSON.stringify('<system-reminder>'.repeat(50_000))}}}`,
      `{"type":"user","message":{"content":${JSON.stringify('<bash-input>'.repeat(50_000))}}}`,
      `{"type":"user","message":${'['.repeat(100_000)}`,
      `{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":${JSON.stringify(`git commit ${'$(cat <<'.repeat(50_000)}`)}}}]}}`,
      `{"type":"progress","x":"${'\\'.repeat(400_000)}"}`,
    ];
    for (const reader of READERS)
      for (const text of hostile) {
        const state = reader.start('/p/x.jsonl');
        reader.read(state, { number: 1, text });
        reader.recognises('/p/x.jsonl', [text]);
      }
  });
});
