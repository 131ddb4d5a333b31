// What a page in another tab, a rebound name or a stranger on this machine can do with the viewer's server: nothing.

import net from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES, TOKEN_HEADER } from '../../src/viewer-api/protocol.ts';
import { snapshot } from '../fixtures/temporary.ts';
import { type Answer, type Asked, HTML, Served } from './served.ts';

let served: Served;
beforeAll(async () => {
  served = await Served.start();
});
afterAll(() => served.end());

const DECISION = 'record:decisions/sign-sessions';
const READS = Object.values(ROUTES).filter(({ method, path: at }) => method === 'GET' && at !== '/api/changes');
const RETIRE: Asked = {
  method: 'POST',
  path: '/api/act',
  body: JSON.stringify({ action: 'retire', ref: DECISION }),
};

/** No answer lets another page read it, whatever it is. */
function expectClosed({ headers }: Answer): void {
  for (const name of Object.keys(headers)) expect(name).not.toMatch(/^access-control-/);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  expect(headers['set-cookie']).toBeUndefined();
}

/** Asks, expects to be refused, and that nothing below the project changed. */
async function expectRefused(asked: Asked, status: number): Promise<Answer> {
  const before = snapshot(served.cli.project);
  const answer = await served.ask(asked);
  expect([asked, answer.status]).toEqual([asked, status]);
  expect(answer.json.error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  expectClosed(answer);
  expect(snapshot(served.cli.project)).toEqual(before);
  return answer;
}

describe('reading', () => {
  it('needs the token on every route', async () => {
    for (const { path: at } of READS)
      for (const token of [undefined, '', 'x', `${served.token}x`, served.token.slice(1)]) {
        const { json } = await expectRefused({ path: at, headers: { [TOKEN_HEADER]: token } }, 401);
        expect((json.error as { code: string }).code).toBe('UNAUTHORIZED');
      }
    await expectRefused({ path: '/api/changes', headers: { [TOKEN_HEADER]: undefined } }, 401);
    await expectRefused({ path: '/api/nothing', headers: { [TOKEN_HEADER]: undefined } }, 401);
  });

  it('takes the token from its header alone', async () => {
    for (const query of [{ token: served.token }, { [TOKEN_HEADER]: served.token }])
      await expectRefused({ path: '/api/overview', query, headers: { [TOKEN_HEADER]: undefined } }, 401);
    const cookie = { cookie: `${TOKEN_HEADER}=${served.token}`, authorization: `Bearer ${served.token}` };
    await expectRefused({ path: '/api/overview', headers: { ...cookie, [TOKEN_HEADER]: undefined } }, 401);
  });

  it('answers to no other name: what a rebound one asks says its own', async () => {
    for (const host of [
      'evil.example',
      `evil.example:${served.server.port}`,
      '127.0.0.1',
      `127.0.0.2:${served.server.port}`,
    ])
      for (const at of ['/', '/api/overview', '/assets/index-1.js'])
        await expectRefused({ path: at, headers: { host } }, 403);
    expect((await speak(served.server.port, 'GET / HTTP/1.0\r\n\r\n')).status).toBe(403);
    const { status } = await served.ask({ path: '/', headers: { host: `localhost:${served.server.port}` } });
    expect(status).toBe(200);
  });

  it('is refused to other origins and sites, the page itself too', async () => {
    const other = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${served.server.port + 1}` },
      { origin: `https://${served.host}` },
      { origin: `http://localhost:${served.server.port}` }, // ours, but not the one that was asked
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' }, // another port of this machine
    ];
    for (const headers of other)
      for (const at of ['/', '/api/overview']) await expectRefused({ path: at, headers }, 403);
    const own = { origin: `http://${served.host}`, 'sec-fetch-site': 'same-origin' };
    expect((await served.ask({ path: '/api/kinds', headers: own })).status).toBe(200);
    expect((await served.ask({ path: '/', headers: { 'sec-fetch-site': 'none' } })).status).toBe(200);
  });

  it('gives memories as JSON only, so that HTML in them is text', async () => {
    const answer = await served.ask({ path: '/api/search', query: { q: 'escape' } });
    expect(answer.text).toContain(JSON.stringify(HTML).slice(1, -1));
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expectClosed(answer);
    const missing = await served.ask({ path: '/api/memory', query: { ref: HTML } });
    expect([missing.status, missing.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  });
});

describe('writing', () => {
  it('needs the token, our origin stated, and JSON', async () => {
    const origin = `http://${served.host}`;
    await expectRefused({ ...RETIRE, headers: { [TOKEN_HEADER]: undefined } }, 401);
    await expectRefused({ ...RETIRE, headers: { origin: undefined } }, 403);
    await expectRefused({ ...RETIRE, headers: { origin: 'https://evil.example' } }, 403);
    await expectRefused({ ...RETIRE, headers: { 'sec-fetch-site': 'cross-site' } }, 403);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      undefined,
    ])
      await expectRefused({ ...RETIRE, headers: { origin, 'content-type': type } }, 415);
    await expectRefused({ ...RETIRE, method: 'GET', body: '' }, 405);
    await expectRefused({ ...RETIRE, method: 'PUT', headers: { origin, 'content-type': 'application/json' } }, 405);
    await expectRefused({ ...RETIRE, path: '/api/act?action=retire', body: '' }, 400);
    await expectRefused({ ...RETIRE, body: '[]' }, 400);
    await expectRefused({ ...RETIRE, path: '/' }, 405);
  });

  it('is not announced to other pages: a preflight gets no permission', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    await expectRefused({ method: 'OPTIONS', path: '/api/act', headers }, 403);
    await expectRefused({ method: 'OPTIONS', path: '/api/act', headers: { ...headers, origin: undefined } }, 405);
  });

  it('ends where a body is too large, stated or not', async () => {
    const body = JSON.stringify({ action: 'retire', ref: DECISION, reason: 'x'.repeat(600 * 1024) });
    await expectRefused({ ...RETIRE, body }, 413);
    const before = snapshot(served.cli.project);
    const status = await chunked(served, body);
    expect([413, 0]).toContain(status); // the connection may be gone before the answer is read
    expect(snapshot(served.cli.project)).toEqual(before);
    expect((await served.ask({ path: '/api/kinds' })).status).toBe(200);
  });
});

