// Keeps the number of notes below its limit. The rule is narrow: only what Cairn wrote by itself and nobody has touched
// may go, never what somebody pinned, what active work or a recent session links to, what was decided, what is still to be done, or
// the note of a session that has just ended (docs/CAPTURE.md). Whatever goes leaves a copy in the folder of deleted copies and a line in the log.

import fs from 'node:fs';
import path from 'node:path';
import type { Lock } from '../files/lock.ts';
import { inVault, keepDeletedCopy, type Vault } from './edit-note.ts';
import { isGenerated } from './generated-mark.ts';
import { loadNotes, type StoredNote } from './vault.ts';

export type PruneRequest = {
  readonly maxNodes: number;
  readonly strategy: 'least_connected_oldest';
  /** Ids that active memories of other kinds link to. */
  readonly linkedFromOutside?: ReadonlySet<string>;
  /** Sessions (the client's ids) whose end this is about, however old their notes are. */
  readonly ended?: ReadonlySet<string>;
  readonly logFile: string;
  /** `performance.now()` after which no further note is touched. */
  readonly deadline?: number;
};

export type Pruned = {
  readonly removed: readonly { readonly id: string; readonly file: string; readonly copy: string }[];
  /** How many notes there are more than the limit allows, because all others are protected. */
  readonly over: number;
};

const ACTIVE = new Set(['active', 'proposed', 'pending', 'in_progress']);
const OPEN_TASK = new Set(['active', 'pending', 'in_progress']);
/** A task that nobody touched for so long is not being done. */
const OPEN_TASK_DAYS = 30;
/** So long a session counts as recent: its note stays, and what it links to. As long as sessions are active unless told otherwise. */
const RECENT_SESSION_DAYS = 7;
/** What a session made stays for so long whatever else happens: the session may still go on, and its note not be written yet. */
const UNDER_WAY_DAYS = 1;
const DAY_MS = 86_400_000;
/** The lock is let go after so many, so that a writer who waits for it gets it. */
const BATCH = 25;
const MAX_LOG_BYTES = 4 * 1024 * 1024;

/** What pruning looks at. */
export type PruneNode = Pick<StoredNote, 'id' | 'status' | 'updated' | 'pinned' | 'links'> & {
  readonly sessionId?: string | undefined;
  readonly kind: { readonly type: string };
  /** Cairn wrote it, and nobody has changed it. */
  readonly generated: boolean;
};

/** The notes that may be removed, the first to go first: fewest links, then longest without an update, then by id. */
export function pruneOrder<Node extends PruneNode>(
  nodes: readonly Node[],
  now: Date,
  { linkedFromOutside = new Set(), ended = new Set() }: Pick<PruneRequest, 'linkedFromOutside' | 'ended'> = {},
): Node[] {
  const outside = new Set([...linkedFromOutside].map((id) => id.toLowerCase()));
  const recent = (node: PruneNode): boolean => isRecentSession(node, now, ended);
  const connections = connectionsOf(nodes, (node) => ACTIVE.has(node.status) || recent(node));
  return nodes
    .filter((node) => {
      const own = connections.get(node.id.toLowerCase())!;
      return !isProtected(node, now) && !recent(node) && !own.fromProtector && !outside.has(node.id.toLowerCase());
    })
    .map((node) => ({ node, links: connections.get(node.id.toLowerCase())!.neighbours.size, at: timeOf(node) }))
    .sort((a, b) => a.links - b.links || a.at - b.at || (a.node.id < b.node.id ? -1 : 1))
    .map(({ node }) => node);
}

function isProtected(node: PruneNode, now: Date): boolean {
  if (!node.generated || node.pinned || node.kind.type === 'decision') return true;
  if (node.sessionId !== undefined && isWithin(UNDER_WAY_DAYS, node, now)) return true;
  const open = node.kind.type === 'task' && OPEN_TASK.has(node.status);
  return open && isWithin(OPEN_TASK_DAYS, node, now);
}

