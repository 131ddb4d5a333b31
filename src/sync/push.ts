// Puts what this machine has at the place: conversations that were held on it, what was forgotten on it, what was said and set on it.
// Objects come first, the manifest that names them last, and what nobody names any more goes after that: a kill at any moment leaves the
// place as it was, and objects that the next push finds there already.

import { CairnError } from '../errors.ts';
import { generationOf } from '../model/forks.ts';
import type { Archive, ArchiveEntry } from '../transcripts/archive/archive.ts';
import { version } from '../version.ts';
import { chunksOf, isSame } from './chunks.ts';
import {
  type ConversationRecord,
  type Generation,
  type Manifest,
  manifestText,
  objectsOf,
  pagesOf,
} from './manifest.ts';
import { type FileEntry, filesText, GONE, type MemoryFiles } from './memory-files.ts';
import { manifestName, objectName, type Place } from './place.ts';
import { type ForgottenThere, type Machine, type Machines, recordsOf } from './place-contents.ts';
import { type SharedValues, sharedText } from './shared-values.ts';
import { changeState, newNonce, readState, type SyncConfig } from './sync-state.ts';
import type { Vault } from './vault.ts';

export type Watched = {
  readonly stopped: () => boolean;
  readonly onProgress: (done: number, total: number, what: string) => void;
};

export type PushSource = Watched & {
  readonly place: Place;
  readonly vault: Vault;
  readonly config: SyncConfig;
  readonly userRoot: string;
  readonly machines: Machines;
  readonly archive: Archive;
  readonly now: () => Date;
  /** Said so by this machine or any other: neither is put there nor stays there. */
  readonly isForgotten: (record: Pick<ConversationRecord, 'source' | 'session' | 'reader'>) => boolean;
  /** False: nobody has forgotten anything, and nothing has to be looked for. */
  readonly anyForgotten: boolean;
  /** What cannot be asked on another machine. */
  readonly projectOf: (entry: ArchiveEntry) => string;
  readonly foldersOf: (entry: ArchiveEntry) => ConversationRecord['projects'];
  readonly forgotten: ForgottenThere | undefined;
  readonly shared: SharedValues;
  readonly memories?: PushedMemories | undefined;
  /** Everything is put there anew, whatever is there. */
  readonly again: boolean;
};

/** Files of memories that lie in no repository, and what is in them as far as it is here. */
export type PushedMemories = {
  readonly files: MemoryFiles;
  readonly textOf: (project: string, file: string) => string | undefined;
};

export type PushReport = {
  readonly conversations: number;
  /** Of those, new or longer than they were. */
  changed: number;
  objects: number;
  bytes: number;
  removed: number;
  /** Files of memories that lie in no repository. */
  files: number;
  problems: string[];
  finished: boolean;
};

/** So much is put at the place before others get to see it: a long first push that is interrupted goes on from there. */
const FLUSH_BYTES = 64 * 1024 * 1024;

/** `pushed`: the files of memories with the objects that hold them. */
export async function push(source: PushSource): Promise<PushReport & { pushed: MemoryFiles }> {
  const { place, vault, config, machines, userRoot } = source;
  const folder = vault.folderOf(config.machine);
  const there = new Set([...(await place.list())].filter((name) => name.startsWith(`${folder}/`)));
  const report: PushReport = {
    conversations: 0,
    changed: 0,
    objects: 0,
    bytes: 0,
    removed: 0,
    files: 0,
    problems: [],
    finished: true,
  };
  let waiting = 0;
  const put = async (plain: Uint8Array): Promise<string> => {
    const hash = vault.hashOf(plain);
    const name = objectName(folder, hash);
    if (there.has(name) && !(source.again && !fresh.has(name))) return hash;
    const sealed = await vault.seal(plain);
    await place.put(name, sealed);
    there.add(name);
    fresh.add(name);
    report.objects++;
    report.bytes += sealed.length;
    waiting += sealed.length;
    if (waiting >= FLUSH_BYTES) {
      await place.flush();
      waiting = 0;
    }
    return hash;
  };
  const fresh = new Set<string>();
  const { before, hadForgotten } = await ownRecords(source, report);
  const own = { put, there, folder, report, isRewritten: false };
  const records = await currentRecords(source, before, own);
  const memories = await putMemories(source, own);
  const manifest = { ...(await writtenManifest(source, records, put)), ...memories.named };
  const same = isSameContent(machines.own?.manifest, manifest);
  if (!same || report.objects > 0) {
    // Noted before it is put there: a kill in between must not look like somebody else under this name.
    const { counter } = changeState(userRoot, (state) => ({
      ...state,
      counter: Math.max(state.counter, machines.own?.manifest.counter ?? 0) + 1,
      nonces: [...state.nonces, manifest.nonce],
    }));
    await place.put(manifestName(folder), await vault.sealManifest(folder, manifestText({ ...manifest, counter })));
    await place.flush();
  }
  const isForget = hadForgotten || own.isRewritten || manifest.forgotten !== machines.own?.manifest.forgotten;
  await removeUnnamed(source, { folder, manifest, records, report, isForget, objects: memories.objects });
  changeState(userRoot, (state) => ({ ...state, pushedAt: source.now().toISOString() }));
  return Object.assign(report, {
    conversations: records.length,
    files: memories.objects.length,
    pushed: memories.files,
  });
}

