// Where things are in the user's own folder: the one list of names that all composition roots and faces share.

import path from 'node:path';
import type { Config } from '../config/load.ts';

type Places = Pick<Config, 'paths'>;

export const storeFile = ({ paths }: Places): string => path.join(paths.userRoot, 'memory.db');
export const ledgerFile = ({ paths }: Places): string => path.join(paths.userRoot, 'ledger.json');
export const archiveRoot = ({ paths }: Places): string => path.join(paths.userRoot, 'archive');
export const cacheFolder = ({ paths }: Places): string => path.join(paths.userRoot, 'cache');
export const blobsFile = ({ paths }: Places): string => path.join(paths.userRoot, 'blobs.json');
