// The orders of a list and its cursors. A cursor names the last document of a page by its place in the order, so the
// next page begins after it even when documents were added or removed meanwhile. The condition for that is each store's own.

import { CairnError } from '../errors.ts';
import { parseJson } from '../model/json.ts';
import type { Document, ListOrder } from './store.ts';

export type Order = {
  readonly columns: readonly string[];
  readonly direction: '<' | '>';
  readonly column?: 'created_at' | 'updated_at';
  readonly keyOf: (document: Document) => number;
};

export const ORDERS: Readonly<Record<ListOrder, Order>> = {
  newest: { columns: ['d.created_at DESC'], direction: '<', column: 'created_at', keyOf: (d) => d.createdAt },
  oldest: { columns: ['d.created_at'], direction: '>', column: 'created_at', keyOf: (d) => d.createdAt },
  updated: { columns: ['d.updated_at DESC'], direction: '<', column: 'updated_at', keyOf: (d) => d.updatedAt },
  ref: { columns: [], direction: '>', keyOf: () => 0 },
};

export function cursorAt(order: Order, document: Document): string {
  return Buffer.from(JSON.stringify([order.keyOf(document), document.project, document.ref])).toString('base64url');
}

/** What a cursor names: the key of its order, the project, the ref. A store may want more of a key than that it is a number. */
export function readCursor(
  cursor: string,
  isKey: (key: unknown) => boolean,
): [key: number, project: string, ref: string] {
  const parts = parseJson(Buffer.from(cursor, 'base64url').toString());
  if (Array.isArray(parts) && isKey(parts[0]) && parts.length === 3)
    return [Number(parts[0]), String(parts[1]), String(parts[2])];
  throw new CairnError('STORE_ERROR', 'The cursor is not one that a list has returned.', {
    fix: 'Start the list again without a cursor.',
  });
}
