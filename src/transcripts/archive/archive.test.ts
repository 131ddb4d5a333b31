import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder, temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { lineAt, partOf } from '../../../test/indexing/transcript-part.ts';
import { type Archive, type ArchivePart, openArchive } from './archive.ts';
import { openLines, redactEntry } from './redact.ts';

const SOURCE = '/home/u/.claude/projects/-work-app/0a1b-session.jsonl';
const DAY = 24 * 60 * 60 * 1000;

let root: string;
let archive: Archive;
let time: number;

beforeEach(() => {
  root = temporaryFolder();
  time = Date.parse('2026-03-01T12:00:00Z');
  archive = openArchive(root, { maxBytes: 10_000, now: () => new Date(time) });
});

const linesTo = (last: number): string[] => Array.from({ length: last }, (_, index) => lineAt(index + 1));
const content = (source = SOURCE): string[] => [...archive.lines(archive.entryFor(source)!)];
const filesIn = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => path.join(entry.parentPath, entry.name));
const failure = (work: () => unknown): unknown => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('an archive', () => {
  it('gives back what was added, with where it came from', async () => {
    await archive.add(SOURCE, partOf(1, 20));
    expect(content()).toEqual(linesTo(20));
    expect(archive.entryFor(SOURCE)).toMatchObject({
      source: SOURCE,
      session: 'a-session',
      project: '/work/app/.git',
      cwd: '/work/app',
      branch: 'main',
      reader: 'claude-code',
      offset: 2000,
      line: 20,
      mark: 'mark-20',
      generation: 1,
      updatedAt: '2026-03-01T12:00:00.000Z',
    });
    expect(archive.entries().map((entry) => entry.source)).toEqual([SOURCE]);
  });

  it('knows nothing of a transcript that was never added, and makes no folder for asking', () => {
    expect(archive.entryFor(SOURCE)).toBeUndefined();
    expect(archive.entries()).toEqual([]);
    expect(archive.size()).toBe(0);
    expect(fs.readdirSync(root)).toEqual([]);
  });

  it('skips lines that it has, also when a part overlaps its end', async () => {
    await archive.add(SOURCE, partOf(1, 10));
    await archive.add(SOURCE, partOf(1, 10));
    await archive.add(SOURCE, partOf(8, 15));
    await archive.add(SOURCE, partOf(3, 5));
    expect(content()).toEqual(linesTo(15));
    expect(archive.entryFor(SOURCE)).toMatchObject({ line: 15, offset: 1500 });
  });

  it('refuses a part that leaves a gap, and one that does not fit its numbers', async () => {
    await archive.add(SOURCE, partOf(1, 10));
    await expect(archive.add(SOURCE, partOf(12, 13))).rejects.toMatchObject({ code: 'INDEX_ERROR' });
    await expect(archive.add('/other.jsonl', partOf(2, 3))).rejects.toMatchObject({ code: 'INDEX_ERROR' });
    await expect(archive.add(SOURCE, partOf(11, 12, { line: 99 }))).rejects.toMatchObject({ code: 'INDEX_ERROR' });
    await expect(archive.add(SOURCE, partOf(11, 11, { lines: ['a\nb'] }))).rejects.toMatchObject({
      code: 'INDEX_ERROR',
    });
    expect(content()).toEqual(linesTo(10));
  });

  it('begins a new generation of a transcript that was rewritten, and keeps the one before', async () => {
    await archive.add(SOURCE, partOf(1, 50));
    const forks = [{ from: 1, generation: archive.nextGeneration(SOURCE) }];
    await archive.add(SOURCE, partOf(1, 2, { lines: ['new', ''], restart: true, forks }));
    await archive.add(SOURCE, partOf(3, 3, { lines: ['more'], forks }));
    expect(content()).toEqual(['new', '', 'more']);
    expect(archive.entryFor(SOURCE)).toMatchObject({ forks, older: [1], line: 3 });
    expect(archive.olderFor(SOURCE).map((entry) => [...archive.lines(entry)])).toEqual([linesTo(50)]);
    const again = [...forks, { from: 3, generation: archive.nextGeneration(SOURCE) }];
    await archive.add(SOURCE, partOf(1, 3, { lines: ['new', '', 'other'], restart: true, forks: again }));
    expect(content()).toEqual(['new', '', 'other']);
    expect(archive.olderFor(SOURCE).map(({ line }) => line)).toEqual([50, 3]);
    expect(archive.survey()).toMatchObject({ entries: [{ source: SOURCE }], older: [{}, {}], problems: [] });
  });

  it('that is made anew takes the place of the old one when it is as long, and not before', async () => {
    await archive.add(SOURCE, partOf(1, 50));
    await archive.add(SOURCE, partOf(1, 20, { restart: true, lines: linesTo(20).map((line) => `${line}!`) }));
    expect(content()).toEqual(linesTo(50));
    await archive.add(SOURCE, partOf(21, 49));
    expect(content()).toEqual(linesTo(50));
    await archive.add(SOURCE, partOf(50, 52));
    expect(content().slice(18, 21)).toEqual([`${lineAt(19)}!`, `${lineAt(20)}!`, lineAt(21)]);
    expect(content()).toHaveLength(52);
    expect(filesIn(root).filter((file) => /\.(?:gz|json)$/.test(file))).toHaveLength(2);
  });

  it('keeps the head that it knows when a part has none', async () => {
    await archive.add(SOURCE, partOf(1, 2));
    await archive.add(SOURCE, partOf(3, 4, { head: null }));
    expect(archive.entryFor(SOURCE)).toMatchObject({ session: 'a-session', cwd: '/work/app', branch: 'main' });
    await archive.add('/x/plain.md', partOf(1, 1, { head: null }));
    expect(archive.entryFor('/x/plain.md')).toMatchObject({ session: 'plain', cwd: undefined });
  });

  it('reads lines from the middle, and fewer where it ends', async () => {
    for (let from = 1; from <= 91; from += 10) await archive.add(SOURCE, partOf(from, from + 9));
    const entry = archive.entryFor(SOURCE)!;
    expect(archive.readLines(entry, 28, 43)).toEqual(linesTo(43).slice(27));
    expect(archive.readLines(entry, 99, 400)).toEqual(linesTo(100).slice(98));
    expect(archive.readLines(entry, 101, 400)).toEqual([]);
    expect(archive.readLines(entry, 7, 7)).toEqual([lineAt(7)]);
  });

  it('is private, and readable with the tools of the system', async () => {
    await archive.add(SOURCE, partOf(1, 5));
    await archive.add(SOURCE, partOf(6, 9));
    const entry = archive.entryFor(SOURCE)!;
    for (const file of filesIn(root)) {
      const stat = fs.statSync(file);
      expect([file, stat.mode & 0o777]).toEqual([file, stat.isDirectory() ? 0o700 : 0o600]);
    }
    expect(path.relative(root, entry.file)).toMatch(
      /^transcripts\/work-app-[0-9a-f]{10}\/0a1b-session-[0-9a-f]{10}\.jsonl\.gz$/,
    );
    expect(execFileSync('gzip', ['-dc', entry.file], { encoding: 'utf8' })).toBe(`${linesTo(9).join('\n')}\n`);
  });

  it('keeps a subagent beside its session', async () => {
    await archive.add(SOURCE, partOf(1, 1));
    await archive.add('/home/u/.claude/projects/-work-app/0a1b-session/subagents/agent-7.jsonl', partOf(1, 1));
    expect(fs.readdirSync(path.join(root, 'transcripts'))).toHaveLength(1);
  });

  it('takes names that would mean something to the file system', async () => {
    const odd = ['/a/../../etc/passwd.jsonl', '/a/..', '/ü/日本.jsonl', `/b/${'x'.repeat(250)}.jsonl`, '/c/-.jsonl'];
    for (const source of odd) await archive.add(source, partOf(1, 3));
    for (const source of odd) expect(content(source)).toEqual(linesTo(3));
    expect(filesIn(root).every((file) => file.startsWith(path.join(root, 'transcripts')))).toBe(true);
  });

  it('gives the same lines back however they were split', async () => {
    const line = fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme' }), fc.string({ maxLength: 3 }));
    const cases = fc.record({
      lines: fc.array(
        line.map((text) => text.replaceAll('\n', ' ')),
        { maxLength: 40 },
      ),
      cuts: fc.array(fc.nat(40)),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ lines, cuts }) => {
        const folder = newFolder();
        try {
          const own = openArchive(folder, { maxBytes: 1e9, now: () => new Date(0) });
          const borders = [...new Set([...cuts.filter((cut) => cut < lines.length), 0])].sort((a, b) => a - b);
          for (const [index, from] of borders.entries()) {
            const to = borders[index + 1] ?? lines.length;
            await own.add(SOURCE, { ...partOf(1, 1), fromLine: from + 1, lines: lines.slice(from, to), line: to });
          }
          const entry = own.entryFor(SOURCE)!;
          expect([...own.lines(entry)]).toEqual(lines);
          expect(own.readLines(entry, 2, 5)).toEqual(lines.slice(1, 5));
        } finally {
          fs.rmSync(folder, { recursive: true });
        }
      }),
      { numRuns: 60 },
    );
  });

  it('packs much text in several parts', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `${index} ${'text '.repeat(20_000)}`);
    await archive.add(SOURCE, partOf(1, 40, { lines }));
    expect(content()).toEqual(lines);
    expect(archive.readLines(archive.entryFor(SOURCE)!, 40, 40)).toEqual([lines[39]]);
  });
});

