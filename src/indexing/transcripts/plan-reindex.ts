// What making the database anew may clear. Decided before anything is: a conversation counts as readable only when the copy of it was read
// to its end and compared with its checksums, or the transcript is there with all that the database knows. What cannot be read keeps
// its rows; what can be read, but from one place only, keeps them until new ones stand in their place.

import { CairnError } from '../../errors.ts';
import { generationOf } from '../../model/forks.ts';
import type { Archive, ArchiveEntry } from '../../transcripts/archive/archive.ts';
import { openTranscriptFile } from '../../transcripts/source.ts';
import { generationsIn, type KnownState, stateIn } from './transcript-state.ts';

export type Readability =
  /** Also if its transcript went away just now. */
  | 'twice'
  | 'once'
  /** From its transcript; the copy of it is damaged, and is made anew. */
  | 'mend'
  /** Neither on disk nor in the archive. */
  | 'nowhere'
  /** What is wrong with the only copy of it. */
  | CairnError;

/** `state`: what the database knows of the transcript, if it does. */
export function readability(archive: Archive, file: string, state: string | undefined): Readability {
  const isThere = holdsAllThatIsKnown(file, state === undefined ? undefined : stateIn(state));
  let wrong: CairnError | undefined;
  try {
    const entry = archive.entryFor(file);
    if (!entry) return isThere ? 'once' : hasText(file) ? 'once' : 'nowhere';
    archive.verify(entry);
    return areAllThere(archive, file, state, generationOf(entry.forks)) ? 'twice' : 'once';
  } catch (error) {
    if (!(error instanceof CairnError && error.code === 'READ_ERROR')) throw error;
    wrong = error;
  }
  return isThere ? 'mend' : wrong;
}

/** The generations that the database has rows of. */
function areAllThere(archive: Archive, file: string, state: string | undefined, current: number): boolean {
  const generations = state === undefined ? [] : generationsIn(state);
  if (generations.length === 0) return true;
  const older = archive.olderFor(file).filter((entry) => isSound(archive, entry));
  const there = new Set([current, ...older.map((each) => generationOf(each.forks))]);
  return generations.every((each) => there.has(each));
}

function isSound(archive: Archive, entry: ArchiveEntry): boolean {
  try {
    archive.verify(entry);
    return true;
  } catch (error) {
    if (error instanceof CairnError && error.code === 'READ_ERROR') return false; // `cairn doctor --archive` names it
    throw error;
  }
}

/** Whether a transcript is on disk with all that was read of it. */
export function holdsAllThatIsKnown(file: string, known: KnownState | undefined): boolean {
  const source = openedOr(file);
  if (!source) return false;
  try {
    if (source.size() === 0) return false;
    return !known || (known.from === 'file' && source.hasMark(known.mark, known.offset));
  } finally {
    source.close();
  }
}

function hasText(file: string): boolean {
  const source = openedOr(file);
  const isText = (source?.size() ?? 0) > 0;
  source?.close();
  return isText;
}

/** What may not be read is as good as gone here; whoever reads it says why. */
function openedOr(file: string): ReturnType<typeof openTranscriptFile> {
  try {
    return openTranscriptFile(file);
  } catch {
    return undefined;
  }
}
