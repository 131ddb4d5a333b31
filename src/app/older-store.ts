// What a version of Cairn with other tables left in the database: whoever opens it for work or for a question takes it over first.

import { CairnError } from '../errors.ts';
import type { Store } from '../store/store.ts';

/** It must not keep this version from working, and stays where it is until it can be read: why not, in words for the user. */
export async function takeOverOlder(store: Store): Promise<string | undefined> {
  if (store.readOnly || (await store.leftBehind()).length === 0) return undefined;
  const { takeOver } = await import('../indexing/transcripts/take-over-rows.ts');
  try {
    await takeOver(store);
    return undefined;
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return `${error.message}${error.fix === undefined ? '' : ` ${error.fix}`}`;
  }
}
