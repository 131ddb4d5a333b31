// The real Claude Code client, run offline: an empty home, a dummy key, the scripted API on loopback, our plugin.

import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type ApiRequest, startApi, type Turn } from './loopback-api.ts';
import { ownProcesses } from './own-processes.ts';

export const CLIENT_VERSION = '2.1.325';
/** The oldest that is supported. */
export const OLD_CLIENT_VERSION = '2.1.197';
export const PLUGIN = path.resolve(import.meta.dirname, '../../plugin');
export const DIST = path.resolve(PLUGIN, '../dist');
export const BINARY = path.join(DIST, 'faces/cli/main.js');

/** Where `.ci/run` puts it, or where CAIRN_CLIENT says; `undefined` where there is none, and that is said loudly. */
export function findClient(version: string = CLIENT_VERSION): string | undefined {
  const cache =
    process.env.CAIRN_CI_CACHE ??
    path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'cairn-ci');
  const installed = path.join(cache, `client-${version}`, 'node_modules/@anthropic-ai/claude-code-linux-x64/claude');
  const given = version === CLIENT_VERSION ? process.env.CAIRN_CLIENT : process.env.CAIRN_OLD_CLIENT;
  const found = [given, installed].find((file) => file !== undefined && fs.existsSync(file));
  if (!found)
    process.stderr.write(
      `\n*** Claude Code ${version} is not installed: its end-to-end tests do NOT run. .ci/run installs it. ***\n\n`,
    );
  return found;
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

/** `cairn ARGS` in that place, as its user would run it there. */
export function cairnIn({ home, project }: Pick<Place, 'home' | 'project'>, ...args: string[]): string {
  return execFileSync(process.execPath, [BINARY, ...args], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home, CAIRN_EMBEDDINGS_PROVIDER: 'none' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Whoever calls it looks again: it only waits. */
export async function until(condition: () => boolean, tries = 300): Promise<void> {
  for (let at = 0; at < tries && !condition(); at++) await wait(200);
}

/** So long a worker may take on a machine that has much else to do. */
const WORKERS_MS = 120_000;

/** What the hooks of a conversation left to workers is done: nothing of Cairn runs there any more. */
export async function settled(place: Place): Promise<void> {
  for (const limit = Date.now() + WORKERS_MS; ownProcesses(place).length > 0; await wait(100))
    if (Date.now() > limit) throw new Error(`still running: ${ownProcesses(place).join('; ')}`);
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One process for each event, or to the running server. */
export const WAYS = ['command', 'warm'] as const;
export type Way = (typeof WAYS)[number];

export type PluginChange = {
  /** Program text that runs before the server in its process. */
  before?: string;
  /** Events without a hook. */
  without?: readonly string[];
  /** Where the package is; below the place if absent. */
  folder?: string;
};

/** A copy of our plugin whose hooks go that way, with the built program beside it. */
export function pluginCopy(place: Place, way: Way, { before, without = [], folder }: PluginChange = {}): string {
  const home = folder ?? path.join(place.base, `package-${way}`);
  const plugin = path.join(home, 'plugin');
  fs.cpSync(PLUGIN, plugin, { recursive: true });
  fs.symlinkSync(DIST, path.join(home, 'dist'));
  const declared = way === 'warm' ? 'hooks/hooks.warm.json' : 'hooks/hooks.json';
  const hooks = JSON.parse(fs.readFileSync(path.join(plugin, declared), 'utf8'));
  for (const event of without) delete hooks.hooks[event];
  fs.writeFileSync(path.join(plugin, 'hooks/hooks.json'), JSON.stringify(hooks));
  if (before === undefined) return plugin;
  const wrapper = path.join(home, 'wrapper.mjs');
  fs.writeFileSync(
    wrapper,
    `${before}\nprocess.argv[1] = ${JSON.stringify(BINARY)};\nawait import(process.argv[1]);\n`,
  );
  const server = { command: 'node', args: [wrapper, 'mcp'] };
  fs.writeFileSync(path.join(plugin, '.mcp.json'), JSON.stringify({ mcpServers: { cairn: server } }));
  return plugin;
}

export type Session = {
  requests: ApiRequest[];
  result: { result?: string; is_error?: boolean; session_id?: string };
  exit: number | null;
  debug: string;
};

export type SessionOptions = {
  place: Place;
  prompt: string;
  turns: readonly Turn[];
  plugin?: string;
  /** The program to run; the newest client if absent. */
  client?: string | undefined;
  /** Further tools that the client may use without asking. */
  tools?: readonly string[];
  args?: readonly string[];
  env?: { [name: string]: string };
};

/** What the client sees of the machine: nothing of the user's, no network. */
export const clientEnv = (place: Place, apiUrl: string): { [name: string]: string } => ({
  PATH: process.env.PATH ?? '',
  HOME: place.home,
  LANG: 'C.UTF-8',
  TERM: 'xterm',
  ANTHROPIC_BASE_URL: apiUrl,
  ANTHROPIC_API_KEY: 'dummy-key',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  // The first session of a home makes tables out of the model for a minute; a test that wants them says so.
  CAIRN_EMBEDDINGS_PROVIDER: 'none',
  // The scripted conversations say what the keywords listen for; a test of the evidence says so.
  CAIRN_TRIAGE_MODE: 'keywords',
});

let runs = 0;

/** One `claude -p`, from start to end. */
export async function runClient({
  place,
  prompt,
  turns,
  plugin = PLUGIN,
  client = findClient(),
  args = [],
  tools = [],
  env = {},
}: SessionOptions): Promise<Session> {
  if (!client) throw new Error('the client is not installed');
  const api = await startApi(turns);
  const debugFile = path.join(place.base, `debug-${++runs}.txt`);
  try {
    const argv = [
      ...['-p', prompt, '--plugin-dir', plugin, '--output-format', 'json', '--permission-mode', 'acceptEdits'],
      ...['--allowedTools', 'Bash', 'Write', 'Edit', 'Read', ...tools, '--debug-file', debugFile, ...args],
    ];
    const child = spawn(client, argv, {
      cwd: place.project,
      env: { ...clientEnv(place, api.url), ...env },
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
      const quiet = ownProcesses(place).length === 0; // asked before: one that ends in between has written after the removal
      fs.rmSync(place.base, { recursive: true, force: true });
      if (tries >= 30 || quiet) return;
    } catch {
      // something in it is being written
    }
    await wait(300);
  }
}
