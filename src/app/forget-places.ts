// Everything that Cairn keeps of a conversation beside its rows, place by place. Each step counts what there is and, when it is told
// so, removes it; doing it twice is doing it once. The preview and the removal are the same code.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { journalsOf } from '../capture/journal.ts';
import type { Config } from '../config/load.ts';
import { isSystemError } from '../errors.ts';
import { atomicWrite, TEMPORARY_SUFFIX } from '../files/atomic-write.ts';
import { filesBelow } from '../files/folder-stats.ts';
import { withLock } from '../files/lock.ts';
import { isLog, rewriteLog } from '../files/rewrite-log.ts';
import { forgetSettled } from '../files/settled.ts';
import { askGraph, GRAPH_NAME, rebuildGraph } from '../indexing/graph/graph-file.ts';
import { forgetShown } from '../learning/already-shown.ts';
import { forgetLearned } from '../learning/feedback.ts';
import { forgetInjections } from '../learning/injection-log.ts';
import { isSummaryOf } from '../model/own-summary.ts';
import { sectionsOfGraph } from '../notes/front-page.ts';
import { isGenerated } from '../notes/generated-mark.ts';
import { loadNote, noteFiles, type StoredNote } from '../notes/vault.ts';
import { draftFilesOf } from '../records/drafts.ts';
import { rebuildIndex, refreshIndex } from '../records/index-upkeep.ts';
import { INDEX_NAME, LOCK_NAME } from '../records/record-store.ts';
import { refinementFile } from '../refine/refinement-file.ts';
import type { Document } from '../store/store.ts';
import { openProject } from './project.ts';
import type { TraceMemory } from './trace-memory.ts';
import { archiveRoot, searchTextsFolder } from './user-files.ts';

/** What goes: names only, never what was said. */
export type Gone = {
  readonly sessions: ReadonlySet<string>;
  /** Transcripts. */
  readonly files: readonly string[];
  /** Rows that go. */
  readonly documents: readonly Document[];
  readonly notes: readonly StoredNote[];
};

export type Counts = { [place: string]: number };

export type PlannedMemory = {
  readonly name: string;
  readonly title: string;
  readonly from?: number;
  readonly to?: number;
};

const STALE_TEMPORARY_MS = 60_000;

/** `transcript`: the client's own files too. */
export async function removePlaces(
  memory: TraceMemory,
  gone: Gone,
  { apply, transcript }: { apply: boolean; transcript: boolean },
): Promise<Counts> {
  const { config } = memory;
  const { userRoot } = config.paths;
  const refs = new Set([...gone.documents.map(({ ref }) => ref), ...gone.notes.map(({ id }) => `note:${id}`)]);
  const named = { sessions: gone.sessions, refs };
  return {
    'archived transcripts': await removeArchived(memory, gone.files, apply),
    'notes of sessions': await removeNotes(config, gone.notes, apply),
    'summaries of sessions': await removeSummaries(memory, gone.sessions, apply),
    'copies of removed notes': removeCopies(config, gone, apply),
    'journals of sessions': removeFiles(
      [...gone.sessions].flatMap((session) => journalsOf(userRoot, session)),
      apply,
    ),
    'injection log': forgetInjections(userRoot, named, apply),
    'what prompts were told': [...gone.sessions].filter((session) => forgetShown(userRoot, session, apply)).length,
    'what was learned': await forgetLearned(userRoot, named, apply),
    'what was settled': await forgetSettled(userRoot, named, apply),
    'answers of a model': removeFiles(refinementsOf(config, gone.documents), apply),
    'lines of logs': removeLogLines(config, gone, apply),
    'triage files': removeTriage(gone.sessions, apply),
    drafts: removeFiles(
      (await memoryRoots(memory)).flatMap((root) => draftFilesOf(root, gone.sessions)),
      apply,
    ),
    'endings that wait': removeFiles(endingsOf(config, gone.sessions), apply),
    ...(transcript ? { 'transcripts of the client': removeTranscripts(gone.files, apply) } : {}),
  };
}

