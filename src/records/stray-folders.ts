// Folders of the memory root that hold records but belong to no category: the category was renamed, moved to another folder
// or taken out of the settings, or the settings cannot be read. Nobody else looks there, so the records would be lost in silence.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError } from '../errors.ts';
import { parseJsonObject, readText } from '../files/json-file.ts';
import { isObject } from '../model/json.ts';
import { NODES_FOLDER } from '../model/notes.ts';
import { stripUnsafe } from '../model/text.ts';
import { compareText } from './index-line.ts';
import type { RecordStore } from './record-store.ts';
import type { ScanProblem } from './scan.ts';

/** People keep other JSON there, too; a few files tell. */
const LOOKED_AT = 20;

export type StrayFolder = ScanProblem & { fix: string };

const FIX =
  'Name the folder in the settings (categories.<name>.folder), or move its files to the folder of their category; then: cairn index --rebuild';

export const strayText = ({ path: folder, message, fix }: StrayFolder): string => `${folder} ${message} ${fix}`;

export function strayFolders(recordStore: RecordStore): StrayFolder[] {
  return namesIn(recordStore.root, (entry) => entry.isDirectory())
    .filter((name) => name !== NODES_FOLDER && !recordStore.kinds.byFolder(name))
    .flatMap((name): StrayFolder[] => {
      const folder = path.join(recordStore.root, name);
      const files = namesIn(folder, (entry) => entry.isFile() && entry.name.endsWith('.json'));
      if (!files.slice(0, LOOKED_AT).some((file) => isRecord(path.join(folder, file)))) return [];
      const count = files.length === 1 ? 'a record that is' : `${files.length} records that are`;
      return [
        { path: `${stripUnsafe(folder)}/`, message: `holds ${count} not used: no category has this folder.`, fix: FIX },
      ];
    });
}

function namesIn(folder: string, wanted: (entry: fs.Dirent) => boolean): string[] {
  try {
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    const found = entries.filter((entry) => !entry.name.startsWith('.') && wanted(entry));
    return found.map((entry) => entry.name).sort(compareText);
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

function isRecord(file: string): boolean {
  try {
    const text = readText(file);
    const record = text === undefined ? {} : parseJsonObject(text, file);
    return typeof record.category === 'string' && typeof record.title === 'string' && isObject(record.content);
  } catch (error) {
    if (error instanceof CairnError) return false;
    throw error;
  }
}
