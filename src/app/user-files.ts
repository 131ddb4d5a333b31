// Where things are in the user's own folder: the one list of names that all composition roots and faces share.

import path from 'node:path';
import type { Config } from '../config/load.ts';

type Places = Pick<Config, 'paths'>;

export const storeFile = ({ paths }: Places): string => path.join(paths.userRoot, 'memory.db');
export const ledgerFile = ({ paths }: Places): string => path.join(paths.userRoot, 'ledger.json');
export const archiveRoot = ({ paths }: Places): string => path.join(paths.userRoot, 'archive');
/** There where sync is set up; src/sync/sync-state.ts writes it. */
export const syncConfigFile = ({ paths }: Places): string => path.join(paths.userRoot, 'sync', 'config.json');
export const cacheFolder = ({ paths }: Places): string => path.join(paths.userRoot, 'cache');
/** The words of the records of large memories (records/search-texts.ts). */
export const searchTextsFolder = (places: Places): string => path.join(cacheFolder(places), 'records');
export const blobsFile = ({ paths }: Places): string => path.join(paths.userRoot, 'blobs.json');
