// Brings the repository's own log into the store: the newest commits of all branches, those that somebody made by hand too. The rows are
// those that a store filled at once would have: what was amended or moved away goes. Nothing is asked of git while no branch has moved.

import { commitIds, isShallow, realDirectory, workTreeAround } from '../../files/git-files.ts';
import { commitsByHash, newestCommits } from '../../files/git-history.ts';
import { contentHash } from '../../model/hash.ts';
import { isObject, parseJson } from '../../model/json.ts';
import type { Change, Store } from '../../store/store.ts';
import { COMMIT_LAYER, commitRefOf, commitRow } from './commit-rows.ts';

export type SyncCommits = {
  /** Where the project's work tree is. */
  readonly directory: string;
  /** The scope of its conversations, and what it was called before. */
  readonly project: string;
  readonly older?: readonly string[];
  /** At most so many, the newest; 0 for none. */
  readonly most: number;
  /** Milliseconds: none that were made before. */
  readonly since?: number;
};

export type CommitsReport = { put: number; removed: number; known: number };

const STATE = 'commits:';
/** Raised when rows say more than they did. */
const VERSION = 1;
const PAGE = 500;
const BATCH = 200;
const DAY_MS = 86_400_000;

type Known = { readonly directory: string; readonly seen: string };

export async function syncCommits(store: Store, wanted: SyncCommits): Promise<CommitsReport> {
  const { directory, project, older = [], most, since = 0 } = wanted;
  const key = `${STATE}${project}`;
  const git = most > 0 ? gitFolderOf(directory) : undefined;
  const seen = git === undefined ? 'none' : seenOf(git, wanted);
  const [row] = await store.state({ keys: [key] });
  if ((row ? knownIn(row.value)?.seen : 'none') === seen) return { put: 0, removed: 0, known: 0 };
  const hashes = git === undefined ? [] : newestCommits(git.git, { most, since: Math.floor(since / 1_000) });
  if (!hashes) return { put: 0, removed: 0, known: 0 }; // git does not answer: what is known stays
  const before = await refsIn(store, project);
  const now = new Map(hashes.map((hash) => [commitRefOf(hash), hash]));
  const fresh = [...now].filter(([ref]) => !before.has(ref)).map(([, hash]) => hash);
  const gone = [...before].filter((ref) => !now.has(ref));
  const others = older.filter((each) => each !== project);
  await applyAll(store, [
    ...(others.length > 0 ? [{ op: 'delete', where: { projects: others, layers: [COMMIT_LAYER] } } as const] : []),
    ...chunksOf(gone).map(
      (refs): Change => ({ op: 'delete', where: { projects: [project], layers: [COMMIT_LAYER], refs } }),
    ),
  ]);
  let put = 0;
  for (const some of chunksOf(fresh)) {
    const commits = git === undefined ? [] : commitsByHash(git.git, some);
    if (!commits) return { put, removed: gone.length, known: before.size };
    // What git writes when it merges says nothing that the merged commits do not.
    const told = commits.filter(({ parents, body }) => parents.length < 2 || body !== '');
    await applyAll(
      store,
      told.map((commit) => commitRow(commit, project)),
    );
    put += told.length;
  }
  const value = git === undefined ? null : JSON.stringify({ v: VERSION, directory, seen });
  await store.apply([{ op: 'state', key, value }]);
  return { put, removed: gone.length, known: before.size - gone.length + put };
}

/** Only of a repository that knows of this work tree: one that a stranger's `.git` leads to is not asked. */
function gitFolderOf(directory: string): { git: string; common: string } | undefined {
  const real = realDirectory(directory);
  const tree = real === undefined ? undefined : workTreeAround(real);
  return tree?.isMutual ? tree : undefined;
}

/** Where branches stand, and how much is wanted of them; by the day, where age counts. */
function seenOf({ common }: { common: string }, { most, since = 0 }: SyncCommits): string {
  const day = since === 0 ? 0 : Math.floor(since / DAY_MS);
  return contentHash(JSON.stringify([VERSION, most, day, isShallow(common), commitIds(common).sort()])).slice(0, 32);
}

function knownIn(value: string): Known | undefined {
  const state = parseJson(value);
  if (!isObject(state) || typeof state.directory !== 'string' || typeof state.seen !== 'string') return undefined;
  return { directory: state.directory, seen: state.seen };
}

async function refsIn(store: Store, project: string): Promise<Set<string>> {
  const refs = new Set<string>();
  let cursor: string | undefined;
  do {
    const filter = { projects: [project], layers: [COMMIT_LAYER] };
    const page: Awaited<ReturnType<Store['list']>> = await store.list({
      filter,
      order: 'ref',
      limit: PAGE,
      ...(cursor ? { cursor } : {}),
    });
    for (const { ref } of page.documents) refs.add(ref);
    cursor = page.next;
  } while (cursor !== undefined);
  return refs;
}

const chunksOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / BATCH) }, (_, at) => items.slice(at * BATCH, (at + 1) * BATCH));

const applyAll = async (store: Store, changes: readonly Change[]): Promise<void> => {
  if (changes.length > 0) await store.apply(changes);
};

/** Whose commits the store has, and where; what is made anew from nothing asks there again. */
export async function commitSources(
  store: Store,
): Promise<{ project: string; directory: string; isCleared: boolean }[]> {
  return (await store.state({ prefix: STATE })).flatMap(({ key, value }) => {
    const known = knownIn(value);
    return known
      ? [{ project: key.slice(STATE.length), directory: known.directory, isCleared: known.seen === '' }]
      : [];
  });
}

/** For a store that is about to be cleared: it is known where to ask again. */
export const rememberedSources = async (store: Store): Promise<Change[]> =>
  (await commitSources(store)).map(({ project, directory }) => ({
    op: 'state',
    key: `${STATE}${project}`,
    value: JSON.stringify({ v: VERSION, directory, seen: '' }),
  }));

/** All of a project's, for good. */
export const withoutCommits = (projects: readonly string[]): Change[] => [
  { op: 'delete', where: { projects, layers: [COMMIT_LAYER] } },
  ...projects.map((project): Change => ({ op: 'state', key: `${STATE}${project}`, value: null })),
];
