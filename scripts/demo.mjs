// `npm run demo`: the main job in a temporary project. Each command is shown, run for real, and its answer printed.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const binary = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../dist/faces/cli/main.js');
const project = mkdtempSync(path.join(os.tmpdir(), 'cairn-demo-'));
const env = { ...process.env, CAIRN_HOME: path.join(project, '.home'), CLAUDE_PROJECT_DIR: '' };

function cairn(args, input) {
  const shown = args.map((arg) => (/^[\w./:=,-]+$/.test(arg) ? arg : JSON.stringify(arg))).join(' ');
  console.log(`$ cairn ${shown}${input ? `   < ${input}` : ''}`);
  const out = execFileSync(process.execPath, [binary, ...args], {
    cwd: project,
    env,
    input: input ?? '',
    encoding: 'utf8',
  });
  console.log(out || '(nothing)\n');
}

try {
  cairn([
    'save',
    'decision',
    'Keep sessions in Redis because tokens must be revocable',
    '--tags',
    'auth,redis',
    '--field',
    'context=Logout did not end a session',
  ]);
  cairn([
    'save',
    'runbook',
    'Redis refuses connections\nfree the port 6379\nrestart the service',
    '--tags',
    'redis,ops',
    '--field',
    'verification=redis-cli ping answers PONG',
  ]);
  cairn(['save', 'preference', 'Always use pnpm because the lock file is pnpm’s', '--tags', 'tooling']);
  cairn(['search', 'redis', 'sessions']);
  cairn(['retire', 'always-use-pnpm', '--yes', '--reason', 'we moved to npm']);
  cairn(['restore', 'always-use-pnpm']);
  cairn(['status']);
} finally {
  rmSync(project, { recursive: true, force: true });
}