const turn = (from: number, to: number, more: Partial<ArchivePart> = {}): ArchivePart =>
  partOf(from, to, { waits: true, ...more });
const namesIn = (): string[] =>
  filesIn(root)
    .map((file) => path.basename(file))
    .filter((name) => /\.(?:json|jsonl|gz)$/.test(name))
    .map((name) => name.replace(/-[0-9a-f]{10}/, ''))
    .sort();

describe('the lines of a turn', () => {
  it('wait in a plain file until they are packed, and are read as all others', async () => {
    await archive.add(SOURCE, partOf(1, 10));
    await archive.add(SOURCE, turn(11, 14));
    await archive.add(SOURCE, turn(14, 20));
    const entry = archive.entryFor(SOURCE)!;
    expect(namesIn()).toEqual(['0a1b-session.11.tail.jsonl', '0a1b-session.json', '0a1b-session.jsonl.gz']);
    expect(fs.readFileSync(entry.tail!.file, 'utf8')).toBe(`${linesTo(20).slice(10).join('\n')}\n`);
    expect(fs.statSync(entry.tail!.file).mode & 0o777).toBe(0o600);
    expect(content()).toEqual(linesTo(20));
    expect(archive.readLines(entry, 8, 13)).toEqual(linesTo(13).slice(7));
    expect(archive.readLines(entry, 15, 99)).toEqual(linesTo(20).slice(14));
    await archive.packTails();
    expect(namesIn()).toEqual(['0a1b-session.json', '0a1b-session.jsonl.gz']);
    expect(content()).toEqual(linesTo(20));
    const { tail, ...rest } = entry;
    const gzBytes = fs.statSync(entry.file).size;
    expect(archive.entryFor(SOURCE)).toEqual({ ...rest, tail: undefined, gzBytes, sum: tail!.sum });
    expect(execFileSync('gzip', ['-dc', entry.file], { encoding: 'utf8' })).toBe(`${linesTo(20).join('\n')}\n`);
  });

  it('may be the first that is archived', async () => {
    await archive.add(SOURCE, turn(1, 3));
    expect(namesIn()).toEqual(['0a1b-session.1.tail.jsonl', '0a1b-session.json']);
    expect(content()).toEqual(linesTo(3));
    expect(archive.survey()).toMatchObject({ entries: [{ line: 3 }], problems: [] });
    await archive.packTails();
    expect(content()).toEqual(linesTo(3));
  });

  it('are packed when there are many, and with a part that does not wait', async () => {
    const lines = Array.from({ length: 9 }, (_, index) => `${index} ${'é'.repeat(50_000)}`);
    for (const [index, line] of lines.entries())
      await archive.add(SOURCE, turn(index + 1, index + 1, { lines: [line] }));
    expect(content()).toEqual(lines);
    expect(archive.entryFor(SOURCE)!.tail).toMatchObject({ from: 7 });
    await archive.add(SOURCE, partOf(10, 12));
    expect(archive.entryFor(SOURCE)!.tail).toBeUndefined();
    expect(content()).toEqual([...lines, ...linesTo(12).slice(9)]);
    expect(namesIn()).toEqual(['0a1b-session.json', '0a1b-session.jsonl.gz']);
  });

  it('stay with the rest when the transcript was rewritten', async () => {
    await archive.add(SOURCE, partOf(1, 4));
    await archive.add(SOURCE, turn(5, 9));
    const forks = [{ from: 1, generation: 2 }];
    await archive.add(SOURCE, turn(1, 2, { lines: ['new', 'lines'], restart: true, forks }));
    expect(content()).toEqual(['new', 'lines']);
    expect(archive.olderFor(SOURCE).map((entry) => [...archive.lines(entry)])).toEqual([linesTo(9)]);
  });

  it('are what they were after a kill between any two steps of packing', async () => {
    await archive.add(SOURCE, partOf(1, 5));
    await archive.add(SOURCE, turn(6, 9));
    const before = archive.entryFor(SOURCE)!;
    const side = before.file.replace('.jsonl.gz', '.json');
    const [oldEntry, tail] = [fs.readFileSync(side), fs.readFileSync(before.tail!.file)];
    await archive.packTails();
    // Killed before the entry was replaced: the packed lines do not count yet.
    fs.writeFileSync(side, oldEntry);
    fs.writeFileSync(before.tail!.file, tail);
    expect(content()).toEqual(linesTo(9));
    await archive.add(SOURCE, turn(10, 11));
    expect(content()).toEqual(linesTo(11));
    await archive.packTails();
    expect(content()).toEqual(linesTo(11));
    // Killed before the tail was removed: nobody counts it.
    fs.writeFileSync(before.tail!.file, tail);
    await archive.add(SOURCE, turn(12, 13));
    expect(content()).toEqual(linesTo(13));
    time = Date.now() + 2 * DAY;
    await archive.enforceLimit();
    expect(fs.existsSync(before.tail!.file)).toBe(false);
    expect(content()).toEqual(linesTo(13));
  });

  it('are still read by whoever looked before they were packed', async () => {
    await archive.add(SOURCE, partOf(1, 5));
    await archive.add(SOURCE, turn(6, 9));
    const before = archive.entryFor(SOURCE)!;
    const reading = archive.lines(before);
    expect(reading.next().value).toBe(lineAt(1));
    await archive.packTails();
    await archive.add(SOURCE, turn(10, 20));
    expect([...reading]).toEqual(linesTo(9).slice(1));
    expect([...archive.lines(before)]).toEqual(linesTo(9));
    expect(archive.readLines(before, 7, 99)).toEqual(linesTo(9).slice(6));
  });

  it('are the same lines in any order of turns, parts and packing', async () => {
    const step = fc.record({ lines: fc.nat(6), waits: fc.boolean(), pack: fc.boolean(), again: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const folder = newFolder();
        try {
          const own = openArchive(folder, { maxBytes: 1e9, now: () => new Date(0) });
          let last = 0;
          for (const { lines, waits, pack, again } of steps) {
            const from = Math.max(1, last + 1 - again);
            last += lines;
            if (last >= from) await own.add(SOURCE, partOf(from, last, { waits }));
            if (pack) await own.packTails();
            const entry = own.entryFor(SOURCE);
            expect(entry ? [...own.lines(entry)] : []).toEqual(linesTo(last));
            expect(entry ? own.readLines(entry, 3, 7) : []).toEqual(linesTo(last).slice(2, 7));
            expect(own.problems()).toEqual([]);
          }
        } finally {
          fs.rmSync(folder, { recursive: true });
        }
      }),
      { numRuns: 60 },
    );
  });

  it('lose their secrets with the rest', async () => {
    const secret = `AKIA${'Q3EGRIEN7XAB4C2D'}`;
    await archive.add(SOURCE, partOf(1, 1, { lines: ['first'] }));
    await archive.add(SOURCE, turn(2, 2, { lines: [`the key is ${secret}`] }));
    const entry = archive.entryFor(SOURCE)!;
    expect([...openLines(entry)]).toMatchObject([{ line: 2 }]);
    await redactEntry(entry);
    expect(content()[0]).toBe('first');
    expect(content().join()).not.toContain(secret);
    expect(namesIn()).toEqual(['0a1b-session.2.jsonl.gz', '0a1b-session.json']);
  });

  it('count for the size limit, and go with their transcript', async () => {
    await archive.add(SOURCE, turn(1, 30));
    const { tail } = archive.entryFor(SOURCE)!;
    expect(archive.size()).toBeGreaterThan(tail!.bytes);
    await openArchive(root, { maxBytes: tail!.bytes, now: () => new Date(time) }).enforceLimit();
    expect(namesIn()).toEqual([]);
    expect(archive.size()).toBe(0);
  });
});

