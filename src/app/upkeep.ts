// What is done in the background once conversations are indexed: records and notes join the store, documents get their vectors,
// and where the user has chosen a model, finished topics are refined. Each step may fail without the others; nothing of it is
// needed for anything to work.

import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/load.ts';
import { CairnError, messageOf } from '../errors.ts';
import { exclusionOf } from '../files/excluded.ts';
import { commitsName, readForgotten } from '../files/forgotten.ts';
import { type CommitsReport, commitSources, type SyncCommits, syncCommits } from '../indexing/commits/sync-commits.ts';
import { type FilesReport, syncFiles } from '../indexing/files/index-files.ts';
import { moveScope } from '../indexing/transcripts/move-scope.ts';
import type { RefineReport } from '../refine/refine-spans.ts';
import { indexedFiles } from './indexed-files.ts';
import { type MakeVectors, makeVectors, type VectorsReport } from './make-vectors.ts';
import { forgetMovedMemories, ownOlderScopes, sameScopesIn } from './project-scopes.ts';
import type { TraceMemory } from './trace-memory.ts';
import { ledgerFile } from './user-files.ts';

export type UpkeepOptions = Pick<MakeVectors, 'startHelper' | 'inBackground' | 'waits'> & {
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => Date;
  readonly stopped?: () => boolean;
  readonly onProgress?: (done: number, total: number, what: string) => void;
  /** False leaves vectors for later. */
  readonly embed?: boolean;
};

export type UpkeepReport = {
  files: FilesReport | undefined;
  /** Of the repository's own log. */
  commits: CommitsReport | undefined;
  vectors: VectorsReport | undefined;
  refined: RefineReport | undefined;
  /** What could not be done, in words for the user. */
  problems: string[];
};

const refinementsFolder = ({ paths }: Config): string => path.join(paths.userRoot, 'refinements');

export async function upkeep(memory: TraceMemory, options: UpkeepOptions): Promise<UpkeepReport> {
  const report: UpkeepReport = {
    files: undefined,
    commits: undefined,
    vectors: undefined,
    refined: undefined,
    problems: [],
  };
  const step = async (what: string, work: () => Promise<void>): Promise<void> => {
    if (options.stopped?.()) return;
    try {
      await work();
    } catch (error) {
      const fix = error instanceof CairnError && error.fix ? ` ${error.fix}` : '';
      report.problems.push(`${what}: ${messageOf(error)}${fix}`);
    }
  };
  await step('Conversations under older names of the project were not brought together', async () => {
    await moveScope(memory.store, ownOlderScopes(memory.config), options.stopped);
    await forgetMovedMemories(memory.config, memory.store);
  });
  await step('What is to be forgotten is not gone yet', () => letGo(memory, options));
  await step('Records and notes were not indexed', async () => {
    report.files = await syncFiles(memory.store, indexedFiles(memory.config));
  });
  await step("The repository's own log was not indexed", async () => {
    report.commits = await commits(memory, options);
  });
  await step('Topics were not refined', async () => {
    report.refined = await refine(memory, options);
  });
  if (options.embed !== false)
    await step('Vectors were not made', async () => {
      report.vectors = await makeVectors(memory, vectorOptions(options));
    });
  return report;
}

const DAY_MS = 86_400_000;
/** In one go: the rest goes with the next. */
const MOST_FORGOTTEN = 50;

/** What an interrupted request left, and conversations that are over their age. */
async function letGo({ config }: TraceMemory, { now }: UpkeepOptions): Promise<void> {
  const { paths, settings } = config;
  const days = settings.retention.conversation_days;
  // Most have neither: then nothing of this is even loaded.
  if (days === 0 && readForgotten(paths.userRoot).unfinished.length === 0) return;
  const { finishForgetting, forget, planForget } = await import('./forget.ts');
  await finishForgetting(config, now);
  if (days === 0) return;
  if (!isDue(path.join(paths.userRoot, 'log', 'retention.checked'), now())) return;
  const before = now().getTime() - days * DAY_MS;
  const retention = { most: MOST_FORGOTTEN };
  const plan = await planForget(config, { what: 'before', before, allProjects: true, retention }, { now });
  if (plan.goes.length > 0) await forget(config, plan, { now, why: 'age' });
}

/** Once a day is enough: it looks at every conversation. */
function isDue(mark: string, now: Date): boolean {
  const last = fs.statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (now.getTime() - last < DAY_MS) return false;
  fs.mkdirSync(path.dirname(mark), { recursive: true, mode: 0o700 });
  fs.writeFileSync(mark, '', { mode: 0o600 });
  fs.utimesSync(mark, now, now);
  return true;
}

/** Of this project; and of those whose rows were cleared to be made anew. */
async function commits(memory: TraceMemory, { now, stopped }: UpkeepOptions): Promise<CommitsReport> {
  const { config, store, project } = memory;
  const { traces, retention } = config.settings;
  const days = retention.conversation_days;
  const limits = days === 0 ? {} : { since: now().getTime() - days * DAY_MS };
  const excluded = exclusionOf(traces.exclude, config.paths.home);
  const wanted = (of: { project: string; directory: string }): SyncCommits => {
    const isOut = excluded?.({ cwd: of.directory }) || memory.forgotten.holdsSession(commitsName(of.project));
    return { ...of, ...limits, most: isOut ? 0 : traces.commits };
  };
  const own = { project: project.id, directory: config.paths.projectRoot };
  const report = await syncCommits(store, { ...wanted(own), older: project.scopes });
  for (const { isCleared, ...other } of await commitSources(store))
    if (isCleared && other.project !== project.id && !stopped?.()) await syncCommits(store, wanted(other));
  return report;
}

function vectorOptions({ onProgress, ...options }: UpkeepOptions): MakeVectors {
  return { ...options, ...(onProgress ? { onProgress: (done, total) => onProgress(done, total, 'vectors') } : {}) };
}

/** With a model, new topics; without one, at least the answers that were paid for earlier. */
async function refine(memory: TraceMemory, options: UpkeepOptions): Promise<RefineReport | undefined> {
  const { config, store } = memory;
  const { env, now, stopped, onProgress } = options;
  const isWithout = config.settings.llm.provider === 'none';
  // Most have no model and never had one: then nothing of this is even loaded.
  if (isWithout && !fs.existsSync(refinementsFolder(config))) return undefined;
  const [{ applyRefinements, refineSpans }, { spanLines }] = await Promise.all([
    import('../refine/refine-spans.ts'),
    import('../indexing/transcripts/span-lines.ts'),
  ]);
  const common = {
    linesOf: spanLines(memory.archive, memory.lineFilter),
    same: sameScopesIn(config),
    ...(stopped ? { stopped } : {}),
  };
  await applyRefinements(store, refinementsFolder(config), common);
  if (isWithout) return undefined;
  const { openLlm } = await import('../llm/open-llm.ts');
  const llm = await openLlm(config.settings.llm, { env, ledgerFile: ledgerFile(config), now });
  if (!llm) return undefined;
  return refineSpans(store, llm, {
    ...common,
    refinementsDir: refinementsFolder(config),
    project: memory.project.id,
    now,
    onProgress: (done, all) => onProgress?.(done, all, 'topics'),
  });
}
