// The user's own client as a model, with a stand-in for the program: how it is started, and how each way to fail is told.
// test/llm/real-client.test.ts does the same with the real one.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeClient } from '../../test/llm/fake-client.ts';
import { failureOf, llmSettings } from '../../test/llm/llm-settings.ts';
import { openClaude } from './claude.ts';
import type { LlmRequest } from './llm.ts';

const REQUEST = { system: 'Be short; "quotes" and $(echo x).', prompt: 'What is it?\n`id`', maxTokens: 321 };

function ask(act: string, request: Partial<LlmRequest> = {}, timeout_seconds = 30) {
  const client = fakeClient(act);
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: client.folder,
    CLAUDECODE: '1',
    CLAUDE_CODE_SESSION_ID: 'the-parent',
    CLAUDE_CODE_MESSAGING_TOKEN: 'token',
    CLAUDE_PROJECT_DIR: '/somewhere',
    CLAUDE_CODE_OAUTH_TOKEN: 'login',
  };
  const settings = llmSettings({ provider: 'claude', timeout_seconds });
  const llm = openClaude({ settings, env, claudeBinary: client.binary });
  return { client, llm, answer: llm.complete({ ...REQUEST, ...request }) };
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie is dead, only its parent has not looked yet.
    return !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe('the client as a model', () => {
  it('is asked without a shell, hooks, tools, servers or a place in the project', async () => {
    const { answer, client, llm } = ask('say({})');
    expect(await answer).toEqual({ text: 'hello', tokensIn: 100, tokensOut: 30 });
    expect(llm.name).toBe('claude:haiku');
    const [call] = client.calls();
    expect(call!.stdin).toBe(REQUEST.prompt);
    const argumentOf = (flag: string): string | undefined => call!.argv[call!.argv.indexOf(flag) + 1];
    expect(call!.argv).toEqual(
      expect.arrayContaining(['-p', '--strict-mcp-config', '--no-session-persistence', '--disable-slash-commands']),
    );
    expect(argumentOf('--system-prompt')).toBe(REQUEST.system);
    expect(argumentOf('--settings')).toBe('{"disableAllHooks":true}');
    expect(argumentOf('--mcp-config')).toBe('{"mcpServers":{}}');
    expect(argumentOf('--tools')).toBe('');
    expect(argumentOf('--setting-sources')).toBe('user');
    expect(argumentOf('--output-format')).toBe('json');
    expect(call!.argv.join(' ')).not.toContain('What is it?');
    expect(call!.env).toMatchObject({
      CAIRN_CHILD: '1',
      CLAUDE_CODE_SAFE_MODE: '1',
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: '321',
      CLAUDE_CODE_OAUTH_TOKEN: 'login',
    });
    for (const name of ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_CODE_MESSAGING_TOKEN', 'CLAUDE_PROJECT_DIR'])
      expect(call!.env).not.toHaveProperty(name);
    expect(path.dirname(call!.cwd)).toBe(fs.realpathSync(os.tmpdir()));
    expect(call!.cwdFiles).toEqual([]);
    expect(fs.existsSync(call!.cwd)).toBe(false);
  });

  it('finds its answer behind a notice', async () => {
    const { answer } = ask(`process.stdout.write('A new version is there.\\n', () => say({ result: 'yes' }))`);
    expect((await answer).text).toBe('yes');
  });

  it.each([
    ['refused', `say({ is_error: true, stop_reason: 'refusal', result: 'API Error: no' }, 1)`],
    ['cut', `say({ is_error: true, api_error: 'max_output_tokens', result: 'API Error' }, 1)`],
    ['busy', `say({ is_error: true, api_error_status: 429, result: 'API Error: Request rejected (429)' }, 1)`],
    ['busy', `say({ is_error: true, api_error_status: 529, result: 'API Error: 529' }, 1)`],
    ['setup', `say({ is_error: true, api_error_status: 401, result: 'Failed to authenticate.' }, 1)`],
    ['setup', `say({ is_error: true, api_error_status: 404, result: 'issue with the selected model' }, 1)`],
    ['setup', `say({ is_error: true, result: 'Not logged in · Please run /login' }, 1)`],
    ['unavailable', `say({ is_error: true, api_error_status: 500, result: 'API Error: 500' }, 1)`],
    ['unavailable', `say({ is_error: true, subtype: 'error_during_execution', result: '' }, 1)`],
    ['rejected', `say({ is_error: true, api_error_status: 400, result: 'prompt is too long' }, 1)`],
    ['garbage', `say({ result: '' })`],
    ['garbage', `process.stdout.write('hello')`],
    ['garbage', `process.stdout.write('{"type":"result","result":"he')`],
    ['garbage', `process.stdout.write('[]')`],
    ['garbage', `process.stderr.write("error: unknown option '--tools'"); process.exitCode = 1`],
    ['garbage', ''],
  ])('tells %s: %s', async (failure, act) => {
    expect(await failureOf(ask(act).answer)).toMatchObject({ failure });
  });

  it('tells what the client printed where it printed no result', async () => {
    const { answer } = ask(`process.stderr.write("error: unknown option '--tools'"); process.exitCode = 1`);
    const error = await failureOf(answer);
    expect(error.message).toContain("unknown option '--tools'");
    expect(error.fix).toContain('claude -p');
  });

  it('says so where the program is not there', async () => {
    const settings = llmSettings({ provider: 'claude' });
    const llm = openClaude({ settings, env: {}, claudeBinary: '/nowhere/claude' });
    expect(await failureOf(llm.complete(REQUEST))).toMatchObject({ failure: 'setup', code: 'CONFIG_ERROR' });
    const impossible = llm.complete({ ...REQUEST, system: 'a\0b' });
    expect(await failureOf(impossible)).toMatchObject({ failure: 'unavailable' });
  });

  it('takes no model that could be taken for an option', () => {
    for (const model of ['--dangerously-skip-permissions', '-p', 'a b', 'haiku\0', 'haiku\n'])
      expect(() => openClaude({ settings: llmSettings({ provider: 'claude', model }), env: {} })).toThrow(/llm\.model/);
    for (const model of ['haiku', 'claude-haiku-5-5', 'sonnet[1m]', 'eu.anthropic.claude-haiku-4-5-v1:0'])
      expect(openClaude({ settings: llmSettings({ provider: 'claude', model }), env: {} }).name).toBe(
        `claude:${model}`,
      );
  });

  it('survives a client that reads nothing of a long prompt', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-test-'));
    onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
    const binary = path.join(folder, 'claude');
    fs.writeFileSync(binary, '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    const llm = openClaude({ settings: llmSettings({ provider: 'claude' }), env: process.env, claudeBinary: binary });
    const answer = llm.complete({ ...REQUEST, prompt: 'x'.repeat(3_000_000) });
    expect(await failureOf(answer)).toMatchObject({ failure: 'garbage' });
  });

  it('ends a client that prints without end', async () => {
    const { answer } = ask(`const piece = 'x'.repeat(65536); (function go() { process.stdout.write(piece, go) })()`);
    expect(await failureOf(answer)).toMatchObject({ failure: 'garbage' });
  });

  // It ignores the polite signal, and has started something that does so too and holds the pipes open.
  const STUBBORN = `
process.on('SIGTERM', () => {});
const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: 'inherit' });
fs.writeFileSync(folder + '/pids', JSON.stringify([process.pid, child.pid]));
setInterval(() => {}, 1000);`;

  it.skipIf(process.platform === 'win32')('ends all that the client started when time is up', async () => {
    const { answer, client } = ask(STUBBORN, {}, 1.5);
    expect(await failureOf(answer)).toMatchObject({ failure: 'timeout' });
    const pids: number[] = JSON.parse(fs.readFileSync(path.join(client.folder, 'pids'), 'utf8'));
    await until(() => !pids.some(isAlive));
    expect(fs.existsSync(client.calls()[0]!.cwd)).toBe(false);
  });

  it.skipIf(process.platform === 'win32')('ends it when its caller gives up', async () => {
    const stop = new AbortController();
    const { answer, client } = ask(STUBBORN, { signal: stop.signal });
    const file = path.join(client.folder, 'pids');
    await until(() => fs.existsSync(file) && fs.readFileSync(file, 'utf8').endsWith(']'));
    stop.abort();
    expect(await failureOf(answer)).toMatchObject({ failure: 'stopped' });
    const pids: number[] = JSON.parse(fs.readFileSync(file, 'utf8'));
    await until(() => !pids.some(isAlive));
  });

  it('starts nothing for a caller that has given up already', async () => {
    const { answer, client } = ask('say({})', { signal: AbortSignal.abort() });
    expect(await failureOf(answer)).toMatchObject({ failure: 'stopped' });
    expect(client.calls()).toEqual([]);
  });
});
