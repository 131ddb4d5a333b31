// The notes that stand in front: what index.md shows above its entries, and what a session is told at its start. They are
// chosen from a few facts about each note, which the graph has at hand, so that no note must be read for it.

import type { Graph } from '../graph/graph.ts';
import { isRecordKey } from '../graph/graph-node.ts';

/** What the choice needs to know of a note. */
export type NoteFacts = {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly updated: string;
  readonly title: string;
  readonly gist: string;
  /** The file that a file summary is about. */
  readonly file?: string | undefined;
  readonly session?: string | undefined;
};

export type FrontPage<Facts extends NoteFacts = NoteFacts> = {
  /** The latest first, archived ones too. */
  readonly sessions: readonly Facts[];
  /** Begun ones first. */
  readonly tasks: readonly Facts[];
  readonly decisions: readonly Facts[];
  readonly files: readonly Facts[];
};

/** How many notes of each kind index.md shows; a person takes in no more at a glance. */
const MAX = { sessions: 5, tasks: 10, decisions: 10, files: 8 };
const OPEN_TASK = ['in_progress', 'active', 'pending'];

export function frontPage<Facts extends NoteFacts>(notes: Iterable<Facts>): FrontPage<Facts> {
  const sessions: Facts[] = [];
  const tasks: Facts[] = [];
  const decisions: Facts[] = [];
  const files: Facts[] = [];
  for (const note of notes) {
    if (note.type === 'session' && note.status !== 'superseded') sessions.push(note);
    else if (note.type === 'task' && OPEN_TASK.includes(note.status)) tasks.push(note);
    else if (note.type === 'decision' && note.status === 'active') decisions.push(note);
    else if (note.type === 'file-summary' && note.status === 'active') files.push(note);
  }
  const begun = (note: Facts): number => (note.status === 'in_progress' ? 0 : 1);
  return {
    sessions: sessions.sort(latestFirst).slice(0, MAX.sessions),
    tasks: tasks.sort((a, b) => begun(a) - begun(b) || latestFirst(a, b)).slice(0, MAX.tasks),
    decisions: decisions.sort(latestFirst).slice(0, MAX.decisions),
    files: files.sort(latestFirst).slice(0, MAX.files),
  };
}

/** How many of each type are looked at, the newest first: each costs time, and what is older hardly matters. */
const LOOKED_AT: { readonly [type: string]: number } = { session: 10, task: 150, decision: 50, 'file-summary': 20 };

/** The newest notes of a graph, of the types that a page shows. */
export function* newestNotes(graph: Graph): Generator<NoteFacts> {
  const typeOf = new Map<string, string>();
  for (const type of Object.keys(LOOKED_AT)) {
    for (const key of graph.ofType(type)) if (!isRecordKey(key)) typeOf.set(key, type);
  }
  const seen = new Map<string, number>();
  for (const id of graph.recent) {
    const type = typeOf.get(id);
    if (type === undefined) continue;
    const count = (seen.get(type) ?? 0) + 1;
    seen.set(type, count);
    const node = count > LOOKED_AT[type]! ? undefined : graph.node(id);
    if (node) yield { ...node, id };
  }
}

/** The keys of one type, the newest first: notes and records alike. */
export function newestKeys(graph: Graph, type: string): string[] {
  const keys = new Set(graph.ofType(type));
  return graph.recent.filter((key) => keys.has(key));
}

/** What the sections of index.md say of the notes of this graph. index.md is committed: of sessions that are not, it says the day alone. */
export const sectionsOfGraph = (
  graph: Graph,
  { commit_sessions: isShared }: { commit_sessions: boolean } = { commit_sessions: false },
): { [section: string]: Line[] } => {
  const page = frontPage(newestNotes(graph));
  const dayAlone = (note: NoteFacts): NoteFacts => ({ ...note, gist: '', title: note.updated.slice(0, 10) });
  return drawSections(isShared ? page : { ...page, sessions: page.sessions.map(dayAlone) });
};

/** Equal stores give equal pages: where times are equal, or say nothing, the id decides. */
function latestFirst(a: NoteFacts, b: NoteFacts): number {
  return (Date.parse(b.updated) || 0) - (Date.parse(a.updated) || 0) || (a.id < b.id ? -1 : 1);
}

type Line = { id: string; text: string; task?: boolean };

/** What the sections of index.md say of these notes. */
export function drawSections({ sessions, tasks, decisions, files }: FrontPage): { [section: string]: Line[] } {
  return {
    'Active Decisions': decisions.map(({ id, title }) => ({ id, text: title })),
    'Recent Sessions': sessions.map(({ id, gist, title }) => ({ id, text: gist || title })),
    'Key Files': files.map(({ id, gist, file, title }) => ({ id, text: gist || file || title })),
    'Active Tasks': tasks.map(({ id, title }) => ({ id, text: title, task: true })),
  };
}
