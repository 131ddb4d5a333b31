// Notes that are made to be slow: each of these took minutes with a careless pattern. The test's own time limit is the check.

import { describe, expect, it } from 'vitest';
import { readNote, sectionOf } from './note.ts';

const SIZE = 400_000;
const read = (body: string, properties = '') =>
  readNote(`---\ntype: task\n${properties}---\n${body}`, { folder: 'tasks', name: 'task-a' }).note;

describe('a note that is made to be slow', () => {
  it.each([
    ['runs of backticks that never match', Array.from({ length: 900 }, (_, at) => '`'.repeat(at + 1)).join('x')],
    ['a backtick on every line', '`\n'.repeat(SIZE / 2)],
    ['fences of two kinds', '```\n~~~\n'.repeat(SIZE / 8)],
    ['a heading of blanks', `# a${' '.repeat(SIZE)}b`],
    ['a heading of marks', `# ${'#'.repeat(SIZE)}b`],
    ['open brackets', '['.repeat(SIZE)],
    ['a line of underscores', `a${'_'.repeat(SIZE)}b`],
    ['a line without an end of a sentence', 'word '.repeat(SIZE / 5)],
    ['hash marks', '#'.repeat(SIZE)],
  ])('is read: %s', (_what, body) => {
    expect(read(body)?.id).toBe('task-a');
  });

  it.each([
    ['blanks in a value', `x: a${' '.repeat(60_000)}b\n`],
    ['open brackets in a list', `x: [${'['.repeat(60_000)}]\n`],
    ['quotes in a list', `x: ["${'"a'.repeat(20_000)}]\n`],
  ])('is read: %s', (_what, properties) => {
    expect(read('', properties)?.id).toBe('task-a');
  });

  it('keeps a name with underscores, and a hash mark that belongs to the title', () => {
    const note = read('# About C#\n\n## Description\nThe field _user_id_ of `user_name` is **new**. More.');
    expect(note).toMatchObject({ title: 'About C#', gist: 'The field user_id of user_name is new' });
    expect(read('# Closed ##\n')?.title).toBe('Closed');
    expect(read('```\n# no heading\n```\n# Task: Use `Redis` and `[[x]]`\n')).toMatchObject({
      title: 'Use `Redis` and `[[x]]`',
      links: [],
    });
    expect(read('`code`#none and #one')?.tags).toEqual(['one']);
  });

  it('ends a section where the next one begins, and at no other sign of a line', () => {
    expect(read('## Description\nfirst\r# second\u2028## third\n\n## Solution\nend')?.gist).toBe(
      'first # second ## third',
    );
    expect(sectionOf('## A\r\none\r# two\u2028## three\n## B\nend', 'a')).toBe('one\r# two\u2028## three');
    expect(sectionOf('x ## A\n##A \t\nyes\n# end', 'A')).toBe('yes');
    expect(sectionOf('## A\n## B', 'A')).toBeUndefined();
  });

  it('takes a span of code for what it is, however many backticks enclose it', () => {
    expect(read('``[[a]] ` [[b]]`` [[c]] `[[d]]')?.links.map((link) => link.to)).toEqual(['c', 'd']);
  });
});
