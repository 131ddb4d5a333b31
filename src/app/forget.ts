// The composition root of forgetting: what a request means, what would go, and its removal from everything that Cairn keeps. The
// order is noted in forgotten.json before anything is removed, so that a kill leaves something that the next run finishes, and
// nothing that was forgotten is read in again. docs/FORGET.md says what goes and what stays.

import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/load.ts';
import { CairnError, isSystemError, messageOf } from '../errors.ts';
import {
  changeForgotten,
  commitsName,
  type Forgotten,
  type ForgottenLines,
  newTombstoneId,
  readForgotten,
  type Tombstone,
} from '../files/forgotten.ts';
import { withLock } from '../files/lock.ts';
import { withoutCommits } from '../indexing/commits/sync-commits.ts';
import { syncFiles } from '../indexing/files/index-files.ts';
import { type Conversation, conversationsIn } from '../indexing/transcripts/conversations.ts';
import { contentHash } from '../model/hash.ts';
import { nameText } from '../safety/secrets/named-texts.ts';
import { compactDatabase } from '../store/sqlite/compact-database.ts';
import { sessionIn } from '../transcripts/locate.ts';
import { sessionByName } from '../transcripts/readers.ts';
import { storesAside } from './damaged-store.ts';
import { forgetFile, type GoneFile, namedFile } from './forget-file.ts';
import { forksOf, namesOfLines } from './forget-forks.ts';
import { forgetLines, type GoneLines, namedLines } from './forget-lines.ts';
import {
  type Counts,
  memoryRoots,
  notesOf,
  type PlannedMemory,
  removePlaces,
  sweepTemporaries,
} from './forget-places.ts';
import { type NamedConversation, pruneVectors, removeConversations, rowsOfConversations } from './forget-rows.ts';
import { type ForgetWords, OF_COMMANDS } from './forget-stays.ts';
import { countText, forgetText, type GoneText, whereLeft } from './forget-text.ts';
import { indexedFiles } from './indexed-files.ts';
import { usesServer } from './open-store.ts';
import { TraceMemory } from './trace-memory.ts';
import { storeFile } from './user-files.ts';

export type ForgetRequest =
  | { readonly what: 'name'; readonly name: string }
  | { readonly what: 'project' }
  | {
      readonly what: 'before';
      readonly before: number;
      readonly allProjects: boolean;
      readonly retention?: { readonly most: number };
    }
  | { readonly what: 'text'; readonly texts: readonly string[]; readonly as: 'remove' | 'mask' };

/** What is to be removed, by name; it stands in forgotten.json until it is done. */
export type ForgetOrder =
  | {
      readonly kind: 'conversations';
      readonly conversations: readonly NamedConversation[];
      readonly transcript: boolean;
      /** Sessions that stay whole, though they have copies of these lines. */
      readonly forks?: readonly string[];
      /** The project whose commits go, where all of it does. */
      readonly commits?: string;
    }
  | ({ readonly kind: 'lines' } & GoneLines)
  | ({ readonly kind: 'file' } & GoneFile)
  | ({ readonly kind: 'text' } & GoneText);

export type ForgetPlan = {
  readonly order: ForgetOrder;
  /** For people: what goes, the newest last. */
  readonly goes: readonly PlannedMemory[];
  /** How much of it is where. */
  readonly counts: Counts;
  /** What stays although it may be about the same, and why. */
  readonly stays: readonly string[];
  /** Other conversations with copies of what goes: they stay, unless they are named too. */
  readonly forks: readonly string[];
  /** Names this plan: another one, made after something changed, has another. */
  readonly token: string;
  /** Only in memory. */
  readonly texts?: readonly string[];
};

export type ForgetReport = {
  readonly id: string;
  readonly counts: Counts;
  /** Where something of it was still found afterwards. */
  readonly left: readonly string[];
  readonly problems: readonly string[];
};

type Options = { readonly transcript?: boolean; readonly now: () => Date; readonly words?: ForgetWords };

const LOCK = { waitMs: 10_000, staleMs: 3_600_000 };
const SHORTEST_BEGINNING = 4;
const REF = /^(?:idea|span|record|note|commit):/;

export type { PlannedMemory } from './forget-places.ts';

