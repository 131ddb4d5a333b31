// Why something was injected, and what a person says of it, on the command line.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeFeedback, learn } from '../../src/learning/feedback.ts';
import { appendInjection } from '../../src/learning/injection-log.ts';
import { Cli } from '../fixtures/cli.ts';
import { sampleRecord } from '../fixtures/sample-records.ts';
import { put } from '../fixtures/temporary.ts';

const REF = 'record:decisions/cookies';
const ENV = { env: { CAIRN_EMBEDDINGS_PROVIDER: 'none' } };
let cli: Cli;

beforeEach(() => {
  cli = new Cli();
  put(path.join(cli.root, 'decisions', 'cookies.json'), sampleRecord('decision', { id: 'cookies' }));
});

const userRoot = (): string => path.join(cli.home, '.cairn');

function inject(ref: string, session: string, time = new Date().toISOString()): void {
  appendInjection(userRoot(), {
    time,
    event: 'UserPromptSubmit',
    session,
    project: cli.project,
    prompt: { hash: 'h', start: `about ${ref}` },
    entries: [
      { ref, project: cli.root, score: 0.5, relevance: 0.8, why: [{ strategy: 'keyword', rank: 2 }], tokens: 21 },
    ],
    tokens: 64,
  });
}

type Line = { ref: string; factor: number; verdict?: string };

describe('cairn why', () => {
  it('shows when, for which prompt, why and at what cost', async () => {
    inject(REF, 'one', '2026-05-01T10:00:00.000Z');
    inject('idea:7', 'two', '2026-05-01T10:05:00.000Z');
    const { out } = await cli.run(['why', REF]);
    expect(out).toContain('2026-05-01 10:00  1 memory, 64 tokens');
    expect(out).toContain(`about ${REF}`);
    expect(out).toContain('keyword #2, relevance 0.8, score 0.5, 21 tokens');
    expect(out).not.toContain('idea:7');
    expect((await cli.json<{ injections: unknown[] }>(['why', '--last', '5'])).injections.length).toBe(2);
    expect(await cli.json(['why', '--last'])).toMatchObject({ injections: [{ session: 'two' }] });
    expect(await cli.json(['why'])).toMatchObject({ injections: [{ session: 'two' }] });
    expect(await cli.json(['why', '--session', 'on'])).toMatchObject({ injections: [{ session: 'one' }] });
  });

  it('says what was learned of it since, and how that moves what is told', async () => {
    inject(REF, 'one', '2026-05-01T10:00:00.000Z');
    expect((await cli.run(['why', REF])).out).not.toContain('since then');
    await changeFeedback(userRoot(), (data) => {
      learn(data, { project: cli.root, ref: REF, at: '2026-05-01T10:00:00.000Z' }).injected = 3;
    });
    expect((await cli.run(['why', REF])).out).toContain(
      '\n    since then told unasked less (+0.2): shown 3 times, never used',
    );
    expect(await cli.json(['why', REF])).toMatchObject({
      injections: [{ entries: [{ ref: REF, learned: 'told unasked less (+0.2): shown 3 times, never used' }] }],
    });
    await cli.json(['feedback', REF, 'wrong'], ENV);
    expect((await cli.run(['why', REF])).out).toContain('since then told unasked no more: wrong');
  });

  it('says so where there is nothing to show, and asks what is meant', async () => {
    expect((await cli.run(['why', REF])).out).toContain('was not injected');
    expect((await cli.run(['why', '--last'])).out).toContain('Nothing was injected');
    expect((await cli.run(['why'])).out).toContain('Nothing was injected');
    expect((await cli.run(['why', '--last', 'x'])).exit).toBe(2);
  });
});

describe('cairn feedback', () => {
  it('moves later ranks, says how far, and can be taken back', async () => {
    const { memories: said } = await cli.json<{ memories: Line[] }>(['feedback', REF, 'wrong'], ENV);
    expect(said).toMatchObject([{ ref: REF, verdict: 'wrong', factor: 0.5 }]);
    const asked = ['remember', 'sign the session into a cookie', '--explain'];
    type Answer = { results: { ref: string; explain: { name: string; factor?: number }[] }[] };
    const answer = await cli.json<Answer>(asked, ENV);
    const hit = answer.results.find(({ ref }) => ref === REF);
    expect(hit?.explain).toContainEqual({ name: 'feedback', factor: 0.5 });
    expect((await cli.run(['feedback'], ENV)).out).toContain(
      `${REF}  rank × 0.5 (wrong × 0.5); told unasked no more: wrong`,
    );
    expect(said).toMatchObject([{ told_shift: 1 }]);
    expect((await cli.run(['feedback', REF, 'stale'], ENV)).out).toContain('; told unasked less (+0.2): stale');
    expect((await cli.run(['feedback', REF, 'useful'], ENV)).out).toContain('; told unasked more (-0.15): useful');
    await cli.json(['feedback', REF, 'wrong'], ENV);
    expect(await cli.json(['feedback', REF, '--reset'], ENV)).toMatchObject({ memories: [{ ref: REF, factor: 1 }] });
    const later = (await cli.json<Answer>(asked, ENV)).results.find(({ ref }) => ref === REF);
    expect(later?.explain.some(({ name }) => name === 'feedback')).toBe(false);
  });

  it('forgets everything when asked to', async () => {
    await cli.json(['feedback', REF, 'useful'], ENV);
    expect(fs.existsSync(path.join(userRoot(), 'feedback.json'))).toBe(true);
    expect((await cli.run(['feedback', '--reset-all'], ENV)).exit).toBe(0);
    expect(await cli.json(['feedback'], ENV)).toEqual({ memories: [] });
  });

  it('refuses what it cannot mean', async () => {
    for (const [exit, ...argv] of [
      [1, 'record:decisions/none', 'useful'],
      [2, REF, 'great'],
      [2, REF, 'useful', '--reset'],
      [2, '--reset'],
      [2, REF, '--reset-all'],
      [1, 'idea:unknown', '--reset'],
    ] as const)
      expect((await cli.run(['feedback', ...argv], ENV)).exit, argv.join(' ')).toBe(exit);
  });
});

describe('cairn stats', () => {
  it('sums up the tokens that were injected, by day', async () => {
    inject(REF, 'one');
    inject(REF, 'two');
    const { injected } = await cli.json<{ injected: { tokens: number; injections: number }[] }>(['stats'], ENV);
    expect(injected).toMatchObject([{ tokens: 128, injections: 2 }]);
    expect((await cli.run(['stats'], ENV)).out).toMatch(/Injected {2}128 tokens in 30 days; by day: \d\d-\d\d 128/);
  });
});
