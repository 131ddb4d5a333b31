// Gives documents their vectors, in the background and by and by. What is still to do is asked of the store itself (documents without a
// vector of this model), so there is no progress to keep: kill it at any time and run it again. A new model simply finds all undone.

import type { Embedder } from '../../embed/embedder.ts';
import { CairnError } from '../../errors.ts';
import type { Document, Filter, Store, Vector } from '../../store/store.ts';
import { embeddedText } from './embedded-text.ts';

export type EmbedReport = {
  /** Vectors made. */
  embedded: number;
  /** Documents that got theirs along with another of equal content. Those whose content had one before are not looked at. */
  reused: number;
  /** Documents that have none yet: refused by the model, or not reached. */
  left: number;
};

export type EmbedDocumentsOptions = {
  readonly filter?: Omit<Filter, 'unembedded'>;
  /** Looked at between batches: stop here, what is done is kept. */
  readonly stopped?: () => boolean;
  readonly onProgress?: (report: EmbedReport) => void;
  /** Texts that are embedded and stored together. */
  readonly batch?: number;
  readonly signal?: AbortSignal;
};

const PAGE = 500;
const BATCH = 32;

/** Newest first: they are asked for most. Throws where the embedder itself fails; what was made until then is stored. */
export async function embedDocuments(
  store: Store,
  embedder: Embedder,
  { filter = {}, stopped, onProgress, batch = BATCH, signal }: EmbedDocumentsOptions = {},
): Promise<EmbedReport> {
  const report: EmbedReport = { embedded: 0, reused: 0, left: 0 };
  const undone: Filter = { ...filter, unembedded: embedder.model };
  let cursor: string | undefined;
  let isStopped = false;
  do {
    const page = await store.list({ filter: undone, order: 'newest', limit: PAGE, ...(cursor ? { cursor } : {}) });
    const groups = [...byHash(page.documents).values()];
    for (let from = 0; from < groups.length && !isStopped; from += batch) {
      const some = groups.slice(from, from + batch);
      const vectors = await vectorsFor(some, embedder, signal);
      if (vectors.length > 0) await store.apply([{ op: 'vectors', vectors }]);
      const made = new Set(vectors.map(({ hash }) => hash));
      for (const group of some) {
        if (!made.has(group[0]!.hash)) report.left += group.length;
        else report.reused += group.length - 1;
      }
      report.embedded += vectors.length;
      onProgress?.(report);
      isStopped = stopped?.() === true;
    }
    cursor = page.next;
  } while (cursor !== undefined && !isStopped);
  if (isStopped) report.left = await countDocuments(store, undone);
  return report;
}

function byHash(documents: readonly Document[]): Map<string, Document[]> {
  const groups = new Map<string, Document[]>();
  for (const document of documents) {
    const group = groups.get(document.hash);
    if (group) group.push(document);
    else groups.set(document.hash, [document]);
  }
  return groups;
}

/** One vector for each group. A text that the model refuses must not cost its neighbours theirs, so a refused batch is halved. */
async function vectorsFor(
  groups: readonly (readonly Document[])[],
  embedder: Embedder,
  signal: AbortSignal | undefined,
): Promise<Vector[]> {
  const texts = groups.map((group) => embeddedText(group[0]!));
  try {
    const vectors = await embedder.embed(texts, signal ? { signal } : {});
    return groups.map((group, at) => ({ hash: group[0]!.hash, model: embedder.model, vector: vectors[at]! }));
  } catch (error) {
    if (!(error instanceof CairnError && error.code === 'INPUT_ERROR')) throw error;
    if (groups.length === 1) return [];
    const half = groups.length >> 1;
    return [
      ...(await vectorsFor(groups.slice(0, half), embedder, signal)),
      ...(await vectorsFor(groups.slice(half), embedder, signal)),
    ];
  }
}

export async function countDocuments(store: Store, filter: Filter): Promise<number> {
  let count = 0;
  let cursor: string | undefined;
  do {
    const page = await store.list({ filter, order: 'newest', limit: 5_000, ...(cursor ? { cursor } : {}) });
    count += page.documents.length;
    cursor = page.next;
  } while (cursor !== undefined);
  return count;
}