type PutMemories = {
  readonly named: Pick<Manifest, 'memories'> | object;
  readonly objects: readonly string[];
  readonly files: MemoryFiles;
};

/** Each file an object of its own. What is neither here nor there is not spoken of. */
async function putMemories({ memories }: PushSource, { put, there, folder }: Putting): Promise<PutMemories> {
  if (!memories) return { named: {}, objects: [], files: new Map() };
  const files = new Map<string, Map<string, FileEntry>>();
  for (const [project, entries] of memories.files) {
    const told = new Map<string, FileEntry>();
    for (const [name, entry] of entries) {
      const text = memories.textOf(project, name);
      if (text !== undefined) told.set(name, { ...entry, object: await put(Buffer.from(text)) });
      else if (entry.hash === GONE) told.set(name, entry);
      else if (entry.object !== undefined && there.has(objectName(folder, entry.object))) told.set(name, entry);
    }
    files.set(project, told);
  }
  const held = [...files.values()].flatMap((entries) => [...entries.values()].flatMap(({ object }) => object ?? []));
  const listed = await put(Buffer.from(filesText(files)));
  return { named: { memories: listed }, objects: [...new Set(held)], files };
}

/** What this machine has put there before. What cannot be read is put there anew, as far as it is still here. */
async function ownRecords(
  { place, vault, machines, again, isForgotten }: PushSource,
  report: PushReport,
): Promise<Before> {
  if (!machines.own) return { before: new Map(), hadForgotten: false };
  try {
    const records = await recordsOf(place, vault, machines.own);
    const kept = records.filter((each) => !isForgotten(each));
    return { before: new Map(kept.map((each) => [each.source, each])), hadForgotten: kept.length < records.length };
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    if (!again) throw error;
    report.problems.push(`${error.message} What is still in the archive of this machine was put there anew.`);
    return { before: new Map(), hadForgotten: false };
  }
}

type Before = { readonly before: ReadonlyMap<string, ConversationRecord>; readonly hadForgotten: boolean };

type Putting = {
  readonly put: (plain: Uint8Array) => Promise<string>;
  readonly there: ReadonlySet<string>;
  readonly folder: string;
  readonly report: PushReport;
  /** Lines that were there are others now: somebody has taken a secret or a statement out of them. */
  isRewritten: boolean;
};

async function currentRecords(
  source: PushSource,
  before: ReadonlyMap<string, ConversationRecord>,
  putting: Putting,
): Promise<ConversationRecord[]> {
  const { there, folder, report } = putting;
  const records = new Map(before);
  const own = source.archive.entries().filter((entry) => !entry.origin && entry.line > 0 && !source.isForgotten(entry));
  const total = own.reduce((sum, { gzBytes, tail }) => sum + gzBytes + (tail?.bytes ?? 0), 0);
  let done = 0;
  for (const entry of own) {
    source.onProgress(done, total, entry.source);
    await new Promise((resolve) => setImmediate(resolve)); // or no Ctrl-C would be heard
    if (source.stopped()) {
      report.finished = false;
      break;
    }
    const known = before.get(entry.source);
    const isThere =
      !source.again && known !== undefined && objectsOf(known).every((hash) => there.has(objectName(folder, hash)));
    try {
      const record = await recordOf(source, entry, isThere ? known : undefined, putting);
      if (record !== known) {
        records.set(entry.source, record);
        report.changed++;
      }
    } catch (error) {
      if (!(error instanceof CairnError && error.code === 'READ_ERROR')) throw error;
      report.problems.push(`${error.message} What is at the place of it stays.`);
    }
    done += entry.gzBytes + (entry.tail?.bytes ?? 0);
  }
  source.onProgress(total, total, '');
  return [...records.values()];
}

