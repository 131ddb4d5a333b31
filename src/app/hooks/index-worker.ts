// The worker behind Stop, PreCompact, SessionStart and SessionEnd: indexes what is new in the conversation and what earlier
// workers left of the project's others, and does what follows from it. One at a time for each project; it gives up after five minutes, and the next goes on.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError } from '../../errors.ts';
import { type Lock, owesRepair, withLock } from '../../files/lock.ts';
import { removeLeftovers } from '../../files/remove-leftovers.ts';
import { hasUnrounded } from '../../indexing/vectors/round-vectors.ts';
import type { JsonObject } from '../../model/json.ts';
import { rebuildIndex } from '../../records/index-upkeep.ts';
import { lockDir } from '../../records/record-store.ts';
import { recordUse, tidyInjections } from '../learn-from-answers.ts';
import { modelName } from '../make-vectors.ts';
import { usesServer } from '../open-store.ts';
import { notePending, pendingFile, putBackPending, takePending } from '../pending-conversations.ts';
import { openProject } from '../project.ts';
import { type ToRead, TraceMemory } from '../trace-memory.ts';
import { upkeep } from '../upkeep.ts';
import { syncConfigFile } from '../user-files.ts';
import { draftUnasked } from './evidence-triage.ts';
import { type HookContext, type HookHandler, SILENT } from './hook.ts';
import { mayWriteHere } from './may-capture.ts';
import { lookThrough } from './stop-transcript.ts';
import { VECTOR_EVENT } from './vector-event.ts';

const WORKER_SECONDS = 300;
/** Whoever finds another at work waits this long, then leaves the rest to it: it looks for new work when it is done. */
const LOCK = { waitMs: 2_000, staleMs: (WORKER_SECONDS + 60) * 1_000 };
/** At the end of a turn the client has often not written the last line yet. */
const LAST_LINE_MS = 400;

export const indexWorker: HookHandler = async (payload, context) => {
  await index(payload, context);
  if (!isTurn(payload)) await startSync(context);
  return SILENT;
};

/** After what is to be carried was archived. Most have not set it up: one look at the disk. */
async function startSync({ config, start, problem }: HookContext): Promise<void> {
  try {
    if (fs.existsSync(syncConfigFile(config))) await start('sync-worker', {});
  } catch (error) {
    problem(error);
  }
}

async function index(payload: JsonObject, context: HookContext): Promise<void> {
  const { userRoot, projectRoot } = context.config.paths;
  if (!context.config.settings.traces.enabled) return;
  // Not `performance`, which Node would have to load first.
  const deadline = process.uptime() + WORKER_SECONDS;
  const lock = path.join(userRoot, 'locks', path.basename(pendingFile(userRoot, projectRoot)));
  fs.mkdirSync(path.dirname(lock), { recursive: true, mode: 0o700 });
  if (payload.hook_event_name === 'Stop') await new Promise((resolve) => setTimeout(resolve, LAST_LINE_MS));
  try {
    const work = (held: Lock): Promise<void> =>
      indexAll(payload, context, { held, stopped: () => process.uptime() > deadline });
    // Who died here had taken the note away that there is something to index.
    const repair = (): boolean => {
      notePending(userRoot, projectRoot);
      return true;
    };
    await withLock(lock, work, { ...LOCK, repair });
  } catch (error) {
    if (!(error instanceof CairnError && error.code === 'LOCK_ERROR')) throw error;
  }
}

/** Until nobody has noted new work meanwhile. What was said goes before what follows from it: the next prompt may ask for it. */
async function indexAll(
  payload: JsonObject,
  context: HookContext,
  { held, stopped }: { held: Lock; stopped: () => boolean },
): Promise<void> {
  const { userRoot, projectRoot } = context.config.paths;
  const memory = await openMemory(payload, context);
  const isWanted = (): boolean => fs.existsSync(pendingFile(userRoot, projectRoot));
  /** Whoever noted more work, or died at it, may be another conversation, which has left it to us. */
  let isOursAlone = isTurn(payload) && !held.tookOver;
  try {
    do {
      const since = takePending(userRoot, projectRoot);
      try {
        await indexOnce(memory, { own: transcriptOf(payload), isOursAlone }, context, stopped);
        if (!isWanted()) await tend(memory, payload, context, () => stopped() || isWanted());
      } catch (error) {
        putBackPending(userRoot, projectRoot, since ?? context.now());
        throw error;
      }
      isOursAlone = false;
    } while (isWanted() && !stopped());
  } finally {
    await memory.close();
  }
}

async function openMemory(payload: JsonObject, context: HookContext): Promise<TraceMemory> {
  const { userRoot, projectRoot } = context.config.paths;
  try {
    return await TraceMemory.open(context.config, context.now, { closeSoon: isTurn(payload) });
  } catch (error) {
    putBackPending(userRoot, projectRoot, takePending(userRoot, projectRoot) ?? context.now());
    throw error;
  }
}

