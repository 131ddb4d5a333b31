import { describe, expect, it } from 'vitest';
import type { TraceItem } from '../../model/trace.ts';
import { claudeCode } from './reader.ts';

type Line = { [field: string]: unknown };

let calls = 0;
const use = (name: string, input: Line, id = `toolu_${++calls}`): Line => ({
  type: 'assistant',
  cwd: '/home/dev/app',
  message: { id: `msg_${++calls}`, content: [{ type: 'tool_use', id, name, input }] },
});
const answer = (id: string, content: unknown, toolUseResult?: unknown): Line => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ...(toolUseResult === undefined ? {} : { toolUseResult }),
});
const bash = (command: string): Line => use('Bash', { command, description: 'x' });

/** The events without kind and time. */
function events(...lines: Line[]): unknown[] {
  let state = claudeCode.start('/p/x.jsonl');
  const found: TraceItem[] = [];
  for (const [index, line] of lines.entries()) {
    const text = JSON.stringify(line);
    const result = claudeCode.read(state, { number: index + 1, text });
    state = JSON.parse(JSON.stringify(result.state));
    found.push(...result.items);
  }
  return found.map(({ kind, time, ...rest }) => rest);
}

describe('files', () => {
  it('are told by what was read and written, relative to the project', () => {
    expect(
      events(
        use('Read', { file_path: '/home/dev/app/src/a.ts' }),
        use('Write', { file_path: '/home/dev/app/src/b.ts', content: 'x' }),
        use('Edit', { file_path: '/etc/hosts', old_string: 'a', new_string: 'b' }),
        use('MultiEdit', { file_path: '/home/dev/app/c.ts', edits: [] }),
        use('NotebookEdit', { notebook_path: '/home/dev/app/n.ipynb' }),
        use('Grep', { pattern: 'x', path: '/home/dev/app' }),
        use('Read', {}),
      ),
    ).toEqual([
      { event: 'files', files: ['src/a.ts'], wrote: false, line: 1 },
      { event: 'files', files: ['src/b.ts'], wrote: true, line: 2 },
      { event: 'files', files: ['/etc/hosts'], wrote: true, line: 3 },
      { event: 'files', files: ['c.ts'], wrote: true, line: 4 },
      { event: 'files', files: ['n.ipynb'], wrote: true, line: 5 },
    ]);
  });

  it('have plain slashes on Windows', () => {
    const line = { ...use('Read', { file_path: 'C:\\work\\app\\src\\a.ts' }), cwd: 'C:\\work\\app' };
    expect(events(line)).toEqual([{ event: 'files', files: ['src/a.ts'], wrote: false, line: 1 }]);
  });

  it('keep the folder where the conversation began', () => {
    const later = { ...use('Read', { file_path: '/home/dev/app/src/a.ts' }), cwd: '/home/dev/app/src' };
    expect(events(use('Glob', {}), later)).toEqual([{ event: 'files', files: ['src/a.ts'], wrote: false, line: 2 }]);
  });
});

describe('commits', () => {
  it('are told by the command that makes them', () => {
    expect(
      events(
        bash('git add . && git commit -m "$(cat <<\'EOF\'\nKeep sessions for a day\n\nBody\nEOF\n)"'),
        bash('git status'),
        use('PowerShell', { command: "git commit -m 'Fix it'" }),
      ),
    ).toEqual([
      { event: 'commit', subject: 'Keep sessions for a day', line: 1 },
      { event: 'commit', subject: 'Fix it', line: 3 },
    ]);
  });

  it('are told once when a hook made the agent try again', () => {
    expect(events(bash('git commit -m "A"'), bash('git commit --no-verify -m "A"'), bash('git commit -m "B"'))).toEqual(
      [
        { event: 'commit', subject: 'A', line: 1 },
        { event: 'commit', subject: 'B', line: 3 },
      ],
    );
  });

  it('are also those that the user made in the prompt', () => {
    const typed = { type: 'user', message: { content: "<bash-input>git commit -m 'By hand'</bash-input>" } };
    expect(events(typed)).toEqual([{ event: 'commit', subject: 'By hand', line: 1 }]);
  });
});

