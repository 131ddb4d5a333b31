import { describe, expect, it } from 'vitest';
import type { ReaderOptions, TraceHead, TraceItem } from '../../model/trace.ts';
import { readerFor } from '../readers.ts';
import { codex } from './reader.ts';

const ID = '0199f3a4-11aa-7bcd-8eef-0123456789ab';
const FILE = `/home/dev/.codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-${ID}.jsonl`;
const TIME = '2026-03-01T10:00:00.000Z';

type Line = { [field: string]: unknown };
const line = (type: string, payload: Line): Line => ({ timestamp: TIME, type, payload });
const item = (payload: Line): Line => line('response_item', payload);
const meta = (more: Line = {}): Line =>
  line('session_meta', {
    id: ID,
    timestamp: TIME,
    cwd: '/home/dev/app',
    originator: 'codex_cli_rs',
    git: { branch: 'main' },
    ...more,
  });
const said = (role: string, ...texts: string[]): Line =>
  item({
    type: 'message',
    role,
    content: texts.map((text) => ({ type: role === 'user' ? 'input_text' : 'output_text', text })),
  });
const call = (name: string, input: unknown, id = 'call_1'): Line =>
  item({ type: 'function_call', name, arguments: JSON.stringify(input), call_id: id });

function read(lines: readonly Line[], options?: ReaderOptions): { items: TraceItem[]; heads: TraceHead[] } {
  let state = codex.start(FILE, options);
  const told: { items: TraceItem[]; heads: TraceHead[] } = { items: [], heads: [] };
  for (const [index, each] of lines.entries()) {
    const text = JSON.stringify(each);
    const result = codex.read(state, { number: index + 1, text });
    state = JSON.parse(JSON.stringify(result.state));
    told.items.push(...result.items);
    if (result.head) told.heads.push(result.head);
  }
  return told;
}
const bare = (lines: readonly Line[]): unknown[] => read(lines).items.map(({ kind, time, ...rest }) => rest);

