// What the exchange that has just ended shows and no record has yet, and the drafts of it: read from the end of the transcript, judged, masked
// and written down. Loaded only where something may come of it.

import fs from 'node:fs';
import { isSystemError } from '../../errors.ts';
import { type Exchange, promptOf } from '../../extraction/exchanges/exchange.ts';
import { ideasOfExchange } from '../../extraction/ideas/ideas-of-exchange.ts';
import { readText } from '../../files/json-file.ts';
import type { JsonObject } from '../../model/json.ts';
import { readDrafts, type StoredDraft, writeDraft } from '../../records/drafts.ts';
import { entriesOf } from '../../records/index-file.ts';
import { indexFile } from '../../records/record-store.ts';
import { withoutMasks } from '../../safety/secrets/redact.ts';
import { type LastExchange, lastExchange } from '../../transcripts/last-exchange.ts';
import { evidenceOf, mayShow } from '../../triage/evidence/evidence.ts';
import { confidenceOf, type Finding } from '../../triage/evidence/finding.ts';
import { isKnown, isSeen, LEAST_SCORE, type Pace } from '../../triage/evidence/pace.ts';
import { tagsIn } from '../../triage/evidence/wording.ts';
import { openProject } from '../project.ts';
import type { HookContext } from './hook.ts';
import { mayCapture } from './may-capture.ts';
import { allowedTranscript, contextFolder, maskFor, openFolder, openTranscript } from './stop-transcript.ts';

const MOST_FILES = 5;
const MOST_TRIES = 5;
const WAIT_MS = 30;

type Read = LastExchange & { readonly exchange: Exchange; readonly file: string };
export type Found = { readonly findings: readonly Finding[]; readonly read: Read };

export async function findingsOf(payload: JsonObject, pace: Pace, context: HookContext): Promise<Found | undefined> {
  const file = allowedTranscript(payload.transcript_path, context);
  const read = file === undefined ? undefined : await readWhole(file, payload.last_assistant_message);
  if (!read || !mayShow(read.exchange)) return undefined;
  const findings = newFindings(read, pace, context);
  return findings.length > 0 && mayCapture(context.config, payload) ? { findings, read } : undefined;
}

/** The client writes the transcript while it goes on: what is not there yet comes in a moment, or is gone without. */
async function readWhole(file: string, answer: unknown): Promise<Read | undefined> {
  for (let tries = 0; ; tries++) {
    const read = readExchange(file, answer);
    if (read?.isWhole || tries === MOST_TRIES || typeof answer !== 'string') return read;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
}

function readExchange(file: string, answer: unknown): Read | undefined {
  const descriptor = openTranscript(file);
  if (descriptor === undefined) return undefined;
  try {
    const last = lastExchange(descriptor, file, answer);
    const [first] = last?.items ?? [];
    if (!last || !first) return undefined;
    const exchange = { start: first.line, number: last.isFirst ? 0 : 1, items: last.items, asked: last.before };
    return promptOf(exchange) ? { ...last, exchange, file } : undefined;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The best first: of categories that may be proposed, and that neither a record nor a draft has. */
function newFindings({ exchange }: Read, pace: Pace, { config, now }: HookContext): Finding[] {
  const { categories } = config.settings;
  const found = evidenceOf(exchange, ideasOfExchange(exchange, undefined)).filter((finding) => {
    const own = categories[finding.category];
    return finding.score >= LEAST_SCORE && own?.enabled === true && own.auto_capture && !isSeen(pace, finding);
  });
  if (found.length === 0) return [];
  const { recordStore } = openProject(config, now);
  const drafts = readDrafts(recordStore.root, now());
  const known = [
    ...entriesOf(textOf(indexFile(recordStore))).map(({ title, tags }) => `${title} ${tags.join(' ')}`),
    ...drafts.map(({ title }) => title),
  ];
  return found.filter((finding) => !isKnown(finding, known));
}

function textOf(file: string): string {
  try {
    return readText(file, 4 * 1024 * 1024) ?? '';
  } catch (error) {
    if (isSystemError(error) || error instanceof Error) return '';
    throw error;
  }
}

/** Masked by all that the conversation gave away, and written down. */
export async function draft(
  { findings, read }: Found,
  payload: JsonObject,
  context: HookContext,
): Promise<StoredDraft[]> {
  const { config, now, problem } = context;
  const masked = await maskerFor(read.file, payload, context);
  const before = linesBefore(read.file, read.offset);
  const related_files = writtenFiles(read.exchange);
  const session = String(payload.session_id ?? '');
  const made: StoredDraft[] = [];
  try {
    const { recordStore } = openProject(config, now);
    recordStore.found?.(); // a memory that begins with a draft is the user's own, too
    for (const { category, title, content, line, score } of findings) {
      const confidence = confidenceOf(score);
      const words = masked({ title, content, related_files });
      const tags = tagsIn(withoutMasks(words.title));
      const place = { session, line: before + line };
      made.push(writeDraft(recordStore.root, { category, ...words, tags, confidence, ...place }, now()));
    }
  } catch (error) {
    problem(error);
  }
  return made;
}

type Words = Pick<StoredDraft, 'title' | 'content' | 'related_files'>;

/** Most hold nothing to be masked, which one look at all of it tells. */
async function maskerFor(file: string, payload: JsonObject, context: HookContext): Promise<(words: Words) => Words> {
  const mask = await maskFor(file, openFolder(contextFolder(payload, context.config), context));
  return (words) => {
    const all = textsIn(words).join('\n\n');
    return mask(all) === all ? words : (maskedDeep(words, mask) as Words);
  };
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function maskedDeep(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((each) => maskedDeep(each, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, maskedDeep(each, mask)]));
}

/** What was written in the exchange, where that is few enough to say what it is about. */
function writtenFiles({ items }: Exchange): string[] {
  const files = items.flatMap((item) =>
    item.kind === 'event' && item.event === 'files' && item.wrote ? item.files : [],
  );
  const inside = [...new Set(files)].filter((file) => !/^(?:[\\/]|\.\.|[a-z]:)/i.test(file));
  return inside.length <= 3 * MOST_FILES ? inside.slice(0, MOST_FILES) : [];
}

/** How many lines the transcript has before this place. */
function linesBefore(file: string, offset: number): number {
  const descriptor = openTranscript(file);
  if (descriptor === undefined) return 0;
  try {
    const block = Buffer.allocUnsafe(256 * 1024);
    let count = 0;
    for (let from = 0; from < offset; from += block.length) {
      const read = fs.readSync(descriptor, block, 0, Math.min(block.length, offset - from), from);
      for (let at = block.indexOf(0x0a); at !== -1 && at < read; at = block.indexOf(0x0a, at + 1)) count += 1;
    }
    return count;
  } finally {
    fs.closeSync(descriptor);
  }
}
