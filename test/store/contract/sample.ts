// Documents for the contract's tests, with everything filled in that a test does not care about.

import type { Change, Document, Store } from '../../../src/store/store.ts';

export function sample(ref: string, parts: Partial<Document> = {}): Document {
  return {
    ref,
    project: 'apollo',
    layer: 'trace',
    kind: 'decision',
    status: 'active',
    title: `Title of ${ref}`,
    text: '',
    tags: [],
    confidence: 0.5,
    createdAt: 1_000,
    updatedAt: 1_000,
    hash: `hash of ${ref}`,
    ...parts,
  };
}

export function put(ref: string, parts: Partial<Document> = {}): Change {
  return { op: 'put', document: sample(ref, parts) };
}

/** The refs of everything in the store, in the order of ref. */
export async function allRefs(store: Store): Promise<string[]> {
  const { documents } = await store.list({ order: 'ref', limit: Number.POSITIVE_INFINITY });
  return documents.map((document) => document.ref);
}

/** The refs that a search for these words finds, best first. */
export async function found(store: Store, ...words: string[]): Promise<string[]> {
  const hits = await store.search({ terms: words.map((text) => ({ text })), limit: 100 });
  return hits.map((hit) => hit.ref);
}
