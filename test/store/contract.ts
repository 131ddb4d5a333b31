// One test suite for every store. An implementation proves itself by calling storeContract from its own test file
// with a harness that knows where its data is; what a store must do is written here and nowhere else.

import { afterEach, beforeEach, describe } from 'vitest';
import type { Change, Store } from '../../src/store/store.ts';
import { lifeContract } from './contract/life.ts';
import { modelContract } from './contract/model.ts';
import { readingContract } from './contract/reading.ts';
import { textSearchContract } from './contract/text-search.ts';
import { vectorSearchContract } from './contract/vector-search.ts';
import { writingContract } from './contract/writing.ts';

/** One place where a store keeps its data, empty at first. */
export type StoreHarness = {
  /** Opens the store on this place; may be called again, also while it is open. */
  open(): Promise<Store>;
  /** Ends the place and all that is in it. */
  remove(): Promise<void>;
  /** Makes what is stored look like the work of an older version of the schema. */
  outdate(): Promise<void>;
  /** … of a newer one. */
  outpace(): Promise<void>;
  /** Makes what is stored unreadable. */
  damage(): Promise<void>;
  /** Does a task in another process on the same place, and resolves when that process has ended well. */
  elsewhere(task: OtherTask): Promise<void>;
};

export type OtherTask = {
  /** Batches to apply one after the other. */
  readonly batches?: readonly (readonly Change[])[];
  /** Adds one to a number in the state so many times, guarded by `expect`, again when another was faster. */
  readonly increments?: { readonly key: string; readonly times: number };
};

/** What the parts of the contract work with: a fresh harness for each test, closed afterwards. */
export type Bench = {
  readonly harness: () => StoreHarness;
  /** Opens the store of this test; closed when the test ends. */
  readonly open: () => Promise<Store>;
  readonly makeHarness: () => Promise<StoreHarness>;
  /** How many sequences of batches the property test tries. */
  readonly runs: number;
};

const RUNS = 60;

export function storeContract(name: string, makeHarness: () => Promise<StoreHarness>, runs = RUNS): void {
  describe(`the store contract: ${name}`, () => {
    let harness: StoreHarness;
    const opened: Store[] = [];
    beforeEach(async () => {
      harness = await makeHarness();
    });
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
      await harness.remove();
    });
    const bench: Bench = {
      harness: () => harness,
      makeHarness,
      runs,
      open: async () => {
        const store = await harness.open();
        opened.push(store);
        return store;
      },
    };
    writingContract(bench);
    readingContract(bench);
    textSearchContract(bench);
    vectorSearchContract(bench);
    lifeContract(bench);
    modelContract(bench);
  });
}
