// Brings vectors that an earlier Cairn stored into the form that takes a quarter of the room (store/vector-bytes.ts), by and by: how far it is stands in the
// store, so it can be killed and started again at any time. New ones are stored so at once.

import type { Store, Vector } from '../../store/store.ts';
import { rounded } from '../../store/vector-bytes.ts';

const PAGE = 500;
const DONE = 'done';

const keyOf = (model: string): string => `vectors-rounded:${model}`;

/** Whether there are some: looked for once, among the oldest documents. */
export async function hasUnrounded(store: Store, model: string): Promise<boolean> {
  const known = (await store.state({ keys: [keyOf(model)] }))[0]?.value;
  if (known !== undefined) return known !== DONE;
  const { documents } = await store.list({ order: 'oldest', limit: PAGE });
  const vectors = await store.vectors({ model, hashes: [...new Set(documents.map(({ hash }) => hash))] });
  if (vectors.some(isUnrounded)) return true;
  if (vectors.length > 0) await store.apply([{ op: 'state', key: keyOf(model), value: DONE }]);
  return false;
}

/** Returns how many were changed. */
export async function roundVectors(store: Store, model: string, stopped = (): boolean => false): Promise<number> {
  const key = keyOf(model);
  let cursor = (await store.state({ keys: [key] }))[0]?.value;
  let changed = 0;
  while (cursor !== DONE && !stopped()) {
    const page = await store.list({ order: 'newest', limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    const hashes = [...new Set(page.documents.map(({ hash }) => hash))];
    const vectors = (await store.vectors({ model, hashes })).filter(isUnrounded);
    await store.apply([
      ...(vectors.length === 0
        ? []
        : [{ op: 'vectors' as const, vectors: vectors.map((each) => ({ ...each, vector: rounded(each.vector) })) }]),
      { op: 'state', key, value: page.next ?? DONE },
    ]);
    changed += vectors.length;
    cursor = page.next ?? DONE;
  }
  return changed;
}

function isUnrounded({ vector }: Vector): boolean {
  const round = rounded(vector);
  return round.some((number, at) => number !== vector[at]);
}
