import { describe, expect, it } from 'vitest';
import { isStandingWish } from './standing-wish.ts';

describe('a standing wish', () => {
  it.each([
    'Always show the types when I ask about an interface.',
    'Thanks. From now on use tabs.',
    'ok, please never push to main',
    "I'd rather have small commits",
    'I prefer one file for each command',
    'Give the unit always in metres when I ask for a length',
  ])('is %j', (text) => {
    expect(isStandingWish(text)).toBe(true);
  });

  it.each([
    'Make the link always visible at the top',
    'never mind',
    'Never seen that before',
    'always = standard, sometimes = skill',
    'The install will always run all migrations',
    `Always ${'and so on '.repeat(60)}`,
  ])('is not %j', (text) => {
    expect(isStandingWish(text)).toBe(false);
  });
});
