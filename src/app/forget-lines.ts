// Forgetting one statement or one topic: the lines of the conversation that it stands in. They become empty in the archive, their rows
// go, and what was derived from their neighbours is made again without them. The client's own transcript keeps them; nobody reads
// them from there any more.

import fs from 'node:fs';
import { atomicWrite } from '../files/atomic-write.ts';
import { filesBelow } from '../files/folder-stats.ts';
import { isLog, rewriteLog } from '../files/rewrite-log.ts';
import { saidLines } from '../indexing/transcripts/span-lines.ts';
import { withTwin } from '../indexing/transcripts/twin-transcript.ts';
import { injectionsFolder } from '../learning/injection-log.ts';
import { readable } from '../model/readable.ts';
import type { Document } from '../store/store.ts';
import { rewriteEntry } from '../transcripts/archive/redact.ts';
import { removeUnlisted } from '../transcripts/archive/remove.ts';
import { lineName } from '../transcripts/forgotten-lines.ts';
import { openTranscriptFile } from '../transcripts/source.ts';
import { type Counts, drawAnew, notesOf, type PlannedMemory, removePlaces, removeSummaries } from './forget-places.ts';
import { documentsOf, makeAnew } from './forget-rows.ts';
import type { TraceMemory } from './trace-memory.ts';
import { archiveRoot } from './user-files.ts';

export type GoneLines = {
  readonly session: string;
  /** The session, and the agent in it. */
  readonly thread: string;
  readonly file: string;
  readonly ranges: readonly (readonly [from: number, to: number])[];
  /** What the client calls these lines. */
  readonly names: readonly string[];
};

type Range = readonly [from: number, to: number];

export async function namedLines(
  memory: TraceMemory,
  ref: string,
): Promise<{
  order: { kind: 'lines' } & GoneLines;
  goes: PlannedMemory[];
  counts: Counts;
  stays: string[];
}> {
  const { document } = await memory.show(ref, { before: 0, after: 0 });
  const { source, meta, session = '' } = document;
  const line = source?.line ?? 0;
  const range: Range =
    document.kind === 'span' ? [Number(meta?.start ?? line), Number(meta?.end ?? line)] : [line, line];
  const file = source?.file ?? '';
  const agent = typeof meta?.agent === 'string' ? ` ${meta.agent}` : '';
  const order = {
    kind: 'lines' as const,
    session,
    thread: withTwin(session + agent, { twin: meta?.twin }),
    file,
    ranges: [range],
    names: namesIn(memory, file, range),
  };
  const documents = await documentsIn(memory, order);
  return {
    order,
    goes: documents.map(({ ref: name, title, createdAt }) => ({
      name,
      title,
      ...(createdAt > 0 ? { from: createdAt } : {}),
    })),
    counts: {
      lines: range[1] - range[0] + 1,
      ideas: documents.filter(({ kind }) => kind !== 'span').length,
      topics: documents.filter(({ kind }) => kind === 'span').length,
      'lines of notes and logs': cleanQuotes(memory, order, await quotesOf(memory, order, documents), false),
    },
    stays: [
      `the whole of what was said in ${range[0] === range[1] ? `line ${range[0]}` : `lines ${range[0]} to ${range[1]}`} goes; what others said about it elsewhere stays`,
      ...(fs.existsSync(file)
        ? ["the client's own transcript keeps these lines; Cairn does not read them any more"]
        : []),
    ],
  };
}

const isIn = ({ ranges }: GoneLines, line: number): boolean => ranges.some(([from, to]) => line >= from && line <= to);

async function documentsIn(memory: TraceMemory, order: GoneLines): Promise<Document[]> {
  const found: Document[] = [];
  for await (const document of documentsOf(memory, { layers: ['trace'], files: [order.file] }))
    if (isGone(order, document)) found.push(document);
  return found;
}

/** A topic goes if one of its lines does: its name and its summary may be made of them. It is drawn again from the rest. */
function isGone(order: GoneLines, { kind, meta, source }: Document): boolean {
  if (kind !== 'span') return isIn(order, source?.line ?? 0);
  return order.ranges.some(([from, to]) => Number(meta?.start) <= to && Number(meta?.end) >= from);
}

