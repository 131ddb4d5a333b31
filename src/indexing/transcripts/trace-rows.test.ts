import { describe, expect, it } from 'vitest';
import type { TraceItem } from '../../model/trace.ts';
import type { Change } from '../../store/store.ts';
import { FIRST_TRACE_STATE, rowsOf, type TracePlace, type TraceState } from './trace-rows.ts';

const PLACE: TracePlace = { project: 'p', session: 's', thread: 's', file: '/t/s.jsonl' };
const at = (line: number) => ({ kind: 'event', line, time: line * 1_000 }) as const;
const answer = (line: number, question: string, answer: string): TraceItem => ({
  ...at(line),
  event: 'answer',
  question,
  answer,
});

type Put = Extract<Change, { op: 'put' }>;
async function putsOf(items: readonly TraceItem[]): Promise<Put[]> {
  let state: TraceState = FIRST_TRACE_STATE;
  const puts: Put[] = [];
  for (const item of items) {
    const rows = await rowsOf(state, item, PLACE, async () => []);
    state = JSON.parse(JSON.stringify(rows.state)) as TraceState;
    for (const change of rows.ideas) if (change.op === 'put') puts.push(change);
  }
  return puts;
}

describe('rows of a conversation', () => {
  it('every answer on a line is tied to its own question', async () => {
    const puts = await putsOf([
      answer(4, 'Which database should we use?', 'SQLite'),
      answer(4, 'Which database port should we use?', 'None'),
      answer(4, 'Which region?', 'Frankfurt'),
    ]);
    expect(new Set(puts.map(({ document }) => document.ref)).size).toBe(6);
    for (let pair = 0; pair < 6; pair += 2) {
      expect(puts[pair]?.document.kind).toBe('question');
      expect(puts[pair + 1]?.document.kind).toBe('decision');
      expect(puts[pair + 1]?.links).toContainEqual({
        to: puts[pair]?.document.ref,
        relation: 'answers',
        confidence: 1,
        rule: 'asked-and-answered',
      });
    }
  });

  it('a statement knows the branch it was made on, if there was one', async () => {
    const item: TraceItem = { ...at(3), event: 'commit', subject: 'Keep sessions in Redis' };
    const metaOn = async (branch: string | undefined): Promise<unknown> => {
      const { ideas } = await rowsOf(FIRST_TRACE_STATE, item, { ...PLACE, branch }, async () => []);
      return ideas[0]?.op === 'put' ? ideas[0].document.meta?.branch : undefined;
    };
    expect(await metaOn('feature/a')).toBe('feature/a');
    expect(await metaOn('HEAD')).toBeUndefined();
    expect(await metaOn(undefined)).toBeUndefined();
  });

  it('all that happened in one line has a row of its own', async () => {
    const puts = await putsOf([
      { kind: 'turn', role: 'assistant', text: 'The gateway drops tokens.', line: 2, time: 1, message: undefined },
      { ...at(2), event: 'todo', text: 'Rotate the tokens', state: 'pending' },
      { ...at(2), event: 'todo', text: 'Write a test', state: 'pending' },
      { ...at(2), event: 'commit', subject: 'Keep tokens' },
    ]);
    expect(new Set(puts.map(({ document }) => document.ref)).size).toBe(4);
  });

  it('a task that is settled later says so, under the same name', async () => {
    const puts = await putsOf([
      { ...at(2), event: 'todo', text: 'Rotate the tokens', state: 'pending' },
      { ...at(2), event: 'todo', text: 'Write a test', state: 'pending' },
      { ...at(9), event: 'todo', text: 'Write a test', state: 'completed' },
      { ...at(9), event: 'todo', text: 'Never named before', state: 'completed' },
    ]);
    expect(puts.map(({ document }) => [document.text, document.status, document.source?.line])).toEqual([
      ['Rotate the tokens', 'active', 2],
      ['Write a test', 'active', 2],
      ['Write a test', 'done', 2],
    ]);
    expect(puts[2]?.document.ref).toBe(puts[1]?.document.ref);
    expect(puts[2]?.document.createdAt).toBe(puts[1]?.document.createdAt);
  });
});
