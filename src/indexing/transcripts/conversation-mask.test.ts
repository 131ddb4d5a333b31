// A conversation gives a secret away once, and is masked from there on, however it is cut into runs.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maskKey, maskKeyFile } from '../../files/mask-key.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { ConversationMask } from './conversation-mask.ts';
import { indexTranscript, stateKey } from './index-transcript.ts';

let base: string;
beforeEach(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-mask-'));
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

// Put together at run time, so that no scanner takes this file for a leak.
const SECRET = ['Zq7w', 'Lm29', 'xTzK', '4hVd'].join('');
const user = (content: unknown) =>
  JSON.stringify({ type: 'user', sessionId: 's1', cwd: '/p', message: { role: 'user', content } });
const assistant = (id: string, ...content: unknown[]) =>
  JSON.stringify({ type: 'assistant', sessionId: 's1', cwd: '/p', message: { id, role: 'assistant', content } });
const text = (said: string) => ({ type: 'text', text: said });

const LINES = [
  user('We decided to use Redis for the queue.'),
  assistant('m1', { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'cat .env' } }),
  user([{ type: 'tool_result', tool_use_id: 't1', content: `PORT=80\nDB_PASSWORD=${SECRET}\n` }]),
  assistant('m2', text(`I will try ${SECRET} on the staging database, because the other one is refused.`)),
  user(`We decided that ${SECRET} stays until Friday.`),
  assistant('m3', {
    type: 'tool_use',
    id: 't2',
    name: 'Write',
    input: { file_path: `/p/${SECRET}.txt`, content: 'x' },
  }),
  user([
    text('Please keep <private>the code of the door'),
    text('is on the yellow note</private> and go on with the queue.'),
  ]),
  assistant('m4', text('Here is <private>what only you')),
  assistant('m4', text('should know, which is why nobody reads it.')),
  assistant('m5', text('We decided to keep Redis for the queue after all.')),
];

async function indexed(cuts: readonly number[]) {
  const file = path.join(base, 's1.jsonl');
  const store = await openSqliteStore(path.join(fs.mkdtempSync(path.join(base, 'store-')), 'memory.db'));
  const kept: string[] = [];
  const whole = `${LINES.join('\n')}\n`;
  for (const end of [...cuts, whole.length]) {
    fs.writeFileSync(file, whole.slice(0, end));
    await indexTranscript(store, file, {
      projectOf: () => 'p',
      maskKey: () => maskKey(base),
      archive: (_file, { lines, fromLine }) => void kept.splice(fromLine - 1, kept.length, ...lines),
    });
  }
  const rows = (await store.list({ order: 'ref', limit: 100 })).documents;
  const state = (await store.state({ keys: [stateKey(file)] }))[0]!.value;
  await store.close();
  return { all: JSON.stringify(rows) + state + kept.join('\n'), rows, kept, state };
}

describe('a conversation', () => {
  it('keeps a value nowhere that a tool printed once, neither in rows, state, archive nor names of files', async () => {
    const { all, kept, state } = await indexed([]);
    expect(all).not.toContain(SECRET);
    expect(all.toLowerCase()).not.toContain(SECRET.toLowerCase());
    expect(kept.join()).toContain('I will try [redacted:assigned-secret:…4hVd] on the staging database');
    expect(kept.join()).toContain('/p/[redacted:assigned-secret:…4hVd].txt');
    expect(state).toContain('"known"');
  });

  it('keeps nothing of a private passage that goes over blocks and lines of one message', async () => {
    const { all } = await indexed([]);
    for (const hidden of ['door', 'yellow', 'only you', 'nobody reads']) expect(all).not.toContain(hidden);
    expect(all).toContain('and go on with the queue');
    expect(all).toContain('keep Redis for the queue after all');
  });

  it('is masked alike wherever it is cut', async () => {
    const atOnce = await indexed([]);
    const size = LINES.join('\n').length;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(size), { maxLength: 5 }), async (cuts) => {
        const { rows, state, kept } = await indexed(cuts.toSorted((a, b) => a - b));
        expect({ rows, state, kept }).toEqual({ rows: atOnce.rows, state: atOnce.state, kept: atOnce.kept });
      }),
      { numRuns: 15 },
    );
  });

  it('has a key of its own, that only the user can read, and hashes that say nothing without it', () => {
    const first = new ConversationMask(() => maskKey(base));
    first.learn(`DB_PASSWORD=${SECRET}`);
    expect(JSON.stringify(first.state)).not.toContain(SECRET);
    expect(maskKey(base)).toBe(maskKey(base));
    if (process.platform !== 'win32') expect(fs.statSync(maskKeyFile(base)).mode & 0o777).toBe(0o600);
    const again = new ConversationMask(() => maskKey(base), first.state);
    expect(again.text(`so ${SECRET} it is`)).toBe('so [redacted:assigned-secret:…4hVd] it is');
    const other = new ConversationMask(() => 'another key', first.state);
    expect(other.text(`so ${SECRET} it is`)).toContain(SECRET);
  });
});
