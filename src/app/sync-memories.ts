// Memories that lie in no repository, between the machines of one person (`cairn sync init --memories`): which folders those are, what is in
// them, and bringing them to what all machines agree on, under the lock of each memory. docs/SYNC.md describes it.

import fs from 'node:fs';
import path from 'node:path';
import { type Config, isTrusted, loadConfig } from '../config/load.ts';
import { CairnError, messageOf } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { workTreeAround } from '../files/git-files.ts';
import { readText } from '../files/json-file.ts';
import { type Lock, withLock } from '../files/lock.ts';
import { realPath } from '../files/paths.ts';
import { readRegistry } from '../files/project-registry.ts';
import { NODES_FOLDER } from '../model/notes.ts';
import { noteFiles } from '../notes/vault.ts';
import { deleteKeepingCopy } from '../records/deleted-copies.ts';
import { rebuildIndex } from '../records/index-upkeep.ts';
import { lockDir } from '../records/record-store.ts';
import { repairRecords } from '../records/repair-records.ts';
import { recordFiles } from '../records/scan.ts';
import {
  besideOf,
  entriesNow,
  type FileEntries,
  type FileEntry,
  filesText,
  GONE,
  hashOf,
  isCarried,
  type MemoryFiles,
  mergedEntry,
  readFiles,
  renamedText,
} from '../sync/memory-files.ts';
import type { Machine } from '../sync/place-contents.ts';
import { readObjects } from '../sync/place-contents.ts';
import type { PushedMemories } from '../sync/push.ts';
import { syncFolder } from '../sync/sync-state.ts';
import { openProject, type Project } from './project.ts';
import type { Run } from './sync-run.ts';

/** A memory of a project that lies in no repository. */
export type OutsideMemory = { readonly project: string; readonly root: string; readonly opened: Project };

const MAX_FILE = 1024 * 1024;
const stateFile = (userRoot: string): string => path.join(syncFolder(userRoot), 'memories.json');

/** Of every project that this machine knows and has a folder of. */
export function outsideMemories(config: Config, env: NodeJS.ProcessEnv, now: () => Date, problems: string[] = []) {
  const found: OutsideMemory[] = [];
  for (const { id, places } of readRegistry(config.paths.userRoot).projects) {
    const place = [...places].sort((a, b) => (a.seen < b.seen ? 1 : -1)).find((each) => fs.existsSync(each.path));
    if (!place) continue;
    try {
      const own = loadConfig({ cwd: place.path, env });
      const root = realPath(own.paths.memoryRoot);
      if (!isTrusted(own.trust) || workTreeAround(nearest(root)) !== undefined) continue;
      found.push({ project: id, root, opened: openProject(own, now) });
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      problems.push(`The memory of ${place.path}: ${error.message}`);
    }
  }
  return found;
}

/** The folder, or the one above that is there. */
function nearest(folder: string): string {
  for (let at = folder; ; at = path.dirname(at)) if (fs.existsSync(at) || path.dirname(at) === at) return at;
}

type Read = { readonly files: ReadonlyMap<string, { hash: string; at: string; text: string }> };

function readMemory({ root, opened }: OutsideMemory): Read {
  const { recordStore } = opened;
  const named = [
    ...recordStore.kinds.categories.flatMap((category) =>
      recordFiles(recordStore, category, [])
        .filter(({ isPlain }) => isPlain)
        .map(({ file }) => file),
    ),
    ...noteFiles(root).map(({ file }) => file),
  ];
  const files = new Map<string, { hash: string; at: string; text: string }>();
  for (const file of named) {
    const name = path.relative(root, file).split(path.sep).join('/');
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (!isCarried(name) || !stat?.isFile() || stat.size > MAX_FILE) continue;
    const text = readText(file, MAX_FILE);
    if (text !== undefined) files.set(name, { hash: hashOf(text), at: stat.mtime.toISOString(), text });
  }
  return { files };
}

type State = { readonly root: string; readonly entries: FileEntries };

/** What this machine said last of each memory, and where that was. */
function readStates(userRoot: string): Map<string, State> {
  const text = readText(stateFile(userRoot), 64 * MAX_FILE);
  const roots = new Map<string, string>();
  const data = text === undefined ? undefined : (JSON.parse(text) as { roots?: Record<string, unknown> });
  for (const [project, root] of Object.entries(data?.roots ?? {}))
    if (typeof root === 'string') roots.set(project, root);
  const files = readFiles(text ?? '');
  return new Map([...files].map(([project, entries]) => [project, { root: roots.get(project) ?? '', entries }]));
}