const isRecentSession = (node: PruneNode, now: Date, ended: ReadonlySet<string>): boolean =>
  node.kind.type === 'session' &&
  ((node.sessionId !== undefined && ended.has(node.sessionId)) || isWithin(RECENT_SESSION_DAYS, node, now));

const isWithin = (days: number, node: PruneNode, now: Date): boolean => now.getTime() - timeOf(node) <= days * DAY_MS;

/** A time that cannot be read counts as now: in doubt a note is kept. */
function timeOf(node: { updated: string }): number {
  const time = Date.parse(node.updated);
  return Number.isFinite(time) ? time : Number.MAX_SAFE_INTEGER;
}

type Connections = { neighbours: Set<string>; fromProtector: boolean };

function connectionsOf(nodes: readonly PruneNode[], protects: (node: PruneNode) => boolean): Map<string, Connections> {
  const all = new Map<string, Connections>(
    nodes.map((node) => [node.id.toLowerCase(), { neighbours: new Set<string>(), fromProtector: false }]),
  );
  for (const node of nodes) {
    const from = node.id.toLowerCase();
    const isProtector = protects(node);
    for (const link of node.links) {
      const to = link.to.toLowerCase();
      const target = all.get(to);
      if (!target || to === from) continue;
      target.neighbours.add(from);
      all.get(from)!.neighbours.add(to);
      if (isProtector) target.fromProtector = true;
    }
  }
  return all;
}

/** Removes as many notes as there are too many, if it may. */
export async function pruneNotes(vault: Vault, request: PruneRequest): Promise<Pruned> {
  if (request.maxNodes <= 0) return { removed: [], over: 0 };
  const { count, mayGo } = lookAt(vault, request);
  const excess = Math.max(0, count - request.maxNodes);
  const victims = mayGo.slice(0, excess);
  const removed: Removed[] = [];
  for (let at = 0; at < victims.length && performance.now() < (request.deadline ?? Infinity); at += BATCH) {
    const batch = victims.slice(at, at + BATCH);
    removed.push(...(await inVault(vault, (lock) => buryAll(vault, lock, { batch, request }))));
  }
  return { removed, over: excess - removed.length };
}

type Removed = Pruned['removed'][number];

function lookAt(vault: Vault, request: PruneRequest): { count: number; mayGo: StoredNote[] } {
  const { notes } = loadNotes(vault.root);
  const nodes = notes.map((note) => ({ ...note, generated: isGenerated(note.frontMatter.toString()) }));
  return { count: notes.length, mayGo: pruneOrder(nodes, vault.now(), request) };
}

/** Looked at again under the lock: somebody may have edited or pinned one since, or a session has ended that links to it. */
function buryAll(
  vault: Vault,
  lock: Lock,
  { batch, request }: { batch: readonly StoredNote[]; request: PruneRequest },
): Removed[] {
  const still = new Set(lookAt(vault, request).mayGo.map(({ file }) => file));
  return batch
    .filter(({ file }) => still.has(file))
    .map((victim) => {
      lock.assertHeld();
      return { id: victim.id, file: victim.file, copy: deleteKeepingCopy(vault, victim, request) };
    });
}

/** First the copy, then the line in the log, then the file: whatever stops this half-way, nothing is gone without a trace. */
function deleteKeepingCopy(vault: Vault, note: StoredNote, request: PruneRequest): string {
  const stamp = vault.now().toISOString();
  const copy = keepDeletedCopy(vault, note);
  const line = { time: stamp, pruned: note.file, id: note.id, updated: note.updated, strategy: request.strategy, copy };
  appendToLog(request.logFile, `${JSON.stringify(line)}\n`);
  fs.unlinkSync(note.file);
  return copy;
}

function appendToLog(file: string, line: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) fs.renameSync(file, `${file}.1`);
  fs.appendFileSync(file, line, { mode: 0o600 });
}
