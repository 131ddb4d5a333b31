// A project is the same after `mv`, in a worktree, in a second clone, and when it gets another remote; another project is not.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ASKED, git, Person, REMOTE, SAID } from './people.ts';

let me: Person;
beforeEach(() => {
  me = new Person();
});

describe('conversations follow their project', () => {
  it.each([
    ['with a remote', REMOTE],
    ['without one', undefined],
  ])('after mv (%s): commands and hooks', (_, remote) => {
    const top = me.repository('app', remote);
    me.talk(top);
    me.backfill(top);
    fs.renameSync(top, me.at('moved'));
    expect(me.prompt(me.at('moved'))).toContain('ledger in Postgres');
    expect(me.start(me.at('moved'))).toContain('keep the ledger in Postgres');
    expect(me.hears(me.at('moved'))).toBe(true);
    expect(me.json<{ spans: number }>(me.at('moved'), 'stats').spans).toBeGreaterThan(0);
  });

  it('of a folder that is no repository after mv', () => {
    fs.mkdirSync(me.at('plain'), { recursive: true });
    me.talk(me.at('plain'));
    me.backfill(me.at('plain'));
    fs.renameSync(me.at('plain'), me.at('renamed'));
    expect(me.prompt(me.at('renamed'))).toContain('ledger in Postgres');
    expect(me.hears(me.at('renamed'))).toBe(true);
  });

  it('into a worktree, before and after the main tree was moved', () => {
    const top = me.repository('app');
    me.talk(top);
    me.backfill(top);
    git(top, 'worktree', 'add', '-q', me.at('tree'));
    expect(me.prompt(me.at('tree'))).toContain('ledger in Postgres');
    fs.renameSync(top, me.at('moved'));
    git(me.at('moved'), 'worktree', 'repair', me.at('tree'));
    expect(me.prompt(me.at('tree'))).toContain('ledger in Postgres');
    expect(me.hears(me.at('tree'))).toBe(true);
  });

  it('into a second clone with another spelling of the remote, hooks first', () => {
    const top = me.repository('app', REMOTE);
    me.talk(top);
    me.backfill(top);
    const second = me.clone(top, 'second', 'git@git.example.com:team/app');
    expect(me.prompt(second)).toContain('ledger in Postgres');
    expect(me.hears(second)).toBe(true);
    me.talk(second, ['We decided to run the exporter of the invoices at night.']);
    me.work(second);
    expect(me.hears(top, 'exporter', 'When does the exporter of the invoices run?')).toBe(true);
  });

  it('into a second clone that has newer commits than the first has seen', () => {
    const top = me.repository('app', REMOTE);
    me.talk(top);
    me.backfill(top);
    const second = me.clone(top, 'second', REMOTE);
    git(second, 'commit', '-q', '--allow-empty', '-m', 'newer');
    git(second, 'update-ref', '-d', 'refs/remotes/origin/main');
    git(second, 'update-ref', '-d', 'refs/remotes/origin/HEAD');
    expect(me.hears(second)).toBe(true);
    expect(me.prompt(second)).toContain('ledger in Postgres');
  });

  it('into a second clone of a repository without a remote, by its first commit', () => {
    const top = me.repository('app');
    me.talk(top);
    me.backfill(top);
    const second = me.clone(top, 'second');
    expect(me.hears(second)).toBe(true);
    expect(me.json(second, 'stats').project).toMatch(/^git:[0-9a-f]{40}$/);
  });

  it('when the first commit is made, a remote is added, and it changes', () => {
    const top = me.at('app');
    fs.mkdirSync(top, { recursive: true });
    git(top, 'init', '-q', '-b', 'main');
    me.talk(top);
    me.backfill(top);
    expect(me.json(top, 'stats').project).toBe(top);
    git(top, 'commit', '-q', '--allow-empty', '-m', 'first');
    expect(me.hears(top)).toBe(true);
    expect(me.json(top, 'stats').project).toMatch(/^git:/);
    git(top, 'remote', 'add', 'origin', REMOTE);
    expect(me.prompt(top)).toContain('ledger in Postgres');
    expect(me.json(top, 'stats').project).toBe('git.example.com/team/app');
    git(top, 'remote', 'set-url', 'origin', 'git@git.example.com:team/renamed');
    me.work(top);
    expect(me.remember(top).map((each) => each.project)).toContain('git.example.com/team/renamed');
    fs.renameSync(top, me.at('moved'));
    expect(me.hears(me.at('moved'))).toBe(true);
  });

  it('when two clones get another remote, one after the other', () => {
    const top = me.repository('app', REMOTE);
    me.talk(top);
    me.backfill(top);
    const second = me.clone(top, 'second', REMOTE);
    expect(me.hears(second)).toBe(true);
    git(second, 'remote', 'set-url', 'origin', 'git@git.example.com:team/renamed');
    expect(me.hears(second)).toBe(true);
    expect(me.hears(top)).toBe(true);
    git(top, 'remote', 'set-url', 'origin', 'git@git.example.com:team/renamed');
    me.work(top);
    expect(me.json(top, 'stats').project).toBe('git.example.com/team/renamed');
    expect(me.hears(top)).toBe(true);
    expect(me.hears(second)).toBe(true);
  });

  it('from a shallow clone, once it is known', () => {
    const top = me.repository('app', REMOTE);
    git(top, 'commit', '-q', '--allow-empty', '-m', 'second');
    me.talk(top);
    me.backfill(top);
    git(me.base, 'clone', '-q', '--depth', '1', `file://${top}`, me.at('shallow'));
    expect(fs.existsSync(me.at('shallow', '.git', 'shallow'))).toBe(true);
    git(me.at('shallow'), 'remote', 'set-url', 'origin', REMOTE);
    expect(me.hears(me.at('shallow'))).toBe(true);
  });

  it('when everything is made anew after mv, from transcripts that name a folder which is gone', () => {
    const top = me.repository('app', REMOTE);
    me.talk(path.join(top, 'src'), [SAID], top.replace(/[^A-Za-z0-9]/g, '-'));
    me.talk(top, ['We decided to run the exporter of the invoices at night.']);
    me.backfill(top);
    fs.renameSync(top, me.at('moved'));
    expect(me.run(me.at('moved'), 'reindex').exit).toBe(0);
    expect(me.hears(me.at('moved'))).toBe(true);
    expect(me.hears(me.at('moved'), 'exporter', 'When does the exporter of the invoices run?')).toBe(true);
  });

  it('so that what was said later replaces what was said before, at another place', () => {
    const top = me.repository('app', REMOTE);
    me.talk(top);
    me.backfill(top);
    fs.renameSync(top, me.at('moved'));
    const later =
      "Let's switch from Postgres to SQLite for the ledger instead: we decided to keep the ledger in SQLite.";
    me.talk(me.at('moved'), [later]);
    me.work(me.at('moved'));
    const stored = new Set(me.remember(me.at('moved'), 'ledger').map((each) => each.project));
    expect([...stored]).toEqual(['git.example.com/team/app']);
  });
});

