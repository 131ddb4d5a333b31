// What comes behind a cursor in the order of a list, for a query. Keys are whole numbers there.

import { type Order, readCursor } from '../list-order.ts';
import type { Sql } from './view.ts';

export function afterCursor(order: Order, cursor: string): Sql {
  const [key, project, ref] = readCursor(cursor, Number.isSafeInteger);
  const after = '(p.project, d.ref) > (?, ?)';
  if (order.column === undefined) return { sql: after, values: [project, ref] };
  return {
    sql: `(d.${order.column} ${order.direction} ?::bigint OR (d.${order.column} = ?::bigint AND ${after}))`,
    values: [key, key, project, ref],
  };
}
