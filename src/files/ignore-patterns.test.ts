import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isGitignored } from '../capture/gitignored.ts';
import { IgnorePatterns } from './ignore-patterns.ts';

const ignores = (patterns: string, file: string): boolean => IgnorePatterns.parse(patterns).ignores(file);

describe('ignore patterns', () => {
  it.each([
    ['*.log', 'a.log', true],
    ['*.log', 'deep/er/a.log', true],
    ['*.log', 'a.log.txt', false],
    ['/a.log', 'a.log', true],
    ['/a.log', 'b/a.log', false],
    ['docs/*.txt', 'docs/a.txt', true],
    ['docs/*.txt', 'docs/b/a.txt', false],
    ['docs/*.txt', 'x/docs/a.txt', false],
    ['build/', 'build/x/y.js', true],
    ['build/', 'src/build/y.js', true],
    ['build/', 'build', false],
    ['**/gen', 'a/b/gen/c.ts', true],
    ['**/gen', 'gen', true],
    ['a/**/z.ts', 'a/z.ts', true],
    ['a/**/z.ts', 'a/b/c/z.ts', true],
    ['a/**/z.ts', 'b/a/z.ts', false],
    ['a/**', 'a/b', true],
    ['a/**', 'a', false],
    ['file[0-9].ts', 'file7.ts', true],
    ['file[!0-9].ts', 'file7.ts', false],
    ['file[!0-9].ts', 'filex.ts', true],
    ['file[]].ts', 'file].ts', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['\\#x', '#x', true],
    ['\\!x', '!x', true],
    ['a\\*b', 'a*b', true],
    ['a\\*b', 'axb', false],
    ['# comment', '# comment', false],
    ['trailing   ', 'trailing', true],
    ['trailing\\ ', 'trailing ', true],
    ['*.log\n!keep.log', 'keep.log', false],
    ['*.log\n!keep.log', 'other.log', true],
    ['logs/\n!logs/keep.log', 'logs/keep.log', true],
    ['!a\n*', 'a', true],
    ['', 'a', false],
    ['/', 'a', false],
  ])('%j on %j: %j', (patterns, file, expected) => {
    expect(ignores(patterns, file)).toBe(expected);
  });

  it('answer for any pattern and path, and quickly for those made to be slow', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (pattern, file) => {
        expect(typeof ignores(pattern, file)).toBe('boolean');
      }),
    );
    expect(ignores(`${'*a'.repeat(240)}b`, 'a'.repeat(20_000))).toBe(false);
    expect(ignores(`${'**/a/'.repeat(90)}b`, 'a/'.repeat(2_000))).toBe(false);
  });
});

describe('what git hides', () => {
  let root: string;
  beforeEach(() => {
    root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-ignore-')));
    execFileSync('git', ['init', '--quiet'], { cwd: root });
  });
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

  function write(file: string, text = 'x'): void {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  }

  it('is what git itself says, for nested files, negation and folders', () => {
    write('.gitignore', '*.tmp\n/out\nlogs/\n!important.tmp\npackages/*/generated/**\n');
    write('packages/a/.gitignore', '!special.tmp\n/local\n*.secret.ts\n');
    write('.git/info/exclude', 'mine.ts\n');
    const files = [
      ...[
        'a.tmp',
        'important.tmp',
        'out/x.ts',
        'src/out/x.ts',
        'logs/a.ts',
        'src/logs/a.ts',
        'mine.ts',
        'src/mine.ts',
        'a.ts',
      ],
      ...['packages/a/special.tmp', 'packages/b/special.tmp', 'packages/a/local/x.ts', 'packages/a/src/local/x.ts'],
      ...[
        'packages/a/x.secret.ts',
        'packages/b/x.secret.ts',
        'packages/a/generated/x.ts',
        'packages/a/generated/y/x.ts',
      ],
    ];
    for (const file of files) write(file);
    const hidden = files.filter((file) => isGitignored(root, path.join(root, file)));
    const told = execFileSync('git', ['check-ignore', '--no-index', '--', ...files], { cwd: root, encoding: 'utf8' });
    expect(hidden).toEqual(told.trim().split('\n'));
  });

  it('agrees with git on patterns nobody thought of', () => {
    const part = fc.constantFrom('a', 'b', 'ab', '*', 'a*', '?', '[ab]', '[!a]', '**');
    const pattern = fc
      .tuple(fc.constantFrom('', '/', '!'), fc.array(part, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '/'))
      .map(([lead, parts, tail]) => lead + parts.join('/') + tail);
    const files = ['a', 'ab', 'b/a', 'b/ab', 'a/b/a', 'ab/b/b', 'b/b/ab/a', 'x', 'x/y'].map((file) => `${file}.d/f`);
    const all = [...files, ...files.map((file) => file.replaceAll('.d/f', '/leaf'))];
    for (const file of all) write(file);
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 4 }), (patterns) => {
        write('.gitignore', `${patterns.join('\n')}\n`);
        const hidden = all.filter((file) => isGitignored(root, path.join(root, file)));
        expect(hidden).toEqual(checkIgnore(all));
      }),
      { numRuns: 60 },
    );
  });

  function checkIgnore(files: readonly string[]): string[] {
    try {
      const told = execFileSync('git', ['check-ignore', '--no-index', '--', ...files], { cwd: root, encoding: 'utf8' });
      return told.trim().split('\n');
    } catch {
      return []; // exit 1: none
    }
  }

  it('holds for a project inside a larger repository, and for one without any', () => {
    write('.gitignore', 'hidden.ts\n');
    write('app/hidden.ts');
    expect(isGitignored(path.join(root, 'app'), path.join(root, 'app/hidden.ts'))).toBe(true);
    fs.rmSync(path.join(root, '.git'), { recursive: true });
    expect(isGitignored(root, path.join(root, 'app/hidden.ts'))).toBe(true);
  });
});