async function removeArchived({ archive }: TraceMemory, files: readonly string[], apply: boolean): Promise<number> {
  const sources = new Set(archive.entries().map(({ source }) => source));
  // Also what no entry names any more: a killed writer may have left lines.
  if (apply) for (const file of files) await archive.remove(file);
  return files.filter((file) => sources.has(file)).length;
}

/** Notes that Cairn wrote about these sessions and nobody has changed: session notes always, captured ones while they are its own. */
export function notesOf(
  roots: readonly string[],
  sessions: ReadonlySet<string>,
): { go: StoredNote[]; stay: StoredNote[] } {
  const own = roots
    .flatMap((root) => noteFiles(root))
    .flatMap((file) => loadNote(file, []) ?? [])
    .filter(({ sessionId }) => sessionId !== undefined && sessions.has(sessionId));
  const goes = (note: StoredNote): boolean => note.kind.type === 'session' || isGenerated(note.frontMatter.toString());
  return { go: own.filter(goes), stay: own.filter((note) => !goes(note)) };
}

/** The memory roots that the store knows, and that of this project. */
export async function memoryRoots({ store, config }: TraceMemory): Promise<string[]> {
  const known = (await store.state({ prefix: 'files:' })).map(({ key }) => key.slice('files:'.length));
  const roots = [config.paths.memoryRoot, ...known.filter((root) => !root.includes('|'))];
  return [...new Set(roots.filter((root) => fs.existsSync(root)).map((root) => fs.realpathSync(root)))];
}

async function removeNotes(config: Config, notes: readonly StoredNote[], apply: boolean): Promise<number> {
  if (!apply) return notes.length;
  const rootOf = ({ file, relativePath }: StoredNote): string => file.slice(0, -relativePath.length - 1);
  for (const root of new Set(notes.map(rootOf))) {
    const own = notes.filter((note) => rootOf(note) === root);
    await withLock(path.join(root, LOCK_NAME), () => {
      for (const { file } of own) fs.rmSync(file, { force: true });
      fs.rmSync(path.join(root, GRAPH_NAME), { force: true });
      dropLines(
        path.join(root, INDEX_NAME),
        own.map(({ id }) => id),
      );
    });
  }
  await drawAnew(config);
  return notes.length;
}

/** The records that the end of these sessions left, whoever changed them, and copies of them. */
async function summariesOf(memory: TraceMemory, sessions: ReadonlySet<string>): Promise<string[]> {
  const roots = await memoryRoots(memory);
  const folders = roots.flatMap((root) => namesIn(root).map((folder) => path.join(root, folder)));
  const isTheirs = (name: string): boolean => [...sessions].some((session) => isSummaryOf(session, name));
  const files = folders.flatMap((folder) => namesIn(folder).map((name) => path.join(folder, name)));
  const copies = [...filesBelow(path.join(archiveRoot(memory.config), 'records'))].map(({ file }) => file);
  return [...files, ...copies].filter((file) => isTheirs(path.basename(file)));
}

/** Told unasked to nobody, and of one session: of lines that go from it, all of it goes. */
export async function removeSummaries(
  memory: TraceMemory,
  sessions: ReadonlySet<string>,
  apply: boolean,
): Promise<number> {
  const files = await summariesOf(memory, sessions);
  const count = removeFiles(files, apply);
  if (apply && count > 0) await drawAnew(memory.config);
  return count;
}

/** index.md and graph.json of this project, as the files are now. */
export async function drawAnew(config: Config): Promise<void> {
  if (!fs.existsSync(config.paths.memoryRoot)) return;
  const { recordStore, place } = openProject(config, () => new Date());
  fs.rmSync(path.join(recordStore.root, GRAPH_NAME), { force: true });
  rebuildGraph(place);
  if (fs.existsSync(path.join(recordStore.root, INDEX_NAME))) {
    await rebuildIndex(recordStore);
    await refreshIndex(recordStore, askGraph(place, sectionsOfGraph));
  }
}