describe('other projects stay apart', () => {
  it('of the same name', () => {
    const [one, other] = [me.repository('a/app'), me.repository('b/app')];
    me.talk(one);
    me.backfill(one);
    expect(me.hears(other)).toBe(false);
    expect(me.prompt(other)).not.toContain('Postgres');
  });

  it('made from one template, with remotes of their own', () => {
    const template = me.repository('template');
    const one = me.clone(template, 'one', 'git@git.example.com:team/one');
    const other = me.clone(template, 'other', 'git@git.example.com:team/other');
    me.talk(one);
    me.backfill(one);
    expect(me.hears(other)).toBe(false);
  });

  it('that take the place of one that was moved away', () => {
    const top = me.repository('app', REMOTE);
    me.talk(top);
    me.backfill(top);
    fs.renameSync(top, me.at('moved'));
    me.repository('app', 'git@git.example.com:team/other');
    expect(me.prompt(top)).not.toContain('Postgres');
    expect(me.hears(top)).toBe(false);
    expect(me.hears(me.at('moved'))).toBe(true);
  });

  it('on another system, whatever folder they are read in', () => {
    const top = me.repository('app', REMOTE);
    me.talk('D:\\work\\app', [SAID]);
    me.talk('D:\\work\\app\\src', ['We decided to run the exporter of the invoices at night.'], 'D--work-app');
    me.talk('C:\\Users\\me\\other', ['We decided to drop the mailer of the newsletter.']);
    me.backfill(top, '--all');
    expect(me.hears(top)).toBe(false);
    const all = me.remember(top, ASKED, '--all-projects');
    expect(all.find((each) => each.text.includes('Postgres'))?.project).toBe('D:\\work\\app');
    const projects = me
      .json<{ topics: { project: string }[] }>(top, 'topics', '--all')
      .topics.map((each) => each.project);
    expect([...new Set(projects)].sort()).toEqual(['C:\\Users\\me\\other', 'D:\\work\\app']);
  });
});

