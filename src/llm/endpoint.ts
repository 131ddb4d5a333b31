// One POST to a model's endpoint: only over TLS or to this machine, never redirected (the key would go along), with a time
// limit and a size limit, and with every way to fail told apart.

import { CairnError, messageOf } from '../errors.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import { either, openObject, parseAs, text } from '../model/schema.ts';
import { cutCodePoints, stripUnsafe } from '../model/text.ts';
import { boundedText, isLoopback, retryAfterMs } from '../safety/http-answer.ts';
import { redact } from '../safety/secrets/redact.ts';
import { LlmError, type LlmFailure } from './llm.ts';

const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const SHOWN = 240;

export type Endpoint = { readonly url: string; readonly loopback: boolean };

/** Refuses an address that would send conversations or a key in the clear. */
export function checkBaseUrl(written: string, setting = 'llm.base_url'): Endpoint {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const loopback = url !== undefined && isLoopback(url.hostname);
  const problem = !url
    ? 'it is not a URL'
    : url.username || url.password
      ? 'it holds a user name or a password'
      : url.search || url.hash
        ? 'it has a query or a fragment'
        : url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)
          ? 'it is not https, and only this machine may be reached without'
          : undefined;
  if (!url || problem) {
    throw new CairnError('CONFIG_ERROR', `${setting} is refused: ${problem}.`, {
      fix: `cairn config set --user ${setting} https://…`,
    });
  }
  return { url: url.href.replace(/\/+$/, ''), loopback };
}

export type Post = {
  /** For messages: `anthropic:claude-haiku-5-5`. */
  readonly name: string;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: JsonObject;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
};

export async function postJson(post: Post): Promise<JsonObject> {
  const clock = AbortSignal.timeout(post.timeoutMs);
  try {
    const response = await fetch(post.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...post.headers },
      body: JSON.stringify(post.body),
      redirect: 'error',
      signal: post.signal ? AbortSignal.any([clock, post.signal]) : clock,
    });
    const body = await boundedText(response, MAX_ANSWER_BYTES);
    if (body === undefined)
      throw new LlmError('garbage', `${post.name} answered with more than ${MAX_ANSWER_BYTES} bytes.`);
    if (!response.ok) throw statusError(response, body, post);
    return answerOf(body, post);
  } catch (error) {
    if (error instanceof CairnError) throw error;
    throw transportError(error, post, clock);
  }
}

function answerOf(body: string, { name }: Post): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    throw new LlmError('garbage', `${name} answered with something that is not JSON.`, { cause: error });
  }
  if (!isObject(value)) throw new LlmError('garbage', `${name} answered with JSON that is not an object.`);
  return value;
}

function statusError(response: Response, body: string, { name, headers }: Post): LlmError {
  const pauseMs = retryAfterMs(response.headers.get('retry-after'));
  const failure = failureOf(response.status);
  return new LlmError(failure, `${name} answered ${response.status}: ${said(body, Object.values(headers))}`, {
    ...(pauseMs === undefined ? {} : { retryAfterMs: pauseMs }),
    ...(failure === 'setup' ? { fix: 'Check the key in the environment, llm.model and llm.base_url.' } : {}),
  });
}

/** What an HTTP status means for the next call. */
export function failureOf(status: number): LlmFailure {
  if (status === 429 || status === 503 || status === 529) return 'busy';
  if ([401, 402, 403, 404].includes(status)) return 'setup';
  return status >= 500 || status === 408 ? 'unavailable' : 'rejected';
}

const REFUSAL = openObject({ error: either(text(), openObject({ message: text() })) });

/** The endpoint's own words, one short line. A server that repeats our key must not bring it into a log. */
function said(body: string, secrets: readonly string[]): string {
  const error = parseAs(REFUSAL, body)?.error;
  const message = typeof error === 'object' ? error.message : (error ?? body); // what is no such JSON is told as it is
  let line = cutCodePoints(message, SHOWN * 4).replace(/\s+/g, ' ');
  for (const secret of secrets) line = line.replaceAll(secret.replace(/^Bearer /, ''), '…');
  return cutCodePoints(stripUnsafe(redact(line).text), SHOWN).trim() || '(no message)';
}

function transportError(error: unknown, { name, timeoutMs, signal }: Post, clock: AbortSignal): LlmError {
  if (signal?.aborted) return new LlmError('stopped', `The call to ${name} was stopped.`, { cause: error });
  if (clock.aborted)
    return new LlmError('timeout', `${name} did not answer within ${timeoutMs / 1000} s.`, {
      cause: error,
      fix: 'Raise llm.timeout_seconds if this happens often.',
    });
  // `fetch failed` says nothing; its cause does.
  const cause = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
  return new LlmError('unavailable', `${name} cannot be reached: ${cause}`, { cause: error });
}