/** What a request would remove; nothing is changed. */
export async function planForget(config: Config, request: ForgetRequest, options: Options): Promise<ForgetPlan> {
  const memory = await TraceMemory.open(config, options.now);
  try {
    if (request.what === 'text') return withToken(await planText(memory, request));
    if (request.what === 'name' && REF.test(request.name))
      return withToken(await planRef(memory, request.name, options));
    return withToken(await planConversations(memory, request, options));
  } finally {
    await memory.close();
  }
}

type Unnamed = Omit<ForgetPlan, 'token' | 'forks'> & Partial<Pick<ForgetPlan, 'forks'>>;

const withToken = (plan: Unnamed): ForgetPlan => ({
  forks: [],
  ...plan,
  token: contentHash(JSON.stringify([plan.order, plan.counts, plan.texts])).slice(0, 12),
});

async function planConversations(
  memory: TraceMemory,
  request: Exclude<ForgetRequest, { what: 'text' }>,
  { transcript = false, words = OF_COMMANDS }: Options,
): Promise<Unnamed> {
  const all = await conversationsOf(memory, transcript);
  const chosen = await choose(memory, all, request);
  if (chosen.length === 0 && request.what === 'name') return planRef(memory, request.name, {});
  const forks = forksOf(memory, chosen, all).map(({ session }) => session);
  const commits = request.what === 'project' ? { commits: memory.project.id } : {};
  const order = { kind: 'conversations' as const, conversations: chosen.map(namesOnly), transcript, forks, ...commits };
  const { counts, goes, stays } = await lookAtConversations(memory, order, { chosen, words });
  return { order, counts, goes, stays, forks };
}

export const namesOnly = ({ session, isExport, files }: Conversation): NamedConversation => ({
  session,
  isExport,
  files,
});

/** All that something is kept of, or could be read in of. */
export async function conversationsOf(memory: TraceMemory, transcript: boolean): Promise<Conversation[]> {
  const found = memory.find([], { all: true }).map((each) => ({
    ...each,
    project: each.cwd === undefined ? undefined : memory.projectOf(each.cwd).id,
  }));
  const { store, archive, forgotten } = memory;
  const all = await conversationsIn({ store, entries: archive.entries(), found });
  const isNew = (each: Conversation): boolean =>
    !(each.isExport ? each.files.every((file) => forgotten.holdsFile(file)) : forgotten.holdsSession(each.session));
  const kept = new Set(
    (await store.state({ prefix: 'transcript:' })).map(({ key }) => key.slice('transcript:'.length)),
  );
  // What was forgotten before is listed only while something of it is still here, that is to go.
  const isHere = (file: string): boolean => kept.has(file) || (transcript && fs.existsSync(file));
  return all.filter((each) => isNew(each) || each.files.some(isHere));
}

async function choose(
  memory: TraceMemory,
  all: readonly Conversation[],
  request: Exclude<ForgetRequest, { what: 'text' }>,
): Promise<Conversation[]> {
  const own = ({ projects }: Conversation): boolean => projects.includes(memory.project.id);
  if (request.what === 'project') return all.filter(own);
  if (request.what === 'before')
    return (
      all
        .filter((each) => each.ended > 0 && each.ended < request.before && (request.allProjects || own(each)))
        // What is too old to be read in needs no tombstone: should the limit go, it may come.
        .filter((each) => request.retention === undefined || each.isStored)
        .slice(0, request.retention?.most ?? all.length)
    );
  const { name } = request;
  const exact = all.filter(({ session }) => session === name);
  const found =
    exact.length > 0 || name.length < SHORTEST_BEGINNING
      ? exact
      : all.filter(({ session }) => session.startsWith(name));
  if (found.length > 1)
    throw new CairnError('NOT_FOUND', `${JSON.stringify(name)} may be any of ${found.length} conversations.`, {
      fix: `Say which: ${found
        .slice(0, 5)
        .map(({ session, files, isExport }) => (isExport ? files[0] : session))
        .join(', ')}.`,
    });
  return found;
}

