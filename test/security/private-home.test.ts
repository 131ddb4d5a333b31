// Another user of the machine: whatever Cairn keeps in the user's folder is for that user alone, also where the shell would let
// everybody read new files.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { newFolder, put } from '../fixtures/temporary.ts';

const base = newFolder();
const [home, project] = [path.join(base, 'home'), path.join(base, 'project')];
let program: Bundle;

function cairn(...args: string[]): void {
  const env = { PATH: process.env.PATH, HOME: home, CAIRN_EMBEDDINGS_PROVIDER: 'none' };
  const shell = ['-c', 'umask 0; exec "$0" "$@"', process.execPath, program.file, ...args];
  const { status, stderr } = spawnSync('sh', shell, { cwd: project, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`cairn ${args.join(' ')}: ${stderr}`);
}

/** What others could read, write or enter. */
function open(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    return (fs.lstatSync(file).mode & 0o077) === 0 ? [] : [path.relative(folder, file)];
  });
}

describe.skipIf(process.platform === 'win32')("the user's own folder", () => {
  beforeAll(async () => {
    program = await bundle('src/faces/launcher/main.ts');
    fs.mkdirSync(home);
    fs.mkdirSync(path.join(project, '.git'), { recursive: true });
  });
  afterAll(async () => {
    program?.remove();
    await removeBusyFolder(base);
  });

  it('is closed to others whatever the umask says', { timeout: 120_000 }, () => {
    const lines = [
      {
        type: 'user',
        sessionId: 's',
        cwd: project,
        uuid: 'a',
        message: { role: 'user', content: 'Which store shall we take?' },
      },
      {
        type: 'assistant',
        sessionId: 's',
        cwd: project,
        uuid: 'b',
        message: {
          id: 'm',
          role: 'assistant',
          content: [{ type: 'text', text: 'We decided to use Postgres because of transactions.' }],
        },
      },
    ]; // prettier-ignore
    const folder = path.join(home, '.claude/projects', project.replace(/[^a-z0-9]/gi, '-'));
    put(path.join(folder, 's.jsonl'), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    cairn('save', 'decision', 'Use SQLite because it needs no server');
    cairn('save', 'runbook', 'Restart the worker when the queue is stuck');
    cairn('retire', 'use-sqlite', '--reason', 'gone');
    cairn('config', 'set', '--user', 'retrieval.max_inject', '3');
    cairn('backfill');
    cairn('remember', 'store');
    const root = path.join(home, '.cairn');
    expect(fs.statSync(root).mode & 0o777).toBe(0o700);
    expect(fs.readdirSync(root).length).toBeGreaterThan(3);
    expect(open(root)).toEqual([]);
  });
});
