// Conversations come over from a damaged database that lies aside, each by itself and in one step, because some are nowhere else. Those that
// can be read elsewhere are read anew afterwards, as always when everything is made anew.

import { CairnError } from '../../errors.ts';
import type { Forgotten } from '../../files/forgotten.ts';
import { holdsNamed } from '../../safety/secrets/named-texts.ts';
import type { DamagedRows, DamagedStore } from '../../store/damaged-store.ts';
import type { Change, Document, Store } from '../../store/store.ts';
import { beginningsIn } from './related-transcripts.ts';
import { isState, lostState, nameOfFile, STATE_PREFIX, stateKey } from './transcript-state.ts';

export type TakenOver = {
  /** How many conversations came over, or were completed. */
  taken: number;
  /** Rows that could not be read, by conversation. */
  readonly lost: Map<string, number>;
  /** What was known of each that lost some. */
  readonly states: Map<string, string | undefined>;
};

/** `isElsewhere`: it can be read from its transcript or its copy, so what the store knows of it is enough. */
export async function takeOverDamaged(
  store: Store,
  damaged: DamagedStore,
  { forgotten, isElsewhere }: { forgotten: Forgotten; isElsewhere: (file: string) => boolean },
): Promise<TakenOver> {
  const done: TakenOver = { taken: 0, lost: new Map(), states: new Map() };
  for (const file of damaged.files()) {
    const { puts, lost } = damaged.rowsOf(file);
    const allowed = puts.filter(({ document }) => !isForgotten(document, forgotten));
    const stored = damaged.state(stateKey(file));
    const state = isState(stored) ? stored : undefined;
    if (lost > 0) {
      done.lost.set(file, lost);
      done.states.set(file, state);
    }
    if (allowed.length > 0 && (await takeOne(store, file, { puts: allowed, state, isElsewhere }))) done.taken++;
  }
  return done;
}

type One = {
  readonly puts: DamagedRows['puts'];
  readonly state: string | undefined;
  readonly isElsewhere: (file: string) => boolean;
};

async function takeOne(store: Store, file: string, { puts, state, isElsewhere }: One): Promise<boolean> {
  const key = stateKey(file);
  const known = (await store.state({ keys: [key] }))[0]?.value;
  if (known !== undefined && isElsewhere(file)) return false;
  const missing = known === undefined ? puts : await notIn(store, puts);
  if (missing.length === 0) return false;
  const changes: Change[] = [
    { op: 'expect', key, value: known ?? null },
    ...(known === undefined
      ? [{ op: 'state', key, value: state ?? lostState(puts[0]!.document.project) } as const]
      : []),
    ...(known === undefined && state !== undefined ? beginningsIn(file, state) : []),
    ...missing,
  ];
  try {
    await store.apply(changes);
    return true;
  } catch (error) {
    if (error instanceof CairnError && error.code === 'OCC_CONFLICT') return false; // another process was faster
    throw error;
  }
}

async function notIn(store: Store, puts: DamagedRows['puts']): Promise<DamagedRows['puts']> {
  const refs = puts.map(({ document }) => document.ref);
  const there = new Set((await store.get({ refs })).map(({ project, ref }) => `${project} ${ref}`));
  return puts.filter(({ document: { project, ref } }) => !there.has(`${project} ${ref}`));
}

/** It lay aside when it was forgotten everywhere else. */
function isForgotten({ session, source, title, text, context }: Document, forgotten: Forgotten): boolean {
  const file = source!.file;
  const thread = session ?? nameOfFile(file);
  if (forgotten.holdsFile(file) || forgotten.holdsSession(thread)) return true;
  if (source!.line !== undefined && forgotten.holdsLine(thread, source!.line, [])) return true;
  return [title, text, context ?? ''].some(holdsNamed);
}

/** SQLite keeps no sums: a state may be damaged inside, and no page says so. Whoever parses it would fail, so it is replaced first. */
export async function mendStates(store: Store): Promise<void> {
  for (const { key, value } of await store.state({ prefix: STATE_PREFIX })) {
    if (isState(value)) continue;
    const files = [key.slice(STATE_PREFIX.length)];
    const { documents } = await store.list({ filter: { files, layers: ['trace'] }, limit: 1 });
    await store.apply([{ op: 'state', key, value: lostState(documents[0]?.project ?? '') }]);
  }
}
