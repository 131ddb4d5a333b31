// From a configuration to the values that the layers work on: the record store, the vault of notes, the place of the
// graph. Memory and the hooks open the same project, so that both see the same memory.

import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/load.ts';
import type { LockOptions } from '../files/lock.ts';
import { realPath } from '../files/paths.ts';
import { ALWAYS_LOOK_UP_TO, askGraph } from '../indexing/graph/graph-file.ts';
import type { GraphPlace } from '../indexing/graph/graph-scan.ts';
import { shortHash } from '../model/hash.ts';
import { Kinds } from '../model/kinds.ts';
import { NODES_FOLDER } from '../model/notes.ts';
import type { Vault } from '../notes/edit-note.ts';
import { sectionsOfGraph } from '../notes/front-page.ts';
import { lockDir, type RecordStore } from '../records/record-store.ts';
import { repairRecords } from '../records/repair-records.ts';
import { markFounded } from '../trust/trust.ts';
import { searchTextsFolder } from './user-files.ts';

export type Project = {
  readonly settings: Config['settings'];
  readonly paths: Config['paths'];
  readonly recordStore: RecordStore;
  readonly vault: Vault;
  readonly place: GraphPlace;
};

export function openProject(config: Config, now: () => Date, lock: LockOptions = {}): Project {
  const { paths, settings } = config;
  const root = realPath(paths.memoryRoot);
  const kinds = new Kinds(settings.categories);
  const deletedCopies = path.join(paths.userRoot, 'archive');
  const place: GraphPlace = { root, kinds, rules: settings.graph, now };
  const found = (): void => markFounded(paths.userRoot, config.trust, now());
  const recordStore: RecordStore = {
    found,
    root,
    projectRoot: paths.projectRoot,
    deletedCopies: path.join(deletedCopies, 'records'),
    kinds,
    rules: settings,
    now,
    searchTexts: {
      file: path.join(searchTextsFolder(config), `${shortHash(root)}.txt`),
      from: ALWAYS_LOOK_UP_TO,
      ttlMs: settings.graph.cache_ttl_seconds * 1000,
    },
    // Without notes there is nothing to draw, and no graph to be made for it.
    drawSections: () =>
      fs.existsSync(path.join(root, NODES_FOLDER))
        ? askGraph(place, (graph) => sectionsOfGraph(graph, settings.capture))
        : {},
  };
  const vault: Vault = {
    found,
    root,
    lockDir: lockDir(recordStore),
    repair: repairRecords(recordStore),
    deletedCopies: path.join(deletedCopies, 'notes'),
    now,
    ...(lock.waitMs === undefined ? {} : { lockWaitMs: lock.waitMs }),
  };
  return { settings, paths, recordStore, vault, place };
}
