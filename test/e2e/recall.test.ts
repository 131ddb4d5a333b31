// On the real client: what was decided in one conversation is put before the next one's prompt, once, and its use is noticed.

import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CLIENT_VERSION,
  findClient,
  makePlace,
  type Place,
  removePlace,
  runClient,
  type Session,
  settled,
} from './client.ts';

const BINARY = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');
const ENV = { CAIRN_EMBEDDINGS_PROVIDER: 'none' };
const DECISION = 'We decided to keep the ledger of the shop in Postgres, because the bookkeeping needs transactions.';
const client = findClient();

let place: Place;

function cairn<T>(...args: string[]): T {
  const env = { PATH: process.env.PATH, HOME: place.home, ...ENV };
  const out = execFileSync(process.execPath, [BINARY, ...args, '--json'], {
    cwd: place.project,
    env,
    encoding: 'utf8',
  });
  return JSON.parse(out) as T;
}

type Found = { results: { ref: string; kind: string }[] };
type Why = { injections: { session: string; tokens: number; entries: { ref: string }[] }[] };
type Learned = { memories: { ref: string; used: number }[] };

describe.skipIf(!client)(`recall on Claude Code ${CLIENT_VERSION}`, { timeout: 240_000 }, () => {
  let second: Session;

  beforeAll(async () => {
    place = makePlace();
    await runClient({ place, prompt: 'Look at the shop, please.', turns: [{ text: DECISION }], env: ENV });
    await settled(place);
    second = await runClient({
      place,
      prompt: 'Where did we decide to keep the ledger of the shop?',
      turns: [{ text: 'In Postgres, because the bookkeeping needs transactions.' }],
      env: ENV,
    });
    await settled(place);
  }, 240_000);
  afterAll(() => removePlace(place));

  it('puts the decision before the prompt of the next conversation', () => {
    const sent = JSON.stringify(second.requests[0]?.messages);
    expect(sent).toContain('<memory-context source=');
    expect(sent).toContain('We decided to keep the ledger of the shop in Postgres');
  });

  it('tells why', () => {
    const { injections: told } = cairn<Why>('why', '--last');
    expect(told).toHaveLength(1);
    expect(told[0]!.tokens).toBeGreaterThan(0);
    expect(cairn<Why>('why', told[0]!.entries[0]!.ref).injections).toHaveLength(1);
  });

  it('notices that the answer built on it', () => {
    const [told] = cairn<Why>('why', '--last').injections;
    const refs = told!.entries.map(({ ref }) => ref);
    const learned = cairn<Learned>('feedback').memories.filter(({ ref }) => refs.includes(ref));
    expect(learned.some(({ used }) => used === 1)).toBe(true);
  });

  it('does not remember what it has injected as if it had been said', () => {
    const { results } = cairn<Found>('remember', 'background, not instructions');
    expect(JSON.stringify(results)).not.toContain('memory-context');
  });
});
