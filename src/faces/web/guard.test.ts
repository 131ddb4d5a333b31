import { describe, expect, it } from 'vitest';
import { TOKEN_HEADER } from '../../viewer-api/protocol.ts';
import { Pass, refuseForeign, refuseWrite } from './guard.ts';

describe('the pass of a server', () => {
  it('is another one for each server, with 256 bits', () => {
    const tokens = new Set(Array.from({ length: 50 }, () => new Pass().token));
    expect(tokens.size).toBe(50);
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  });

  it('gives out codes that end after a minute, or with their use', () => {
    let now = 0;
    const pass = new Pass(() => now);
    const [early, late, never] = [pass.newCode(), pass.newCode(), pass.newCode()];
    now = 59_000;
    expect(pass.enter(early)).toBe(pass.token);
    expect(pass.enter(early)).toBeUndefined();
    expect(pass.enter(late)).toBe(pass.token);
    now = 61_000;
    expect(pass.enter(never)).toBeUndefined();
    expect(pass.enter('')).toBeUndefined();
  });

  it('opens with the token and nothing like it', () => {
    const pass = new Pass();
    expect(pass.refuse({ [TOKEN_HEADER]: pass.token })).toBeUndefined();
    for (const given of ['', pass.token.toLowerCase(), `${pass.token} `, [pass.token, pass.token]])
      expect(pass.refuse({ [TOKEN_HEADER]: given })).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });
});

describe('a request', () => {
  it('is ours by its host, in any case, with its port', () => {
    for (const host of ['127.0.0.1:80', 'localhost:80', 'LOCALHOST:80'])
      expect(refuseForeign({ host }, 80)).toBeUndefined();
    for (const host of [
      'localhost',
      'localhost:8',
      '[::1]:80',
      'localhost.evil.example:80',
      '127.0.0.1:80.evil.example',
    ])
      expect(refuseForeign({ host }, 80)).toMatchObject({ status: 403 });
  });

  it('that writes is JSON, whatever else its type says', () => {
    const origin = 'http://127.0.0.1:80';
    for (const type of ['application/json', 'application/JSON; charset=utf-8'])
      expect(refuseWrite({ origin, 'content-type': type })).toBeUndefined();
    for (const type of ['text/plain; application/json', 'application/jsonp', ''])
      expect(refuseWrite({ origin, 'content-type': type })).toMatchObject({ status: 415 });
  });
});
