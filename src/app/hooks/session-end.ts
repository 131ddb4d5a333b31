// When a session ends: its note is written, its tasks are linked to it, and index.md shows it. The client gives all hooks
// together one and a half seconds for this. What may take longer (many notes, a lock that another process holds, archiving,
// pruning, a commit) goes to a worker of its own, which does everything once more: doing it twice changes nothing. What neither could
// do is noted (pending-endings.ts) and done when the next session of the project begins or ends.

import fs from 'node:fs';
import path from 'node:path';
import { readJournal } from '../../capture/journal.ts';
import { CairnError, isSystemError } from '../../errors.ts';
import { readForgotten } from '../../files/forgotten.ts';
import { commitFiles } from '../../files/git-commit.ts';
import { withLock } from '../../files/lock.ts';
import { forCommitting } from '../../files/memory-gitignore.ts';
import { askGraph, updateGraph } from '../../indexing/graph/graph-file.ts';
import { sessionRows } from '../../indexing/transcripts/session-rows.ts';
import { contentHash } from '../../model/hash.ts';
import type { JsonObject } from '../../model/json.ts';
import type { SessionFacts, SessionStory } from '../../notes/session-note.ts';
import { clientTasks } from '../../transcripts/claude-code/client-tasks.ts';
import { type TranscriptFacts, transcriptFacts } from '../../transcripts/facts.ts';
import { lineFilter } from '../../transcripts/forgotten-lines.ts';
import { openProject, type Project } from '../project.ts';
import { storyOf } from '../session-story.ts';
import { isUpkeepDue, keepWithinLimits, noteCount, noteSession, showInIndex } from './finish-session.ts';
import { type HookContext, type HookHandler, SILENT } from './hook.ts';
import { mayCapture } from './may-capture.ts';
import {
  countAttempt,
  dropHopeless,
  dueEndings,
  notedEnding,
  noteEnding,
  type PendingEnding,
  settleEnding,
} from './pending-endings.ts';
import { isRefused, saveSummary, wantsSummary } from './save-summary.ts';
import { sessionFacts, sessionIdOf } from './session-facts.ts';
import { SESSION_END_WORKER } from './start-endings.ts';
import { startIndexing } from './start-indexing.ts';

/** The quick part must be over well before the client's limit, also on a slow machine. */
const QUICK_MS = 500;
const QUICK_LOCK = { waitMs: 300 };
/** Making a note looks at all others; with more of them it is no quick part any more. */
const QUICK_NOTES = 1_500;
/** What was said in a longer transcript is left to the worker. */
const QUICK_STORY_BYTES = 100_000;
const WORKER_MS = 60_000;
const WORKER_TRANSCRIPT_BYTES = 128 * 1024 * 1024;
/** Workers of one project take turns; one that waits longer than this leaves the rest to the one at work. */
const WORKER_LOCK = { waitMs: 20_000, staleMs: 2 * WORKER_MS };

type Ending = {
  readonly sessionId: string;
  readonly endedAt: Date;
  readonly transcript: string | undefined;
  /** Where the project lay then: its journal, and the files that it names, go by that. */
  readonly project: string;
  /** Files of the memory that the hook changed before the worker came. */
  readonly changed: readonly string[];
};

export const sessionEnd: HookHandler = async (payload, context) => {
  const ending = endingOf(payload, context.config.paths.projectRoot, context.now());
  if (!ending) return SILENT;
  if (mayCapture(context.config, payload)) await end(ending, payload, context);
  await startIndexing({ ...payload, hook_event_name: 'SessionEnd' }, context);
  context.worked?.();
  return SILENT;
};

/** Noted first: whatever stops this hook or its worker, the next session finds what is left to do. */
async function end(ending: Ending, payload: JsonObject, context: HookContext): Promise<void> {
  const { userRoot, projectRoot } = context.config.paths;
  const told = { ...payload, ended_at: ending.endedAt.toISOString() };
  const files: string[] = [];
  noteEnding(userRoot, projectRoot, told);
  const isLeft = await leavesWork(ending, context, files);
  if (!isLeft) settleEnding(userRoot, pendingOf(told, projectRoot));
  if (isLeft || dueEndings(userRoot, projectRoot, context.now()).length > 0)
    await context.start(SESSION_END_WORKER, { ...told, changed_files: files });
}

const pendingOf = (payload: JsonObject, project: string): PendingEnding => ({
  ...{ project, payload, attempts: 0, since: String(payload.ended_at) },
});

