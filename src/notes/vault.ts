// The notes on disk: `nodes/<folder>/<id>.md` below the memory root. Reads all of them, finds one, and is the only
// writer; it shares the lock with the records, because links join the two.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError, messageOf } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { readText } from '../files/json-file.ts';
import { SESSION_NOTES } from '../files/memory-gitignore.ts';
import { isInside, realPath } from '../files/paths.ts';
import { NODES_FOLDER, NOTE_ID, NOTE_KINDS, type NoteKind } from '../model/notes.ts';
import { type Note, readNote } from './note.ts';

/** A larger note is a mistake: it is named in the report and not read. */
export const MAX_NOTE_BYTES = 1024 * 1024;

export type StoredNote = Note & {
  readonly file: string;
  /** `nodes/decisions/decision-001-jwt.md`, from the memory root. */
  readonly relativePath: string;
  readonly mtimeMs: number;
  readonly size: number;
};

export type VaultProblem = { path: string; message: string };
export type NoteFile = {
  file: string;
  relativePath: string;
  folder: string;
  name: string;
  mtimeMs: number;
  size: number;
};

/** Every Markdown file of the vault, without reading it. */
export function noteFiles(memoryRoot: string, problems: VaultProblem[] = []): NoteFile[] {
  const found: NoteFile[] = [];
  const nodes = path.join(memoryRoot, NODES_FOLDER);
  for (const folder of [...NOTE_KINDS.map((kind) => kind.folder), '']) {
    const directory = path.join(nodes, folder);
    for (const entry of entriesOf(directory, memoryRoot, problems)) {
      if (!entry.name.endsWith('.md') || entry.name.startsWith('.') || entry.isDirectory()) continue;
      const file = path.join(directory, entry.name);
      const relativePath = [NODES_FOLDER, folder, entry.name].filter(Boolean).join('/');
      if (entry.isSymbolicLink() && !isInside(memoryRoot, realPath(file))) {
        problems.push({ path: relativePath, message: 'the file is a link that leads outside the memory root' });
        continue;
      }
      const stat = fs.statSync(file, { throwIfNoEntry: false });
      if (stat?.isFile())
        found.push({
          file,
          relativePath,
          folder,
          name: entry.name.slice(0, -3),
          mtimeMs: stat.mtimeMs,
          size: stat.size,
        });
    }
  }
  return found.sort((a, b) => (a.relativePath < b.relativePath ? -1 : 1));
}

function entriesOf(directory: string, memoryRoot: string, problems: VaultProblem[]): fs.Dirent[] {
  try {
    const entries = fs.readdirSync(directory, { withFileTypes: true });
    if (entries.length === 0 || isInside(memoryRoot, realPath(directory))) return entries;
    problems.push({ path: directory, message: 'the folder is a link that leads outside the memory root' });
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'ENOTDIR')) problems.push({ path: directory, message: messageOf(error) });
  }
  return [];
}

/** The note in a file; a file that is none is named in `problems` and left alone. */
export function loadNote(found: NoteFile, problems: VaultProblem[]): StoredNote | undefined {
  try {
    const text = readText(found.file, MAX_NOTE_BYTES);
    if (text === undefined) return undefined;
    const read = readNote(text, found);
    if (read.note)
      return {
        ...read.note,
        file: found.file,
        relativePath: found.relativePath,
        mtimeMs: found.mtimeMs,
        size: found.size,
      };
    problems.push({ path: found.relativePath, message: read.problem });
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    problems.push({ path: found.relativePath, message: error.message });
  }
  return undefined;
}

/** All notes. Two files that claim the same id are a problem; the first by path keeps it. */
export function loadNotes(memoryRoot: string): { notes: StoredNote[]; problems: VaultProblem[] } {
  const problems: VaultProblem[] = [];
  const byId = new Map<string, StoredNote>();
  for (const found of noteFiles(memoryRoot, problems)) {
    const note = loadNote(found, problems);
    if (!note) continue;
    const known = byId.get(note.id.toLowerCase());
    if (known)
      problems.push({ path: note.relativePath, message: `its id ${note.id} is also that of ${known.relativePath}` });
    else byId.set(note.id.toLowerCase(), note);
  }
  return { notes: [...byId.values()], problems };
}

