import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TraceItem } from '../../model/trace.ts';
import { ideasOfEvent } from '../ideas/ideas-of-event.ts';
import { spanName, spanSummary } from './span-text.ts';
import { advance, FIRST_STATE, type OpenSpan, type SpanState } from './spans.ts';

const HOUR = 3_600_000;
type Step = TraceItem;

function user(text: string, line: number, time?: number): Step {
  return { kind: 'turn', role: 'user', text, line, time, message: undefined };
}
function assistant(text: string, line: number, time?: number): Step {
  return { kind: 'turn', role: 'assistant', text, line, time, message: undefined };
}

/** The spans at the end, by their first line. */
function spansOf(items: readonly Step[]): { start: number; end: number; depth: number; name: string }[] {
  let state: SpanState = FIRST_STATE;
  const rows = new Map<string, { start: number; end: number; depth: number; name: string }>();
  for (const item of items) {
    const next = advance(state, item, []);
    state = next.state;
    for (const { span, depth } of next.changed)
      rows.set(`${depth} ${span.start}`, { start: span.start, end: span.end, depth, name: spanName(span) });
  }
  return [...rows.values()].sort((a, b) => a.start - b.start || a.depth - b.depth);
}

const AUTH = [
  'Add login with tokens to the gateway',
  'The token check lives in the gateway middleware',
  'Refresh tokens need a rotation in redis',
  'The gateway now rotates refresh tokens',
];
const DOCS = [
  'Write the onboarding handbook chapter about vacation policy',
  'The handbook chapter on vacation is drafted',
];

function talk(texts: readonly string[], firstLine: number, time = 0): Step[] {
  return texts.map((text, at) =>
    at % 2 === 0 ? user(text, firstLine + at, time + at) : assistant(text, firstLine + at, time + at),
  );
}

