// The steps at the end of a session, each of which can be done again without harm: write its note, bring the notes back
// below their limits, show the result in index.md.

import fs from 'node:fs';
import path from 'node:path';
import type { LockOptions } from '../../files/lock.ts';
import { ensureGitignore } from '../../files/memory-gitignore.ts';
import type { Graph } from '../../graph/graph.ts';
import { isRecordKey } from '../../graph/graph-node.ts';
import { askGraph, updateGraph } from '../../indexing/graph/graph-file.ts';
import { NOTE_TYPES } from '../../model/notes.ts';
import { archiveSessions, isOldSession } from '../../notes/archive-sessions.ts';
import { sectionsOfGraph } from '../../notes/front-page.ts';
import { pruneNotes } from '../../notes/prune.ts';
import { type SessionFacts, writeSessionNote } from '../../notes/session-note.ts';
import { refreshIndex } from '../../records/index-upkeep.ts';
import { indexFile } from '../../records/record-store.ts';
import type { Project } from '../project.ts';

/** Writes the note of the session; returns the files that changed. */
export async function noteSession(project: Project, facts: SessionFacts): Promise<string[]> {
  const written = await writeSessionNote(project.vault, facts);
  if (!written?.changed) return [];
  ensureGitignore(project.vault.root, project.settings.capture);
  updateGraph(project.place, { files: written.files });
  return [...written.files];
}

/** Brings the sections of index.md up to date; returns it if it changed. */
export async function showInIndex(project: Project, lock: LockOptions = {}): Promise<string[]> {
  if (!fs.existsSync(project.recordStore.root)) return [];
  const drawn = askGraph(project.place, (graph) => sectionsOfGraph(graph, project.settings.capture));
  return (await refreshIndex(project.recordStore, drawn, lock)) ? [indexFile(project.recordStore)] : [];
}

/** How many notes there are. */
export function noteCount(graph: Graph): number {
  return NOTE_TYPES.reduce((sum, type) => sum + graph.ofType(type).filter((key) => !isRecordKey(key)).length, 0);
}

/** True if there is a session to archive or a note too many. */
export function isUpkeepDue(project: Project, graph: Graph): boolean {
  const { max_nodes, session_archive_days } = project.settings.retention;
  if (max_nodes > 0 && noteCount(graph) > max_nodes) return true;
  const old = (key: string): boolean => {
    const node = graph.node(key);
    return node !== undefined && isOldSession(node, session_archive_days, project.vault.now());
  };
  return session_archive_days > 0 && graph.ofType('session').some(old);
}

/** Archives old sessions and prunes what is over the limit, never the note of one that ended just now; returns the files that changed. */
export async function keepWithinLimits(
  project: Project,
  { deadline, ended }: { deadline: number; ended: ReadonlySet<string> },
): Promise<string[]> {
  const { max_nodes, session_archive_days, prune_strategy } = project.settings.retention;
  const archived = await archiveSessions(project.vault, session_archive_days, ended);
  const { removed } = await pruneNotes(project.vault, {
    maxNodes: max_nodes,
    strategy: prune_strategy,
    linkedFromOutside: askGraph(project.place, linkedFromRecords),
    ended,
    logFile: path.join(project.paths.userRoot, 'log', 'prune.log'),
    deadline,
  });
  const files = [...archived, ...removed.map(({ file }) => file)];
  if (files.length > 0) updateGraph(project.place, { files });
  return files;
}

function linkedFromRecords(graph: Graph): Set<string> {
  const linked = new Set<string>();
  for (const [key, node] of graph.nodes()) {
    if (isRecordKey(key) && node.status === 'active') for (const to of node.links_to) linked.add(to);
  }
  return linked;
}
