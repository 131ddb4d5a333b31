// Indexes the files of a memory: the program that kill tests kill. Arguments: memory root, database.

import path from 'node:path';
import { syncFiles } from '../../src/indexing/files/index-files.ts';
import { Kinds } from '../../src/model/kinds.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

const [root, database] = process.argv.slice(2) as [string, string];
const projectRoot = path.dirname(path.dirname(root));
const store = await openSqliteStore(database);
process.stdout.write('ready\n');
await syncFiles(store, { root, project: root, kinds: new Kinds(), projectRoot, kept: `${database}.kept` });
await store.close();
