// When a session ends: its note is written, its tasks are linked to it, and index.md shows it. The client gives all hooks
// together one and a half seconds for this. What may take longer (many notes, a lock that another process holds, archiving,
// pruning, a commit) goes to a worker of its own, which does everything once more: doing it twice changes nothing.

import fs from 'node:fs';
import path from 'node:path';
import { type Desk, deskOf } from '../../desk.ts';
import { CairnError } from '../../errors.ts';
import { commitFiles } from '../../files/git-commit.ts';
import type { JsonObject } from '../../files/json-file.ts';
import { withLock } from '../../files/lock.ts';
import { sha256 } from '../../model/sha256.ts';
import { readJournal } from '../../notes/capture/journal.ts';
import { clientTasks } from '../../notes/client-tasks.ts';
import { askGraph } from '../../notes/graph-file.ts';
import type { SessionFacts } from '../../notes/session-note.ts';
import { type TranscriptFacts, transcriptFacts } from '../../notes/transcript-facts.ts';
import { type HookContext, type HookHandler, SILENT } from './hook.ts';
import { mayTakeNotes } from './may-take-notes.ts';
import { sessionFacts, sessionIdOf } from './session-facts.ts';
import { isUpkeepDue, keepWithinLimits, noteCount, noteSession, showInIndex } from './settle-session.ts';
import { startIndexing } from './start-indexing.ts';

const WORKER_EVENT = 'session-end-worker';

/** The quick part must be over well before the client's limit, also on a slow machine. */
const QUICK_MS = 500;
const QUICK_LOCK = { waitMs: 300 };
/** Making a note looks at all others; with more of them it is no quick part any more. */
const QUICK_NOTES = 1_500;
const WORKER_MS = 60_000;
const WORKER_TRANSCRIPT_BYTES = 128 * 1024 * 1024;
/** Workers of one project take turns; one that waits longer than this leaves the rest to the one at work. */
const WORKER_LOCK = { waitMs: 20_000, staleMs: 2 * WORKER_MS };

type Ending = {
  readonly sessionId: string;
  readonly endedAt: Date;
  readonly transcript: string | undefined;
  /** Files of the memory that the hook changed before the worker came. */
  readonly changed: readonly string[];
};

export const sessionEnd: HookHandler = async (payload, context) => {
  const ending = endingOf(payload, context.now());
  if (!ending) return SILENT;
  const files: string[] = [];
  if (mayTakeNotes(context.config, payload) && (await leavesWork(ending, context, files))) {
    const more = { ended_at: ending.endedAt.toISOString(), changed_files: files };
    await context.start(WORKER_EVENT, { ...payload, ...more });
  }
  await startIndexing({ ...payload, hook_event_name: 'SessionEnd' }, context);
  context.worked?.();
  return SILENT;
};

/** Does what can be done at once, and adds the files that it changed; true if there is more to do. */
async function leavesWork(ending: Ending, context: HookContext, files: string[]): Promise<boolean> {
  const { now } = context;
  const begun = now().getTime();
  const desk = deskOf(context.config, now, QUICK_LOCK);
  try {
    const facts = factsOf(desk, ending, {});
    if (askGraph(desk.place, noteCount) > QUICK_NOTES) return true;
    files.push(...(await noteSession(desk, facts)));
    if (now().getTime() - begun > QUICK_MS) return true;
    files.push(...(await showInIndex(desk, QUICK_LOCK)));
    return (files.length > 0 && desk.settings.auto_commit) || askGraph(desk.place, (graph) => isUpkeepDue(desk, graph));
  } catch (error) {
    if (error instanceof CairnError && error.code === 'LOCK_ERROR') return true; // the worker has time to wait
    throw error;
  }
}

/** The worker: the whole, without hurry, one at a time for each project. */
export const sessionEndWorker: HookHandler = async (payload, context) => {
  const ending = endingOf(payload, context.now());
  if (!ending || !mayTakeNotes(context.config, payload)) return SILENT;
  const deadline = performance.now() + WORKER_MS;
  const desk = deskOf(context.config, context.now);
  await withLock(workerLock(desk), () => settle(desk, ending, deadline, context), WORKER_LOCK);
  context.worked?.();
  return SILENT;
};

async function settle(desk: Desk, ending: Ending, deadline: number, context: HookContext): Promise<void> {
  const facts = factsOf(desk, ending, { maxBytes: WORKER_TRANSCRIPT_BYTES });
  const files = [...ending.changed, ...(await noteSession(desk, facts))];
  if (performance.now() < deadline) files.push(...(await keepWithinLimits(desk, deadline)));
  files.push(...(await showInIndex(desk)));
  if (!desk.settings.auto_commit || files.length === 0) return;
  const warning = await commitFiles(desk.shelf.root, files, 'memory: end of a session');
  if (warning) context.problem(new Error(warning));
}

function workerLock(desk: Desk): string {
  const folder = path.join(desk.paths.userRoot, 'locks');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  return path.join(folder, `${sha256(desk.shelf.root).slice(0, 16)}.${WORKER_EVENT}`);
}

function endingOf(payload: JsonObject, now: Date): Ending | undefined {
  const sessionId = sessionIdOf(payload);
  if (sessionId === undefined) return undefined;
  const said = typeof payload.ended_at === 'string' ? Date.parse(payload.ended_at) : Number.NaN;
  const transcript = typeof payload.transcript_path === 'string' ? payload.transcript_path : undefined;
  const changed = Array.isArray(payload.changed_files) ? payload.changed_files : [];
  return {
    sessionId,
    endedAt: Number.isFinite(said) ? new Date(said) : now,
    transcript,
    changed: changed.filter((file): file is string => typeof file === 'string'),
  };
}

function factsOf(desk: Desk, ending: Ending, limits: { maxBytes?: number }): SessionFacts {
  const transcript: TranscriptFacts = ending.transcript === undefined ? {} : transcriptFacts(ending.transcript, limits);
  const { sessionId, endedAt } = ending;
  const { projectRoot, userRoot } = desk.paths;
  const journal = readJournal(userRoot, projectRoot, sessionId);
  const taskStatus = ending.transcript === undefined ? new Map() : clientTasks(ending.transcript, sessionId);
  const sources = { sessionId, endedAt, transcript, taskStatus, journal };
  return askGraph(desk.place, (graph) => sessionFacts(graph, projectRoot, desk.place.root, sources));
}
