// The task of the other process of the store's contract, on whatever store it was given.

import type { Store } from '../../src/store/store.ts';
import type { OtherTask } from './contract.ts';

export async function doTask(store: Store, task: OtherTask): Promise<void> {
  for (const batch of task.batches ?? []) await store.apply(batch);
  for (let n = 0; n < (task.increments?.times ?? 0); n++) await increment(store, task.increments?.key ?? '');
}

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
