// The part of the composition root that a prompt waits for: the store as it is, records and notes brought up to date where that is
// quick, words alone. A process before every prompt has no time for a model (the server has one), and must not load
// what the command line may (recall-memory.ts).

import fs from 'node:fs';
import path from 'node:path';
import { type Config, isTrusted } from '../config/load.ts';
import type { Embedder } from '../embed/embedder.ts';
import { CairnError } from '../errors.ts';
import { currentBranch } from '../files/git-files.ts';
import { realPath } from '../files/paths.ts';
import { learnOrdinary, oftenSaid } from '../inject/ordinary-words.ts';
import { type FeedbackData, feedbackFactors, readFeedback } from '../learning/feedback.ts';
import type { RecallAnswer } from '../recall/answer.ts';
import { recall } from '../recall/recall.ts';
import { WEIGHTS } from '../recall/weights.ts';
import { SHORT_WAIT_MS } from '../store/sqlite/sqlite-store.ts';
import type { Document, Store } from '../store/store.ts';
import { openStore, storeExists } from './open-store.ts';
import { currentProject } from './project-scopes.ts';

export type PromptOptions = {
  readonly now: () => Date;
  problem(cause: unknown): void;
  /** A model that is open, or nearly so, if there is one: a process of its own has no time for it. */
  readonly model?: (config: Config) => Promise<Embedder | undefined>;
};

/** More files than this in folders that changed are the background worker's to look at. */
const QUICK_FILES = 1_500;
/** The newest exchanges and topics whose prompts say how this user talks. */
const PROMPTS_READ = 300;
const TODOS_READ = 100;

export type Effort = { readonly parts: number; readonly results: number };
/** A process that answers one prompt has little time. */
const EFFORT = { warm: { parts: 6, results: 25 }, cold: { parts: 2, results: 12 } };

export type PartOptions = {
  readonly limit: number;
  /** What was said in conversations of all projects, and no record or note: those of others may be anybody's. */
  readonly everywhere?: boolean;
  isTelling(word: string): boolean;
};

/** Of what was not asked for, what is worth being shown comes first. */
const WARM_WEIGHTS = { ...WEIGHTS, worth: { floor: 0.5 } };

/**
 * A process that answers one prompt runs every line of code for the first time, ten times slower than later: it looks at fewer
 * candidates than a question on the command line does, and the first five are the same nearly always.
 */
const COLD_WEIGHTS = {
  ...WARM_WEIGHTS,
  pool: { ...WEIGHTS.pool, keyword: 60, vector: 60, entity: 20, graph: 12 },
  current: { ...WEIGHTS.current, look: 12 },
  fold: { ...WEIGHTS.fold, look: 16 },
};

/** Whether few enough files are in the folders that changed. */
function isQuick(root: string, changed: ReadonlyMap<string, number | undefined>): boolean {
  let files = 0;
  for (const [name, mtime] of changed) {
    if (mtime !== undefined) files += fs.readdirSync(path.join(root, name)).length;
    if (files > QUICK_FILES) return false;
  }
  return true;
}

export class PromptMemory {
  readonly config: Config;
  readonly feedback: FeedbackData;
  readonly #store: Store;
  readonly #options: PromptOptions;
  #ordinary: ReadonlySet<string> | undefined;

  private constructor(config: Config, store: Store, options: PromptOptions) {
    this.config = config;
    this.#store = store;
    this.#options = options;
    this.feedback = this.#readFeedback();
  }

  /** `undefined` where there is no store yet: making one is not a prompt's work. */
  static async open(config: Config, options: PromptOptions): Promise<PromptMemory | undefined> {
    if (!storeExists(config)) return undefined;
    const store = await openStore(config, { waitMs: SHORT_WAIT_MS, closeSoon: true, forPrompt: true });
    return new PromptMemory(config, store, options);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  /** Conversations belong to the repository, records and notes to the memory root; those of a stranger are left out. */
  get scopes(): string[] {
    const { scopes } = currentProject(this.config);
    return this.#isTrusted ? [...new Set([...scopes, realPath(this.config.paths.memoryRoot)])] : [...scopes];
  }

  get #isTrusted(): boolean {
    return isTrusted(this.config.trust);
  }

