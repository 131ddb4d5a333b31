// What the database holds of conversations that are nowhere else any more: neither the transcript nor a copy of it is left, because the
// archive is switched off or has made room. Making the database anew must not be the end of them.

import type { Change, Document, Store } from '../../store/store.ts';
import { beginningsIn } from './related-transcripts.ts';
import { STATE_PREFIX, stateKey } from './transcript-state.ts';

const FILES = 100;
const PAGE = 500;

/** The changes that put all rows of these transcripts back into an emptied store. */
export async function rowsWithoutTranscript(store: Store, files: readonly string[]): Promise<Change[]> {
  const changes: Change[] = [];
  for (let at = 0; at < files.length; at += FILES) {
    const some = files.slice(at, at + FILES);
    for (const { key, value } of await store.state({ keys: some.map(stateKey) }))
      changes.push({ op: 'state', key, value }, ...beginningsIn(key.slice(STATE_PREFIX.length), value));
    let cursor: string | undefined;
    do {
      const filter = { files: some, layers: ['trace'] };
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
  }
  return changes;
}

/** The rows of these documents as they are, with their links and mentions. */
export async function putAgain(store: Store, project: string, documents: readonly Document[]): Promise<Change[]> {
  const of = { projects: [project], refs: documents.map(({ ref }) => ref) };
  const links = await store.links({ ...of, direction: 'out' });
  const mentions = await store.mentions(of);
  return documents.map((document) => ({
    op: 'put',
    document,
    links: links.filter(({ from }) => from === document.ref).map(({ from: _, project: __, ...link }) => link),
    mentions: mentions
      .filter(({ ref }) => ref === document.ref)
      .map(({ entity, kind, count }) => ({ entity, kind, count })),
  }));
}
