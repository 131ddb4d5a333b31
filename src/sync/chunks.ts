// A conversation in pieces: lines of the archive that go into objects, and come out of them into the archive of another machine. A
// piece that is full never changes, so a conversation that goes on costs its last piece anew and nothing else. Running sums at their
// ends tell, without reading what is there, whether two machines hold the same lines.

import { generationOf } from '../model/forks.ts';
import { FIRST_SUM, runningSum } from '../model/hash.ts';
import type { Archive, ArchiveEntry, ArchiveOrigin } from '../transcripts/archive/archive.ts';
import type { Chunk, ConversationRecord, Generation } from './manifest.ts';

/** Characters: packed and encrypted some hundred kilobytes. */
const FULL_CHUNK = 1024 * 1024;

export const sumOf = ({ tail, sum }: Pick<ArchiveEntry, 'tail' | 'sum'>): string | undefined => (tail ? tail.sum : sum);

/** Whether a generation at the place is what the archive holds. */
export function isSame(known: Generation | undefined, entry: ArchiveEntry): boolean {
  const last = known?.chunks.at(-1);
  return last !== undefined && last.to === entry.line && last.sum === sumOf(entry);
}

export type PutChunk = (plain: Uint8Array) => Promise<string>;

/** The pieces of what is archived; those that are there already stay, `put` gets the others. */
export async function chunksOf(
  lines: Iterable<string>,
  known: readonly Chunk[],
  put: PutChunk,
): Promise<{ chunks: Chunk[]; isRewritten: boolean }> {
  const full = known.slice(0, -1); // the last may go on
  const chunks: Chunk[] = [];
  let [sum, number, length, held]: [string, number, number, string[]] = [FIRST_SUM, 0, 0, []];
  let isAsKnown = true;
  let isRewritten = false;
  const last = known.at(-1);
  const end = async (): Promise<void> => {
    const plain = Buffer.from(`${held.map((line) => line.toWellFormed()).join('\n')}\n`);
    chunks.push({ object: await put(plain), to: number, sum });
    [held, length] = [[], 0];
  };
  for (const line of lines) {
    number++;
    sum = runningSum(sum, [line]);
    held.push(line);
    length += line.length + 1;
    if (number === last?.to) isRewritten = sum !== last.sum;
    const next: Chunk | undefined = isAsKnown ? full[chunks.length] : undefined;
    if (next && number === next.to) {
      isAsKnown = next.sum === sum;
      if (isAsKnown) {
        chunks.push(next);
        [held, length] = [[], 0];
      }
    }
    if (!next || !isAsKnown) if (length >= FULL_CHUNK) await end();
  }
  if (held.length > 0) await end();
  return { chunks, isRewritten: isRewritten || number < (last?.to ?? 0) };
}

export const linesIn = (plain: Uint8Array): string[] => Buffer.from(plain).toString('utf8').split('\n').slice(0, -1);

export type ReadChunk = (chunk: Chunk) => Promise<Uint8Array>;
export type Taken = 'same' | 'changed' | 'own';

/** Brings a conversation of another machine into the archive; `own` if it was held on this one. */
export async function takeConversation(
  archive: Archive,
  record: ConversationRecord,
  { machine, read, filter }: { machine: string; read: ReadChunk; filter: (line: string, number: number) => string },
): Promise<Taken> {
  const { source } = record;
  const origin = { machine, projects: record.projects };
  const here = archive.entryFor(source);
  if (here && !here.origin) return 'own';
  const older = archive.olderFor(source);
  let taken: Taken = 'same';
  const newest = generationOf(record.generations.at(-1)!.forks);
  for (const generation of record.generations) {
    const name = generationOf(generation.forks);
    const isNewest = name === newest;
    const current = archive.entryFor(source);
    const isCurrent = current !== undefined && generationOf(current.forks) === name;
    if (
      !isNewest &&
      (isCurrent ? false : current !== undefined || older.some(({ forks }) => generationOf(forks) === name))
    )
      continue; // what it was before does not change any more
    const held = isCurrent ? current : undefined;
    if (await takeGeneration(archive, { record, generation, held, origin, read, filter })) taken = 'changed';
  }
  return taken;
}

type Taking = {
  readonly record: ConversationRecord;
  readonly generation: Generation;
  readonly held: ArchiveEntry | undefined;
  readonly origin: ArchiveOrigin;
  readonly read: ReadChunk;
  readonly filter: (line: string, number: number) => string;
};

/** True if anything was added. What is there already is compared by its sum; where it is not the same, all of it is taken anew. */
async function takeGeneration(archive: Archive, taking: Taking): Promise<boolean> {
  const { generation, held } = taking;
  if (held && isSame(generation, held)) return false;
  if (held && held.line > generation.line) return false; // an older copy of the same, from a machine that has not gone on
  if (held && (await goesOn(taking, held))) return append(archive, taking, held.line);
  return append(archive, taking, 0);
}

async function goesOn({ generation, read }: Taking, held: ArchiveEntry): Promise<boolean> {
  const sum = sumOf(held);
  if (sum === undefined) return false;
  const at = generation.chunks.findIndex(({ to }) => to >= held.line);
  const chunk = generation.chunks[at];
  if (!chunk) return false;
  if (chunk.to === held.line) return chunk.sum === sum;
  const before = generation.chunks[at - 1];
  const lines = linesIn(await read(chunk)).slice(0, held.line - (before?.to ?? 0));
  return runningSum(before?.sum ?? FIRST_SUM, lines) === sum;
}

async function append(
  archive: Archive,
  { record, generation, origin, read, filter, held }: Taking,
  from: number,
): Promise<boolean> {
  const { source, session, cwd, branch, reader, project } = record;
  let isChanged = false;
  for (const [index, chunk] of generation.chunks.entries()) {
    if (chunk.to <= from) continue;
    const first = (generation.chunks[index - 1]?.to ?? 0) + 1;
    const all = linesIn(await read(chunk)).map((line, at) => filter(line, first + at));
    const fromLine = Math.max(first, from + 1);
    const isLast = index === generation.chunks.length - 1;
    await archive.add(source, {
      fromLine,
      lines: all.slice(fromLine - first),
      line: chunk.to,
      offset: isLast ? generation.offset : 0,
      mark: isLast ? generation.mark : '',
      head: { session, cwd, branch },
      reader,
      project,
      forks: generation.forks,
      origin,
      updatedAt: record.updatedAt,
      ...(held && from === 0 ? { restart: fromLine === 1 } : {}),
    });
    isChanged = true;
  }
  return isChanged;
}
