// What a stop writes down is masked with what its transcript gave away anywhere, not only beside its name. A long transcript takes long to
// look through, so that is done once: up to where nothing was found is noted beside the context files, and the next stop goes on from there.

import fs from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../../errors.ts';
import { shortHash } from '../../model/hash.ts';
import { type Infer, integer, openObject, parseAs, text } from '../../model/schema.ts';
import { findSecrets, learnFrom } from '../../safety/secrets/find-secrets.ts';
import { KnownValues } from '../../safety/secrets/known-values.ts';
import { redact } from '../../safety/secrets/redact.ts';
import { version } from '../../version.ts';

/** Only whole lines are noted. Nothing that a pattern looks at together lies further apart than this and in different lines. */
const OVERLAP = 4 * 1024;
const NEWLINE = 0x0a;
const MARK_BYTES = 512;
const NOTE = 'looked-through.json';

/** How far a transcript gives nothing away, as far as this version can tell, and what stands before that. */
const LOOKED = openObject({ version: text(), until: integer({ min: 0 }), mark: text() });

/** `folder`: the user's alone, where the note is kept; without one, all of the last `most` bytes is looked through. */
export function maskOfTranscript(
  descriptor: number | undefined,
  { folder, most }: { folder: string | undefined; most: number },
): (text: string) => string {
  const known = new KnownValues();
  if (descriptor !== undefined) {
    const { size } = fs.fstatSync(descriptor);
    const note = folder === undefined ? undefined : path.join(folder, NOTE);
    const until = note === undefined ? 0 : lookedUntil(note, descriptor, size);
    const from = Math.max(0, size - most, until - OVERLAP);
    const bytes = bytesOf(descriptor, from, size);
    const text = bytes.toString('utf8');
    const whole = from + bytes.lastIndexOf(NEWLINE) + 1;
    if (findSecrets(text).length > 0) learnFrom(text, known);
    else if (note !== undefined && whole > Math.max(from, until)) noteLooked(note, descriptor, whole);
  }
  return (text) => redact(text, known).text;
}

/** 0 where nothing is noted, or the transcript is not the one any more. */
function lookedUntil(note: string, descriptor: number, size: number): number {
  try {
    const looked = parseAs(LOOKED, fs.readFileSync(note, 'utf8'));
    if (looked?.version !== version || looked.until > size) return 0;
    return looked.mark === markAt(descriptor, looked.until) ? looked.until : 0;
  } catch (error) {
    if (isSystemError(error)) return 0;
    throw error;
  }
}

function noteLooked(note: string, descriptor: number, until: number): void {
  const looked: Infer<typeof LOOKED> = { version, until, mark: markAt(descriptor, until) };
  try {
    fs.writeFileSync(note, JSON.stringify(looked), { mode: 0o600 });
  } catch (error) {
    if (!isSystemError(error)) throw error; // the next stop looks through all of it again
  }
}

/** Over its first bytes and the last ones before the place: another conversation, or one that was rewritten, has others. */
const markAt = (descriptor: number, until: number): string =>
  shortHash(
    bytesOf(descriptor, 0, Math.min(until, MARK_BYTES)).toString('latin1') +
      bytesOf(descriptor, Math.max(0, until - MARK_BYTES), until).toString('latin1'),
  );

function bytesOf(descriptor: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
  return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, bytes.length, from));
}
