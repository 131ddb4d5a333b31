import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/fixtures/temporary.ts';
import { isForeignPath, projectFacts, startFolder } from './project-identity.ts';

let home: string;
beforeEach(() => {
  home = temporaryFolder();
});

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd, stdio: 'pipe' }).toString();

function repository(name: string): string {
  const directory = path.join(home, name);
  fs.mkdirSync(path.join(directory, 'src'), { recursive: true });
  git(directory, 'init', '-q', '-b', 'main');
  git(directory, 'commit', '-q', '--allow-empty', '-m', 'first');
  return directory;
}

describe('the place of a project', () => {
  it('is the top of the repository, from every folder in it', () => {
    const top = repository('app');
    expect(projectFacts(path.join(top, 'src'))).toMatchObject({ place: top, oldName: top, isHere: true });
  });

  it('is shared by all worktrees', () => {
    const top = repository('app');
    git(top, 'worktree', 'add', '-q', path.join(home, 'elsewhere'));
    expect(projectFacts(path.join(home, 'elsewhere'))).toMatchObject({ place: top, stamp: projectFacts(top).stamp });
  });

  it('is the repository for the worktrees of one that has no files of its own', () => {
    const bare = path.join(home, 'app.git');
    git(home, 'clone', '-q', '--bare', repository('app'), bare);
    const trees = ['one', 'two'].map((name) => path.join(home, name));
    for (const [at, tree] of trees.entries()) git(bare, 'worktree', 'add', '-q', '-b', `b${at}`, tree);
    expect(trees.map((tree) => projectFacts(tree).place)).toEqual([bare, bare]);
    expect(projectFacts(trees[0]!).oldName).toBe(trees[0]);
  });

  it('outlives the worktrees of the client', () => {
    const top = repository('app');
    expect(projectFacts(path.join(top, '.claude', 'worktrees', 'gone', 'src')).place).toBe(top);
    const never = path.join(home, 'never', 'was');
    expect(projectFacts(path.join(never, '.claude', 'worktrees', 'gone')).place).toBe(never);
  });

  it('outlives folders of the repository', () => {
    const top = repository('app');
    expect(projectFacts(path.join(top, 'packages', 'removed')).place).toBe(top);
  });

  it('of a submodule is its own', () => {
    const [outer, inner] = [repository('outer'), repository('inner')];
    git(outer, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'lib');
    git(path.join(outer, 'lib'), 'remote', 'set-url', 'origin', 'git@example.com:team/lib');
    expect(projectFacts(path.join(outer, 'lib'))).toMatchObject({
      place: path.join(outer, 'lib'),
      remote: 'example.com/team/lib',
    });
  });

  it('is the folder itself where there is no repository, and the path where there is no folder', () => {
    expect(projectFacts(home)).toMatchObject({ place: home, isHere: true });
    expect(projectFacts(path.join(home, 'gone', '..', 'was'))).toMatchObject({
      place: path.join(home, 'was'),
      isHere: false,
    });
  });

  it('does not trip over a broken `.git`', () => {
    for (const content of ['', 'gitdir: ', 'gitdir: /no/such\n', 'x'.repeat(1000)]) {
      fs.writeFileSync(path.join(home, '.git'), content);
      expect(projectFacts(home).place).toBe(home);
    }
  });
});

describe('the stamp of a folder', () => {
  it('goes along with mv, and is that of no copy, and of nothing that takes its place', () => {
    const top = repository('app');
    const { stamp } = projectFacts(top);
    fs.renameSync(top, path.join(home, 'moved'));
    expect(stamp).toBeDefined();
    expect(projectFacts(path.join(home, 'moved')).stamp).toBe(stamp);
    fs.cpSync(path.join(home, 'moved'), top, { recursive: true });
    expect(projectFacts(top).stamp).not.toBe(stamp);
  });
});

