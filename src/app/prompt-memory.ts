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
import { type FeedbackData, feedbackFactors, readFeedback } from '../learning/feedback.ts';
import type { RecallAnswer } from '../recall/answer.ts';
import { recall } from '../recall/recall.ts';
import { WEIGHTS } from '../recall/weights.ts';
import { openSqliteStore, SHORT_WAIT_MS } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { currentProject } from './project-scopes.ts';
import { storeFile } from './user-files.ts';

export type PromptOptions = {
  readonly now: () => Date;
  problem(cause: unknown): void;
  /** A model that is open already, if there is one: a process of its own has no time for it. */
  readonly model?: (config: Config) => Embedder | undefined;
};

/** More files than this in folders that changed are the background worker's to look at. */
const QUICK_FILES = 1_500;
/** Pasted logs are no question: the beginning and the end of a long prompt say what is asked. */
const [HEAD, TAIL] = [4_000, 2_000];

/**
 * A process that answers one prompt runs every line of code for the first time, ten times slower than later: it looks at fewer
 * candidates than a question on the command line does, and the first five are the same nearly always.
 */
const COLD_WEIGHTS = {
  ...WEIGHTS,
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

  private constructor(config: Config, store: Store, options: PromptOptions) {
    this.config = config;
    this.#store = store;
    this.#options = options;
    this.feedback = this.#readFeedback();
  }

  /** `undefined` where there is no store yet: making one is not a prompt's work. */
  static async open(config: Config, options: PromptOptions): Promise<PromptMemory | undefined> {
    if (!fs.existsSync(storeFile(config))) return undefined;
    const store = await openSqliteStore(storeFile(config), { waitMs: SHORT_WAIT_MS, closeSoon: true });
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

  async ask(prompt: string, limit: number): Promise<RecallAnswer> {
    const { paths } = this.config;
    const { checkFiles } = await import('../indexing/files/check-related-files.ts');
    const own = realPath(paths.memoryRoot);
    const embedder = this.#options.model?.(this.config);
    return recall(
      {
        store: this.#store,
        ...(embedder ? { embedder } : {}),
        now: this.#options.now().getTime(),
        feedback: feedbackFactors(this.feedback),
        weights: this.#options.model ? WEIGHTS : COLD_WEIGHTS,
        checkFiles: (files, project) => (project === own ? checkFiles(paths.projectRoot, files) : 'unknown'),
        branch: currentBranch(paths.projectRoot),
        tags: async () => (await import('../files/git-tags.ts')).gitTags(paths.projectRoot),
      },
      { query: shortened(prompt), projects: this.scopes, limit, ...(this.#isTrusted ? {} : { layers: ['trace'] }) },
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

function shortened(prompt: string): string {
  return prompt.length <= HEAD + TAIL ? prompt : `${prompt.slice(0, HEAD)}\n${prompt.slice(-TAIL)}`;
}
