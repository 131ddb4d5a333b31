// Masks secrets in conversations that were archived before their kind was known: line by line, under the lock of the one who archives,
// into a new file that takes the place of the old one in one step. Lines keep their numbers, so sources still lead to them.

import fs from 'node:fs';
import { FIRST_SUM, runningSum } from '../../model/hash.ts';
import { redactLine } from '../../safety/redact-line.ts';
import { KnownValues } from '../../safety/secrets/known-values.ts';
import {
  type ArchiveEntry,
  dataFile,
  filesOf,
  freshGeneration,
  placeOfData,
  readEntry,
  underLock,
  writeEntry,
} from './entry.ts';
import { packMember } from './member.ts';
import { archivedLines } from './read.ts';

const MEMBER_CHARACTERS = 1024 * 1024;

/** The lines of an entry that hold a secret, as they are and as they would be. */
export function* openLines(
  entry: ArchiveEntry,
  known = new KnownValues(),
): Generator<{ line: number; before: string; after: string }> {
  let line = 0;
  for (const before of archivedLines(entry)) {
    line++;
    const after = redactLine(before, { known });
    if (after !== before) yield { line, before, after };
  }
}

export const redactEntry = (entry: ArchiveEntry, known = new KnownValues()): Promise<void> =>
  rewriteEntry(entry, (line) => redactLine(line, { known }));

/** `change` gets every line with its number; an empty line takes the place of one that goes. */
export function rewriteEntry(
  { file, side }: ArchiveEntry,
  change: (line: string, number: number) => string,
): Promise<void> {
  const place = placeOfData(file);
  return underLock(place, (lock) => {
    const entry = readEntry(place, side); // as it is now: a conversation may have gone on meanwhile
    if (!entry) return;
    const generation = freshGeneration(place);
    const target = dataFile(place, generation);
    const written = pack(target, entry, change);
    writeEntry({ ...entry, ...written, generation, file: target, tail: undefined }, () => lock.assertHeld());
    for (const each of filesOf(entry)) fs.rmSync(each, { force: true });
  });
}

function pack(
  target: string,
  entry: ArchiveEntry,
  change: (line: string, number: number) => string,
): Pick<ArchiveEntry, 'gzBytes' | 'sum'> {
  const descriptor = fs.openSync(target, 'w', 0o600);
  let [bytes, first, length]: [number, number, number] = [0, 1, 0];
  let lines: string[] = [];
  let sum = FIRST_SUM;
  const flush = (): void => {
    if (lines.length === 0) return;
    const member = packMember(first, lines);
    sum = runningSum(sum, lines);
    fs.writeFileSync(descriptor, member); // all of it: a disk that is nearly full takes a part and says nothing
    bytes += member.length;
    first += lines.length;
    [lines, length] = [[], 0];
  };
  try {
    for (const line of archivedLines(entry)) {
      lines.push(change(line, first + lines.length));
      length += line.length;
      if (length > MEMBER_CHARACTERS) flush();
    }
    flush();
    fs.fsyncSync(descriptor);
    return { gzBytes: bytes, sum };
  } catch (error) {
    fs.rmSync(target, { force: true });
    throw error;
  } finally {
    fs.closeSync(descriptor);
  }
}
