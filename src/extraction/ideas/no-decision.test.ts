import { describe, expect, it } from 'vitest';
import { decidesNothing } from './no-decision.ts';

describe('what decides nothing', () => {
  it.each([
    ['Should I start the containers? — yes', true],
    ['Should I start the containers? — you have no containers here, use the services of the build host instead', false],
    ['What would you like to do with this? — Work on it now', true],
    ['Where shall the key lie? — In the settings', false],
    ['Where shall the key lie? — you decide', true],
    ['This is about the page. How would you like to proceed? — Just build it', true],
    ['How would you like to proceed? — Drop the broker, sessions stay in the database of the gateway', false],
    ['Which areas do you want to discuss? — Invitations, keys of folders, revoking and who may see what', true],
    ['If we use one key for each folder, this could be a way to share it', true],
    ['If we share a folder, its key is made anew', false],
    ['This brings up the question of why the key is the same for all, should it not be random', true],
    ['Keep the sessions in SQLite', false],
    ['could you look at the sessions', true],
  ])('%s: %s', (text, is) => {
    expect(decidesNothing(text)).toBe(is);
  });
});