  /** Records and notes as they are on disk, where that is quick. False if the store has never seen them. */
  async refresh(): Promise<boolean> {
    if (!this.#isTrusted) return true; // they are not asked for
    const { readHead } = await import('../indexing/files/file-state.ts');
    const { indexedFiles } = await import('./indexed-files.ts');
    const place = indexedFiles(this.config);
    const { head } = await readHead(this.#store, place.root);
    const { foldersToLookAt } = await import('../indexing/files/folder-times.ts');
    const { sourcesChanged } = await import('../indexing/files/read-only-sources.ts');
    const changed = foldersToLookAt(place, head.folders, { all: head.revision === 0 });
    if (changed.size === 0 && head.revision > 0 && !sourcesChanged(place.readOnly ?? [], head.sources)) return true;
    if (!isQuick(place.root, changed)) return head.complete;
    const { syncFiles } = await import('../indexing/files/index-files.ts');
    try {
      await syncFiles(this.#store, place, { quick: true });
      return true;
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      this.#options.problem(error);
      return head.complete;
    }
  }

  /** How many parts of a prompt may be asked, and how many results of each are looked at. */
  get effort(): Effort {
    return this.#options.model ? EFFORT.warm : EFFORT.cold;
  }

  /** Words that stand in many prompts of this user, here: they say nothing about what a prompt is about. */
  async ordinary(): Promise<ReadonlySet<string>> {
    this.#ordinary ??= await this.#learnOrdinary();
    return this.#ordinary;
  }

  async #learnOrdinary(): Promise<ReadonlySet<string>> {
    const said = oftenSaid(await this.#earlierPrompts());
    if (said.length === 0) return new Set();
    const { documents, counts } = await this.#store.counts({ words: said.map(({ word }) => word) });
    const shares = new Map(said.map(({ word }, at) => [word, (counts[at] ?? 0) / Math.max(1, documents)]));
    return learnOrdinary(said, (word) => shares.get(word) ?? 0);
  }

  async #earlierPrompts(): Promise<string[]> {
    const filter = { projects: this.scopes, layers: ['trace'], kinds: ['span'] };
    const { documents } = await this.#store.list({ filter, order: 'newest', limit: PROMPTS_READ });
    return documents.flatMap(({ meta }) => (typeof meta?.asked === 'string' ? [meta.asked] : []));
  }

  /**
   * What was left to do, the newest first; only where the process goes on living, because one before every prompt has no time for it. Whether it is
   * still open takes longer to see, and is looked at for what a prompt names (`isLeftOpen`).
   */
  async leftToDo(): Promise<readonly Document[]> {
    if (!this.#options.model) return [];
    const filter = { projects: this.scopes, layers: ['trace'], kinds: ['todo'], statuses: ['open'] };
    return (await this.#store.list({ filter, order: 'newest', limit: TODOS_READ })).documents;
  }

  async isLeftOpen({ ref }: Document): Promise<boolean> {
    const { toldOpenIn } = await import('./open-items.ts');
    const { settledIfReadable } = await import('./settled-items.ts');
    const options = { now: this.#options.now(), settled: settledIfReadable(this.config) };
    return (await toldOpenIn(this.#store, this.scopes, options)).some((each) => each.ref === ref);
  }

  /** One part of a prompt. */
  async ask(part: string, { limit, isTelling, everywhere = false }: PartOptions): Promise<RecallAnswer> {
    const { paths } = this.config;
    const { checkFiles } = await import('../indexing/files/check-related-files.ts');
    const own = realPath(paths.memoryRoot);
    const embedder = await this.#options.model?.(this.config);
    return recall(
      {
        store: this.#store,
        ...(embedder ? { embedder } : {}),
        now: this.#options.now().getTime(),
        feedback: feedbackFactors(this.feedback),
        weights: this.#options.model ? WARM_WEIGHTS : COLD_WEIGHTS,
        checkFiles: (files, project) => (project === own ? checkFiles(paths.projectRoot, files) : 'unknown'),
        branch: currentBranch(paths.projectRoot),
        tags: async () => (await import('../files/git-tags.ts')).gitTags(paths.projectRoot),
      },
      {
        query: part,
        narrow: false,
        ...(everywhere ? {} : { projects: this.scopes }),
        limit,
        unasked: { isTelling },
        ...(this.#isTrusted && !everywhere ? {} : { layers: ['trace'] }),
      },
    );
  }

  #readFeedback(): FeedbackData {
    try {
      return readFeedback(this.config.paths.userRoot);
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      this.#options.problem(error);
      return { memories: new Map(), judged: new Map() };
    }
  }
}
