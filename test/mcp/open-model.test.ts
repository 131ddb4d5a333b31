// The server opens its model before the first prompt, for the client whose hooks it answers and no other.

import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WarmModel } from '../../src/app/embedding-model.ts';
import { McpServer } from '../../src/faces/mcp/mcp-server.ts';
import { put } from '../fixtures/temporary.ts';
import { makePlace, type Place } from './server-process.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => void vi.useRealTimers());

async function start(name: string, settings: object, env: NodeJS.ProcessEnv = {}): Promise<number> {
  put(path.join(place.home, '.cairn/config.json'), settings);
  const model = new WarmModel(place.env);
  const ready = vi.spyOn(model, 'ready').mockReturnValue(undefined);
  const written: string[] = [];
  const server = new McpServer({
    env: { ...place.env, ...env },
    cwd: place.project,
    now: () => new Date(),
    write: (line) => written.push(line),
    warn: (text) => expect.unreachable(text),
    model,
  });
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '0' } };
  server.peer.feed(Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`));
  // `vi.waitFor` would let the time go on that the model waits for.
  while (written.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(written).toHaveLength(1);
  expect(ready).not.toHaveBeenCalled(); // not before it has answered
  await vi.advanceTimersByTimeAsync(1_000);
  await server.release();
  return ready.mock.calls.length;
}

const LOCAL = { embeddings: { provider: 'local' } };

it('opens it for Claude Code, behind the handshake', async () => {
  expect(await start('claude-code', LOCAL)).toBe(1);
});

it('opens none for others, without vectors, or where nothing is told', async () => {
  expect(await start('another-client', LOCAL)).toBe(0);
  expect(await start('claude-code', { embeddings: { provider: 'none' } })).toBe(0);
  expect(await start('claude-code', { ...LOCAL, retrieval: { enabled: false } })).toBe(0);
  expect(await start('claude-code', LOCAL, { CAIRN_DISABLE: '1' })).toBe(0);
});