async function indexOnce(
  memory: TraceMemory,
  { own, isOursAlone }: { own: string | undefined; isOursAlone: boolean },
  context: HookContext,
  stopped: () => boolean,
): Promise<void> {
  const reports = [
    await memory.backfill(own === undefined ? [] : conversationOf(memory, own), { stopped, turn: true }),
    // A turn is indexed after every turn; the rest is looked for, and after, when a conversation begins or ends.
    ...(isOursAlone
      ? []
      : [await memory.backfill([...(await memory.onlyArchived()), ...memory.find([])], { stopped })]),
  ];
  if (reports.some((report) => report.lines > 0)) context.worked?.();
  const failures = reports.flatMap((report) => report.failed);
  const failed = failures.map(({ file, why }) => ({ file, error: new Error(`${file} was not indexed: ${why}`) }));
  const ours = failed.find(({ file }) => file === own); // comes last: what is told is the last failure with its reason
  for (const each of failed) if (each !== ours) context.problem(each.error);
  if (ours) throw ours.error;
}

/** What is missing is missing at every turn: it is told once a conversation. */
async function tend(
  memory: TraceMemory,
  payload: JsonObject,
  context: HookContext,
  stopped: () => boolean,
): Promise<void> {
  await repairMemory(context);
  const { problems } = await upkeep(memory, {
    env: context.env,
    now: context.now,
    stopped,
    inBackground: () => context.start(VECTOR_EVENT, { cwd: context.config.paths.projectRoot }),
  });
  if (!isTurn(payload)) {
    for (const each of problems) context.problem(new Error(each));
    await roundOlder(memory, context);
  }
  await learnFrom(memory, payload, context);
  if (isTurn(payload)) await prepareDrafts(payload, context);
  if (payload.hook_event_name === 'Stop') await lookThroughIt(payload, context);
}

async function lookThroughIt(payload: JsonObject, context: HookContext): Promise<void> {
  try {
    await lookThrough(payload, context);
  } catch (error) {
    context.problem(error);
  }
}

/** Vectors that an earlier Cairn stored take four times the room until the worker that makes vectors was at them. */
async function roundOlder({ store, config }: TraceMemory, context: HookContext): Promise<void> {
  if (usesServer(config)) return;
  const model = await modelName(config, context.env);
  if (model !== undefined && (await hasUnrounded(store, model)))
    await context.start(VECTOR_EVENT, { cwd: config.paths.projectRoot });
}

/** Of what the turn shows and triage may not ask about now. */
async function prepareDrafts(payload: JsonObject, context: HookContext): Promise<void> {
  try {
    await draftUnasked(payload, context);
  } catch (error) {
    context.problem(error);
  }
}

/** Which of the memories that were put into the prompts of this conversation its answers built on. */
async function learnFrom(memory: TraceMemory, payload: JsonObject, context: HookContext): Promise<void> {
  const { session_id: session } = payload;
  const transcript = transcriptOf(payload);
  try {
    if (typeof session === 'string' && transcript !== undefined)
      await recordUse(memory.store, context.config, { session, transcript, now: context.now() });
    if (!isTurn(payload)) tidyUp(context);
  } catch (error) {
    context.problem(error);
  }
}

/** Who died while he wrote to the memory may be the last who wrote there for long. */
async function repairMemory({ config, now, problem }: HookContext): Promise<void> {
  try {
    if (!fs.existsSync(config.paths.memoryRoot) || !mayWriteHere(config)) return;
    const { recordStore } = openProject(config, now);
    if (owesRepair(lockDir(recordStore))) await rebuildIndex(recordStore);
  } catch (error) {
    problem(error);
  }
}

/** Once a conversation: what has become too old, and what killed processes left behind. */
function tidyUp({ config, now }: HookContext): void {
  tidyInjections(config, now());
  const { userRoot, memoryRoot } = config.paths;
  removeLeftovers(userRoot, { now: now().getTime(), not: ['cache', 'plugin'] });
  removeLeftovers(memoryRoot, { now: now().getTime(), not: ['.git'] });
}

const isTurn = ({ hook_event_name: event }: JsonObject): boolean => event === 'Stop' || event === 'PreCompact';

function transcriptOf({ transcript_path: file }: JsonObject): string | undefined {
  const usable = typeof file === 'string' && path.isAbsolute(file) && !file.includes('\0') && /\.jsonl$/i.test(file);
  return usable && fs.statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

/** The transcript, and those of its subagents in the folder beside it. Alone it needs no order, for which both its ends are read. */
function conversationOf(memory: TraceMemory, transcript: string): readonly ToRead[] {
  const subagents = path.join(transcript.replace(/\.jsonl$/i, ''), 'subagents');
  if (fs.existsSync(subagents)) return memory.find([transcript, subagents]);
  return [{ file: path.resolve(transcript), size: fs.statSync(transcript, { throwIfNoEntry: false })?.size ?? 0 }];
}
