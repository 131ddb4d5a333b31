// Gathers what a session did, when it ends: from its journal, from the transcript, and from what changed in the memory
// since it began.

import path from 'node:path';
import type { JournalEntry } from '../../capture/journal.ts';
import { isSystemError } from '../../errors.ts';
import { isInside, realPath, toPosix } from '../../files/paths.ts';
import type { Graph } from '../../graph/graph.ts';
import { type GraphNode, nameOf, timeOf } from '../../graph/graph-node.ts';
import type { JsonObject } from '../../model/json.ts';
import { fileNoteId, withDigest } from '../../notes/note-id.ts';
import type { Mentioned, SessionFacts, SessionStory } from '../../notes/session-note.ts';
import type { TranscriptFacts } from '../../transcripts/facts.ts';

type EditedFile = { readonly path: string; readonly edits: number };

export type SessionSources = {
  readonly sessionId: string;
  readonly endedAt: Date;
  readonly transcript: TranscriptFacts;
  readonly story?: SessionStory | undefined;
  /** The last status of tasks by their titles, where the client tells. */
  readonly taskStatus: ReadonlyMap<string, string>;
  readonly journal: readonly JournalEntry[];
};

/** Where nothing tells when the session began, what it says of itself is looked for this far back. */
const UNKNOWN_START_MS = 24 * 3_600_000;
/** Notes tell the time in whole seconds. */
const CLOCK_STEP_MS = 1_000;

/** The id of the session that a payload is about; `undefined` if it names none. */
export function sessionIdOf(payload: JsonObject): string | undefined {
  const id = payload.session_id;
  return typeof id === 'string' && id !== '' && id.length <= 200 ? id : undefined;
}

export function sessionFacts(
  graph: Graph,
  projectRoot: string,
  memoryRoot: string,
  sources: SessionSources,
): SessionFacts {
  const { sessionId, endedAt, transcript, journal } = sources;
  const startedAt = earliest([transcript.startedAt?.getTime(), Date.parse(journal[0]?.time ?? '')]);
  const found = changedSince(graph, startedAt ?? new Date(endedAt.getTime() - UNKNOWN_START_MS));
  const touched = new Set(
    journal.flatMap((entry) => (entry.kind === 'note' || entry.kind === 'task' ? entry.note : [])),
  );
  const ofThis: Fits = (key, node) => node.session === sessionId || touched.has(key);
  /** Made in this time, and not by another session; without a time, only what names the session counts. */
  const madeHere: Fits = (key, node) =>
    ofThis(key, node) || (node.session === undefined && startedAt !== undefined && madeSince(node, startedAt));
  const pick = (type: string, fits: Fits): (Mentioned & { status: string })[] =>
    found
      .filter(([key, node]) => node.type === type && fits(key, node))
      .sort(([a, one], [b, other]) => compareText(one.created, other.created) || compareText(a, b))
      .map(([key, { title, status }]) => ({ id: nameOf(key), title, status }));
  const decided: Fits = (key, node) => node.status !== 'retired' && node.status !== 'archived' && madeHere(key, node);
  return {
    sessionId,
    startedAt: startedAt ?? endedAt,
    endedAt,
    messageCount: transcript.messageCount,
    story: sources.story,
    tasks: pick('task', ofThis).map((task) => ({ ...task, status: sources.taskStatus.get(task.title) ?? task.status })),
    decisions: pick('decision', decided),
    discoveries: pick('discovery', madeHere),
    errors: pick('error', madeHere),
    files: filesOf(graph, [...editsOf(journal), ...(transcript.edited ?? [])], projectRoot, memoryRoot),
  };
}

type Fits = (key: string, node: GraphNode) => boolean;

function earliest(times: readonly (number | undefined)[]): Date | undefined {
  const known = times.filter((time) => time !== undefined && Number.isFinite(time)) as number[];
  return known.length === 0 ? undefined : new Date(Math.min(...known));
}

function editsOf(journal: readonly JournalEntry[]): EditedFile[] {
  const counts = new Map<string, number>();
  for (const entry of journal) {
    if (entry.kind === 'edit') counts.set(entry.path, (counts.get(entry.path) ?? 0) + (entry.count ?? 1));
  }
  return [...counts].map(([file, edits]) => ({ path: file, edits }));
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function changedSince(graph: Graph, since: Date): [key: string, node: GraphNode][] {
  const found: [string, GraphNode][] = [];
  for (const key of graph.recent) {
    const node = graph.node(key);
    if (!node) continue;
    if (timeOf(node) < since.getTime() - CLOCK_STEP_MS) break;
    found.push([key, node]);
  }
  return found;
}

function madeSince(node: GraphNode, since: Date): boolean {
  const made = Date.parse(node.created);
  return Number.isFinite(made) && made >= since.getTime() - CLOCK_STEP_MS;
}

/**
 * Paths from the project; what lies in the memory itself was not the work. The journal and the transcript tell of the same
 * edits, and each may have missed some.
 */
function filesOf(
  graph: Graph,
  edited: readonly EditedFile[],
  projectRoot: string,
  memoryRoot: string,
): SessionFacts['files'] {
  const project = realOrNamed(projectRoot);
  const counts = new Map<string, number>();
  for (const { path: file, edits } of edited) {
    const real = realOrNamed(path.resolve(projectRoot, file));
    if (isInside(memoryRoot, real)) continue;
    const name = isInside(project, real) ? toPosix(path.relative(project, real)) : toPosix(real);
    counts.set(name, Math.max(counts.get(name) ?? 0, edits));
  }
  return [...counts].map(([name, edits]) => ({ path: name, edits, note: summaryOf(graph, name) }));
}

/** The note about a file, if there is one; two paths that make the same id are told apart by a digest. */
function summaryOf(graph: Graph, name: string): string | undefined {
  const id = fileNoteId(name);
  return [id, withDigest(id, name)].find((each) => {
    const node = graph.node(each);
    return node?.type === 'file-summary' && (node.file === undefined || node.file.replace(/^(?:\.?\/)+/, '') === name);
  });
}

/** A loop of links, or a folder that we may not look into: the name will do. */
function realOrNamed(file: string): string {
  try {
    return realPath(file);
  } catch (error) {
    if (isSystemError(error)) return file;
    throw error;
  }
}
