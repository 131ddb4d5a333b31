// What models have cost, day by day, and whether the next call is allowed. The ceiling is checked and the call counted in one
// step under a lock, before it is made: two processes never pass the ceiling together, and a call whose process died counts.
// After failures a model rests, longer each time; that is kept here too, so that the next process respects it.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { parseJsonObject, readText } from '../files/json-file.ts';
import { removeLockRemains, withLock } from '../files/lock.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import { localDay } from '../model/timestamp.ts';
import { LlmError } from './llm.ts';

export type LedgerUse = {
  readonly calls: number;
  readonly failures: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Held for calls that are under way, or whose process died. They count against the ceiling. */
  readonly reserved: number;
};

export type Rest = {
  readonly failures: number /** Milliseconds since 1970. */;
  readonly until: number;
  readonly why: string;
};

/** By local day (`2026-11-15`), then by `provider:model`; and who is left alone until when. */
export type LedgerReading = {
  readonly days: ReadonlyMap<string, ReadonlyMap<string, LedgerUse>>;
  readonly resting: ReadonlyMap<string, Rest>;
};

export type LedgerLimits = { readonly dailyCalls: number; readonly dailyTokens: number };
export type Reservation = { readonly day: string; readonly name: string; readonly tokens: number };

export type Outcome = {
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly failed: boolean;
  /** The model shall rest: why, and for at least how long. `undefined`: it is well. `'as-before'`: this call tells nothing. */
  readonly rest: { readonly why: string; readonly atLeastMs?: number } | 'as-before' | undefined;
};

export type Ledger = {
  readonly file: string;
  /** Throws LlmError `ceiling` or `resting`; otherwise the call is counted and its tokens are held. */
  reserve(name: string, tokens: number, limits: LedgerLimits): Promise<Reservation>;
  settle(reservation: Reservation, outcome: Outcome): Promise<void>;
};

const VERSION = 1;
const KEPT_DAYS = 400;
const FIRST_REST_MS = 15_000;
const LONGEST_REST_MS = 3_600_000;
const SETTLE_WAIT_MS = 30_000;
const NOTHING: LedgerUse = { calls: 0, failures: 0, tokensIn: 0, tokensOut: 0, reserved: 0 };

/** All models of one day together. */
export function useOn(reading: LedgerReading, day: string): LedgerUse {
  let sum = NOTHING;
  for (const use of reading.days.get(day)?.values() ?? []) sum = add(sum, use);
  return sum;
}

/** A missing file is an empty ledger. One that cannot be read is an error: to guess could cost money. */
export function readLedger(file: string): LedgerReading {
  const damaged = (cause?: unknown): CairnError =>
    new CairnError(
      'READ_ERROR',
      `${file} counts the calls of models and cannot be read; no call is made until it can.`,
      {
        fix: `Repair or remove ${file}. Without it, the count of today starts again at 0.`,
        ...(cause === undefined ? {} : { cause }),
      },
    );
  let value: JsonObject;
  try {
    const text = readText(file);
    if (text === undefined) return { days: new Map(), resting: new Map() };
    value = parseJsonObject(text, file);
  } catch (error) {
    throw damaged(error);
  }
  const { version, days, resting } = value;
  if (version !== VERSION || !isObject(days) || !isObject(resting)) throw damaged();
  const read = <T>(from: JsonObject, one: (value: unknown) => T | undefined): Map<string, T> =>
    new Map(
      Object.entries(from).map(([key, each]) => {
        const item = one(each);
        if (item === undefined) throw damaged();
        return [key, item];
      }),
    );
  return {
    days: read(days, (day) => (isObject(day) ? read(day, readUse) : undefined)),
    resting: read(resting, readRest),
  };
}

function readUse(value: unknown): LedgerUse | undefined {
  if (!isObject(value)) return undefined;
  const { calls, failures, tokens_in: tokensIn, tokens_out: tokensOut, reserved } = value;
  const use = { calls, failures, tokensIn, tokensOut, reserved };
  const sound = Object.values(use).every((count) => Number.isSafeInteger(count) && Number(count) >= 0);
  return sound ? (use as LedgerUse) : undefined;
}

function readRest(value: unknown): Rest | undefined {
  if (!isObject(value)) return undefined;
  const { failures, until, why } = value;
  const sound = Number.isSafeInteger(failures) && Number.isSafeInteger(until) && typeof why === 'string';
  return sound ? { failures: Number(failures), until: Number(until), why: String(why) } : undefined;
}

export function openLedger(file: string, now: () => Date): Ledger {
  return {
    file,
    reserve: (name, tokens, limits) =>
      change(file, (reading) => {
        const day = localDay(now());
        checkRest(reading.resting.get(name), name, now().getTime());
        checkCeiling(useOn(reading, day), tokens, { limits, file });
        const next = withUse(reading, { day, name }, { ...NOTHING, calls: 1, reserved: tokens });
        return { reading: next, result: { day, name, tokens } };
      }),
    settle: (reservation, outcome) =>
      change(
        file,
        (reading) => ({ reading: settled(reading, reservation, { outcome, now: now().getTime() }), result: undefined }),
        SETTLE_WAIT_MS,
      ),
  };
}

