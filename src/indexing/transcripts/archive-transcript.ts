// Between the indexer and the archive: what the indexer has read, without its secrets, goes into the archive, and what the archive
// holds can be indexed in place of a file that is gone.

import { CairnError } from '../../errors.ts';
import type { TranscriptReader } from '../../model/trace.ts';
import type { Archive, ArchiveEntry } from '../../transcripts/archive/archive.ts';
import { withoutAttachments } from '../../transcripts/archive/archived-line.ts';
import type { LineFilter } from '../../transcripts/forgotten-lines.ts';
import { readerNamed } from '../../transcripts/readers.ts';
import { type ArchivedTranscript, openTranscriptFile, saysSomething } from '../../transcripts/source.ts';
import { ConversationMask } from './conversation-mask.ts';
import { type ReadPart, threadOf } from './index-transcript.ts';

const PART_CHARACTERS = 4 * 1024 * 1024;

export function archiveReader(archive: Archive): (file: string) => ArchivedTranscript | undefined {
  return (file) => {
    const entry = archive.entryFor(file);
    return entry && copyOf(archive, entry);
  };
}

const copyOf = (archive: Archive, entry: ArchiveEntry): ArchivedTranscript => {
  const { offset, line, mark, forks } = entry;
  return { offset, line, mark, forks, lines: () => archive.lines(entry) };
};

/** Copies of what a transcript was before it was rewritten, the oldest first. */
export function olderReader(archive: Archive): (file: string) => ArchivedTranscript[] {
  return (file) => archive.olderFor(file).map((entry) => copyOf(archive, entry));
}

/** `waits`: single turns are archived, and packing them may wait. */
export function archiveWriter(
  archive: Archive,
  { waits = false, filter }: { waits?: boolean; filter?: () => LineFilter | undefined } = {},
): (file: string, part: ReadPart) => Promise<void> {
  return async (file, part) => {
    try {
      await archive.add(file, { ...part, waits });
    } catch (error) {
      if (!(error instanceof CairnError && ['INDEX_ERROR', 'READ_ERROR'].includes(error.code))) throw error;
      // The archive has lost what came before (it was removed, or the machine lost its power): from the start, then.
      await archiveAnew(archive, file, part, filter?.());
    }
  };
}

async function archiveAnew(archive: Archive, file: string, until: ReadPart, filter?: LineFilter): Promise<void> {
  const source = openTranscriptFile(file);
  if (!source) return;
  try {
    const reader = readerNamed(until.reader) as TranscriptReader<unknown>;
    let state = reader.start(file, { thinking: until.thinking });
    const mask = new ConversationMask();
    let lines: string[] = [];
    let number = 0;
    let characters = 0;
    const add = (offset: number, mark: string): Promise<void> => {
      const fromLine = number - lines.length + 1;
      const part = { ...until, fromLine, lines, offset, line: number, mark };
      lines = [];
      characters = 0;
      return archive.add(file, { ...part, restart: fromLine === 1 });
    };
    for (const line of source.readLinesFrom(0)) {
      if (line.end > until.offset) break;
      number++;
      const text = filter ? filter(line.text, number, threadOf(until, file)) : line.text;
      const first = line.tooLong || text === '' ? undefined : reader.read(state, { number, text });
      if (first && !saysSomething(first, state)) mask.learn(text);
      const clean = first && saysSomething(first, state) ? mask.line(text, first.parsed) : text;
      const read = clean === text || first === undefined ? first : reader.read(state, { number, text: clean });
      const matters = read !== undefined && saysSomething(read, state);
      if (read) state = read.state;
      lines.push(matters ? withoutAttachments(read.open ?? clean, read.parsed) : '');
      characters += matters ? text.length : 1;
      if (characters > PART_CHARACTERS) await add(line.end, source.markAt(line.end));
    }
    if (lines.length > 0) await add(until.offset, until.mark);
  } finally {
    source.close();
  }
}
