// Tasks that stand in files of their own.
import { describe, expect, it } from 'vitest';
import { todosMoved, todoWritten } from './todo-files.ts';

describe('a file that was written', () => {
  it.each([
    [
      '.plan/todos/pending/2026-02-01-rotate-keys.md',
      '---\ntitle: Rotate the keys\narea: api\n---\n',
      'Rotate the keys',
    ],
    ['todo/rotate.md', '---\ntitle: "Rotate: the keys"\n---\n# Other\n', 'Rotate: the keys'],
    ['docs/backlog/rotate.md', '# TODO: Rotate the keys\n\nBecause.', 'Rotate the keys'],
    ['notes/debug/login.md', '# Debug: Login hangs\n\n**Status:** parked, nobody can reproduce it\n', 'Login hangs'],
  ])('in a folder of tasks is one: %s', (file, content, title) => {
    expect(todoWritten(file, content)).toEqual([`${title} (${file})`, 'pending']);
  });

  it.each([
    ['.plan/todos/done/rotate.md', '# Rotate the keys'],
    ['todos/README.md', '# Tasks'],
    ['todos/rotate.md', 'Only text'],
    ['todos/rotate.ts', '# Rotate the keys'],
    ['src/todos.md', '# Rotate the keys'],
    ['notes/debug/login.md', '# Debug: Login hangs\n\n**Status:** resolved\n'],
    ['docs/guide.md', '# Rotate the keys\n\nstatus: open'],
  ])('is none otherwise: %s', (file, content) => {
    expect(todoWritten(file, content)).toBeUndefined();
  });

  it('may hold anything, and the title is not long', () => {
    expect(todoWritten('todos/a.md', `# ${'x'.repeat(5_000)}`)?.[0].length).toBeLessThan(250);
    expect(todoWritten('todos/a.md', '')).toBeUndefined();
  });
});

describe('a file that was moved', () => {
  const done = (script: string): string[] => todosMoved(script, '/home/dev/app').map(([text]) => text);
  const text = 'rotate keys (todos/pending/2026-02-01-rotate-keys.md)';

  it.each([
    'mv todos/pending/2026-02-01-rotate-keys.md todos/done/',
    'git mv todos/pending/2026-02-01-rotate-keys.md todos/done/2026-02-01-rotate-keys.md',
    'mkdir -p todos/done && mv -f /home/dev/app/todos/pending/2026-02-01-rotate-keys.md todos/completed',
    'git rm -q todos/pending/2026-02-01-rotate-keys.md && git commit -m x',
  ])('to what is done, or away, is settled: %s', (script) => {
    expect(done(script)).toEqual([text]);
    expect(todosMoved(script, '/home/dev/app')[0]?.[1]).toBe('completed');
  });

  it.each([
    'mv todos/pending/a.md todos/blocked/',
    'mv src/a.ts src/b.ts',
    'mv todos/done/a.md todos/done/b.md',
    'cat todos/pending/a.md',
    'mv "$FILE" todos/done/',
    'rm -rf todos',
    'echo mv todos/pending/a.md todos/done/',
  ])('is not otherwise: %s', (script) => {
    expect(done(script)).toEqual([]);
  });
});
