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
      { event: 'commit', subject: 'Keep sessions for a day', body: 'Body', line: 1 },
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

describe('what became of a command', () => {
  const failed = (id: string, content: string): Line => ({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, is_error: true, content }] },
  });
  const run = (id: string, command: string): Line => use('Bash', { command }, id);
  const link = (url: string): Line => ({ type: 'pr-link', prUrl: url, prNumber: 7, sessionId: 's' });

  it('is a commit with its hash, as git says', () => {
    const said = 'husky > lint\n[lint] ok\n[fix/cache 1a2b3c4d5] Fix the cache\n 1 file changed, 2 insertions(+)';
    expect(
      events(
        run('c1', 'git commit -m "Fix the cache"'),
        answer('c1', said),
        run('c2', 'git commit -am "Release $VERSION" && git push'),
        failed('c2', '[main (root-commit) abcdef0] Release 2\nfatal: no remote'),
        run('c3', 'git log'),
        answer('c3', '[main abcdef1] no commit of this conversation'),
      ),
    ).toEqual([
      { event: 'commit', subject: 'Fix the cache', line: 1 },
      { event: 'committed', subject: 'Fix the cache', hash: '1a2b3c4d5', line: 2 },
      { event: 'committed', subject: 'Release 2', hash: 'abcdef0', line: 4 },
      expect.objectContaining({ event: 'failure' }),
    ]);
  });

  it('is a pull request, told once, with its title and its address', () => {
    const told = { event: 'pull-request', title: 'Fix the cache', body: 'Because.' };
    const url = 'https://host.example/a/b/pull/7';
    const ask = run('p1', 'gh pr create --title "Fix the cache" --body "Because."');
    expect(events(ask, answer('p1', `Creating pull request\n${url}\n`))).toEqual([{ ...told, url, line: 2 }]);
    expect(events(ask, link(url), answer('p1', url), link(url))).toEqual([{ ...told, url, line: 3 }]);
    expect(events(ask, link(url), answer('p1', 'done'))).toEqual([{ ...told, url, line: 3 }]);
    expect(events(ask, answer('p1', 'done'))).toEqual([{ ...told, line: 2 }]);
    expect(events(link(url))).toEqual([]);
    expect(events(ask, failed('p1', 'a pull request already exists: https://host.example/a/b/pull/6'))).toMatchObject([
      { event: 'failure' },
    ]);
  });

  it('is a pull request that was asked for without a shell', () => {
    const ask = use('mcp__github__create_pull_request', { title: 'Fix it', body: 'Because.', owner: 'a' }, 'p2');
    expect(events(ask, answer('p2', '{"html_url":"https://host.example/a/b/pull/8"}'))).toEqual([
      { event: 'pull-request', title: 'Fix it', body: 'Because.', url: 'https://host.example/a/b/pull/8', line: 2 },
    ]);
  });

  it('is what was taken back, when that worked', () => {
    expect(
      events(
        run('r1', 'git checkout -- /home/dev/app/src/a.ts'),
        answer('r1', ''),
        run('r2', 'git revert --no-edit abc1234'),
        failed('r2', 'error: could not revert abc1234'),
        run('r3', 'git reset --hard HEAD~1'),
        answer('r3', 'HEAD is now at 1a2b3c4 Before'),
      ).filter((each) => (each as { event: string }).event !== 'failure'),
    ).toEqual([
      { event: 'revert', what: 'src/a.ts', line: 2 },
      { event: 'revert', what: 'HEAD~1', line: 6 },
    ]);
  });

  it('is that it works which failed before, once', () => {
    const works = (...lines: Line[]): unknown[] =>
      events(...lines).filter((each) => (each as { event: string }).event === 'success');
    const broken = [run('t1', 'cd /home/dev/app && npm test 2>&1'), failed('t1', '2 tests failed')];
    const tried = 'cd /home/dev/app && npm test 2>&1';
    expect(
      works(...broken, run('t2', 'npm test'), answer('t2', 'ok'), run('t3', 'npm test'), answer('t3', 'ok')),
    ).toEqual([{ event: 'success', tried, line: 4 }]);
    expect(works(...broken, run('t2', 'npm test | tail -5'), answer('t2', 'Tests: 5 passed'))).toHaveLength(1);
    expect(works(...broken, run('t2', 'npm test | tail -5'), answer('t2', 'Tests: 1 failed, 4 passed'))).toEqual([]);
    expect(works(...broken, run('t2', 'npm run build'), answer('t2', 'ok'))).toEqual([]);
    expect(works(run('t2', 'npm test'), answer('t2', 'ok'))).toEqual([]);
    const behind = 'Command running in background with ID: b1';
    expect(works(...broken, run('t2', 'npm test'), answer('t2', behind))).toEqual([]);
  });

  it('is that a commit was let through which a hook had refused, whatever its message is now', () => {
    const lines = [
      run('c1', 'git add . && git commit -m "One"'),
      failed('c1', 'lint failed'),
      run('c2', 'git commit -m "Two"'),
      answer('c2', '[main 1a2b3c4] Two'),
    ];
    expect(events(...lines).at(-1)).toEqual({
      event: 'success',
      tried: 'git add . && git commit -m "One"',
      line: 4,
    });
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

  it('come with notes alone where nothing was chosen', () => {
    const annotations = { 'A?': { notes: 'neither of them' } };
    expect(events(ask('A?'), answer('ask', '', { answers: {}, annotations }))).toMatchObject([
      { question: 'A?', answer: 'neither of them' },
    ]);
    const text =
      'The user answered: "A?"=(no option selected) notes: neither of them, "B?"="Yes" user notes: but later. Read the answers carefully — they may request changes.';
    expect(events(ask('A?', 'B?'), answer('ask', text))).toMatchObject([
      { question: 'A?', answer: 'neither of them' },
      { question: 'B?', answer: 'Yes (but later)' },
    ]);
  });

  it('come with what was answered before the user would rather talk about them', () => {
    const text = [
      "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:",
      'The user wants to clarify these questions.',
      '    Questions asked:',
      '- "A?"',
      '  Answer: Yes',
      '- "B?"',
      '  (No answer provided)',
    ].join('\n');
    expect(events(ask('A?', 'B?'), answer('ask', text))).toEqual([
      { event: 'answer', question: 'A?', answer: 'Yes', line: 2 },
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
      { event: 'plan-verdict', accepted: true, line: 3 },
      { event: 'plan', text: '# Plan C', line: 4 },
    ]);
  });
});

