import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Settings } from '../config/settings/settings.ts';
import { CairnError } from '../errors.ts';
import { openEmbedder } from './open-embedder.ts';
import { openOpenaiEmbedder } from './openai-embedder.ts';

type Asked = { model: string; input: string[]; dimensions?: number };
type Seen = { url: string; authorization: string | undefined; body: Asked };
type Reply = { status?: number; headers?: Record<string, string>; body?: string } | 'hang' | 'drop';

const KEY = 'sk-very-secret';
let server: http.Server;
let seen: Seen[];
let script: ((asked: Asked) => Reply)[];
let base: string;

/** The vector says how long the text was, so that order can be checked. */
const vectorsFor = (input: readonly string[]): Reply => ({
  body: JSON.stringify({ data: input.map((text, index) => ({ index, embedding: [text.length, 1, 0] })) }),
});
const answer = ({ input }: Asked): Reply => vectorsFor(input);
const say = (reply: Reply) => (): Reply => reply;

beforeEach(async () => {
  seen = [];
  script = [];
  server = http.createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const body = JSON.parse(text) as Asked;
      seen.push({ url: request.url ?? '', authorization: request.headers.authorization, body });
      const reply = (script.shift() ?? answer)(body);
      if (reply === 'drop') request.socket.destroy();
      else if (reply !== 'hang') response.writeHead(reply.status ?? 200, reply.headers).end(reply.body ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const settings = (changes: Partial<Settings['embeddings']> = {}): Settings['embeddings'] => ({
  provider: 'openai',
  model: 'my-model',
  base_url: base,
  dimensions: 3,
  batch: 2,
  timeout_seconds: 5,
  ...changes,
});
const open = (changes?: Partial<Settings['embeddings']>) =>
  openOpenaiEmbedder(settings(changes), KEY, { firstWaitMs: 1 });
const failure = async (work: Promise<unknown>): Promise<CairnError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CairnError);
  expect(JSON.stringify([(error as Error).message, (error as CairnError).fix])).not.toContain(KEY);
  return error as CairnError;
};

describe('an OpenAI-compatible endpoint', () => {
  it('is asked in batches and gives unit vectors in the order of the texts', async () => {
    const embedder = await open();
    const vectors = await embedder.embed(['a', 'bb', 'ccc', 'dddd', 'eeeee']);
    expect(seen.map(({ body }) => body.input)).toEqual([['a', 'bb'], ['ccc', 'dddd'], ['eeeee']]);
    expect(seen[0]).toMatchObject({ url: '/v1/embeddings', authorization: `Bearer ${KEY}` });
    expect(seen[0]!.body).toMatchObject({ model: 'my-model', dimensions: 3 });
    expect(vectors.map((vector) => Math.round(vector[0]! / vector[1]!))).toEqual([1, 2, 3, 4, 5]);
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it('may answer in another order', async () => {
    script = [
      ({ input }) => ({
        body: JSON.stringify({
          data: input.map((text, index) => ({ index, embedding: [text.length, 1, 0] })).reverse(),
        }),
      }),
    ];
    const vectors = await (await open()).embed(['a', 'bb']);
    expect(vectors.map((vector) => Math.round(vector[0]! / vector[1]!))).toEqual([1, 2]);
  });

  it('is asked for the length of its vectors where nothing says it', async () => {
    const embedder = await open({ dimensions: 0 });
    expect(embedder.dimensions).toBe(3);
    expect(seen[0]!.body.dimensions).toBeUndefined();
  });

  it('gives its vectors a name that changes with address, model and length', async () => {
    const names = [await open(), await open({ model: 'other' }), await open({ dimensions: 4 })].map(
      ({ model }) => model,
    );
    expect(new Set(names).size).toBe(3);
  });

  it('never gets an empty text, half a character or a whole book', async () => {
    await (await open()).embed(['  ', `a\ud800${'b'.repeat(100_000)}`]);
    expect(seen[0]!.body.input[0]).toBe('.');
    expect(seen[0]!.body.input[1]!.slice(0, 3)).toBe('a\uFFFDb');
    expect(seen[0]!.body.input[1]!.length).toBe(16_000);
  });

  it.each([429, 500, 503])('is asked again after %i', async (status) => {
    script = [say({ status }), say({ status, headers: { 'retry-after': '0' } })];
    expect((await (await open()).embed(['a'])).length).toBe(1);
    expect(seen.length).toBe(3);
  });

  it('is asked again when the connection breaks, and given up after five attempts', async () => {
    script = [say('drop')];
    expect((await (await open()).embed(['a'])).length).toBe(1);
    script = Array(9).fill(say({ status: 503, body: '{"error":{"message":"busy"}}' }));
    seen = [];
    expect(await failure((await open()).embed(['a']))).toMatchObject({
      code: 'IO_ERROR',
      message: expect.stringContaining('503: busy'),
    });
    expect(seen.length).toBe(5);
  });

  it('is not waited for when it asks for a long pause', async () => {
    script = [say({ status: 429, headers: { 'retry-after': '3600' } })];
    expect(await failure((await open()).embed(['a']))).toMatchObject({ code: 'IO_ERROR' });
    expect(seen.length).toBe(1);
  });

  it('has a limited time to answer', async () => {
    script = Array(5).fill(say('hang'));
    const embedder = await open({ timeout_seconds: 0.05 });
    expect((await failure(embedder.embed(['a']))).message).toContain('no answer within 0.05 seconds');
  });

  it('can be broken off', async () => {
    script = [say('hang')];
    const stop = new AbortController();
    const work = (await open()).embed(['a'], { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(work).rejects.toThrow('enough');
  });

  it.each([
    [401, 'CONFIG_ERROR'],
    [403, 'CONFIG_ERROR'],
    [404, 'CONFIG_ERROR'],
    [400, 'INPUT_ERROR'],
    [413, 'INPUT_ERROR'],
    [302, 'IO_ERROR'],
    [418, 'IO_ERROR'],
  ])('that answers %i gives one %s, without the key', async (status, code) => {
    const body = JSON.stringify({ error: { message: `Incorrect API key: ${KEY}\u001b[31m` } });
    script = [say({ status, body, headers: { location: 'http://127.0.0.1:1/' } })];
    expect(await failure((await open()).embed(['a']))).toMatchObject({ code });
    expect(seen.length).toBe(1);
  });

  it.each([
    ['no JSON', '<html>'],
    ['no object', 'null'],
    ['no list', '{"data":7}'],
    ['too few', '{"data":[{"index":0,"embedding":[1,2,3]}]}'],
    ['twice the same', '{"data":[{"index":0,"embedding":[1,2,3]},{"index":0,"embedding":[1,2,3]}]}'],
    ['a wrong index', '{"data":[{"index":0,"embedding":[1,2,3]},{"index":-1,"embedding":[1,2,3]}]}'],
    ['nothing in it', '{"data":[null,null]}'],
    ['no numbers', '{"data":[{"embedding":"AAAA"},{"embedding":["1",2,3]}]}'],
    ['not a number', '{"data":[{"embedding":[1,2,3]},{"embedding":[1,null,3]}]}'],
    ['a number that is too large', '{"data":[{"embedding":[1,2,3]},{"embedding":[1,1e300,3]}]}'],
    ['another length', '{"data":[{"embedding":[1,2,3]},{"embedding":[1,2]}]}'],
  ])('is not believed when it answers with %s', async (_, body) => {
    script = [say({ body })];
    expect(await failure((await open()).embed(['a', 'b']))).toMatchObject({ code: 'IO_ERROR' });
  });

  it('is not listened to for ever', async () => {
    script = [say({ body: 'x'.repeat(3_000_000) })];
    expect(await failure((await open()).embed(['a']))).toMatchObject({ code: 'IO_ERROR' });
  });

  it.each([
    'http://example.com/v1',
    'ftp://example.com',
    'nonsense',
    'https://user:pass@example.com',
    'https://a.b/?x=1',
  ])('is refused at %s', async (base_url) => {
    expect(await failure(open({ base_url }))).toMatchObject({ code: 'CONFIG_ERROR' });
  });

  it('needs a key, unless it is on this machine', async () => {
    const local = await openOpenaiEmbedder(settings(), undefined);
    await local.embed(['a']);
    expect(seen[0]!.authorization).toBeUndefined();
    const far = settings({ base_url: 'https://example.com/v1' });
    expect(await failure(openOpenaiEmbedder(far, undefined))).toMatchObject({ code: 'CONFIG_ERROR' });
    expect(await failure(openOpenaiEmbedder(far, `${KEY}\n`))).toMatchObject({ code: 'CONFIG_ERROR' });
  });

  it('gets the key that is meant for it before the common one', async () => {
    const env = { OPENAI_TOKEN_MEMORY_EMBEDDINGS: 'one', OPENAI_API_KEY: 'two' };
    await (await openEmbedder(settings(), { env }))!.embed(['a']);
    await (await openEmbedder(settings(), { env: { ...env, OPENAI_TOKEN_MEMORY_EMBEDDINGS: '' } }))!.embed(['a']);
    expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer one', 'Bearer two']);
  });
});

describe('openEmbedder', () => {
  it('opens nothing for none', async () => {
    expect(await openEmbedder(settings({ provider: 'none' }), { env: {} })).toBeUndefined();
  });
});
