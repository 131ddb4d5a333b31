// The binary as it is shipped, with a server that comes and goes: a hook is silent while it is away and says so in the log, a turn that
// could not be stored is caught up, and a user without a server loads nothing of it.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { postgresBinaries, type Server, startServer } from '../fixtures/postgres-server.ts';
import { newFolder, put } from '../fixtures/temporary.ts';

const binary = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');
const SESSION = 'cccccccc-0000-4000-8000-000000000001';

describe.skipIf(postgresBinaries() === undefined || !fs.existsSync(binary))('a server that is away', () => {
  let server: Server;
  let base: string;
  let home: string;
  let project: string;
  beforeAll(async () => {
    server = await startServer();
    base = newFolder();
    home = path.join(base, 'home');
    project = path.join(base, 'project');
    fs.mkdirSync(path.join(project, '.git'), { recursive: true });
    put(path.join(home, '.cairn', 'config.json'), {
      store: { url: server.url() },
      embeddings: { provider: 'none' },
    });
  });
  afterAll(async () => {
    await server?.remove();
    await removeBusyFolder(base);
  });

  function cairn(argv: readonly string[], input = ''): { status: number | null; out: string; err: string } {
    const { CAIRN_DISABLE: _, CAIRN_HOME: __, CLAUDE_PROJECT_DIR: ___, ...inherited } = process.env;
    const env = { ...inherited, HOME: home, USERPROFILE: home, CLAUDE_PROJECT_DIR: project };
    const { status, stdout, stderr } = spawnSync(process.execPath, [binary, ...argv], {
      cwd: project,
      env,
      input,
      encoding: 'utf8',
    });
    return { status, out: stdout, err: stderr };
  }
  const prompt = () =>
    cairn(
      ['hook', 'user-prompt-submit'],
      JSON.stringify({
        hook_event_name: 'UserPromptSubmit',
        session_id: 'now',
        cwd: project,
        prompt: 'where do we keep the ledger of the bookkeeping?',
      }),
    );

  it('is waited for by no prompt, and missed by no conversation', async () => {
    expect(cairn(['store', 'migrate'])).toMatchObject({ status: 0, err: '' });
    await server.kill();
    const common = { sessionId: SESSION, cwd: project, timestamp: '2026-04-01T09:00:00Z' };
    const said = 'We decided to keep the ledger in Kafka, because the bookkeeping must replay every event.';
    put(
      path.join(home, '.claude/projects/shop', `${SESSION}.jsonl`),
      [
        { type: 'user', ...common, uuid: 'u', message: { role: 'user', content: 'Where do we keep the ledger?' } },
        {
          type: 'assistant',
          ...common,
          uuid: 'a',
          message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: said }] },
        },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    expect(prompt()).toEqual({ status: 0, out: '', err: '' });
    const log = path.join(home, '.cairn', 'log');
    const written = fs.readdirSync(log).map((name) => fs.readFileSync(path.join(log, name), 'utf8'));
    expect(written.join('\n')).toMatch(/database server 127\.0\.0\.1:\d+\/postgres cannot be reached/);
    const asked = cairn(['remember', 'ledger']);
    expect(asked.status).toBe(1);
    expect(asked.err).toMatch(/cannot be reached[\s\S]*Nothing is lost/);

    await server.start();
    expect(cairn(['backfill', '--no-vectors']).status).toBe(0);
    expect(cairn(['remember', 'ledger']).out).toContain('Kafka');
    expect(cairn(['doctor']).out).toMatch(/PostgreSQL \d+/);
  });

  it('is none where no settings name one', () => {
    const trace = path.join(base, 'loaded.txt');
    const list = put(
      path.join(base, 'list.cjs'),
      `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(trace)}, Object.keys(require.cache).join('\\n')));`,
    );
    put(path.join(home, '.cairn', 'config.json'), { embeddings: { provider: 'none' } });
    const env = { ...process.env, HOME: home, USERPROFILE: home, NODE_OPTIONS: `--require ${list}` };
    spawnSync(process.execPath, [binary, 'remember', 'ledger'], { cwd: project, env });
    expect(fs.readFileSync(trace, 'utf8')).not.toMatch(/server-store|node_modules.pg/);
  });
});
