import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { large, TempProject } from '../../../test/fixtures/temp-project.ts';
import { readJournal } from '../../capture/journal.ts';
import { loadConfig } from '../../config/load.ts';
import { askGraph, readGraph } from '../../indexing/graph/graph-file.ts';
import type { JsonObject } from '../../model/json.ts';
import { Kinds } from '../../model/kinds.ts';
import { capture } from './capture.ts';
import type { HookAnswer } from './hook.ts';

let project: TempProject;
let problems: unknown[];
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  project = new TempProject();
  problems = [];
  env = { HOME: project.home, CLAUDE_PROJECT_DIR: project.root };
});
afterEach(() => project.remove());

const config = () => loadConfig({ cwd: project.root, env });
function send(payload: JsonObject): Promise<HookAnswer> {
  const context = {
    env,
    now: () => project.now,
    config: config(),
    problem: (cause: unknown) => problems.push(cause),
    start: async () => {},
  };
  return capture({ session_id: 's1', cwd: project.root, hook_event_name: 'PostToolUse', ...payload }, context);
}
const settings = (value: object): void => {
  project.write('.claude/memory/memory-config.json', JSON.stringify(value));
};
const read = (file: string, other: JsonObject = {}) =>
  send({ tool_name: 'Read', tool_input: { file_path: project.path(file) }, ...other });
const todo = (other: JsonObject = {}) =>
  send({ tool_name: 'TodoWrite', tool_input: { todos: [{ content: 'Fix the bug', status: 'pending' }] }, ...other });
const agent = (other: JsonObject = {}) =>
  send({
    tool_name: 'Agent',
    tool_input: { description: 'Look around' },
    tool_response: { status: 'completed', content: [{ type: 'text', text: 'Everything is in one folder.' }] },
    ...other,
  });
const fail = (other: JsonObject = {}) =>
  send({
    hook_event_name: 'PostToolUseFailure',
    tool_name: 'Bash',
    tool_input: { command: 'make' },
    error: 'Exit code 2\nerror: no rule',
    ...other,
  });
const pass = (other: JsonObject = {}) =>
  send({
    tool_name: 'Bash',
    tool_input: { command: 'make' },
    tool_response: { stdout: '', stderr: '', interrupted: false },
    ...other,
  });
const edit = (file: string, tool = 'Edit') =>
  send({
    tool_name: tool,
    tool_input: { file_path: project.path(file), old_string: 'a', new_string: 'b', content: 'b' },
  });

it('does not bring a project back that is gone, such as a worktree that was removed', async () => {
  fs.rmSync(project.root, { recursive: true });
  await todo();
  await agent();
  expect(fs.existsSync(project.root)).toBe(false);
  expect(problems).toEqual([]);
});

