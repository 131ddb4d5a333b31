// Brings conversations that are stored under an older name of their project under its name of today: a path from before projects were
// known by their remote, a remote that has changed since. One transcript is one transaction together with its state, so a kill
// leaves each of them at one name, and an indexer that works on it at the same time notices. Nothing is read or embedded anew.

import { CairnError } from '../../errors.ts';
import type { Change, Document, Filter, Store } from '../../store/store.ts';
import { putAgain } from './rows-without-transcript.ts';
import { stateIn, stateKey } from './transcript-state.ts';

const PAGE = 500;

/** Returns how many rows were moved. `stopped` is looked at between transcripts. */
export async function moveScope(
  store: Store,
  { from, to }: { readonly from: readonly string[]; readonly to: string },
  stopped: () => boolean = () => false,
): Promise<number> {
  const older = from.filter((name) => name !== to);
  if (older.length === 0) return 0;
  let moved = 0;
  while (!stopped()) {
    const { documents } = await store.list({ filter: { projects: older, layers: ['trace'] }, limit: 1 });
    const first = documents[0];
    if (!first) break;
    const of: Filter = { projects: older, layers: ['trace'], ...ofSource(first) };
    moved += await moveOne(store, of, { file: first.source?.file, from: older, to });
  }
  return moved;
}

const ofSource = ({ source, ref }: Document): Filter => (source ? { files: [source.file] } : { refs: [ref] });

type Move = { readonly file: string | undefined; readonly from: readonly string[]; readonly to: string };

async function moveOne(store: Store, of: Filter, move: Move): Promise<number> {
  for (;;) {
    const state = move.file === undefined ? [] : await stateChanges(store, move.file, move);
    const rows = await rowsOf(store, of, move.to);
    try {
      await store.apply([...state, { op: 'delete', where: of }, ...rows]);
      return rows.length;
    } catch (error) {
      // Somebody has indexed more of it meanwhile.
      if (!(error instanceof CairnError && error.code === 'OCC_CONFLICT')) throw error;
    }
  }
}

async function stateChanges(store: Store, file: string, { from, to }: Move): Promise<Change[]> {
  const key = stateKey(file);
  const value = (await store.state({ keys: [key] }))[0]?.value ?? null;
  const expect: Change = { op: 'expect', key, value };
  if (value === null) return [expect];
  const state = stateIn(value);
  return from.includes(state.project)
    ? [expect, { op: 'state', key, value: JSON.stringify({ ...state, project: to }) }]
    : [expect];
}

async function rowsOf(store: Store, filter: Filter, to: string): Promise<Change[]> {
  const changes: Change[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ filter, order: 'ref', limit: PAGE, ...(cursor ? { cursor } : {}) });
    for (const project of new Set(page.documents.map((each) => each.project)))
      changes.push(
        ...(await putAgain(
          store,
          project,
          page.documents.filter((each) => each.project === project),
        )),
      );
    cursor = page.next;
  } while (cursor !== undefined);
  return changes.map((change) =>
    change.op === 'put' ? { ...change, document: { ...change.document, project: to } } : change,
  );
}
