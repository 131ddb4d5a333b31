// The wire: whatever comes in pieces or in garbage, answers stay lines of JSON, one for each request.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { METHOD_NOT_FOUND, RpcError, RpcPeer } from './rpc-peer.ts';

type Sent = JsonObject & { id: unknown; error?: { code: number } };

function peerWith(request: (method: string, params: JsonObject, signal: AbortSignal) => Promise<unknown>) {
  const sent: Sent[] = [];
  const faults: unknown[] = [];
  const peer = new RpcPeer((line) => sent.push(JSON.parse(line)), {
    request,
    notification: () => undefined,
    fault: (error) => faults.push(error),
  });
  return { peer, sent, faults, say: (message: unknown) => peer.feed(Buffer.from(`${JSON.stringify(message)}\n`)) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the peer', () => {
  it('answers however the bytes are cut', async () => {
    const messages = [1, 2, 3].map((id) => ({
      jsonrpc: '2.0',
      id,
      method: 'echo',
      params: { text: `ünïcode ${id} 🗿` },
    }));
    const bytes = Buffer.from(messages.map((message) => `${JSON.stringify(message)}\r\n`).join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 8 }), async (cuts) => {
        const { peer, sent } = peerWith(async (_, params) => params);
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        for (const [index, cut] of at.slice(1).entries()) peer.feed(bytes.subarray(at[index], cut));
        await settled();
        expect(sent).toEqual(messages.map(({ id, params }) => ({ jsonrpc: '2.0', id, result: params })));
      }),
      { numRuns: 50 },
    );
  });

  it('survives any bytes, and answers the request after them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.json())), async (garbage) => {
        const { peer, sent, say, faults } = peerWith(async () => 'pong');
        for (const each of garbage) peer.feed(Buffer.from(each as string));
        peer.feed(Buffer.from('\n'));
        say({ jsonrpc: '2.0', id: 'after', method: 'ping' });
        await settled();
        expect(sent.filter(({ id }) => id === 'after')).toEqual([{ jsonrpc: '2.0', id: 'after', result: 'pong' }]);
        expect(faults).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('refuses a line without end, whose bytes it does not keep', async () => {
    const { peer, sent, say } = peerWith(async () => 'pong');
    const chunk = Buffer.alloc(4 * 1024 * 1024, 0x61);
    for (let count = 0; count < 10; count++) peer.feed(chunk);
    expect(process.memoryUsage().arrayBuffers).toBeLessThan(100 * 1024 * 1024);
    peer.feed(Buffer.from('\n'));
    say({ jsonrpc: '2.0', id: 1, method: 'ping' });
    await settled();
    expect(sent.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32600],
      [1, undefined],
    ]);
  });

  it('tells errors of the protocol apart from faults of ours', async () => {
    const { sent, say, faults } = peerWith(async (method) => {
      throw method === 'ours' ? new TypeError('oops') : new RpcError(METHOD_NOT_FOUND, 'no');
    });
    say({ jsonrpc: '2.0', id: 1, method: 'ours' });
    say({ jsonrpc: '2.0', id: 2, method: 'theirs' });
    await settled();
    expect(sent.map(({ error }) => error?.code)).toEqual([-32603, METHOD_NOT_FOUND]);
    expect(faults).toHaveLength(1);
  });

  it('says nothing more about what was cancelled', async () => {
    const signals: AbortSignal[] = [];
    const { peer, sent, say } = peerWith(async (_, __, signal) => {
      signals.push(signal);
      await settled();
      return 'late';
    });
    say({ jsonrpc: '2.0', id: 7, method: 'slow' });
    say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
    await settled();
    await settled();
    expect({ sent, aborted: signals[0]?.aborted, running: peer.running }).toEqual({
      sent: [],
      aborted: true,
      running: 0,
    });
  });

  it('asks the client, and goes on without an answer', async () => {
    const { peer, sent, say } = peerWith(async () => undefined);
    const answered = peer.ask('roots/list', 5_000);
    say({ jsonrpc: '2.0', id: sent[0]!.id, result: { roots: [] } });
    expect(await answered).toEqual({ roots: [] });
    const refused = peer.ask('roots/list', 5_000);
    say({ jsonrpc: '2.0', id: sent[1]!.id, error: { code: -32601, message: 'no' } });
    expect(await refused).toBeUndefined();
    expect(await peer.ask('roots/list', 1)).toBeUndefined();
  });
});
