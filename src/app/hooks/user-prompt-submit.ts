// Adds what is remembered to a prompt. It runs before every prompt, so it does nothing that this prompt does not need,
// and says nothing where it has nothing to say. What it says is recorded, and what a conversation costs has a ceiling.

import type { Config } from '../../config/load.ts';
import { readShown, type Shown, writeShown } from '../../learning/already-shown.ts';
import { appendInjection } from '../../learning/injection-log.ts';
import type { JsonObject } from '../../model/json.ts';
import { cutCodePoints, stripUnsafe } from '../../model/text.ts';
import { isMachinePrompt, withoutInjected } from '../../safety/injected-elements.ts';
import { removePrivate } from '../../safety/private-tags.ts';
import { redact } from '../../safety/secrets/redact.ts';
import { promptHash } from '../../transcripts/answer.ts';
import { isKeptOut } from '../keep-out.ts';
import { PromptMemory } from '../prompt-memory.ts';
import { type HookContext, type HookHandler, SILENT } from './hook.ts';
import {
  asksForNothing,
  type Injected,
  NOTHING_INJECTED,
  type PromptQuestion,
  type PromptRecall,
  recallForPrompt,
} from './recall-for-prompt.ts';
import { titleTagsForPrompt } from './title-tags-for-prompt.ts';

const MIN_PROMPT = 10;
/** A prompt is a question, not a file: the words after this add nothing but time. */
const MAX_PROMPT = 100_000;
/** `/name` or `/plugin:name`; a path such as `/etc/hosts` is part of a question. */
const SLASH_COMMAND = /^\/[a-z0-9][\w:.-]*(?:\s|$)/i;
/** What is kept of a prompt, and what is looked through for secrets before it is cut. */
const [KEPT, REDACTED] = [120, 4_000];
const NEW: Shown = { tokens: 0, lines: {} };

export const userPromptSubmit: HookHandler = async (payload, context) => {
  const { settings, paths } = context.config;
  const prompt = promptOf(payload);
  if (prompt === undefined || !settings.retrieval.enabled || settings.retrieval.max_inject <= 0) return SILENT;
  const session = typeof payload.session_id === 'string' ? payload.session_id : '';
  const shown = session === '' ? NEW : readShown(paths.userRoot, session);
  const room = roomOf(context.config, shown);
  if (room <= 0) return SILENT;
  const maxTokens = Math.min(room, settings.injection.prompt_max_tokens);
  const question = { prompt: prompt.slice(0, MAX_PROMPT), session, shown, maxTokens };
  const injected =
    (settings.retrieval.match_strategy === 'hybrid' ? await hybrid(question, context) : undefined) ??
    (await titleTagsForPrompt(question.prompt, context));
  if (injected.text === '' || injected.tokens > room) return SILENT;
  record(injected, { prompt, session, shown }, context);
  return { exit: 0, stdout: injected.text };
};

/** What a person asked; `undefined` if there is nothing to look for. */
function promptOf(payload: JsonObject): string | undefined {
  const raw = typeof payload.prompt === 'string' ? payload.prompt : payload.user_prompt;
  if (typeof raw !== 'string' || payload.source === 'system') return undefined;
  const prompt = raw.trim();
  const isLong = prompt.length >= 2 * MIN_PROMPT || [...prompt].length >= MIN_PROMPT;
  const isMachines = prompt[0] === '<' && (isMachinePrompt(prompt) || withoutInjected(prompt).trim() === '');
  const isCommand = prompt[0] === '/' && SLASH_COMMAND.test(prompt);
  return isLong && !isMachines && !isCommand ? prompt : undefined;
}

/** Tokens that this conversation may still be given. */
function roomOf({ settings }: Config, { tokens }: Shown): number {
  const most = settings.injection.session_max_tokens;
  return most <= 0 ? Number.POSITIVE_INFINITY : most - tokens;
}

/** `undefined` where the store cannot answer: not there yet, records and notes not in it yet, or broken, which is reported. */
async function hybrid(question: PromptQuestion, context: HookContext): Promise<Injected | undefined> {
  if (asksForNothing(question.prompt)) return NOTHING_INJECTED;
  let memory: PromptRecall | undefined;
  try {
    memory = context.openRecall
      ? await context.openRecall()
      : await PromptMemory.open(context.config, { now: context.now, problem: context.problem });
    if (!memory || !(await memory.refresh())) return undefined;
    return await recallForPrompt(memory, question);
  } catch (error) {
    context.problem(error);
    return undefined;
  } finally {
    await memory?.close();
  }
}

/** A prompt is not kept from its memories because they could not be noted. */
function record(
  { entries, lines, tokens }: Injected,
  { prompt, session, shown }: Pick<PromptQuestion, 'prompt' | 'session' | 'shown'>,
  context: HookContext,
): void {
  const { userRoot, projectRoot } = context.config.paths;
  try {
    appendInjection(userRoot, {
      time: context.now().toISOString(),
      event: 'UserPromptSubmit',
      session: session === '' ? null : session,
      project: projectRoot,
      // Of a conversation that may not be kept, only that something was told.
      prompt: isKeptOut(context.config, { session })
        ? { hash: '', start: '' }
        : { hash: promptHash(prompt), start: startOf(prompt) },
      entries,
      tokens,
    });
    if (session === '') return;
    writeShown(userRoot, session, { ...shown, tokens: shown.tokens + tokens, lines: { ...shown.lines, ...lines } });
  } catch (error) {
    context.problem(error);
  }
}

function startOf(prompt: string): string {
  const own = removePrivate(prompt.slice(0, MAX_PROMPT)).slice(0, REDACTED);
  const safe = redact(own).text.replace(/\s+/g, ' ');
  return cutCodePoints(stripUnsafe(safe).trim(), KEPT);
}
