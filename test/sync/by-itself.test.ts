// Sync that nobody asks for: the end of a conversation on one machine, the beginning of one on another, hooks of the build and the workers
// that they leave behind.

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { writeConversation } from '../../scripts/demo-conversation.mjs';
import { memoryFolder } from '../fixtures/temporary.ts';

const binary = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');
const SESSION = '0b1d6f0e-5c1f-4d0c-9d0f-1c6a6c1d2e3f';
const PATIENCE = { timeout: 90_000, interval: 500 };

it('happens when a conversation ends and when one begins', async () => {
  const base = memoryFolder();
  const place = path.join(base, 'place');
  const run = (home: string, argv: readonly string[], payload?: object): string => {
    const { CAIRN_DISABLE: _, CAIRN_HOME: __, ...inherited } = process.env;
    const own = { HOME: path.join(base, home), USERPROFILE: path.join(base, home), CLAUDE_PROJECT_DIR: '' };
    const { stdout, stderr, status } = spawnSync(process.execPath, [binary, ...argv], {
      cwd: path.join(base, home, 'shop'),
      env: { ...inherited, ...own, CAIRN_SYNC_PASSPHRASE: 'correct horse battery', CAIRN_EMBEDDINGS_PROVIDER: 'none' },
      input: payload === undefined ? '' : JSON.stringify(payload),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${argv.join(' ')} (${status}): ${stderr}`);
    return stdout;
  };
  for (const home of ['laptop', 'desktop']) {
    execFileSync('git', ['init', '--quiet', path.join(base, home, 'shop')]);
    run(home, ['sync', 'init', place, '--name', home]);
  }
  const project = path.join(base, 'laptop', 'shop');
  writeConversation(path.join(base, 'laptop'), project);
  const folder = path.join(base, 'laptop', '.claude', 'projects', project.replace(/[^A-Za-z0-9]/g, '-'));
  run('laptop', ['hook', 'session-end'], {
    ...{ hook_event_name: 'SessionEnd', session_id: SESSION, cwd: project },
    transcript_path: path.join(folder, `${SESSION}.jsonl`),
  });
  const status = (home: string): { pushedAt: string | null; pulledAt: string | null; toPush: number } =>
    JSON.parse(run(home, ['sync', 'status', '--json'])) as ReturnType<typeof status>;
  await vi.waitFor(() => expect(status('laptop')).toMatchObject({ pushedAt: expect.any(String), toPush: 0 }), PATIENCE);
  run('desktop', ['hook', 'session-start'], {
    ...{ hook_event_name: 'SessionStart', session_id: 'x', source: 'startup', cwd: path.join(base, 'desktop', 'shop') },
  });
  const asked = ['remember', 'where do we keep the sessions', '--all-projects'];
  await vi.waitFor(() => expect(run('desktop', asked)).toContain('We decided to keep the sessions in Redis'), PATIENCE);
  await vi.waitFor(() => expect(status('desktop').pushedAt).not.toBeNull(), PATIENCE);
  const failures = ['laptop', 'desktop'].map((home) => path.join(base, home, '.cairn', 'log', 'hooks.log'));
  expect(failures.filter((file) => fs.existsSync(file)).map((file) => fs.readFileSync(file, 'utf8'))).toEqual([]);
}, 240_000);
