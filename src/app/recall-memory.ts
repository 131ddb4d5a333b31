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
import { exchangeFields } from '../model/span-fields.ts';
import type { RecallAnswer as Found, RecallResult as FoundResult, RecallQuery } from '../recall/answer.ts';
import { type RecallDeps, recall } from '../recall/recall.ts';
import type { Store } from '../store/store.ts';
import { trustOfRoot } from '../trust/trust.ts';
import type { BlameAnswer, BlameQuery } from './blame.ts';
import { takeOverOlder } from './older-store.ts';
import { openStore } from './open-store.ts';
import type { Overview, OverviewQuery } from './overview.ts';
import { currentScopes, settleProject } from './project-scopes.ts';
import { NOTHING_SETTLED, type Settled, settledItems } from './settled-items.ts';
import { ledgerFile } from './user-files.ts';

export type { RecallQuery } from '../recall/answer.ts';
export type { BlameQuery } from './blame.ts';
export type { Overview } from './overview.ts';

/** `untrusted`: it comes from a project whose memory the user has not agreed to (`cairn trust`). */
export type RecallResult = FoundResult & {
  readonly untrusted?: true;
  readonly commit?: FoundCommit;
  /** How often the same was said elsewhere too: in other lines, which this result stands for. */
  readonly again?: number;
};

/** Of a commit of the repository's own log; `exchange` is then the one that it comes from. */
export type FoundCommit = {
  readonly hash: string;
  readonly author: string;
  readonly files: readonly string[];
  /** How it is known which exchange that is; null where it is not. */
  readonly tie: { readonly how: string; readonly certainty: string } | null;
};
export type RecallAnswer = Omit<Found, 'results'> & {
  readonly results: readonly RecallResult[];
  /** Where the question asks for one. */
  readonly overview?: Overview;
};

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

