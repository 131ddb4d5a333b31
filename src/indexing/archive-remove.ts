// Takes one transcript out of the archive for good: all generations, tails and what killed writers left of it. The entry goes last:
// a kill in between leaves one that names what is still to be removed.

import fs from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../errors.ts';
import { type EntryPlace, entryFile, underLock } from './archive-entry.ts';

export async function removeEntry(place: EntryPlace): Promise<void> {
  if (filesOfStem(place).length === 0) return;
  await underLock(place, (lock) => {
    lock.assertHeld();
    const entry = entryFile(place);
    const files = filesOfStem(place);
    for (const file of [...files.filter((each) => each !== entry), ...files.filter((each) => each === entry)])
      fs.rmSync(file, { force: true });
  });
  removeEmpty(place.folder);
}

/** What is named after the transcript, whatever it is; of locks their owner takes care. */
function filesOfStem({ folder, stem }: EntryPlace): string[] {
  try {
    return fs
      .readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && (entry.name.startsWith(`${stem}.`) || entry.name.startsWith(`.${stem}.`)))
      .map((entry) => path.join(folder, entry.name));
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

function removeEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch (error) {
    if (!isSystemError(error)) throw error; // something else is in it
  }
}
