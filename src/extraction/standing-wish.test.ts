import { describe, expect, it } from 'vitest';
import { isStandingOrder, isStandingWish } from './standing-wish.ts';

describe('a wish for good', () => {
  it.each([
    ['From now on run the linter first', true],
    ['never push to main', true],
    ['The schema should not be updated ever', true],
    ['we prefer small commits', true],
    ['In future, ask before you delete', true],
    ['Keep answers under five lines unless I ask for more', true],
    ['As a general rule, every endpoint needs a test', true],
    ['make the url always visible', false],
    ['Design: conservative by default, never skip', false],
    ['use Redis for the queue', false],
    ['we might improve this in future', false],
    ['I would prefer not to wipe it again for this simple change', false],
    ['for now always return null', false],
  ])('%s: %s', (text, is) => {
    expect(isStandingWish(text)).toBe(is);
  });
});

describe('an order for good', () => {
  it.each([
    ['please always answer in German', true],
    ['We always use pnpm here', true],
    ['From now on, run the linter first', true],
    ['whenever you change the schema, regenerate the client', true],
    ['please stop adding comments everywhere', true],
    ["I'd rather have small pull requests than one big one", true],
    ['You should always check the changelog before upgrading', true],
    ['Bitte immer auf Deutsch antworten', true],
    ['never pass secrets on the command line', true],
    ['stop the dev server', false],
    ['never mind, the deploy works now', false],
    ['always fails on the second run', false],
    ['never worked on Windows', false],
    ['the build always fails on Windows', false],
    ['Never seen this before?', false],
    ['never mind this change', false],
    ['Rules: always lint', false],
  ])('%s: %s', (text, is) => {
    expect(isStandingOrder(text)).toBe(is);
  });
});
