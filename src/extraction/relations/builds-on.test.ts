import { describe, expect, it } from 'vitest';
import { event, said, typed } from '../../../test/fixtures/statements.ts';
import { implementationsIn, takesUp } from './builds-on.ts';
import type { Statement } from './statement.ts';

describe('a change carries out a decision of its topic', () => {
  const decision = (more: Partial<Statement> = {}): Statement =>
    typed('The berth map of the harbour is drawn as vectors', { intent: 'decision', line: 3, ref: 'd', ...more });
  const change = (more: Partial<Statement> = {}): Statement =>
    said('The berth map of the harbour is now drawn as vectors on a canvas.', {
      intent: 'solution',
      isWork: true,
      line: 20,
      ref: 'c',
      ...more,
    });
  const links = (exchange: readonly Statement[], before: readonly Statement[] = []): string[] =>
    implementationsIn(exchange, before).map(({ from, to, relation, rule }) => `${from} ${relation} ${to} ${rule}`);

  it('of the user, or one that was answered', () => {
    expect(links([decision(), change()])).toEqual(['c builds_on d carries-out']);
    expect(implementationsIn([decision(), change()], [])[0]?.confidence).toBe(0.9);
    expect(links([change({ exchange: 2 })], [decision()])).toEqual(['c builds_on d carries-out']);
    const commit = event('Committed: Draw the berth map of the harbour as vectors', { line: 20, ref: 'c' });
    expect(links([decision(), commit])).toEqual(['c builds_on d carries-out']);
  });

  it.each([
    ['the agent decided', decision({ role: 'assistant', place: 'final' }), change()],
    ['it is only kept for search', decision({ searchOnly: true }), change()],
    ['it is a finding', decision({ intent: 'conclusion' }), change()],
    ['it is of another topic', decision({ topic: 9 }), change()],
    ['it came later', decision({ line: 30 }), change()],
    ['it is about something else', decision({ text: 'The fuel dock is painted yellow', entities: [] }), change()],
    ['nothing was done', decision(), said(change().text, { intent: 'solution', line: 20 })],
    ['the change is narration', decision(), change({ place: 'between' })],
  ])('not where %s', (_, one, other) => {
    expect(links([one, other])).toEqual([]);
  });

  it('the nearest of several', () => {
    expect(links([decision({ text: 'The berth map of the harbour is grey', ref: 'e' }), decision(), change()])).toEqual(
      ['c builds_on d carries-out'],
    );
  });
});

describe('a change takes up what an earlier conversation brought in', () => {
  const THEN = { session: 'then', line: 5, time: 1, exchange: -1 } as const;
  const old = (text: string, more: Partial<Statement> = {}): Statement =>
    said(text, { intent: 'solution', ...THEN, ...more });
  const now = (text: string, more: Partial<Statement> = {}): Statement =>
    said(text, { intent: 'solution', isWork: true, ...more });
  const added = old('map.ts: Added a new helper `berthOutline()` for the map.');
  const used = now('map.ts: `berthOutline()` rounds its corners now.');

  it('by its name, in its file or in its words', () => {
    expect(takesUp(used, added)).toMatchObject({ rule: 'takes-up', confidence: 0.7 });
    expect(
      takesUp(
        now('`berthOutline()` gets its corners, colours and shadows from the theme.'),
        old('New `berthOutline()` beside lamps, ropes, boats and a pier of stone.', { entities: [] }),
      ),
    ).toBeUndefined();
    expect(
      takesUp(
        now('The outline of each berth in `berthOutline()` is round.'),
        old('Added `berthOutline()`: the outline of each berth.'),
      )?.rule,
    ).toBe('takes-up');
  });

  it('below new files what stands first behind the file came with it; what is called is meant before all else', () => {
    const file = old('New files (4): **`src/map.ts`** — `berthOutline()` draws the outline of each berth');
    const calls = now('Added a call to `berthOutline(map, 2)` behind `pierOutline()` in map.ts.');
    expect(takesUp(calls, file)).toMatchObject({ rule: 'takes-up', confidence: 0.8 });
    expect(takesUp(calls, { ...file, text: file.text.replace('New files', 'Files') })).toBeUndefined();
  });

  it.each([
    ['it was only mentioned', used, old('map.ts: The page calls `berthOutline()` twice.')],
    ['the later one brings it in too', now('map.ts: Added `berthOutline()` again.'), added],
    ['it is the same conversation', used, { ...added, session: 's' }],
    ['nothing was done', said('map.ts: `berthOutline()` rounds its corners now.', { intent: 'solution' }), added],
    ['it is a finding', used, { ...added, intent: 'conclusion' }],
    ['it is only kept for search', used, { ...added, searchOnly: true }],
    ['it is taken away', now('map.ts: `berthOutline()` was removed.'), added],
    ['it replaced something then', used, old('map.ts: Added `berthOutline()` instead of the square.')],
    ['it is another name', now('map.ts: `pierOutline()` rounds its corners now.'), added],
  ] as [string, Statement, Statement][])('not where %s', (_, statement, other) => {
    expect(takesUp(statement, other)).toBeUndefined();
  });
});