/** Scopes by directory, as in a question. */
export type AskedOverview = Omit<OverviewQuery, 'projects' | 'now'> &
  Pick<Question, 'directory' | 'allProjects' | 'scopes'>;

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
    const store = await openStore(loaded);
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
    const found = this.#withOrigin(await this.#withDisputes(await this.#withAgain(this.#withSettled(answer.results))));
    const results = await this.#withCommits(found);
    const overview = await this.#overviewFor(question, answer);
    return { ...answer, ...(overview ? { overview } : {}), results };
  }

  /** Commits lead to their conversation. */
  async #withCommits(results: readonly RecallResult[]): Promise<readonly RecallResult[]> {
    const refs = results.flatMap(({ layer, ref }) => (layer === 'commit' ? [ref] : []));
    if (refs.length === 0) return results;
    const [{ tiesOf }, { commitOf }] = await Promise.all([
      import('./commit-ties.ts'),
      import('../indexing/commits/commit-rows.ts'),
    ]);
    const documents = await this.store.get({ refs });
    const scopes = unique([...documents.map(({ project }) => project), ...this.scopesOf()]);
    const ties = await tiesOf(this.store, documents, scopes);
    return results.map((result) => {
      const document = documents.find(({ ref, project }) => ref === result.ref && project === result.project);
      const commit = document && commitOf(document);
      if (!commit) return result;
      const tie = ties.get(result.ref);
      const { asked = '', outcome = '' } = exchangeFields(tie?.exchange.meta) ?? {};
      return {
        ...result,
        session: tie?.exchange.session ?? null,
        exchange: tie ? { ref: tie.exchange.ref, asked, outcome } : null,
        commit: {
          hash: commit.hash,
          author: commit.author,
          files: commit.files,
          tie: tie ? { how: tie.how, certainty: tie.certainty } : null,
        },
      };
    });
  }

  /** Of a question that asks for nothing but an overview; one that is limited to a layer, a kind or a conversation is a search. */
  async #overviewFor(question: Question, { analysis }: Found): Promise<Overview | undefined> {
    const { layers, intents, session, includeArchived: _, ...rest } = question;
    if (!analysis.overview || layers || intents || session !== undefined || rest.narrow === false) return undefined;
    const { kind, since, until } = analysis.overview;
    return this.overview({
      kind,
      ...(since === null ? {} : { since: Date.parse(since) }),
      ...(until === null ? {} : { until: Date.parse(until) }),
      ...(rest.scopes ? { scopes: rest.scopes } : {}),
      ...(rest.directory === undefined ? {} : { directory: rest.directory }),
      ...(rest.allProjects ? { allProjects: true } : {}),
    });
  }

  /** Of what a result stands for, what stands in the same line is part of it; the rest was said again. */
  async #withAgain(results: readonly FoundResult[]): Promise<readonly RecallResult[]> {
    const folded = results.flatMap((result) => result.folded ?? []);
    if (folded.length === 0) return results;
    const projects = [...new Set(results.map(({ project }) => project))];
    const documents = await this.store.get({ refs: [...new Set(folded)], projects });
    const placeOf = new Map(documents.map((each) => [`${each.project}\0${each.ref}`, lineOf(each)]));
    return results.map((result) => {
      const own = lineOf(result);
      const others = (result.folded ?? []).map((ref) => placeOf.get(`${result.project}\0${ref}`) ?? own);
      const again = new Set(others.filter((line) => line !== own)).size;
      return again === 0 ? result : { ...result, again };
    });
  }

  /** Where two of the results contradict each other and nobody has settled it, both say so. */
  async #withDisputes(results: readonly RecallResult[]): Promise<readonly RecallResult[]> {
    if (!results.some(({ layer }) => layer !== 'trace')) return results;
    const { disputesAmong } = await import('./disputes.ts');
    const disputes = await disputesAmong(this.store, this.config, results);
    return disputes.size === 0
      ? results
      : results.map((result) => {
          const own = disputes.get(`${result.project}\0${result.ref}`) ?? [];
          const more = own.filter(({ ref }) => !result.chain.some((link) => link.ref === ref));
          return more.length === 0 ? result : { ...result, chain: [...more, ...result.chain] };
        });
  }

  /** What was done in a time, what is open, or both. */
  async overview(asked: AskedOverview): Promise<Overview> {
    const { directory, allProjects, scopes, ...rest } = asked;
    const projects = scopes ?? (allProjects ? undefined : this.scopesOf(directory));
    const { overviewOf } = await import('./overview.ts');
    return overviewOf(this.store, { ...rest, projects, now: this.#now(), settled: this.settled() });
  }

  /** What was settled by hand; read for each question, like what was learned. */
  settled(): Settled {
    try {
      return settledItems(this.config);
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      this.problems.push(`What was settled by hand is told as open: ${error.message}`);
      return NOTHING_SETTLED;
    }
  }

  /** When it is. */
  get now(): Date {
    return this.#now();
  }

  /** What is open in the store, and done or dropped by hand, says so. */
  #withSettled(results: readonly FoundResult[]): readonly FoundResult[] {
    if (!results.some(({ status }) => status === 'open')) return results;
    const settled = this.settled();
    return results.map((result) => {
      if (result.status !== 'open') return result;
      const state = settled.of({ ...result, createdAt: Date.parse(result.created_at) })?.state;
      return state === undefined ? result : { ...result, status: state };
    });
  }

  /** Where a file or its lines come from; the file counts from this directory. */
  async blame(query: BlameQuery, cwd: string): Promise<BlameAnswer> {
    const { blame } = await import('./blame.ts');
    return blame({ store: this.store, cwd, scopesOf: (directory) => this.scopesOf(directory) }, query);
  }

  /** Whoever asks may see everything; but what a stranger wrote says so. */
  #withOrigin(results: readonly RecallResult[]): RecallResult[] {
    const { paths, settings, trust } = this.config;
    const known = new Map([[trust.key.root, isTrusted(trust)]]);
    const isSafe = (root: string): boolean => {
      const isBelieved = known.get(root) ?? isTrusted(trustOfRoot(paths.userRoot, root, settings.trust));
      known.set(root, isBelieved);
      return isBelieved;
    };
    const own = new Set(currentScopes(this.config));
    return results.map((result) =>
      result.layer === 'trace' ||
      result.kind === 'auto-memory' ||
      // A log belongs to its repository: what that is believed, it is.
      (result.layer === 'commit' && (isTrusted(trust) || !own.has(result.project))) ||
      isSafe(result.project)
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

  /** The model, if there is one and vectors to compare with; opened once. */
  embedder(): Promise<Embedder | undefined> {
    this.#embedder ??= this.#openEmbedder();
    return this.#embedder;
  }

  async close(): Promise<void> {
    await (await this.#embedder)?.close();
    await this.store.close();
  }

  async #deps(): Promise<RecallDeps> {
    const { projectRoot, memoryRoot } = this.config.paths;
    const { checkFiles } = await import('../indexing/files/check-related-files.ts');
    const own = realPath(memoryRoot);
    return {
      store: this.store,
      embedder: await this.embedder(),
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

const lineOf = ({ source, ref }: Pick<FoundResult, 'ref'> & { source?: FoundResult['source'] }): string =>
  source?.line === undefined ? ref : `${source.file}:${source.line}`;
