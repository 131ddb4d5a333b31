// Writes lines behind those that an archived transcript has: packed, or into its tail. What is written does not count before the
// entry says so; bytes behind what counts were left by a killed writer and are cut off.

import fs from 'node:fs';
import { FIRST_SUM, runningSum } from '../../model/hash.ts';
import { type ArchiveEntry, damaged, dataFile, type EntryPlace, tailFile } from './entry.ts';
import { packMember } from './member.ts';
import { archivedLines, tailLines } from './read.ts';

/** What an entry says about its lines. */
export type HeldLines = Pick<ArchiveEntry, 'generation' | 'file' | 'gzBytes' | 'tail' | 'line' | 'sum'>;
export type FreshLines = { readonly firstLine: number; readonly lines: readonly string[] };
type Written = Omit<HeldLines, 'line'>;

/** How much text is packed at once: enough to pack well, little enough to unpack one without a thought. */
const MEMBER_CHARACTERS = 1024 * 1024;
/** So much waits to be packed: loading zlib alone takes longer than all else that a turn's archiving does. */
const LONGEST_TAIL = 512 * 1024;
const LINE_BREAK = 0x0a;

export const nothingHeld = (place: EntryPlace, generation: number): HeldLines => ({
  generation,
  file: dataFile(place, generation),
  gzBytes: 0,
  tail: undefined,
  line: 0,
  sum: FIRST_SUM,
});

/** What an older Cairn has archived gets its checksums from what is there, read once. */
export function withSums(entry: ArchiveEntry): ArchiveEntry {
  const { sum, tail, line } = entry;
  if (sum !== undefined && (!tail || tail.sum !== undefined)) return entry;
  const packedTo = tail ? tail.from - 1 : line;
  let [number, packedSum, all] = [0, FIRST_SUM, FIRST_SUM];
  for (const text of archivedLines(entry)) {
    all = runningSum(all, [text]);
    if (++number === packedTo) packedSum = all;
  }
  return { ...entry, sum: packedSum, tail: tail && { ...tail, sum: all } };
}

/** Into the tail. `undefined`: it has grown too long, they are better packed. */
export function appended(place: EntryPlace, held: HeldLines, { firstLine, lines }: FreshLines): Written | undefined {
  const { generation, file, gzBytes, sum } = held;
  if (lines.length === 0) return undefined;
  const tail = held.tail ?? { from: firstLine, bytes: 0, sum, file: tailFile(place, generation, firstLine) };
  const text = Buffer.from(`${lines.join('\n')}\n`);
  if (tail.bytes + text.length > LONGEST_TAIL) return undefined;
  const bytes = append(tail.file, tail.bytes, [text], endsALine);
  return { generation, file, gzBytes, sum, tail: { ...tail, bytes, sum: runningSum(tail.sum ?? FIRST_SUM, lines) } };
}

/** The tail and what comes in behind it. */
export function packed(held: HeldLines, fresh: FreshLines = { firstLine: held.line + 1, lines: [] }): Written {
  const { generation, file, tail } = held;
  const lines = tail ? [...tailLines(held), ...fresh.lines] : fresh.lines;
  const members = membersOf({ firstLine: tail?.from ?? fresh.firstLine, lines });
  // Whoever read the tail has compared its sum.
  const isSummed = held.sum !== undefined && tail?.sum !== undefined;
  const sum = isSummed ? runningSum(tail.sum, fresh.lines) : runningSum(held.sum ?? FIRST_SUM, lines);
  return { generation, file, gzBytes: append(file, held.gzBytes, members, endsAMember), tail: undefined, sum };
}

function membersOf({ firstLine, lines }: FreshLines): Buffer[] {
  const members: Buffer[] = [];
  for (let from = 0; from < lines.length; ) {
    let to = from;
    let length = 0;
    while (to < lines.length && (to === from || length + lines[to]!.length <= MEMBER_CHARACTERS))
      length += lines[to++]!.length + 1;
    members.push(packMember(firstLine + from, lines.slice(from, to)));
    from = to;
  }
  return members;
}

/**
 * Returns how long the file is now. Nothing is synced, which would take longer than indexing: the transcript itself is there for
 * weeks yet, and what the machine loses with its power is noticed by its length, or by the zeros in its place, and archived anew.
 */
function append(file: string, at: number, pieces: readonly Buffer[], endsWell: typeof endsALine): number {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = fs.constants;
  const descriptor = fs.openSync(file, O_RDWR | O_CREAT | (O_NOFOLLOW ?? 0), 0o600);
  try {
    const { size } = fs.fstatSync(descriptor);
    if (size < at) throw damaged(file, `it has ${size} bytes, and should have ${at}`);
    if (at > 0 && !endsWell(descriptor, at)) throw damaged(file, 'its last part was never written');
    if (size > at) fs.ftruncateSync(descriptor, at);
    let position = at;
    for (const piece of pieces) {
      for (let done = 0; done < piece.length; )
        done += fs.writeSync(descriptor, piece, done, piece.length - done, position + done);
      position += piece.length;
    }
    return position;
  } finally {
    fs.closeSync(descriptor);
  }
}

function endsALine(descriptor: number, end: number): boolean {
  return bytesBefore(descriptor, end, 1)[0] === LINE_BREAK;
}

/** The last four bytes of a part are the length of its text, which is never zero. */
function endsAMember(descriptor: number, end: number): boolean {
  return bytesBefore(descriptor, end, 4).readUInt32LE(0) !== 0;
}

function bytesBefore(descriptor: number, end: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  fs.readSync(descriptor, bytes, 0, count, end - count);
  return bytes;
}