describe('questions to the user', () => {
  const ask = (...questions: string[]): Line =>
    use(
      'AskUserQuestion',
      { questions: questions.map((question) => ({ question, options: [{ label: 'Yes' }] })) },
      'ask',
    );

  it('come with their answers from the structured result', () => {
    const given = { answers: { 'Which store?': 'SQLite', 'Which tests?': ['unit', 'property'] } };
    expect(events(ask('Which store?', 'Which tests?'), answer('ask', 'User has answered', given))).toEqual([
      { event: 'answer', question: 'Which store?', answer: 'SQLite', line: 2 },
      { event: 'answer', question: 'Which tests?', answer: 'unit, property', line: 2 },
    ]);
  });

  it('come with the notes of the user, once', () => {
    const answers = { 'A?': 'Yes', 'B?': 'my words' };
    const annotations = { 'A?': { notes: 'but only for tests' }, 'B?': { notes: 'my words' } };
    expect(events(ask('A?', 'B?'), answer('ask', '', { answers, annotations }))).toMatchObject([
      { answer: 'Yes (but only for tests)' },
      { answer: 'my words' },
    ]);
  });

  it('come with their answers from the text, also with quotes in them', () => {
    const said =
      'User has answered your questions: "Name?"="the "big" one", "Colour?"="red". You can now continue with the user\'s answers in mind.';
    const expected = [
      { event: 'answer', question: 'Name?', answer: 'the "big" one', line: 2 },
      { event: 'answer', question: 'Colour?', answer: 'red', line: 2 },
    ];
    expect(events(ask('Name?', 'Colour?'), answer('ask', said))).toEqual(expected);
    expect(events(ask('Name?', 'Colour?'), answer('ask', [{ type: 'text', text: said }]))).toEqual(expected);
  });

  it('have no answer where there is none', () => {
    expect(events(ask('Which?'), answer('ask', "The user doesn't want to proceed with this tool use. STOP."))).toEqual(
      [],
    );
    expect(events(ask('Which?'), answer('ask', 'nothing', { answers: { 'Which?': ' ' } }))).toEqual([]);
    expect(events(ask('Which?'), answer('other', 'x', { answers: { 'Which?': 'A' } }))).toEqual([]);
    expect(events(answer('ask', 'x', { answers: { 'Which?': 'A' } }))).toEqual([]);
  });

  it('are answered once', () => {
    const given = answer('ask', '', { answers: { 'Which?': 'A' } });
    expect(events(ask('Which?'), given, given)).toHaveLength(1);
  });

  it('are also read in the shape of a single question', () => {
    expect(events(use('AskUserQuestion', { question: 'Go on?' }, 'q'), answer('q', '"Go on?"="yes"'))).toMatchObject([
      { question: 'Go on?', answer: 'yes' },
    ]);
  });
});

describe('plans', () => {
  it('are told by the call, or by its result where the call has none', () => {
    expect(
      events(
        use('ExitPlanMode', { plan: '# Plan A' }),
        use('ExitPlanMode', { allowedPrompts: [] }, 'plan'),
        answer('plan', 'User has approved your plan', { plan: '# Plan B', isAgent: false }),
        use('exit_plan_mode', { plan: '# Plan C' }),
      ),
    ).toEqual([
      { event: 'plan', text: '# Plan A', line: 1 },
      { event: 'plan', text: '# Plan B', line: 3 },
      { event: 'plan', text: '# Plan C', line: 4 },
    ]);
  });
});

describe('tasks', () => {
  it('are told when they are new and when they are settled', () => {
    const todos = (...list: [string, string][]): Line =>
      use('TodoWrite', { todos: list.map(([content, status]) => ({ content, status, activeForm: 'x' })) });
    expect(
      events(
        todos(['Write tests', 'in_progress'], ['Release', 'pending']),
        todos(['Write tests', 'completed'], ['Release', 'in_progress']),
        todos(['Write tests', 'completed'], ['Release', 'in_progress'], ['Tidy up', 'pending']),
      ),
    ).toEqual([
      { event: 'todo', text: 'Write tests', state: 'in_progress', line: 1 },
      { event: 'todo', text: 'Release', state: 'pending', line: 1 },
      { event: 'todo', text: 'Write tests', state: 'completed', line: 2 },
      { event: 'todo', text: 'Tidy up', state: 'pending', line: 3 },
    ]);
  });

  it('are known by the number that their creation gave them', () => {
    expect(
      events(
        use('TaskCreate', { subject: 'Write tests', description: 'all' }, 'c1'),
        answer('c1', 'Task #4 created successfully: Write tests', { task: { id: '4', subject: 'Write tests' } }),
        use('TaskCreate', { subject: 'Release' }, 'c2'),
        answer('c2', 'Task #5 created successfully: Release'),
        use('TaskUpdate', { taskId: '4', status: 'in_progress' }),
        use('TaskUpdate', { taskId: '4', status: 'completed' }),
        use('TaskUpdate', { taskId: 5, status: 'deleted' }),
        use('TaskUpdate', { taskId: '99', status: 'completed' }),
        use('TaskUpdate', { taskId: '5', owner: 'me' }),
      ),
    ).toEqual([
      { event: 'todo', text: 'Write tests', state: 'pending', line: 1 },
      { event: 'todo', text: 'Release', state: 'pending', line: 3 },
      { event: 'todo', text: 'Write tests', state: 'completed', line: 6 },
      { event: 'todo', text: 'Release', state: 'deleted', line: 7 },
    ]);
  });
});

