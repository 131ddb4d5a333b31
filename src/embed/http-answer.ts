// What any careful client needs around fetch: a body with a limit, the pause that a server asks for, a wait that can be broken off,
// and whether an address is on this machine.

import { CairnError } from '../errors.ts';

/** The body as text; IO_ERROR where it is larger than anything that was asked for. */
export async function boundedText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return '';
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > maxBytes) throw new CairnError('IO_ERROR', `The answer is larger than ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** `Retry-After` in seconds or as a date. */
export function retryAfterMs(header: string | null, now = Date.now()): number | undefined {
  if (header === null || header.length > 64) return undefined;
  if (/^\d{1,9}(?:\.\d{1,3})?$/.test(header.trim())) return Number(header) * 1_000;
  const date = Date.parse(header);
  // JavaScript takes `-1` for a year; a date of HTTP begins with the day of the week.
  return Number.isNaN(date) || !/^[A-Z]/.test(header) ? undefined : Math.max(0, date - now);
}

export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** As URL.hostname gives it. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
