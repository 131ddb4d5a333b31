// The session before this one, as its note tells it; where there is no note, a summary that was saved as a record.

import path from 'node:path';
import { isInside, realPath } from '../files/paths.ts';
import type { Graph } from '../graph/graph.ts';
import { type GraphNode, timeOf } from '../graph/graph-node.ts';
import { isOwnSummary, SUMMARY_CATEGORY } from '../model/own-summary.ts';
import { newestKeys } from './front-page.ts';
import { linksOf } from './links.ts';
import { sectionOf } from './note.ts';
import { loadNote } from './vault.ts';

export type LastSession = {
  readonly date: string;
  /** The session's id, where its note says it. */
  readonly session?: string | undefined;
  readonly summary: string;
  readonly lastCommit?: string | undefined;
  /** What was changed in it, with what is known of the file. */
  readonly files: readonly { readonly path: string; readonly gist: string; readonly modified: true }[];
};

const NOTE_PATH = /^nodes\/sessions\/([\w.-]+)\.md$/;
const FILE_LINE = /^- (.+?) \(\d+ edits?\)$/;
const MAX_LOOKED_AT = 10;

/** `own` is the session that asks: what it did itself, it knows. */
export function lastSession(memoryRoot: string, graph: Graph, own: string): LastSession | undefined {
  const note = newestOf(graph, 'session', (node) => node.session !== own && node.status !== 'superseded');
  // What Cairn summed up itself, the note says better.
  const record = newestOf(
    graph,
    SUMMARY_CATEGORY,
    ({ status, tags }) => status === 'active' && !isOwnSummary(SUMMARY_CATEGORY, tags),
  );
  if (record && (!note || timeOf(record) > timeOf(note))) {
    const summary = record.gist === '' ? record.title : `${record.title} - ${record.gist}`;
    return { date: record.updated, summary, files: [] };
  }
  return note && { date: note.updated || note.created, session: note.session, ...toldBy(memoryRoot, graph, note) };
}

function newestOf(graph: Graph, type: string, fits: (node: GraphNode) => boolean): GraphNode | undefined {
  for (const key of newestKeys(graph, type).slice(0, MAX_LOOKED_AT)) {
    const node = graph.node(key);
    if (node && fits(node)) return node;
  }
  return undefined;
}

/** The note says more than the graph: all of its summary, and the files. */
function toldBy(memoryRoot: string, graph: Graph, node: GraphNode): Omit<LastSession, 'date' | 'session'> {
  const body = bodyAt(memoryRoot, node.path);
  const commits = ((body && sectionOf(body, 'Commits')) ?? '').split('\n').filter((line) => line.startsWith('- '));
  const lines = (body === undefined ? '' : (sectionOf(body, 'Files Modified') ?? '')).split('\n');
  return {
    lastCommit: commits.at(-1)?.slice(2),
    summary: ((body && sectionOf(body, 'Summary')) ?? node.gist).replaceAll('\n', ' '),
    files: lines.flatMap((line) => fileOf(graph, line) ?? []),
  };
}

/** The path comes from a cache that may have been planted: it must name a note of this vault, and lead nowhere else. */
function bodyAt(memoryRoot: string, relativePath: string): string | undefined {
  const name = NOTE_PATH.exec(relativePath)?.[1];
  const file = path.join(memoryRoot, relativePath);
  if (name === undefined || !isInside(realPath(memoryRoot), realPath(file))) return undefined;
  return loadNote({ file, relativePath, folder: 'sessions', name, mtimeMs: 0, size: 0 }, [])?.body;
}

/** `- [[file-src-auth-ts|src/auth.ts]] (3 edits)` or `- src/auth.ts (1 edit)` */
function fileOf(graph: Graph, line: string): LastSession['files'][number] | undefined {
  const named = FILE_LINE.exec(line)?.[1];
  if (named === undefined) return undefined;
  const link = linksOf(named)[0];
  const gist = (link && graph.node(link.to)?.gist) ?? '';
  return { path: link ? (link.text ?? link.to) : named, gist, modified: true };
}
