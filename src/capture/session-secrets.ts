// What a conversation has given away so far is masked in what capture keeps of it: a token that stood beside its name in a prompt stands
// bare in the next command. The journal holds keyed hashes of such values, never a value; each part of the transcript is looked through once.

import fs from 'node:fs';
import { isSystemError } from '../errors.ts';
import { maskKey } from '../files/mask-key.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import { keyedDigest } from '../safety/keyed-digest.ts';
import { findSecrets, learnFrom } from '../safety/secrets/find-secrets.ts';
import { type KnownValue, KnownValues } from '../safety/secrets/known-values.ts';
import { redactDeep } from '../safety/secrets/redact.ts';
import type { CaptureContext } from './capture-context.ts';
import { appendJournal, type JournalEntry, type JournalPlace, readJournal, rewriteJournal } from './journal.ts';

/** More than a turn adds between two tool calls; a longer part is looked through from its end. */
const MAX_PART = 1024 * 1024;
const NEWLINE = 0x0a;
/** So much of a transcript is noted as looked through, even if a tool call leaves nothing else to be noted: the next one would do it again. */
const WORTH_NOTING = 32 * 1024;
/** What is kept of an event comes from these. */
const KEPT_FIELDS = ['tool_input', 'tool_response', 'error', 'last_assistant_message'] as const;

type Secret = JournalEntry & { kind: 'secret' };

/** The event as it may be kept, and how much of the transcript was looked through for it. */
export function withoutGivenAway(
  context: CaptureContext,
  payload: JsonObject,
): { payload: JsonObject; read: number | undefined } {
  const { sessionId, userRoot } = context;
  if (sessionId === undefined) return { payload, read: undefined };
  const place = { ...context, sessionId };
  const journal = readJournal(userRoot, context.projectRoot, sessionId);
  const before = Math.max(0, ...journal.map((entry) => entry.read ?? 0));
  const part = newPart(payload.transcript_path, before);
  const secrets = journal.filter((entry): entry is Secret => entry.kind === 'secret');
  const isGiven = part.text !== '' && findSecrets(part.text).length > 0;
  const isNothing = secrets.length === 0 && !isGiven;
  const known = isNothing ? undefined : new KnownValues(secrets.map(knownValue), keyedDigest(maskKey(userRoot)));
  if (known && isGiven) learn(place, part.text, known, context.vault.now());
  if (part.end !== undefined && part.end - before > WORTH_NOTING)
    appendJournal(place, { kind: 'looked', time: context.vault.now().toISOString(), read: part.end });
  if (!known) return { payload, read: part.end };
  const open = { ...payload };
  for (const field of KEPT_FIELDS)
    if (typeof payload[field] === 'string' || isObject(payload[field]) || Array.isArray(payload[field]))
      open[field] = redactDeep(payload[field], known).value;
  return { payload: open, read: part.end };
}

/** Adds what the text gives away, and takes it out of what was noted before it was known. */
function learn(place: JournalPlace, text: string, known: KnownValues, now: Date): void {
  const before = new Set(known.values.map(([, , digest]) => digest));
  learnFrom(text, known);
  const added = known.values.filter(([, , digest]) => !before.has(digest));
  if (added.length === 0) return;
  const time = now.toISOString();
  rewriteJournal(place, (entry) => (entry.kind === 'secret' ? entry : redactDeep(entry, known).value));
  appendJournal(
    place,
    ...added.map(
      ([length, trace, digest, secret]): Secret => ({ kind: 'secret', time, digest, secret, length, trace }),
    ),
  );
}

const knownValue = ({ length, trace, digest, secret }: Secret): KnownValue => [length, trace, digest, secret];

/** The whole lines that came since; a transcript that cannot be read gives nothing away. */
function newPart(file: unknown, before: number): { text: string; end: number | undefined } {
  const none = { text: '', end: undefined };
  if (typeof file !== 'string' || file === '' || file.includes('\0')) return none;
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    const stat = fs.fstatSync(descriptor);
    if (!stat.isFile()) return none;
    const from = Math.max(before <= stat.size ? before : 0, stat.size - MAX_PART);
    const bytes = Buffer.alloc(stat.size - from);
    const count = fs.readSync(descriptor, bytes, 0, bytes.length, from);
    const end = bytes.lastIndexOf(NEWLINE, count - 1) + 1;
    return { text: bytes.toString('utf8', 0, end), end: from + end };
  } catch (error) {
    if (isSystemError(error)) return none;
    throw error;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}