/** Does what can be done at once, and adds the files that it changed; true if there is more to do. */
async function leavesWork(ending: Ending, context: HookContext, files: string[]): Promise<boolean> {
  const { now } = context;
  const begun = now().getTime();
  const openedProject = openProject(context.config, now, QUICK_LOCK);
  try {
    if (isLarge(ending.transcript) || askGraph(openedProject.place, noteCount) > QUICK_NOTES) return true;
    const facts = await factsOf(openedProject, ending, { storyBytes: QUICK_STORY_BYTES });
    files.push(...(await noteSession(openedProject, facts)));
    if (now().getTime() - begun > QUICK_MS) return true;
    files.push(...(await showInIndex(openedProject, QUICK_LOCK)));
    return (
      // A record of it looks at all others.
      wantsSummary(openedProject, facts) ||
      (files.length > 0 && openedProject.settings.auto_commit) ||
      askGraph(openedProject.place, (graph) => isUpkeepDue(openedProject, graph))
    );
  } catch (error) {
    if (error instanceof CairnError && error.code === 'LOCK_ERROR') return true; // the worker has time to wait
    throw error;
  }
}

/** The worker: the whole, without hurry, one at a time for each project. It also does what earlier ones left. */
export const sessionEndWorker: HookHandler = async (payload, context) => {
  const { userRoot, projectRoot } = context.config.paths;
  const ending = endingOf(payload, projectRoot, context.now());
  if (!ending) return SILENT;
  const deadline = performance.now() + WORKER_MS;
  const openedProject = openProject(context.config, context.now);
  const told = { ...payload, ended_at: ending.endedAt.toISOString() };
  const own = pendingOf(told, notedEnding(userRoot, told)?.project ?? projectRoot);
  if (!mayCapture(context.config, payload)) {
    settleEnding(openedProject.paths.userRoot, own);
    return SILENT;
  }
  try {
    await withLock(workerLock(openedProject), () => settleAll(openedProject, own, { deadline, context }), WORKER_LOCK);
    context.worked?.();
  } catch (error) {
    // Another worker of this project is at work: what is noted is done by it, or by the next.
    if (!(error instanceof CairnError && error.code === 'LOCK_ERROR')) throw error;
  }
  return SILENT;
};

type Run = { readonly deadline: number; readonly context: HookContext };

/** Until nothing is left that was not tried in this run: a session may end while another's end is worked on. */
async function settleAll(openedProject: Project, own: PendingEnding, run: Run): Promise<void> {
  const { userRoot, projectRoot } = openedProject.paths;
  const { context, deadline } = run;
  const tried = new Set<string>();
  const keyOf = ({ payload }: PendingEnding): string => `${payload.session_id} ${payload.ended_at}`;
  for (let batch = [own, ...dueEndings(userRoot, projectRoot, context.now())]; ; ) {
    const fresh = batch.filter((each) => !tried.has(keyOf(each)) && tried.add(keyOf(each)));
    if (fresh.length === 0) break;
    await settleTogether(openedProject, fresh, run);
    if (performance.now() > deadline) break;
    batch = dueEndings(userRoot, projectRoot, context.now());
  }
  for (const { payload, since } of dropHopeless(userRoot, context.now()))
    context.problem(new Error(`the end of session ${payload.session_id}, ${since}, was never done and is given up`));
}

/** Each gets its note; what comes after is the same for all. What fails stays noted. */
async function settleTogether(openedProject: Project, endings: readonly PendingEnding[], run: Run): Promise<void> {
  const { userRoot } = openedProject.paths;
  const { context } = run;
  const files: string[] = [];
  const done: PendingEnding[] = [];
  const attempt = async (these: readonly PendingEnding[], work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      for (const each of these) countAttempt(userRoot, each, context.now());
      // Locked out it is done later; that is no failure yet, and doctor tells if it stays so.
      if (!(error instanceof CairnError && error.code === 'LOCK_ERROR')) context.problem(error);
      return false;
    }
  };
  for (const each of endings) {
    const ending = endingOf(each.payload, each.project, context.now());
    if (!ending || !mayCapture(context.config, each.payload)) {
      settleEnding(userRoot, each);
      continue;
    }
    const note = async (): Promise<void> => {
      const limits = { maxBytes: WORKER_TRANSCRIPT_BYTES, storyBytes: WORKER_TRANSCRIPT_BYTES };
      const facts = await factsOf(openedProject, ending, limits);
      files.push(...ending.changed, ...(await noteSession(openedProject, facts)));
      files.push(...(await summarise(openedProject, facts, context)));
    };
    if (await attempt([each], note)) done.push(each);
    if (performance.now() > run.deadline) break;
  }
  const isWhole =
    done.length > 0 &&
    (await attempt(done, () => tidyAfter(openedProject, files, { ...run, ended: sessionsOf(done) })));
  if (isWhole) for (const each of done) settleEnding(userRoot, each);
}

