// The ledger: what is counted, when it refuses, how long a model rests, and what a damaged file means.

import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newFolder, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { failureOf, llmSettings } from '../../test/llm/llm-settings.ts';
import { apiForTest } from '../../test/llm/scripted-api.ts';
import { localDay } from '../model/timestamp.ts';
import { endRests, openLedger, readLedger, useOn } from './ledger.ts';
import { type Llm, LlmError, type LlmFailure } from './llm.ts';
import { metered } from './metered.ts';
import { openLlm } from './open-llm.ts';

const LIMITS = { dailyCalls: 3, dailyTokens: 10_000 };
const REQUEST = { system: 's', prompt: 'p', maxTokens: 10 };
const SECOND = 1_000;

function clockAt(start = new Date(2026, 2, 10, 12)) {
  let time = start.getTime();
  return { now: () => new Date(time), pass: (ms: number) => (time += ms) };
}

/** A model that fails or answers as it is told. */
function scripted(...steps: (LlmFailure | LlmError | 'ok')[]): Llm & { calls: number } {
  const llm = {
    name: 'test:one',
    calls: 0,
    async complete() {
      const step = steps[Math.min(llm.calls, steps.length - 1)]!;
      llm.calls += 1;
      if (step === 'ok') return { text: 'hello', tokensIn: 30, tokensOut: 12 };
      throw step instanceof LlmError ? step : new LlmError(step, `it is ${step}`);
    },
  };
  return llm;
}

function meteredIn(folder: string, llm: Llm, limits = LIMITS) {
  const clock = clockAt();
  const file = path.join(folder, 'home', 'ledger.json');
  return { clock, file, model: metered(llm, openLedger(file, clock.now), limits) };
}

