// Suggestions for a name that does not exist.

import { describe, expect, it } from 'vitest';
import { similarNames } from './similar-names.ts';

const NAMES = [
  'task-fix-login',
  'task-fix-logout',
  'decision-001-use-jwt',
  'record:decisions/use-redis',
  'error-build',
];

describe('the names that may be meant', () => {
  it.each([
    ['task-fix-logn', ['task-fix-login', 'task-fix-logout']],
    ['use-jwt', ['decision-001-use-jwt']],
    ['LOGIN', ['task-fix-login']],
    ['use-reddis', ['record:decisions/use-redis']],
    ['something else', []],
    ['', []],
  ])('for %j are %j', (typed, meant) => {
    expect(similarNames(typed, NAMES, (name) => name.replace('record:', ''))).toEqual(meant);
  });
});