/** The note is there already: a record that is refused does not call for another try. */
async function summarise(openedProject: Project, facts: SessionFacts, context: HookContext): Promise<string[]> {
  try {
    const files = await saveSummary(openedProject, facts);
    if (files.length > 0) updateGraph(openedProject.place, { files });
    return files;
  } catch (error) {
    if (error instanceof CairnError && error.code === 'LOCK_ERROR') throw error;
    if (!isRefused(error)) context.problem(error);
    return [];
  }
}

const sessionsOf = (endings: readonly PendingEnding[]): Set<string> =>
  new Set(endings.map(({ payload }) => String(payload.session_id)));

async function tidyAfter(
  openedProject: Project,
  files: string[],
  { deadline, context, ended }: Run & { ended: ReadonlySet<string> },
): Promise<void> {
  if (performance.now() < deadline) files.push(...(await keepWithinLimits(openedProject, { deadline, ended })));
  files.push(...(await showInIndex(openedProject)));
  if (!openedProject.settings.auto_commit || files.length === 0) return;
  const wanted = forCommitting(openedProject.recordStore.root, files, openedProject.settings.capture);
  const warning = await commitFiles(openedProject.recordStore.root, wanted, 'memory: end of a session');
  if (warning) context.problem(new Error(warning));
}

function workerLock(openedProject: Project): string {
  const folder = path.join(openedProject.paths.userRoot, 'locks');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  return path.join(folder, `${contentHash(openedProject.recordStore.root).slice(0, 16)}.${SESSION_END_WORKER}`);
}

function endingOf(payload: JsonObject, project: string, now: Date): Ending | undefined {
  const sessionId = sessionIdOf(payload);
  if (sessionId === undefined) return undefined;
  const said = typeof payload.ended_at === 'string' ? Date.parse(payload.ended_at) : Number.NaN;
  const transcript = typeof payload.transcript_path === 'string' ? payload.transcript_path : undefined;
  const changed = Array.isArray(payload.changed_files) ? payload.changed_files : [];
  return {
    sessionId,
    endedAt: Number.isFinite(said) ? new Date(said) : now,
    transcript,
    project,
    changed: changed.filter((file): file is string => typeof file === 'string'),
  };
}

type ReadLimits = { readonly maxBytes?: number; readonly storyBytes: number };

async function factsOf(openedProject: Project, ending: Ending, limits: ReadLimits): Promise<SessionFacts> {
  const { sessionId, endedAt, project, transcript: file } = ending;
  const transcript: TranscriptFacts = file === undefined ? {} : transcriptFacts(file, limits);
  const journal = readJournal(openedProject.paths.userRoot, project, sessionId);
  const taskStatus = file === undefined ? new Map() : clientTasks(file, sessionId);
  const story = file === undefined ? undefined : await storyIn(openedProject, file, { sessionId, limits });
  const sources = { sessionId, endedAt, transcript, story, taskStatus, journal };
  return askGraph(openedProject.place, (graph) => sessionFacts(graph, project, openedProject.place.root, sources));
}

/** What was said, read from the transcript itself: its last exchange is not in the store yet. */
async function storyIn(
  { paths }: Project,
  file: string,
  { sessionId, limits }: { sessionId: string; limits: ReadLimits },
): Promise<SessionStory | undefined> {
  const filter = lineFilter(readForgotten(paths.userRoot));
  try {
    const rows = await sessionRows(file, { session: sessionId, maxBytes: limits.storyBytes, filter });
    return rows && storyOf(rows);
  } catch (error) {
    if (isSystemError(error)) return undefined; // not ours to read, or a name that is no file name: the note does without it
    throw error;
  }
}

const isLarge = (file: string | undefined): boolean => {
  try {
    return file !== undefined && fs.statSync(file).size > QUICK_STORY_BYTES;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
};
