// The interactive client at a terminal of its own: util-linux `script` lends the terminal, we type. A line is typed when the screen
// has come to rest after the one before, the client calls itself idle, and what was said is indexed: a person types later than that.

import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { clientEnv, type Place } from './client.ts';
import { type ApiRequest, startApi, type Turn } from './loopback-api.ts';
import { ownProcesses } from './own-processes.ts';

/** `script` of other systems takes other options. */
export function canType(): boolean {
  try {
    if (execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux')) return true;
  } catch {
    // not there
  }
  process.stderr.write('\n*** There is no util-linux `script`: the interactive client is NOT tested. ***\n\n');
  return false;
}

export type Typed = { requests: ApiRequest[]; exit: number | null; screen: string; debug: string };

export type Typing = {
  place: Place;
  client: string;
  plugin: string;
  turns: readonly Turn[];
  /** What is typed, and when that is done with: then, and when the screen is quiet, the next one is typed. */
  lines: readonly { text: string; until?: (requests: readonly ApiRequest[]) => boolean }[];
  env?: { [name: string]: string };
};

const QUIET_MS = 1_500;
const LIMIT_MS = 150_000;
const KEY_MS = 15;
/** The title of the terminal begins with this star when the client waits for its user, and with a turning circle when it works. */
const TITLE = /\x1b\]0;(\S)/g;
const IDLE = '✳';
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Everything that a person is asked at the first start is answered beforehand. */
function answerQuestions({ home, project }: Place): void {
  const state = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['dummy-key'], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  fs.writeFileSync(path.join(home, '.claude.json'), JSON.stringify(state));
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** One conversation at the terminal. The last line is expected to end it. */
export async function typeInto({ place, client, plugin, turns, lines, env = {} }: Typing): Promise<Typed> {
  answerQuestions(place);
  const api = await startApi(turns);
  const debugFile = path.join(place.base, 'debug-terminal.txt');
  const words = [client, '--plugin-dir', plugin, '--permission-mode', 'acceptEdits', '--debug-file', debugFile];
  const command = `stty rows 50 cols 160; exec ${words.map(quoted).join(' ')}`;
  const terminal = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
    cwd: place.project,
    env: { ...clientEnv(place, api.url), SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let screen = '';
  let last = Date.now();
  let ended = false;
  terminal.stdin.on('error', () => undefined); // it ended while we typed
  terminal.stdout.on('data', (chunk: Buffer) => {
    screen += chunk;
    last = Date.now();
    if (chunk.includes('\x1b[c')) terminal.stdin.write('\x1b[?62;22c'); // which terminal are you?
    if (chunk.includes('\x1b[6n')) terminal.stdin.write('\x1b[1;1R'); // where is the cursor?
  });
  const exit = new Promise<number | null>((resolve) => terminal.on('close', resolve)).finally(() => (ended = true));
  const limit = Date.now() + LIMIT_MS;
  const isIdle = (): boolean => [...screen.matchAll(TITLE)].at(-1)?.[1] === IDLE;
  const isIndexing = (): boolean => ownProcesses(place).some((each) => each.endsWith('index-worker'));
  const rest = async (): Promise<void> => {
    const isBusy = (): boolean => !isIdle() || Date.now() - last < QUIET_MS || isIndexing();
    while (!ended && Date.now() < limit && isBusy()) await wait(100);
  };
  try {
    await rest();
    for (const { text, until } of lines) {
      for (const key of text) {
        terminal.stdin.write(key);
        await wait(KEY_MS);
      }
      await wait(400);
      terminal.stdin.write('\r');
      await wait(100);
      while (until && !ended && Date.now() < limit && !until(api.requests)) await wait(100);
      await rest();
    }
    while (!ended && Date.now() < limit) await wait(50);
    if (!ended) terminal.kill();
    const debug = fs.existsSync(debugFile) ? fs.readFileSync(debugFile, 'utf8') : '';
    return { requests: api.requests, exit: await exit, screen, debug };
  } finally {
    await api.close();
  }
}