describe('capture', () => {
  it('turns the events of a session into notes, silently', async () => {
    project.write('src/auth.ts', large('// Logs people in.\nexport function login() {}'));
    const answers = [
      await read('src/auth.ts'),
      await todo(),
      await send({
        tool_name: 'TaskCreate',
        tool_input: { subject: 'A task' },
        tool_response: { task: { id: '1', subject: 'A task' } },
      }),
      await send({
        tool_name: 'TaskUpdate',
        tool_input: { taskId: '1', status: 'completed' },
        tool_response: { success: true },
      }),
      await agent(),
      await fail(),
      await edit('src/auth.ts'),
      await edit('src/b.ts', 'Write'),
      await pass(),
    ];
    expect(answers.every((answer) => JSON.stringify(answer) === '{"exit":0}')).toBe(true);
    expect(problems).toEqual([]);
    expect(project.notes()).toEqual([
      'discovery-look-around',
      'error-no-rule',
      'file-src-auth-ts',
      'task-a-task',
      'task-fix-the-bug',
    ]);
    expect(project.note('task', 'task-a-task').status).toBe('completed');
    expect(project.note('error', 'error-no-rule').links.map((link) => link.to)).toEqual(['file-src-auth-ts']);
    const kinds = readJournal(project.userRoot, project.root, 's1').map((entry) => entry.kind);
    expect([...new Set(kinds)].sort()).toEqual(['command', 'edit', 'failure', 'fixed', 'note', 'task']);
    expect(fs.existsSync(path.join(project.memoryRoot, '.gitignore'))).toBe(true);
  });

  it('changes nothing when every event comes a second time', async () => {
    project.write('src/auth.ts', large('// Logs people in.'));
    const events = [
      () => read('src/auth.ts', { tool_use_id: 'u1' }),
      () => todo({ tool_use_id: 'u2' }),
      () => agent({ tool_use_id: 'u3' }),
      () => fail({ tool_use_id: 'u4' }),
      () => send({ tool_name: 'Edit', tool_input: { file_path: project.path('a.ts') }, tool_use_id: 'u5' }),
      () => pass({ tool_use_id: 'u6' }),
    ];
    for (const event of events) await event();
    const before = project.everything();
    project.now = new Date('2026-04-01T00:00:00Z');
    for (const event of events) {
      await event();
      expect(project.everything()).toEqual(before);
    }
  });

  it('keeps the graph in step', async () => {
    const place = {
      root: project.memoryRoot,
      kinds: new Kinds(config().settings.categories),
      rules: config().settings.graph,
      now: () => project.now,
    };
    await todo();
    readGraph(place);
    await agent();
    const text = fs.readFileSync(path.join(project.memoryRoot, 'graph.json'), 'utf8');
    expect(text).toContain('discovery-look-around');
    expect(askGraph(place, (graph) => graph.node('task-fix-the-bug')?.status)).toBe('pending');
  });

  it('does nothing when it is switched off', async () => {
    const before = project.everything();
    env = { ...env, CAIRN_DISABLE: '1' };
    project.write('a.ts', large('// A.'));
    await read('a.ts');
    await todo();
    await fail();
    fs.rmSync(project.path('a.ts'));
    expect(project.everything()).toEqual(before);
  });

  it('makes no note when the user wants none', async () => {
    settings({ capture: { enabled: false } });
    project.write('a.ts', large('// A.'));
    await read('a.ts');
    await todo();
    await agent();
    expect(project.notes()).toEqual([]);
  });

  it('obeys each of its settings', async () => {
    settings({
      capture: {
        capture_todos: false,
        capture_subagent_results: false,
        auto_summarize_threshold_kb: 1,
        auto_summarize_languages: ['rust'],
      },
    });
    project.write('a.ts', large('// A.'));
    project.write('b.rs', large('// B.'));
    await todo();
    await send({ tool_name: 'TaskCreate', tool_input: { subject: 'A task' }, tool_response: { task: { id: '1' } } });
    await agent();
    await send({ hook_event_name: 'SubagentStop', agent_id: 'a', last_assistant_message: 'Found it at last.' });
    await read('a.ts');
    expect(project.notes()).toEqual([]);
    await read('b.rs');
    expect(project.notes()).toEqual(['file-b-rs']);
  });

  it('leaves to a subagent what is its own, but learns from what it reads, edits and runs', async () => {
    project.write('a.ts', large('// A.'));
    const inside = { agent_id: 'a1', agent_type: 'Explore' };
    await todo(inside);
    await agent(inside);
    await read('a.ts', inside);
    await fail(inside);
    await pass(inside);
    expect(project.notes()).toEqual(['error-no-rule', 'file-a-ts']);
  });

  it('ignores other tools, other events and files of the memory', async () => {
    project.write('.claude/memory/nodes/files/x.md', 'x'.repeat(60_000));
    const before = project.everything();
    await send({ tool_name: 'WebFetch', tool_input: { url: 'x' } });
    await send({ tool_name: '__proto__', tool_input: {} });
    await send({
      tool_name: 'Read',
      hook_event_name: 'PostToolUseFailure',
      tool_input: { file_path: 'x' },
      error: 'x',
    });
    await read('.claude/memory/nodes/files/x.md');
    await edit('.claude/memory/nodes/files/x.md');
    await send({});
    expect(project.everything()).toEqual(before);
  });

  it('commits what it wrote if it is to, and nothing else', async () => {
    fs.rmSync(project.path('.git'), { recursive: true });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: project.root, encoding: 'utf8' });
    git('init', '--quiet');
    git('config', 'user.email', 'a@b.c');
    git('config', 'user.name', 'A');
    settings({ auto_commit: true });
    env = { ...env, CAIRN_TRUST: 'never' }; // these settings are the user's own
    project.write('other.txt', 'x');
    git('add', 'other.txt');
    await todo();
    expect(problems).toEqual([]);
    expect(git('log', '--format=%s').trim()).toBe('memory: note task-fix-the-bug');
    expect(git('show', '--name-only', '--format=', 'HEAD').trim()).toBe(
      '.claude/memory/nodes/tasks/task-fix-the-bug.md',
    );
  });

  it('finds a memory that was moved out of the project', async () => {
    env = { ...env, CAIRN_MEMORY_ROOT: path.join(project.base, 'elsewhere') };
    await todo();
    expect(fs.existsSync(path.join(project.base, 'elsewhere/nodes/tasks/task-fix-the-bug.md'))).toBe(true);
    expect(fs.existsSync(project.memoryRoot)).toBe(false);
  });

  it('does not lose notes when many events come at once', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        send({
          tool_name: 'TaskCreate',
          tool_input: { subject: `Task ${at}` },
          tool_response: { task: { id: String(at) } },
          tool_use_id: `u${at}`,
        }),
      ),
    );
    expect(project.notes()).toHaveLength(12);
    expect(problems).toEqual([]);
  });
});

