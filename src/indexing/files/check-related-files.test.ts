import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { checkFile, checkFiles, type FileVersion, fileVersion, pathInProject } from './check-related-files.ts';

let base: string;
let project: string;
const file = (name: string): string => path.join(project, name);
const see = (...names: string[]): FileVersion[] => names.map((name) => fileVersion(project, name));

beforeEach(() => {
  base = temporaryFolder();
  project = path.join(base, 'project');
  put(file('src/a.ts'), 'one\n');
  put(file('src/b.ts'), 'two\n');
});

describe('a file of a memory', () => {
  it('is remembered by the blob that git would give it', () => {
    const blob = execFileSync('git', ['hash-object', file('src/a.ts')], { encoding: 'utf8' }).trim();
    expect(fileVersion(project, 'src/a.ts')).toEqual({ path: 'src/a.ts', blob, size: 4 });
    put(file('empty'), '');
    expect(fileVersion(project, 'empty').blob).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
  });

  it('is unchanged, changed or gone', () => {
    const [a] = see('src/a.ts');
    expect(checkFile(project, a!)).toBe('unchanged');
    put(file('src/a.ts'), 'ten\n');
    expect(checkFile(project, a!)).toBe('changed');
    put(file('src/a.ts'), 'longer\n');
    expect(checkFile(project, a!)).toBe('changed');
    put(file('src/a.ts'), 'one\n');
    expect(checkFile(project, a!)).toBe('unchanged');
    fs.rmSync(file('src'), { recursive: true });
    expect(checkFile(project, a!)).toBe('gone');
  });

  it('is unknown where nothing was seen of it: a folder, a large file, one that came later', () => {
    fs.truncateSync(put(file('large.bin'), ''), 5 * 1024 * 1024);
    const seen = see('src', 'large.bin', 'later.ts');
    put(file('later.ts'), 'x');
    expect(seen.map((each) => each.blob)).toEqual([null, null, null]);
    expect(seen.map((each) => checkFile(project, each))).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('is never looked for outside the project, by path or by link', () => {
    put(path.join(base, 'secret'), 'secret');
    fs.symlinkSync(path.join(base, 'secret'), file('link'));
    fs.symlinkSync(base, file('folder'));
    for (const name of [
      '../secret',
      path.join(base, 'secret'),
      'link',
      'folder/secret',
      'a\0b',
      '',
      'x'.repeat(5_000),
    ]) {
      expect(fileVersion(project, name)).toEqual({ path: name, blob: null, size: null });
      expect(checkFile(project, { path: name, blob: 'x', size: null })).toBe('unknown');
    }
  });

  it('that is a pipe keeps nobody waiting', () => {
    execFileSync('mkfifo', [file('pipe')]);
    expect(fileVersion(project, 'pipe').blob).toBeNull();
    expect(checkFile(project, { path: 'pipe', blob: 'x', size: null })).toBe('unknown');
  });
});

it('of several files the worst counts, and all must be known to be unchanged', () => {
  const both = see('src/a.ts', 'src/b.ts');
  expect(checkFiles(project, both)).toBe('unchanged');
  expect(checkFiles(project, [...both, ...see('src')])).toBe('unknown');
  expect(checkFiles(project, [])).toBe('unknown');
  put(file('src/b.ts'), 'changed');
  expect(checkFiles(project, both)).toBe('changed');
  fs.rmSync(file('src/a.ts'));
  expect(checkFiles(project, both)).toBe('gone');
});

it('a path is told from the project root, if it lies there', () => {
  expect(pathInProject('/p', '/p/src/a.ts')).toBe('src/a.ts');
  expect(pathInProject('/p', 'src/a.ts')).toBe('src/a.ts');
  expect(pathInProject('/p', '/other/a.ts')).toBe('/other/a.ts');
  expect(pathInProject('/p', '/p2/a.ts')).toBe('/p2/a.ts');
});
