import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { hasMark, listMarks, revokeMark, type TrustKey, writeMark } from './trust-mark.ts';

let userRoot: string;
beforeEach(() => {
  userRoot = path.join(temporaryFolder(), 'user');
});

const NOW = new Date('2026-05-01T12:00:00Z');
const KEY: TrustKey = { root: '/work/shop/.claude/memory' };
const files = (): string[] => fs.readdirSync(path.join(userRoot, 'trust'));

describe('a mark of trust', () => {
  it('is there after it was made, and gone after it was taken back', () => {
    expect(hasMark(userRoot, KEY)).toBe(false);
    writeMark(userRoot, KEY, { by: 'agreed', now: NOW });
    expect(hasMark(userRoot, KEY)).toBe(true);
    expect(listMarks(userRoot)).toEqual([{ ...KEY, by: 'agreed', time: NOW.toISOString() }]);
    expect(revokeMark(userRoot, KEY, NOW)).toBe(true);
    expect(revokeMark(userRoot, KEY, NOW)).toBe(false);
    expect(hasMark(userRoot, KEY)).toBe(false);
    expect(listMarks(userRoot)).toEqual([]);
  });

  it('is for the user alone to read and to write', () => {
    writeMark(userRoot, KEY, { by: 'founded', now: NOW });
    expect(fs.statSync(path.join(userRoot, 'trust')).mode & 0o777).toBe(0o700);
    expect(fs.statSync(path.join(userRoot, 'trust', files()[0]!)).mode & 0o777).toBe(0o600);
  });

  it('counts for its root alone, and for its project alone where the root lies outside', () => {
    const shared = { root: '/work/notes', project: '/work/shop' };
    writeMark(userRoot, shared, { by: 'agreed', now: NOW });
    expect(hasMark(userRoot, shared)).toBe(true);
    expect(hasMark(userRoot, { root: '/work/notes' })).toBe(false);
    expect(hasMark(userRoot, { root: '/work/notes', project: '/work/other' })).toBe(false);
    expect(hasMark(userRoot, { root: '/work/notes/deeper' })).toBe(false);
  });

  it('does not count for another root whose file happens to have the same name', () => {
    writeMark(userRoot, KEY, { by: 'agreed', now: NOW });
    const file = path.join(userRoot, 'trust', files()[0]!);
    put(file, { ...JSON.parse(fs.readFileSync(file, 'utf8')), root: '/work/elsewhere/.claude/memory' });
    expect(hasMark(userRoot, KEY)).toBe(false);
  });

  it.each(['', '{', 'null', '[]', '{"root": 1}', '{"root": "/work/shop/.claude/memory"}', Buffer.from([0xff, 0xfe])])(
    'that says %j is none',
    (content) => {
      writeMark(userRoot, KEY, { by: 'agreed', now: NOW });
      put(path.join(userRoot, 'trust', files()[0]!), content);
      expect(hasMark(userRoot, KEY)).toBe(false);
    },
  );
});
