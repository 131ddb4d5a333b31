// The archive damaged at any byte of any of its files: what comes back is what was archived, or the damage is noticed. Whether a packed
// file is still what it was, zlib says, and not the code that wrote it.

import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Archive, type ArchiveEntry, openArchive } from '../../src/transcripts/archive/archive.ts';
import { newFolder, temporaryFolder } from '../fixtures/temporary.ts';
import { lineAt, partOf } from './transcript-part.ts';

const SOURCES = ['/p/one.jsonl', '/p/two.jsonl', '/q/three.jsonl'];
const LINES = 40;
const open = (root: string): Archive => openArchive(root, { maxBytes: 1e9, now: () => new Date(0) });
const linesOf = (source: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `${source} ${lineAt(from + at)}`);

/** Several members, a tail, and of one transcript an older generation. */
async function filled(root: string): Promise<Archive> {
  const archive = open(root);
  for (const source of SOURCES) {
    await archive.add(source, partOf(1, 12, { lines: linesOf(source, 1, 12) }));
    await archive.add(source, partOf(13, 24, { lines: linesOf(source, 13, 24) }));
    await archive.add(source, partOf(25, 36, { lines: linesOf(source, 25, 36) }));
    await archive.add(source, partOf(37, LINES, { lines: linesOf(source, 37, LINES), waits: true }));
  }
  const forks = [{ from: 3, generation: 2 }];
  await archive.add('/p/two.jsonl', partOf(1, 5, { lines: linesOf('again', 1, 5), restart: true, forks }));
  return archive;
}

const filesOf = (root: string): string[] =>
  fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();

/** By source and generation, the lines; those that are damaged are missing. */
function readable(archive: Archive): Map<string, string> {
  const { entries, older } = archive.survey();
  const found = new Map<string, string>();
  for (const entry of [...entries, ...older]) {
    try {
      archive.verify(entry);
      found.set(nameOf(entry), [...archive.lines(entry)].join('\n'));
    } catch (error) {
      expect(error).toMatchObject({ code: 'READ_ERROR' });
    }
  }
  return found;
}

const nameOf = ({ source, forks }: ArchiveEntry): string => `${source} ${forks.at(-1)?.generation ?? 1}`;

/** Every copy is the same as before, or it is missing among what can be read and named as a problem or as damaged. */
function isNoticed(root: string, before: ReadonlyMap<string, string>): void {
  const archive = open(root);
  const now = readable(archive);
  for (const [name, lines] of now) expect([name, before.get(name)]).toEqual([name, lines]);
  if (now.size < before.size) {
    const { entries, older, problems } = archive.survey();
    expect(problems.length + (entries.length + older.length - now.size)).toBeGreaterThan(0);
  }
}

