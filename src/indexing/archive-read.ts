// Reads archived lines back: part by part, so that memory does not grow with the transcript, and without unpacking the parts
// before the first line that is asked for.

import fs from 'node:fs';
import { isSystemError, messageOf } from '../errors.ts';
import { type ArchiveEntry, damaged } from './archive-entry.ts';
import { MEMBER_HEAD_BYTES, type MemberHead, readMemberHead, unpackMember } from './archive-member.ts';

export function* archivedLines(entry: ArchiveEntry): Generator<string> {
  for (const member of membersIn(entry, 1)) yield* member.lines();
}

export function readArchivedLines(entry: ArchiveEntry, from: number, to: number): string[] {
  const found: string[] = [];
  for (const { head, lines } of membersIn(entry, from)) {
    if (head.firstLine > to) break;
    found.push(...lines().slice(Math.max(0, from - head.firstLine), to - head.firstLine + 1));
  }
  return found;
}

type OpenMember = { head: MemberHead; lines: () => string[] };

/** The members that hold lines from `from` on; those before are stepped over, not unpacked. */
function* membersIn(entry: ArchiveEntry, from: number): Generator<OpenMember> {
  const { file, gzBytes } = entry;
  const descriptor = openData(file);
  try {
    const start = Buffer.alloc(MEMBER_HEAD_BYTES);
    let next = 1;
    for (let at = 0; at < gzBytes; ) {
      const count = fs.readSync(descriptor, start, 0, start.length, at);
      const head = count === start.length ? readMemberHead(start) : undefined;
      if (!head || head.firstLine !== next || at + head.bytes > gzBytes)
        throw damaged(file, `there is no part with line ${next} at byte ${at}`);
      const position = at;
      if (head.firstLine + head.lineCount > from)
        yield { head, lines: () => unpackAt(descriptor, position, head, file) };
      next += head.lineCount;
      at += head.bytes;
    }
    if (next - 1 !== entry.line) throw damaged(file, `it ends at line ${next - 1} of ${entry.line}`);
  } finally {
    fs.closeSync(descriptor);
  }
}

function openData(file: string): number {
  try {
    return fs.openSync(file, 'r');
  } catch (error) {
    throw damaged(file, isSystemError(error, 'ENOENT') ? 'it is gone' : messageOf(error), error);
  }
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
