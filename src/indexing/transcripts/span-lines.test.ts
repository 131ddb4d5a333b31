// The lines of a topic, from a growing file, from a rewritten one, and from the archive.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/temporary.ts';
import type { Document } from '../../store/store.ts';
import { openArchive } from '../../transcripts/archive/archive.ts';
import { spanLines } from './span-lines.ts';

const FILLED = 2_600;

const lineOf = (number: number, text = `statement ${number}`): string =>
  `${JSON.stringify({
    type: number % 2 ? 'user' : 'assistant',
    sessionId: 's',
    cwd: '/p',
    timestamp: '2026-01-01T00:00:00Z',
    message:
      number % 2
        ? { role: 'user', content: text }
        : { id: `m${number}`, role: 'assistant', content: [{ type: 'text', text }] },
  })}\n`;

function bench() {
  const folder = temporaryFolder();
  const file = path.join(folder, 'talk.jsonl');
  const write = (text?: (number: number) => string): void =>
    fs.writeFileSync(file, Array.from({ length: FILLED }, (_, at) => lineOf(at + 1, text?.(at + 1))).join(''));
  write();
  const archive = openArchive(path.join(folder, 'archive'), { maxBytes: 1e9, now: () => new Date() });
  const span = (start: number, end: number): Document => ({
    ref: 'span:1',
    project: 'p',
    layer: 'trace',
    kind: 'span',
    status: 'active',
    title: '',
    text: '',
    tags: [],
    confidence: 0.5,
    createdAt: 1,
    updatedAt: 1,
    hash: 'h',
    source: { file, line: start },
    meta: { start, end, depth: 0, turns: 1 },
  });
  const linesOf = spanLines(archive);
  const read = async (start: number, end: number) =>
    (await linesOf(span(start, end)))?.map(({ line, who, text }) => `${line} ${who} ${text}`);
  return { file, write, read, linesOf, span };
}

it('gives the lines from the first to the last, in whatever order topics are asked for', async () => {
  const { read } = bench();
  for (const [start, end] of [
    [2_501, 2_502],
    [1, 2],
    [1_000, 1_001],
    [500, 501],
    [2_599, 9_999],
  ] as const)
    expect(await read(start, end)).toEqual(
      Array.from({ length: Math.min(end, FILLED) - start + 1 }, (_, at) => {
        const number = start + at;
        return `${number} ${number % 2 ? 'user' : 'assistant'} statement ${number}`;
      }),
    );
});

it('notices that the file was rewritten', async () => {
  const { read, write } = bench();
  await read(2_001, 2_001);
  write((number) => `other words in another length ${number}`);
  expect(await read(2_001, 2_001)).toEqual(['2001 user other words in another length 2001']);
});

it('gives nothing where there is neither file nor archive, or no place', async () => {
  const { read, file, linesOf, span } = bench();
  fs.rmSync(file);
  expect(await read(1, 2)).toBeUndefined();
  const { source: _, ...placeless } = span(1, 2);
  expect(await linesOf(placeless)).toBeUndefined();
  expect(await linesOf({ ...span(1, 2), meta: {} })).toBeUndefined();
});

it('leaves out what an export hides, also where the passage began long before', async () => {
  const { file: beside, linesOf, span } = bench();
  const file = path.join(path.dirname(beside), 'talk.md');
  const hidden = Array.from({ length: 700 }, (_, at) => `hidden ${at}`);
  fs.writeFileSync(file, ['## User', 'Before. <private>', ...hidden, '</private>', 'After.', ''].join('\n'));
  const topic = { ...span(650, 710), source: { file, line: 650 } };
  expect(await linesOf(topic)).toEqual([{ line: 704, who: 'user', text: 'After.' }]);
});
