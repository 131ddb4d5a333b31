import { describe, expect, it } from 'vitest';
import { boundedText, isLoopback, retryAfterMs } from './http-answer.ts';

describe('the pause that a server asks for', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');

  it('is read in seconds and as a date', () => {
    expect(retryAfterMs('2', now)).toBe(2_000);
    expect(retryAfterMs(' 1.5 ', now)).toBe(1_500);
    expect(retryAfterMs('Thu, 01 Jan 2026 00:00:05 GMT', now)).toBe(5_000);
    expect(retryAfterMs('Thu, 01 Jan 2025 00:00:05 GMT', now)).toBe(0);
    for (const header of [null, '', 'soon', '-1', 'x'.repeat(1_000)]) expect(retryAfterMs(header, now)).toBeUndefined();
  });

  it('is never longer than a day', () => {
    for (const header of ['999999999', 'Thu, 01 Jan 2099 00:00:05 GMT'])
      expect(retryAfterMs(header, now)).toBe(24 * 3_600_000);
  });
});

it('reads no more of a body than it may', async () => {
  expect(await boundedText(new Response('12345'), 5)).toBe('12345');
  expect(await boundedText(new Response('123456'), 5)).toBeUndefined();
  expect(await boundedText(new Response(null), 5)).toBe('');
});

it('knows the addresses of this machine', () => {
  for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '[::1]']) expect(isLoopback(host)).toBe(true);
  for (const host of ['example.org', '127.example.org', 'localhost.example.org', '10.0.0.1', ''])
    expect(isLoopback(host)).toBe(false);
});
