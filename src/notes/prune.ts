// Keeps the number of notes below its limit. The rule is narrow: only what Cairn wrote by itself and nobody has touched
// may go, never what somebody pinned, what active work links to, what was decided, or what is still to be done. Whatever
// goes leaves a copy in the graveyard and a line in the log.

import fs from 'node:fs';
import path from 'node:path';
import { readText } from '../files/json-file.ts';
import { copyToGraveyard, inVault, type Vault } from './edit-note.ts';
import { isGenerated } from './generated-mark.ts';
import { loadNotes, MAX_NOTE_BYTES, type StoredNote } from './vault.ts';

export type PruneRequest = {
  readonly maxNodes: number;
  readonly strategy: 'least_connected_oldest';
  /** Ids that active memories of other kinds link to. */
  readonly linkedFromOutside?: ReadonlySet<string>;
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
const DAY_MS = 86_400_000;
/** The lock is let go after so many, so that a writer who waits for it gets it. */
const BATCH = 25;
const MAX_LOG_BYTES = 4 * 1024 * 1024;

/** What pruning looks at. */
export type PruneNode = Pick<StoredNote, 'id' | 'status' | 'updated' | 'pinned' | 'links'> & {
  readonly kind: { readonly type: string };
  /** Cairn wrote it, and nobody has changed it. */
  readonly generated: boolean;
};

/** The notes that may be removed, the first to go first: fewest links, then longest without an update, then by id. */
export function pruneOrder<Node extends PruneNode>(
  nodes: readonly Node[],
  now: Date,
  linkedFromOutside: ReadonlySet<string> = new Set(),
): Node[] {
  const outside = new Set([...linkedFromOutside].map((id) => id.toLowerCase()));
  const connections = connectionsOf(nodes);
  return nodes
    .filter((node) => {
      const own = connections.get(node.id.toLowerCase())!;
      return !isProtected(node, now) && !own.fromActive && !outside.has(node.id.toLowerCase());
    })
    .map((node) => ({ node, links: connections.get(node.id.toLowerCase())!.neighbours.size, at: timeOf(node) }))
    .sort((a, b) => a.links - b.links || a.at - b.at || (a.node.id < b.node.id ? -1 : 1))
    .map(({ node }) => node);
}

function isProtected(node: PruneNode, now: Date): boolean {
  if (!node.generated || node.pinned || node.kind.type === 'decision') return true;
  const open = node.kind.type === 'task' && OPEN_TASK.has(node.status);
  return open && now.getTime() - timeOf(node) <= OPEN_TASK_DAYS * DAY_MS;
}

/** A time that cannot be read counts as now: in doubt a note is kept. */
function timeOf(node: { updated: string }): number {
  const time = Date.parse(node.updated);
  return Number.isFinite(time) ? time : Number.MAX_SAFE_INTEGER;
}

type Connections = { neighbours: Set<string>; fromActive: boolean };

function connectionsOf(nodes: readonly PruneNode[]): Map<string, Connections> {
  const all = new Map<string, Connections>(
    nodes.map((node) => [node.id.toLowerCase(), { neighbours: new Set<string>(), fromActive: false }]),
  );
  for (const node of nodes) {
    const from = node.id.toLowerCase();
    for (const link of node.links) {
      const to = link.to.toLowerCase();
      const target = all.get(to);
      if (!target || to === from) continue;
      target.neighbours.add(from);
      all.get(from)!.neighbours.add(to);
      if (ACTIVE.has(node.status)) target.fromActive = true;
    }
  }
  return all;
}

/** Removes as many notes as there are too many, if it may. */
export async function pruneNotes(vault: Vault, request: PruneRequest): Promise<Pruned> {
  if (request.maxNodes <= 0) return { removed: [], over: 0 };
  const { notes } = loadNotes(vault.root);
  const excess = notes.length - request.maxNodes;
  if (excess <= 0) return { removed: [], over: 0 };
  const nodes = notes.map((note) => ({ ...note, generated: isGenerated(note.frontMatter.toString()) }));
  const victims = pruneOrder(nodes, vault.now(), request.linkedFromOutside).slice(0, excess);
  const removed: { id: string; file: string; copy: string }[] = [];
  for (let at = 0; at < victims.length && performance.now() < (request.deadline ?? Infinity); at += BATCH) {
    await inVault(vault, (lock) => {
      for (const victim of victims.slice(at, at + BATCH)) {
        if (!isStillOurs(victim)) continue;
        lock.assertHeld();
        removed.push({ id: victim.id, file: victim.file, copy: bury(vault, victim, request) });
      }
    });
  }
  return { removed, over: excess - removed.length };
}

/** Looked at again under the lock: somebody may have edited or pinned it since. */
function isStillOurs(victim: StoredNote): boolean {
  const text = readText(victim.file, MAX_NOTE_BYTES);
  return text !== undefined && isGenerated(text);
}

/** First the copy, then the line in the log, then the file: whatever stops this half-way, nothing is gone without a trace. */
function bury(vault: Vault, note: StoredNote, request: PruneRequest): string {
  const stamp = vault.now().toISOString();
  const copy = copyToGraveyard(vault, note);
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