function writeStates(userRoot: string, states: ReadonlyMap<string, State>): void {
  const files = new Map([...states].map(([project, { entries }]) => [project, entries]));
  const roots = Object.fromEntries([...states].map(([project, { root }]) => [project, root]));
  fs.mkdirSync(syncFolder(userRoot), { recursive: true, mode: 0o700 });
  const text = JSON.stringify({ ...(JSON.parse(filesText(files)) as object), roots });
  atomicWrite(stateFile(userRoot), `${text}\n`, { mode: 0o600 });
}

type Known = { readonly memory: OutsideMemory; readonly entries: Map<string, FileEntry>; readonly read: Read };

/** `undefined`, and said so: a folder that is gone or was emptied has not been tidied up, it is not connected. */
function look(memory: OutsideMemory, state: State | undefined, now: () => Date, problems: string[]): Known | undefined {
  const before: FileEntries = state?.root === memory.root ? state.entries : new Map();
  const read = readMemory(memory);
  const had = [...before.values()].some(({ hash }) => hash !== GONE);
  if (had && read.files.size === 0) {
    problems.push(
      `The memory ${memory.root} is empty, and was not at the last sync: it is left alone until its files are back. (Really empty? cairn sync status --memories off, then on)`,
    );
    return undefined;
  }
  return { memory, read, entries: entriesNow(before, read.files, now().toISOString()) };
}

/** What a push puts at the place of them, and how the state is noted afterwards. */
export type MemoriesToPush = PushedMemories & {
  /** With the objects that hold them. */
  readonly done: (files: MemoryFiles) => void;
};

export function memoriesToPush({ config, env, now, problems, sync }: Run): MemoriesToPush | undefined {
  const { userRoot } = config.paths;
  if (!sync.memories) return undefined;
  const states = readStates(userRoot);
  const texts = new Map<string, string>();
  for (const memory of outsideMemories(config, env, now, problems)) {
    const known = look(memory, states.get(memory.project), now, problems);
    if (!known) continue;
    states.set(memory.project, { root: memory.root, entries: known.entries });
    for (const [name, { text }] of known.read.files) texts.set(`${memory.project}\0${name}`, text);
  }
  // Of a memory that is not here today what was said of it stays at the place: the objects are there already.
  const files = new Map([...states].map(([project, { entries }]) => [project, entries]));
  return {
    files,
    textOf: (project, file) => texts.get(`${project}\0${file}`),
    done: (pushed) => {
      for (const [project, state] of states)
        states.set(project, { ...state, entries: new Map([...state.entries, ...(pushed.get(project) ?? [])]) });
      writeStates(userRoot, states);
    },
  };
}

export type PulledMemories = {
  /** Files that changed here. */
  readonly files: number;
  /** What two machines changed without knowing of each other: the older is kept beside the newer. */
  readonly conflicts: readonly string[];
};

export const NO_MEMORIES: PulledMemories = { files: 0, conflicts: [] };

export async function pullMemories(run: Run): Promise<PulledMemories> {
  const { config, env, now, problems, sync, machines, watched } = run;
  const { userRoot } = config.paths;
  if (!sync.memories) return NO_MEMORIES;
  const there = await filesElsewhere(run, machines.others);
  const states = readStates(userRoot);
  let files = 0;
  const conflicts: string[] = [];
  for (const memory of outsideMemories(config, env, now, problems)) {
    if (watched.stopped()) break;
    const others = there.filter((each) => each.files.has(memory.project));
    const known = others.length === 0 ? undefined : look(memory, states.get(memory.project), now, problems);
    if (!known) continue;
    try {
      const agreed = await agree(run, known, others);
      const { changed, left } = await apply(known, agreed);
      files += changed;
      conflicts.push(...agreed.conflicts);
      const entries = new Map(agreed.entries);
      for (const name of left) {
        const before = known.entries.get(name);
        if (before) entries.set(name, before);
        else entries.delete(name);
      }
      states.set(memory.project, { root: memory.root, entries });
      writeStates(userRoot, states); // one memory at a time: what is stopped goes on with the next
    } catch (error) {
      if (!(error instanceof CairnError) || error.code === 'IO_ERROR') throw error;
      problems.push(`The memory ${memory.root}: ${messageOf(error)} ${error.fix ?? ''}`.trim());
    }
  }
  return { files, conflicts };
}

type Elsewhere = { readonly machine: Machine; readonly files: MemoryFiles };

async function filesElsewhere({ place, vault, problems }: Run, others: readonly Machine[]): Promise<Elsewhere[]> {
  const found: Elsewhere[] = [];
  for (const machine of others) {
    if (machine.manifest.memories === undefined) continue;
    try {
      const [plain] = await readObjects(place, vault, machine.folder, [machine.manifest.memories]);
      found.push({ machine, files: readFiles(Buffer.from(plain ?? []).toString('utf8')) });
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      problems.push(`From ${machine.manifest.label}: ${error.message} ${error.fix ?? ''}`.trim());
    }
  }
  return found;
}

