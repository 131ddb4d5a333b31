// Gathers what a session did, when it ends: from its journal, from the transcript, and from what changed in the memory
// since it began.

import path from 'node:path';
import { isSystemError } from '../../errors.ts';
import type { JsonObject } from '../../files/json-file.ts';
import { isInside, realPath, toPosix } from '../../files/paths.ts';
import type { Graph } from '../../graph/graph.ts';
import { type GraphNode, nameOf, timeOf } from '../../graph/graph-node.ts';
import { fileNoteId } from '../../notes/note-id.ts';
import type { Mentioned, SessionFacts } from '../../notes/session-note.ts';
import type { TranscriptFacts } from '../../notes/transcript-facts.ts';

export type EditedFile = { readonly path: string; readonly edits: number };

export type SessionSources = {
  readonly sessionId: string;
  readonly endedAt: Date;
  readonly transcript: TranscriptFacts;
  /** The last status of tasks by their titles, where the client tells. */
  readonly taskStatus: ReadonlyMap<string, string>;
  /** Absolute paths, in the order of first writing. */
  readonly edited: readonly EditedFile[];
  /** When the journal begins, if there is one. */
  readonly journalFrom: Date | undefined;
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
  const { sessionId, endedAt, transcript, journalFrom } = sources;
  const known = [transcript.startedAt, journalFrom].filter((date) => date !== undefined);
  const startedAt = known.length === 0 ? undefined : new Date(Math.min(...known.map((date) => date.getTime())));
  const found = changedSince(graph, startedAt ?? new Date(endedAt.getTime() - UNKNOWN_START_MS));
  const ofThis = (node: GraphNode): boolean => node.session === sessionId;
  /** Made in this time, and not by another session; without a time, only what names the session counts. */
  const madeHere = (node: GraphNode): boolean =>
    ofThis(node) || (node.session === undefined && startedAt !== undefined && madeSince(node, startedAt));
  const pick = (type: string, fits: (node: GraphNode) => boolean): (Mentioned & { status: string })[] =>
    found
      .filter(([, node]) => node.type === type && fits(node))
      .sort(([a, one], [b, other]) => compareText(one.created, other.created) || compareText(a, b))
      .map(([key, { title, status }]) => ({ id: nameOf(key), title, status }));
  const decided = (node: GraphNode): boolean => node.status !== 'retired' && node.status !== 'archived';
  return {
    sessionId,
    startedAt: startedAt ?? endedAt,
    endedAt,
    messageCount: transcript.messageCount,
    firstPrompt: transcript.firstPrompt,
    tasks: pick('task', ofThis).map((task) => ({ ...task, status: sources.taskStatus.get(task.title) ?? task.status })),
    decisions: pick('decision', (node) => decided(node) && madeHere(node)),
    discoveries: pick('discovery', madeHere),
    errors: pick('error', madeHere),
    files: filesOf(graph, sources.edited, projectRoot, memoryRoot),
  };
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

/** Paths from the project; what lies in the memory itself was not the work. */
function filesOf(
  graph: Graph,
  edited: readonly EditedFile[],
  projectRoot: string,
  memoryRoot: string,
): SessionFacts['files'] {
  const project = realOrNamed(projectRoot);
  return edited.flatMap(({ path: file, edits }) => {
    const real = realOrNamed(path.resolve(projectRoot, file));
    if (isInside(memoryRoot, real)) return [];
    const name = isInside(project, real) ? toPosix(path.relative(project, real)) : toPosix(real);
    const note = fileNoteId(name);
    return [{ path: name, edits, note: graph.node(note)?.type === 'file-summary' ? note : undefined }];
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
