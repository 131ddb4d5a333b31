// The age limit for conversations: what was stored goes, what was never stored needs no tombstone, and whoever looks for either is told that
// it was age, and which setting.

import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { Cli } from '../fixtures/cli.ts';
import { put } from '../fixtures/temporary.ts';
import { fillEverything, GONE, NO_VECTORS, PLANTED, SAID_GONE, stringsOf, transcript } from './everything.ts';

const NEVER_STORED = '55555555-ffff-4fff-8fff-555555555555';
type Entry = { id: string; why: string; counts: { conversations: number } };

let cli: Cli;
beforeEach(() => {
  cli = new Cli();
});

const limit = (days: number): string =>
  put(path.join(cli.home, '.cairn', 'config.json'), JSON.stringify({ retention: { conversation_days: days } }));
const since = (day: number): number => Math.floor((Date.now() - Date.UTC(2026, 4, day)) / 86_400_000);
const backfill = async (): Promise<string> => (await cli.run(['backfill', '--no-vectors'], NO_VECTORS)).out;

it('forgets what is stored and too old, and leaves no tombstone of what never was', async () => {
  await fillEverything(cli);
  limit(since(15));
  transcript(cli, NEVER_STORED, SAID_GONE, { day: 2 });
  expect(await backfill()).toMatch(/2 conversations left out: older than retention\.conversation_days/);
  const [entry] = (await cli.json<{ forgotten: [Entry] }>(['forget', '--list'])).forgotten;
  expect(entry).toMatchObject({ why: 'age', counts: { conversations: 1 } });
  expect(stringsOf(cli, [GONE, NEVER_STORED])).toEqual([]);
});

it('says age and the setting of what it forgot, also once the limit is gone; the rest may be read in then', async () => {
  await fillEverything(cli);
  limit(since(15));
  transcript(cli, NEVER_STORED, [{ user: 'And the yardarm?', assistant: 'We decided to paint the yardarm red.' }], {
    day: 2,
  });
  await backfill();
  limit(0);
  const told = await backfill();
  expect(told).toMatch(/1 conversation left out: forgotten for age, by retention\.conversation_days/);
  expect(told).not.toMatch(/on request/);
  expect(stringsOf(cli, PLANTED)).toEqual([]);
  expect(stringsOf(cli, ['yardarm']).length).toBeGreaterThan(0);
});

it('leaves no tombstone where everything that is too old was never stored', async () => {
  limit(since(15));
  transcript(cli, NEVER_STORED, SAID_GONE, { day: 2 });
  expect(await backfill()).toMatch(/^1 conversation left out: older than retention\.conversation_days/);
  expect(await cli.json(['forget', '--list'])).toEqual({ forgotten: [] });
});
