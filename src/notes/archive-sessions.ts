// Old sessions step back: after some days a session note is archived, so that "active" means the work of these days.

import { changeIfPossible, inVault, type Vault } from './edit-note.ts';
import type { Note } from './note.ts';
import { loadNote, type NoteFile, noteFiles } from './vault.ts';

const DAY_MS = 86_400_000;
const FOLDER = 'sessions';

/** Whether a session is to be archived: it is active, over its time, and nobody pinned it. */
export function isOldSession(
  note: { type: string; status: string; updated: string; pinned?: boolean },
  days: number,
  now: Date,
): boolean {
  if (days <= 0 || note.type !== 'session' || note.status !== 'active' || note.pinned) return false;
  const ended = Date.parse(note.updated);
  return Number.isFinite(ended) && now.getTime() - ended > days * DAY_MS;
}

/** Archives what is over its time and returns the files. A time that cannot be read keeps a note active: it may be anything. */
export async function archiveSessions(
  vault: Vault,
  days: number,
  /** Sessions (the client's ids) that have just ended: a note with nothing new in it is as old as it was, and they are not. */
  ended: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  if (days <= 0) return [];
  const hasJustEnded = ({ sessionId }: Note): boolean => sessionId !== undefined && ended.has(sessionId);
  const old = (note: Note): boolean =>
    !hasJustEnded(note) && isOldSession({ ...note, type: note.kind.type }, days, vault.now());
  const found = sessionFiles(vault).filter((file) => {
    const note = loadNote(file, []);
    return note !== undefined && old(note);
  });
  if (found.length === 0) return [];
  return inVault(vault, (lock) =>
    found.flatMap((file) => {
      const note = loadNote(file, []); // as it is now: somebody may have pinned it meanwhile
      if (!note || !old(note)) return [];
      const change = { status: 'archived', generated: true, quiet: true };
      return changeIfPossible(vault, lock, note, change).changed ? [note.file] : [];
    }),
  );
}

const sessionFiles = (vault: Vault): NoteFile[] => noteFiles(vault.root).filter(({ folder }) => folder === FOLDER);
