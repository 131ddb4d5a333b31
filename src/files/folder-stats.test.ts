import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { bytesBelow, checkFolder, filesBelow, newestBelow } from './folder-stats.ts';

describe('a folder as a whole', () => {
  it('has the bytes of all files below it', () => {
    const folder = temporaryFolder();
    put(path.join(folder, 'a.txt'), 'four');
    put(path.join(folder, 'deep/er/b.txt'), 'sixsix');
    expect(bytesBelow(folder)).toBe(10);
    expect(bytesBelow(path.join(folder, 'nowhere'))).toBe(0);
  });

  it('changed last when the newest file of the wanted name did, in the folders that are looked into', () => {
    const folder = temporaryFolder();
    const at = (file: string, seconds: number): void =>
      fs.utimesSync(put(path.join(folder, file), 'x'), seconds, seconds);
    at('old.json', 1_000);
    at('newest.json', 3_000);
    at('middle.json', 2_000);
    at('newer.txt', 9_000);
    at('skipped/newest.json', 8_000);
    const newest = (names: RegExp): number | undefined =>
      newestBelow(folder, names, (name) => name !== 'skipped')?.getTime();
    expect(newest(/\.json$/)).toBe(3_000_000);
    expect(newest(/\.txt$/)).toBe(9_000_000);
    expect(newest(/\.md$/)).toBeUndefined();
    expect(newestBelow(folder, /\.json$/)?.getTime()).toBe(8_000_000);
  });

  it('lists files, not folders and not what links lead to', () => {
    const folder = temporaryFolder();
    put(path.join(folder, 'in/a'), 'x');
    fs.symlinkSync(folder, path.join(folder, 'in/again'));
    expect([...filesBelow(folder)].map(({ file }) => path.relative(folder, file))).toEqual([path.join('in', 'a')]);
  });

  it('says whether it is there and can be written to', () => {
    const folder = temporaryFolder();
    expect(checkFolder(path.join(folder, 'nowhere'))).toEqual({ exists: false, mode: undefined, writable: false });
    fs.chmodSync(folder, 0o700);
    expect(checkFolder(folder)).toEqual({
      exists: true,
      mode: process.platform === 'win32' ? undefined : 0o700,
      writable: true,
    });
  });
});