async function lookAtConversations(
  memory: TraceMemory,
  order: Extract<ForgetOrder, { kind: 'conversations' }>,
  { chosen, words }: { readonly chosen: readonly Conversation[]; readonly words: ForgetWords },
): Promise<Pick<Unnamed, 'counts' | 'goes' | 'stays'>> {
  const sessions = new Set(chosen.filter(({ isExport }) => !isExport).map(({ session }) => session));
  const documents = await rowsOfConversations(memory, order.conversations);
  const notes = notesOf(await memoryRoots(memory), sessions);
  const files = chosen.flatMap((each) => each.files);
  const places = await removePlaces(
    memory,
    { sessions, files, documents, notes: notes.go },
    { apply: false, transcript: order.transcript },
  );
  const spans = documents.filter(({ kind }) => kind === 'span');
  const goes = chosen.map(({ session, isExport, files: own, ended }): PlannedMemory => {
    const topics = spans.filter((span) =>
      isExport ? own.includes(span.source?.file ?? '') : span.session === session,
    );
    const first = topics.toSorted((a, b) => a.createdAt - b.createdAt)[0];
    return {
      name: session,
      title: first?.title ?? '',
      ...(first && first.createdAt > 0 ? { from: first.createdAt } : {}),
      ...(ended > 0 ? { to: ended } : {}),
    };
  });
  const onDisk = files.filter((file) => fs.existsSync(file)).length;
  return {
    counts: { conversations: chosen.length, ideas: documents.length - spans.length, topics: spans.length, ...places },
    goes,
    stays: [
      ...notes.stay.map(({ id }) => `note:${id} was changed by hand: forget it by its name`),
      ...(onDisk > 0 && !order.transcript ? [words.transcripts(onDisk)] : []),
      ...(order.forks ?? []).map(words.fork),
      words.curated,
    ],
  };
}

async function planRef(memory: TraceMemory, name: string, { transcript = false }: Partial<Options>): Promise<Unnamed> {
  if (transcript) throw wholeConversationsOnly();
  if (name.startsWith('commit:'))
    throw new CairnError('USAGE_ERROR', "A commit is git's: what Cairn has of it goes when git has it no more.", {
      fix: 'Remove it from the repository, take a text out with --text, or read no log: cairn config set traces.commits 0',
    });
  const isLine = /^(?:idea|span):/.test(name);
  return isLine ? namedLines(memory, name) : namedFile(memory, name);
}

const wholeConversationsOnly = (): CairnError =>
  new CairnError('USAGE_ERROR', "The client's own transcript can only be removed as a whole.", {
    fix: 'Leave out --transcript, or name the conversation.',
  });

async function planText(memory: TraceMemory, request: Extract<ForgetRequest, { what: 'text' }>): Promise<Unnamed> {
  return { ...(await countText(memory, request.texts, request.as)), texts: request.texts };
}

/** Removes what was planned. `stopped` is asked between steps; what is left is done by the next run. */
export function forget(
  config: Config,
  plan: ForgetPlan,
  { now, why = 'request' }: Options & { why?: Tombstone['why'] },
): Promise<ForgetReport> {
  return alone(config, async () => {
    await mayBeWritten(config, now);
    const id = newTombstoneId();
    await changeForgotten(config.paths.userRoot, (known) => [
      ...known.tombstones,
      { id, at: now().toISOString(), why, ...keysOf(known, plan), counts: {}, unfinished: { ...plan.order } },
    ]);
    try {
      return await finish(config, id, now, plan.texts);
    } catch (error) {
      throw notFinished(id, error);
    }
  });
}

/** A database that a newer Cairn made is only read: half of it must not go before that is said. */
async function mayBeWritten(config: Config, now: () => Date): Promise<void> {
  const { store } = await TraceMemory.open(config, now);
  const { readOnly } = store;
  await store.close();
  if (readOnly) throw readOnly;
}

/** What is in the way is one thing; that it goes on by itself another, and nobody is to ask for the same twice. */
function notFinished(id: string, error: unknown): unknown {
  if (!(error instanceof CairnError || isSystemError(error))) return error;
  const { code = 'IO_ERROR', fix = 'Check that you may write there and that there is room on the disk.' } =
    error instanceof CairnError ? error : {};
  return new CairnError(code as CairnError['code'], `Not everything is gone yet (${id}): ${messageOf(error)}`, {
    cause: error,
    fix: `${fix} Nothing of it is read in meanwhile; \`cairn forget --finish\`, or the next run of Cairn, removes the rest.`,
  });
}