describe('damage', () => {
  it('behind what counts is cut off by the next part', async () => {
    await archive.add(SOURCE, partOf(1, 5));
    fs.appendFileSync(archive.entryFor(SOURCE)!.file, 'half a part');
    expect(content()).toEqual(linesTo(5));
    await archive.add(SOURCE, partOf(6, 9));
    expect(content()).toEqual(linesTo(9));
  });

  it('in one transcript is an error that names the file; the others can be read', async () => {
    await archive.add(SOURCE, partOf(1, 60));
    await archive.add('/b/other.jsonl', partOf(1, 60));
    const entry = archive.entryFor(SOURCE)!;
    const bytes = fs.readFileSync(entry.file);
    for (const at of [0, 3, 14, 20, 40, bytes.length - 6, bytes.length - 1]) {
      const broken = Buffer.from(bytes);
      broken[at]! ^= 0xff;
      fs.writeFileSync(entry.file, broken);
      expect(failure(() => [...archive.lines(entry)])).toMatchObject({
        code: 'READ_ERROR',
        message: expect.stringContaining(entry.file),
      });
    }
    expect(content('/b/other.jsonl')).toEqual(linesTo(60));
    expect(archive.entries()).toHaveLength(2);
  });

  it('of a shortened or missing file is noticed, and never grown over', async () => {
    await archive.add(SOURCE, partOf(1, 60));
    const entry = archive.entryFor(SOURCE)!;
    fs.truncateSync(entry.file, entry.gzBytes - 3);
    expect(failure(() => [...archive.lines(entry)])).toMatchObject({ code: 'READ_ERROR' });
    await expect(archive.add(SOURCE, partOf(61, 62))).rejects.toMatchObject({ code: 'READ_ERROR' });
    expect(archive.problems()).toMatchObject([{ file: entry.file }]);
    fs.rmSync(entry.file);
    expect(failure(() => archive.readLines(entry, 1, 2))).toMatchObject({ code: 'READ_ERROR' });
    await archive.add(SOURCE, partOf(1, 60, { restart: true }));
    expect(content()).toEqual(linesTo(60));
  });

  it('of a power cut, zeros where a part should be, is noticed by the next part', async () => {
    await archive.add(SOURCE, partOf(1, 60));
    const { file, gzBytes } = archive.entryFor(SOURCE)!;
    fs.truncateSync(file, gzBytes - 20);
    fs.truncateSync(file, gzBytes);
    await expect(archive.add(SOURCE, partOf(61, 62))).rejects.toMatchObject({ code: 'READ_ERROR' });
  });

  it('of a tail is noticed, and never grown over', async () => {
    await archive.add(SOURCE, partOf(1, 5));
    await archive.add(SOURCE, turn(6, 9));
    const entry = archive.entryFor(SOURCE)!;
    const { file, bytes } = entry.tail!;
    const whole = fs.readFileSync(file);
    const isNoticed = async (): Promise<void> => {
      expect(failure(() => [...archive.lines(entry)])).toMatchObject({ code: 'READ_ERROR' });
      await expect(archive.add(SOURCE, turn(10, 11))).rejects.toMatchObject({ code: 'READ_ERROR' });
      await expect(archive.add(SOURCE, partOf(10, 11))).rejects.toMatchObject({ code: 'READ_ERROR' });
      await archive.packTails();
      expect(archive.entryFor(SOURCE)).toEqual(entry);
    };
    fs.truncateSync(file, bytes - 10);
    expect(archive.problems()).toMatchObject([{ file }]);
    await isNoticed();
    fs.truncateSync(file, bytes);
    await isNoticed();
    fs.rmSync(file);
    expect(failure(() => [...archive.lines(entry)])).toMatchObject({ code: 'READ_ERROR' });
    expect(archive.problems()).toMatchObject([{ file }]);
    await archive.packTails();
    expect(fs.existsSync(file)).toBe(false);
    fs.writeFileSync(file, Buffer.concat([whole, Buffer.from('half a li')]));
    await archive.add(SOURCE, turn(10, 11));
    expect(content()).toEqual(linesTo(11));
  });

  it('of an entry hides that transcript only, and it can be archived anew', async () => {
    await archive.add(SOURCE, partOf(1, 5));
    await archive.add('/b/other.jsonl', partOf(1, 5));
    const side = archive.entryFor(SOURCE)!.file.replace('.jsonl.gz', '.json');
    const sideWith = (more: object): string =>
      JSON.stringify({ ...JSON.parse(fs.readFileSync(side, 'utf8')), ...more });
    for (const text of [
      '{',
      '[]',
      '{"v":1}',
      sideWith({ v: 3 }),
      sideWith({ v: 2 }),
      sideWith({ v: 2, tail: { from: 0, bytes: 5 } }),
      '\u0000',
    ]) {
      fs.writeFileSync(side, text);
      expect(failure(() => archive.entryFor(SOURCE))).toMatchObject({ code: 'READ_ERROR' });
      expect(archive.entries().map((entry) => entry.source)).toEqual(['/b/other.jsonl']);
      expect(archive.problems()).toMatchObject([{ file: side }]);
    }
    const lines = archive.entries()[0]!.file;
    await archive.add(SOURCE, partOf(1, 7));
    expect(content()).toEqual(linesTo(7));
    // What nobody can read any more is named, and stays: it may be of use to somebody.
    expect(archive.problems()).toMatchObject([{ file: side.replace('.json', '.damaged.json') }]);
    expect(fs.existsSync(lines)).toBe(true);
  });
});

