// `cairn hook <event>`: one process, one event. Whatever goes wrong, the answer is "go on" and a line in the log.

import type { Readable, Writable } from 'node:stream';
import { type Config, loadConfig, warningText } from '../../config.ts';
import type { JsonObject } from '../../files/json-file.ts';
import { logFailure } from './failure-log.ts';
import { type HookAnswer, type HookHandler, SILENT } from './hook.ts';
import { postToolUse } from './post-tool-use.ts';
import { preToolUse } from './pre-tool-use.ts';
import { readPayload } from './read-payload.ts';
import { stop } from './stop.ts';
import { userPromptSubmit } from './user-prompt-submit.ts';

const HANDLERS: { readonly [event: string]: HookHandler } = {
  stop,
  'user-prompt-submit': userPromptSubmit,
  'pre-tool-use': preToolUse,
  'post-tool-use': postToolUse,
};

export type HookStreams = {
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  env: NodeJS.ProcessEnv;
  cwd(): string;
};

/** Returns the exit code: 0, or 2 where the Stop hook blocks; 1 only for an event that does not exist. */
export async function runHook(event: string | undefined, streams: HookStreams = process): Promise<number> {
  const handler = event !== undefined && Object.hasOwn(HANDLERS, event) ? HANDLERS[event] : undefined;
  if (!handler) {
    const known = Object.keys(HANDLERS).join(', ');
    await print(streams.stderr, `cairn: there is no hook ${JSON.stringify(event ?? '')}; known are ${known}`);
    return event === '--help' || event === '-h' ? 0 : 1; // never 2: that would block the user
  }
  const answer = await answerOf(event!, handler, streams);
  await print(streams.stderr, answer.stderr);
  await print(streams.stdout, answer.stdout);
  return answer.exit;
}

async function answerOf(
  event: string,
  handler: HookHandler,
  { stdin, stderr, env, cwd }: HookStreams,
): Promise<HookAnswer> {
  let config: Config | undefined;
  const problem = (cause: unknown): void =>
    logFailure((config ?? loadConfig({ env, cwd: cwd() })).paths.userRoot, event, cause);
  try {
    if (env.CAIRN_DISABLE || env.CAIRN_CHILD) {
      config = loadConfig({ env, cwd: cwd() });
      if (config.disabled) return SILENT;
    }
    const payload = await readPayload(stdin);
    if (!payload) return SILENT;
    config = loadConfig({ env, cwd: cwdOf(payload) ?? cwd() });
    for (const each of config.warnings) stderr.write(`[WARN] ${warningText(each)}\n`);
    return await handler(payload, { env, now: () => new Date(), config, problem });
  } catch (error) {
    problem(error);
    return SILENT;
  }
}

function cwdOf(payload: JsonObject): string | undefined {
  const { cwd } = payload;
  return typeof cwd === 'string' && cwd !== '' && !cwd.includes('\0') ? cwd : undefined;
}

function print(stream: Writable, text: string | undefined): Promise<void> {
  if (!text) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once('error', () => resolve()); // the client closed its end
    stream.write(text.endsWith('\n') ? text : `${text}\n`, () => resolve());
  });
}
