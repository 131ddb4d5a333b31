// One event in one process: payload in, handler, answer out. Whatever goes wrong, the answer is "go on" and a line in the log.

import fs from 'node:fs';
import { onBrokenLock } from '../../app/broken-locks.ts';
import { logBrokenLock, logFailure } from '../../app/failure-log.ts';
import { recordHookRun } from '../../app/hook-activity.ts';
import { type HookAnswer, type HookContext, type HookHandler, SILENT } from '../../app/hooks/hook.ts';
import { type Config, loadConfig, warningText } from '../../config/load.ts';
import { isSystemError } from '../../errors.ts';
import type { JsonObject } from '../../model/json.ts';
import { startHelper, startWorker, takePayload } from '../launcher/start-worker.ts';
import { readPayload } from './read-payload.ts';
import { type Input, standardInput } from './standard-input.ts';

/** What a hook sees of its process. */
export type HookProcess = {
  readonly env: NodeJS.ProcessEnv;
  readonly input: Input;
  /** Whether the running server is this process. */
  readonly isServer?: boolean;
  /** Hears that a handler had work to do. */
  worked?(): void;
  cwd(): string;
  out(text: string): void;
  err(text: string): void;
};

function realProcess(event: string): HookProcess {
  return {
    env: process.env,
    input: inputOf(event),
    cwd: () => process.cwd(),
    out: (text) => writeAll(1, text),
    err: (text) => writeAll(2, text),
  };
}

function inputOf(event: string): Input {
  const told = isWorker(event) ? takePayload(process.env) : undefined;
  return told ? (give) => give(told) : standardInput();
}

const isWorker = (event: string): boolean => event.endsWith('-worker');

export type HookRun = {
  readonly exit: number;
  /** It went all the way, or had something to say. */
  readonly worked: boolean;
};

/** The event of this process. */
export async function runEvent(event: string, handler: HookHandler): Promise<HookRun> {
  const own = realProcess(event);
  let hasWorked = false;
  const worked = (): void => {
    hasWorked = true;
  };
  const out = (text: string): void => {
    worked();
    own.out(text);
  };
  const exit = await runHook(event, handler, { ...own, out, worked });
  return { exit, worked: hasWorked || exit !== 0 };
}

/** Returns the exit code: 0, or 2 where the Stop hook blocks. */
export async function runHook(event: string, handler: HookHandler, own: HookProcess): Promise<number> {
  const answer = await answerOf(event, handler, own);
  if (answer.stderr) own.err(withNewline(answer.stderr));
  if (answer.stdout) own.out(withNewline(answer.stdout));
  return answer.exit;
}

async function answerOf(event: string, handler: HookHandler, own: HookProcess): Promise<HookAnswer> {
  const logged: Promise<void>[] = [];
  const answer = await answerAndLog(event, handler, { ...own, logged });
  await Promise.all(logged);
  return answer;
}

async function answerAndLog(
  event: string,
  handler: HookHandler,
  own: HookProcess & { logged: Promise<void>[] },
): Promise<HookAnswer> {
  const { env, logged } = own;
  let config: Config | undefined;
  const problem = (cause: unknown): void => {
    const { paths } = config ?? loadConfig({ env, cwd: own.cwd() });
    logged.push(logFailure(paths.userRoot, event, cause));
  };
  try {
    if (env.CAIRN_DISABLE || env.CAIRN_CHILD) {
      config = loadConfig({ env, cwd: own.cwd() });
      if (config.disabled) return SILENT;
    }
    const payload = await readPayload(own.input);
    if (!payload) return SILENT;
    config = loadConfig({ env, cwd: cwdOf(payload) ?? own.cwd() });
    const { userRoot } = config.paths;
    onBrokenLock((text) => logBrokenLock(userRoot, event, text));
    for (const each of config.warnings) own.err(`[WARN] ${warningText(each)}\n`);
    const start: HookContext['start'] = (worker, told) => startWorker(worker, told, env);
    const answer = await handler(payload, {
      env,
      now: () => new Date(),
      config,
      problem,
      start,
      startHelper: () => startHelper(env),
      ...(own.worked ? { worked: own.worked } : {}),
    });
    if (logged.length === 0)
      recordHookRun(config.paths.userRoot, markOf(event, payload), own.isServer ? 'warm' : 'command');
    return answer;
  } catch (error) {
    problem(error);
    return SILENT;
  }
}

/** The client's name of the event; two hooks share one of them, and workers are told what started them. */
function markOf(event: string, { hook_event_name: name }: JsonObject): string {
  if (typeof name !== 'string' || isWorker(event)) return event;
  return event === 'capture' && name === 'PostToolUse' ? 'PostToolUse-capture' : name;
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
