// The other process of the store's contract: opens the database it is told, does the task on its standard input, ends.

import fs from 'node:fs';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Filter, Store } from '../../src/store/store.ts';
import type { OtherTask } from './contract.ts';

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
const store = await openSqliteStore(process.argv[2] ?? '');
for (const batch of task.batches ?? []) await store.apply(batch);
for (let n = 0; n < (task.increments?.times ?? 0); n++) await increment(store, task.increments?.key ?? '');
if (task.warn !== undefined) process.emitWarning(task.warn, 'ExperimentalWarning');
if (task.nearest) {
  const hits = await store.nearest({ ...task.nearest, vector: Float32Array.from(task.nearest.vector) });
  process.stdout.write(JSON.stringify({ hits, engine: (await store.stats()).engine }));
}
await store.close();

async function increment(target: Store, key: string): Promise<void> {
  for (;;) {
    const value = (await target.state({ keys: [key] }))[0]?.value ?? null;
    try {
      await target.apply([
        { op: 'expect', key, value },
        { op: 'state', key, value: String(Number(value ?? 0) + 1) },
      ]);
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'OCC_CONFLICT') throw error;
    }
  }
}
