// The real Claude Code client, run offline: an empty home, a dummy key, the scripted API on loopback, our plugin.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type ApiRequest, startApi, type Turn } from './loopback-api.ts';

export const CLIENT_VERSION = '2.1.325';
export const PLUGIN = path.resolve(import.meta.dirname, '../../plugin');

/** Where `.ci/run` puts it, or where CAIRN_CLIENT says; `undefined` where there is none. */
export function findClient(): string | undefined {
  const cache =
    process.env.CAIRN_CI_CACHE ??
    path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'cairn-ci');
  const installed = path.join(
    cache,
    `client-${CLIENT_VERSION}`,
    'node_modules/@anthropic-ai/claude-code-linux-x64/claude',
  );
  return [process.env.CAIRN_CLIENT, installed].find((file) => file !== undefined && fs.existsSync(file));
}

export type Place = { base: string; home: string; project: string };

/** A fresh home and a fresh project that is a git repository. */
export function makePlace(): Place {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-e2e-')));
  const place = { base, home: path.join(base, 'home'), project: path.join(base, 'project') };
  fs.mkdirSync(place.home);
  fs.mkdirSync(path.join(place.project, '.git'), { recursive: true });
  fs.writeFileSync(path.join(place.project, '.git/HEAD'), 'ref: refs/heads/main\n');
  return place;
}

export type Session = {
  requests: ApiRequest[];
  result: { result?: string; is_error?: boolean };
  exit: number | null;
  debug: string;
};

export type SessionOptions = {
  place: Place;
  prompt: string;
  turns: readonly Turn[];
  plugin?: string;
  /** Further tools that the client may use without asking. */
  tools?: readonly string[];
  args?: readonly string[];
  env?: { [name: string]: string };
};

/** One `claude -p`, from start to end. */
export async function runClient({
  place,
  prompt,
  turns,
  plugin = PLUGIN,
  args = [],
  tools = [],
  env = {},
}: SessionOptions): Promise<Session> {
  const client = findClient();
  if (!client) throw new Error('the client is not installed');
  const api = await startApi(turns);
  const debugFile = path.join(place.base, `debug-${Date.now()}.txt`);
  try {
    const argv = [
      ...['-p', prompt, '--plugin-dir', plugin, '--output-format', 'json', '--permission-mode', 'acceptEdits'],
      ...['--allowedTools', 'Bash', 'Write', 'Edit', 'Read', ...tools, '--debug-file', debugFile, ...args],
    ];
    const child = spawn(client, argv, {
      cwd: place.project,
      env: {
        PATH: process.env.PATH,
        HOME: place.home,
        LANG: 'C.UTF-8',
        TERM: 'xterm',
        ANTHROPIC_BASE_URL: api.url,
        ANTHROPIC_API_KEY: 'dummy-key',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_TELEMETRY: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_ERROR_REPORTING: '1',
        // The first session of a home makes tables out of the model for a minute; a test that wants them says so.
        CAIRN_EMBEDDINGS_PROVIDER: 'none',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 120_000,
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk));
    const exit = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    if (!output.trim().startsWith('{')) throw new Error(`the client said no JSON (exit ${exit}): ${output}${errors}`);
    const debug = fs.existsSync(debugFile) ? fs.readFileSync(debugFile, 'utf8') : '';
    return { requests: api.requests, result: JSON.parse(output), exit, debug };
  } finally {
    await api.close();
  }
}

/** Workers that the hooks have started may still be writing: until they have ended, a folder fills up again. */
export async function removePlace(place: Place | undefined): Promise<void> {
  for (let tries = 0; place && tries < 100; tries++) {
    try {
      fs.rmSync(place.base, { recursive: true, force: true });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
}
