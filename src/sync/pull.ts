// Brings what other machines have put at the place into the archive of this one. What is there already is not read again, a conversation
// whose objects are damaged is named and left for the next time, and nothing here is ever replaced by less.

import path from 'node:path';
import { CairnError, messageOf } from '../errors.ts';
import type { Archive } from '../transcripts/archive/archive.ts';
import { takeConversation } from './chunks.ts';
import type { Chunk, ConversationRecord } from './manifest.ts';
import type { Place } from './place.ts';
import { type Machine, type Machines, readObjects, recordsOf } from './place-contents.ts';
import type { Watched } from './push.ts';
import { changeState } from './sync-state.ts';
import type { Vault } from './vault.ts';

export type PullSource = Watched & {
  readonly place: Place;
  readonly vault: Vault;
  readonly userRoot: string;
  readonly machines: Machines;
  readonly archive: Archive;
  readonly now: () => Date;
  /** Throws where nothing can be added to the archive; asked when there is something to add. */
  readonly assertWritable: () => void;
  /** Kept out of this machine: forgotten, excluded, or too old. */
  readonly isKeptOut: (record: ConversationRecord) => boolean;
  /** What may still be said of a line. */
  /** False: the archive may not grow any more. */
  readonly hasRoom: () => boolean;
  readonly filterOf: (record: ConversationRecord) => (line: string, number: number) => string;
};

export type PullReport = {
  /** Of other machines. */
  conversations: number;
  /** Of those, new here or longer than they were. */
  changed: string[];
  problems: string[];
  finished: boolean;
};

export async function pull(source: PullSource): Promise<PullReport> {
  const { machines, userRoot } = source;
  const report: PullReport = { conversations: 0, changed: [], problems: [], finished: true };
  const work: { machine: Machine; record: ConversationRecord }[] = [];
  for (const machine of machines.others) {
    try {
      const records = await recordsOf(source.place, source.vault, machine);
      for (const record of records)
        if (!source.isKeptOut(record))
          work.push({ machine, record: { ...record, source: localSource(record.source) } });
    } catch (error) {
      report.problems.push(problemOf(error, machine));
    }
  }
  report.conversations = new Set(work.map(({ record }) => record.source)).size;
  // The newest first: if there is no room for all, they are what is wanted.
  work.sort((a, b) => (a.record.updatedAt < b.record.updatedAt ? 1 : -1));
  for (const [done, { machine, record }] of work.entries()) {
    source.onProgress(done, work.length, record.source);
    await new Promise((resolve) => setImmediate(resolve)); // or no Ctrl-C would be heard
    if (source.stopped()) {
      report.finished = false;
      break;
    }
    if (!source.hasRoom()) {
      report.problems.push(
        `The archive is full: ${work.length - done} of ${work.length} conversations were not looked at, the oldest. Raise the limit: cairn config set --user traces.archive_max_mb …`,
      );
      break;
    }
    try {
      if (await take(source, machine, record)) report.changed.push(record.source);
    } catch (error) {
      report.problems.push(problemOf(error, machine));
    }
  }
  source.onProgress(work.length, work.length, '');
  const seen = Object.fromEntries(machines.others.map(({ manifest }) => [manifest.machine, manifest.counter]));
  changeState(userRoot, (state) => ({
    ...state,
    seen: { ...state.seen, ...seen },
    ...(report.finished ? { pulledAt: source.now().toISOString() } : {}),
  }));
  return report;
}

/** Where the transcript would be, if this were that machine: a path that this system takes for one. */
export function localSource(source: string, platform: NodeJS.Platform = process.platform): string {
  const isOfWindows = /^[A-Za-z]:[\\/]/.test(source);
  return path.resolve(isOfWindows && platform !== 'win32' ? `/${source.replaceAll('\\', '/')}` : source);
}

async function take(source: PullSource, { folder, manifest }: Machine, record: ConversationRecord): Promise<boolean> {
  const { place, vault, archive, userRoot } = source;
  let last: { object: string; plain: Uint8Array } | undefined;
  const read = async ({ object }: Chunk): Promise<Uint8Array> => {
    if (last?.object === object) return last.plain; // it was looked at to see whether the lines before it are the same
    source.assertWritable();
    // Before anything of it changes: what is killed behind this is read in by the next one.
    changeState(userRoot, (state) =>
      state.toRead.includes(record.source) ? state : { ...state, toRead: [...state.toRead, record.source] },
    );
    const [plain = new Uint8Array()] = await readObjects(place, vault, folder, [object]);
    last = { object, plain };
    return plain;
  };
  const filter = source.filterOf(record);
  return (await takeConversation(archive, record, { machine: manifest.machine, read, filter })) === 'changed';
}

/** A disk that is full, or a bug, ends it; what lies at the place does not. */
function problemOf(error: unknown, { manifest }: Machine): string {
  if (!(error instanceof CairnError) || error.code === 'IO_ERROR' || error.code === 'LOCK_ERROR') throw error;
  return `From ${manifest.label}: ${messageOf(error)} ${error.fix ?? ''}`.trim();
}
