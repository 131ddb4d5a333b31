// Brings the records and notes of one memory into the store, and the client's own memory files beside them. Only what changed
// is read and written; what a change touches elsewhere (a link that now leads somewhere, a second note with the same id) is
// written with it, so the rows always equal those of a store that was filled at once.

import { CairnError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import {
  type FileProblem,
  type FolderFiles,
  type FolderSeen,
  type Head,
  NO_HEAD,
  readFolders,
  readHead,
} from './file-state.ts';
import { type Found, findChangesInFolder, placeOfNamed, readNamed } from './find-changed-files.ts';
import { type Folder, foldersOf, foldersToLookAt, isSettled, type LookPlace } from './folder-times.ts';
import { planChanges } from './plan-changes.ts';
import { readOnlyChanges } from './read-only-files.ts';
import type { ReadOnlySource } from './read-only-sources.ts';
import { writePlan } from './write-plan.ts';

export type IndexedFiles = LookPlace & {
  /** A file that keeps what related files looked like; without it, deleting the database forgets that. */
  readonly kept?: string;
  /** Files that are searched and never written: the client's own memory, CLAUDE.md. */
  readonly readOnly?: readonly ReadOnlySource[];
};

export type FilesReport = {
  put: number;
  removed: number;
  unchanged: number;
  problems: FileProblem[];
};

export type SyncOptions = {
  /** Just these files, which a writer has written or removed. */
  readonly only?: readonly string[];
  /** Believe the times of folders: sees what was made, removed or replaced by a rename, not what was written in place. */
  readonly quick?: boolean;
};

/** A large memory takes some seconds to fill: whoever meets another one at that work waits for its end. */
const POLL_MS = 250;
const WAIT_MS = 60_000;

export async function syncFiles(store: Store, place: IndexedFiles, options: SyncOptions = {}): Promise<FilesReport> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    try {
      return await syncOnce(store, place, options);
    } catch (error) {
      // Somebody else is indexing the same files.
      if (!(error instanceof CairnError && error.code === 'OCC_CONFLICT') || Date.now() > deadline) throw error;
    }
    const { head } = await readHead(store, place.root);
    // A prompt does not wait for what is being done anyway.
    if (options.quick) return { put: 0, removed: 0, unchanged: head.count, problems: [...head.problems] };
    await untilQuiet(store, place, deadline);
  }
}

async function untilQuiet(store: Store, { root }: IndexedFiles, deadline: number): Promise<void> {
  let seen = -1;
  for (;;) {
    const { revision } = (await readHead(store, root)).head;
    if (revision === seen || Date.now() > deadline) return;
    seen = revision;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS * (1 + Math.random())));
  }
}

async function syncOnce(
  store: Store,
  place: IndexedFiles,
  options: SyncOptions,
  known?: Awaited<ReturnType<typeof readHead>>,
): Promise<FilesReport> {
  const { head, written } = known ?? (await readHead(store, place.root));
  const isNew = head.revision === 0;
  const folders = foldersOf(place.kinds);
  const sources = options.only && !isNew ? undefined : readOnlyChanges(place, head.sources);
  const startedAt = Date.now();
  const open = foldersToLookAt(place, head.folders, { all: options.quick !== true || isNew });
  const toLook: ToLook = { open, startedAt };
  if (open.size === 0 && !sources?.changed)
    return { put: 0, removed: 0, unchanged: head.count, problems: [...head.problems] };

  const before = await readFolders(store, place.root, Object.keys(head.folders));
  if (!before) return syncOnce(store, place, options, { head: NO_HEAD, written });
  const look = { place, folders, head, before };
  const { found, seen, problems } = options.only && !isNew ? lookAtNamed(look, options.only) : lookAround(look, toLook);
  const plan = await planChanges({ store, place, folders, head, before, found });
  await writePlan(store, { place, head, written, before, plan, folders: seen, ...(sources ? { sources } : {}) });
  return {
    put: plan.puts + (sources?.puts ?? 0),
    removed: plan.removals + (sources?.removals ?? 0),
    unchanged: plan.count - plan.puts,
    problems: [...problems, ...plan.problems],
  };
}

type ToLook = {
  /** By name, with the time that it had before the look; folders that are no longer ours have none. */
  readonly open: ReadonlyMap<string, number | undefined>;
  readonly startedAt: number;
};

type LookInput = {
  readonly place: LookPlace;
  readonly folders: readonly Folder[];
  readonly head: Head;
  readonly before: ReadonlyMap<string, FolderFiles>;
};

type Looked = {
  readonly found: Found;
  /** The folders as they are to be remembered, where that differs; `undefined` is gone. */
  readonly seen: ReadonlyMap<string, FolderSeen | undefined>;
  readonly problems: FileProblem[];
};

function lookAround({ place, folders, head, before }: LookInput, { open, startedAt }: ToLook): Looked {
  const found: Found = new Map();
  const seen = new Map<string, FolderSeen | undefined>();
  const problems: FileProblem[] = [];
  for (const [name, mtime] of open) {
    const folder = folders.find((each) => each.name === name);
    const files = before.get(name) ?? {};
    const known = head.folders[name];
    if (!folder || mtime === undefined) {
      for (const file of Object.keys(files)) found.set(`${name}/${file}`, undefined);
      if (known) seen.set(name, undefined);
      continue;
    }
    const { problem, young, unread } = findChangesInFolder(place, folder, { files, seen: known }, found);
    if (problem !== undefined) problems.push({ path: name, message: problem });
    if (!unread && (young || !isSettled(known, mtime, folder)))
      seen.set(name, { mtime, lookedAt: startedAt, ...(folder.category ? { category: folder.category.name } : {}) });
  }
  return { found, seen, problems };
}

/** The folders' times stay as they were: the next look at them compares all files, and finds these as they are. */
function lookAtNamed({ place, folders, before }: LookInput, named: readonly string[]): Looked {
  const found: Found = new Map();
  const problems: FileProblem[] = [];
  for (const each of named) {
    const at = placeOfNamed(place, folders, each);
    if (!at) continue;
    const known = before.get(at.folder.name)?.[at.file.slice(at.folder.name.length + 1)];
    const { now, unread } = readNamed(place, at.folder, at.file, known);
    if (unread !== undefined) problems.push({ path: at.file, message: unread });
    else if (now || known) found.set(at.file, now);
  }
  return { found, seen: new Map(), problems };
}
