// The Stop hook: looks at the end of the transcript and, if something in it is worth keeping, asks the model once to
// save it before it stops. In every other case it is silent. What was said is indexed by a worker meanwhile.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Config } from '../../config/load.ts';
import { isSystemError } from '../../errors.ts';
import { isInside } from '../../files/paths.ts';
import { nameHash } from '../../model/hash.ts';
import { isObject, type JsonObject } from '../../model/json.ts';
import { formatOf } from '../../transcripts/formats.ts';
import { linesFromEnd } from '../../transcripts/lines-from-end.ts';
import { type Tail, transcriptMessages, withLastAnswer } from '../../transcripts/tail.ts';
import { contextText, lastLines, linesAround } from '../../triage/context-text.ts';
import { renderTriage } from '../../triage/render.ts';
import { type TriageResult, type Trigger, triage } from '../../triage/triage.ts';
import type { Vocabulary } from '../../triage/vocabulary/words.ts';
import { isKeptOut } from '../keep-out.ts';
import { type HookContext, type HookHandler, SILENT } from './hook.ts';
import { noteUnindexed, startIndexing } from './start-indexing.ts';

/** How long a block lets the next stop pass. */
const FLAG_LIFE_MS = 300_000;
/** However long the messages are, no more of the transcript is read. */
const MAX_TAIL_BYTES = 16 * 1024 * 1024;
/** Context files hold parts of conversations; those of earlier sessions are not kept around. */
const CONTEXT_LIFE_MS = 24 * 3_600_000;
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_TRUNC, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;

export const stop: HookHandler = async (payload, context) => {
  const answer = await judge(payload, context);
  // A turn that goes on stops again, and is indexed then; until then it is noted that there is something to index.
  if (answer.exit === 2) noteUnindexed(payload, context);
  else await startIndexing(payload, context);
  return answer;
};

const judge: HookHandler = async (payload, context) => {
  const { settings, paths } = context.config;
  const flag = path.join(paths.projectRoot, '.claude', '.stop_hook_active');
  const again = payload.stop_hook_active === true; // the client says so itself when this stop follows a block
  const passed = takeFlag(flag, again ? Number.POSITIVE_INFINITY : FLAG_LIFE_MS, context);
  if (passed || again || !settings.triage.enabled || isUnfinished(payload)) return SILENT;

  const file = allowedTranscript(payload.transcript_path, context);
  if (file === undefined) return SILENT;
  const tail = withLastAnswer(readTail(file, settings.triage.max_messages), payload.last_assistant_message);
  if (tail.messages.length === 0) return SILENT;
  const result = triage(tail, settings, vocabularyOf(context.config));
  if (result.triggers.length === 0) return SILENT;
  if (isKeptOut(context.config, { session: payload.session_id, transcript: file })) return SILENT;

  // Masking secrets takes a long list of patterns, which most stops never need.
  const folder = openFolder(contextFolder(payload, context.config), context);
  const mask = await maskFor(file, folder);
  const contextFiles = folder === undefined ? new Map<string, string>() : writeContexts(result, folder, mask, context);
  raiseFlag(flag, context);
  return { exit: 2, stderr: renderTriage(result, { contextFiles, parallel: settings.triage.parallel, redact: mask }) };
};