/** Where a note of this id belongs. */
export function notePath(memoryRoot: string, kind: NoteKind, id: string): string {
  if (!NOTE_ID.test(id)) {
    throw new CairnError('VALIDATION_ERROR', `${JSON.stringify(id.slice(0, 80))} cannot be the id of a note.`, {
      fix: 'Use up to 120 letters, digits, dots, dashes and underscores, beginning with a letter or a digit.',
    });
  }
  return path.join(memoryRoot, NODES_FOLDER, kind.folder, `${id}.md`);
}

/** One note by its id, in any case. Looks at file names first; a note whose file is named otherwise is found by reading. */
export function findNote(memoryRoot: string, id: string): StoredNote | undefined {
  const wanted = id.toLowerCase();
  const problems: VaultProblem[] = [];
  const isWanted = (note: StoredNote | undefined): boolean => note?.id.toLowerCase() === wanted;
  const direct = NOTE_ID.test(id) ? notesNamed(memoryRoot, id, problems).find(isWanted) : undefined;
  if (direct) return direct;
  const files = noteFiles(memoryRoot, problems);
  const isNamed = (found: NoteFile): boolean => found.name.toLowerCase() === wanted;
  for (const candidates of [files.filter(isNamed), files.filter((each) => !isNamed(each))]) {
    for (const found of candidates) {
      const note = isNamed(found) || mentions(found.file, wanted) ? loadNote(found, problems) : undefined;
      if (isWanted(note)) return note;
    }
  }
  return undefined;
}

/** The notes in files of this very name, without listing the folders of a large vault. Links are left for the long way. */
function notesNamed(memoryRoot: string, id: string, problems: VaultProblem[]): StoredNote[] {
  const found: StoredNote[] = [];
  for (const folder of NOTE_KINDS.map((kind) => kind.folder).sort()) {
    const file = path.join(memoryRoot, NODES_FOLDER, folder, `${id}.md`);
    const stat = plainFile(file);
    if (!stat || !isInside(memoryRoot, realPath(file))) continue;
    const relativePath = `${NODES_FOLDER}/${folder}/${id}.md`;
    const note = loadNote({ file, relativePath, folder, name: id, mtimeMs: stat.mtimeMs, size: stat.size }, problems);
    if (note) found.push(note);
  }
  return found;
}

function plainFile(file: string): fs.Stats | undefined {
  try {
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    return stat?.isFile() ? stat : undefined;
  } catch (error) {
    if (isSystemError(error, 'ENOTDIR', 'EACCES', 'ENAMETOOLONG')) return undefined;
    throw error;
  }
}

/** Whether a file may claim this id. Parsing every note of a large vault to find out would take ten times as long. */
function mentions(file: string, wanted: string): boolean {
  try {
    return readText(file, MAX_NOTE_BYTES)?.toLowerCase().includes(wanted) ?? false;
  } catch (error) {
    if (error instanceof CairnError) return false; // no note at all
    throw error;
  }
}

/** Writes a note's file. Call it under the lock. */
export function writeNote(memoryRoot: string, file: string, text: string, beforeCommit?: () => void): void {
  const directory = path.dirname(file);
  // What a person asked and did is for nobody else on this machine either.
  const isPrivate = directory === path.join(memoryRoot, SESSION_NOTES);
  fs.mkdirSync(path.dirname(directory), { recursive: true });
  fs.mkdirSync(directory, { recursive: true, ...(isPrivate ? { mode: 0o700 } : {}) });
  if (!isInside(realPath(memoryRoot), realPath(file))) {
    throw new CairnError('PATH_ERROR', `${file} leads outside the memory root.`, {
      fix: 'Remove the link in the nodes folder.',
    });
  }
  if (isPrivate)
    for (const [place, mode] of [
      [directory, 0o700],
      [file, 0o600],
    ] as const)
      closeToOthers(place, mode);
  atomicWrite(file, text, { ...(isPrivate ? { mode: 0o600 } : {}), ...(beforeCommit ? { beforeCommit } : {}) });
}

/** Notes of earlier versions, and those that git brought, are open. Who may not change that can still write. */
function closeToOthers(place: string, mode: number): void {
  const stat = fs.lstatSync(place, { throwIfNoEntry: false });
  if (!stat || stat.isSymbolicLink() || (stat.mode & 0o077) === 0) return;
  try {
    fs.chmodSync(place, mode);
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}