/** Copies of notes are kept by id and time, for all projects in one folder; what is in them tells whose they are. */
function removeCopies(config: Config, { sessions, notes }: Gone, apply: boolean): number {
  const ids = new Set(notes.map(({ id }) => id));
  const folder = path.join(archiveRoot(config), 'notes');
  const copies = [...filesBelow(folder)].map(({ file }) => file);
  return removeFiles(
    copies.filter((file) => {
      if (ids.has(path.basename(file).replace(/\.\d{4}-\d\d-\d\dT.*$/, ''))) return true;
      const session = /^session_id: *"?([^"\n]+?)"? *$/m.exec(fs.readFileSync(file, 'utf8').slice(0, 4_096))?.[1];
      return session !== undefined && sessions.has(session);
    }),
    apply,
  );
}

function refinementsOf({ paths }: Config, documents: readonly Document[]): string[] {
  const folder = path.join(paths.userRoot, 'refinements');
  return documents
    .filter(({ kind }) => kind === 'span')
    .map(({ project, ref }) => refinementFile(folder, { project, span: ref }))
    .filter((file) => fs.existsSync(file));
}

/** A line of a log that names a session, its transcript or its note may quote it. */
function removeLogLines({ paths }: Config, { sessions, files, notes }: Gone, apply: boolean): number {
  const names = [...sessions, ...files, ...notes.map(({ id }) => id)].filter((name) => name.length >= 4);
  let count = 0;
  for (const { file } of filesBelow(path.join(paths.userRoot, 'log')))
    if (/\.log(?:\.\d+)?$/.test(file)) count += dropLines(file, names, apply);
  return count;
}

function dropLines(file: string, names: readonly string[], apply = true): number {
  if (names.length === 0 || !fs.existsSync(file)) return 0;
  const without = (text: string): string =>
    text
      .split('\n')
      .filter((line) => !names.some((name) => line.includes(name)))
      .join('\n');
  const before = fs.readFileSync(file, 'utf8');
  const left = without(before);
  if (apply && left !== before) {
    if (isLog(file)) rewriteLog(file, without);
    else atomicWrite(file, left, { mode: 0o600 });
  }
  return before.split('\n').length - left.split('\n').length;
}

/** Contexts that triage wrote for the model, in the folder of temporary files. */
function removeTriage(sessions: ReadonlySet<string>, apply: boolean): number {
  const parent = path.join(os.tmpdir(), `cairn-triage-${process.getuid?.() ?? 'user'}`);
  const own = namesIn(parent).filter((name) => sessions.has(name.slice(name.indexOf('-') + 1)));
  if (apply) for (const name of own) fs.rmSync(path.join(parent, name), { recursive: true, force: true });
  return own.length;
}

/** What a worker was to be told about the end of a session. */
function endingsOf({ paths }: Config, sessions: ReadonlySet<string>): string[] {
  const files = [...filesBelow(path.join(paths.userRoot, 'endings'))].map(({ file }) => file);
  return files.filter((file) => {
    const text = fs.readFileSync(file, 'utf8');
    return [...sessions].some((session) => text.includes(session));
  });
}

/** With the folder of a conversation, where its subagents and the output of its tools are. */
function removeTranscripts(files: readonly string[], apply: boolean): number {
  const there = files.filter((file) => fs.existsSync(file));
  if (apply)
    for (const file of there) {
      fs.rmSync(file, { force: true });
      if (/\.jsonl$/i.test(file)) fs.rmSync(file.replace(/\.jsonl$/i, ''), { recursive: true, force: true });
    }
  return there.length;
}

function removeFiles(files: readonly string[], apply: boolean): number {
  if (apply) for (const file of files) fs.rmSync(file, { force: true });
  return files.length;
}

/** What killed writers left may hold anything, and so may the words that searches keep; the next search makes those anew. */
export function sweepTemporaries(config: Config): void {
  const { paths } = config;
  fs.rmSync(searchTextsFolder(config), { recursive: true, force: true });
  for (const root of [paths.userRoot, paths.memoryRoot])
    for (const { file, stats } of filesBelow(root, (name) => name !== '.git' && name !== 'node_modules'))
      if (file.endsWith(TEMPORARY_SUFFIX) && Date.now() - stats.mtimeMs > STALE_TEMPORARY_MS)
        fs.rmSync(file, { force: true });
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
