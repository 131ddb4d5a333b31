// Which rows a person at a machine reads and writes, as SQL: his conversations from all his machines, the records and notes of this
// one, and what others share. The database enforces the outer bounds of it (schema.ts); this is what his answers are made of.

import type { SqlValue } from './driver.ts';

/** A piece of SQL with the values of its question marks. */
export type Sql = { readonly sql: string; readonly values: readonly SqlValue[] };

/** `seen`: what he reads; `own`: what he may change; `copies`: what he shares; `here`: what this machine has brought. */
type Which = 'seen' | 'own' | 'copies' | 'here';

const OWN = `o.owner = current_user AND (o.class = 'own' OR (o.class = 'local' AND o.machine = ?))`;
const CONDITIONS: Readonly<Record<Which, string>> = {
  seen: `(${OWN}) OR (o.owner <> current_user AND o.class = 'shared')`,
  own: OWN,
  copies: `o.owner = current_user AND o.class = 'shared' AND ?::text IS NOT NULL`,
  here: 'o.owner = current_user AND o.machine = ?',
};

export class View {
  readonly machine: string;

  constructor(machine: string) {
    this.machine = machine;
  }

  /** An array of the numbers of scopes. */
  scopes(which: Which): Sql {
    return { sql: `ARRAY(SELECT o.id FROM scope o WHERE ${CONDITIONS[which]})`, values: [this.machine] };
  }

  /** An array of the numbers of shelves, of these projects or of all. */
  shelves(which: Which, projects?: readonly string[]): Sql {
    return {
      sql: `ARRAY(SELECT s.id FROM shelf s JOIN scope o ON o.id = s.scope WHERE (${CONDITIONS[which]})${
        projects === undefined ? '' : ' AND s.project = ANY (?::text[])'
      })`,
      values: projects === undefined ? [this.machine] : [this.machine, projects],
    };
  }
}
