// graph.json on disk: read, brought up to date, written. It is derived from notes and records, so nothing here may fail because of
// it: a damaged, foreign or older file is made anew without a word. Two processes may update it at once: each writes a whole file
// by rename, and a change that one of them overwrote differs from its file's time and size, so the next look finds it.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError, messageOf } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { readBytes } from '../files/json-file.ts';
import { ensureGitignore } from '../files/private-files.ts';
import { applyChanges } from '../graph/apply-changes.ts';
import { FileTable } from '../graph/file-table.ts';
import { Graph } from '../graph/graph.ts';
import { GraphText } from '../graph/graph-text.ts';
import { type Extent, findChanges, type GraphPlace, rereadFile } from './graph-scan.ts';

export type { GraphPlace } from './graph-scan.ts';

export const GRAPH_NAME = 'graph.json';
const MAX_GRAPH_BYTES = 512 * 1024 * 1024;
/** Up to so many nodes every file is looked at before each answer: it takes a few milliseconds, and answers are never stale. */
export const ALWAYS_LOOK_UP_TO = 2_000;
const ATTEMPTS = 3;

/** How far to look for changes, if not as the settings say. */
export type Look = { readonly look?: 'all' | 'folders' };

type Stored = {
  readonly text: GraphText;
  /** The last time that every file was looked at: the time of graph.json itself. */
  readonly checkedAt: number;
  readonly touchedAt: number;
  readonly identity: string;
};

/**
 * The graph, as fresh as the settings want it: within `cache_ttl_seconds` of the last look at all files, a large memory is
 * believed as far as the times of its folders did not move.
 */
export function readGraph(place: GraphPlace, options: Look = {}): Graph {
  if (options.look) return bringUp(place, () => options.look!);
  return bringUp(place, (stored) => {
    const age = Date.now() - stored.checkedAt;
    const believed =
      stored.text.nodeCount > ALWAYS_LOOK_UP_TO && age >= 0 && age < place.rules.cache_ttl_seconds * 1000;
    return believed ? 'folders' : 'all';
  });
}

/**
 * For writers, after they wrote: `files` (absolute, or from the memory root) were made, changed or removed. Without a hint every
 * file is looked at. A hint does nothing while there is no graph, or with `rebuild_on_change` off: the next reader sees to it.
 */
export function updateGraph(place: GraphPlace, hint: { files?: readonly string[] } = {}): void {
  const { files } = hint;
  if (!files) bringUp(place, () => 'all');
  else if (place.rules.rebuild_on_change && files.length > 0 && fs.existsSync(path.join(place.root, GRAPH_NAME)))
    bringUp(place, () => ({ files }));
}

/** Reads every file again, whatever the graph says. */
export function rebuildGraph(place: GraphPlace): Graph {
  return bringUp(place, () => 'nothing');
}

/** Runs a question; if the graph turns out to be damaged, makes it anew and asks once more. */
export function askGraph<T>(place: GraphPlace, question: (graph: Graph) => T, options: Look = {}): T {
  try {
    return question(readGraph(place, options));
  } catch (error) {
    if (!(error instanceof CairnError && error.code === 'INDEX_ERROR')) throw error;
    return question(rebuildGraph(place));
  }
}

function bringUp(place: GraphPlace, extentFor: (stored: Stored) => Extent | 'nothing'): Graph {
  if (!fs.existsSync(place.root)) return emptyGraph();
  for (let attempt = 1; ; attempt++) {
    const stored = load(place);
    const extent = stored ? extentFor(stored) : 'nothing';
    try {
      return update(place, stored, extent, attempt === ATTEMPTS);
    } catch (error) {
      const moved = error instanceof OvertakenError;
      const damaged = error instanceof CairnError && error.code === 'INDEX_ERROR' && extent !== 'nothing';
      if (!moved && !damaged) throw error;
      if (damaged) return update(place, undefined, 'nothing', true);
    }
  }
}

function update(place: GraphPlace, stored: Stored | undefined, extent: Extent | 'nothing', insist: boolean): Graph {
  const startedAt = Date.now();
  const anew = extent === 'nothing' || !stored;
  const { text, checkedAt, touchedAt } = anew ? { text: GraphText.empty(), checkedAt: 0, touchedAt: 0 } : stored;
  const table = new FileTable(text);
  const { changes, listed, noteFolders } = findChanges(
    { place, text, table, checkedAt, touchedAt },
    anew ? 'all' : extent,
  );
  const reread = (file: string) => rereadFile(place, file);
  const nodeCount = changes.size > 0 ? applyChanges(text, table, changes, reread) : text.nodeCount;
  noteFolders();
  table.flush();
  const seenAt = anew || extent === 'all' ? startedAt : checkedAt;
  const changed = text.isChanged('nodes') || text.isChanged('problems');
  if (!anew && !changed && !text.isChanged('files') && !text.isChanged('folders')) {
    if (listed) stamp(place, seenAt);
    return new Graph(text);
  }
  const before = stored?.text.updatedAt ?? '';
  let next = text.withChanges({ nodeCount, updatedAt: changed && !anew ? timeOf(place) : before });
  // A rebuild that finds what was there leaves the time alone.
  if (anew && !(stored && next.bytes.equals(stored.text.bytes)))
    next = text.withChanges({ nodeCount, updatedAt: timeOf(place) });
  const unsaved = save(place, next, insist ? undefined : stored?.identity, seenAt);
  return new Graph(next, unsaved);
}

function load(place: GraphPlace): Stored | undefined {
  const file = path.join(place.root, GRAPH_NAME);
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    const bytes = stat && readBytes(file, MAX_GRAPH_BYTES);
    const text = bytes && GraphText.parse(bytes);
    return text && { text, checkedAt: stat.mtimeMs, touchedAt: stat.ctimeMs, identity: identityOf(stat) };
  } catch (error) {
    if (error instanceof CairnError || isSystemError(error)) return undefined;
    throw error;
  }
}

/** Returns why it could not be saved: whoever may only read can still ask. */
function save(place: GraphPlace, text: GraphText, expected: string | undefined, seenAt: number): string | undefined {
  const file = path.join(place.root, GRAPH_NAME);
  const beforeCommit = (): void => {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (expected !== undefined && stat && identityOf(stat) !== expected) throw new OvertakenError();
  };
  try {
    if (expected === undefined) ensureGitignore(place.root);
    atomicWrite(file, text.bytes, { durable: false, beforeCommit });
    stamp(place, seenAt);
    return undefined;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return messageOf(error);
  }
}

/** The time of graph.json is the time of the last look at all files: saying so costs no rewriting. */
function stamp(place: GraphPlace, seenAt: number): void {
  try {
    fs.utimesSync(path.join(place.root, GRAPH_NAME), new Date(), seenAt / 1000);
  } catch (error) {
    if (!isSystemError(error)) throw error; // then the next reader looks again
  }
}

/** Somebody else wrote graph.json while this process worked on it. */
class OvertakenError extends Error {}

const identityOf = (stat: fs.Stats): string => `${stat.ino}:${stat.mtimeMs}:${stat.size}`;
const timeOf = (place: GraphPlace): string =>
  place
    .now()
    .toISOString()
    .replace(/\.\d{3}Z$/, 'Z');
const emptyGraph = (): Graph => new Graph(GraphText.empty().withChanges({ updatedAt: '', nodeCount: 0 }));
