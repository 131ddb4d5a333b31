import { describe, expect, it } from 'vitest';
import type { TraceItem } from '../../model/trace.ts';
import { claudeCode } from './reader.ts';

type Line = { [field: string]: unknown };

/** What is told, without kind, time and message. */
function told(lines: readonly Line[], file = '/p/5c1f0e52-7f8e-4f0b-9b51-2d3a6c6e8a01.jsonl'): Line[] {
  let state = claudeCode.start(file);
  const items: TraceItem[] = [];
  for (const [index, line] of lines.entries()) {
    const result = claudeCode.read(state, { number: index + 1, text: JSON.stringify(line) });
    state = JSON.parse(JSON.stringify(result.state));
    items.push(...result.items);
  }
  return items.map(({ kind, time, ...rest }) => {
    const { message: _, ...own } = rest as Line;
    return own;
  });
}

let answers = 0;
const user = (content: unknown, more: Line = {}): Line => ({ type: 'user', message: { content }, ...more });
const says = (words: string, more: Line = {}): Line => ({
  type: 'assistant',
  message: { id: `m${++answers}`, content: [{ type: 'text', text: words }] },
  ...more,
});
const calls = (name: string, more: Line = {}): Line => ({
  type: 'assistant',
  message: { id: `m${++answers}`, content: [{ type: 'tool_use', id: `t${answers}`, name, input: {} }] },
  ...more,
});
const result: Line = user([{ type: 'tool_result', tool_use_id: 'x', content: 'y' }]);

describe('that work went on', () => {
  const works = (...lines: Line[]): unknown[] =>
    told(lines).flatMap(({ event, line }) => (event === 'work' ? [line] : []));

  it('is told once after words, however many tools follow', () => {
    expect(works(says('I look.'), calls('Grep'), result, calls('Glob'), result, says('Aha.'), calls('Grep'))).toEqual([
      2, 7,
    ]);
  });

  it('is told behind the words of the same line', () => {
    const both = {
      type: 'assistant',
      message: {
        id: 'b',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 't', name: 'Read', input: { file_path: 'a.ts' } },
        ],
      },
    };
    expect(told([both])).toMatchObject([{ text: 'I look.' }, { event: 'work' }, { event: 'files' }]);
  });

  it('is not told where nothing was said before, or a turn has ended since', () => {
    expect(works(user('Fix it'), calls('Grep'))).toEqual([]);
    expect(works(says('Done.'), user('And this?'), calls('Grep'))).toEqual([]);
    expect(works(says('Done.'), user('<task-notification>x</task-notification>'), calls('Grep'))).toEqual([]);
    expect(works(says('Done.'), user('<command-name>/x</command-name>'), calls('Grep'))).toEqual([]);
  });

  it('is told of a side chain in its own file only, as the work of a subagent', () => {
    const lines = [says('I look.', { isSidechain: true }), calls('Grep', { isSidechain: true })];
    expect(told(lines)).toEqual([]);
    expect(told(lines, '/p/s/subagents/agent-a1.jsonl').at(-1)).toEqual({
      event: 'work',
      speaker: 'subagent',
      line: 2,
    });
  });

  it('is also told by the calls of the oldest transcripts', () => {
    expect(works({ type: 'assistant', content: 'I look.' }, { type: 'tool_use', name: 'Grep' })).toEqual([2]);
  });
});

describe('the summary of a compaction', () => {
  const boundary: Line = { type: 'system', subtype: 'compact_boundary' };
  const opening = 'This session is being continued from a previous conversation that ran out of context.';
  const summary = (words: string): Line =>
    user(`${opening} The summary below covers it.\n\n${words}`, { isCompactSummary: true });

  it('is told with the border, at its own line', () => {
    expect(told([user('a'), boundary, summary('Summary:\n1. Intent: caches'), user('b')])).toMatchObject([
      { text: 'a' },
      { event: 'compaction', summary: '1. Intent: caches', line: 3 },
      { text: 'b' },
    ]);
  });

  it('is without the frame of the client and the thoughts of the model', () => {
    const words = [
      '<system-reminder>x</system-reminder>Analysis:',
      'Let me think.',
      '',
      'Summary:',
      '1. Intent: caches',
      '   - "Continue the conversation from where we were"',
      ...Array.from({ length: 60 }, (_, at) => `${at}. something that was done about the caches`),
      '',
      'If you need specific details from before compaction, read the full transcript at: /p/x.jsonl',
      'Continue the conversation from where it left off without asking the user any further questions.',
    ].join('\n');
    const [item] = told([boundary, summary(words)]);
    expect(item?.summary).toMatch(
      /^1\. Intent: caches\n {3}- "Continue[\s\S]*\n59\. something that was done about the caches$/,
    );
    expect(told([summary('<analysis>x</analysis>\n<summary>\nShort\n</summary>')])).toMatchObject([
      { summary: 'Short' },
    ]);
  });

  it('is bounded', () => {
    const [item] = told([summary('word '.repeat(20_000))]);
    expect(String(item?.summary).length).toBeLessThanOrEqual(40_000);
  });

  it('may never come: the border is told before what is said next, and before the next border', () => {
    expect(told([boundary, user('a')])).toMatchObject([{ event: 'compaction', line: 1 }, { text: 'a' }]);
    expect(told([boundary, says('a')])).toMatchObject([{ event: 'compaction', line: 1 }, { text: 'a' }]);
    expect(told([boundary, boundary, summary('b')])).toMatchObject([
      { event: 'compaction', line: 1 },
      { event: 'compaction', line: 3, summary: 'b' },
    ]);
  });
});

describe('the title of a conversation', () => {
  const ai = (aiTitle: string): Line => ({ type: 'ai-title', aiTitle, sessionId: 's' });
  const own = (customTitle: string): Line => ({ type: 'custom-title', customTitle, sessionId: 's' });
  const old = (summary: string, leafUuid: string): Line => ({ type: 'summary', summary, leafUuid });
  const titles = (...lines: Line[]): unknown[] => told(lines).filter(({ event }) => event === 'title');

  it('comes from its user or from the client, and is told when it is new', () => {
    expect(titles(ai('Slow caches'), ai('Slow caches'), own('Caches'), ai('Slow caches'), ai('Fast caches'))).toEqual([
      { event: 'title', text: 'Slow caches', by: 'client', line: 1 },
      { event: 'title', text: 'Caches', by: 'user', line: 3 },
      { event: 'title', text: 'Fast caches', by: 'client', line: 5 },
    ]);
  });

  it('may be the summary of older versions, before or behind the line that it is about', () => {
    const expected = { event: 'title', text: 'Slow caches', by: 'client' };
    expect(titles(old('Slow caches', 'u2'), user('a', { uuid: 'u1' }), says('b', { uuid: 'u2' }))).toEqual([
      { ...expected, line: 1 },
    ]);
    expect(titles(user('a', { uuid: 'u1' }), says('b', { uuid: 'u2' }), old('Slow caches', 'u2'))).toEqual([
      { ...expected, line: 3 },
    ]);
  });

  it('is no summary of another conversation, and no error in place of one', () => {
    expect(titles(old('Another one', 'u9'), user('a', { uuid: 'u1' }), old('Another one', 'u9'))).toEqual([]);
    expect(titles(ai('API Error: 529'), ai(' '))).toEqual([]);
  });

  it('makes no conversation out of a file that holds only such summaries', () => {
    const state = claudeCode.start('/p/x.jsonl');
    const text = JSON.stringify(old('Another one', 'u9'));
    expect(claudeCode.read(state, { number: 1, text }).head).toBeUndefined();
  });
});
