// The two providers that are endpoints, against a scripted server: what they send, and how each way to fail is told.

import { describe, expect, it } from 'vitest';
import { failureOf, llmSettings } from '../../test/llm/llm-settings.ts';
import { apiForTest, type Step } from '../../test/llm/scripted-api.ts';
import { openAnthropic } from './anthropic.ts';
import { checkBaseUrl } from './endpoint.ts';
import type { Llm } from './llm.ts';
import { openOpenai } from './openai.ts';

const KEY = 'a-key-for-tests-0123456789';
const env = { ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: KEY };
const REQUEST = { system: 'Be short.', prompt: 'What is it?', maxTokens: 50 };

type Opening = (base_url: string, timeout_seconds?: number) => Llm;
const PROVIDERS: readonly (readonly [string, Opening, { stops: { refusal: string; cut: string } }])[] = [
  [
    'anthropic',
    (base_url, timeout_seconds = 20) => openAnthropic({ settings: llmSettings({ base_url, timeout_seconds }), env }),
    { stops: { refusal: 'refusal', cut: 'max_tokens' } },
  ],
  [
    'openai',
    (base_url, timeout_seconds = 20) =>
      openOpenai({ settings: llmSettings({ provider: 'openai', model: 'small', base_url, timeout_seconds }), env }),
    { stops: { refusal: 'content_filter', cut: 'length' } },
  ],
];