describe('the size limit', () => {
  const addAt = async (name: string, daysAgo: number): Promise<void> => {
    const now = time;
    time -= daysAgo * DAY;
    await archive.add(`/p/${name}.jsonl`, partOf(1, 30));
    time = now;
  };
  const names = (entries: readonly { source: string }[]): string[] =>
    entries.map((entry) => path.basename(entry.source, '.jsonl'));

  it('takes the oldest first, and only as many as it must', async () => {
    for (const [name, days] of [
      ['mid', 5],
      ['old', 9],
      ['new', 2],
    ] as const)
      await addAt(name, days);
    const one = archive.size() / 3;
    expect(names(await openArchive(root, { maxBytes: one * 2.5, now: () => new Date(time) }).enforceLimit())).toEqual([
      'old',
    ]);
    expect(names(archive.entries())).toEqual(['mid', 'new']);
    expect(archive.size()).toBeLessThan(one * 2.5);
  });

  it('spares what was added to within a day, unless nothing else is left', async () => {
    for (const [name, days] of [
      ['today', 0],
      ['hours', 0.5],
      ['old', 3],
    ] as const)
      await addAt(name, days);
    const one = archive.size() / 3;
    const limited = (maxBytes: number) => openArchive(root, { maxBytes, now: () => new Date(time) });
    expect(names(await limited(one * 2.2).enforceLimit())).toEqual(['old']);
    expect(names(await limited(one * 1.2).enforceLimit())).toEqual(['hours']);
    expect(await limited(one * 1.2).enforceLimit()).toEqual([]);
  });

  it('counts generations, and takes the oldest of them', async () => {
    const source = '/p/often.jsonl';
    const noise = (seed: number): string =>
      Buffer.from(Array.from({ length: 900 }, (_, n) => (n * seed) % 251)).toString('base64');
    for (const [days, forks] of [
      [9, []],
      [7, [{ from: 1, generation: 2 }]],
      [5, [{ from: 1, generation: 3 }]],
    ] as const) {
      time -= days * DAY;
      await archive.add(source, partOf(1, 1, { lines: [noise(7 + days)], restart: true, forks }));
      time += days * DAY;
    }
    await addAt('other', 8);
    expect(archive.olderFor(source)).toHaveLength(2);
    const limited = openArchive(root, { maxBytes: archive.size() - 100, now: () => new Date(time) });
    expect((await limited.enforceLimit()).map(({ updatedAt }) => updatedAt.slice(0, 10))).toEqual(['2026-02-20']);
    expect(archive.olderFor(source).map(({ forks }) => forks.at(-1)?.generation)).toEqual([2]);
    expect(archive.problems()).toEqual([]);
    expect([...archive.lines(archive.entryFor(source)!)]).toEqual([noise(12)]);
  });

  it('never takes lines whose entry is lost for rubbish, and names them', async () => {
    await addAt('lost', 3);
    const { side, file } = archive.entries()[0]!;
    fs.rmSync(side);
    time = Date.now() + 9 * DAY;
    await openArchive(root, { maxBytes: 1e9, now: () => new Date(time) }).enforceLimit();
    expect(archive.problems()).toMatchObject([{ file, why: expect.stringContaining('is gone') }]);
    expect(fs.existsSync(file)).toBe(true);
    await openArchive(root, { maxBytes: 0, now: () => new Date(time) }).enforceLimit();
    expect(archive.size()).toBe(0);
  });

  it('clears what killed writers left, after a day', async () => {
    await addAt('kept', 0);
    const orphan = archive.entries()[0]!.file.replace('.jsonl.gz', '.9.jsonl.gz');
    fs.writeFileSync(orphan, 'x');
    time = Date.now();
    await openArchive(root, { maxBytes: 1e9, now: () => new Date(time) }).enforceLimit();
    expect(fs.existsSync(orphan)).toBe(true);
    time += 2 * DAY;
    await openArchive(root, { maxBytes: 1e9, now: () => new Date(time) }).enforceLimit();
    expect(fs.existsSync(orphan)).toBe(false);
    expect(names(archive.entries())).toEqual(['kept']);
  });
});