describe('the remote of a project', () => {
  const remotes = (...named: [string, string][]): string | undefined => {
    const top = repository('app');
    for (const [name, url] of named) git(top, 'remote', 'add', name, url);
    return projectFacts(top).remote;
  };

  it('is there without credentials', () => {
    expect(remotes(['origin', 'https://me:se@cret@Example.com/Team/App.git'])).toBe('example.com/team/app');
  });

  it('is origin, also of a fork that knows where it came from', () => {
    expect(remotes(['a', 'git@x.org:a'], ['upstream', 'git@x.org:up'], ['origin', 'git@x.org:mine'])).toBe(
      'x.org/mine',
    );
  });

  it('is the first by name where there is no origin', () => {
    expect(remotes(['zoo', 'git@x.org:z'], ['company', 'git@x.org:c'])).toBe('x.org/c');
  });

  it('is none where it is a folder', () => {
    expect(remotes(['origin', '/srv/git/app.git'])).toBeUndefined();
  });
});

describe('a `.git` that leads to a repository which does not know of it', () => {
  it.each([
    ['a file', (hostile: string, top: string) => fs.writeFileSync(path.join(hostile, '.git'), `gitdir: ${top}/.git\n`)],
    ['a link', (hostile: string, top: string) => fs.symlinkSync(path.join(top, '.git'), path.join(hostile, '.git'))],
    [
      "another worktree's file",
      (hostile: string, top: string) => {
        git(top, 'worktree', 'add', '-q', path.join(home, 'tree'));
        fs.copyFileSync(path.join(home, 'tree', '.git'), path.join(hostile, '.git'));
      },
    ],
    [
      'a folder with the files of another',
      (hostile: string, top: string) => {
        fs.mkdirSync(path.join(hostile, '.git'));
        fs.writeFileSync(path.join(hostile, '.git', 'HEAD'), 'ref: refs/heads/main\n');
        fs.writeFileSync(path.join(hostile, '.git', 'commondir'), `${top}/.git\n`);
      },
    ],
  ])('does not make a folder part of it: %s', (_, forge) => {
    const top = repository('private');
    git(top, 'remote', 'add', 'origin', 'git@example.com:me/private');
    const hostile = path.join(home, 'hostile');
    fs.mkdirSync(hostile);
    forge(hostile, top);
    const facts = projectFacts(hostile);
    expect(facts).toMatchObject({ place: hostile, oldName: hostile });
    expect(facts.remote).toBeUndefined();
    expect(facts.stamp).not.toBe(projectFacts(top).stamp);
  });
});

describe('a path of another system', () => {
  it.each([
    ['D:\\work\\app', 'linux', true],
    ['c:/Users/me/app', 'darwin', true],
    ['\\\\server\\share\\app', 'linux', true],
    ['/home/me/app', 'linux', false],
    ['/home/me/app', 'win32', true],
    ['D:\\work\\app', 'win32', false],
    ['//server/share', 'win32', false],
    ['D:', 'linux', false],
  ] as const)('%s on %s: %s', (file, platform, expected) => {
    expect(isForeignPath(file, platform)).toBe(expected);
  });

  it.runIf(process.platform !== 'win32')('is a project by itself, not the folder where somebody asks', () => {
    const top = repository('app');
    const before = process.cwd();
    process.chdir(top);
    try {
      expect(projectFacts('D:\\work\\app')).toEqual({
        place: 'D:\\work\\app',
        oldName: 'D:\\work\\app',
        isHere: false,
      });
      expect(projectFacts('d:/work/app/').place).toBe('D:\\work\\app');
      expect(projectFacts('C:\\a\\.claude\\worktrees\\x\\src').place).toBe('C:\\a');
    } finally {
      process.chdir(before);
    }
  });

  it('begins where the conversation was started, which the folder of its transcript says', () => {
    const at = (folder: string) => `/home/me/.claude/projects/${folder}/one.jsonl`;
    expect(startFolder('D:\\work\\app\\src\\deep', at('D--work-app'))).toBe('D:\\work\\app');
    expect(startFolder('/home/me/my.app/src', at('-home-me-my-app'))).toBe('/home/me/my.app');
    expect(startFolder('/home/me/app', at('p'))).toBeUndefined();
    expect(startFolder('/a/b', '/home/me/.claude/projects/-a-b/one/subagents/agent-1.jsonl')).toBe('/a/b');
  });
});
