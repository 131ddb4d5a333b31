// Writes a plan in batches. Each batch stands on the row that the one before it left, so of two runs at once one is refused and
// looks again; and each remembers the files that it has written, so a run that is killed goes on where it was.

import type { Change, Store } from '../../store/store.ts';
import {
  type FileSeen,
  type FolderFiles,
  type FolderSeen,
  folderChange,
  type Head,
  headKey,
  ROWS_VERSION,
} from './file-state.ts';
import type { Plan, Step } from './plan-changes.ts';
import type { ReadOnlyChanges } from './read-only-files.ts';

export type PlanWriting = {
  readonly place: { readonly root: string; readonly project: string };
  readonly head: Head;
  /** The row of `head` as it stands. */
  readonly written: string | null;
  readonly before: ReadonlyMap<string, FolderFiles>;
  readonly plan: Plan;
  readonly folders: ReadonlyMap<string, FolderSeen | undefined>;
  readonly sources?: ReadOnlyChanges;
};

const BATCH = 500;

export async function writePlan(store: Store, writing: PlanWriting): Promise<void> {
  const { place, head, plan, folders, sources } = writing;
  const isIdle = plan.steps.length === 0 && folders.size === 0 && plan.touched.length === 0 && !sources?.changed;
  if (isIdle && head.revision > 0) return;
  const files: Files = { before: writing.before, now: new Map() };
  const key = headKey(place.root);
  let written = writing.written;
  let current = head;
  const apply = async (changes: readonly Change[], next: Partial<Head> = {}): Promise<void> => {
    // A head of another version: what it stood for is made anew.
    const isFirst = current.revision === 0;
    const reset: Change[] = isFirst
      ? [{ op: 'delete', where: { projects: [place.project], layers: ['record', 'note'] } }]
      : [];
    current = { ...current, ...next, version: ROWS_VERSION, revision: current.revision + 1 };
    const value = JSON.stringify(current);
    await store.apply([{ op: 'expect', key, value: written }, ...reset, ...changes, { op: 'state', key, value }]);
    written = value;
  };
  for (const batch of batchesOf(plan.touched)) await apply(batch);
  const steps = batchesOf(plan.steps);
  const last = steps.pop() ?? [];
  for (const batch of steps) await apply(stepChanges(place.root, batch, files), { folders: halfSeen(current, batch) });
  const sourceBatches = batchesOf(sources?.changes ?? []);
  for (const batch of sourceBatches) await apply(batch);
  await apply(stepChanges(place.root, last, files), {
    folders: seenFolders(current, folders, last),
    count: plan.count,
    problems: [...plan.problems],
    complete: true,
    ...(sources ? { sources: sources.sources } : {}),
  });
}

/** A folder of which some files are written is known, and must be looked at again. */
function halfSeen({ folders }: Head, steps: readonly Step[]): Head['folders'] {
  const names = new Set(steps.map(({ path }) => folderOf(path)));
  return { ...Object.fromEntries([...names].map((name) => [name, { mtime: -1, lookedAt: 0 }])), ...folders };
}

function seenFolders(head: Head, seen: PlanWriting['folders'], last: readonly Step[]): Head['folders'] {
  const folders = { ...halfSeen(head, last), ...Object.fromEntries(seen) };
  return Object.fromEntries(Object.entries(folders).filter(([, each]) => each !== undefined)) as Head['folders'];
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** Folders are copied when they change: most do not. */
type Files = {
  readonly before: ReadonlyMap<string, FolderFiles>;
  readonly now: Map<string, { [name: string]: FileSeen }>;
};

function stepChanges(root: string, steps: readonly Step[], { before, now }: Files): Change[] {
  const changed = new Set<string>();
  for (const { path, seen } of steps) {
    const folder = folderOf(path);
    const name = path.slice(folder.length + 1);
    const files = now.get(folder) ?? { ...before.get(folder) };
    if (seen) files[name] = seen;
    else delete files[name];
    now.set(folder, files);
    changed.add(folder);
  }
  return [
    ...steps.flatMap((step) => step.changes),
    ...[...changed].map((folder) => folderChange(root, folder, now.get(folder)!)),
  ];
}

function batchesOf<T>(items: readonly T[]): (readonly T[])[] {
  const batches: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += BATCH) batches.push(items.slice(from, from + BATCH));
  return batches;
}
