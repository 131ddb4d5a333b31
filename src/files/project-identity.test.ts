import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { normaliseRemote, projectIdentity } from './project-identity.ts';

let home: string;
beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-identity-')));
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const git = (cwd: string, ...args: string[]): void => {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd, stdio: 'ignore' });
};

function repository(name: string): string {
  const directory = path.join(home, name);
  fs.mkdirSync(path.join(directory, 'src'), { recursive: true });
  git(directory, 'init', '-q');
  git(directory, 'commit', '-q', '--allow-empty', '-m', 'first');
  return directory;
}

describe('the identity of a project', () => {
  it('is the top of the repository, from every folder in it', () => {
    const top = repository('app');
    expect(projectIdentity(path.join(top, 'src'))).toEqual({ id: top });
  });

  it('is shared by all worktrees', () => {
    const top = repository('app');
    git(top, 'worktree', 'add', '-q', path.join(home, 'elsewhere'));
    expect(projectIdentity(path.join(home, 'elsewhere')).id).toBe(top);
  });

  it('outlives the worktrees of the client', () => {
    const top = repository('app');
    expect(projectIdentity(path.join(top, '.claude', 'worktrees', 'gone', 'src')).id).toBe(top);
    const never = path.join(home, 'never', 'was');
    expect(projectIdentity(path.join(never, '.claude', 'worktrees', 'gone')).id).toBe(never);
  });

  it('outlives folders of the repository', () => {
    const top = repository('app');
    expect(projectIdentity(path.join(top, 'packages', 'removed')).id).toBe(top);
  });

  it('carries the remote, without credentials, and does not change with it', () => {
    const top = repository('app');
    git(top, 'remote', 'add', 'origin', 'https://me:secret@Example.com/Team/App.git');
    expect(projectIdentity(top)).toEqual({ id: top, remote: 'example.com/team/app' });
  });

  it('keeps two projects of the same name apart', () => {
    expect(projectIdentity(repository('a/app')).id).not.toBe(projectIdentity(repository('b/app')).id);
  });

  it('is the folder itself where there is no repository, and the path where there is no folder', () => {
    expect(projectIdentity(home)).toEqual({ id: home });
    expect(projectIdentity(path.join(home, 'gone', '..', 'was')).id).toBe(path.join(home, 'was'));
  });

  it('of a submodule is its own', () => {
    const [outer, inner] = [repository('outer'), repository('inner')];
    git(outer, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'lib');
    expect(projectIdentity(path.join(outer, 'lib')).id).toBe(path.join(outer, 'lib'));
  });

  it('does not trip over a broken `.git`', () => {
    for (const content of ['', 'gitdir: ', 'gitdir: /no/such\n', 'x'.repeat(1000)]) {
      fs.writeFileSync(path.join(home, '.git'), content);
      expect(projectIdentity(home).id).toBe(home);
    }
  });
});

describe('a remote', () => {
  it.each([
    ['git@github.com:Owner/Name.git', 'github.com/owner/name'],
    ['ssh://git@github.com:22/owner/name', 'github.com/owner/name'],
    ['https://token@github.com/owner/name/', 'github.com/owner/name'],
    ['host:name.git', 'host/name'],
    ['/srv/git/name.git', undefined],
    ['C:\\git\\name', undefined],
    ['file:///srv/name', undefined],
    ['../name', undefined],
  ])('%s is %s', (url, expected) => {
    expect(normaliseRemote(url)).toBe(expected);
  });
});
