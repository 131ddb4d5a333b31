import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { large, TempProject } from '../../test/fixtures/temp-project.ts';
import { sectionOf } from '../notes/note.ts';
import type { CaptureContext } from './capture-context.ts';
import { captureFile } from './file-summary.ts';
import { journalFile } from './journal.ts';
import { captureTaskCreate, captureTaskUpdate, captureTodos } from './tasks.ts';

let project: TempProject;
beforeEach(() => {
  project = new TempProject();
});
afterEach(() => project.remove());

const tick = (): void => {
  project.now = new Date(project.now.getTime() + 60_000);
};
type Todo = [content: string, status: string];
const todos = (list: readonly Todo[], old: readonly Todo[] = [], context: Partial<CaptureContext> = {}) => {
  tick();
  const shape = (all: readonly Todo[]) => all.map(([content, status]) => ({ content, status, activeForm: content }));
  return captureTodos(project.context(context), {
    tool_input: { todos: shape(list) },
    tool_response: { oldTodos: shape(old), newTodos: shape(list) },
  });
};
const create = (subject: string, number: string, description?: string) => {
  tick();
  return captureTaskCreate(project.context(), {
    tool_input: { subject, description, activeForm: 'x' },
    tool_response: { task: { id: number, subject } },
  });
};
const update = (input: { [key: string]: unknown }, response: { [key: string]: unknown } = { success: true }) => {
  tick();
  return captureTaskUpdate(project.context(), {
    tool_input: input,
    tool_response: { taskId: input.taskId, ...response },
  });
};
const states = () => project.notes().map((id) => [id, project.note('task', id).status]);
const field = (id: string, key: string) => project.note('task', id).frontMatter.text(key);

describe('TodoWrite', () => {
  it('makes a note for each task, and carries it from state to state', async () => {
    await todos([
      ['Fix the auth bug', 'in_progress'],
      ['Add tests', 'pending'],
    ]);
    expect(states()).toEqual([
      ['task-add-tests', 'pending'],
      ['task-fix-the-auth-bug', 'in_progress'],
    ]);
    const started = field('task-fix-the-auth-bug', 'started_at');
    await todos([
      ['Fix the auth bug', 'completed'],
      ['Add tests', 'in_progress'],
    ]);
    expect(states()).toEqual([
      ['task-add-tests', 'in_progress'],
      ['task-fix-the-auth-bug', 'completed'],
    ]);
    const note = project.note('task', 'task-fix-the-auth-bug');
    expect(note).toMatchObject({
      title: 'Fix the auth bug',
      sessionId: 'session-1',
      tags: ['task', 'bug', 'security'],
    });
    expect(field(note.id, 'started_at')).toBe(started);
    expect(field(note.id, 'completed_at')).toBe(note.updated);
    expect(note.created < note.updated).toBe(true);
  });

  it('changes nothing when nothing changed', async () => {
    const list: Todo[] = [
      ['Fix it', 'in_progress'],
      ['Test it', 'pending'],
    ];
    expect(await todos(list)).toHaveLength(2);
    const before = project.everything();
    expect(await todos(list)).toEqual([]);
    expect(project.everything()).toEqual(before);
  });

  it('cancels what was taken off the list before it was done', async () => {
    await todos([
      ['One', 'completed'],
      ['Two', 'pending'],
      ['Three', 'in_progress'],
    ]);
    await todos(
      [['Three', 'in_progress']],
      [
        ['One', 'completed'],
        ['Two', 'pending'],
        ['Three', 'in_progress'],
        ['Unknown', 'pending'],
      ],
    );
    expect(states()).toEqual([
      ['task-one', 'completed'],
      ['task-three', 'in_progress'],
      ['task-two', 'cancelled'],
    ]);
  });

  it('takes a task up again that was done in an earlier session', async () => {
    await todos([['Run the tests', 'completed']]);
    await todos([['Run the tests', 'in_progress']], [], { sessionId: 'session-2' });
    expect(states()).toEqual([['task-run-the-tests', 'in_progress']]);
    expect(field('task-run-the-tests', 'session_id')).toBe('session-2');
    expect(field('task-run-the-tests', 'completed_at')).toBeUndefined();
  });

  it('tells tasks apart that are long or in another script', async () => {
    const long = 'Look at the thing that is very long and goes on and on until nobody can read it any more ';
    await todos([
      [`${long}one`, 'pending'],
      [`${long}two`, 'pending'],
      ['修复登录', 'pending'],
      ['添加测试', 'pending'],
    ]);
    expect(project.notes()).toHaveLength(4);
    expect(await todos([['修复登录', 'completed']])).toHaveLength(1);
    expect(project.notes()).toHaveLength(4);
  });

  it('takes nothing for granted', async () => {
    const context = project.context();
    for (const tool_input of [
      undefined,
      null,
      7,
      {},
      { todos: 'x' },
      { todos: [null, 1, {}, { content: '' }, { content: ' ' }, { content: ['a'] }] },
    ])
      expect(await captureTodos(context, { tool_input })).toEqual([]);
    await captureTodos(context, { tool_input: { todos: [{ content: 'A', status: 'weird' }, { content: 'B' }] } });
    expect(states()).toEqual([
      ['task-a', 'pending'],
      ['task-b', 'pending'],
    ]);
  });
});

