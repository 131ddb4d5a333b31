// Every row of a store, as text that two stores can be compared by.

import type { Store } from '../../src/store/store.ts';

export async function storeRows(store: Store): Promise<string[]> {
  const rows: string[] = [];
  const refs: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ order: 'ref', limit: 1_000, ...(cursor ? { cursor } : {}) });
    for (const document of page.documents) {
      rows.push(`document ${JSON.stringify(document)}`);
      refs.push(document.ref);
    }
    cursor = page.next;
  } while (cursor !== undefined);
  for (const link of await store.links({ refs })) rows.push(`link ${JSON.stringify(link)}`);
  for (const mention of await store.mentions({ limit: 1_000_000 })) rows.push(`mention ${JSON.stringify(mention)}`);
  for (const row of await store.state({})) rows.push(`state ${row.key} ${row.value}`);
  return rows.sort();
}

/** An archive is masked: what its values were is known from the original alone. */
const withoutKnown = (row: string): string => row.replace(/,"mask":\{"known":\[.*?\]\]\}/, '');

/** Says where two stores differ, and not all that they hold. `fromArchive`: one of them was made from an archive. */
export async function differences(
  one: Store,
  two: Store,
  { fromArchive = false } = {},
): Promise<{ missing: string[]; more: string[] }> {
  const rows = async (store: Store): Promise<Set<string>> => {
    const all = await storeRows(store);
    return new Set(fromArchive ? all.map(withoutKnown) : all);
  };
  const [first, second] = [await rows(one), await rows(two)];
  return {
    missing: [...first].filter((row) => !second.has(row)).slice(0, 3),
    more: [...second].filter((row) => !first.has(row)).slice(0, 3),
  };
}

export const SAME = { missing: [], more: [] };
