// The scopes that a person writes to from one machine, and their shelves, made when they are first needed. Lives for one batch.

import type { Session } from './driver.ts';

export type Scope = { readonly id: number; readonly class: 'local' | 'own' | 'shared' };

/** Conversations are the person's own wherever he is; everything else is named by folders of one machine. */
const OWN_LAYER = 'trace';
const CLASSES = ['local', 'own', 'shared'] as const;

export class Scopes {
  readonly machine: string;
  readonly local: Scope;
  readonly own: Scope;
  readonly shared: Scope;
  readonly #session: Session;
  readonly #shelves = new Map<string, number>();

  private constructor(session: Session, machine: string, ids: ReadonlyMap<string, number>) {
    this.#session = session;
    this.machine = machine;
    const scope = (name: Scope['class']): Scope => ({ id: ids.get(name) ?? 0, class: name });
    this.local = scope('local');
    this.own = scope('own');
    this.shared = scope('shared');
  }

  static async of(session: Session, machine: string): Promise<Scopes> {
    const find = () =>
      session.query('SELECT id, class FROM scope WHERE owner = current_user AND machine = ?', [machine]);
    let rows = await find();
    if (rows.length < CLASSES.length) {
      await session.query(`INSERT INTO scope (machine, class) SELECT ?, unnest(?::text[]) ON CONFLICT DO NOTHING`, [
        machine,
        CLASSES,
      ]);
      rows = await find();
    }
    return new Scopes(session, machine, new Map(rows.map((row) => [String(row.class), Number(row.id)])));
  }

  ownOf(layer: string): Scope {
    return layer === OWN_LAYER ? this.own : this.local;
  }

  async shelf(scope: Scope, project: string): Promise<number> {
    const key = `${scope.id} ${project}`;
    let id = this.#shelves.get(key);
    if (id === undefined) {
      const find = () =>
        this.#session.query('SELECT id FROM shelf WHERE scope = ?::integer AND project = ?', [scope.id, project]);
      let rows = await find();
      if (rows.length === 0) {
        await this.#session.query('INSERT INTO shelf (scope, project) VALUES (?::integer, ?) ON CONFLICT DO NOTHING', [
          scope.id,
          project,
        ]);
        rows = await find();
      }
      id = Number(rows[0]?.id);
      this.#shelves.set(key, id);
    }
    return id;
  }
}
