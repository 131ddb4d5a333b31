// Rows of the store, the newest first, page by page until there are enough.

import type { Document, Filter, Store } from '../store/store.ts';

const PAGE = 500;

/** Whole pages: there may be some more than `most`. */
export async function listNewest(store: Store, filter: Filter, most: number): Promise<Document[]> {
  const found: Document[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ filter, order: 'newest', limit: PAGE, ...(cursor ? { cursor } : {}) });
    found.push(...page.documents);
    cursor = page.next;
  } while (cursor !== undefined && found.length < most);
  return found;
}
