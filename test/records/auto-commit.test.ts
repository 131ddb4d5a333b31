// `auto_commit` in a real repository: what a write touched is committed, and nothing else.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Cli } from '../fixtures/cli.ts';
import { sampleInput, sampleRecord } from '../fixtures/sample-records.ts';
import { put } from '../fixtures/temporary.ts';

let cli: Cli;
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: cli.project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
const commits = (): string[] => git('log', '--format=%s').split('\n');
const lastFiles = (): string[] => git('show', '--format=', '--name-status', 'HEAD').split('\n').sort();

beforeEach(async () => {
  cli = new Cli();
  fs.rmSync(path.join(cli.project, '.git'), { recursive: true });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.org');
  put(path.join(cli.project, 'README.md'), 'first');
  cli.configure({ auto_commit: true });
  await cli.run(['trust', '--yes']);
  git('add', '-A');
  git('commit', '-qm', 'first');
});

const create = (slug: string, changes = {}) =>
  cli.write('create', `decisions/${slug}`, sampleInput('decision', changes), ['--category', 'decision']);

describe('auto_commit', () => {
  it('commits the record and the index of each write, and leaves what the user staged', async () => {
    put(path.join(cli.project, 'work.ts'), 'in progress');
    git('add', 'work.ts');
    put(path.join(cli.project, 'README.md'), 'edited');
    put(path.join(cli.root, 'decisions/by-hand.json'), sampleRecord('decision', { id: 'by-hand' }));
    const { err } = await create('a');
    expect(err).not.toContain('WARNING');
    expect(commits()).toEqual(['memory: create a', 'first']);
    expect(lastFiles()).toEqual(['A\t.claude/memory/decisions/a.json', 'A\t.claude/memory/index.md']);
    expect(git('diff', '--cached', '--name-only')).toBe('work.ts');
    expect(git('diff', '--name-only')).toBe('README.md');
    expect(git('status', '--porcelain')).toContain('?? .claude/memory/decisions/by-hand.json');
  });

  it('commits updates, renames, retirements and garbage', async () => {
    await create('a');
    const old = cli.read('decisions/a');
    const renamed = { ...old, title: 'Keep them in Redis', changes: [{ date: '2026-01-01', summary: 'Changed' }] };
    await cli.write('update', 'decisions/a', renamed);
    expect(commits()[0]).toBe('memory: update keep-them-in-redis');
    expect(lastFiles().join('\n')).toMatch(/decisions\/a\.json.*decisions\/keep-them-in-redis\.json|^D.*a\.json/s);
    await cli.run(['retire', 'keep-them-in-redis']);
    expect(commits()[0]).toBe('memory: retire keep-them-in-redis');
    const file = cli.file('decisions/keep-them-in-redis');
    const aged = { ...cli.read('decisions/keep-them-in-redis'), retired_at: '2020-01-01T00:00:00Z' };
    put(file, aged);
    await cli.run(['index', '--gc']);
    expect(commits()[0]).toBe('memory: collect garbage');
    expect(lastFiles()).toEqual(['D\t.claude/memory/decisions/keep-them-in-redis.json']);
    expect(commits()).toHaveLength(5);
  });

  it('commits the rename of a record that was never committed', async () => {
    cli.configure({ auto_commit: false });
    await create('a');
    cli.configure({ auto_commit: true });
    const changed = {
      ...cli.read('decisions/a'),
      title: 'Keep them in Redis',
      changes: [{ date: '2026-01-01', summary: 'x' }],
    };
    const { exit, err } = await cli.write('update', 'decisions/a', changed);
    expect(exit).toBe(0);
    expect(err).not.toContain('auto_commit did not commit');
    expect(lastFiles()).toEqual(['A\t.claude/memory/decisions/keep-them-in-redis.json', 'A\t.claude/memory/index.md']);
  });

  it('makes no commit when nothing was written, or when it is off', async () => {
    await create('a');
    await cli.run(['restore', 'a']);
    expect(commits()).toHaveLength(2);
    cli.configure({ auto_commit: false });
    await create('b', { title: 'B' });
    expect(commits()).toHaveLength(2);
  });

  it('is a warning and not a failure when git cannot commit', async () => {
    fs.rmSync(path.join(cli.project, '.git'), { recursive: true });
    const { exit, out, err } = await create('a');
    expect(exit).toBe(0);
    expect(JSON.parse(out).status).toBe('created');
    expect(err).toContain('WARNING: auto_commit did not commit');
  });
});