async function recordOf(
  { archive, projectOf, foldersOf }: PushSource,
  entry: ArchiveEntry,
  known: ConversationRecord | undefined,
  putting: Putting,
): Promise<ConversationRecord> {
  const generations: Generation[] = [];
  let isChanged = known === undefined;
  for (const each of [...archive.olderFor(entry.source), entry]) {
    const name = generationOf(each.forks);
    const before = known?.generations.find(({ forks }) => generationOf(forks) === name);
    if (before && isSame(before, each)) generations.push(before);
    else {
      isChanged = true;
      const { chunks, isRewritten } = await chunksOf(archive.lines(each), before?.chunks ?? [], putting.put);
      putting.isRewritten ||= isRewritten;
      const { forks, offset, line, mark } = each;
      generations.push({ forks: [...forks], offset, line, mark, chunks });
    }
  }
  const { source, session, reader, cwd, branch, updatedAt } = entry;
  const project = projectOf(entry);
  if (known && !isChanged && known.project === project && known.generations.length === generations.length) return known;
  return {
    ...{ source, session, reader, project, projects: foldersOf(entry), updatedAt, generations },
    ...(cwd === undefined ? {} : { cwd }),
    ...(branch === undefined ? {} : { branch }),
  };
}

async function writtenManifest(
  { config, forgotten, shared, now, userRoot }: PushSource,
  records: readonly ConversationRecord[],
  put: Putting['put'],
): Promise<Manifest> {
  const pages: string[] = [];
  for (const page of pagesOf(records)) pages.push(await put(Buffer.from(page)));
  const { machine, label } = config;
  return {
    ...{
      v: 1,
      machine,
      label,
      counter: readState(userRoot).counter + 1,
      nonce: newNonce(),
      at: now().toISOString(),
      app: version,
      pages,
    },
    ...(shared.size === 0 ? {} : { shared: await put(Buffer.from(sharedText(shared))) }),
    ...(forgotten ? { forgotten: await put(Buffer.from(JSON.stringify(forgotten))) } : {}),
  };
}

const isSameContent = (one: Manifest | undefined, other: Manifest): boolean =>
  one !== undefined &&
  one.label === other.label &&
  one.shared === other.shared &&
  one.forgotten === other.forgotten &&
  one.memories === other.memories &&
  one.pages.join() === other.pages.join();

type Named = {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly records: readonly ConversationRecord[];
  readonly report: PushReport;
  readonly isForget: boolean;
  /** Files of memories. */
  readonly objects: readonly string[];
};

/** Of this machine what it names no more; of every machine what somebody has forgotten. */
async function removeUnnamed(
  source: PushSource,
  { folder, manifest, records, report, isForget, objects }: Named,
): Promise<void> {
  const { place, machines, anyForgotten } = source;
  const { pages, shared, forgotten, memories } = manifest;
  const single = [shared, forgotten, memories].filter((each) => each !== undefined);
  const hashes = [...pages, ...records.flatMap(objectsOf), ...single, ...objects];
  const named = new Set([manifestName(folder), ...hashes.map((hash) => objectName(folder, hash))]);
  const there = await place.list();
  const gone = [...there].filter((name) => name.startsWith(`${folder}/`) && !named.has(name));
  let forget = isForget;
  for (const machine of anyForgotten ? machines.others : []) {
    const left = (await forgottenObjects(source, machine)).filter((name) => there.has(name));
    forget ||= left.length > 0;
    gone.push(...left);
  }
  if (gone.length === 0) return;
  await place.remove(gone);
  await place.flush({ forget });
  report.removed = gone.length;
}

/** Objects that hold nothing but forgotten conversations of another machine. */
async function forgottenObjects({ place, vault, isForgotten }: PushSource, machine: Machine): Promise<string[]> {
  try {
    const records = await recordsOf(place, vault, machine);
    const kept = new Set(records.filter((each) => !isForgotten(each)).flatMap(objectsOf));
    const gone = new Set(records.filter(isForgotten).flatMap(objectsOf));
    return [...gone].filter((hash) => !kept.has(hash)).map((hash) => objectName(machine.folder, hash));
  } catch (error) {
    if (error instanceof CairnError) return []; // named by whoever pulls
    throw error;
  }
}
