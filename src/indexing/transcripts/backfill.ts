// Indexes many transcripts, the oldest conversation first, and sums up what came out. One that cannot be read is named in the
// report and does not keep the others from being read; what was done when the work is stopped stays done.

import { CairnError, messageOf } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import type { FoundTranscript } from '../../transcripts/locate.ts';
import { EarlierStatements } from './earlier-statements.ts';
import {
  type IndexOptions,
  indexTranscript,
  type Refusal,
  stateKey,
  type TranscriptReport,
} from './index-transcript.ts';
import type { Ahead } from './read-ahead.ts';

export type BackfillReport = {
  transcripts: number;
  /** Had nothing new in them. */
  unchanged: number;
  /** Were read from the start again, because they had been rewritten. */
  restarted: number;
  /** Stayed out, and why. */
  refused: { [why in Refusal]?: number };
  /** No reader knows them. */
  unknown: string[];
  /** `fix`: what to do, where that is known. */
  failed: { file: string; why: string; fix?: string }[];
  bytes: number;
  lines: number;
  prompts: number;
  ideas: number;
  unreadable: { file: string; lines: number }[];
  /** Where everything is made anew: neither on disk nor in the archive, so what is known of them stays as it is. */
  kept?: string[];
  /** … and these are in the archive alone, and what is there cannot be read: named in `failed`, and what is known of them stays. */
  damaged?: string[];
  /** Damaged databases that stay because they may hold what is nowhere else; `lost`: conversations with rows that cannot be read. */
  aside?: { file: string; why: string; lost: readonly string[] }[];
  /** Only the beginning of what is known of them is on disk: what was read stays. */
  shorter: string[];
  sessions: number;
  projects: number;
  /** Not so if the work was stopped. */
  finished: boolean;
};

/** A transcript, and how long it is. */
export type ToRead = Pick<FoundTranscript, 'file' | 'size'>;

export type BackfillOptions = Omit<IndexOptions, 'onProgress'> & {
  /** `done` and `total` in bytes. */
  onProgress?: (done: number, total: number, file: string) => void;
  /** Starts a thread that reads these files ahead, in this order. */
  readAhead?: (files: readonly string[]) => Promise<Ahead & { close(): Promise<void> }>;
};

/** Less is read before a thread is ready. */
const WORTH_A_THREAD = 4e6;

export async function backfill(
  store: Store,
  found: readonly ToRead[],
  { readAhead, ...options }: BackfillOptions,
): Promise<BackfillReport> {
  const fresh = readAhead ? await notReadYet(store, found) : [];
  const isMuch = fresh.reduce((sum, { size }) => sum + size, 0) >= WORTH_A_THREAD;
  const ahead = isMuch ? await readAhead?.(fresh.map(({ file }) => file)) : undefined;
  try {
    return await readAll(store, found, { ...options, ahead });
  } finally {
    await ahead?.close();
  }
}

async function notReadYet(store: Store, found: readonly ToRead[]): Promise<ToRead[]> {
  const known = await store.state({ keys: found.map(({ file }) => stateKey(file)) });
  const keys = new Set(known.map(({ key }) => key));
  return found.filter(({ file }) => !keys.has(stateKey(file)));
}

async function readAll(
  store: Store,
  found: readonly ToRead[],
  options: Omit<BackfillOptions, 'readAhead'>,
): Promise<BackfillReport> {
  const report = emptyReport();
  const earlier = new EarlierStatements(store);
  const sessions = new Set<string>();
  const projects = new Set<string>();
  const left = options.onProgress ? await bytesLeft(store, found) : new Map<string, number>();
  const total = [...left.values()].reduce((sum, bytes) => sum + bytes, 0);
  let done = 0;
  // How much there is to do is told before it begins: how it is best done depends on it.
  if (found[0]) options.onProgress?.(0, total, found[0].file);
  for (const { file } of found) {
    if (options.stopped?.()) {
      report.finished = false;
      break;
    }
    const start = done;
    const onProgress = (bytes: number): void => {
      done += bytes;
      options.onProgress?.(done, total, file);
    };
    try {
      const one = await indexTranscript(store, file, { ...options, earlier, onProgress });
      if (!one) report.unknown.push(file);
      else if (one.refused) report.refused[one.refused] = (report.refused[one.refused] ?? 0) + 1;
      else add(report, one, { sessions, projects });
    } catch (error) {
      const fix = error instanceof CairnError ? error.fix : undefined;
      report.failed.push({ file, why: messageOf(error), ...(fix === undefined ? {} : { fix }) });
    }
    done = start + (left.get(file) ?? 0);
    options.onProgress?.(done, total, file);
  }
  return { ...report, sessions: sessions.size, projects: projects.size };
}

function emptyReport(): BackfillReport {
  const numbers = { transcripts: 0, unchanged: 0, restarted: 0, bytes: 0, lines: 0, prompts: 0, ideas: 0 };
  return {
    ...numbers,
    refused: {},
    unknown: [],
    failed: [],
    shorter: [],
    unreadable: [],
    sessions: 0,
    projects: 0,
    finished: true,
  };
}

function add(
  report: BackfillReport,
  one: TranscriptReport,
  { sessions, projects }: { sessions: Set<string>; projects: Set<string> },
): void {
  report.transcripts++;
  if (one.lines === 0) report.unchanged++;
  if (one.restarted) report.restarted++;
  if (one.shorter) report.shorter.push(one.file);
  if (one.unreadable > 0) report.unreadable.push({ file: one.file, lines: one.unreadable });
  if (!one.finished) report.finished = false;
  report.bytes += one.bytes;
  report.lines += one.lines;
  report.prompts += one.prompts;
  report.ideas += one.ideas;
  sessions.add(one.session);
  projects.add(one.project);
}

/** How much of each file was not read yet, as far as one can tell without reading. */
async function bytesLeft(store: Store, found: readonly ToRead[]): Promise<Map<string, number>> {
  const rows = await store.state({ keys: found.map(({ file }) => stateKey(file)) });
  const read = new Map(rows.map(({ key, value }) => [key, offsetIn(value)]));
  return new Map(found.map(({ file, size }) => [file, Math.max(0, size - (read.get(stateKey(file)) ?? 0))]));
}

const offsetIn = (state: string): number => Number(/"offset":(\d+)/.exec(state)?.[1] ?? 0);
