// After a change of the store's schema: conversations come over from the rows that the older version left behind, because some are nowhere
// else any more, and the others are found at once instead of after the next backfill. Whoever reads their transcript or its copy
// later puts new rows in the place of these.

import { CairnError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import { FILES_PREFIX } from '../files/file-state.ts';
import { STATE_PREFIX, stateKey } from './index-transcript.ts';
import { rowsWithoutTranscript } from './rows-without-transcript.ts';

/** Before the keys of what an older version knew of files. */
export const OLDER_PREFIX = 'older-';

/** Returns how many conversations came over. Killed in between, the next one goes on: what is over is known, and not asked for again. */
export async function takeOver(store: Store): Promise<number> {
  let taken = 0;
  // The newest first: of what several versions know, its rows count.
  for (const version of [...(await store.leftBehind())].reverse()) {
    const old = await store.openLeftBehind(version);
    try {
      const states = await old.state({ prefix: STATE_PREFIX });
      const files = states.map(({ key }) => key.slice(STATE_PREFIX.length));
      const known = new Set((await store.state({ prefix: STATE_PREFIX })).map(({ key }) => key));
      for (const file of files) if (!known.has(stateKey(file)) && (await takeOne(store, old, file))) taken++;
      await noteFiles(store, old);
    } finally {
      await old.close();
    }
    await store.dropLeftBehind(version);
  }
  return taken;
}

/** Which records and notes lay where: they are read anew, but whoever looks for a project that was moved asks for it. */
async function noteFiles(store: Store, old: Store): Promise<void> {
  const seen = (await old.state({ prefix: FILES_PREFIX })).filter(({ key }) => key.includes('|'));
  await store.apply(seen.map(({ key, value }) => ({ op: 'state', key: `${OLDER_PREFIX}${key}`, value }) as const));
}

async function takeOne(store: Store, old: Store, file: string): Promise<boolean> {
  try {
    await store.apply([
      { op: 'expect', key: stateKey(file), value: null },
      ...(await rowsWithoutTranscript(old, [file])),
    ]);
    return true;
  } catch (error) {
    if (error instanceof CairnError && error.code === 'OCC_CONFLICT') return false; // another process was faster
    throw error;
  }
}
