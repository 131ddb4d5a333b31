// The composition root of `cairn sync push` and `pull`: the truth that is in no repository, between the machines of one person, through a
// place of their own. Whatever is interrupted is gone on with by the next. docs/SYNC.md describes it.

import type { Config } from '../config/load.ts';
import { CairnError } from '../errors.ts';
import { exclusionOf } from '../files/excluded.ts';
import { readForgotten } from '../files/forgotten.ts';
import { readRegistry, sameScopes } from '../files/project-registry.ts';
import { lazy } from '../model/lazy.ts';
import type { ConversationRecord } from '../sync/manifest.ts';
import { readObjects } from '../sync/place-contents.ts';
import { type PullReport, pull } from '../sync/pull.ts';
import { type PushReport, push } from '../sync/push.ts';
import { merged, readShared, type SharedValue, withChanges } from '../sync/shared-values.ts';
import { changeState, readSharedBefore, readState, writeShared } from '../sync/sync-state.ts';
import { lineFilter } from '../transcripts/forgotten-lines.ts';
import { isTooOld } from './keep-out.ts';
import { forgetElsewhere, forgottenAnywhere, forgottenHere, isHeld } from './sync-forgotten.ts';
import { memoriesToPush, type PulledMemories, pullMemories } from './sync-memories.ts';
import { alone, begin, type Run, type SyncOptions } from './sync-run.ts';
import { applyValues, holderHere, valuesHere } from './sync-values.ts';
import { TraceMemory } from './trace-memory.ts';
import { type UpkeepReport, upkeep } from './upkeep.ts';

export type { SyncOptions } from './sync-run.ts';

const BATCH = 40;
/** Of the archive's limit: what is taken from others must not push out what was said here. */
const ROOM = 0.95;

/** What this machine and the others agree on by now. */
async function agreed(
  { config, place, vault, machines, problems, now }: Run,
  withOthers: boolean,
): Promise<Map<string, SharedValue>> {
  const { userRoot } = config.paths;
  const before = readSharedBefore(userRoot);
  const at = now().toISOString();
  const here = valuesHere(config, before.size === 0 ? undefined : at);
  let all = withChanges(before, here, { at, isOurs: holderHere(config) });
  for (const { folder, manifest } of withOthers ? machines.others : []) {
    if (manifest.shared === undefined) continue;
    try {
      const [plain] = await readObjects(place, vault, folder, [manifest.shared]);
      all = merged(all, readShared(Buffer.from(plain ?? []).toString('utf8')));
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      problems.push(`From ${manifest.label}: ${error.message}`);
    }
  }
  return all;
}

export function pushSync(config: Config, options: SyncOptions & { again?: boolean }): Promise<PushReport> {
  return alone(config, async (lock) => pushRun(await begin(config, lock, options), options.again ?? false));
}

async function pushRun(run: Run, again: boolean): Promise<PushReport> {
  const { config, sync, place, vault, machines, elsewhere, now, watched } = run;
  const { userRoot } = config.paths;
  const forgotten = forgottenAnywhere(config, elsewhere);
  const shared = await agreed(run, false);
  const memory = await TraceMemory.open(config, now);
  try {
    const memories = memoriesToPush(run); // the project is known by now
    const today = sameScopes(readRegistry(userRoot));
    const { pushed, ...report } = await push({
      ...watched,
      ...{ place, vault, config: sync, userRoot, machines, archive: memory.archive, now, again, shared },
      isForgotten: forgotten.holds,
      anyForgotten: forgotten.any,
      projectOf: ({ project }) => today(project)[0] ?? project,
      foldersOf: (entry) => {
        const folders = new Set<string>();
        for (const line of memory.archive.lines(entry)) for (const [, cwd = ''] of line.matchAll(CWD)) folders.add(cwd);
        const own = today(entry.project)[0] ?? entry.project;
        return Object.fromEntries(
          [...folders].slice(0, MOST_FOLDERS).flatMap((escaped) => {
            const cwd = JSON.parse(`"${escaped}"`) as string;
            const { id } = memory.projectOf(cwd);
            return id === own ? [] : [[cwd, id] as const];
          }),
        );
      },
      forgotten: forgottenHere(config),
      memories,
    });
    memories?.done(pushed);
    writeShared(userRoot, shared);
    return { ...report, problems: [...run.problems, ...report.problems] };
  } finally {
    await memory.close();
  }
}

const CWD = /"cwd":"((?:[^"\\]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*)"/g;
const MOST_FOLDERS = 200;

export type SyncPullReport = PullReport & {
  /** Values that others have changed: verdicts, settled items, settings. */
  readonly values: number;
  /** Forgotten on other machines, and from now on here. */
  readonly forgotten: number;
  readonly machines: readonly string[];
  /** Records and notes of memories that lie in no repository. */
  readonly memories: PulledMemories;
  readonly after?: UpkeepReport;
};