/** Lets every model try again at once: for a person who has just repaired what was wrong. */
export function endRests(file: string): Promise<void> {
  return change(file, (reading) => ({ reading: { ...reading, resting: new Map() }, result: undefined }));
}

function settled(
  reading: LedgerReading,
  { day, name, tokens }: Reservation,
  { outcome, now }: { outcome: Outcome; now: number },
): LedgerReading {
  const { tokensIn, tokensOut, failed, rest } = outcome;
  const next = withUse(
    reading,
    { day, name },
    { calls: 0, failures: failed ? 1 : 0, tokensIn, tokensOut, reserved: -tokens },
  );
  if (rest === 'as-before') return next;
  const resting = new Map(next.resting);
  if (!rest) resting.delete(name);
  else {
    const failures = (resting.get(name)?.failures ?? 0) + 1;
    const ms = Math.max(
      rest.atLeastMs ?? 0,
      Math.min(FIRST_REST_MS * 2 ** Math.min(failures - 1, 20), LONGEST_REST_MS),
    );
    resting.set(name, { failures, until: Math.ceil(now + ms), why: rest.why });
  }
  return { ...next, resting };
}

function checkRest(rest: Rest | undefined, name: string, now: number): void {
  if (!rest || rest.until <= now) return;
  // A clock that was set back must not make a rest of minutes one of years.
  if (rest.until - now > 25 * 3_600_000) return;
  const until = new Date(rest.until);
  throw new LlmError(
    'resting',
    `${name} failed ${rest.failures} times in a row and is left alone for now: ${rest.why}`,
    {
      retryAfterMs: rest.until - now,
      details: [['until', until.toISOString()]],
      fix: 'Nothing is lost: Cairn goes on without the model and comes back to it later.',
    },
  );
}

function checkCeiling(
  today: LedgerUse,
  tokens: number,
  { limits, file }: { limits: LedgerLimits; file: string },
): void {
  const used = today.tokensIn + today.tokensOut + today.reserved;
  const reached =
    today.calls + 1 > limits.dailyCalls
      ? { key: 'llm.daily_calls', limit: limits.dailyCalls, used: today.calls }
      : used + tokens > limits.dailyTokens
        ? { key: 'llm.daily_tokens', limit: limits.dailyTokens, used }
        : undefined;
  if (!reached) return;
  throw new LlmError('ceiling', `Today's limit for models is reached: ${reached.key} is ${reached.limit}.`, {
    details: [
      ['used', String(reached.used)],
      ['ledger', file],
    ],
    fix: `Cairn goes on without the model until tomorrow. To allow more: cairn config set --user ${reached.key} N`,
  });
}

function withUse(reading: LedgerReading, { day, name }: { day: string; name: string }, more: LedgerUse): LedgerReading {
  const models = new Map(reading.days.get(day));
  models.set(name, add(models.get(name) ?? NOTHING, more));
  const days = new Map(reading.days).set(day, models);
  return { ...reading, days: new Map([...days].sort(([a], [b]) => (a < b ? -1 : 1)).slice(-KEPT_DAYS)) };
}

const add = (a: LedgerUse, b: LedgerUse): LedgerUse => ({
  calls: a.calls + b.calls,
  failures: a.failures + b.failures,
  tokensIn: a.tokensIn + b.tokensIn,
  tokensOut: a.tokensOut + b.tokensOut,
  // A ledger that was removed meanwhile has nothing to give back.
  reserved: Math.max(0, a.reserved + b.reserved),
});

type Changed<T> = { readonly reading: LedgerReading; readonly result: T };

async function change<T>(file: string, work: (reading: LedgerReading) => Changed<T>, waitMs?: number): Promise<T> {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const lockDir = `${file}.lock`;
  return withLock(
    lockDir,
    (lock) => {
      if (lock.tookOver) removeLockRemains(lockDir);
      const { reading, result } = work(readLedger(file));
      atomicWrite(file, render(reading), { mode: 0o600, beforeCommit: () => lock.assertHeld() });
      return result;
    },
    waitMs === undefined ? {} : { waitMs },
  );
}

function render({ days, resting }: LedgerReading): string {
  const use = ({ calls, failures, tokensIn, tokensOut, reserved }: LedgerUse): JsonObject => ({
    calls,
    failures,
    tokens_in: tokensIn,
    tokens_out: tokensOut,
    reserved,
  });
  const shown = [...days].map(([day, models]) => [
    day,
    Object.fromEntries([...models].map(([name, each]) => [name, use(each)])),
  ]);
  const value = { version: VERSION, days: Object.fromEntries(shown), resting: Object.fromEntries(resting) };
  return `${JSON.stringify(value, null, 2)}\n`;
}