describe('topics', () => {
  it('go on while the talk is about the same', () => {
    expect(spansOf(talk(AUTH, 1)).map((span) => [span.start, span.end])).toEqual([[1, 4]]);
  });

  it('end where the vocabulary changes', () => {
    expect(spansOf([...talk(AUTH, 1), ...talk(DOCS, 5)]).map((span) => span.start)).toEqual([1, 5]);
  });

  it('end where somebody says so', () => {
    const items = [...talk(AUTH.slice(0, 2), 1), user("Okay, let's move on to the payment page and its invoices", 3)];
    expect(spansOf(items).map((span) => span.start)).toEqual([1, 3]);
  });

  it('end after a long pause, a compaction, and a commit that is followed by something else', () => {
    const pause = [...talk(AUTH.slice(0, 2), 1), user('And the gateway tokens again', 3, 5 * HOUR)];
    const compaction = [
      ...talk(AUTH.slice(0, 2), 1),
      { kind: 'event', event: 'compaction', line: 3, time: 3 } as Step,
      user('The gateway tokens again', 4),
    ];
    const commit = [
      ...talk(AUTH.slice(0, 2), 1),
      { kind: 'event', event: 'commit', subject: 'x', line: 3, time: 3 } as Step,
      user('Now the invoice totals are rounded wrongly in the report', 4),
    ];
    for (const items of [pause, compaction, commit]) expect(spansOf(items)).toHaveLength(2);
    const sameAfterCommit = [
      ...talk(AUTH.slice(0, 2), 1),
      { kind: 'event', event: 'commit', subject: 'x', line: 3, time: 3 } as Step,
      user('The gateway login tokens need tests', 4),
    ];
    expect(spansOf(sameAfterCommit)).toHaveLength(1);
  });

  it('do not begin with what only goes on with the work, however late it is said', () => {
    for (const words of [
      'commit',
      'ok, push it',
      'Commit and update changelog',
      '[Request interrupted by user for tool use]',
    ]) {
      const late: Step = { ...user(words, 3), time: 3 + 9 * HOUR };
      expect(spansOf([...talk(AUTH.slice(0, 2), 1), late])).toHaveLength(1);
    }
    const pushed = [
      ...talk(AUTH.slice(0, 2), 1),
      { kind: 'event', event: 'commit', subject: 'x', line: 3, time: 3 } as Step,
      user('and push', 4),
      user('Now the invoice totals are rounded wrongly in the report', 5),
    ];
    expect(spansOf(pushed).map(({ start }) => start)).toEqual([1, 5]);
  });

  it('know what was answered and committed in them', () => {
    const event = { kind: 'event', event: 'commit', subject: 'Rotate tokens', line: 3, time: 3 } as const;
    let state = FIRST_STATE;
    for (const item of talk(AUTH.slice(0, 2), 1)) state = advance(state, item, []).state;
    const { changed } = advance(state, event, ideasOfEvent(event));
    expect(changed[0]?.span.said.conclusion).toEqual(['Committed: Rotate tokens']);
  });

  it('get parts when they are long', () => {
    const long = Array.from(
      { length: 14 },
      (_, at) => `The gateway login tokens step ${'abcdefghijklmn'[at]}lpha rotation redis`,
    );
    const items = [
      ...talk(long, 1),
      user('The gateway certificate renewal fails behind nginx proxies nightly', 15),
      assistant('Renewal of the certificate behind nginx is fixed', 16),
    ];
    expect(spansOf(items).map((span) => [span.start, span.depth])).toEqual([
      [1, 0],
      [15, 1],
    ]);
  });

  it('are the same whether the state was kept in memory or written down in between', () => {
    const text = fc.constantFrom(...AUTH, ...DOCS, 'ok', "let's move on to caching", 'thanks');
    const step = fc.oneof(
      fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), text, gap: fc.nat(5 * HOUR) }),
      fc.constantFrom('commit' as const, 'compaction' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let kept: SpanState = FIRST_STATE;
        let written: SpanState = FIRST_STATE;
        let time = 0;
        for (const [at, each] of steps.entries()) {
          const line = at + 1;
          if (typeof each !== 'string') time += each.gap;
          const item: Step =
            typeof each === 'string'
              ? ({ kind: 'event', event: each, subject: 's', line, time } as Step)
              : { kind: 'turn', role: each.role, text: each.text, line, time, message: undefined };
          const one = advance(kept, item, []);
          const two = advance(JSON.parse(JSON.stringify(written)) as SpanState, item, []);
          expect(JSON.stringify(two)).toBe(JSON.stringify(one));
          kept = one.state;
          written = two.state;
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('the text of a span', () => {
  const span = (prompt: string, more: Partial<OpenSpan> = {}): OpenSpan => ({
    start: 1,
    end: 1,
    startTime: undefined,
    endTime: undefined,
    turns: 1,
    words: { counts: { gateway: 3, token: 2 }, fresh: [] },
    prompt,
    said: {},
    files: [],
    ...more,
  });

  it.each([
    ['Can you please add login to the gateway? It must be fast.', 'Add login to the gateway?'],
    ['Implement the following plan:\n\n# Plan: Detect references\n\ntext', 'Detect references'],
    ['ok', 'Ok: gateway, token'],
    ['', 'Gateway, token'],
    ['This should be hidden', 'This should be hidden: gateway, token'],
    ['I think we should also update @docs/guides/auth/login.md now', 'Update login.md now'],
    ['I got this error [11:35:44.030] GET /api', 'I got this error'],
  ])('names %j', (prompt, name) => {
    expect(spanName(span(prompt))).toBe(name);
  });

  it('is named after its commit where the prompt says little', () => {
    const said = { conclusion: ['Committed: Rotate tokens on logout'] };
    expect(spanName(span('fix it', { said }))).toBe('Rotate tokens on logout');
    expect(spanName(span('Add login to the gateway', { said }))).toBe('Add login to the gateway');
  });

  it('sums up what was decided, found and left open', () => {
    const text = spanSummary(
      span('x', {
        said: { decision: ['Use redis'], question: ['Which port?'], solution: ['Restarted it'] },
        files: ['src/a.ts'],
      }),
    );
    expect(text).toBe(
      'About: gateway, token\nDecided: Use redis\nFound: Restarted it\nOpen: Which port?\nFiles: src/a.ts',
    );
  });

  it('stays short whatever was said', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 2_000 }),
        fc.array(fc.string({ maxLength: 500 }), { maxLength: 4 }),
        (prompt, said) => {
          const it = span(prompt, { said: { decision: said, todo: said } });
          expect([...spanName(it)].length).toBeLessThanOrEqual(72);
          expect([...spanSummary(it)].length).toBeLessThanOrEqual(900);
        },
      ),
    );
  });
});
