// Vectors from an OpenAI-compatible endpoint. Texts leave the machine here and nowhere else in embed/, so: https unless the endpoint is
// on this machine, no redirects, the key in one header and in no message. What an endpoint answers is checked before it is believed.

import type { Settings } from '../config/settings/settings.ts';
import { CairnError, messageOf } from '../errors.ts';
import { isObject, parseJson } from '../model/json.ts';
import { boundedText, isLoopback, retryAfterMs, wait } from '../safety/http-answer.ts';
import { type Embedder, type EmbedOptions, toUnit } from './embedder.ts';

const DEFAULT_BASE = 'https://api.openai.com/v1';
const DEFAULT_MODEL = 'text-embedding-3-small';
/** Saves asking. Others are asked once, at opening. */
const KNOWN_DIMENSIONS: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1_536,
  'text-embedding-3-large': 3_072,
  'text-embedding-ada-002': 1_536,
};
/** About 4,000 tokens; the usual limit of a text is 8,191. */
const MAX_CHARACTERS = 16_000;
const MAX_DIMENSIONS = 8_192;
const BYTES_OF_A_NUMBER = 32;
const ATTEMPTS = 5;
const LONGEST_WAIT_MS = 60_000;
const AGAIN = new Set([408, 425, 429, 500, 502, 503, 504, 529]);
const REFUSED_INPUT = new Set([400, 413, 422]);

export type OpenaiOptions = {
  /** The first wait before another attempt; it doubles. */
  readonly firstWaitMs?: number;
};

type Endpoint = {
  readonly url: string;
  readonly host: string;
  readonly model: string;
  /** 0: as many as the model gives. */
  readonly asked: number;
  readonly batch: number;
  readonly timeoutMs: number;
  readonly firstWaitMs: number;
  readonly key: string | undefined;
};

export async function openOpenaiEmbedder(
  settings: Settings['embeddings'],
  key: string | undefined,
  { firstWaitMs = 500 }: OpenaiOptions = {},
): Promise<Embedder> {
  const base = baseOf(settings.base_url || DEFAULT_BASE);
  const model = settings.model || DEFAULT_MODEL;
  const endpoint: Endpoint = {
    url: `${base.origin}${base.pathname.replace(/\/+$/, '')}/embeddings`,
    host: base.host,
    model,
    asked: settings.dimensions,
    batch: settings.batch,
    timeoutMs: settings.timeout_seconds * 1_000,
    firstWaitMs,
    key: checkedKey(key, base),
  };
  const known = settings.dimensions || (settings.base_url === '' && KNOWN_DIMENSIONS[model]);
  const dimensions = known || (await ask(endpoint, ['probe'], 0, {}))[0]!.length;
  return {
    model: `openai-${base.host}${base.pathname.replace(/\/+$/, '')}-${model}-${dimensions}`,
    dimensions,
    embed: async (texts, options = {}) => {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += endpoint.batch)
        vectors.push(...(await ask(endpoint, texts.slice(from, from + endpoint.batch), dimensions, options)));
      return vectors;
    },
    close: async () => {},
  };
}

function baseOf(text: string): URL {
  const base = URL.canParse(text) ? new URL(text) : undefined;
  const wrong = (why: string): CairnError =>
    new CairnError('CONFIG_ERROR', `embeddings.base_url ${why}.`, {
      fix: 'Set it to the address of an OpenAI-compatible endpoint, such as https://api.openai.com/v1.',
    });
  if (!base || (base.protocol !== 'https:' && base.protocol !== 'http:')) throw wrong('is no http address');
  if (base.username || base.password || base.search || base.hash) throw wrong('must be an address and nothing else');
  if (base.protocol === 'http:' && !isLoopback(base.hostname))
    throw wrong('must begin with https, except on this machine');
  return base;
}

function checkedKey(key: string | undefined, base: URL): string | undefined {
  const fix = 'Set OPENAI_TOKEN_MEMORY_EMBEDDINGS (or OPENAI_API_KEY) to the key of the endpoint.';
  if (key === undefined || key === '') {
    if (isLoopback(base.hostname)) return undefined; // servers on one's own machine seldom want one
    throw new CairnError('CONFIG_ERROR', `There is no key for ${base.host}.`, { fix });
  }
  // Checked here, because the message of a bad header would quote it.
  if (!/^[\x21-\x7e]{1,4096}$/.test(key))
    throw new CairnError('CONFIG_ERROR', 'The key has characters no key has.', { fix });
  return key;
}

/** One request, again after a while where that may help. */
async function ask(
  endpoint: Endpoint,
  texts: readonly string[],
  dimensions: number,
  { signal }: EmbedOptions,
): Promise<Float32Array[]> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const answer = await attemptOnce(endpoint, texts, signal);
    if (!('again' in answer)) return vectorsOf(answer.body, texts.length, dimensions, endpoint.host);
    const pause = answer.waitMs ?? endpoint.firstWaitMs * 2 ** (attempt - 1);
    if (attempt >= ATTEMPTS || pause > LONGEST_WAIT_MS)
      throw new CairnError('IO_ERROR', `${endpoint.host} made no vectors: ${answer.again} (${attempt} attempts).`, {
        cause: answer.cause,
        fix: 'Try again later. What has vectors keeps them; search goes on without the others.',
      });
    await wait(pause, signal);
  }
}

