import fs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/fixtures/temporary.ts';
import {
  changeFeedback,
  factorOf,
  factorParts,
  feedbackFactors,
  feedbackFile,
  forgetFeedback,
  type Learned,
  learn,
  readFeedback,
  unlearn,
  VERDICTS,
} from './feedback.ts';

const learned = (changed: Partial<Learned> = {}): Learned => ({ injected: 0, used: 0, at: '', ...changed });

describe('the factor of a memory', () => {
  it('is 1 for what nothing is known about', () => {
    expect(factorOf(undefined)).toBe(1);
    expect(factorOf(learned())).toBe(1);
    expect(factorParts(learned())).toEqual([]);
  });

  it('follows what the user said', () => {
    expect(factorOf(learned({ verdict: 'useful' }))).toBe(1.25);
    expect(factorOf(learned({ verdict: 'stale' }))).toBe(0.7);
    expect(factorOf(learned({ verdict: 'wrong' }))).toBe(0.5);
  });

  it('rises with use, and sinks a little for what is injected again and again for nothing', () => {
    const once = factorOf(learned({ injected: 1, used: 1 }));
    const often = factorOf(learned({ injected: 8, used: 8 }));
    const never = factorOf(learned({ injected: 10, used: 0 }));
    expect(once).toBeGreaterThan(1);
    expect(often).toBeGreaterThan(once);
    expect(never).toBeLessThan(1);
    expect(never).toBeGreaterThanOrEqual(0.9);
    expect(factorParts(learned({ injected: 10, used: 0 }))).toEqual([{ name: 'used 0 of 10 times', factor: never }]);
  });

  it('stays inside its bounds, and is the product of its parts there', () => {
    const any = fc.record({
      verdict: fc.option(fc.constantFrom(...VERDICTS), { nil: undefined }),
      injected: fc.nat(1_000_000),
      used: fc.nat(1_000_000),
    });
    fc.assert(
      fc.property(any, ({ verdict, injected, used }) => {
        const one = learned({ ...(verdict ? { verdict } : {}), injected, used: Math.min(injected, used) });
        const factor = factorOf(one);
        expect(factor).toBeGreaterThanOrEqual(0.5);
        expect(factor).toBeLessThanOrEqual(1.5);
        const product = factorParts(one).reduce((all, part) => all * part.factor, 1);
        expect(factor).toBeCloseTo(Math.min(1.5, Math.max(0.5, product)), 3);
      }),
    );
  });
});

describe('what was learned', () => {
  it('is kept, by project and ref, and can be taken back', async () => {
    const root = temporaryFolder();
    await changeFeedback(root, (data) => {
      learn(data, { project: '/p', ref: 'idea:1', at: 'now' }).verdict = 'useful';
      learn(data, { project: '__proto__', ref: '__proto__', at: 'now' }).injected = 3;
      data.judged.set('s', 'then');
    });
    const factor = feedbackFactors(readFeedback(root));
    expect(factor('idea:1', '/p')).toBe(1.25);
    expect(factor('idea:1', '/other')).toBe(1);
    expect(readFeedback(root).memories.get('__proto__')?.get('__proto__')?.injected).toBe(3);
    expect(readFeedback(root).judged.get('s')).toBe('then');
    expect(fs.statSync(feedbackFile(root)).mode & 0o777).toBe(0o600);
    expect(await changeFeedback(root, (data) => unlearn(data, '/p', 'idea:1'))).toBe(true);
    expect(feedbackFactors(readFeedback(root))('idea:1', '/p')).toBe(1);
    await forgetFeedback(root);
    expect(readFeedback(root).memories.size).toBe(0);
  });

  it('is not lost to writers at the same time', async () => {
    const root = temporaryFolder();
    const add = () => changeFeedback(root, (data) => learn(data, { project: '/p', ref: 'idea:1', at: '' }).injected++);
    await Promise.all(Array.from({ length: 12 }, add));
    expect(readFeedback(root).memories.get('/p')?.get('idea:1')?.injected).toBe(12);
  });

  it('stops at a file that cannot be read, which is the user’s to repair, and reads strange values as none', async () => {
    const root = temporaryFolder();
    fs.writeFileSync(feedbackFile(root), '{');
    await expect(changeFeedback(root, () => undefined)).rejects.toThrow('cannot be read');
    expect(fs.readFileSync(feedbackFile(root), 'utf8')).toBe('{');
    const strange = { '/p': { 'idea:1': { verdict: 'great', injected: -4, used: 1e300 }, 'idea:2': 3 }, q: 7 };
    fs.writeFileSync(feedbackFile(root), JSON.stringify({ memories: strange, judged: { a: 1 } }));
    expect(feedbackFactors(readFeedback(root))('idea:1', '/p')).toBe(1);
    expect(readFeedback(root).judged.size).toBe(0);
  });

  it('stays bounded: what a person said is kept longest', async () => {
    const root = temporaryFolder();
    await changeFeedback(root, (data) => {
      for (let at = 0; at < 6_000; at++)
        learn(data, { project: '/p', ref: `idea:${at}`, at: String(at).padStart(5, '0') });
      learn(data, { project: '/p', ref: 'idea:0', at: '00000' }).verdict = 'wrong';
    });
    const kept = readFeedback(root).memories.get('/p')!;
    expect(kept.size).toBe(5_000);
    expect(kept.get('idea:0')?.verdict).toBe('wrong');
    expect(kept.has('idea:500')).toBe(false);
    expect(kept.has('idea:5999')).toBe(true);
  });
});