/** Masks what the conversation gave away anywhere in the part that is read, not only beside its name. */
async function maskFor(file: string, folder: string | undefined): Promise<(text: string) => string> {
  const { maskOfTranscript } = await import('./mask-transcript.ts');
  const descriptor = openTranscript(file);
  try {
    return maskOfTranscript(descriptor, { folder, most: MAX_TAIL_BYTES });
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/**
 * A turn that waits for a subagent is not over: the client stops again when it has come back. And in plan mode nothing
 * may be written, so asking for it would only cost a turn. Either way the words are still there at the next stop.
 */
function isUnfinished({ background_tasks: tasks, permission_mode: mode }: JsonObject): boolean {
  const isRunning = (task: unknown) => isObject(task) && task.type === 'subagent' && task.status === 'running';
  return mode === 'plan' || (Array.isArray(tasks) && tasks.some(isRunning));
}

function vocabularyOf({ settings }: Config): Vocabulary {
  return settings.triage.vocabulary;
}

/** True if a block not longer ago than `life` let this stop pass. Whoever removes the flag has it, and nobody else. */
function takeFlag(file: string, life: number, { now, problem }: HookContext): boolean {
  try {
    if (now().getTime() - fs.lstatSync(file).mtimeMs >= life) return false;
    fs.unlinkSync(file);
    return true;
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return false;
    problem(error);
    return true;
  }
}

function raiseFlag(file: string, { now, problem }: HookContext): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const descriptor = fs.openSync(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
    fs.writeSync(descriptor, `${Math.floor(now().getTime() / 1_000)}\n`);
    fs.closeSync(descriptor);
  } catch (error) {
    problem(error); // the client's own mark still keeps us from blocking twice
  }
}

function readTail(file: string, max: number): Tail {
  const descriptor = openTranscript(file);
  if (descriptor === undefined) return transcriptMessages([], max);
  try {
    return transcriptMessages(linesFromEnd(descriptor, formatOf(file), { maxBytes: MAX_TAIL_BYTES }), max);
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * Transcripts live in the user's home or, in tests and containers, in a temporary directory; nothing else is read. One
 * that is not there yet counts by its name.
 */
function allowedTranscript(file: unknown, { config, env }: HookContext): string | undefined {
  if (typeof file !== 'string' || file === '' || file.includes('\0')) return undefined;
  const real = realPathOf(file);
  const roots = [config.paths.home, '/tmp', os.tmpdir(), env.CLAUDE_CONFIG_DIR];
  const holds = (root: string | undefined, place: string): boolean => !!root && root !== place && isInside(root, place);
  if (real === undefined) return roots.some((root) => holds(root, path.resolve(file))) ? file : undefined;
  return roots.some((root) => holds(root && realPathOf(root), real)) ? real : undefined;
}

/** The links were followed before. A pipe under this name must not hang us. */
function openTranscript(file: string): number | undefined {
  let descriptor: number;
  try {
    descriptor = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined; // nothing is written yet
    throw error;
  }
  if (fs.fstatSync(descriptor).isFile()) return descriptor;
  fs.closeSync(descriptor);
  return undefined;
}

function realPathOf(file: string): string | undefined {
  try {
    return fs.realpathSync.native(file);
  } catch {
    return undefined;
  }
}

/** One folder for each project and session, below one that is the user's alone. */
function contextFolder({ session_id: session }: JsonObject, { paths }: Config): string[] {
  const owner = process.getuid?.() ?? 'user';
  const name = typeof session === 'string' && /^[\w-]{1,64}$/.test(session) ? session : nameHash(String(session ?? ''));
  return [path.join(os.tmpdir(), `cairn-triage-${owner}`), `${nameHash(paths.projectRoot)}-${name}`];
}

/** Without one nothing is written: the conversation still holds what the files would say. */
function openFolder([parent, name]: string[], context: HookContext): string | undefined {
  try {
    ownFolder(parent!);
    const folder = path.join(parent!, name!);
    if (ownFolder(folder)) removeOld(parent!, name!, context.now().getTime() - CONTEXT_LIFE_MS);
    return folder;
  } catch (error) {
    context.problem(error);
    return undefined;
  }
}

/** The files by category. One that cannot be written is left out. */
function writeContexts(
  result: TriageResult,
  folder: string,
  mask: (text: string) => string,
  context: HookContext,
): Map<string, string> {
  const files = new Map<string, string>();
  try {
    for (const trigger of result.triggers) {
      const file = path.join(folder, `${trigger.category}.txt`);
      writeNew(file, contextOf(trigger, result, mask));
      files.set(trigger.category, file);
    }
  } catch (error) {
    context.problem(error);
  }
  return files;
}

function contextOf(trigger: Trigger, { lines, activity }: TriageResult, redact: (text: string) => string): string {
  const { category, description, score, matches, counted } = trigger;
  const common = { category, description, score, redact, snippets: counted.map((number) => lines[number]!) };
  if (matches.length > 0) return contextText({ ...common, excerpt: linesAround(lines, matches) });
  const facts = [
    `Tool uses: ${activity.toolUses}`,
    `Distinct tools: ${activity.distinctTools}`,
    `Exchanges: ${activity.exchanges}`,
  ];
  return contextText({ ...common, facts, excerpt: lastLines(lines) });
}

/**
 * Makes the folder, or makes sure that the one that is there is a real folder of ours that nobody else can enter.
 * True if it is new.
 */
function ownFolder(folder: string): boolean {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
  }
  const stat = fs.lstatSync(folder);
  if (!stat.isDirectory()) throw new Error(`${folder} is not a folder`);
  if (process.getuid && stat.uid !== process.getuid()) throw new Error(`${folder} belongs to somebody else`);
  if (process.getuid && (stat.mode & 0o077) !== 0) fs.chmodSync(folder, 0o700);
  return false;
}

function removeOld(parent: string, own: string, before: number): void {
  for (const name of fs.readdirSync(parent)) {
    const folder = path.join(parent, name);
    const stat = name === own ? undefined : fs.lstatSync(folder, { throwIfNoEntry: false });
    if (stat && stat.mtimeMs < before) fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Made anew, so that neither a link nor the mode of an older file can lead the text elsewhere. */
function writeNew(file: string, text: string): void {
  fs.rmSync(file, { force: true });
  const descriptor = fs.openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    fs.writeFileSync(descriptor, text);
  } finally {
    fs.closeSync(descriptor);
  }
}
