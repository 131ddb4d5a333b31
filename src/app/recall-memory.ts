// The part of the composition root that answers questions: opens the store, brings records and notes up to date, loads the
// model only where there are vectors to compare with, and knows which scopes a directory stands for.

import path from 'node:path';
import { type Config, type ConfigOptions, isTrusted, loadConfig } from '../config/load.ts';
import type { Embedder } from '../embed/embedder.ts';
import { CairnError, messageOf } from '../errors.ts';
import { currentBranch } from '../files/git-files.ts';
import { MAX_JSON_BYTES, readText } from '../files/json-file.ts';
import { realPath } from '../files/paths.ts';
import { projectFacts } from '../files/project-identity.ts';
import { projectAt, unique } from '../files/project-registry.ts';
import { feedbackFactors, readFeedback } from '../learning/feedback.ts';
import type { RecallAnswer as Found, RecallResult as FoundResult, RecallQuery } from '../recall/answer.ts';
import { type RecallDeps, recall } from '../recall/recall.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { trustOfRoot } from '../trust/trust.ts';
import { takeOverOlder } from './older-store.ts';
import { currentScopes, settleProject } from './project-scopes.ts';
import { ledgerFile, storeFile } from './user-files.ts';

export type { RecallQuery } from '../recall/answer.ts';

/** `untrusted`: it comes from a project whose memory the user has not agreed to (`cairn trust`). */
export type RecallResult = FoundResult & { readonly untrusted?: true };
export type RecallAnswer = Omit<Found, 'results'> & { readonly results: readonly RecallResult[] };

export type RecallOptions = ConfigOptions & {
  readonly now?: () => Date;
  /** A model that is open already; opened here if absent. */
  readonly model?: (config: Config) => Promise<Embedder | undefined>;
};

/** A query as a face knows it: scopes by directory instead of by name. */
export type Question = Omit<RecallQuery, 'projects'> & {
  /** A directory; the one that the memory was opened for if absent. */
  readonly directory?: string;
  readonly allProjects?: boolean;
  /** Exact scopes, where they are known; they win over a directory. */
  readonly scopes?: readonly string[];
};

/** A file of many questions, one on each line. */
export function readQueries(file: string): string {
  const text = readText(file, MAX_JSON_BYTES);
  if (text !== undefined) return text;
  throw new CairnError('NOT_FOUND', `There is no file ${file}.`, { fix: 'Name a file with one query on each line.' });
}

const HYDE_TOKENS = 220;
const HYDE_SYSTEM =
  'Write the two or three sentences that a note about past work on a software project would contain if it answered the question. State it as a fact, in plain words. No introduction.';

export class RecallMemory {
  readonly config: Config;
  readonly store: Store;
  /** What could not be used, in words for the user; the answers are made without it. */
  readonly problems: string[] = [];
  /** Files of the memory that could not be read at the last refresh, and so are searched as they were before, or not at all. */
  unreadable: readonly { readonly path: string; readonly message: string }[] = [];
  readonly #now: () => Date;
  readonly #env: NodeJS.ProcessEnv;
  readonly #openModel: (config: Config) => Promise<Embedder | undefined>;
  #embedder: Promise<Embedder | undefined> | undefined;

  private constructor(config: Config, store: Store, { env = {}, now, model }: RecallOptions) {
    this.config = config;
    this.store = store;
    this.#env = env;
    this.#now = now ?? (() => new Date());
    this.#openModel = model ?? (async () => (await import('./embedding-model.ts')).openModel(config, env));
  }

  static async open(options: RecallOptions = {}): Promise<RecallMemory> {
    const loaded = loadConfig(options);
    const store = await openSqliteStore(storeFile(loaded));
    const problem = await takeOverOlder(store);
    await settleProject(loaded, store, options.now?.() ?? new Date());
    const config = isTrusted(loaded.trust) ? loaded : loadConfig(options); // trust may have followed
    const memory = new RecallMemory(config, store, options);
    if (problem !== undefined) memory.problems.push(problem);
    return memory;
  }

  /** Records and notes as they are on disk now. A store that somebody else is writing to answers as it is. */
  async refresh(): Promise<void> {
    const [{ syncFiles }, { indexedFiles }] = await Promise.all([
      import('../indexing/files/index-files.ts'),
      import('./indexed-files.ts'),
    ]);
    try {
      this.unreadable = (await syncFiles(this.store, indexedFiles(this.config))).problems;
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      this.problems.push(`Records and notes may be out of date: ${error.message}`);
    }
  }

