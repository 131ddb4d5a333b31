// The user's own Claude Code as a model: `claude -p` with everything switched off that makes it an agent. No hooks (ours would
// start it again, and again), no plugins, no MCP servers, no tools, no memory files, no transcript; an empty folder to work in.
// Which switches that takes was seen on clients 2.1.197 and 2.1.325: docs/MODELS.md.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CairnError, isSystemError, messageOf } from '../errors.ts';
import { isObject, type JsonObject, parseJson } from '../model/json.ts';
import { cutCodePoints, stripUnsafe } from '../model/text.ts';
import { redact } from '../safety/secrets/redact.ts';
import { failureOf } from './endpoint.ts';
import { type Llm, LlmError, type LlmReply, type LlmRequest, type ProviderOptions, tokenCount } from './llm.ts';

const DEFAULT_MODEL = 'haiku';
/** It becomes an argument, and must not be taken for an option. */
const MODEL_NAME = /^[A-Za-z0-9][\w.:@/[\]-]*$/;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const MAX_ERROR_BYTES = 8 * 1024;
const GRACE_MS = 1_000;
const SHOWN = 240;

/** Facts about the conversation that started us. The child is none of its parts, and must not write to its files. */
const OF_THE_PARENT = [
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_SESSION_ATTENDED',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_MESSAGING_TOKEN',
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_PLUGIN_ROOT',
  'CLAUDE_PLUGIN_DATA',
  'CLAUDE_ENV_FILE',
  'CLAUDE_PID',
  'CLAUDE_EFFORT',
];

export function openClaude({ settings, env, claudeBinary = 'claude' }: ProviderOptions): Llm {
  if (settings.base_url) {
    throw new CairnError('CONFIG_ERROR', 'llm.base_url means nothing to the provider claude: the client has its own.', {
      fix: '`cairn config unset --user llm.base_url`, or choose another llm.provider.',
    });
  }
  const model = settings.model || DEFAULT_MODEL;
  if (!MODEL_NAME.test(model)) {
    throw new CairnError('CONFIG_ERROR', `llm.model cannot be given to the client: ${JSON.stringify(model)}.`, {
      fix: 'Name a model as `claude --model` takes it, such as haiku or sonnet.',
    });
  }
  const name = `claude:${model}`;
  return {
    name,
    // An answer that is too long is asked for up to three times more by the client itself, and nothing switches that off.
    costs: { overheadTokens: 600, mostRequests: 4 },
    async complete(request) {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-llm-'));
      try {
        const run = await runClient(claudeBinary, request, { folder, model, name, env, settings });
        return replyOf(run, name);
      } finally {
        fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  };
}

function argumentsFor(model: string, system: string): string[] {
  return [
    ...['-p', '--output-format', 'json', '--model', model, '--system-prompt', system],
    ...['--settings', '{"disableAllHooks":true}'],
    // The user's own settings may say how to log in; those of a project have no business here.
    ...['--setting-sources', 'user'],
    ...['--strict-mcp-config', '--mcp-config', '{"mcpServers":{}}'],
    ...['--tools', '', '--disable-slash-commands', '--no-session-persistence'],
  ];
}

function environmentFor(env: NodeJS.ProcessEnv, maxTokens: number): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !OF_THE_PARENT.includes(name));
  return {
    ...Object.fromEntries(kept),
    // Every hook of Cairn is a no-op below this variable, also on a client that knows none of the switches.
    CAIRN_CHILD: '1',
    CLAUDE_CODE_SAFE_MODE: '1',
    CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1',
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_DISABLE_THINKING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxTokens),
    // When to try again is the ledger's decision.
    CLAUDE_CODE_MAX_RETRIES: '0',
    DISABLE_AUTOUPDATER: '1',
  };
}

type Run = { readonly output: string; readonly errors: string; readonly exit: number | null };
type Place = {
  readonly folder: string;
  readonly model: string;
  readonly name: string;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: ProviderOptions['settings'];
};

function runClient(binary: string, request: LlmRequest, { folder, model, name, env, settings }: Place): Promise<Run> {
  const { system, prompt, maxTokens, signal } = request;
  const timeoutMs = settings.timeout_seconds * 1000;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(stopped(name));
    const child = started(binary, argumentsFor(model, system), { cwd: folder, env: environmentFor(env, maxTokens) });
    if (child instanceof LlmError) return reject(child);
    let failure: LlmError | undefined;
    const end = (why: LlmError): void => {
      if (failure) return;
      failure = why;
      endGroup(child);
    };
    const clock = setTimeout(() => end(timedOut(name, timeoutMs)), timeoutMs);
    const onAbort = (): void => end(stopped(name));
    const onExit = (): void => signalGroup(child, 'SIGKILL');
    signal?.addEventListener('abort', onAbort, { once: true });
    process.once('exit', onExit);
    const settle = (done: () => void): void => {
      clearTimeout(clock);
      signal?.removeEventListener('abort', onAbort);
      process.off('exit', onExit);
      done();
    };
    const output = collect(child.stdout, MAX_OUTPUT_BYTES, () =>
      end(new LlmError('garbage', `${name} printed more than ${MAX_OUTPUT_BYTES} bytes.`)),
    );
    const errors = collect(child.stderr, MAX_ERROR_BYTES);
    child.on('error', (error) => settle(() => reject(notStarted(error, binary))));
    child.on('close', (exit) =>
      settle(() => (failure ? reject(failure) : resolve({ output: output(), errors: errors(), exit }))),
    );
    child.stdin.on('error', () => {}); // it ended without reading all: its exit tells why
    child.stdin.end(prompt);
  });
}