describe('the verdict on a plan', () => {
  const plan = use('ExitPlanMode', { plan: '# Plan' }, 'plan');
  const refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
  const verdict = (content: string): unknown => events(plan, answer('plan', content)).slice(1);

  it('is what the user made of it, with their words', () => {
    expect(verdict('User has approved your plan. You can now start coding.')).toEqual([
      { event: 'plan-verdict', accepted: true, line: 2 },
    ]);
    expect(verdict(`${refusal} STOP what you are doing.`)).toEqual([
      { event: 'plan-verdict', accepted: false, line: 2 },
    ]);
    expect(verdict('The agent proposed a plan that was rejected by the user.\n\nRejected plan:\n# Plan')).toEqual([
      { event: 'plan-verdict', accepted: false, line: 2 },
    ]);
    expect(verdict(`${refusal} To tell you how to proceed, the user said:\nOnly the first part`)).toMatchObject([
      { role: 'user', text: 'Only the first part', aside: true },
      { event: 'plan-verdict', accepted: false, words: 'Only the first part' },
    ]);
  });

  it('is none where the tool failed, or somebody else has to decide', () => {
    expect(verdict('You are not in plan mode.')).toEqual([]);
    expect(verdict('Your plan has been submitted to the team lead for approval.')).toEqual([]);
  });
});

describe('tasks', () => {
  it('are told by files of their own as well, and are done where those are moved', () => {
    const file = '/home/dev/app/.plan/todos/pending/2026-02-01-rotate-keys.md';
    expect(
      events(
        use('Write', { file_path: file, content: '---\ntitle: Rotate the keys\n---\n\nBecause.' }),
        bash(`mkdir -p .plan/todos/done && git mv ${file} .plan/todos/done/`),
      ),
    ).toEqual([
      { event: 'files', files: ['.plan/todos/pending/2026-02-01-rotate-keys.md'], wrote: true, line: 1 },
      {
        event: 'todo',
        text: 'Rotate the keys (.plan/todos/pending/2026-02-01-rotate-keys.md)',
        state: 'pending',
        line: 1,
      },
      {
        event: 'todo',
        text: 'rotate keys (.plan/todos/pending/2026-02-01-rotate-keys.md)',
        state: 'completed',
        line: 2,
      },
    ]);
  });

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
        bash(`gh pr create --title "${'t'.repeat(900)}" --body "${'b'.repeat(9_000)}"`),
        bash(`git revert ${'c'.repeat(9_000)} && false ${number}`),
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