describe('a damaged archive', { timeout: 120_000 }, () => {
  it('never gives back what was not archived, whichever byte is another one', async () => {
    const root = temporaryFolder();
    const before = readable(await filled(root));
    expect(before.size).toBe(4);
    const files = filesOf(root);
    const contents = files.map((file) => fs.readFileSync(file));
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), async (which, at, mask) => {
        const [file, bytes] = [files[which % files.length]!, Buffer.from(contents[which % files.length]!)];
        bytes[at % bytes.length]! ^= mask;
        fs.writeFileSync(file, bytes);
        isNoticed(root, before);
        // What zlib can no longer unpack to the same text must be among what was noticed.
        if (file.endsWith('.gz') && !isSameFor(bytes, contents[which % files.length]!))
          expect(readable(open(root)).size).toBeLessThan(before.size);
        fs.writeFileSync(file, contents[which % files.length]!);
      }),
      { numRuns: 400 },
    );
    expect(readable(open(root))).toEqual(before);
  });

  it('is noticed where a file is cut off, emptied, lost, or that of another one', async () => {
    const root = newFolder();
    try {
      const before = readable(await filled(root));
      const files = filesOf(root);
      const contents = files.map((file) => fs.readFileSync(file));
      for (const [which, file] of files.entries()) {
        const whole = contents[which]!;
        for (const size of [0, 1, whole.length >> 1, whole.length - 2]) {
          fs.writeFileSync(file, whole.subarray(0, size));
          isNoticed(root, before);
          expect(readable(open(root)).size).toBeLessThan(before.size);
        }
        fs.rmSync(file);
        isNoticed(root, before);
        expect(open(root).problems().length).toBeGreaterThan(0);
        for (const [other, bytes] of contents.entries()) {
          if (path.extname(files[other]!) !== path.extname(file) || bytes.equals(whole)) continue;
          fs.writeFileSync(file, bytes);
          isNoticed(root, before);
        }
        fs.writeFileSync(file, whole);
      }
    } finally {
      fs.rmSync(root, { recursive: true });
    }
  });

  it('is noticed where parts of the same length are swapped, or one of another conversation stands in its place', async () => {
    const root = temporaryFolder();
    const archive = await filled(root);
    const [one, three] = [archive.entryFor('/p/one.jsonl')!, archive.entryFor('/q/three.jsonl')!];
    const members = (file: string): Buffer[] => {
      const bytes = fs.readFileSync(file);
      const found: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += bytes.readUInt32LE(at + 16))
        found.push(bytes.subarray(at, at + bytes.readUInt32LE(at + 16)));
      return found;
    };
    const [own, foreign] = [members(one.file), members(three.file)];
    expect(own).toHaveLength(3);
    for (const parts of [
      [own[1]!, own[0]!, own[2]!],
      [own[0]!, foreign[1]!, own[2]!],
      [own[0]!, own[1]!],
      [own[0]!, own[2]!],
      [...own, own[2]!],
    ]) {
      const bytes = Buffer.concat(parts);
      expect(() => gunzipSync(bytes)).not.toThrow(); // to zlib all of it is sound
      fs.writeFileSync(one.file, bytes);
      const gzBytes = bytes.length;
      const side = JSON.parse(fs.readFileSync(one.side, 'utf8')) as object;
      const pretending = { ...one, gzBytes };
      expect(() => archive.verify(pretending)).toThrow(/damaged/);
      expect(side).toMatchObject({ sum: one.sum, check: expect.any(String) });
    }
  });

  it('of an older Cairn, without checksums, is read, and has them once it is written to', async () => {
    const root = temporaryFolder();
    const archive = await filled(root);
    const source = '/p/one.jsonl';
    const { side } = archive.entryFor(source)!;
    const strip = (): void => {
      const {
        check: _,
        sum: __,
        tail,
        ...rest
      } = JSON.parse(fs.readFileSync(side, 'utf8')) as { [key: string]: unknown };
      const bare = tail ? { tail: { ...(tail as object), sum: undefined } } : {};
      fs.writeFileSync(side, JSON.stringify({ ...rest, ...bare }));
    };
    strip();
    expect([...archive.lines(archive.entryFor(source)!)]).toEqual(linesOf(source, 1, LINES));
    expect(archive.entryFor(source)).toMatchObject({ sum: undefined, tail: { sum: undefined } });
    await archive.add(source, partOf(41, 42, { lines: linesOf(source, 41, 42), waits: true }));
    expect(archive.entryFor(source)).toMatchObject({ sum: expect.any(String), tail: { sum: expect.any(String) } });
    archive.verify(archive.entryFor(source)!);
    strip();
    await archive.packTails();
    archive.verify(archive.entryFor(source)!);
    expect(archive.entryFor(source)).toMatchObject({ sum: expect.any(String), tail: undefined });
    expect([...archive.lines(archive.entryFor(source)!)]).toEqual(linesOf(source, 1, 42));
  });
});

function isSameFor(one: Buffer, two: Buffer): boolean {
  try {
    return gunzipSync(one).equals(gunzipSync(two));
  } catch {
    return false;
  }
}
