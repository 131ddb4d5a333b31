// Reads archived lines back: part by part, so that memory does not grow with the transcript, and without unpacking the parts
// before the first line that is asked for. The tail, which waits to be packed, is the last part.

import fs from 'node:fs';
import { isSystemError, messageOf } from '../../errors.ts';
import { FIRST_SUM, runningSum } from '../../model/hash.ts';
import { type ArchiveEntry, type ArchiveTail, damaged, placeOfData, readEntry } from './entry.ts';
import { MEMBER_HEAD_BYTES, type MemberHead, readMemberHead, unpackMember } from './member.ts';

/** Read to its end, every line was counted and compared with the checksums; READ_ERROR comes behind the last line at the latest. */
export function* archivedLines(entry: ArchiveEntry): Generator<string> {
  let left = entry.line; // there may be more by now
  for (const part of partsIn(entry, 1)) for (const line of part.lines()) if (left-- > 0) yield line;
}

/** Reads all of it and throws READ_ERROR where anything is not as it was written. */
export function verifyEntry(entry: ArchiveEntry): void {
  let count = 0;
  for (const _ of archivedLines(entry)) count++;
  if (count !== entry.line) throw damaged(entry.file, `it holds ${count} lines of ${entry.line}`);
}

export function readArchivedLines(entry: ArchiveEntry, from: number, to: number): string[] {
  const found: string[] = [];
  const last = Math.min(to, entry.line);
  for (const { firstLine, lines } of partsIn(entry, from)) {
    if (firstLine > last) break;
    found.push(...lines().slice(Math.max(0, from - firstLine), last - firstLine + 1));
  }
  return found;
}

type OpenPart = { firstLine: number; lines: () => string[] };

/** The parts that hold lines from `from` on; those before are stepped over, not unpacked. Whoever takes all of them has them summed up. */
function* partsIn(entry: ArchiveEntry, from: number): Generator<OpenPart> {
  const open = openParts(entry);
  const { line, tail, sum, file } = open.entry;
  let seen = FIRST_SUM;
  let isWhole = from <= 1 && sum !== undefined;
  try {
    for (const part of membersIn(open, from)) {
      let lines: string[] | undefined;
      yield { ...part, lines: () => (lines = part.lines()) };
      if (lines && isWhole) seen = runningSum(seen, lines);
      else isWhole = false;
    }
    if (isWhole && seen !== sum) throw damaged(file, 'its lines are not those that were archived (checksum)');
    if (tail && line >= from)
      yield { firstLine: tail.from, lines: () => linesOfTail(open.tail!, { tail, before: sum }, line) };
  } finally {
    for (const descriptor of [open.data, open.tail]) if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

type OpenParts = { entry: ArchiveEntry; data: number | undefined; tail: number | undefined };

/** Both before anything is read: what is open can be read to its end, also if it is packed and removed meanwhile. */
function openParts(entry: ArchiveEntry, isFresh = false): OpenParts {
  let tail: number | undefined;
  try {
    tail = entry.tail && openFile(entry.tail.file);
  } catch (error) {
    const now = isFresh ? undefined : readEntry(placeOfData(entry.file), entry.side);
    const isPacked = now?.generation === entry.generation && now.gzBytes > entry.gzBytes;
    if (isPacked) return openParts(now, true);
    throw error;
  }
  try {
    return { entry, data: entry.gzBytes > 0 ? openFile(entry.file) : undefined, tail };
  } catch (error) {
    if (tail !== undefined) fs.closeSync(tail);
    throw error;
  }
}

function openFile(file: string): number {
  try {
    return fs.openSync(file, 'r');
  } catch (error) {
    throw damaged(file, isSystemError(error, 'ENOENT') ? 'it is gone' : messageOf(error), error);
  }
}

function* membersIn({ entry, data }: OpenParts, from: number): Generator<OpenPart> {
  const { file, gzBytes, tail } = entry;
  const start = Buffer.alloc(MEMBER_HEAD_BYTES);
  let next = 1;
  for (let at = 0; data !== undefined && at < gzBytes; ) {
    const count = fs.readSync(data, start, 0, start.length, at);
    const head = count === start.length ? readMemberHead(start) : undefined;
    if (!head || head.firstLine !== next || at + head.bytes > gzBytes)
      throw damaged(file, `there is no part with line ${next} at byte ${at}`);
    const position = at;
    if (head.firstLine + head.lineCount > from)
      yield { firstLine: next, lines: () => unpackAt(data, position, head, file) };
    next += head.lineCount;
    at += head.bytes;
  }
  const last = tail ? tail.from - 1 : entry.line;
  if (next - 1 !== last) throw damaged(file, `it ends at line ${next - 1} of ${last}`);
}

function unpackAt(descriptor: number, at: number, head: MemberHead, file: string): string[] {
  const size = fs.fstatSync(descriptor).size;
  // Asked before memory is taken: the length comes from the file.
  if (at + head.bytes > size) throw damaged(file, `the part with line ${head.firstLine} is cut off`);
  const member = Buffer.alloc(head.bytes);
  try {
    fs.readSync(descriptor, member, 0, member.length, at);
    return unpackMember(member, head);
  } catch (error) {
    throw damaged(file, `the part with line ${head.firstLine} cannot be unpacked (${messageOf(error)})`, error);
  }
}

type SummedTail = { tail: ArchiveTail; before: string | undefined };

function linesOfTail(descriptor: number, { tail, before }: SummedTail, last: number): string[] {
  const { from, bytes, file, sum } = tail;
  const { size } = fs.fstatSync(descriptor);
  if (size < bytes) throw damaged(file, `it has ${size} bytes, and should have ${bytes}`);
  const text = Buffer.alloc(bytes);
  fs.readSync(descriptor, text, 0, bytes, 0);
  const lines = text.toString('utf8').split('\n');
  if (lines.pop() !== '' || lines.length !== last - from + 1)
    throw damaged(file, `it does not hold lines ${from} to ${last}`);
  if (sum !== undefined && before !== undefined && runningSum(before, lines) !== sum)
    throw damaged(file, 'its lines are not those that were archived (checksum)');
  return lines;
}

/** The lines that wait to be packed. */
export function tailLines({ tail, line, sum }: Pick<ArchiveEntry, 'tail' | 'line' | 'sum'>): string[] {
  if (!tail) return [];
  const descriptor = openFile(tail.file);
  try {
    return linesOfTail(descriptor, { tail, before: sum }, line);
  } finally {
    fs.closeSync(descriptor);
  }
}
