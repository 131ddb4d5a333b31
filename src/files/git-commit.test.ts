import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { commitFiles } from './git-commit.ts';

let repo: string;
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: repo, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
const file = (name: string): string => path.join(repo, name);
const lastCommit = (): string[] => git('show', '--pretty=%s', '--name-status', 'HEAD').split('\n').filter(Boolean);

beforeEach(() => {
  repo = temporaryFolder();
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.org');
  put(file('README.md'), 'readme');
  git('add', '-A');
  git('commit', '-qm', 'first');
});

describe('a commit of named files', () => {
  it('takes new and changed files, and leaves everything else staged or unstaged as it was', async () => {
    put(file('memory/a.json'), '1');
    put(file('staged.txt'), 'staged by the user');
    git('add', 'staged.txt');
    put(file('README.md'), 'edited, not staged');
    expect(await commitFiles(repo, [file('memory/a.json')], 'memory: create a')).toBeUndefined();
    expect(lastCommit()).toEqual(['memory: create a', 'A\tmemory/a.json']);
    expect(git('status', '--porcelain').split('\n').sort()).toEqual(['A  staged.txt', 'M README.md']);
  });

  it('takes deletions', async () => {
    put(file('a.json'), '1');
    await commitFiles(repo, [file('a.json')], 'create');
    fs.unlinkSync(file('a.json'));
    expect(await commitFiles(repo, [file('a.json')], 'memory: collect garbage')).toBeUndefined();
    expect(lastCommit()).toEqual(['memory: collect garbage', 'D\ta.json']);
  });

  it('makes no commit when nothing changed or nothing is named', async () => {
    const head = git('rev-parse', 'HEAD');
    expect(await commitFiles(repo, [file('README.md')], 'memory: nothing')).toBeUndefined();
    expect(await commitFiles(repo, [], 'memory: nothing')).toBeUndefined();
    expect(git('rev-parse', 'HEAD')).toBe(head);
  });

  it('takes the rest when a file that git never knew is gone again', async () => {
    put(file('new.json'), '1');
    expect(await commitFiles(repo, [file('never-committed.json'), file('new.json')], 'memory: update')).toBeUndefined();
    expect(lastCommit()).toEqual(['memory: update', 'A\tnew.json']);
    expect(await commitFiles(repo, [file('never-committed.json')], 'memory: gone')).toBeUndefined();
    expect(git('log', '--oneline').split('\n')).toHaveLength(2);
  });

  it('treats names as names: no wildcard, no option, no magic', async () => {
    put(file('-x*.json'), '1');
    put(file('-xy.json'), 'not named');
    expect(await commitFiles(repo, [file('-x*.json')], 'memory: odd')).toBeUndefined();
    expect(lastCommit()).toEqual(['memory: odd', 'A\t-x*.json']);
  });

  it('does not run the hooks of the repository', async () => {
    put(file('.git/hooks/pre-commit'), '#!/bin/sh\nexit 1\n');
    fs.chmodSync(file('.git/hooks/pre-commit'), 0o755);
    put(file('a.json'), '1');
    expect(await commitFiles(repo, [file('a.json')], 'memory: a')).toBeUndefined();
  });
});

describe('a commit that is not possible is a warning of one line', () => {
  it('while git is in the middle of something, so that an abort takes nothing along', async () => {
    git('checkout', '-qb', 'other');
    put(file('README.md'), 'theirs');
    git('commit', '-qam', 'theirs');
    git('checkout', '-q', 'main');
    put(file('README.md'), 'ours');
    git('commit', '-qam', 'ours');
    for (const [start, abort] of [
      [
        ['merge', 'other'],
        ['merge', '--abort'],
      ],
      [
        ['rebase', 'other'],
        ['rebase', '--abort'],
      ],
      [
        ['cherry-pick', 'other'],
        ['cherry-pick', '--abort'],
      ],
    ] as const) {
      expect(() => git(...start)).toThrow();
      put(file('memory/a.json'), '1');
      expect(await commitFiles(repo, [file('memory/a.json')], 'memory: create a')).toContain(
        `a ${start[0]} is under way`,
      );
      git(...abort);
      expect(fs.readFileSync(file('memory/a.json'), 'utf8')).toBe('1');
    }
    expect(git('log', '--oneline').split('\n')).toHaveLength(2);
  });

  it('when git refuses it, and leaves nothing staged', async () => {
    git('config', 'commit.gpgsign', 'true');
    git('config', 'gpg.program', 'false');
    put(file('memory/a.json'), '1');
    expect(await commitFiles(repo, [file('memory/a.json')], 'memory: create a')).toContain('did not commit');
    expect(git('status', '--porcelain')).toBe('?? memory/');
  });

  it('outside a repository', async () => {
    const folder = temporaryFolder();
    put(path.join(folder, 'a.json'), '1');
    const warning = await commitFiles(folder, [path.join(folder, 'a.json')], 'memory: a');
    expect(warning).toMatch(/^WARNING: auto_commit did not commit: .*not a git repository/);
    expect(warning).not.toContain('\n');
  });

  it('when the folder is ignored', async () => {
    put(file('.gitignore'), 'memory/\n');
    put(file('memory/a.json'), '1');
    expect(await commitFiles(repo, [file('memory/a.json')], 'memory: a')).toMatch(
      /^WARNING: auto_commit did not commit/,
    );
    expect(git('log', '--oneline').split('\n')).toHaveLength(1);
  });

  it('but a git that is at work for a moment is waited for', async () => {
    put(file('a.json'), '1');
    put(file('.git/index.lock'), '');
    setTimeout(() => fs.unlinkSync(file('.git/index.lock')), 150);
    expect(await commitFiles(repo, [file('a.json')], 'memory: a')).toBeUndefined();
    expect(lastCommit()).toEqual(['memory: a', 'A\ta.json']);
  });
});
