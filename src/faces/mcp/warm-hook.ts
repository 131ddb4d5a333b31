// Hooks that come to the running server instead of starting a process: the same handlers, run the same way. A client that calls
// a tool from a hook passes fields of the hook's input as text, so the input is put together again here; and it reads the
// answer of a tool as JSON only, so plain text and exit codes are said in JSON.

import type { HookContext, HookHandler } from '../../app/hooks/hook.ts';
import type { PromptRecall } from '../../app/hooks/recall-for-prompt.ts';
import { isObject, type JsonObject, parseJson } from '../../model/json.ts';
import { runHook } from '../hooks/run-hook.ts';

export const HOOK_TOOL = 'cairn_hook';

/** By the name of `cairn hook <name>`. Those that come before and after a conversation are not here: no server is up then. */
const HANDLERS: { readonly [name: string]: () => Promise<HookHandler> } = {
  'user-prompt-submit': async () => (await import('../../app/hooks/user-prompt-submit.ts')).userPromptSubmit,
  'pre-tool-use': async () => (await import('../../app/hooks/pre-tool-use.ts')).preToolUse,
  'post-tool-use': async () => (await import('../../app/hooks/post-tool-use.ts')).postToolUse,
  capture: async () => (await import('../../app/hooks/capture.ts')).capture,
  stop: async () => (await import('../../app/hooks/stop.ts')).stop,
  'pre-compact': async () => (await import('../../app/hooks/pre-compact.ts')).preCompact,
};

export const WARM_HOOKS: readonly string[] = Object.keys(HANDLERS);

/** Everything else is text and stays text, even where it looks like a number. */
const VALUES = ['tool_input', 'tool_response', 'background_tasks', 'stop_hook_active', 'is_interrupt'];

export const HOOK_TOOL_DESCRIPTION: JsonObject = {
  name: HOOK_TOOL,
  title: 'Internal',
  description: 'Internal to Cairn: called by its hooks, never by a model. Does nothing otherwise.',
  inputSchema: {
    type: 'object',
    properties: { event: { enum: WARM_HOOKS }, hook_event_name: { type: 'string' }, session_id: { type: 'string' } },
    required: ['event', 'hook_event_name', 'session_id'],
    additionalProperties: { type: 'string' },
  },
  annotations: { title: 'Internal', readOnlyHint: true, openWorldHint: false },
  // Clients that know this key show the tool to no model.
  _meta: { ui: { visibility: ['app'] } },
};

/** The hook's input again. The client writes what is not there as empty text, and everything that is not text as JSON. */
function payloadOf(input: JsonObject): JsonObject {
  const payload: JsonObject = {};
  for (const [field, value] of Object.entries(input)) {
    if (field === 'event' || value === '') continue;
    const given = VALUES.includes(field) && typeof value === 'string' ? parseJson(value) : undefined;
    payload[field] = given === undefined ? value : given; // some tools answer with plain text
  }
  return payload;
}

export type Said = { readonly exit: number; readonly out: string; readonly err: string };

/** What a hook said to a process, as the answer of a tool. */
const hookAnswer = (said: Said, hookEventName: string): JsonObject => ({
  content: [{ type: 'text', text: answerText(said, hookEventName) }],
});

function answerText({ exit, out, err }: Said, hookEventName: string): string {
  if (exit === 2) return JSON.stringify({ decision: 'block', reason: err.trimEnd() });
  const said = out.trimEnd();
  if (said === '') return '{}'; // no content at all, and the client tells the model that the hook "completed"
  if (said.startsWith('{')) return said;
  return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: said } });
}

export type WarmHook = {
  readonly env: NodeJS.ProcessEnv;
  cwd(): string;
  /** What a command hook would print on its standard error. */
  warn(text: string): void;
  /** A store that is open already; each prompt opens one if absent. */
  openRecall?(context: HookContext): Promise<PromptRecall | undefined>;
};

/** The result of `tools/call`; `undefined` if this is no call of a hook. */
export async function runWarmHook(input: unknown, own: WarmHook): Promise<JsonObject | undefined> {
  if (!isObject(input) || typeof input.event !== 'string') return undefined;
  const open = Object.hasOwn(HANDLERS, input.event) ? HANDLERS[input.event] : undefined;
  if (!open) return undefined;
  const payload = payloadOf(input);
  if (typeof payload.hook_event_name !== 'string' || typeof payload.session_id !== 'string') return undefined;
  const handler = withOpenStore(await open(), own);
  const bytes = [Buffer.from(JSON.stringify(payload))];
  let [out, err] = ['', ''];
  const exit = await runHook(input.event, handler, {
    env: own.env,
    cwd: own.cwd,
    isServer: true,
    input: (give) => give(bytes.shift()),
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  if (exit === 0 && err !== '') own.warn(err);
  return hookAnswer({ exit, out, err }, payload.hook_event_name);
}

const withOpenStore = (handler: HookHandler, { openRecall }: WarmHook): HookHandler =>
  openRecall ? (payload, context) => handler(payload, { ...context, openRecall: () => openRecall(context) }) : handler;
