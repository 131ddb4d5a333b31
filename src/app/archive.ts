// The composition root of `cairn doctor --archive`: reads every archived conversation to its end, and says which could not be verified, and
// whether its transcript is still there to make it anew from. It changes nothing.

import type { Config } from '../config/load.ts';
import { CairnError, messageOf } from '../errors.ts';
import { type ArchiveEntry, mendingOf, openArchive } from '../transcripts/archive/archive.ts';
import { openTranscriptFile } from '../transcripts/source.ts';
import { archiveRoot } from './user-files.ts';

export type ArchiveReport = {
  /** What is as it was written. */
  conversations: number;
  /** Of conversations that were rewritten, what they were before. */
  generations: number;
  lines: number;
  bytes: number;
  /** Among them, those that an older Cairn wrote without checksums. */
  unsummed: number;
  /** `only`: its transcript is gone, too, or is less than the copy was. */
  damaged: { file: string; source: string | null; why: string; only: boolean; fix: string }[];
  finished: boolean;
};

export type Watching = {
  readonly onProgress: (done: number, total: number, what: string) => void;
  readonly stopped: () => boolean;
};

export async function verifyArchive(config: Config, { onProgress, stopped }: Watching): Promise<ArchiveReport> {
  const archive = openArchive(archiveRoot(config), { maxBytes: Number.MAX_SAFE_INTEGER, now: () => new Date() });
  const { entries, older, problems } = archive.survey();
  const report: ArchiveReport = {
    ...{ conversations: 0, generations: 0, lines: 0, bytes: 0, unsummed: 0 },
    ...{ damaged: [], finished: true },
  };
  const found = [
    ...entries.map((entry) => ({ entry, isOlder: false })),
    ...older.map((entry) => ({ entry, isOlder: true })),
  ];
  const sizeOf = ({ gzBytes, tail }: ArchiveEntry): number => gzBytes + (tail?.bytes ?? 0);
  const total = found.reduce((sum, { entry }) => sum + sizeOf(entry), 0);
  let done = 0;
  for (const { entry, isOlder } of found) {
    onProgress(done, total, entry.source);
    await new Promise((resolve) => setImmediate(resolve)); // or no Ctrl-C would be heard
    if (stopped()) return { ...report, finished: false };
    try {
      archive.verify(entry);
      if (isOlder) report.generations++;
      else report.conversations++;
      report.lines += entry.line;
      report.bytes += sizeOf(entry);
      if (entry.sum === undefined) report.unsummed++;
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      const file = error.details.find(([name]) => name === 'target')?.[1] ?? entry.file;
      const only = isOlder || !isInTranscript(entry);
      report.damaged.push({ file, source: entry.source, why: messageOf(error), only, fix: mendingOf(file) });
    }
    done += sizeOf(entry);
  }
  const named = new Set(report.damaged.map(({ file }) => file));
  for (const { file, why } of problems)
    if (!named.has(file)) report.damaged.push({ file, source: null, why, only: false, fix: mendingOf(file) });
  return report;
}

function isInTranscript({ source, offset, mark }: ArchiveEntry): boolean {
  const file = openTranscriptFile(source);
  try {
    return file?.hasMark(mark, offset) === true;
  } finally {
    file?.close();
  }
}
