// Commits of a time that no conversation made: those that somebody made by hand, whoever wrote what is in them.

import { COMMIT_LAYER, commitOf } from '../indexing/commits/commit-rows.ts';
import { tieCommits, workedOf } from '../indexing/commits/tie-commits.ts';
import type { Document, Filter, Store } from '../store/store.ts';

const MOST = 500;

/** The newest first. `spans`: the exchanges of that time, which tell their own commits. */
export async function commitsByHand(store: Store, filter: Filter, spans: readonly Document[]): Promise<Document[]> {
  const { documents } = await store.list({
    filter: { ...filter, layers: [COMMIT_LAYER] },
    order: 'newest',
    limit: MOST,
  });
  if (documents.length === 0) return [];
  const commits = documents.flatMap((document) => commitOf(document) ?? []);
  const ties = tieCommits(commits, workedOf(spans));
  return documents.filter(({ meta }) => {
    const way = ties.get(String(meta?.hash))?.way;
    return way === undefined || way === 'files';
  });
}
