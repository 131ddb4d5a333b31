// Finding one note: by the name of its file at once, by what it says if the file is named otherwise.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { findNote } from './vault.ts';

let root: string;
beforeEach(() => {
  root = path.join(temporaryFolder(), 'memory');
});

const note = (name: string, id: string): string =>
  put(path.join(root, 'nodes', `${name}.md`), `---\nid: ${id}\ntype: task\n---\nbody\n`);

describe('finding a note', () => {
  it('takes the file that is named after it, in any case', () => {
    note('tasks/task-a', 'task-a');
    expect(findNote(root, 'task-a')?.relativePath).toBe('nodes/tasks/task-a.md');
    expect(findNote(root, 'TASK-A')?.id).toBe('task-a');
    expect(findNote(root, 'task')).toBeUndefined();
  });

  it('reads no other file then', () => {
    note('tasks/task-a', 'task-a');
    fs.mkdirSync(path.join(root, 'nodes', 'errors'), { recursive: true });
    fs.symlinkSync('/dev/zero', path.join(root, 'nodes', 'errors', 'error-endless.md'));
    expect(findNote(root, 'task-a')?.id).toBe('task-a');
  });

  it('finds a note whose file has another name, and is not misled by a file that has its name', () => {
    note('tasks/task-b', 'task-other');
    note('tasks/some-file', 'task-b');
    expect(findNote(root, 'task-b')?.relativePath).toBe('nodes/tasks/some-file.md');
    expect(findNote(root, 'task-other')?.relativePath).toBe('nodes/tasks/task-b.md');
  });

  it('takes the first by path of two files with the same id', () => {
    note('tasks/task-a', 'task-a');
    note('discoveries/task-a', 'task-a');
    expect(findNote(root, 'task-a')?.relativePath).toBe('nodes/discoveries/task-a.md');
  });

  it('finds nothing in a vault that is none, and nothing by a name that no file can have', () => {
    expect(findNote(root, 'task-a')).toBeUndefined();
    put(path.join(root, 'nodes'), 'a file');
    expect(findNote(root, 'task-a')).toBeUndefined();
    expect(findNote(root, '../../etc/passwd')).toBeUndefined();
  });

  it('follows a link inside the memory and none that leads out of it', () => {
    note('tasks/task-a', 'task-real');
    fs.symlinkSync('task-a.md', path.join(root, 'nodes', 'tasks', 'task-real.md'));
    put(path.join(root, '..', 'outside.md'), '---\nid: task-out\ntype: task\n---\n');
    fs.symlinkSync('../../../outside.md', path.join(root, 'nodes', 'tasks', 'task-out.md'));
    expect(findNote(root, 'task-real')?.id).toBe('task-real');
    expect(findNote(root, 'task-out')).toBeUndefined();
  });
});