type Agreed = {
  readonly entries: Map<string, FileEntry>;
  /** Content of what has to be written. */
  readonly texts: ReadonlyMap<string, string>;
  readonly conflicts: readonly string[];
};

async function agree(run: Run, { memory, entries, read }: Known, others: readonly Elsewhere[]): Promise<Agreed> {
  const agreed = new Map(entries);
  const texts = new Map<string, string>();
  const conflicts: string[] = [];
  const contents = new Map<string, string>([...read.files.values()].map(({ hash, text }) => [hash, text]));
  const folders = new Set(memory.opened.recordStore.kinds.categories.map(({ folder }) => folder));
  const isOurs = (name: string): boolean =>
    folders.has(name.split('/')[0] ?? '') || name.startsWith(`${NODES_FOLDER}/`);
  /** Reads the content of an entry that another machine has. */
  const contentOf = async (machine: Machine, { hash, object }: FileEntry): Promise<string> => {
    const known = contents.get(hash);
    if (known !== undefined) return known;
    const [plain] = await readObjects(run.place, run.vault, machine.folder, object === undefined ? [] : [object]);
    const text = Buffer.from(plain ?? []).toString('utf8');
    if (hashOf(text) !== hash)
      throw new CairnError('READ_ERROR', `A file of ${machine.manifest.label} is not what it should be.`, {
        fix: 'On that machine: cairn sync push --again',
      });
    contents.set(hash, text);
    return text;
  };
  for (const { machine, files } of others)
    for (const [name, theirs] of files.get(memory.project) ?? []) {
      if (!isOurs(name)) continue; // a category that is set up on that machine alone
      const ours = agreed.get(name);
      const { entry, lost } = ours ? mergedEntry(ours, theirs) : { entry: theirs };
      const { object: _, ...told } = entry;
      if (entry.hash !== GONE && entry.hash !== ours?.hash) await contentOf(machine, theirs);
      if (lost) {
        const text = renamedText(await contentOf(machine, lost), besideOf(name, lost.hash));
        const beside = besideOf(name, lost.hash);
        const kept = { hash: hashOf(text), at: lost.at, past: [] };
        contents.set(kept.hash, text);
        const known = agreed.get(beside);
        if (!known) {
          agreed.set(beside, kept);
          conflicts.push(`${path.join(memory.root, name)}: the older version is in ${beside}`);
        }
      }
      agreed.set(
        name,
        entry.hash === ours?.hash && ours.object !== undefined ? { ...told, object: ours.object } : told,
      );
    }
  for (const [name, { hash }] of agreed)
    if (hash !== GONE && read.files.get(name)?.hash !== hash) {
      const text = contents.get(hash);
      if (text !== undefined) texts.set(name, text);
    }
  return { entries: agreed, texts, conflicts };
}

/** `left`: what somebody changed meanwhile stays as it is, for the next time. */
type Applied = { readonly changed: number; readonly left: readonly string[] };

async function apply({ memory, read }: Known, { entries, texts }: Agreed): Promise<Applied> {
  const { recordStore } = memory.opened;
  const gone = [...entries].filter(([name, { hash }]) => hash === GONE && read.files.has(name)).map(([name]) => name);
  if (texts.size + gone.length === 0) return { changed: 0, left: [] };
  fs.mkdirSync(memory.root, { recursive: true, mode: 0o700 });
  recordStore.found?.();
  let changed = 0;
  const left: string[] = [];
  const isAsRead = (name: string): boolean => {
    const text = readText(path.join(memory.root, name), MAX_FILE);
    const isSame = (text === undefined ? undefined : hashOf(text)) === read.files.get(name)?.hash;
    if (!isSame) left.push(name);
    return isSame;
  };
  const notes = { ...recordStore, deletedCopies: path.join(path.dirname(recordStore.deletedCopies), 'notes') };
  const work = (lock: Lock): void => {
    for (const [name, text] of texts) {
      if (!isAsRead(name)) continue;
      const file = path.join(memory.root, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      atomicWrite(file, text, { beforeCommit: () => lock.assertHeld() });
      changed++;
    }
    for (const name of gone) {
      if (!isAsRead(name)) continue;
      const file = path.join(memory.root, name);
      deleteKeepingCopy(name.startsWith(`${NODES_FOLDER}/`) ? notes : recordStore, file, fs.readFileSync(file));
      lock.assertHeld();
      fs.rmSync(file, { force: true });
      changed++;
    }
  };
  await withLock(lockDir(recordStore), work, { repair: repairRecords(recordStore) });
  if (changed > 0) await rebuildIndex(recordStore, { keepMissingIfEmpty: true });
  return { changed, left };
}

/** Switched off and on again, a memory that is empty counts as one that knows nothing yet. */
export const forgetMemories = (userRoot: string): void => fs.rmSync(stateFile(userRoot), { force: true });
