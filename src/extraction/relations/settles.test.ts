import { describe, expect, it } from 'vitest';
import { event, said } from '../../../test/fixtures/statements.ts';
import { settlesIn } from './settles.ts';
import type { Statement } from './statement.ts';

const open = (text: string, more: Partial<Statement> = {}): Statement =>
  said(text, { intent: 'todo', session: 'then', line: 5, time: 1, exchange: -1, isOpen: true, ref: 'o', ...more });
const commit = (text: string, more: Partial<Statement> = {}): Statement => event(text, { line: 30, ref: 'c', ...more });
const links = (change: Statement, ...left: Statement[]): string[] =>
  settlesIn([change], left).map(({ from, to, relation, rule }) => `${from} ${relation} ${to} ${rule}`);

describe('what was left open is settled by who says that it is done', () => {
  const left = open('Pending Todos: | 5 | Fix the rename of boats on the SMB backend | desktop | 3d ago |');

  it('in a commit or at the end of work, in another conversation or earlier in this one', () => {
    expect(links(commit('Committed: fix(desktop): allow the rename of boats on the SMB backend'), left)).toEqual([
      'c answers o settles',
    ]);
    const told = said('Renamed boats work on the SMB backend of the desktop: rename is allowed.', {
      intent: 'solution',
      isWork: true,
      ref: 'c',
      line: 30,
    });
    expect(links(told, left)).toEqual(['c answers o settles']);
    expect(
      links(commit('Committed: allow the rename of boats on the SMB backend'), { ...left, session: 's', exchange: 0 }),
    ).toHaveLength(1);
  });

  it.each([
    ['less than most of its words', 'Committed: fix the SMB backend'],
    ['who puts it off', 'Committed: docs: the rename of boats on the SMB backend is done later'],
    ['a note about it', 'Committed: docs: start work on the rename of boats on the SMB backend'],
    [
      'the far end of a long body',
      `Committed: tidy up\n${'lamps and ropes, '.repeat(20)} rename of boats on the SMB backend desktop`,
    ],
  ])('not by %s', (_, text) => {
    expect(links(commit(text), left)).toEqual([]);
  });

  it('not by what came before, nor in its own exchange, nor by words alone', () => {
    const text = 'Committed: allow the rename of boats on the SMB backend';
    expect(links(commit(text), { ...left, time: 1e9 })).toEqual([]);
    expect(links(commit(text), { ...left, session: 's', exchange: 1 })).toEqual([]);
    expect(links(said(text, { intent: 'conclusion' }), left)).toEqual([]);
    expect(links(commit('Committed: Paint docks'), open('Paint docks'))).toEqual([]);
    expect(settlesIn([commit(text)], [])).toEqual([]);
  });
});

describe('a task with a file of its own', () => {
  const left = open('Check the length of keys (.plan/todos/pending/2026-02-01-validator-bug.md)');

  it('is settled where its file is put to what is done, in whatever words', () => {
    expect(links(commit('Done: validator bug (.plan/todos/pending/2026-02-01-validator-bug.md)'), left)).toEqual([
      'c answers o settles',
    ]);
    expect(links(commit('Done: other bug (.plan/todos/pending/2026-02-01-other-bug.md)'), left)).toEqual([]);
    const told = said('Done: validator bug (.plan/todos/pending/2026-02-01-validator-bug.md)', { ref: 'c', line: 30 });
    expect(links(told, left)).toEqual([]);
  });

  it('is settled by its words as well, without those of the path', () => {
    expect(links(commit('Committed: check the length of keys'), left)).toEqual(['c answers o settles']);
  });
});