  async ask(question: Question): Promise<RecallAnswer> {
    const { directory, allProjects, scopes, ...rest } = question;
    if (rest.hyde && this.config.settings.llm.provider === 'none')
      throw new CairnError('CONFIG_ERROR', '--hyde needs a language model, and none is chosen.', {
        fix: 'Choose one: cairn config set llm.provider claude',
      });
    const projects = scopes ?? (allProjects ? undefined : this.scopesOf(directory));
    const deps = await this.#deps();
    if (rest.hyde && !deps.embedder)
      this.problems.push('Searched without a made-up answer: there are no vectors to compare it with.');
    const answer = await recall(deps, { ...rest, ...(projects ? { projects } : {}) });
    return { ...answer, results: this.#withOrigin(answer.results) };
  }

  /** Whoever asks may see everything; but what a stranger wrote says so. */
  #withOrigin(results: readonly FoundResult[]): RecallResult[] {
    const { paths, settings, trust } = this.config;
    const known = new Map([[trust.key.root, isTrusted(trust)]]);
    const isSafe = (root: string): boolean => {
      if (!known.has(root)) known.set(root, isTrusted(trustOfRoot(paths.userRoot, root, settings.trust)));
      return known.get(root)!;
    };
    return results.map((result) =>
      result.layer === 'trace' || result.kind === 'auto-memory' || isSafe(result.project)
        ? result
        : { ...result, untrusted: true },
    );
  }

  /** A directory's conversations belong to its repository, its records and notes to its memory root. */
  scopesOf(directory?: string): string[] {
    const own = currentScopes(this.config);
    if (directory === undefined) return own;
    const { id, scopes, memories } = projectAt(this.config.paths.userRoot, directory);
    if (own.includes(id)) return unique([...own, directory]);
    const { place } = projectFacts(directory);
    return unique([...scopes, directory, ...memories, realPath(path.join(place, '.claude', 'memory'))]);
  }

  async close(): Promise<void> {
    await (await this.#embedder)?.close();
    await this.store.close();
  }

  async #deps(): Promise<RecallDeps> {
    const { projectRoot, memoryRoot } = this.config.paths;
    const { checkFiles } = await import('../indexing/files/check-related-files.ts');
    const own = realPath(memoryRoot);
    this.#embedder ??= this.#openEmbedder();
    return {
      store: this.store,
      embedder: await this.#embedder,
      feedback: this.#feedback(),
      now: this.#now().getTime(),
      // Only of this project do we know where its files are.
      checkFiles: (files, project) => (project === own ? checkFiles(projectRoot, files) : 'unknown'),
      branch: currentBranch(projectRoot),
      tags: async () => (await import('../files/git-tags.ts')).gitTags(projectRoot),
      hypothesise: (query) => this.#hypothesise(query),
    };
  }

  /** Read for each question: the running server lives long, and people change their minds. */
  #feedback(): RecallDeps['feedback'] {
    try {
      return feedbackFactors(readFeedback(this.config.paths.userRoot));
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      this.problems.push(`What was learned about memories does not count: ${error.message}`);
      return undefined;
    }
  }

  async #openEmbedder(): Promise<Embedder | undefined> {
    const { embeddings } = this.config.settings;
    if (embeddings.provider === 'none' || !(await this.#hasVectors())) return undefined;
    try {
      return await this.#openModel(this.config);
    } catch (error) {
      this.problems.push(`Searched by words alone: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Loading the model takes longer than everything else; without vectors it would be for nothing. */
  async #hasVectors(): Promise<boolean> {
    return (await this.store.stats()).vectors.some(({ count }) => count > 0);
  }

  async #hypothesise(query: string): Promise<string | undefined> {
    const { openLlm } = await import('../llm/open-llm.ts');
    try {
      const options = { env: this.#env, ledgerFile: ledgerFile(this.config), now: this.#now };
      const llm = await openLlm(this.config.settings.llm, options);
      return (await llm?.complete({ system: HYDE_SYSTEM, prompt: query.slice(0, 4_000), maxTokens: HYDE_TOKENS }))
        ?.text;
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      this.problems.push(`Searched without a made-up answer: ${error.message}`);
      return undefined;
    }
  }
}