function started(binary: string, args: readonly string[], place: { cwd: string; env: NodeJS.ProcessEnv }) {
  try {
    // The prompt goes through standard input: arguments are limited in size and everybody on the machine can read them.
    return spawn(binary, args, {
      ...place,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32', // a group of its own, so that all of it can be ended
      windowsHide: true,
    });
  } catch (error) {
    return notStarted(error, binary); // most failures come later, as an event
  }
}

/** What a stream says, up to a size; the rest is thrown away. */
function collect(stream: NodeJS.ReadableStream, most: number, onTooMuch?: () => void): () => string {
  const pieces: Buffer[] = [];
  let size = 0;
  stream.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size <= most) pieces.push(piece);
    else onTooMuch?.();
  });
  return () => Buffer.concat(pieces).toString('utf8');
}

function endGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  // Somebody who holds the pipes open would keep us waiting for `close`, whether the client itself is gone or not.
  const last = setTimeout(() => {
    signalGroup(child, 'SIGKILL');
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, GRACE_MS);
  child.once('close', () => {
    clearTimeout(last);
    signalGroup(child, 'SIGKILL'); // what the client started and left
  });
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // all of it is gone
  }
}

function replyOf({ output, errors, exit }: Run, name: string): LlmReply {
  const result = parseResult(output);
  if (!result) {
    throw new LlmError('garbage', `${name} printed no result (exit ${exit}): ${shown(errors || output)}`, {
      fix: 'Try `claude -p hello` in a terminal: it may have to be updated, or want you to log in.',
    });
  }
  const usage = isObject(result.usage) ? result.usage : {};
  const use = {
    tokensIn:
      tokenCount(usage.input_tokens) +
      tokenCount(usage.cache_creation_input_tokens) +
      tokenCount(usage.cache_read_input_tokens),
    tokensOut: tokenCount(usage.output_tokens),
  };
  const text = typeof result.result === 'string' ? result.result : '';
  if (result.stop_reason === 'refusal') throw new LlmError('refused', `${name} declined to answer.`, { use });
  // Older clients say it in words only.
  const tooLong = result.api_error === 'max_output_tokens' || /output token maximum/.test(text);
  if (result.is_error === true && tooLong) throw new LlmError('cut', `The answer of ${name} was too long.`, { use });
  if (result.is_error === true || exit !== 0) throw clientError(result, text, { name, use });
  if (text.trim() === '') throw new LlmError('garbage', `${name} answered without any text.`, { use });
  return { text, ...use };
}

/** The last object that is printed; a client may print a notice before it. */
function parseResult(output: string): JsonObject | undefined {
  for (const text of [output, output.trimEnd().split('\n').at(-1) ?? '']) {
    const value = parseJson(text);
    if (isObject(value) && value.type === 'result') return value;
  }
  return undefined;
}

function clientError(
  result: JsonObject,
  text: string,
  { name, use }: { name: string; use: LlmError['use'] },
): LlmError {
  const status = typeof result.api_error_status === 'number' ? result.api_error_status : undefined;
  const wantsLogin = /\/login|log in|not logged in|api key/i.test(text);
  const failure = status !== undefined ? failureOf(status) : wantsLogin ? 'setup' : 'unavailable';
  return new LlmError(failure, `${name} failed: ${shown(text) || String(result.subtype ?? 'no reason given')}`, {
    ...(use ? { use } : {}),
    ...(failure === 'setup' ? { fix: 'Log in with `claude` in a terminal, or set llm.model to one you may use.' } : {}),
  });
}

const shown = (text: string): string =>
  cutCodePoints(stripUnsafe(redact(cutCodePoints(text, SHOWN * 4).replace(/\s+/g, ' ')).text), SHOWN).trim();

const stopped = (name: string): LlmError => new LlmError('stopped', `The call to ${name} was stopped.`);

const timedOut = (name: string, ms: number): LlmError =>
  new LlmError('timeout', `${name} did not answer within ${ms / 1000} s.`, {
    fix: 'Raise llm.timeout_seconds if this happens often.',
  });

function notStarted(error: unknown, binary: string): LlmError {
  const missing = isSystemError(error, 'ENOENT', 'EACCES');
  return new LlmError(missing ? 'setup' : 'unavailable', `${binary} cannot be started: ${messageOf(error)}`, {
    cause: error,
    fix: 'Install Claude Code so that `claude` is on the path, or choose another llm.provider.',
  });
}
