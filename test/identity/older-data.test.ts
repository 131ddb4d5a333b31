// What an older version stored under paths is found again by itself: at the same place, after `mv`, in a worktree, in another clone.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleRecord } from '../fixtures/sample-records.ts';
import { put } from '../fixtures/temporary.ts';
import { git, Person, REMOTE, SAID } from './people.ts';

let me: Person;
beforeEach(() => {
  me = new Person();
});

const RECORD = path.join('.claude', 'memory', 'decisions', 'use-jwt.json');
const RULE = 'How do we sign the cookies of login sessions?';

/** A project with a conversation, an agreed memory and a verdict, all by the older version. */
function olderProject(texts: readonly string[] = [SAID]): { top: string; idea: string } {
  const top = me.repository('app', REMOTE);
  put(path.join(top, RECORD), { ...sampleRecord('decision'), title: 'Use signed cookies for the login sessions' });
  git(top, 'add', '.');
  git(top, 'commit', '-q', '-m', 'Keep the ledger in Postgres');
  me.talk(top, texts);
  let idea = '';
  me.inOlderVersion(top, () => {
    me.run(top, 'trust', '--yes');
    me.backfill(top);
    idea = me.remember(top).find((each) => each.text.includes('Postgres'))!.ref;
    me.run(top, 'feedback', idea, 'useful');
  });
  expect(fs.existsSync(path.join(me.home, '.cairn', 'projects.json'))).toBe(false);
  return { top, idea };
}

function everythingIsThere(top: string, idea: string): void {
  expect(me.hears(top)).toBe(true);
  me.work(top);
  expect(me.prompt(top)).toContain('ledger in Postgres');
  expect(me.prompt(top, RULE)).toContain('signed cookies');
  expect(me.json<{ memories: { verdict?: string }[] }>(top, 'feedback', idea).memories[0]?.verdict).toBe('useful');
  expect(me.remember(top).find((each) => each.ref === idea)?.project).toBe('git.example.com/team/app');
}

describe('what an older version stored', () => {
  it('is found at the same place, by hooks at once', () => {
    const { top, idea } = olderProject();
    asTheFirstSession(top);
    expect(me.prompt(top)).toContain('ledger in Postgres');
    expect(me.prompt(top, RULE)).toContain('signed cookies');
    everythingIsThere(top, idea);
  });

  it('is found in a worktree, by hooks at once', () => {
    const { top, idea } = olderProject();
    git(top, 'worktree', 'add', '-q', me.at('tree'));
    asTheFirstSession(me.at('tree'));
    expect(me.prompt(me.at('tree'))).toContain('ledger in Postgres');
    everythingIsThere(me.at('tree'), idea);
  });

  it('is found after mv, with trust and feedback', () => {
    const { top, idea } = olderProject();
    fs.renameSync(top, me.at('moved'));
    everythingIsThere(me.at('moved'), idea);
  });

  it('is found after it was seen once and moved then', () => {
    const { top, idea } = olderProject();
    me.hears(top);
    fs.renameSync(top, me.at('moved'));
    fs.writeFileSync(path.join(me.at('moved'), 'new'), '');
    everythingIsThere(me.at('moved'), idea);
  });

  it('is found in a second clone, while the first is there', () => {
    const { top, idea } = olderProject();
    const second = me.clone(top, 'second', REMOTE);
    everythingIsThere(second, idea);
  });

  it('is found some time after mv by its records, and trust is asked for again', () => {
    const { top } = olderProject();
    fs.renameSync(top, me.at('moved'));
    someTimePasses(me.at('moved'));
    expect(me.hears(me.at('moved'))).toBe(true);
    expect(me.json<{ state: string }>(me.at('moved'), 'trust', '--show').state).toBe('untrusted');
  });

  it('is found some time after mv by the commits that were made in it', () => {
    const top = me.repository('app', REMOTE);
    const file = me.talk(top);
    const time = new Date().toISOString();
    const use = {
      type: 'tool_use',
      id: 't1',
      name: 'Bash',
      input: { command: 'git commit -m "Keep the ledger in Postgres"' },
    };
    const session = path.basename(file, '.jsonl');
    const common = { sessionId: session, cwd: top, version: '2.1.325', timestamp: time };
    fs.appendFileSync(
      file,
      `${JSON.stringify({ type: 'assistant', uuid: 'x1', ...common, message: { id: 'mx', role: 'assistant', content: [use] } })}\n${JSON.stringify({ type: 'user', uuid: 'x2', ...common, message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] } })}\n`,
    );
    git(top, 'commit', '-q', '--allow-empty', '-m', 'Keep the ledger in Postgres');
    me.inOlderVersion(top, () => me.backfill(top));
    fs.renameSync(top, me.at('moved'));
    someTimePasses(me.at('moved'));
    const stranger = me.repository('stranger');
    expect(me.hears(stranger)).toBe(false);
    expect(me.hears(me.at('moved'))).toBe(true);
  });

  it('is not that of a folder that was made beside it when it was gone', () => {
    const top = me.repository('app', REMOTE);
    me.talk(top);
    me.inOlderVersion(top, () => me.backfill(top));
    fs.rmSync(top, { recursive: true });
    fs.mkdirSync(me.at('new'));
    expect(me.hears(me.at('new'))).toBe(false);
  });

  it('stays where it is if nothing says whose it was', () => {
    const { top } = olderProject();
    fs.rmSync(top, { recursive: true });
    const other = me.repository('other', 'git@git.example.com:team/other');
    someTimePasses(other);
    expect(me.hears(other)).toBe(false);
    expect(me.prompt(other)).not.toContain('Postgres');
  });

  it('is found again by everything that is made anew', () => {
    const { top } = olderProject();
    fs.renameSync(top, me.at('moved'));
    expect(me.hears(me.at('moved'))).toBe(true);
    expect(me.run(me.at('moved'), 'reindex').exit).toBe(0);
    expect(me.hears(me.at('moved'))).toBe(true);
  });
});

/** A database of another version is taken over by the worker that a session starts; with the same tables hooks need nobody. */
function asTheFirstSession(top: string): void {
  if (process.env.CAIRN_OLDER_BINARY !== undefined) me.work(top);
}

/** The moment of the move is no longer written on the disk. */
function someTimePasses(place: string): void {
  const later = new Date(Date.now() + 5_000);
  fs.utimesSync(path.dirname(place), later, later);
}
