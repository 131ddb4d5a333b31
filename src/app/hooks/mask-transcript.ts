// What a stop writes down is masked with what its transcript gave away anywhere, not only beside its name. A long transcript takes long to
// look through, so that is done once: how far it was, and where something was found, is noted beside the context files. The next stop reads
// those places again, for no secret is kept, and goes on from there.

import fs from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../../errors.ts';
import { shortHash } from '../../model/hash.ts';
import { type Infer, integer, list, openObject, parseAs, text } from '../../model/schema.ts';
import { type FoundSecret, learnFrom } from '../../safety/secrets/find-secrets.ts';
import { KnownValues } from '../../safety/secrets/known-values.ts';
import { redact } from '../../safety/secrets/redact.ts';
import { version } from '../../version.ts';

/** Only whole lines are noted. Nothing that a pattern looks at together lies further apart than this and in different lines. */
const OVERLAP = 4 * 1024;
/** Where more of it would have to be read again, all of it is looked through again: it takes no longer. */
const MOST_AGAIN = 512 * 1024;
const NEWLINE = 0x0a;
const MARK_BYTES = 512;
const NOTE = 'looked-through.json';

/**
 * How far a transcript was looked through by this version, what stands before that, and from where to where it gives something away. An
 * earlier build noted `until`, and no places: neither takes the note of the other for its own.
 */
const LOOKED = openObject({
  version: text(),
  upTo: integer({ min: 0 }),
  mark: text(),
  places: list(openObject({ from: integer({ min: 0 }), to: integer({ min: 0 }) })),
});
type Looked = Infer<typeof LOOKED>;
type Places = Looked['places'];
type LookOptions = {
  /** The user's alone, where the note is kept; without one, all is looked through. */
  readonly folder: string | undefined;
  /** No more of its end is read. */
  readonly most: number;
};

export function maskOfTranscript(descriptor: number | undefined, options: LookOptions): (text: string) => string {
  const known = new KnownValues();
  if (descriptor !== undefined) look(descriptor, known, options);
  return (text) => redact(text, known).text;
}

/** For the worker behind a stop: where so much was not looked through yet that the next stop would be kept waiting. */
export function lookAhead(descriptor: number, options: LookOptions & { readonly least: number }): void {
  const { size } = fs.fstatSync(descriptor);
  const { upTo } = lookedBefore(noteIn(options), descriptor, size);
  if (size - upTo >= options.least) look(descriptor, new KnownValues(), options);
}

const noteIn = ({ folder }: LookOptions): string | undefined => folder && path.join(folder, NOTE);

function look(descriptor: number, known: KnownValues, options: LookOptions): void {
  const { size } = fs.fstatSync(descriptor);
  const note = noteIn(options);
  const { upTo, places } = lookedBefore(note, descriptor, size);
  const begin = Math.max(0, size - options.most);
  const again = places.filter(({ to }) => to > begin);
  for (const { from, to } of again) learnFrom(bytesOf(descriptor, from, to).toString('utf8'), known);
  const { bytes, from } = fromWholeCharacter(descriptor, Math.max(begin, upTo - OVERLAP), size);
  const text = bytes.toString('utf8');
  const found = learnFrom(text, known);
  const whole = from + bytes.lastIndexOf(NEWLINE) + 1;
  if (note === undefined || whole <= Math.max(from, upTo)) return;
  // Bytes that are no text cannot be counted by characters.
  if (found.length > 0 && Buffer.byteLength(text) !== bytes.length) return;
  const all = joined([...again, ...placesOf(found, text, from)]);
  if (all.reduce((sum, place) => sum + place.to - place.from, 0) <= MOST_AGAIN)
    noteLooked(note, { version, upTo: whole, mark: markAt(descriptor, whole), places: all });
}

/** In bytes: the lines of each, with what may belong to them. */
function placesOf(found: readonly FoundSecret[], text: string, begin: number): Places {
  let [at, bytes] = [0, begin];
  const byteAt = (place: number): number => {
    if (place > at) [at, bytes] = [place, bytes + Buffer.byteLength(text.slice(at, place))];
    return bytes;
  };
  return found
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end }) => {
      const line = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1;
      const next = text.indexOf('\n', end);
      const from = byteAt(line);
      return { from: Math.max(0, from - OVERLAP), to: byteAt(next < 0 ? text.length : next) + OVERLAP };
    });
}

function joined(places: Places): Places {
  const all: Places = [];
  for (const place of places.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && place.from <= last.to) last.to = Math.max(last.to, place.to);
    else all.push({ ...place });
  }
  return all;
}

const NOTHING: Looked = { version, upTo: 0, mark: '', places: [] };

/** Nothing where nothing is noted, or the transcript is not the one any more. */
function lookedBefore(note: string | undefined, descriptor: number, size: number): Looked {
  if (note === undefined) return NOTHING;
  try {
    const looked = parseAs(LOOKED, fs.readFileSync(note, 'utf8'));
    if (looked?.version !== version || looked.upTo > size) return NOTHING;
    return looked.mark === markAt(descriptor, looked.upTo) ? looked : NOTHING;
  } catch (error) {
    if (isSystemError(error)) return NOTHING;
    throw error;
  }
}

function noteLooked(note: string, looked: Looked): void {
  try {
    fs.writeFileSync(note, JSON.stringify(looked), { mode: 0o600 });
  } catch (error) {
    if (!isSystemError(error)) throw error; // the next stop looks through all of it again
  }
}

function fromWholeCharacter(descriptor: number, from: number, to: number): { bytes: Buffer; from: number } {
  const bytes = bytesOf(descriptor, from, to);
  let skip = 0;
  while (skip < bytes.length && ((bytes[skip] ?? 0) & 0xc0) === 0x80) skip += 1;
  return { bytes: bytes.subarray(skip), from: from + skip };
}

/** Over its first bytes and the last ones before the place: another conversation, or one that was rewritten, has others. */
const markAt = (descriptor: number, upTo: number): string =>
  shortHash(
    bytesOf(descriptor, 0, Math.min(upTo, MARK_BYTES)).toString('latin1') +
      bytesOf(descriptor, Math.max(0, upTo - MARK_BYTES), upTo).toString('latin1'),
  );

function bytesOf(descriptor: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
  return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, bytes.length, from));
}