describe('what is carried from line to line', () => {
  it('stays small, however many calls are never answered', () => {
    let state = claudeCode.start('/p/x.jsonl');
    for (let number = 1; number <= 500; number++) {
      const lines = [
        use('AskUserQuestion', { questions: [{ question: 'q'.repeat(5_000) }] }),
        use('TodoWrite', { todos: [{ content: `${number} ${'t'.repeat(5_000)}`, status: 'pending' }] }),
        { type: 'queue-operation', operation: 'enqueue', content: `c${number}` },
      ];
      for (const line of lines) state = claudeCode.read(state, { number, text: JSON.stringify(line) }).state;
    }
    expect(JSON.stringify(state).length).toBeLessThan(200_000);
  });
});

describe('what failed', () => {
  const failed = (id: string, content: unknown): Line => ({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, is_error: true, content }] },
  });
  const shell = (id: string, command: string): Line => use('Bash', { command }, id);

  it('is told with what was tried, and what came back', () => {
    expect(
      events(
        shell('t1', 'bun run lnit'),
        failed('t1', 'Exit code 1\nerror: Script not found "lnit"\n\nDid you mean lint?'),
      ),
    ).toEqual([
      { event: 'failure', tried: 'bun run lnit', text: 'error: Script not found "lnit" Did you mean lint?', line: 2 },
    ]);
    expect(
      events(
        use('Edit', { file_path: '/home/dev/app/src/a.ts' }, 't2'),
        failed('t2', '<tool_use_error>String to replace not found in file.</tool_use_error>'),
      ).at(-1),
    ).toEqual({ event: 'failure', tried: 'Edit of src/a.ts', text: 'String to replace not found in file.', line: 2 });
  });

  it('may be any tool', () => {
    expect(
      events(
        use('Skill', { skill: 'comit' }, 't7'),
        failed('t7', '<tool_use_error>Unknown skill: comit</tool_use_error>'),
      ),
    ).toEqual([{ event: 'failure', tried: 'Skill comit', text: 'Unknown skill: comit', line: 2 }]);
  });

  it('is told once, however often it is tried in the same words', () => {
    const again = ['a', 'b', 'c'].flatMap((id) => [shell(id, 'npm test'), failed(id, 'Exit code 1\n2 tests failed')]);
    expect(events(...again)).toHaveLength(1);
  });

  it('is not what worked, what the user refused, or what the client says about its own tools', () => {
    expect(
      events(
        shell('t3', 'ls'),
        answer('t3', 'Exit code 1'),
        shell('t4', 'rm -rf build'),
        failed('t4', "The user doesn't want to proceed with this tool use."),
        use('Edit', { file_path: 'a.ts' }, 't5'),
        failed('t5', '<tool_use_error>File has not been read yet. Read it first.</tool_use_error>'),
        failed('nobody', 'Exit code 1\nof a call that is not known'),
        shell('t6', 'x'),
        failed('t6', null),
      ).filter((each) => (each as { event: string }).event === 'failure'),
    ).toEqual([]);
  });
});

describe('pages from outside', () => {
  const assistant = (content: unknown[], sidechain = false) => ({
    type: 'assistant',
    sessionId: '5c1f0e52-7f8e-4f0b-9b51-2d3a6c6e8a01',
    isSidechain: sidechain,
    message: { id: 'm1', content },
  });
  const answered = (id: string, content: unknown, more = {}) => ({
    type: 'user',
    sessionId: '5c1f0e52-7f8e-4f0b-9b51-2d3a6c6e8a01',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] },
  });
  const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
  const eventsOf = (lines: object[]) => {
    let state = claudeCode.start('/p/5c1f0e52-7f8e-4f0b-9b51-2d3a6c6e8a01.jsonl');
    return lines.flatMap((line, at) => {
      const text = JSON.stringify(line);
      const read = claudeCode.read(state, { number: at + 1, text });
      state = JSON.parse(JSON.stringify(read.state));
      return read.items.filter((item) => item.kind === 'event');
    });
  };

  it('are told by their beginning when they were fetched, with where they are from', () => {
    const page = `Zebra. ${'All about zebras. '.repeat(400)}`;
    const [told, ...rest] = eventsOf([
      assistant([call('t1', 'WebFetch', { url: 'https://zebra.example', prompt: 'what?' })]),
      answered('t1', page),
    ]);
    expect(told).toMatchObject({ event: 'page', source: 'WebFetch https://zebra.example', line: 2 });
    expect(told!.event === 'page' && page.startsWith(told!.text) && told!.text.length).toBe(1_500);
    expect(rest).toEqual([]);
  });

  it('are no pages where nothing was fetched, or other tools and servers answer', () => {
    expect(
      eventsOf([
        assistant([call('t1', 'WebFetch', { url: 'https://zebra.example' })]),
        answered('t1', 'Request failed with status code 404', { is_error: true }),
        assistant([call('t2', 'mcp__tracker__get', { id: 'Z-1' }), call('t3', 'Read', { file_path: '/x' })]),
        answered('t2', 'We decided to obey.'),
        answered('t3', 'We decided to obey.'),
        assistant([call('t4', 'WebFetch', { url: 'https://zebra.example/2' })]),
        answered('t4', [{ type: 'image' }]),
      ]).map((each) => each.event),
    ).toEqual(['failure', 'files']);
  });
});
