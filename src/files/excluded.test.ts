import { describe, expect, it } from 'vitest';
import { exclusionOf } from './excluded.ts';

const HOME = '/home/me';
const excludes = (patterns: string[], cwd: string, file?: string): boolean | undefined =>
  exclusionOf(patterns, HOME)?.({ cwd, file });

describe('conversations that are excluded', () => {
  it('are none where nothing is said', () => {
    expect(exclusionOf([], HOME)).toBeUndefined();
  });

  it('began in a folder that is named, or below it', () => {
    expect(excludes(['~/private'], '/home/me/private')).toBe(true);
    expect(excludes(['~/private'], '/home/me/private/deep/down')).toBe(true);
    expect(excludes(['~/private'], '/home/me/privately')).toBe(false);
    expect(excludes(['/srv/clients/*/secret'], '/srv/clients/acme/secret/src')).toBe(true);
    expect(excludes(['C:\\work\\acme'], 'C:\\work\\acme\\src')).toBe(true);
  });

  it('began below a folder of that name, wherever it is', () => {
    expect(excludes(['acme'], '/srv/work/acme/app')).toBe(true);
    expect(excludes(['acme-*'], '/srv/work/acme-two')).toBe(true);
    expect(excludes(['acme'], '/srv/work/other')).toBe(false);
  });

  it('have a transcript at that place', () => {
    expect(
      excludes(
        ['**/projects/-home-me-private*/**'],
        '/elsewhere',
        '/home/me/.claude/projects/-home-me-private/a.jsonl',
      ),
    ).toBe(true);
  });

  it('stay in where a later pattern says so', () => {
    const patterns = ['/srv/clients/*', '!/srv/clients/friend'];
    expect(excludes(patterns, '/srv/clients/acme')).toBe(true);
    expect(excludes(patterns, '/srv/clients/friend')).toBe(false);
  });
});
