// The part of the composition root that a prompt waits for: the store as it is, records and notes brought up to date where that is
// quick, vectors only from the table that needs no model. A process before every prompt has no time for more, and must not load
// what the command line may (memory-recall.ts).

import fs from 'node:fs';
import path from 'node:path';
import type { Config } from './config.ts';
import type { Embedder } from './embed/embedder.ts';
import { CairnError } from './errors.ts';
import { realPath } from './files/paths.ts';
import { projectIdentity } from './files/project-identity.ts';
import type { Head } from './indexing/file-state.ts';
import type { FilesPlace } from './indexing/index-files.ts';
import { type FeedbackData, feedbackFactors, readFeedback } from './learning/feedback.ts';
import { Kinds } from './model/kinds.ts';
import type { RecallAnswer } from './recall/answer.ts';
import { recall } from './recall/recall.ts';
import { openSqliteStore } from './store/sqlite/sqlite-store.ts';
import type { Document, Store } from './store/store.ts';

export type PromptOptions = { readonly now: () => Date; problem(cause: unknown): void };

/** A question or a task that nothing in the store answers or settles. */
export type OpenMatter = { readonly ref: string; readonly kind: string; readonly text: string; readonly date: string };

/** More files than this in folders that changed are the background worker's to look at. */
const QUICK_FILES = 1_500;
/** Pasted logs are no question: the beginning and the end of a long prompt say what is asked. */
const [HEAD, TAIL] = [4_000, 2_000];
const LOOKED_AT = 60;
const RECENT_MS = 60 * 86_400_000;
/** Surer than a guess: an aside that ends with a question mark is not an open question. */
const SURE = 0.5;

const storeFile = ({ paths }: Config): string => path.join(paths.userRoot, 'memory.db');

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
    return new PromptMemory(config, await openSqliteStore(storeFile(config)), options);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  /** Conversations belong to the repository, records and notes to the memory root. */
  get scopes(): string[] {
    const { projectRoot, memoryRoot } = this.config.paths;
    return [...new Set([projectIdentity(projectRoot).id, realPath(memoryRoot)])];
  }

  /** Records and notes as they are on disk, where that is quick. False if the store has never seen them. */
  async refresh(): Promise<boolean> {
    const { readHead } = await import('./indexing/file-state.ts');
    const place = await this.#filesPlace();
    const { head } = await readHead(this.#store, place.root);
    if (!(await this.#isQuick(place, head.folders))) return head.complete;
    const { syncFiles } = await import('./indexing/index-files.ts');
    try {
      await syncFiles(this.#store, place, { quick: true });
      return true;
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      this.#options.problem(error);
      return head.complete;
    }
  }

  async #filesPlace(): Promise<FilesPlace> {
    const { readOnlySources } = await import('./indexing/read-only-files.ts');
    const { paths, settings } = this.config;
    const root = realPath(paths.memoryRoot);
    return {
      root,
      project: root,
      kinds: new Kinds(settings.categories),
      projectRoot: paths.projectRoot,
      kept: path.join(paths.userRoot, 'blobs.json'),
      readOnly: readOnlySources({ projectRoot: paths.projectRoot, clientFolder: paths.clientRoot }),
    };
  }

  async #isQuick(place: FilesPlace, seen: Head['folders']): Promise<boolean> {
    const { foldersOf, folderTime, isSettled } = await import('./indexing/look-at-files.ts');
    let files = 0;
    for (const folder of foldersOf(place.kinds)) {
      const mtime = folderTime(place, folder);
      if (mtime === undefined || isSettled(seen[folder.name], mtime, folder)) continue;
      files += fs.readdirSync(path.join(place.root, folder.name)).length;
      if (files > QUICK_FILES) return false;
    }
    return true;
  }

  async ask(prompt: string, limit: number): Promise<RecallAnswer> {
    const { paths } = this.config;
    const { checkFiles } = await import('./indexing/check-files.ts');
    const own = realPath(paths.memoryRoot);
    const embedder = await this.#embedder();
    try {
      return await recall(
        {
          store: this.#store,
          embedder,
          now: this.#options.now().getTime(),
          feedback: feedbackFactors(this.feedback),
          checkFiles: (files, project) => (project === own ? checkFiles(paths.projectRoot, files) : 'unknown'),
        },
        { query: shortened(prompt), projects: this.scopes, limit },
      );
    } finally {
      await embedder?.close();
    }
  }

  /** Only the table that the indexer has made; the model itself would take longer than everything else together. */
  async #embedder(): Promise<Embedder | undefined> {
    const { provider, model } = this.config.settings.embeddings;
    if (provider !== 'local' || model !== '') return undefined;
    const { openStaticEmbedder } = await import('./embed/static-embedder.ts');
    try {
      return openStaticEmbedder(path.join(this.config.paths.userRoot, 'cache'));
    } catch (error) {
      this.#options.problem(error);
      return undefined;
    }
  }

  /** Recent questions that nothing answers and tasks that are not done, the newest first. */
  async openMatters(): Promise<OpenMatter[]> {
    const since = this.#options.now().getTime() - RECENT_MS;
    const { documents } = await this.#store.list({
      filter: { projects: this.scopes, layers: ['trace'], kinds: ['question', 'todo'], statuses: ['active'], since },
      order: 'newest',
      limit: LOOKED_AT,
    });
    const sure = documents.filter((each) => each.confidence >= SURE);
    const settled = await this.#settled(sure);
    return sure
      .filter((each) => !settled.has(`${each.project}\0${each.ref}`))
      .map(({ ref, kind, text, createdAt }) => ({ ref, kind, text, date: new Date(createdAt).toISOString() }));
  }

  async #settled(documents: readonly Document[]): Promise<ReadonlySet<string>> {
    if (documents.length === 0) return new Set();
    const links = await this.#store.links({
      refs: documents.map(({ ref }) => ref),
      projects: this.scopes,
      relations: ['answers', 'supersedes'],
      direction: 'in',
    });
    return new Set(links.map(({ project, to }) => `${project}\0${to}`));
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
