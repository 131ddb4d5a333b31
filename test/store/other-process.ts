// The other process of the store's contract: opens the database it is told (a file, or where a server is), does the task on its
// standard input, ends.

import fs from 'node:fs';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Filter } from '../../src/store/store.ts';
import type { OtherTask } from './contract.ts';
import { doTask } from './other-task.ts';

type Task = OtherTask & {
  /** A warning to give, as any other part of a program might. */
  readonly warn?: string;
  /** A vector search whose outcome is printed. */
  readonly nearest?: {
    readonly model: string;
    readonly vector: number[];
    readonly filter: Filter;
    readonly limit: number;
  };
};

const task = JSON.parse(fs.readFileSync(0, 'utf8')) as Task;
const place = process.argv[2] ?? '';
const store = place.startsWith('{') ? await openPostgresStore(JSON.parse(place)) : await openSqliteStore(place);
await doTask(store, task);
if (task.warn !== undefined) process.emitWarning(task.warn, 'ExperimentalWarning');
if (task.nearest) {
  const hits = await store.nearest({ ...task.nearest, vector: Float32Array.from(task.nearest.vector) });
  process.stdout.write(JSON.stringify({ hits, engine: (await store.stats()).engine }));
}
await store.close();
