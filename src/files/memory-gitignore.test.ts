import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { ensureGitignore } from './memory-gitignore.ts';

it('keeps locks, temporary files, quarantine and caches out of git, and nothing else', () => {
  const root = temporaryFolder();
  ensureGitignore(root);
  for (const name of [
    '.index.lockdir/owner.json',
    '.index.lockdir.1a2b.gone/owner.json',
    'decisions/.a.json.0123.cairn-tmp',
    'decisions/a.json.invalid.1700000000',
    'graph.json',
    'decisions/a.json',
    'index.md',
    'memory-config.json',
    'nodes/files/x.md',
  ])
    put(path.join(root, name), '{}');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  git('init', '-q');
  git('add', '-A');
  expect(git('ls-files').trim().split('\n')).toEqual([
    '.gitignore',
    'decisions/a.json',
    'index.md',
    'memory-config.json',
    'nodes/files/x.md',
  ]);
});

it('leaves a .gitignore that somebody changed as it is', () => {
  const root = temporaryFolder();
  put(path.join(root, '.gitignore'), '*\n');
  ensureGitignore(root);
  expect(fs.readFileSync(path.join(root, '.gitignore'), 'utf8')).toBe('*\n');
});