describe('whatever a payload says', () => {
  const TOOLS = [
    'Read',
    'Bash',
    'Write',
    'Edit',
    'MultiEdit',
    'NotebookEdit',
    'TodoWrite',
    'TaskCreate',
    'TaskUpdate',
    'Agent',
    'Task',
    'Nothing',
  ];
  const scalar = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '',
      '../../../outside',
      '/etc/passwd',
      '~/.ssh/id_rsa',
      'a\0b',
      'make',
      'completed',
      '1',
      '[[x]]',
      '# x',
      'x'.repeat(3_000),
    ),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const keys = fc.constantFrom(
    ...[
      'file_path',
      'notebook_path',
      'command',
      'todos',
      'content',
      'status',
      'subject',
      'description',
      'taskId',
      'task',
      'id',
      'text',
      'type',
    ],
    ...[
      'old_string',
      'new_string',
      'edits',
      'oldTodos',
      'newTodos',
      'stdout',
      'stderr',
      'exit_code',
      'agentId',
      'result',
      'statusChange',
      'to',
      'addBlocks',
      '__proto__',
    ],
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie('any'), { maxLength: 4 }), fc.dictionary(keys, tie('any'))),
  })).any;
  const list = fc.array(fc.dictionary(keys, value), { maxLength: 4 });
  const words = fc.constantFrom(
    'Fix it',
    'Look at [[x]] #y',
    '# Head\n## Two',
    'completed',
    'in_progress',
    '1',
    'make x',
    '../outside',
    'src/a.ts',
  );
  /** Shaped like what a tool gets, with anything in it. */
  const shaped = fc.record(
    Object.fromEntries(
      [
        'file_path',
        'command',
        'todos',
        'subject',
        'description',
        'status',
        'taskId',
        'content',
        'task',
        'oldTodos',
        'agentId',
        'exit_code',
      ].map((key) => [
        key,
        fc.oneof({ weight: 4, arbitrary: words }, { weight: 2, arbitrary: list }, { weight: 1, arbitrary: value }),
      ]),
    ),
    { requiredKeys: [] },
  );
  const payload = fc.record(
    {
      hook_event_name: fc.oneof(fc.constantFrom('PostToolUse', 'PostToolUseFailure', 'SubagentStop'), scalar),
      tool_name: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...TOOLS) }, { weight: 1, arbitrary: scalar }),
      session_id: fc.oneof(fc.constant('s1'), scalar),
      cwd: fc.oneof(fc.constantFrom('/', '/tmp', '.'), scalar),
      tool_input: fc.oneof({ weight: 5, arbitrary: shaped }, { weight: 1, arbitrary: value }),
      tool_response: fc.oneof({ weight: 3, arbitrary: shaped }, { weight: 1, arbitrary: value }),
      error: scalar,
      agent_id: scalar,
      last_assistant_message: scalar,
      tool_use_id: scalar,
    },
    { requiredKeys: ['tool_name', 'hook_event_name'] },
  );

  it('nothing is thrown, nothing is said, and nothing is written outside the memory and the user’s folder', async () => {
    settings({ capture: { auto_summarize_threshold_kb: 0, auto_summarize_languages: ['*'] } });
    project.write('../outside', 'export const a = 1;\n');
    project.write('src/a.ts', 'export const a = 1;\n');
    const own = (files: Map<string, string>) =>
      [...files].filter(([file]) => !/^(?:project\/\.claude\/memory|home\/\.cairn)\//.test(file));
    const before = own(project.everything());
    await fc.assert(
      fc.asyncProperty(payload, async (one) => {
        expect(await send(one as JsonObject)).toEqual({ exit: 0 });
        expect(problems).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
    expect(project.notes().length).toBeGreaterThan(5);
    expect(own(project.everything())).toEqual(before);
    for (const file of project.everything().keys()) expect(file).not.toMatch(/cairn-tmp|lockdir/);
  });
});
