// How a transcript that became shorter is told from one that was rewritten: by what was said in its lines, compared with the copy in the
// archive. Where there is no copy, by marks of the file that were noted on the way, which are fewer and so less exact.

import { type Fork, forkedAt, generationOf } from '../../model/forks.ts';
import type { TranscriptReader } from '../../model/trace.ts';
import type { ArchivedTranscript, TranscriptSource } from '../../transcripts/source.ts';
import { ConversationMask } from './conversation-mask.ts';
import { redactItem } from './redact-item.ts';

/** Places of the file that was read: its first line, and wherever the number of lines had doubled. */
export type Checkpoint = { readonly offset: number; readonly line: number; readonly mark: string };

export type ReadBefore = {
  readonly offset: number;
  readonly mark: string;
  readonly forks: readonly Fork[];
  readonly checkpoints: readonly Checkpoint[];
};

/**
 * `shorter`: it is the beginning of what is known, and the rest is missing. Otherwise the forks of its lines: those that are known if it
 * is the same or has grown, a new one where it goes another way.
 */
export type Kinship = 'shorter' | readonly Fork[];

type Compared = {
  readonly source: TranscriptSource;
  readonly reader: TranscriptReader<unknown>;
  readonly file: string;
  readonly nextGeneration: (atLeast: number) => number;
};

export function kinshipToCopy({ source, reader, file, nextGeneration }: Compared, copy: ArchivedTranscript): Kinship {
  if (source.hasMark(copy.mark, copy.offset)) return copy.forks;
  const theirs = whatWasSaid(reader, file, copy.lines())[Symbol.iterator]();
  let shared = 0;
  for (const ours of whatWasSaid(reader, file, textsOf(source))) {
    const next = theirs.next();
    if (next.done) return copy.forks; // all of the copy is in it, in other bytes
    if (next.value !== ours) return newFork(copy.forks, shared + 1, nextGeneration);
    shared++;
  }
  return shared < copy.line ? 'shorter' : copy.forks;
}

/** How many lines two transcripts have in common at their beginning. */
export function sharedLines(
  reader: TranscriptReader<unknown>,
  file: string,
  ours: Iterable<string>,
  theirs: Iterable<string>,
): number {
  const others = whatWasSaid(reader, file, theirs)[Symbol.iterator]();
  let shared = 0;
  for (const own of whatWasSaid(reader, file, ours)) {
    const next = others.next();
    if (next.done || next.value !== own) break;
    shared++;
  }
  return shared;
}

export function kinshipByMarks({ source, nextGeneration }: Compared, before: ReadBefore): Kinship {
  // What was read is not known any more: nothing can be said to differ from it, and its rows are replaced, not doubled.
  if (before.offset === 0 || source.hasMark(before.mark, before.offset)) return before.forks;
  const size = source.size();
  const known = before.checkpoints.filter(({ offset }) => offset <= Math.min(size, before.offset));
  const same = known.filter(({ mark, offset }) => source.hasMark(mark, offset));
  // One without marks was read by an older Cairn: what cannot be told is not thrown away.
  if (size < before.offset && same.length === known.length) return 'shorter';
  return newFork(before.forks, (same.at(-1)?.line ?? 0) + 1, nextGeneration);
}

function newFork(forks: readonly Fork[], from: number, next: (atLeast: number) => number): Fork[] {
  return forkedAt(forks, { from, generation: next(generationOf(forks) + 1) });
}

function* textsOf(source: TranscriptSource): Generator<string> {
  for (const line of source.readLinesFrom(0)) yield line.tooLong ? '' : line.text;
}

/** Line by line. Not the bytes: the copy has no secrets and no results of tools, and a client may write the same line in another way. */
function* whatWasSaid(reader: TranscriptReader<unknown>, file: string, lines: Iterable<string>): Generator<string> {
  let state = reader.start(file);
  const mask = new ConversationMask();
  let number = 0;
  for (const text of lines) {
    number++;
    const read = text === '' ? undefined : mask.read(reader, state, { number, text });
    if (read) state = read.state;
    yield JSON.stringify(
      (read?.items ?? []).map((item) => ({ ...redactItem(item, (said) => mask.text(said)), time: undefined })),
    );
  }
}
