// The orders of a list and its cursors. A cursor names the last document of a page by its place in the order, so the
// next page begins after it even when documents were added or removed meanwhile.

import { CairnError } from '../../errors.ts';
import type { Document, ListOrder } from '../store.ts';
import type { Condition } from './filter.ts';

type Order = {
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

export function afterCursor(order: Order, cursor: string): Condition {
  const [key, project, ref] = readCursor(cursor);
  const after = '(p.value > ? OR (p.value = ? AND d.ref > ?))';
  if (order.column === undefined) return { sql: after, values: [project, project, ref] };
  return {
    sql: `(d.${order.column} ${order.direction} ? OR (d.${order.column} = ? AND ${after}))`,
    values: [key, key, project, project, ref],
  };
}

function readCursor(cursor: string): [number, string, string] {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown;
    if (Array.isArray(parts) && typeof parts[0] === 'number' && parts.length === 3) {
      return [parts[0], String(parts[1]), String(parts[2])];
    }
  } catch (error) {
    throw badCursor(error);
  }
  throw badCursor();
}

function badCursor(cause?: unknown): CairnError {
  return new CairnError('STORE_ERROR', 'The cursor is not one that a list has returned.', {
    cause,
    fix: 'Start the list again without a cursor.',
  });
}
