// The one place that talks to the server: holds the token, builds the calls of the contract, turns failures into one error.

import {
  type Acted,
  type Action,
  type ChangeEvent,
  type Contract,
  type ErrorAnswer,
  type FieldProblem,
  ROUTES,
  TOKEN_HEADER,
} from '../../src/viewer-api/protocol.ts';

const KEY = 'cairn-token';
let token = '';
let code = '';

/** Out of the address at once: it must not stay in the history, in a screenshot or in a copied link. Tells whether there was one. */
export function takeToken(): boolean {
  const given = new URLSearchParams(location.hash.slice(1));
  token = given.get('token') ?? (token || kept());
  code = given.get('code') ?? '';
  if (!given.has('token') && !given.has('code')) return false;
  keep(token);
  history.replaceState(history.state, '', `${location.pathname}#/`);
  return true;
}

// ---- A link in a new tab: the browser keeps what a tab stores to that tab, so the new one asks those that are open. Only pages of
// this very server can hear that.

const TABS_MS = 500;
const tabs = new BroadcastChannel(KEY);
tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (data === 'which?' && token) tabs.postMessage({ token });
});

/** True if another tab has one that this tab does not. */
export function askOtherTabs(): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (found: boolean) => {
      clearTimeout(timer);
      tabs.removeEventListener('message', heard);
      resolve(found);
    };
    const heard = ({ data }: MessageEvent<unknown>) => {
      const given = (data as { token?: unknown } | null)?.token;
      if (typeof given !== 'string' || given === '' || given === token) return;
      token = given;
      keep(token);
      done(true);
    };
    const timer = setTimeout(() => done(false), TABS_MS);
    tabs.addEventListener('message', heard);
    tabs.postMessage('which?');
  });
}

function kept(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

function keep(value: string): void {
  try {
    if (value) sessionStorage.setItem(KEY, value);
  } catch {
    // without storage the token lives as long as this page
  }
}

/** A code opens the door once; what it gives is kept. */
export async function enter(): Promise<void> {
  if (!code && !token) await askOtherTabs();
  if (!code) return;
  const answer = await call<Contract['enter']['answer']>('enter', { body: { code } });
  code = '';
  token = answer.token;
  keep(token);
}

export class ServerError extends Error {
  readonly code: string;
  readonly fix: string | undefined;
  readonly fields: readonly FieldProblem[];

  constructor({ error }: ErrorAnswer) {
    super(error.message);
    this.code = error.code;
    this.fix = error.fix;
    this.fields = error.fields ?? [];
  }
}

type Route = keyof typeof ROUTES;
type Asked = { [name in keyof Contract]: Contract[name] extends { query: object } ? name : never }[keyof Contract];
type Sent = { body?: unknown; query?: object; signal?: AbortSignal };

export function ask<R extends Asked>(
  route: R,
  query: Contract[R]['query'],
  signal?: AbortSignal,
): Promise<Contract[R]['answer']> {
  return call(route, { query, ...(signal ? { signal } : {}) });
}

export const act = (action: Action): Promise<Acted> => call('act', { body: action });

async function call<Answer>(route: Route, { body, query = {}, signal }: Sent): Promise<Answer> {
  const response = await send(route, { body, query, ...(signal ? { signal } : {}) });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer as Answer;
  const known = (answer as Partial<ErrorAnswer> | undefined)?.error;
  throw new ServerError({
    error: known ?? { code: 'HTTP', message: `The server answered ${response.status}.` },
  });
}

async function send(route: Route, { body, query = {}, signal }: Sent): Promise<Response> {
  const { method, path } = ROUTES[route];
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) continue;
    search.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  const asked = search.toString();
  try {
    return await fetch(asked ? `${path}?${asked}` : path, {
      method,
      cache: 'no-store',
      credentials: 'omit',
      headers: { [TOKEN_HEADER]: token, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ServerError({
      error: { code: 'GONE', message: 'The server does not answer.', fix: 'Start it again: cairn ui' },
    });
  }
}

/** Reads the stream of changes until it ends; throws where it cannot be had. */
export async function readChanges(seen: (change: ChangeEvent) => void, signal: AbortSignal): Promise<void> {
  const response = await send('changes', { signal });
  if (!response.ok || !response.body)
    throw new ServerError({
      error: {
        code: response.status === 401 ? 'UNAUTHORIZED' : 'HTTP',
        message: `The server answered ${response.status}.`,
      },
    });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = `${rest}${value}`.split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = event
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5))
        .join('\n');
      if (data) seen(JSON.parse(data) as ChangeEvent);
    }
  }
}
