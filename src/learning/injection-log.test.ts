import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newFolder, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { appendInjection, type Injection, pruneInjections, readInjections, tokensByDay } from './injection-log.ts';

const injection = (changed: Partial<Injection> = {}): Injection => ({
  time: '2026-03-05T10:00:00.000Z',
  event: 'UserPromptSubmit',
  session: 's',
  project: '/p',
  prompt: { hash: 'h', start: 'how do we' },
  entries: [
    { ref: 'idea:1', project: '/p', score: 0.5, relevance: 0.9, why: [{ strategy: 'keyword', rank: 1 }], tokens: 20 },
  ],
  tokens: 60,
  ...changed,
});

const fileOf = (root: string, month: string): string => path.join(root, 'injections', `${month}.jsonl`);

describe('the log of injections', () => {
  it('gives back what was written, the newest first, over the borders of months', () => {
    const root = temporaryFolder();
    const times = ['2026-01-31T23:59:59.000Z', '2026-02-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z'];
    for (const time of times) appendInjection(root, injection({ time }));
    expect([...readInjections(root)].map(({ time }) => time)).toEqual([...times].reverse());
    expect([...readInjections(root)][0]).toEqual(injection({ time: times[2]! }));
    expect(fs.statSync(fileOf(root, '2026-02')).mode & 0o777).toBe(0o600);
  });

  it('loses no line to a writer that was killed in the middle of one', () => {
    const root = temporaryFolder();
    appendInjection(root, injection({ session: 'a' }));
    fs.appendFileSync(fileOf(root, '2026-03'), '{"time":"2026-03-05T1');
    appendInjection(root, injection({ session: 'b' }));
    expect([...readInjections(root)].map(({ session }) => session)).toEqual(['b', 'a']);
  });

  it('survives anything that somebody else writes into it', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json()), { maxLength: 8 }), (lines) => {
        const root = newFolder();
        try {
          fs.mkdirSync(path.join(root, 'injections'));
          fs.writeFileSync(fileOf(root, '2026-03'), lines.join('\n'));
          appendInjection(root, injection());
          const [first, ...rest] = readInjections(root);
          expect(first).toEqual(injection());
          for (const each of rest) expect(Number.isNaN(Date.parse(each.time))).toBe(false);
        } finally {
          fs.rmSync(root, { recursive: true });
        }
      }),
      { numRuns: 50 },
    );
  });

  it('is read from its end, and no further than asked', () => {
    const root = temporaryFolder();
    for (let at = 0; at < 50; at++) appendInjection(root, injection({ session: String(at) }));
    const few = [...readInjections(root, { maxBytes: 2_000 })];
    expect(few.length).toBeGreaterThan(1);
    expect(few.length).toBeLessThan(12);
    expect(few[0]?.session).toBe('49');
  });

  it('sums up the tokens of each day', () => {
    const root = temporaryFolder();
    const at = (day: number, hour: number) => new Date(2026, 2, day, hour).toISOString();
    for (const [day, hour, tokens] of [
      [1, 9, 5],
      [4, 1, 10],
      [4, 23, 20],
      [5, 12, 40],
    ] as const)
      appendInjection(root, injection({ time: at(day, hour), tokens }));
    expect(tokensByDay(root, new Date(2026, 2, 5, 18), 2)).toEqual([
      { day: '2026-03-04', tokens: 30, injections: 2 },
      { day: '2026-03-05', tokens: 40, injections: 1 },
    ]);
    expect(tokensByDay(temporaryFolder(), new Date(), 30)).toEqual([]);
  });

  it('forgets what is more than a year old', () => {
    const root = temporaryFolder();
    for (const time of ['2025-02-28T00:00:00.000Z', '2025-03-01T00:00:00.000Z'])
      appendInjection(root, injection({ time }));
    pruneInjections(root, new Date('2026-03-05T00:00:00Z'));
    expect([...readInjections(root)].map(({ time }) => time)).toEqual(['2025-03-01T00:00:00.000Z']);
  });
});
