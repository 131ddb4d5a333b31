// `cairn hook <event>`: one process, one event. Whatever goes wrong, the answer is "go on" and a line in the log.

import fs from 'node:fs';
import { type Config, loadConfig, warningText } from '../../config.ts';
import { isSystemError } from '../../errors.ts';
import type { JsonObject } from '../../files/json-file.ts';
import { capture } from './capture.ts';
import { logFailure } from './failure-log.ts';
import { type HookAnswer, type HookHandler, SILENT } from './hook.ts';
import { postToolUse } from './post-tool-use.ts';
import { preToolUse } from './pre-tool-use.ts';
import { fromStream, type Input, readPayload } from './read-payload.ts';
import { sessionEnd, sessionEndWorker, WORKER_EVENT } from './session-end.ts';
import { sessionStart } from './session-start.ts';
import { stop } from './stop.ts';
import { userPromptSubmit } from './user-prompt-submit.ts';

const HANDLERS: { readonly [event: string]: HookHandler } = {
  stop,
  'user-prompt-submit': userPromptSubmit,
  'pre-tool-use': preToolUse,
  'post-tool-use': checkThenCapture,
  'post-tool-use-failure': capture,
  'subagent-stop': capture,
  'session-start': sessionStart,
  'session-end': sessionEnd,
  [WORKER_EVENT]: sessionEndWorker,
};

/** A record that was written around the rules is dealt with before anything is learned from the call. */
async function checkThenCapture(...[payload, context]: Parameters<HookHandler>): Promise<HookAnswer> {
  const checked = await postToolUse(payload, context);
  try {
    await capture(payload, context);
  } catch (error) {
    context.problem(error); // what the check has to say must not be lost with it
  }
  return checked;
}

/** What a hook sees of its process. */
export type HookProcess = {
  readonly env: NodeJS.ProcessEnv;
  readonly input: Input;
  cwd(): string;
  out(text: string): void;
  err(text: string): void;
};

const realProcess = (): HookProcess => ({
  env: process.env,
  input: fromStream(process.stdin),
  cwd: () => process.cwd(),
  out: (text) => writeAll(1, text),
  err: (text) => writeAll(2, text),
});

/** Returns the exit code: 0, or 2 where the Stop hook blocks; 1 only for an event that does not exist. */
export async function runHook(event: string | undefined, own: HookProcess = realProcess()): Promise<number> {
  const handler = event !== undefined && Object.hasOwn(HANDLERS, event) ? HANDLERS[event] : undefined;
  if (!handler) {
    const known = Object.keys(HANDLERS).join(', ');
    own.err(`cairn: there is no hook ${JSON.stringify(event ?? '')}; known are ${known}\n`);
    return event === '--help' || event === '-h' ? 0 : 1; // never 2: that would block the user
  }
  const answer = await answerOf(event!, handler, own);
  if (answer.stderr) own.err(withNewline(answer.stderr));
  if (answer.stdout) own.out(withNewline(answer.stdout));
  return answer.exit;
}

async function answerOf(event: string, handler: HookHandler, own: HookProcess): Promise<HookAnswer> {
  const { env } = own;
  let config: Config | undefined;
  const problem = (cause: unknown): void =>
    logFailure((config ?? loadConfig({ env, cwd: own.cwd() })).paths.userRoot, event, cause);
  try {
    if (env.CAIRN_DISABLE || env.CAIRN_CHILD) {
      config = loadConfig({ env, cwd: own.cwd() });
      if (config.disabled) return SILENT;
    }
    const payload = await readPayload(own.input);
    if (!payload) return SILENT;
    config = loadConfig({ env, cwd: cwdOf(payload) ?? own.cwd() });
    for (const each of config.warnings) own.err(`[WARN] ${warningText(each)}\n`);
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

const withNewline = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** Straight to the descriptor: a stream would have to be loaded, and flushed before the process may exit. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += fs.writeSync(descriptor, bytes, at);
    } catch (error) {
      if (isSystemError(error, 'EAGAIN')) continue; // the reader is slow
      return; // it closed its end: there is nobody left to tell
    }
  }
}
