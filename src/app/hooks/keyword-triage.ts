// Triage by keywords (`triage.mode: keywords`): scores the end of the transcript and, if a category speaks clearly enough, blocks the stop
// once and tells the model what to save. docs/TRIAGE.md; the numbers and the message are a contract.

import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config/load.ts';
import { isSystemError } from '../../errors.ts';
import { formatOf } from '../../transcripts/formats.ts';
import { linesFromEnd } from '../../transcripts/lines-from-end.ts';
import { type Tail, transcriptMessages, withLastAnswer } from '../../transcripts/tail.ts';
import { contextText, lastLines, linesAround } from '../../triage/context-text.ts';
import { renderTriage } from '../../triage/render.ts';
import { type TriageResult, type Trigger, triage } from '../../triage/triage.ts';
import type { Vocabulary } from '../../triage/vocabulary/words.ts';
import { isKeptOut } from '../keep-out.ts';
import { type HookContext, type HookHandler, SILENT } from './hook.ts';
import {
  allowedTranscript,
  contextFolder,
  isUnfinished,
  MAX_TAIL_BYTES,
  maskFor,
  openFolder,
  openTranscript,
} from './stop-transcript.ts';

/** How long a block lets the next stop pass. */
const FLAG_LIFE_MS = 300_000;
const { O_WRONLY, O_CREAT, O_EXCL, O_TRUNC, O_NOFOLLOW = 0 } = fs.constants;

export const keywordTriage: HookHandler = async (payload, context) => {
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
  const common = { category, description, score, redact, snippets: counted.flatMap((number) => lines[number] ?? []) };
  if (matches.length > 0) return contextText({ ...common, excerpt: linesAround(lines, matches) });
  const facts = [
    `Tool uses: ${activity.toolUses}`,
    `Distinct tools: ${activity.distinctTools}`,
    `Exchanges: ${activity.exchanges}`,
  ];
  return contextText({ ...common, facts, excerpt: lastLines(lines) });
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