describe('TaskCreate and TaskUpdate', () => {
  it('carry a task by its number', async () => {
    project.write('src/auth.ts', large('// Auth.'));
    await captureFile(project.context(), project.path('src/auth.ts'));
    await create('First task', '1', 'Do the first thing in src/auth.ts.\n# Not a heading');
    await create('Second task', '2');
    await update(
      { taskId: '1', status: 'in_progress' },
      { success: true, statusChange: { from: 'pending', to: 'in_progress' } },
    );
    await update({ taskId: '2', status: 'completed' });
    const first = project.note('task', 'task-first-task');
    expect(first.status).toBe('in_progress');
    expect(sectionOf(first.body, 'Description')).toBe('Do the first thing in src/auth.ts.\n### Not a heading');
    expect(first.links.map((link) => link.to)).toEqual(['file-src-auth-ts']);
    expect(project.note('task', 'task-second-task').status).toBe('completed');
  });

  it('find the note without the journal too', async () => {
    await create('First task', '1');
    fs.rmSync(journalFile({ ...project.context(), sessionId: 'session-1' }));
    expect(await update({ taskId: '1', status: 'completed' })).toHaveLength(1);
    expect(states()).toEqual([['task-first-task', 'completed']]);
  });

  it('keep the note when the subject changes, change the description, and join tasks that wait for others', async () => {
    await create('First task', '1');
    await create('Second task', '2');
    await update({ taskId: '1', subject: 'First task, better', description: 'More.' });
    await update({ taskId: '2', addBlockedBy: ['1'] });
    expect(project.notes()).toEqual(['task-first-task', 'task-second-task']);
    const first = project.note('task', 'task-first-task');
    expect(first.title).toBe('First task, better');
    expect(sectionOf(first.body, 'Description')).toBe('More.');
    expect(project.note('task', 'task-second-task').links).toEqual([{ to: 'task-first-task', relation: 'depends_on' }]);
    await create('Third task', '3');
    await update({ taskId: '1', addBlocks: ['3', '1', '99'] });
    expect(project.note('task', 'task-third-task').links).toEqual([{ to: 'task-first-task', relation: 'depends_on' }]);
  });

  it('cancel what is deleted, and ignore what failed or is not known', async () => {
    await create('First task', '1');
    expect(await update({ taskId: '1', status: 'completed' }, { success: false })).toEqual([]);
    expect(await update({ taskId: '7', status: 'completed' })).toEqual([]);
    expect(await update({ taskId: '1', status: 'nonsense' })).toEqual([]);
    await update({ taskId: '1', status: 'deleted' });
    expect(states()).toEqual([['task-first-task', 'cancelled']]);
    await update({ taskId: '7', subject: 'Seen late', status: 'in_progress' });
    expect(states()).toEqual([
      ['task-first-task', 'cancelled'],
      ['task-seen-late', 'in_progress'],
    ]);
  });

  it('change nothing when the same event comes twice', async () => {
    await create('First task', '1', 'x');
    await update({ taskId: '1', status: 'completed' });
    const before = project.everything();
    await update({ taskId: '1', status: 'completed' });
    expect(project.everything()).toEqual(before);
  });

  it('keep a description that a person wrote', async () => {
    await create('First task', '1', 'Theirs.');
    const { file } = project.note('task', 'task-first-task');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('Theirs.', 'Mine.'));
    await update({ taskId: '1', description: 'Theirs again.', status: 'completed' });
    expect(sectionOf(project.note('task', 'task-first-task').body, 'Description')).toBe('Mine.');
    expect(states()).toEqual([['task-first-task', 'completed']]);
  });
});