describe.each(PROVIDERS)('the provider %s', (_name, open, { stops }) => {
  const ask = async (...script: Step[]) => {
    const api = await apiForTest(script);
    return { api, answer: open(api.url).complete(REQUEST) };
  };

  it('gives the answer with what it cost', async () => {
    const { answer } = await ask({ say: 'It is a cairn.' });
    expect(await answer).toMatchObject({ text: 'It is a cairn.', tokensOut: 20 });
    expect((await answer).tokensIn).toBeGreaterThanOrEqual(100);
  });

  it.each([
    [401, 'setup', 'CONFIG_ERROR'],
    [403, 'setup', 'CONFIG_ERROR'],
    [404, 'setup', 'CONFIG_ERROR'],
    [429, 'busy', 'IO_ERROR'],
    [529, 'busy', 'IO_ERROR'],
    [500, 'unavailable', 'IO_ERROR'],
    [502, 'unavailable', 'IO_ERROR'],
    [400, 'rejected', 'IO_ERROR'],
    [413, 'rejected', 'IO_ERROR'],
  ] as const)('tells %i as %s', async (status, failure, code) => {
    const { answer, api } = await ask({ status });
    const error = await failureOf(answer);
    expect(error).toMatchObject({ failure, code });
    expect(error.message).toContain(`scripted ${status}`);
    expect(api.requests).toHaveLength(1); // when to try again is the ledger's decision
  });

  it('hands on Retry-After', async () => {
    const { answer } = await ask({ status: 429, headers: { 'retry-after': '7' } });
    expect((await failureOf(answer)).retryAfterMs).toBe(7_000);
  });

  it('never repeats the key, even where the server does', async () => {
    const { answer } = await ask({ status: 401, message: `bad key ${KEY}` });
    const error = await failureOf(answer);
    expect(error.message).toContain('bad key');
    expect(error.message).not.toContain(KEY);
  });

  it('tells a refusal and a cut answer, with their cost', async () => {
    const refusal = await failureOf((await ask({ say: 'I cannot.', stop: stops.refusal })).answer);
    expect(refusal).toMatchObject({ failure: 'refused', use: { tokensOut: 20 } });
    const cut = await failureOf((await ask({ say: '{"name": "Wha', stop: stops.cut })).answer);
    expect(cut).toMatchObject({ failure: 'cut', use: { tokensOut: 20 } });
  });

  it.each([
    ['text that is not JSON', { raw: '<html>502</html>' }],
    ['JSON that is cut', { raw: '{"content":[{"type":"te' }],
    ['a list', { raw: '[1,2]' }],
    ['an object without an answer', { raw: '{"content":7,"choices":"x"}' }],
    ['an empty answer', { say: '   ' }],
    ['three megabytes', { raw: `{"x":"${'y'.repeat(3_000_000)}"}` }],
  ])('takes %s for no answer', async (_what, step) => {
    expect(await failureOf((await ask(step)).answer)).toMatchObject({ failure: 'garbage' });
  });

  it('gives up on a server that does not answer, and on one that stops in the middle', async () => {
    const api = await apiForTest([{ hang: true }]);
    expect(await failureOf(open(api.url, 0.2).complete(REQUEST))).toMatchObject({ failure: 'timeout' });
    expect(await failureOf((await ask({ drop: '{"content":[' })).answer)).toMatchObject({ failure: 'unavailable' });
  });

  it('can be stopped by its caller', async () => {
    const api = await apiForTest([{ hang: true }]);
    const stop = new AbortController();
    const answer = open(api.url).complete({ ...REQUEST, signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    expect(await failureOf(answer)).toMatchObject({ failure: 'stopped' });
  });

  it('follows no redirect: the key would go along', async () => {
    const elsewhere = await apiForTest([{ say: 'hello' }]);
    const { answer } = await ask({ status: 307, headers: { location: `${elsewhere.url}/v1/messages` } });
    expect(await failureOf(answer)).toMatchObject({ failure: 'unavailable' });
    expect(elsewhere.requests).toEqual([]);
  });

  it('says so where nobody listens', async () => {
    const api = await apiForTest([{ hang: true }]);
    await api.close();
    expect(await failureOf(open(api.url).complete(REQUEST))).toMatchObject({ failure: 'unavailable' });
  });
});

it('speaks the Messages API', async () => {
  const api = await apiForTest([{ say: 'yes' }]);
  for (const base of [api.url, `${api.url}/v1/`])
    await openAnthropic({ settings: llmSettings({ base_url: base, model: 'm-1' }), env }).complete(REQUEST);
  const [first, second] = api.requests;
  expect(first).toMatchObject({
    path: '/v1/messages',
    headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' },
    body: { model: 'm-1', max_tokens: 50, system: 'Be short.', messages: [{ role: 'user', content: 'What is it?' }] },
  });
  expect(second?.path).toBe('/v1/messages');
});

it('speaks chat completions, to a local model without a key, and counts for endpoints that do not', async () => {
  const api = await apiForTest([{ say: 'yes', usage: null }]);
  const settings = llmSettings({ provider: 'openai', base_url: `${api.url}/v1`, model: 'local' });
  const reply = await openOpenai({ settings, env: {} }).complete(REQUEST);
  expect(reply.tokensIn).toBeGreaterThan(0);
  expect(reply.tokensOut).toBeGreaterThan(0);
  expect(api.requests[0]).toMatchObject({
    path: '/v1/chat/completions',
    body: {
      model: 'local',
      max_tokens: 50,
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'What is it?' },
      ],
    },
  });
  expect(api.requests[0]!.headers.authorization).toBeUndefined();
});

it('wants a key, and for another endpoint the name of a model', () => {
  expect(() => openAnthropic({ settings: llmSettings(), env: {} })).toThrow(/ANTHROPIC_API_KEY/);
  expect(() => openOpenai({ settings: llmSettings({ provider: 'openai' }), env: {} })).toThrow(/OPENAI_API_KEY/);
  const other = llmSettings({ provider: 'openai', base_url: 'https://models.example/v1' });
  expect(() => openOpenai({ settings: other, env })).toThrow(/llm\.model/);
});

it('accepts https and this machine, nothing else', () => {
  for (const good of [
    'https://models.example/v1/',
    'http://localhost:11434/v1',
    'http://127.0.0.1:1',
    'http://[::1]:80',
  ])
    expect(checkBaseUrl(good).url).not.toMatch(/\/$/);
  for (const bad of [
    'http://models.example',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://192.168.0.1',
    'ftp://localhost',
    'file:///etc/passwd',
    'https://user:word@models.example',
    'https://models.example/?key=1',
    'models.example',
    '',
  ])
    expect(() => checkBaseUrl(bad), bad).toThrow(/llm\.base_url is refused/);
});