describe('the code in the address of a starting browser', () => {
  const enter = (code: string, more: Asked = {}): Promise<Answer> =>
    served.ask({
      method: 'POST',
      path: '/api/enter',
      body: JSON.stringify({ code }),
      ...more,
      headers: { [TOKEN_HEADER]: undefined, ...more.headers },
    });

  it('is good for the token once, for our page alone', async () => {
    const code = served.server.passingAddress().split('#code=')[1]!;
    expect((await enter(code, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    expect((await enter(code, { headers: { origin: undefined } })).status).toBe(403);
    expect((await enter(`${code}x`)).status).toBe(403);
    const first = await enter(code);
    expect([first.status, first.json]).toEqual([200, { token: served.token }]);
    expect((await enter(code)).status).toBe(403);
    expect((await enter(served.token)).status).toBe(403);
  });
});

describe('the files of the page', () => {
  it('are those that were there at the start, by their exact names', async () => {
    const page = await served.ask({ path: '/', headers: { [TOKEN_HEADER]: undefined } });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expectClosed(page);
    const asset = await served.ask({ path: '/assets/index-1.js' });
    expect([asset.status, asset.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect((await served.ask({ path: '/assets/index-1.js', method: 'HEAD' })).text).toBe('');
    for (const at of [
      '/index.html',
      '/../package.json',
      '/assets/../../package.json',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/..%2f..%2fetc%2fpasswd',
      '/assets/..%5c..%5cpackage.json',
      '/assets/index-1.js%00.html',
      '/assets/',
      '/__proto__',
      '/constructor',
    ])
      expect([at, (await served.ask({ path: at })).status]).toEqual([at, 404]);
  });

  it('come from no address that is not a path', async () => {
    for (const at of ['//evil.example/', 'http://evil.example/', '*', `/${'a'.repeat(15_000)}%`])
      expect([400, 404, 431]).toContain((await raw(served, `GET ${at} HTTP/1.1`)).status);
  });
});

describe('whatever is sent', () => {
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE');
  const at = fc.oneof(
    fc.constantFrom(...Object.values(ROUTES).map((each) => each.path)).filter((each) => each !== '/api/changes'),
    fc.webPath().map((each) => (each.startsWith('/') ? each : `/${each}`)),
  );
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom('-1', '1e999', 'NaN', 'null', '__proto__', '../..', '%', DECISION, 'entity:', 'all', 'span:x'),
  );
  const names = [
    'q',
    'ref',
    'project',
    'limit',
    'depth',
    'cursor',
    'since',
    'from',
    'to',
    'layers',
    'kinds',
    'day',
    'line',
  ];
  const query = fc.dictionary(fc.constantFrom(...names, '__proto__'), value, { maxKeys: 5 });
  const action = fc.record(
    {
      action: fc.oneof(fc.constantFrom('edit', 'feedback', 'unarchive', 'x'), fc.anything()),
      ref: fc.oneof(fc.constantFrom('idea:x', 'record:x/y', 'note:x', 'record:decisions/nothing'), fc.anything()),
      version: fc.anything(),
      edit: fc.object(),
      verdict: fc.anything(),
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    action.map((each) => JSON.stringify(each) ?? ''),
  );

  it('is answered with JSON and a status of its own, and the server lives', async () => {
    await fc.assert(
      fc.asyncProperty(method, at, query, body, async (how, where, asked, sent) => {
        const answer = await served.ask({
          method: how,
          path: where,
          query: asked,
          ...(how === 'POST' ? { body: sent } : {}),
        });
        expect([how, where, asked, sent, answer.status]).not.toEqual([how, where, asked, sent, 500]);
        expect(answer.status).toBeGreaterThanOrEqual(200);
        expectClosed(answer);
      }),
      { numRuns: 250 },
    );
    expect((await served.ask({ path: '/api/kinds' })).status).toBe(200);
  });

  it('half a request, noise, or a connection that is dropped leaves it standing', async () => {
    for (const bytes of [
      'GET',
      '\0\0\0\n\n',
      `POST /api/act HTTP/1.1\r\nhost: ${served.host}\r\ncontent-length: 9\r\n\r\n{`,
    ])
      await new Promise<void>((resolve) => {
        const socket = net.connect(served.server.port, '127.0.0.1', () => {
          socket.write(bytes);
          setTimeout(() => socket.destroy(), 30);
        });
        socket.on('error', () => undefined);
        socket.on('close', () => resolve());
      });
    expect((await served.ask({ path: '/api/kinds' })).status).toBe(200);
  });

  it('is heard on the loopback address only', async () => {
    const other = Object.values((await import('node:os')).networkInterfaces())
      .flatMap((each) => each ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal);
    if (!other) return;
    const reached = await new Promise<boolean>((resolve) => {
      const socket = net.connect({ port: served.server.port, host: other.address, timeout: 2_000 }, () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('timeout', () => socket.destroy(new Error('nobody')));
      socket.on('error', () => resolve(false));
    });
    expect(reached).toBe(false);
  });
});

/** A body whose length is not stated beforehand. */
function chunked({ server, token, host }: Served, body: string): Promise<number> {
  const head = [
    'POST /api/act HTTP/1.1',
    `host: ${host}`,
    `origin: http://${host}`,
    `${TOKEN_HEADER}: ${token}`,
    'content-type: application/json',
    'transfer-encoding: chunked',
  ];
  const parts = body.match(/.{1,60000}/gs)!.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`);
  return speak(server.port, `${head.join('\r\n')}\r\n\r\n${parts.join('')}0\r\n\r\n`).then(({ status }) => status);
}

const raw = ({ server, host, token }: Served, line: string): Promise<{ status: number }> =>
  speak(server.port, `${line}\r\nhost: ${host}\r\n${TOKEN_HEADER}: ${token}\r\nconnection: close\r\n\r\n`);

/** The status of the first answer on a plain socket; 0 if there is none. */
function speak(port: number, text: string): Promise<{ status: number }> {
  return new Promise((resolve) => {
    let heard = '';
    const status = (): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1] ?? 0);
    const socket = net.connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      heard += String(chunk);
      if (status() > 0) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve({ status: status() }));
  });
}
