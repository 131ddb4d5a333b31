// Git is asked about repositories of strangers: nothing that they name is started, and what cannot be answered is no answer.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/fixtures/temporary.ts';
import { askGit, commitsAmong, firstCommit, remoteAddress } from './ask-git.ts';

let base: string;
let top: string;
const common = (): string => path.join(top, '.git');
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd, stdio: 'pipe' })
    .toString()
    .trim();
const commit = (subject: string): string => {
  git(top, 'commit', '-q', '--allow-empty', '-m', subject);
  return git(top, 'rev-parse', 'HEAD');
};

beforeEach(() => {
  base = temporaryFolder();
  top = path.join(base, 'app');
  fs.mkdirSync(top);
  git(top, 'init', '-q', '-b', 'main');
});

describe('the first commit', () => {
  it('is none before there is one, and stays what it is', () => {
    expect(firstCommit(common())).toBeUndefined();
    const first = commit('first');
    expect(firstCommit(common())).toBe(first);
    commit('second');
    expect(firstCommit(common())).toBe(first);
  });

  it('is that of the trunk, whatever is checked out and was merged into it', () => {
    const first = commit('first');
    git(top, 'checkout', '-q', '--orphan', 'pages');
    const other = commit('another beginning');
    expect(firstCommit(common())).toBe(first);
    git(top, 'checkout', '-q', 'main');
    git(top, 'merge', '-q', '--allow-unrelated-histories', '-m', 'both', 'pages');
    expect(git(top, 'rev-list', '--max-parents=0', 'main').split('\n').sort()).toEqual([first, other].sort());
    expect(firstCommit(common())).toBe(first);
  });
});

describe('git', () => {
  it('knows which commits there are, and takes nothing else for one', () => {
    const first = commit('first');
    const tree = git(top, 'rev-parse', 'HEAD^{tree}');
    expect(commitsAmong(common(), [first, tree, '0'.repeat(40), 'HEAD', '--help'])).toEqual([first]);
    expect(commitsAmong(path.join(base, 'nowhere'), [first])).toEqual([]);
  });

  it("resolves the user's own shorthands of addresses", () => {
    git(top, 'remote', 'add', 'origin', 'work:app');
    git(top, 'config', 'url.https://git.example.com/team/.insteadOf', 'work:');
    expect(remoteAddress(common(), 'origin')).toBe('https://git.example.com/team/app');
    expect(remoteAddress(common(), '--all')).toBeUndefined();
  });

  it.runIf(process.platform !== 'win32')('starts nothing that the repository names', () => {
    const first = commit('first');
    const proof = path.join(base, 'started');
    const evil = path.join(base, 'evil.sh');
    fs.writeFileSync(evil, `#!/bin/sh\necho started >> '${proof}'\n`, { mode: 0o755 });
    git(top, 'remote', 'add', 'origin', `ext::${evil}`);
    for (const [key, value] of [
      ['core.fsmonitor', evil],
      ['core.pager', evil],
      ['core.sshCommand', evil],
      ['core.hooksPath', base],
      ['log.showSignature', 'true'],
      ['gpg.program', evil],
      ['protocol.ext.allow', 'always'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['alias.rev-list', `!${evil}`],
      ['credential.helper', `!${evil}`],
    ])
      git(top, 'config', key!, value!);
    firstCommit(common());
    commitsAmong(common(), [first, '1'.repeat(40)]);
    remoteAddress(common(), 'origin');
    askGit(common(), ['rev-list', '--branches', '--format=%at %ct %s']);
    expect(fs.existsSync(proof)).toBe(false);
    // The settings are such as would start it otherwise, for an object that is not there.
    expect(() => git(top, 'cat-file', '-p', '2'.repeat(40))).toThrow();
    expect(fs.existsSync(proof)).toBe(true);
  });
});
