// Who may talk to the server. It listens on this machine only, but so does every page in the user's browser: another site can send
// requests here (it could not read the answers), and a name that is pointed to 127.0.0.1 after it was loaded could even read them.
//   Host            must be ours: a rebound name still says its own
//   Origin          must be absent or ours: what another page sends says where it comes from
//   Sec-Fetch-Site  must not say that another site asked, also for what carries no Origin (links, images)
//   the token       256 random bits that only the opened page has; it is never a cookie, so nothing sends it by itself
//   writes          POST, our Origin stated, JSON: what no form and no simple request can send

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { TOKEN_HEADER } from '../../viewer-api/protocol.ts';

export type Refusal = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
};

export const newSecret = (): string => randomBytes(32).toString('base64url');

const hostsOf = (port: number): string[] => [`127.0.0.1:${port}`, `localhost:${port}`];

/** For every request, of whatever kind. */
export function refuseForeign(headers: IncomingHttpHeaders, port: number): Refusal | undefined {
  const hosts = hostsOf(port);
  if (!hosts.includes(headers.host?.toLowerCase() ?? '')) return forbidden('This server answers to 127.0.0.1 only.');
  if (headers.origin !== undefined && headers.origin.toLowerCase() !== `http://${headers.host?.toLowerCase()}`)
    return forbidden('Another page asked.');
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return forbidden('Another site asked.');
  return undefined;
}

/** For what changes something: the request must say that it comes from our page. */
export function refuseWrite(headers: IncomingHttpHeaders): Refusal | undefined {
  if (headers.origin === undefined) return forbidden('A change must say where it comes from (Origin).');
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    return { status: 415, code: 'BAD_REQUEST', message: 'A change is sent as application/json.' };
  return undefined;
}

const forbidden = (message: string): Refusal => ({ status: 403, code: 'FORBIDDEN', message });

/** The token of one server, and the codes that are good for it once. */
export class Pass {
  readonly token = newSecret();
  readonly #codes = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * A code for an address that others may see: the arguments of a starting browser are open to every user of the machine. It is
   * good for one minute and one use, so whoever else takes it is noticed: the page does not open.
   */
  newCode(): string {
    const code = newSecret();
    this.#codes.set(code, this.#now() + CODE_MS);
    return code;
  }

  /** The token for a code; `undefined` if it is none, used or too old. */
  enter(code: string): string | undefined {
    for (const [known, until] of this.#codes) {
      if (until < this.#now()) this.#codes.delete(known);
      else if (isEqual(known, code)) {
        this.#codes.delete(known);
        return this.token;
      }
    }
    return undefined;
  }

  refuse(headers: IncomingHttpHeaders): Refusal | undefined {
    const given = headers[TOKEN_HEADER];
    if (typeof given === 'string' && isEqual(given, this.token)) return undefined;
    return {
      status: 401,
      code: 'UNAUTHORIZED',
      message: given === undefined ? 'The token is missing.' : 'The token is wrong.',
      fix: 'Open the page with the address that `cairn ui` printed.',
    };
  }
}

const CODE_MS = 60_000;

/** In constant time, whatever the lengths. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** On every answer. No CORS header is among them, so no other page can read one. */
export const HEADERS: { readonly [name: string]: string } = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};
