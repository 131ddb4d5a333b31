// Tasks and debts that somebody wrote down and that are not over: notes and records, whose own status says how they stand.

import type { Document, Store } from '../store/store.ts';

const MOST = 500;
const OVER = new Set([
  'done',
  'completed',
  'cancelled',
  'resolved',
  'wont_fix',
  'retired',
  'archived',
  'deleted',
  'superseded',
]);

/** Of these scopes or of all; the newest first. */
export async function openWritten(store: Store, projects: readonly string[] | undefined): Promise<Document[]> {
  const { documents } = await store.list({
    filter: { ...(projects ? { projects } : {}), layers: ['record', 'note'], kinds: ['task', 'tech_debt'] },
    order: 'newest',
    limit: MOST,
  });
  return documents.filter(({ status, meta }) => !OVER.has(status) && !OVER.has(String(meta?.state ?? '')));
}
