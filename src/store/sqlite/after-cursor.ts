// What comes behind a cursor in the order of a list, for a query.

import { type Order, readCursor } from '../list-order.ts';
import type { Condition } from './filter.ts';

export function afterCursor(order: Order, cursor: string): Condition {
  const [key, project, ref] = readCursor(cursor, (each) => typeof each === 'number');
  const after = '(p.value > ? OR (p.value = ? AND d.ref > ?))';
  if (order.column === undefined) return { sql: after, values: [project, project, ref] };
  return {
    sql: `(d.${order.column} ${order.direction} ? OR (d.${order.column} = ? AND ${after}))`,
    values: [key, key, project, project, ref],
  };
}
