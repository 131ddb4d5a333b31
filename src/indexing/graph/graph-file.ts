// graph.json on disk: read, brought up to date, written. It is derived from notes and records, so nothing here may fail because of
// it: a damaged, foreign or older file is made anew without a word. Two processes may update it at once: each writes a whole file
// by rename, and a change that one of them overwrote differs from its file's time and size, so the next look finds it.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError, messageOf } from '../../errors.ts';
import { atomicWrite } from '../../files/atomic-write.ts';
import { ensureGitignore } from '../../files/memory-gitignore.ts';
import { applyChanges } from '../../graph/apply-changes.ts';
import { FileTable } from '../../graph/file-table.ts';
import { Graph } from '../../graph/graph.ts';
import { type ByteSource, damagedGraph } from '../../graph/graph-part.ts';
import { GraphText } from '../../graph/graph-text.ts';
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
  return bringUp(place, wish(place, options));
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

/**
 * Runs a question on a graph of which only the needed lines are read, and which is closed afterwards. If it turns out to be
 * damaged, it is made anew and asked once more.
 */
export function askGraph<T>(place: GraphPlace, question: (graph: Graph) => T, options: Look = {}): T {
  const open: number[] = [];
  try {
    return question(bringUp(place, wish(place, options), open));
  } catch (error) {
    if (!isDamage(error)) throw error;
    return question(rebuildGraph(place));
  } finally {
    for (const descriptor of open) fs.closeSync(descriptor);
  }
}

type Wish = (stored: Stored) => Extent | 'nothing';

/** How far to look, from what is stored. */
function wish(place: GraphPlace, { look }: Look): Wish {
  return ({ text, checkedAt }) => {
    const age = Date.now() - checkedAt;
    const isYoung = age >= 0 && age < place.rules.cache_ttl_seconds * 1000;
    return look ?? (text.nodeCount > ALWAYS_LOOK_UP_TO && isYoung ? 'folders' : 'all');
  };
}

/** With `open`, files stay open in it and only what is needed of them is read. */
function bringUp(place: GraphPlace, extentFor: Wish, open?: number[]): Graph {
  if (!fs.existsSync(place.root)) return emptyGraph();
  for (let attempt = 1; ; attempt++) {
    const stored = load(place, open);
    const extent = stored ? extentFor(stored) : 'nothing';
    try {
      return update(place, stored, extent, attempt === ATTEMPTS);
    } catch (error) {
      if (isDamage(error) && extent !== 'nothing') return update(place, undefined, 'nothing', true);
      if (!(error instanceof OvertakenError)) throw error;
    }
  }
}

const isDamage = (error: unknown): boolean => error instanceof CairnError && error.code === 'INDEX_ERROR';

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

function load(place: GraphPlace, open: number[] | undefined): Stored | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(path.join(place.root, GRAPH_NAME), fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    open?.push(descriptor);
    const stat = fs.fstatSync(descriptor);
    if (!stat.isFile() || stat.size > MAX_GRAPH_BYTES) return undefined;
    const source = fileSource(descriptor, stat.size);
    // Whoever keeps the graph asks it later, when nothing can be made anew: after a crash there may be zeros in it.
    if (!open && source.read(0, stat.size).includes(0)) return undefined;
    const text = GraphText.parse(source);
    return text && { text, checkedAt: stat.mtimeMs, touchedAt: stat.ctimeMs, identity: identityOf(stat) };
  } catch (error) {
    if (isDamage(error) || isSystemError(error)) return undefined;
    throw error;
  } finally {
    if (descriptor !== undefined && !open) fs.closeSync(descriptor);
  }
}

/** Whoever reads all of it needs the file no more. */
function fileSource(descriptor: number, length: number): ByteSource {
  let whole: Buffer | undefined;
  const read = (start: number, end: number): Buffer => {
    if (whole) return whole.subarray(start, end);
    const bytes = Buffer.allocUnsafe(Math.max(0, end - start));
    if (fs.readSync(descriptor, bytes, 0, bytes.length, start) !== bytes.length) throw damagedGraph();
    if (bytes.length === length) whole = bytes;
    return bytes;
  };
  return { length, read };
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
    atomicWrite(file, text.pieces, { durable: false, beforeCommit });
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