function keysOf(
  known: Forgotten,
  { order, texts = [] }: ForgetPlan,
): Pick<Tombstone, 'what' | 'keys' | 'lines' | 'texts' | 'forks'> {
  const lines = (own: GoneLines): ForgottenLines[] => [
    { thread: known.threadKey(own.thread), ranges: own.ranges, names: own.names.map(known.nameKey) },
  ];
  return {
    what: order.kind,
    keys:
      order.kind === 'conversations'
        ? order.conversations
            .flatMap(({ session, isExport, files }) =>
              isExport ? files.map(known.fileKey) : [known.sessionKey(session)],
            )
            .concat(order.commits === undefined ? [] : [known.sessionKey(commitsName(order.commits))])
        : [],
    lines: order.kind === 'lines' ? lines(order) : [],
    texts: order.kind === 'text' ? texts.flatMap((text) => nameText(known.key, text, order.as)) : [],
    ...(order.kind === 'conversations' && order.forks?.length ? { forks: order.forks.map(known.sessionKey) } : {}),
  };
}

/** One at a time on this machine; whoever takes over from one that was killed finds its order in the file. */
function alone<T>(config: Config, work: () => Promise<T>): Promise<T> {
  const folder = path.join(config.paths.userRoot, 'locks');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  return withLock(path.join(folder, 'forget'), work, LOCK);
}

async function finish(config: Config, id: string, now: () => Date, texts?: readonly string[]): Promise<ForgetReport> {
  const { userRoot } = config.paths;
  const order = readForgotten(userRoot).tombstones.find((each) => each.id === id)?.unfinished as
    | ForgetOrder
    | undefined;
  if (!order) return { id, counts: {}, left: [], problems: [] };
  const { counts, problems, left } = await carryOut(config, { id, order }, now, texts);
  await changeForgotten(userRoot, ({ tombstones }) =>
    tombstones.flatMap((each) => {
      if (each.id !== id) return [each];
      const { unfinished: _, ...done } = each;
      // Of a file nothing has to be kept out: there is nothing that would bring it back.
      return done.what === 'file' ? [] : [{ ...done, counts }];
    }),
  );
  return { id, counts, left, problems };
}

type Done = { counts: Counts; problems: string[]; left: string[] };

async function carryOut(
  config: Config,
  { id, order }: { readonly id: string; readonly order: ForgetOrder },
  now: () => Date,
  texts: readonly string[] | undefined,
): Promise<Done> {
  const memory = await TraceMemory.open(config, now, { secureDelete: true });
  let done: Omit<Done, 'left'>;
  try {
    done = await removed(memory, id, order);
    if (fs.existsSync(config.paths.memoryRoot)) await syncFiles(memory.store, indexedFiles(config));
    await pruneVectors(memory);
    const older = await memory.store.leftBehind();
    if (older.length > 0)
      done.problems.push(
        'Tables of an older version of Cairn are still in the database: `cairn reindex` takes them over.',
      );
  } finally {
    await memory.close();
  }
  if (!usesServer(config)) compactDatabase(storeFile(config));
  sweepTemporaries(config);
  for (const aside of storesAside(config))
    done.problems.push(`The damaged database ${aside} may still hold it: delete it when you need nothing of it.`);
  return { ...done, left: texts ? whereLeft(config, texts) : [] };
}

async function removed(memory: TraceMemory, id: string, order: ForgetOrder): Promise<Omit<Done, 'left'>> {
  switch (order.kind) {
    case 'lines':
      return forgetLines(memory, order);
    case 'file':
      return forgetFile(memory, order);
    case 'text':
      return forgetText(memory);
    case 'conversations': {
      const { conversations, transcript } = order;
      const sessions = new Set(conversations.filter(({ isExport }) => !isExport).map(({ session }) => session));
      const documents = await rowsOfConversations(memory, conversations);
      const notes = notesOf(await memoryRoots(memory), sessions).go;
      const files = conversations.flatMap((each) => each.files);
      // While the lines can still be read. A run that was killed behind this finds them noted.
      const names = namesOfLines(memory, files);
      await changeForgotten(memory.config.paths.userRoot, ({ tombstones }) => tombstones, { add: { id, names } });
      const gone = { sessions, files, documents, notes };
      const places = await removePlaces(memory, gone, { apply: true, transcript });
      if (notes.length > 0)
        await memory.store.apply([
          { op: 'delete', where: { layers: ['note'], refs: notes.map(({ id }) => `note:${id}`) } },
        ]);
      const problems = await removeConversations(memory, conversations);
      if (order.commits !== undefined) await memory.store.apply(withoutCommits(memory.project.scopes));
      const spans = documents.filter(({ kind }) => kind === 'span').length;
      const counts = { conversations: conversations.length, ideas: documents.length - spans, topics: spans, ...places };
      return { counts, problems };
    }
  }
}