describe('a folder that claims to be a private project', () => {
  function hostile(): { top: string; evil: string } {
    const top = me.repository('private', REMOTE);
    me.talk(top);
    me.backfill(top);
    return { top, evil: me.repository('evil', REMOTE) };
  }

  it('is told nothing of its conversations, neither unasked nor when it asks', () => {
    const { evil } = hostile();
    expect(me.prompt(evil)).not.toContain('Postgres');
    me.work(evil);
    expect(me.prompt(evil)).not.toContain('Postgres');
    expect(me.start(evil)).not.toContain('Postgres');
    expect(me.hears(evil)).toBe(false);
  });

  it.each([
    [
      'objects that it borrows',
      (top: string, evil: string) =>
        fs.writeFileSync(path.join(evil, '.git/objects/info/alternates'), `${top}/.git/objects\n`),
    ],
    [
      'links into it',
      (top: string, evil: string) => {
        for (const name of ['objects', 'refs', 'packed-refs', 'HEAD', 'logs']) {
          fs.rmSync(path.join(evil, '.git', name), { recursive: true, force: true });
          fs.symlinkSync(path.join(top, '.git', name), path.join(evil, '.git', name));
        }
      },
    ],
    [
      'the name of its folder as its own',
      (top: string, evil: string) => {
        fs.rmSync(path.join(evil, '.git'), { recursive: true });
        fs.writeFileSync(path.join(evil, '.git'), `gitdir: ${top}/.git\n`);
      },
    ],
  ])('is not helped by %s', (_, forge) => {
    const { top, evil } = hostile();
    forge(top, evil);
    expect(me.prompt(evil)).not.toContain('Postgres');
    me.work(evil);
    expect(me.prompt(evil)).not.toContain('Postgres');
    expect(me.hears(evil)).toBe(false);
  });

  it('keeps its own conversations by itself, and takes nothing from the other', () => {
    const { top, evil } = hostile();
    me.talk(evil, ['We decided to run the exporter of the invoices at night.']);
    me.work(evil);
    expect(me.hears(evil, 'exporter', 'When does the exporter of the invoices run?')).toBe(true);
    expect(me.hears(top, 'exporter', 'When does the exporter of the invoices run?')).toBe(false);
    expect(me.hears(top)).toBe(true);
  });
});

describe('what is noted about projects', () => {
  it('holds no password, and is for the user alone', () => {
    const top = me.repository('app', REMOTE);
    me.talk(top);
    me.backfill(top);
    expect(me.registry()).not.toContain('sesame');
    expect(fs.statSync(path.join(me.home, '.cairn', 'projects.json')).mode & 0o077).toBe(0);
  });

  it('can be lost or damaged without losing conversations', () => {
    const top = me.repository('app', REMOTE);
    me.talk(top);
    me.backfill(top);
    fs.writeFileSync(
      path.join(me.home, '.cairn', 'projects.json'),
      '{"projects": [{"id": 5}, {"id": "x", "places": 7}]',
    );
    me.prompt(top);
    expect(me.hears(top)).toBe(true);
    fs.rmSync(path.join(me.home, '.cairn', 'projects.json'));
    expect(me.hears(top)).toBe(true);
    expect(me.prompt(top)).toContain('Postgres');
  });
});
