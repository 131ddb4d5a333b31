// `cairn hook <event>`: one process, one event. Whatever goes wrong, the answer is "go on" and a line in the log.

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

/** Returns the exit code. */
export async function runHook(event: string | undefined): Promise<number> {
  const handler = event !== undefined && Object.hasOwn(HANDLERS, event) ? HANDLERS[event] : undefined;
  if (!handler) {
    process.stderr.write(
      `cairn: there is no hook ${JSON.stringify(event ?? '')}; known are ${Object.keys(HANDLERS).join(', ')}\n`,
    );
    return event === '--help' || event === '-h' ? 0 : 1; // never 2: that would block the user
  }
  const answer = await answerOf(event!, handler);
  await print(process.stderr, answer.stderr);
  await print(process.stdout, answer.stdout);
  return answer.exit;
}

async function answerOf(event: string, handler: HookHandler): Promise<HookAnswer> {
  let config: Config | undefined;
  const problem = (cause: unknown): void => logFailure((config ?? loadConfig()).paths.userRoot, event, cause);
  try {
    if (process.env.CAIRN_DISABLE || process.env.CAIRN_CHILD) {
      config = loadConfig();
      if (config.disabled) return SILENT;
    }
    const payload = await readPayload(process.stdin);
    if (!payload) return SILENT;
    config = loadConfig({ cwd: cwdOf(payload) });
    for (const each of config.warnings) process.stderr.write(`[WARN] ${warningText(each)}\n`);
    return await handler(payload, { env: process.env, now: () => new Date(), config, problem });
  } catch (error) {
    problem(error);
    return SILENT;
  }
}

function cwdOf(payload: JsonObject): string {
  return typeof payload.cwd === 'string' && payload.cwd !== '' && !payload.cwd.includes('\0')
    ? payload.cwd
    : process.cwd();
}

function print(stream: NodeJS.WriteStream, text: string | undefined): Promise<void> {
  if (!text) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once('error', () => resolve()); // the client closed its end
    stream.write(text.endsWith('\n') ? text : `${text}\n`, () => resolve());
  });
}