type Answer =
  | { readonly body: string }
  | { readonly again: string; readonly waitMs?: number; readonly cause?: unknown };

async function attemptOnce(endpoint: Endpoint, texts: readonly string[], signal?: AbortSignal): Promise<Answer> {
  const { url, model, asked, key, timeoutMs } = endpoint;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual', // another address was not agreed to
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
      body: JSON.stringify({
        model,
        input: texts.map(sendable),
        encoding_format: 'float',
        ...(asked > 0 ? { dimensions: asked } : {}),
      }),
    });
    const maxBytes = 1_000_000 + texts.length * MAX_DIMENSIONS * BYTES_OF_A_NUMBER;
    const body = await boundedText(response, maxBytes);
    if (body === undefined) throw new CairnError('IO_ERROR', `The answer is larger than ${maxBytes} bytes.`);
    if (response.ok) return { body };
    const said = reasonIn(body, key);
    if (!AGAIN.has(response.status)) throw refusal(endpoint, response.status, said);
    const waitMs = retryAfterMs(response.headers.get('retry-after'));
    return { again: `it answered ${response.status}${said}`, ...(waitMs === undefined ? {} : { waitMs }) };
  } catch (error) {
    if (error instanceof CairnError) throw error;
    signal?.throwIfAborted();
    if (timeout.aborted) return { again: `no answer within ${timeoutMs / 1_000} seconds` };
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { again: withoutKey(messageOf(cause), key), cause };
  }
}

/** Endpoints refuse empty texts; half a surrogate pair is no JSON. */
function sendable(text: string): string {
  const cut = text.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udfff]/gu, '\uFFFD');
  return cut.trim() === '' ? '.' : cut;
}

function refusal({ host, url, model }: Endpoint, status: number, said: string): CairnError {
  if (status === 401 || status === 403)
    return new CairnError('CONFIG_ERROR', `${host} does not accept the key (${status}).`, {
      fix: 'Check OPENAI_TOKEN_MEMORY_EMBEDDINGS, or OPENAI_API_KEY where that is not set.',
    });
  if (status === 404)
    return new CairnError('CONFIG_ERROR', `${url} or the model ${model} does not exist (404)${said}.`, {
      fix: 'Check embeddings.base_url and embeddings.model.',
    });
  if (REFUSED_INPUT.has(status)) return new CairnError('INPUT_ERROR', `${host} refused a text (${status})${said}.`);
  return new CairnError('IO_ERROR', `${host} answered ${status}${said}.`, { fix: 'Check embeddings.base_url.' });
}

/** `: message of the endpoint`, short and without the key. */
function reasonIn(body: string, key: string | undefined): string {
  const parsed = parseJson(body); // a page of a proxy says nothing that helps
  const { error, message: plain } = isObject(parsed) ? parsed : {};
  const message = isObject(error) ? (error.message ?? plain) : (error ?? plain);
  if (typeof message !== 'string' || message === '') return '';
  const clean = withoutKey(message, key).replace(/\p{C}+/gu, ' ');
  return `: ${clean.slice(0, 200)}`;
}

const withoutKey = (text: string, key: string | undefined): string => (key ? text.replaceAll(key, '…') : text);

function vectorsOf(body: string, count: number, dimensions: number, host: string): Float32Array[] {
  const garbage = (what: string): CairnError =>
    new CairnError('IO_ERROR', `${host} answered with something that is not a list of vectors: ${what}.`, {
      fix: 'Check that embeddings.base_url is an OpenAI-compatible endpoint, and that embeddings.model makes embeddings.',
    });
  const parsed = parseJson(body);
  if (parsed === undefined) throw garbage('no JSON');
  const data = isObject(parsed) ? parsed.data : undefined;
  if (!Array.isArray(data)) throw garbage('no data');
  if (data.length !== count) throw garbage(`${data.length} vectors for ${count} texts`);
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  data.forEach((entry: unknown, at) => {
    const { index: place, embedding: numbers } = isObject(entry) ? entry : {};
    const index = place ?? at;
    if (typeof index !== 'number' || !(index in vectors) || vectors[index]) throw garbage('indexes that do not fit');
    if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > MAX_DIMENSIONS) throw garbage('no numbers');
    if (dimensions > 0 && numbers.length !== dimensions)
      throw garbage(`${numbers.length} numbers in a vector instead of ${dimensions}`);
    if (!numbers.every(Number.isFinite)) throw garbage('a number that is not finite');
    const vector = Float32Array.from(numbers as number[]);
    if (!vector.every(Number.isFinite)) throw garbage('a number that is too large');
    vectors[index] = toUnit(vector);
  });
  return vectors as Float32Array[];
}
