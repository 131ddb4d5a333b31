// What any careful client needs around fetch: a body with a limit, the pause that a server asks for, a wait that can be broken off,
// and whether an address is on this machine.

const MAX_PAUSE_MS = 24 * 3_600_000;

/** The body as text; `undefined` where it is larger than anything that was asked for. */
export async function boundedText(response: Response, maxBytes: number): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > maxBytes) return undefined; // leaving the loop cancels the download
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** `Retry-After` in seconds or as a date, within a day. */
export function retryAfterMs(header: string | null, now = Date.now()): number | undefined {
  const ms = pauseIn(header?.trim() ?? '', now);
  return ms === undefined ? undefined : Math.min(Math.max(0, ms), MAX_PAUSE_MS);
}

function pauseIn(header: string, now: number): number | undefined {
  if (header.length > 64) return undefined;
  if (/^\d{1,9}(?:\.\d{1,3})?$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  // JavaScript takes `-1` for a year; a date of HTTP begins with the day of the week.
  return Number.isNaN(date) || !/^[A-Z]/.test(header) ? undefined : date - now;
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
