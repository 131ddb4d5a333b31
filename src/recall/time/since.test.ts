// The ways to say since when.

import { describe, expect, it } from 'vitest';
import { readSince } from './since.ts';

const NOW = new Date('2026-03-15T10:30:00Z');

describe('a time', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00Z'],
    ['2026-01', '2026-01-01T00:00:00Z'],
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00Z'],
    ['2026-01-31 09:30', '2026-01-31T09:30:00Z'],
    ['2026-01-31T09:30:00+02:00', '2026-01-31T07:30:00Z'],
    ['today', '2026-03-15T00:00:00Z'],
    ['Yesterday', '2026-03-14T00:00:00Z'],
    ['last  week', '2026-03-08T00:00:00Z'],
    ['12h', '2026-03-14T22:30:00Z'],
    ['7d', '2026-03-08T10:30:00Z'],
    ['2 weeks ago', '2026-03-01T10:30:00Z'],
    ['1 day', '2026-03-14T10:30:00Z'],
    ['3 months ago', '2025-12-15T10:30:00Z'],
    ['1y', '2025-03-15T10:30:00Z'],
  ])('may be %s', (said, meant) => {
    expect(new Date(readSince(said, NOW) ?? Number.NaN).toISOString()).toBe(new Date(meant).toISOString());
  });

  it.each(['', 'soon', '2026', '2026-13-40', '7x', 'constructor', '-3d', '31.1.2026', '99999999d'])(
    'is not %j',
    (said) => {
      expect(readSince(said, NOW)).toBeUndefined();
    },
  );
});
