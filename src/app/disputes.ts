// Which results of a question contradict each other, as long as nobody has settled it: at least one of the two is a record or a note, and neither
// replaces the other.

import type { Config } from '../config/load.ts';
import { CairnError } from '../errors.ts';
import { type Kept, readKept } from '../files/settled.ts';
import type { RecallResult } from '../recall/answer.ts';
import type { Store } from '../store/store.ts';
import { isKept } from './kept-pairs.ts';
import { pairsAmong } from './memory-pairs.ts';

type Dispute = RecallResult['chain'][number];

/** What may be against something else; of conversations only what was decided. */
const KINDS = ['decision', 'preference', 'constraint'];
const MOST = 40;

/** By project and ref. */
export async function disputesAmong(
  store: Store,
  { paths }: Pick<Config, 'paths'>,
  results: readonly RecallResult[],
): Promise<ReadonlyMap<string, readonly Dispute[]>> {
  const disputes = new Map<string, Dispute[]>();
  const wanted = results.filter(({ kind, status }) => KINDS.includes(kind) && status === 'active').slice(0, MOST);
  if (wanted.length < 2 || wanted.every(({ layer }) => layer === 'trace')) return disputes;
  const projects = [...new Set(wanted.map(({ project }) => project))];
  const documents = await store.get({ refs: wanted.map(({ ref }) => ref), projects });
  const kept = keptIn(paths.userRoot);
  for (const { a, b, kind } of pairsAmong(documents)) {
    if (kind !== 'contradiction' || (a.layer === 'trace' && b.layer === 'trace') || isKept(kept, a, b)) continue;
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const key = `${one.project}\0${one.ref}`;
      const dispute = { ref: other.ref, relation: 'contradicts', title: other.title };
      disputes.set(key, [...(disputes.get(key) ?? []), dispute]);
    }
  }
  return disputes;
}

/** A file that cannot be read is told by whoever writes it; here, one dispute too many is told. */
function keptIn(userRoot: string): readonly Kept[] {
  try {
    return readKept(userRoot);
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return [];
  }
}
