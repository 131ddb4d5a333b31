// Notes on the command line: made, shown, changed, linked, removed.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Cli } from '../fixtures/cli.ts';
import { put } from '../fixtures/temporary.ts';

let cli: Cli;
beforeEach(() => {
  cli = new Cli();
});

const note = (...argv: string[]) => cli.run(['note', ...argv]);
const textOf = (folder: string, id: string): string =>
  fs.readFileSync(path.join(cli.root, 'nodes', folder, `${id}.md`), 'utf8');
const made = (): string[] =>
  fs.existsSync(path.join(cli.root, 'nodes'))
    ? fs.readdirSync(path.join(cli.root, 'nodes'), { recursive: true }).map(String)
    : [];

describe('cairn note new', () => {
  it('makes a file that shows what was given, and says where it is', async () => {
    const { exit, out } = await note(
      'new',
      'decision',
      'Use',
      'Redis',
      '--tags',
      'auth,#Cache',
      '--section',
      'Decision=In Redis.',
    );
    expect([exit, out]).toEqual([
      0,
      expect.stringMatching(/^Made decision-001-use-redis \(.*decision-001-use-redis\.md\)$/),
    ]);
    expect(textOf('decisions', 'decision-001-use-redis')).toMatch(
      /tags: \[auth, cache\]\nstatus: active\n---\n\n# Decision: Use Redis\n\n## Decision\nIn Redis\.\n$/,
    );
    expect(await cli.json(['note', 'new', 'file-summary', 'src/auth.ts'])).toMatchObject({ id: 'file-src-auth-ts' });
    expect(textOf('files', 'file-src-auth-ts')).toContain('path: src/auth.ts\n');
  });

  it('reads a section from standard input', async () => {
    await cli.run(['note', 'new', 'discovery', 'Pattern', '--section', 'Insight=-'], {
      stdin: 'All access goes through one class.\n',
    });
    expect(textOf('discoveries', 'discovery-pattern')).toContain('## Insight\nAll access goes through one class.\n');
  });

  it('marks what it replaces, and says so if there is no such note', async () => {
    await note('new', 'decision', 'Use Redis');
    expect((await note('new', 'decision', 'Use Kafka', '--supersedes', 'note:decision-001-use-redis')).err).toBe('');
    expect(textOf('decisions', 'decision-001-use-redis')).toContain('status: superseded\n');
    expect(textOf('decisions', 'decision-002-use-kafka')).toContain('supersedes: "[[decision-001-use-redis]]"\n');
    expect((await note('new', 'decision', 'Use Mail', '--supersedes', 'nothing')).err).toContain(
      'NOTE: there is no nothing yet',
    );
  });

  it.each([
    ['an empty title', ['task', '  ']],
    ['an id as a field', ['task', 'Sweep', '--field', 'id=other']],
    ['a type as a field', ['task', 'Sweep', '--field', 'type=error']],
    ['a field without a name', ['task', 'Sweep', '--field', 'x']],
  ])('refuses %s as wrong use', async (_, argv) => {
    const { exit, out, err } = await note('new', ...argv);
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain('What to do: ');
    expect(made()).toEqual([]);
  });

  it('refuses an id that is taken or none, and a state that the type does not have', async () => {
    await note('new', 'task', 'Sweep');
    for (const argv of [
      ['task', 'Sweep', '--id', 'task-sweep'],
      ['task', 'Out', '--id', '../../out'],
      ['task', 'Odd', '--status', 'resolved'],
    ])
      expect((await note('new', ...argv)).exit).toBe(1);
    expect(made().filter((name) => name.endsWith('.md'))).toEqual([path.join('tasks', 'task-sweep.md')]);
  });
});

describe('cairn note show, set, link and rm', () => {
  beforeEach(async () => {
    await note('new', 'task', 'Sweep', '--tags', 'home');
  });

  it('show prints the file, without what a terminal would obey, or its parts as data', async () => {
    put(
      path.join(cli.root, 'nodes/errors/error-odd.md'),
      '---\nid: error-odd\ntype: error\n---\n\n# Odd \x1b[2Jtitle\n',
    );
    expect((await note('show', 'error-odd')).out).toMatch(/# Odd .*title$/);
    expect((await note('show', 'error-odd')).out).not.toContain('\x1b');
    expect(await cli.json(['note', 'show', 'task-sweep'])).toMatchObject({
      ref: 'note:task-sweep',
      type: 'task',
      title: 'Sweep',
      properties: { tags: ['home'] },
    });
    expect((await note('show', 'nothing')).exit).toBe(1);
  });

  it('set changes what is named and keeps the rest', async () => {
    expect(
      (await note('set', 'task-sweep', '--status', 'completed', '--add-tags', 'done', '--field', 'priority=low')).out,
    ).toBe('Changed task-sweep');
    expect(textOf('tasks', 'task-sweep')).toMatch(/tags: \[home, done\]\nstatus: completed\npriority: low\n/);
    expect((await note('set', 'task-sweep', '--status', 'completed')).out).toBe('Nothing to change in task-sweep');
    await note('set', 'task-sweep', '--unset', 'priority', '--title', 'Sweep the yard');
    expect(textOf('tasks', 'task-sweep')).toMatch(/status: completed\n---\n\n# Task: Sweep the yard\n/);
    expect((await note('set', 'task-sweep', '--field', 'id=x')).exit).toBe(2);
  });

  it('link ties a note to another or to a record, once, and to itself never', async () => {
    await note('new', 'error', 'Broom broke');
    expect((await note('link', 'task-sweep', 'note:error-broom-broke')).out).toBe(
      'Linked task-sweep -> error-broom-broke',
    );
    expect((await note('link', 'task-sweep', 'error-broom-broke')).out).toBe(
      'Already linked: task-sweep -> error-broom-broke',
    );
    await note('link', 'task-sweep', 'error-broom-broke', '--as', 'depends_on');
    expect(textOf('tasks', 'task-sweep')).toMatch(/related:\n {2}- "\[\[error-broom-broke\]\]"[\s\S]*depends_on:/);
    const self = await note('link', 'task-sweep', 'task-sweep');
    expect([self.exit, self.err]).toEqual([2, expect.stringContaining('cannot be linked to itself')]);
  });

  it('rm asks, keeps a copy, and names who linked to it', async () => {
    await note('new', 'error', 'Broom broke', '--related', 'task-sweep');
    await cli.run(['note', 'rm', 'task-sweep'], { answers: ['n'] });
    expect(textOf('tasks', 'task-sweep')).toContain('# Task: Sweep');
    const { out, err } = await cli.run(['note', 'rm', 'task-sweep'], { answers: ['y'] });
    expect(err).toContain('NOTE: 1 notes link to it: error-broom-broke');
    const copy = /a copy is in (.+)$/.exec(out)![1]!;
    expect(fs.readFileSync(copy, 'utf8')).toContain('# Task: Sweep');
    expect((await note('show', 'task-sweep')).exit).toBe(1);
  });
});