/** What an earlier run could not finish: it was killed, or somebody held the database. */
export async function finishForgetting(config: Config, now: () => Date): Promise<ForgetReport[]> {
  if (readForgotten(config.paths.userRoot).unfinished.length === 0) return [];
  return alone(config, async () => {
    const reports: ForgetReport[] = [];
    for (const { id } of readForgotten(config.paths.userRoot).unfinished) reports.push(await finish(config, id, now));
    return reports;
  });
}

export type ForgottenEntry = Pick<Tombstone, 'id' | 'at' | 'what' | 'why' | 'counts'> & { readonly finished: boolean };

export const listForgotten = ({ paths }: Config): ForgottenEntry[] =>
  readForgotten(paths.userRoot).tombstones.map(({ id, at, what, why, counts, unfinished }) => ({
    id,
    at,
    what,
    why,
    counts,
    finished: unfinished === undefined,
  }));

/** It may be read in again. What was removed does not come back by this alone. */
export async function allowAgain({ paths }: Config, id: string): Promise<ForgottenEntry['what']> {
  const named = readForgotten(paths.userRoot).tombstones.filter(
    (each) => id.length >= SHORTEST_BEGINNING && each.id.startsWith(id),
  );
  const [only] = named;
  if (!only || named.length > 1)
    throw new CairnError('NOT_FOUND', `${JSON.stringify(id)} names nothing that was forgotten.`, {
      fix: '`cairn forget --list` shows what was, with its id.',
    });
  if (only.from)
    throw new CairnError('USAGE_ERROR', `${only.id} was forgotten on another machine of yours.`, {
      fix: 'Let it in again there (cairn forget --undo), then sync both: cairn sync push there, cairn sync pull here.',
    });
  if (only.unfinished !== undefined)
    throw new CairnError('USAGE_ERROR', `${only.id} is not finished yet.`, {
      fix: 'Run `cairn forget --finish` first.',
    });
  await changeForgotten(paths.userRoot, ({ tombstones }) => tombstones.filter((each) => each.id !== only.id), {
    drop: { ids: [only.id] },
  });
  return only.what;
}

/** Conversations with these transcripts may be read in again. Texts stay out; `allowAgain` lifts those. Returns how many. */
export async function allowFiles(config: Config, files: readonly string[]): Promise<number> {
  const { userRoot } = config.paths;
  if (readForgotten(userRoot).tombstones.length === 0) return 0;
  const memory = await TraceMemory.open(config);
  const found = memory.find(files, { asText: true, unread: new Map() }).map(({ file }) => file);
  const names = namesOfLines(memory, found);
  await memory.close();
  const sessions = [...new Set(found.flatMap((file) => [sessionByName(file), sessionIn(file) ?? []].flat()))];
  let count = 0;
  const liftFrom = (known: Forgotten): Tombstone[] => {
    const keys = new Set([
      ...files.map((file) => known.fileKey(path.resolve(file))),
      ...sessions.map(known.sessionKey),
    ]);
    const threads = new Set(sessions.map(known.threadKey));
    return known.tombstones.flatMap((each) => {
      const left = {
        ...each,
        keys: each.keys.filter((key) => !keys.has(key)),
        lines: each.lines.filter(({ thread }) => !threads.has(thread)),
      };
      const lifted = each.keys.length - left.keys.length + each.lines.length - left.lines.length;
      count += lifted;
      const isEmpty = left.keys.length + left.lines.length + left.texts.length === 0;
      return lifted > 0 && isEmpty && left.unfinished === undefined ? [] : [left];
    });
  };
  await changeForgotten(userRoot, liftFrom, { drop: { names } });
  return count;
}
