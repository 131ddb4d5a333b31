// How far whoever makes many vectors has come: a row of the store that is written with the vectors, and gone when all are made.

import { integer, openObject, parseAs } from '../model/schema.ts';
import type { Change, Store } from '../store/store.ts';

const KEY = 'vectors-progress';

/** Documents without a vector, of all that had none when it began; milliseconds since 1970. */
export type VectorsProgress = { left: number; total: number; begun: number; at: number };

const PROGRESS = openObject({ left: integer(), total: integer(), begun: integer(), at: integer() });

export const progressNote = (progress: VectorsProgress): Change => ({
  op: 'state',
  key: KEY,
  value: JSON.stringify(progress),
});

export const noProgress: Change = { op: 'state', key: KEY, value: null };

/** Of whoever is making them now, or was killed at it. */
export async function vectorsProgress(store: Store): Promise<VectorsProgress | undefined> {
  const value = (await store.state({ keys: [KEY] }))[0]?.value;
  return value === undefined ? undefined : parseAs(PROGRESS, value);
}
