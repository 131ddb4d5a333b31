// Gives documents their vectors: a few at once in this process, many by helpers on cores that are idle, or by a worker that goes on in the
// background. One at a time for a user, whoever asks: two would make the same ones. How far it is stands in the store.

import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/load.ts';
import { CairnError } from '../errors.ts';
import { type Lock, withLock } from '../files/lock.ts';
import { countDocuments, type EmbedReport, embedDocuments } from '../indexing/vectors/embed-documents.ts';
import type { Change, Store } from '../store/store.ts';
import type { StartHelper } from './embed-helpers.ts';
import { openModel } from './embedding-model.ts';
import { cacheFolder } from './user-files.ts';
import { noProgress, progressNote, vectorsProgress } from './vectors-progress.ts';

export type MakeVectors = {
  readonly env: NodeJS.ProcessEnv;
  readonly stopped?: () => boolean;
  /** Documents that have theirs, and all that were to get one. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Without it everything is done in this process. */
  readonly startHelper?: StartHelper;
  /** Where many are to be made: starts somebody who makes them, and this returns. */
  readonly inBackground?: () => Promise<void>;
  /** Waits for another who is at it, and makes what he left. */
  readonly waits?: boolean;
};

export type VectorsReport = EmbedReport & {
  /** Who makes those that are left: a worker that was started, or another process that was at it already. */
  by?: 'background' | 'another';
};

/** So many take about as long as it takes to start helpers. */
const FEW = 300;
const HELPED_BATCH = 128;
const TRY_MS = 300;
/** Says that it is at work with every batch. */
const STALE_MS = 300_000;

const lockOf = ({ paths }: Config): string => path.join(paths.userRoot, 'locks', 'vectors.lock');

type Place = { readonly config: Config; readonly store: Store };

/** `undefined`: no model is wanted. */
export async function makeVectors(place: Place, options: MakeVectors): Promise<VectorsReport | undefined> {
  const { config, store } = place;
  const model = await modelName(config, options.env);
  if (model === undefined) return undefined;
  const few = await leftIfFew(store, model);
  if (few?.length === 0) return { embedded: 0, reused: 0, left: 0 };
  const left = async (by: VectorsReport['by'] & string): Promise<VectorsReport> => ({
    ...{ embedded: 0, reused: 0, by },
    left: few?.length ?? (await countDocuments(store, { unembedded: model })),
  });
  if (!few && options.inBackground) {
    await options.inBackground();
    return left('background');
  }
  const lock = lockOf(config);
  fs.mkdirSync(path.dirname(lock), { recursive: true, mode: 0o700 });
  for (;;)
    try {
      const limits = { waitMs: TRY_MS, staleMs: STALE_MS };
      return await withLock(lock, (held) => embed(place, { ...options, few }, held), limits);
    } catch (error) {
      if (!(error instanceof CairnError && error.code === 'LOCK_ERROR')) throw error;
      if (!options.waits || options.stopped?.()) return left('another');
      const progress = await vectorsProgress(store);
      if (progress) options.onProgress?.(progress.total - progress.left, progress.total);
    }
}

async function embed(
  { config, store }: Place,
  { env, stopped, onProgress, startHelper, few }: MakeVectors & { few: readonly string[] | undefined },
  held: Lock,
): Promise<EmbedReport | undefined> {
  const many = few === undefined;
  const helped = many && startHelper && config.settings.embeddings.provider === 'local';
  const embedder = helped ? await openHelped(config, startHelper) : await openModel(config, env);
  if (!embedder) return undefined;
  try {
    const total = few?.length ?? (await countDocuments(store, { unembedded: embedder.model }));
    const begun = Date.now();
    const sum: EmbedReport = { embedded: 0, reused: 0, left: 0 };
    const done = (now: EmbedReport): number => sum.embedded + sum.reused + now.embedded + now.reused;
    const along = (now: EmbedReport): Change[] =>
      many ? [progressNote({ left: Math.max(0, total - done(now)), total, begun, at: Date.now() })] : [];
    // What was said meanwhile is found by another round.
    for (;;) {
      const round = await embedDocuments(store, embedder, {
        ...(helped ? { batch: HELPED_BATCH } : {}),
        ...(few ? { filter: { refs: few } } : {}),
        stopped: () => {
          held.assertHeld();
          return stopped?.() === true;
        },
        along,
        onProgress: (now) => onProgress?.(done(now), Math.max(total, done(now))),
      });
      sum.embedded += round.embedded;
      sum.reused += round.reused;
      sum.left = round.left;
      if (round.embedded === 0 || !many || stopped?.()) break;
    }
    if (many) await store.apply([noProgress]);
    return sum;
  } finally {
    await embedder.close();
  }
}

async function openHelped(config: Config, start: StartHelper): ReturnType<typeof openModel> {
  const { idleCores, openHelpers } = await import('./embed-helpers.ts');
  const { minilmBytes } = await import('../embed/minilm-package.ts');
  const settings = config.settings.embeddings;
  const cacheDir = cacheFolder(config);
  // Made once, not by each of them.
  if (settings.model === '') await minilmBytes(cacheDir);
  return openHelpers(start, await idleCores(), { settings, cacheDir });
}

/** The refs of what is left, if that is little. */
async function leftIfFew(store: Store, model: string): Promise<string[] | undefined> {
  const { documents } = await store.list({ filter: { unembedded: model }, limit: FEW + 1 });
  return documents.length > FEW ? undefined : documents.map(({ ref }) => ref);
}

/** That of Cairn's own is known without opening it, which takes longer than indexing a turn. */
export async function modelName(config: Config, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { provider, model } = config.settings.embeddings;
  if (provider === 'none') return undefined;
  if (provider === 'local' && model === '') return (await import('../embed/local-embedder.ts')).MINILM_MODEL;
  const embedder = await openModel(config, env);
  await embedder?.close();
  return embedder?.model;
}
