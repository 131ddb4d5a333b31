// From a configuration to the values that the layers work on: the shelf of records, the vault of notes, the place of the
// graph. Memory and the hooks lay the same desk, so that both see the same memory.

import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/load.ts';
import type { LockOptions } from '../files/lock.ts';
import { realPath } from '../files/paths.ts';
import { askGraph } from '../indexing/graph/graph-file.ts';
import type { GraphPlace } from '../indexing/graph/graph-scan.ts';
import { Kinds } from '../model/kinds.ts';
import { NODES_FOLDER } from '../model/notes.ts';
import type { Vault } from '../notes/edit-note.ts';
import { sectionsOfGraph } from '../notes/front-page.ts';
import { lockDir, type Shelf } from '../records/record-store.ts';
import { repairRecords } from '../records/repair-records.ts';
import { foundMemory } from '../trust/trust.ts';

export type Desk = {
  readonly settings: Config['settings'];
  readonly paths: Config['paths'];
  readonly shelf: Shelf;
  readonly vault: Vault;
  readonly place: GraphPlace;
};

export function deskOf(config: Config, now: () => Date, lock: LockOptions = {}): Desk {
  const { paths, settings } = config;
  const root = realPath(paths.memoryRoot);
  const kinds = new Kinds(settings.categories);
  const graveyard = path.join(paths.userRoot, 'archive');
  const place: GraphPlace = { root, kinds, rules: settings.graph, now };
  const found = (): void => foundMemory(paths.userRoot, config.trust, now());
  const shelf: Shelf = {
    found,
    root,
    projectRoot: paths.projectRoot,
    graveyard: path.join(graveyard, 'records'),
    kinds,
    rules: settings,
    now,
    // Without notes there is nothing to draw, and no graph to be made for it.
    drawSections: () =>
      fs.existsSync(path.join(root, NODES_FOLDER))
        ? askGraph(place, (graph) => sectionsOfGraph(graph, settings.capture))
        : {},
  };
  const vault: Vault = {
    found,
    root,
    lockDir: lockDir(shelf),
    repair: repairRecords(shelf),
    graveyard: path.join(graveyard, 'notes'),
    now,
    ...(lock.waitMs === undefined ? {} : { lockWaitMs: lock.waitMs }),
  };
  return { settings, paths, shelf, vault, place };
}
