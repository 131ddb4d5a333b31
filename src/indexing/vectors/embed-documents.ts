// Gives documents their vectors, in the background and by and by, the most telling first. What is still to do is asked of the store itself
// (documents without a vector of this model), so there is no progress to keep: kill it at any time and run it again. A new model
// simply finds all undone.

import type { Embedder, EmbedOptions } from '../../embed/embedder.ts';
import { CairnError } from '../../errors.ts';
import type { Change, Document, Filter, Store, Vector } from '../../store/store.ts';
import { rounded } from '../../store/vector-bytes.ts';
import { embeddedText } from './embedded-text.ts';
import { PASSES, type Pass } from './telling-order.ts';

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
  /** What is written with each batch of vectors. */
  readonly along?: (report: EmbedReport) => readonly Change[];
  /** Texts that are embedded and stored together. */
  readonly batch?: number;
  readonly signal?: AbortSignal;
};

const PAGE = 500;
const BATCH = 32;

/** Throws where the embedder itself fails; what was made until then is stored. */
export async function embedDocuments(
  store: Store,
  embedder: Embedder,
  options: EmbedDocumentsOptions = {},
): Promise<EmbedReport> {
  const work = new Embedding(store, embedder, options);
  for (const pass of PASSES) if (!(await work.run(pass))) break;
  return work.end();
}

class Embedding {
  readonly #store: Store;
  readonly #embedder: Embedder;
  readonly #options: EmbedDocumentsOptions;
  readonly #report: EmbedReport = { embedded: 0, reused: 0, left: 0 };
  /** What the model refuses is found again by the last pass. */
  readonly #refused = new Set<string>();
  #isStopped = false;

  constructor(store: Store, embedder: Embedder, options: EmbedDocumentsOptions) {
    this.#store = store;
    this.#embedder = embedder;
    this.#options = options;
  }

  /** False if it was stopped. */
  async run({ filter, takes = () => true }: Pass): Promise<boolean> {
    const undone: Filter = { ...filter, ...this.#options.filter, unembedded: this.#embedder.model };
    let cursor: string | undefined;
    do {
      const page = await this.#store.list({ filter: undone, limit: PAGE, ...(cursor ? { cursor } : {}) });
      const wanted = page.documents.filter((each) => !this.#refused.has(each.hash) && takes(each));
      await this.#embedAll([...byHash(wanted).values()]);
      cursor = page.next;
    } while (cursor !== undefined && !this.#isStopped);
    return !this.#isStopped;
  }

  async #embedAll(groups: readonly (readonly Document[])[]): Promise<void> {
    const { batch = BATCH, onProgress, stopped, along } = this.#options;
    for (let from = 0; from < groups.length && !this.#isStopped; from += batch) {
      const some = groups.slice(from, from + batch);
      const vectors = await vectorsFor(some, this.#embedder, this.#options.signal);
      this.#count(some, vectors);
      if (vectors.length > 0)
        await this.#store.apply([{ op: 'vectors', vectors }, ...(along?.({ ...this.#report }) ?? [])]);
      onProgress?.(this.#report);
      this.#isStopped = stopped?.() === true;
    }
  }

  #count(groups: readonly (readonly Document[])[], vectors: readonly Vector[]): void {
    const made = new Set(vectors.map(({ hash }) => hash));
    for (const group of groups) {
      const { hash } = group[0]!;
      if (made.has(hash)) this.#report.reused += group.length - 1;
      else {
        this.#refused.add(hash);
        this.#report.left += group.length;
      }
    }
    this.#report.embedded += vectors.length;
  }

  async end(): Promise<EmbedReport> {
    const undone = { ...this.#options.filter, unembedded: this.#embedder.model };
    if (this.#isStopped) this.#report.left = await countDocuments(this.#store, undone);
    return this.#report;
  }
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
    const made = await madeOf(embedder, texts, signal ? { signal } : {});
    return groups.map((group, at) => {
      const { vector, ...rest } = made[at]!;
      return { hash: group[0]!.hash, model: embedder.model, vector: rounded(vector), ...rest };
    });
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

/** With their tokens, where the model gives them. */
async function madeOf(
  embedder: Embedder,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<readonly Pick<Vector, 'vector' | 'tokens'>[]> {
  if (!embedder.embedTokens) return (await embedder.embed(texts, options)).map((vector) => ({ vector }));
  const made = await embedder.embedTokens(texts, options);
  return made.map(({ vector, tokens }) => ({ vector, tokens: tokens.signs }));
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