describe('the ledger', () => {
  it('counts calls, tokens and failures by day and model', async () => {
    const { model, file, clock } = meteredIn(temporaryFolder(), scripted('ok', 'refused', 'ok'));
    await model.complete(REQUEST);
    await failureOf(model.complete(REQUEST));
    clock.pass(24 * 3_600 * SECOND);
    await model.complete(REQUEST);
    const reading = readLedger(file);
    expect([...reading.days.keys()]).toEqual(['2026-03-10', '2026-03-11']);
    expect(reading.days.get('2026-03-10')?.get('test:one')).toEqual({
      calls: 2,
      failures: 1,
      tokensIn: 30,
      tokensOut: 12,
      reserved: 0,
    });
    expect(useOn(reading, '2026-03-11').calls).toBe(1);
    expect(useOn(reading, '2025-01-01').calls).toBe(0);
  });

  it('is private to its user', async () => {
    const { model, file } = meteredIn(temporaryFolder(), scripted('ok'));
    await model.complete(REQUEST);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  });

  it('takes the day from the clock on the wall', () => {
    expect(localDay(new Date(2026, 0, 5, 0, 0, 1))).toBe('2026-01-05');
    expect(localDay(new Date(2026, 11, 31, 23, 59, 59))).toBe('2026-12-31');
  });

  it('refuses the call past the ceiling of calls before it is made, and allows it the next day', async () => {
    const llm = scripted('ok');
    const { model, clock } = meteredIn(temporaryFolder(), llm);
    for (let call = 0; call < 3; call++) await model.complete(REQUEST);
    const error = await failureOf(model.complete(REQUEST));
    expect(error).toMatchObject({ failure: 'ceiling', code: 'LIMIT_ERROR' });
    expect(error.message).toContain('llm.daily_calls is 3');
    expect(llm.calls).toBe(3);
    clock.pass(24 * 3_600 * SECOND);
    await model.complete(REQUEST);
  });

  it('refuses a call whose worst case would pass the ceiling of tokens', async () => {
    const llm = scripted('ok');
    const { model } = meteredIn(temporaryFolder(), llm, { dailyCalls: 100, dailyTokens: 100 });
    await model.complete(REQUEST); // costs 42
    await model.complete({ ...REQUEST, maxTokens: 40 }); // 84
    const error = await failureOf(model.complete({ ...REQUEST, maxTokens: 40 }));
    expect(error.message).toContain('llm.daily_tokens is 100');
    expect(llm.calls).toBe(2);
  });

  it('makes no call at all where the limit is 0', async () => {
    const llm = scripted('ok');
    for (const limits of [
      { dailyCalls: 0, dailyTokens: 1_000 },
      { dailyCalls: 10, dailyTokens: 0 },
    ])
      await failureOf(meteredIn(temporaryFolder(), llm, limits).model.complete(REQUEST));
    expect(llm.calls).toBe(0);
  });

  it('counts a call whose process died', async () => {
    const { model, file, clock } = meteredIn(temporaryFolder(), scripted('ok'), { dailyCalls: 2, dailyTokens: 5_000 });
    await openLedger(file, clock.now).reserve('test:one', 4_000, { dailyCalls: 2, dailyTokens: 5_000 });
    expect(useOn(readLedger(file), '2026-03-10')).toMatchObject({ calls: 1, reserved: 4_000 });
    const error = await failureOf(model.complete({ ...REQUEST, maxTokens: 2_000 }));
    expect(error.message).toContain('llm.daily_tokens');
    await model.complete(REQUEST);
    expect(await failureOf(model.complete(REQUEST))).toMatchObject({ failure: 'ceiling' });
  });

  it('counts what was reserved where nobody can tell the cost', async () => {
    const { model, file } = meteredIn(temporaryFolder(), scripted('timeout'));
    await failureOf(model.complete({ ...REQUEST, maxTokens: 500 }));
    expect(useOn(readLedger(file), '2026-03-10').tokensIn).toBeGreaterThan(500);
  });

  it.each([
    '{',
    '[]',
    '{"version":2,"days":{},"resting":{}}',
    '{"version":1,"days":{"2026-03-10":{"a":{"calls":-1}}},"resting":{}}',
    '{"version":1,"days":{"2026-03-10":{"a":7}},"resting":{}}',
    '{"version":1,"days":{},"resting":{"a":{"until":"x"}}}',
    '',
  ])('makes no call while the file is damaged, and says what to do: %s', async (content) => {
    const llm = scripted('ok');
    const { model, file } = meteredIn(temporaryFolder(), llm);
    fs.mkdirSync(path.dirname(file));
    fs.writeFileSync(file, content);
    await expect(model.complete(REQUEST)).rejects.toMatchObject({
      code: 'READ_ERROR',
      fix: expect.stringContaining(file),
    });
    expect(llm.calls).toBe(0);
    expect(fs.readFileSync(file, 'utf8')).toBe(content);
    fs.rmSync(file);
    await model.complete(REQUEST);
  });

  it('gives the answer even if the ledger is damaged while it comes', async () => {
    const folder = temporaryFolder();
    const llm = scripted('ok');
    const { model, file } = meteredIn(folder, {
      ...llm,
      complete: (request) => {
        fs.writeFileSync(file, 'broken');
        return llm.complete(request);
      },
    });
    expect((await model.complete(REQUEST)).text).toBe('hello');
    await expect(model.complete(REQUEST)).rejects.toMatchObject({ code: 'READ_ERROR' });
  });

  it('keeps a bounded number of days', async () => {
    const { model, file, clock } = meteredIn(temporaryFolder(), scripted('ok'));
    await model.complete(REQUEST);
    const value = JSON.parse(fs.readFileSync(file, 'utf8'));
    for (let at = 0; at < 500; at++) value.days[localDay(new Date(2024, 0, 1 + at))] = value.days['2026-03-10'];
    fs.writeFileSync(file, JSON.stringify(value));
    clock.pass(1);
    await model.complete(REQUEST);
    const days = [...readLedger(file).days.keys()];
    expect(days).toHaveLength(400);
    expect(days.at(-1)).toBe('2026-03-10');
  });

  it('never lets the sum of calls or tokens pass the limits, whatever calls cost and however they end', async () => {
    const step = fc.record({
      tokens: fc.nat(400),
      used: fc.double({ min: 0, max: 1, noNaN: true }),
      dies: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.nat(8),
        fc.nat(1_500),
        async (steps, dailyCalls, dailyTokens) => {
          const folder = newFolder();
          try {
            const file = path.join(folder, 'ledger.json');
            const ledger = openLedger(file, clockAt().now);
            for (const { tokens, used, dies } of steps) {
              const reservation = await ledger.reserve('m', tokens, { dailyCalls, dailyTokens }).catch(() => undefined);
              if (reservation && !dies) {
                const tokensIn = Math.floor(tokens * used);
                await ledger.settle(reservation, { tokensIn, tokensOut: 0, failed: false, rest: undefined });
              }
              const { calls, tokensIn, tokensOut, reserved } = useOn(readLedger(file), '2026-03-10');
              expect(calls).toBeLessThanOrEqual(dailyCalls);
              expect(tokensIn + tokensOut + reserved).toBeLessThanOrEqual(dailyTokens);
            }
          } finally {
            fs.rmSync(folder, { recursive: true, force: true });
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('a model that fails', () => {
  const wide = { dailyCalls: 1_000, dailyTokens: 10_000_000 };

  it('rests, longer each time, and the next process respects it', async () => {
    const llm = scripted('unavailable');
    const { model, clock, file } = meteredIn(temporaryFolder(), llm, wide);
    const rests: number[] = [];
    for (let round = 0; round < 12; round++) {
      await failureOf(model.complete(REQUEST));
      const resting = await failureOf(metered(llm, openLedger(file, clock.now), wide).complete(REQUEST));
      expect(resting).toMatchObject({ failure: 'resting', code: 'LIMIT_ERROR' });
      rests.push(resting.retryAfterMs!);
      clock.pass(resting.retryAfterMs!);
    }
    expect(llm.calls).toBe(12);
    expect(rests.slice(0, 4)).toEqual([15, 30, 60, 120].map((seconds) => seconds * SECOND));
    expect(rests.at(-1)).toBe(3_600 * SECOND);
  });

  it('rests at least as long as the service asks', async () => {
    const busy = new LlmError('busy', 'too many requests', { retryAfterMs: 600 * SECOND });
    const { model } = meteredIn(temporaryFolder(), scripted(busy), wide);
    await failureOf(model.complete(REQUEST));
    expect((await failureOf(model.complete(REQUEST))).retryAfterMs).toBe(600 * SECOND);
  });

  it.each(['refused', 'cut', 'garbage', 'rejected'] as const)(
    'does not rest after %s: it is there',
    async (failure) => {
      const llm = scripted(failure);
      const { model } = meteredIn(temporaryFolder(), llm, wide);
      for (let call = 0; call < 3; call++) expect(await failureOf(model.complete(REQUEST))).toMatchObject({ failure });
      expect(llm.calls).toBe(3);
    },
  );

  it('is well again after one answer', async () => {
    const { model, clock, file } = meteredIn(temporaryFolder(), scripted('busy', 'busy', 'ok', 'busy'), wide);
    await failureOf(model.complete(REQUEST));
    clock.pass(20 * SECOND);
    await failureOf(model.complete(REQUEST));
    clock.pass(40 * SECOND);
    await model.complete(REQUEST);
    expect(readLedger(file).resting.size).toBe(0);
    await failureOf(model.complete(REQUEST));
    expect((await failureOf(model.complete(REQUEST))).retryAfterMs).toBe(15 * SECOND);
  });

  it('may be tried again at once when a person says so', async () => {
    const llm = scripted('setup', 'ok');
    const { model, file } = meteredIn(temporaryFolder(), llm, wide);
    await failureOf(model.complete(REQUEST));
    await failureOf(model.complete(REQUEST));
    await endRests(file);
    expect((await model.complete(REQUEST)).text).toBe('hello');
  });

  it('does not rest for years because a clock was set back', async () => {
    const { model, clock } = meteredIn(temporaryFolder(), scripted('busy', 'ok'), wide);
    await failureOf(model.complete(REQUEST));
    clock.pass(-365 * 24 * 3_600 * SECOND);
    await model.complete(REQUEST);
  });
});

describe('opening a model', () => {
  const options = (folder: string) => ({
    env: { ANTHROPIC_API_KEY: 'key' },
    ledgerFile: path.join(folder, 'ledger.json'),
    now: () => new Date(),
  });

  it('opens none where none is wanted, and touches nothing', async () => {
    const folder = temporaryFolder();
    expect(await openLlm(llmSettings({ provider: 'none', base_url: 'nonsense' }), options(folder))).toBeUndefined();
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('puts the ledger around the provider', async () => {
    const folder = temporaryFolder();
    const api = await apiForTest([{ say: 'hello' }]);
    const llm = await openLlm(llmSettings({ base_url: api.url, daily_calls: 1 }), options(folder));
    expect((await llm!.complete(REQUEST)).text).toBe('hello');
    expect(await failureOf(llm!.complete(REQUEST))).toMatchObject({ failure: 'ceiling' });
    expect(api.requests).toHaveLength(1);
  });

  it('refuses settings that cannot work', async () => {
    const opening = (changes: object) => openLlm(llmSettings(changes), options(temporaryFolder()));
    await expect(opening({ base_url: 'http://models.example' })).rejects.toMatchObject({ code: 'CONFIG_ERROR' });
    await expect(opening({ provider: 'claude', base_url: 'https://models.example' })).rejects.toMatchObject({
      code: 'CONFIG_ERROR',
    });
    await expect(opening({ provider: 'openai' })).rejects.toMatchObject({ code: 'CONFIG_ERROR' });
  });
});