describe('a rollout of Codex', () => {
  it('is known by its name or by its first line', () => {
    expect(readerFor(FILE, [])).toBe(codex);
    expect(readerFor('/p/x.jsonl', [JSON.stringify(meta())])).toBe(codex);
    expect(readerFor('/p/x.jsonl', ['{"type":"user","message":{"content":"\\"type\\":\\"session_meta\\""}}'])).not.toBe(
      codex,
    );
  });

  it('has its head in the session line, and a fork keeps its own', () => {
    expect(read([meta(), meta({ id: 'parent' }), said('user', 'hi')]).heads).toEqual([
      { session: ID, cwd: '/home/dev/app', branch: 'main' },
    ]);
  });

  it('has the head of its name where there is no session line', () => {
    expect(read([said('user', 'hi')]).heads).toEqual([{ session: ID, cwd: undefined, branch: undefined }]);
  });

  it('belongs to the session that started it', () => {
    const source = { subagent: { thread_spawn: { parent_thread_id: 'parent', depth: 1 } } };
    const told = read([meta({ source }), said('user', 'Look for the cache')]);
    expect(told.heads).toEqual([{ session: 'parent', agent: ID, cwd: '/home/dev/app', branch: 'main' }]);
    expect(told.items).toMatchObject([{ role: 'assistant', text: 'Look for the cache' }]);
  });

  it('tells what was said once, without what the client put there', () => {
    const told = read([
      meta(),
      said('developer', 'Be careful'),
      said('user', '<environment_context>\n<cwd>/x</cwd>\n</environment_context>'),
      said('user', '# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>', '<environment_context></environment_context>'),
      said('user', 'Fix the login'),
      line('event_msg', { type: 'user_message', message: 'Fix the login' }),
      line('turn_context', { cwd: '/home/dev/app' }),
      item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Maybe the cookie.' }] }),
      said('assistant', 'It is the cookie.'),
      line('event_msg', { type: 'agent_message', message: 'It is the cookie.' }),
    ]);
    expect(told.items).toEqual([
      { kind: 'turn', role: 'user', text: 'Fix the login', line: 5, time: Date.parse(TIME), message: undefined },
      {
        kind: 'turn',
        role: 'assistant',
        text: 'It is the cookie.',
        line: 9,
        time: Date.parse(TIME),
        message: undefined,
      },
    ]);
  });

  it('tells its thinking where that is asked for', () => {
    const lines = [
      meta(),
      item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Maybe the cookie.' }], content: null }),
    ];
    expect(read(lines).items).toEqual([]);
    expect(read(lines, { thinking: true }).items).toMatchObject([{ role: 'assistant', text: 'Maybe the cookie.' }]);
  });

  it('reads the lines of older versions', () => {
    const told = read([
      { id: ID, timestamp: TIME, instructions: null, git: { branch: 'dev' } },
      { record_type: 'state' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix the login' }] },
    ]);
    expect(told.heads).toEqual([{ session: ID, cwd: undefined, branch: 'dev' }]);
    expect(told.items).toMatchObject([{ text: 'Fix the login', line: 3 }]);
  });

  it('tells commits, patches and compactions', () => {
    const patch = '*** Begin Patch\n*** Update File: /home/dev/app/src/a.ts\n*** Add File: b.ts\n*** End Patch';
    expect(
      bare([
        meta(),
        call('shell', { command: ['bash', '-lc', 'git add . && git commit -m "Fix the login"'] }),
        call('exec_command', { cmd: "git commit -m 'Second'" }),
        call('shell', { command: ['git', 'commit', '-m', 'Third'] }),
        item({ type: 'local_shell_call', action: { type: 'exec', command: ['zsh', '-c', 'git commit -m Fourth'] } }),
        item({ type: 'custom_tool_call', name: 'apply_patch', input: patch }),
        call('apply_patch', { input: patch }),
        call('shell', { command: ['apply_patch', patch] }),
        call('shell', { command: ['ls'] }),
        line('compacted', { message: 'What was done' }),
      ]),
    ).toEqual([
      { event: 'commit', subject: 'Fix the login', line: 2 },
      { event: 'commit', subject: 'Second', line: 3 },
      { event: 'commit', subject: 'Third', line: 4 },
      { event: 'commit', subject: 'Fourth', line: 5 },
      { event: 'files', files: ['src/a.ts', 'b.ts'], wrote: true, line: 6 },
      { event: 'files', files: ['src/a.ts', 'b.ts'], wrote: true, line: 7 },
      { event: 'files', files: ['src/a.ts', 'b.ts'], wrote: true, line: 8 },
      { event: 'compaction', summary: 'What was done', line: 10 },
    ]);
  });

  it('tells what became of a command: commits, pull requests, what was taken back', () => {
    const output = (id: string, text: unknown): Line =>
      item({ type: 'function_call_output', call_id: id, output: text });
    const done = (text: string, code = 0): string => JSON.stringify({ output: text, metadata: { exit_code: code } });
    expect(
      bare([
        meta(),
        call('shell', { command: ['bash', '-lc', 'git commit -m "Fix it" -m "Because."'] }, 'c1'),
        output('c1', done('[main 1a2b3c4] Fix it\n 1 file changed')),
        call('exec_command', { cmd: 'gh pr create --title "Fix it" --body "Because."' }, 'c2'),
        output('c2', 'Exit code: 0\nOutput:\nhttps://host.example/a/b/pull/7\n'),
        call('shell', { command: ['git', 'checkout', '--', '/home/dev/app/src/a.ts'] }, 'c3'),
        output('c3', done('')),
        call('shell', { command: ['git', 'revert', 'abc1234'] }, 'c4'),
        output('c4', done('error: could not revert', 1)),
        output('c4', done('')),
      ]),
    ).toEqual([
      { event: 'commit', subject: 'Fix it', body: 'Because.', line: 2 },
      { event: 'committed', subject: 'Fix it', hash: '1a2b3c4', line: 3 },
      { event: 'pull-request', title: 'Fix it', body: 'Because.', url: 'https://host.example/a/b/pull/7', line: 5 },
      { event: 'revert', what: 'src/a.ts', line: 7 },
    ]);
  });

  it('tells that work went on after words, that the user stopped it, and how it is called', () => {
    const event = (payload: Line): Line => line('event_msg', payload);
    expect(
      bare([
        meta(),
        said('user', 'Fix it'),
        call('shell', { command: ['ls'] }),
        said('assistant', 'I look.'),
        call('shell', { command: ['ls'] }),
        call('shell', { command: ['ls'] }),
        event({ type: 'turn_aborted', reason: 'interrupted' }),
        event({ type: 'turn_aborted', reason: 'replaced' }),
        said('assistant', 'Done.'),
        said('user', 'Thanks'),
        call('shell', { command: ['ls'] }),
        event({ type: 'thread_name_updated', thread_name: 'The login' }),
        event({ type: 'thread_name_updated', thread_name: 'The login' }),
      ]).filter((each) => (each as Line).event),
    ).toEqual([
      { event: 'work', line: 5 },
      { event: 'interrupted', line: 7 },
      { event: 'title', text: 'The login', by: 'user', line: 12 },
    ]);
  });

  it('tells the plan as it changes, and questions with their answers', () => {
    expect(
      bare([
        meta(),
        call('update_plan', { plan: [{ step: 'Write tests', status: 'in_progress' }] }),
        call('update_plan', { plan: [{ step: 'Write tests', status: 'completed' }] }),
        call('request_user_input', { questions: [{ id: 'db', question: 'Which store?' }] }, 'ask'),
        item({ type: 'function_call_output', call_id: 'other', output: 'x' }),
        item({ type: 'function_call_output', call_id: 'ask', output: '{"answers":{"db":{"answers":["SQLite"]}}}' }),
      ]),
    ).toEqual([
      { event: 'todo', text: 'Write tests', state: 'in_progress', line: 2 },
      { event: 'todo', text: 'Write tests', state: 'completed', line: 3 },
      { event: 'answer', question: 'Which store?', answer: 'SQLite', line: 6 },
    ]);
  });

  it('counts lines that cannot be read', () => {
    expect(codex.read(codex.start(FILE), { number: 1, text: '{"type":"response_item","pay' }).unreadable).toBe(true);
    expect(codex.read(codex.start(FILE), { number: 1, text: '' }).unreadable).toBeUndefined();
  });
});
