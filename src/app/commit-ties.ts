// Commits that are in the store, with the exchange that each comes from. Told when they are shown: a conversation may be read later than the
// commit, and be forgotten before it.

import { COMMIT_LAYER, commitOf } from '../indexing/commits/commit-rows.ts';
import { type CommitTie, tieCommits, workedOf } from '../indexing/commits/tie-commits.ts';
import { hashName } from '../model/exchange-work.ts';
import type { Document, Filter, Store } from '../store/store.ts';
import { listNewest } from './list-newest.ts';

const DAY_MS = 86_400_000;
/** What was written longer before ties nothing; a subject may be merged later than that. */
const WINDOW_MS = 8 * DAY_MS;
const MOST_IN_WINDOW = 2_000;

/** By ref. `projects`: the scopes that conversations are looked for in; those of the commits themselves if absent. */
export async function tiesOf(
  store: Store,
  documents: readonly Document[],
  projects: readonly string[] = [...new Set(documents.map(({ project }) => project))],
): Promise<Map<string, CommitTie>> {
  const commits = documents.flatMap((document) => commitOf(document) ?? []);
  if (commits.length === 0) return new Map();
  const spans: Filter = { projects, layers: ['trace'], kinds: ['span'] };
  const found = new Map<string, Document>();
  const history = new Map<string, Document>();
  const hashes = [...new Set(commits.map(({ hash }) => hashName(hash)))];
  for (const each of await listNewest(store, { ...spans, entities: hashes }, MOST_IN_WINDOW)) found.set(each.ref, each);
  for (const [since, until] of windowsOf(commits.map(({ authored }) => authored * 1_000))) {
    for (const each of await listNewest(store, { ...spans, since, until }, MOST_IN_WINDOW)) found.set(each.ref, each);
    for (const each of await listNewest(store, { projects, layers: [COMMIT_LAYER], since, until }, MOST_IN_WINDOW))
      history.set(each.ref, each);
  }
  const worked = workedOf([...found.values()]);
  const ties = tieCommits(commits, worked, [
    ...commits,
    ...[...history.values()].flatMap((each) => commitOf(each) ?? []),
  ]);
  return new Map(
    documents.flatMap((document) => {
      const tie = ties.get(String(document.meta?.hash));
      return tie ? [[document.ref, tie] as const] : [];
    }),
  );
}

/** The days before each, those that overlap as one. */
function windowsOf(times: readonly number[]): [since: number, until: number][] {
  const windows: [number, number][] = [];
  for (const time of [...times].sort((a, b) => a - b)) {
    const last = windows.at(-1);
    if (last && time - WINDOW_MS <= last[1]) last[1] = time + DAY_MS;
    else windows.push([time - WINDOW_MS, time + DAY_MS]);
  }
  return windows;
}