function namesIn({ archive }: TraceMemory, file: string, [from, to]: Range): string[] {
  const source = openTranscriptFile(file);
  if (!source) {
    const entry = archive.entryFor(file);
    return entry ? archive.readLines(entry, from, to).flatMap((text) => lineName(text) ?? []) : [];
  }
  try {
    const names: string[] = [];
    let number = 0;
    for (const { text } of source.readLinesFrom(0)) {
      if (++number > to) break;
      if (number >= from) names.push(...[lineName(text)].filter((name) => name !== undefined));
    }
    return names;
  } finally {
    source.close();
  }
}

export async function forgetLines(
  memory: TraceMemory,
  order: GoneLines,
): Promise<{ counts: Counts; problems: string[] }> {
  const documents = await documentsIn(memory, order);
  // While the lines can still be read: notes and logs may quote them.
  const quotes = cleanQuotes(memory, order, await quotesOf(memory, order, documents), true);
  await removeSummaries(memory, new Set([order.session]), true);
  await drawAnew(memory.config);
  const gone = { sessions: new Set<string>(), files: [], documents, notes: [] };
  const places = await removePlaces(memory, gone, { apply: true, transcript: false });
  const filter = memory.lineFilter;
  const entry = memory.archive.entryFor(order.file);
  const generations = [...(entry ? [entry] : []), ...memory.archive.olderFor(order.file)];
  if (filter)
    for (const each of generations) await rewriteEntry(each, (line, number) => filter(line, number, order.thread));
  const { entries, older } = memory.archive.survey();
  if (filter)
    removeUnlisted(archiveRoot(memory.config), [...entries, ...older], (lines) =>
      lines.some((line, at) => filter(line, at + 1) !== line),
    );
  const problems = await makeAnew(memory, new Set([order.file]), (document) => isGone(order, document));
  const lines = order.ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  const ideas = documents.filter(({ kind }) => kind !== 'span').length;
  return {
    counts: { lines, ideas, topics: documents.length - ideas, ...places, 'lines of notes and logs': quotes },
    problems,
  };
}

const SHORTEST_QUOTE = 12;
const QUOTE = 60;

/** The beginnings of what goes, by which it is known again where it was cut. */
async function quotesOf({ archive }: TraceMemory, order: GoneLines, documents: readonly Document[]): Promise<string[]> {
  const read = saidLines(archive);
  const said = order.ranges.flatMap(([start, end]) => read(order.file, { start, end })?.lines ?? []);
  const texts = [
    ...said.filter(({ line }) => isIn(order, line)).map(({ text }) => text),
    ...documents.filter(({ kind }) => kind !== 'span').map(({ text }) => text),
  ];
  // As it was said, and as a note tells it.
  const told = texts.flatMap((text) => [text, readable(text)]);
  return [...new Set(told.map((text) => plain(text).slice(0, QUOTE)))].filter(({ length }) => length >= SHORTEST_QUOTE);
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Lines of session notes and of the injection log that begin as something does which goes. Returns how many. */
function cleanQuotes(memory: TraceMemory, order: GoneLines, quotes: readonly string[], apply: boolean): number {
  if (quotes.length === 0) return 0;
  const { userRoot, memoryRoot } = memory.config.paths;
  const notes = notesOf(fs.existsSync(memoryRoot) ? [memoryRoot] : [], new Set([order.session]));
  const logs = injectionFiles(userRoot);
  const quotesIt = (line: string): boolean => {
    const own = plain(line);
    return quotes.some((quote) => own.includes(quote.slice(0, 40)));
  };
  const withoutQuotes = (text: string): string =>
    text
      .split('\n')
      .filter((line) => !quotesIt(line))
      .join('\n');
  let count = 0;
  for (const file of [...[...notes.go, ...notes.stay].map((note) => note.file), ...logs]) {
    const before = fs.readFileSync(file, 'utf8');
    const left = withoutQuotes(before);
    count += before.split('\n').length - left.split('\n').length;
    if (!apply || left === before) continue;
    if (isLog(file)) rewriteLog(file, withoutQuotes);
    else atomicWrite(file, left, { mode: 0o600 });
  }
  return count;
}

const injectionFiles = (userRoot: string): string[] =>
  [...filesBelow(injectionsFolder(userRoot))].map(({ file }) => file).filter((file) => file.endsWith('.jsonl'));
