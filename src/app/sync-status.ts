// How sync stands on a machine: where its place is, what waits to be pushed, and who else is there. It changes nothing.

import type { Config } from '../config/load.ts';
import { CairnError } from '../errors.ts';
import { isSame } from '../sync/chunks.ts';
import { recordsOf } from '../sync/place-contents.ts';
import { readConfig, readState, type SyncConfig } from '../sync/sync-state.ts';
import { forgottenAnywhere } from './sync-forgotten.ts';
import { outsideMemories } from './sync-memories.ts';
import { alone, begin, openPlace, type Run, type SyncOptions } from './sync-run.ts';
import { TraceMemory } from './trace-memory.ts';

export type SyncStatus =
  | { readonly configured: false }
  | {
      readonly configured: true;
      readonly kind: SyncConfig['kind'];
      readonly place: string;
      readonly machine: string;
      readonly auto: boolean;
      /** Folders that lie in no repository and are carried; `null` where that is switched off. */
      readonly memories: readonly string[] | null;
      readonly pushedAt: string | null;
      readonly pulledAt: string | null;
      /** Conversations of this machine that are not at the place yet, or have gone on since. */
      readonly toPush: number;
      /** What was pulled and is not read in yet. */
      readonly toRead: number;
      readonly others: readonly { readonly machine: string; readonly pushedAt: string; readonly isNew: boolean }[];
      /** Why the place could not be looked at. */
      readonly trouble: string | null;
      readonly problems: readonly string[];
    };

export async function syncStatus(config: Config, options: SyncOptions): Promise<SyncStatus> {
  const { userRoot } = config.paths;
  const known = readConfig(userRoot);
  if (!known) return { configured: false };
  const state = readState(userRoot);
  const plain = {
    configured: true as const,
    kind: known.kind,
    place: openPlace(known, config, options.env).label,
    machine: known.label,
    auto: known.auto,
    memories: known.memories
      ? outsideMemories(config, options.env, options.now ?? (() => new Date())).map(({ root }) => root)
      : null,
    pushedAt: state.pushedAt ?? null,
    pulledAt: state.pulledAt ?? null,
    toRead: state.toRead.length,
  };
  try {
    return await alone(config, async (lock) => {
      const run = await begin(config, lock, options);
      return { ...plain, ...(await atPlace(run)), trouble: null, problems: run.problems };
    });
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return { ...plain, toPush: 0, others: [], trouble: `${error.message} ${error.fix ?? ''}`.trim(), problems: [] };
  }
}

async function atPlace({ config, place, vault, machines, elsewhere, now }: Run): Promise<{
  toPush: number;
  others: { machine: string; pushedAt: string; isNew: boolean }[];
}> {
  const records = machines.own ? await recordsOf(place, vault, machines.own) : [];
  const there = new Map(records.map((record) => [record.source, record]));
  const { holds } = forgottenAnywhere(config, elsewhere);
  const memory = await TraceMemory.open(config, now);
  try {
    const own = memory.archive.entries().filter((entry) => !entry.origin && entry.line > 0 && !holds(entry));
    const { seen } = readState(config.paths.userRoot);
    return {
      toPush: own.filter((entry) => !isSame(there.get(entry.source)?.generations.at(-1), entry)).length,
      others: machines.others.map(({ manifest }) => ({
        machine: manifest.label,
        pushedAt: manifest.at,
        isNew: manifest.counter > (seen[manifest.machine] ?? 0),
      })),
    };
  } finally {
    await memory.close();
  }
}