export function pullSync(config: Config, options: SyncOptions & { vectors?: boolean }): Promise<SyncPullReport> {
  return alone(config, async (lock) => {
    let run = await begin(config, lock, options);
    const report = await pullRun(run, options.vectors ?? true);
    if (report.problems.length === 0 || !report.finished) return report;
    // The machine that it is of may have put others in the place of objects that were just read about.
    const before = run.machines.others.map(({ manifest }) => manifest.counter).join();
    run = await begin(config, lock, options);
    if (run.machines.others.map(({ manifest }) => manifest.counter).join() === before) return report;
    const again = await pullRun(run, options.vectors ?? true);
    return {
      ...again,
      changed: [...new Set([...report.changed, ...again.changed])],
      values: report.values + again.values,
      forgotten: report.forgotten + again.forgotten,
      memories: {
        files: report.memories.files + again.memories.files,
        conflicts: [...report.memories.conflicts, ...again.memories.conflicts],
      },
    };
  });
}

async function pullRun(run: Run, vectors: boolean): Promise<SyncPullReport> {
  const { config, place, vault, machines, elsewhere, now, watched, env } = run;
  const { userRoot } = config.paths;
  const forgotten = await forgetElsewhere(config, elsewhere, now);
  const values = await agreed(run, true);
  const changedValues = await applyValues(config, values);
  writeShared(userRoot, values);
  const memory = await TraceMemory.open(config, now);
  try {
    const memories = await pullMemories(run);
    const limit = config.settings.traces.archive_max_mb * 1024 * 1024;
    const report =
      limit === 0
        ? noArchive(run)
        : await pull({
            ...watched,
            ...{ place, vault, userRoot, machines, archive: memory.archive, now },
            assertWritable: lazy(() => memory.archive.assertWritable()),
            isKeptOut: keptOut(config, now),
            hasRoom: roomIn(memory, limit),
            filterOf: (record) => {
              const filter = lineFilter(readForgotten(userRoot));
              const thread = threadOfRecord(record);
              return (line, number) => (filter ? filter(line, number, thread) : line);
            },
          });
    await readIn(memory, run, report);
    const after = await upkeep(memory, { env, now, stopped: watched.stopped, embed: vectors });
    return {
      ...report,
      problems: [...run.problems, ...report.problems],
      values: changedValues,
      forgotten,
      machines: machines.others.map(({ manifest }) => manifest.label),
      memories,
      after,
    };
  } finally {
    await memory.close();
  }
}

const noArchive = ({ machines }: Run): PullReport => ({
  conversations: 0,
  changed: [],
  problems:
    machines.others.length === 0
      ? []
      : ['Conversations are not taken: this machine keeps no copies of them (traces.archive_max_mb is 0).'],
  finished: true,
});

/** As the indexer names it: of a subagent, its name is in the path. */
const threadOfRecord = ({ session, source }: ConversationRecord): string => {
  const agent = /[\\/]subagents[\\/](?:.*[\\/])?agent-([^\\/]+)\.\w+$/.exec(source)?.[1];
  return agent === undefined ? session : `${session} ${agent}`;
};

function keptOut(config: Config, now: () => Date): (record: ConversationRecord) => boolean {
  const forgotten = readForgotten(config.paths.userRoot);
  const excluded = exclusionOf(config.settings.traces.exclude, config.paths.home);
  return (record) => {
    const { source, cwd, updatedAt } = record;
    const ended = Date.parse(updatedAt);
    return (
      isHeld(forgotten, record) ||
      excluded?.({ cwd, file: source }) === true ||
      isTooOld(config, { file: source, ...(Number.isNaN(ended) ? {} : { ended }) }, now())
    );
  };
}

/** Looked at now and then: it goes through all files. */
function roomIn({ archive }: TraceMemory, limit: number): () => boolean {
  let [asked, isRoom] = [0, true];
  return () => {
    if (asked++ % 20 === 0) isRoom = archive.size() < ROOM * limit;
    return isRoom;
  };
}

/** Rows are made from what came, a few conversations at a time: what is stopped goes on there. */
async function readIn(memory: TraceMemory, { config, watched }: Run, report: PullReport): Promise<void> {
  const { userRoot } = config.paths;
  for (let left = [...readState(userRoot).toRead]; left.length > 0; ) {
    if (watched.stopped()) {
      report.finished = false;
      return;
    }
    const batch = left.slice(0, BATCH);
    const { failed, finished } = await memory.readAnew(new Set(batch), {
      stopped: watched.stopped,
      onProgress: (done, total, file) => watched.onProgress(done, total, file),
    });
    for (const { file, why } of failed) report.problems.push(`${file} was not read in: ${why}`);
    if (!finished) {
      report.finished = false;
      return;
    }
    const done = new Set(batch);
    changeState(userRoot, (state) => ({ ...state, toRead: state.toRead.filter((file) => !done.has(file)) }));
    left = left.slice(BATCH);
  }
}

/** Both ways, as workers do it when a conversation begins or ends. */
export async function syncBoth(config: Config, options: SyncOptions): Promise<readonly string[]> {
  const pulled = await pullSync(config, options);
  const pushed = options.stopped?.() ? undefined : await pushSync(config, options);
  // Two versions of one record are something to look at, whoever started this.
  const conflicts = pulled.memories.conflicts.map((each) => `Changed on two machines: ${each}`);
  return [...new Set([...pulled.problems, ...conflicts, ...(pushed?.problems ?? [])])];
}
