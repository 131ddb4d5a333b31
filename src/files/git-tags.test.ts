import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentBranch } from './git-files.ts';
import { gitTags } from './git-tags.ts';

let folder: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-refs-')));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** At a time of its own, without what the machine's configuration says. */
function git(seconds: number, ...argv: string[]): void {
  execFileSync('git', argv, {
    cwd: folder,
    stdio: 'pipe',
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@example.com',
      GIT_AUTHOR_DATE: `${seconds} +0100`,
      GIT_COMMITTER_DATE: `${seconds} +0100`,
    },
  });
}

function release(...how: string[]): void {
  git(1_700_000_000, 'init', '-q', '-b', 'main', ...how);
  git(1_700_000_000, 'commit', '-q', '--allow-empty', '-m', 'one');
  git(1_700_000_100, 'tag', 'v1.0.0'); // names the commit itself
  git(1_700_100_000, 'commit', '-q', '--allow-empty', '-m', 'two');
  git(1_700_200_000, 'tag', '-a', 'team/v2.0.0', '-m', 'Two');
}

const KNOWN = [
  { name: 'v1.0.0', time: 1_700_000_000_000 },
  { name: 'team/v2.0.0', time: 1_700_200_000_000 },
];

describe('what git says of a project', () => {
  it('knows the tags and when they were made, loose or packed', () => {
    release();
    expect(gitTags(folder)).toEqual(KNOWN);
    git(1_700_300_000, 'gc', '-q', '--prune=now');
    expect(fs.existsSync(path.join(folder, '.git/refs/tags/v1.0.0'))).toBe(false);
    expect(gitTags(path.join(folder))).toEqual(KNOWN);
  });

  it('knows the packed tags of a repository with long ids', () => {
    release('--object-format=sha256');
    git(1_700_300_000, 'gc', '-q', '--prune=now');
    expect(gitTags(folder)).toEqual(KNOWN);
  });

  it('knows the branch that is checked out, also in a worktree, and none where none is', () => {
    release();
    expect(currentBranch(folder)).toBe('main');
    git(1_700_300_000, 'worktree', 'add', '-q', '-b', 'feature/a', 'tree');
    expect(currentBranch(path.join(folder, 'tree'))).toBe('feature/a');
    expect(gitTags(path.join(folder, 'tree'))).toEqual(KNOWN);
    git(1_700_300_000, 'checkout', '-q', '--detach');
    expect(currentBranch(folder)).toBeUndefined();
  });

  it('knows nothing outside a repository, and of files that are broken', () => {
    expect(currentBranch(folder)).toBeUndefined();
    expect(gitTags(folder)).toEqual([]);
    release();
    fs.writeFileSync(path.join(folder, '.git/refs/tags/broken'), 'not an id');
    expect(gitTags(folder)).toEqual(KNOWN);
    fs.writeFileSync(path.join(folder, '.git/HEAD'), 'rubbish'); // for git this is no repository any more
    fs.writeFileSync(path.join(folder, '.git/packed-refs'), `${'0'.repeat(40)} refs/tags/lost\n`);
    expect(gitTags(folder)).toEqual([]);
    expect(currentBranch(folder)).toBeUndefined();
  });
});
