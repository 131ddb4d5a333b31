// Applies one batch inside one transaction. Documents that are put one after the other are written together (put-rows.ts); everything
// else happens in its place between them. Writers of one person wait for each other, so that what one expects is true until its end.

import { CairnError } from '../../errors.ts';
import type { Change, Document, Filter, Link, Vector } from '../store.ts';
import { vectorBytes } from '../vector-bytes.ts';
import type { Row, Session } from './driver.ts';
import { conditionsOf, whereOf } from './filter.ts';
import { bitsOf } from './nearest.ts';
import { facetsOf, indexedIn, type Put, PutRows, placeDocuments, placeOf, writeLinks } from './put-rows.ts';
import { Scopes } from './scopes.ts';
import { Tallies } from './tallies.ts';
import type { View } from './view.ts';

/** Until the end of the transaction. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtext('cairn'), hashtext(current_schema() || ' ' || current_user))`;

/** So many documents are written together, so many words gathered, so many vectors sent at once. */
const MOST_PUTS = 1_000;
const MOST_WORDS = 200_000;
const MOST_VECTORS = 500;
const MOST_DELETED = 2_000;

export type WriteOptions = {
  readonly view: View;
  /** What others may have of a document; undefined: nothing. */
  readonly share?: (document: Document) => Document | undefined;
  /** Whether pgvector is there. */
  readonly indexes: boolean;
};

/** Lives for one batch. */
export class Writer {
  readonly #session: Session;
  readonly #view: View;
  readonly #scopes: Scopes;
  readonly #tallies: Tallies;
  readonly #rows: PutRows;
  readonly #indexes: boolean;
  #waiting = new Map<string, Put>();

  private constructor(session: Session, scopes: Scopes, { view, share, indexes }: WriteOptions) {
    this.#session = session;
    this.#view = view;
    this.#scopes = scopes;
    this.#tallies = new Tallies(session);
    this.#rows = new PutRows(session, scopes, this.#tallies, share);
    this.#indexes = indexes;
  }

  static async of(session: Session, options: WriteOptions): Promise<Writer> {
    await session.query(LOCK);
    return new Writer(session, await Scopes.of(session, options.view.machine), options);
  }

  async apply(changes: readonly Change[]): Promise<void> {
    for (const change of changes) await this.#applyOne(change);
    await this.#flush();
    await this.#tallies.flush();
  }

  async #applyOne(change: Change): Promise<void> {
    if (change.op === 'put') return this.#put(change);
    if (change.op === 'state') return this.#setState(change.key, change.value);
    if (change.op === 'expect') return this.#expect(change.key, change.value);
    await this.#flush();
    switch (change.op) {
      case 'delete':
        return this.#delete(change.where);
      case 'link':
        return this.#link(change.links);
      case 'vectors':
        return this.#vectors(change.vectors);
      case 'prune':
        return this.#prune(change.vectors);
      case 'clear':
        return this.#clear();
    }
  }

  /** What is another's is not changed, whatever was found out about it here. */
  async #put(change: Put): Promise<void> {
    if (change.document.author !== undefined) return;
    const key = `${change.document.project}\0${change.document.ref}`;
    if (this.#waiting.has(key) || this.#waiting.size >= MOST_PUTS) await this.#flush();
    this.#waiting.set(key, change);
  }

  async #flush(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const puts = [...this.#waiting.values()];
    this.#waiting = new Map();
    const unshared = await this.#rows.put(puts);
    if (unshared.length > 0) await this.#remove(unshared);
    if (this.#tallies.size > MOST_WORDS) await this.#tallies.flush();
  }

  async #delete(where: Filter): Promise<void> {
    const { sql, values } = whereOf(conditionsOf(where, this.#view, 'own'));
    const rows = await this.#session.query(`SELECT d.id FROM document d${sql}`, values);
    const ids = rows.map((row) => Number(row.id));
    for (let from = 0; from < ids.length; from += MOST_DELETED) {
      const part = ids.slice(from, from + MOST_DELETED);
      const copies = await this.#session.query(
        `SELECT c.id FROM document d JOIN shelf s ON s.id = d.shelf JOIN shelf t ON t.project = s.project
         JOIN scope o ON o.id = t.scope AND o.owner = current_user AND o.class = 'shared'
         JOIN document c ON c.shelf = t.id AND c.ref = d.ref WHERE d.id = ANY (?::bigint[])`,
        [part],
      );
      await this.#remove([...part, ...copies.map((row) => Number(row.id))]);
    }
  }

  async #remove(ids: readonly number[]): Promise<void> {
    const rows = await this.#session.query(
      `SELECT d.id, d.shelf, d.ref, d.layer, d.kind, d.status, d.words, d.length, s.project, s.scope
       FROM document d JOIN shelf s ON s.id = d.shelf WHERE d.id = ANY (?::bigint[])`,
      [ids],
    );
    if (rows.length === 0) return;
    await this.#tallies.settle(rows.map((row) => Number(row.id)));
    for (const row of rows) this.#tallies.remove(placeOf(row), indexedIn(row), facetsOf(String(row.project), row));
    const [shelves, refs, gone] = [
      rows.map(shelfOf),
      rows.map((row) => String(row.ref)),
      rows.map((row) => Number(row.id)),
    ];
    await this.#session.query(
      `DELETE FROM link l USING unnest(?::integer[], ?::text[]) AS x(shelf, ref) WHERE l.shelf = x.shelf AND l.from_ref = x.ref`,
      [shelves, refs],
    );
    await this.#session.query(
      `DELETE FROM near n USING unnest(?::integer[], ?::bigint[]) AS x(shelf, document)
       WHERE n.shelf = x.shelf AND n.document = x.document AND n.model IN (SELECT id FROM model)`,
      [shelves, gone],
    );
    await this.#session.query('DELETE FROM mention WHERE document = ANY (?::bigint[])', [gone]);
    await this.#session.query('DELETE FROM document WHERE id = ANY (?::bigint[])', [gone]);
    await this.#tallies.flush(); // a document of the same name may be put next, and its words too
  }

  async #link(links: readonly Link[]): Promise<void> {
    if (links.length === 0) return;
    const rows = await this.#session.query(
      `SELECT k.project, k.ref, d.shelf FROM (SELECT DISTINCT * FROM unnest(?::text[], ?::text[]) AS u(project, ref)) k
       JOIN shelf s ON s.project = k.project JOIN scope o ON o.id = s.scope AND o.owner = current_user
         AND (o.class <> 'local' OR o.machine = ?)
       JOIN document d ON d.shelf = s.id AND d.ref = k.ref`,
      [links.map(({ project }) => project), links.map(({ from }) => from), this.#scopes.machine],
    );
    const shelves = new Map<string, number[]>();
    for (const row of rows) {
      const key = `${String(row.project)}\0${String(row.ref)}`;
      shelves.set(key, [...(shelves.get(key) ?? []), shelfOf(row)]);
    }
    const placed = links.flatMap((link) => {
      const found = shelves.get(`${link.project}\0${link.from}`);
      if (found !== undefined) return found.map((shelf) => ({ ...link, shelf }));
      throw new CairnError('STORE_ERROR', `A link from ${link.from} is refused: the project has no such document.`, {
        fix: 'Nothing of the batch was stored. Put the document before its links.',
      });
    });
    await writeLinks(this.#session, placed);
  }

  async #vectors(vectors: readonly Vector[]): Promise<void> {
    const byModel = new Map<string, Map<string, Vector>>();
    for (const vector of vectors) {
      const key = `${vector.vector.length} ${vector.model}`;
      byModel.set(key, (byModel.get(key) ?? new Map()).set(vector.hash, vector));
    }
    for (const group of byModel.values()) {
      const all = [...group.values()];
      const model = await this.#modelId(all[0]!.model, all[0]!.vector.length);
      for (let from = 0; from < all.length; from += MOST_VECTORS)
        await this.#writeVectors(model, all.slice(from, from + MOST_VECTORS));
    }
  }

  async #writeVectors(model: number, vectors: readonly Vector[]): Promise<void> {
    const written = await this.#session.query(
      `INSERT INTO embedding (scope, model, hash, vector, bits, tokens)
       SELECT ?::integer, ?::integer, hash, decode(hex, 'hex'), bits::bit varying, decode(tokens, 'hex')
       FROM unnest(?::text[], ?::text[], ?::text[], ?::text[]) AS x(hash, hex, bits, tokens)
       ON CONFLICT (scope, model, hash) DO UPDATE
         SET vector = excluded.vector, bits = excluded.bits, tokens = COALESCE(excluded.tokens, embedding.tokens)
         WHERE embedding.vector <> excluded.vector OR (excluded.tokens IS NOT NULL AND embedding.tokens IS DISTINCT FROM excluded.tokens)
       RETURNING hash`,
      [
        this.#scopes.own.id,
        model,
        vectors.map(({ hash }) => hash),
        vectors.map(({ vector }) => hexOf(vectorBytes(vector))),
        vectors.map(({ vector }) => bitsOf(vector)),
        vectors.map(({ tokens }) => (tokens === undefined ? null : hexOf(tokens))),
      ],
    );
    if (written.length === 0) return;
    const hashes = written.map((row) => String(row.hash));
    // Whatever else of his has another vector for the same content is older than this one.
    await this.#session.query(
      `DELETE FROM embedding e USING scope o WHERE o.id = e.scope AND o.owner = current_user AND e.scope <> ?::integer
       AND e.model = ?::integer AND e.hash = ANY (?::text[])`,
      [this.#scopes.own.id, model, hashes],
    );
    const rows = await this.#session.query(
      `SELECT d.id FROM document d JOIN shelf s ON s.id = d.shelf JOIN scope o ON o.id = s.scope AND o.owner = current_user
       WHERE d.hash = ANY (?::text[])`,
      [hashes],
    );
    if (rows.length > 0)
      await placeDocuments(
        this.#session,
        rows.map((row) => Number(row.id)),
        this.#scopes.shared.id,
      );
  }

  async #modelId(name: string, dimensions: number): Promise<number> {
    const rows = await this.#session.query(
      `SELECT m.id, m.dimensions, EXISTS (SELECT 1 FROM embedding e JOIN scope o ON o.id = e.scope AND o.owner = current_user
         WHERE e.model = m.id) AS used FROM model m WHERE m.name = ?`,
      [name],
    );
    const other = rows.find((row) => row.used === true && Number(row.dimensions) !== dimensions);
    if (other) {
      throw new CairnError(
        'STORE_ERROR',
        `A vector of ${dimensions} numbers is refused: those of the model ${name} have ${Number(other.dimensions)}.`,
        { fix: 'Nothing of the batch was stored. Give another setting of a model another name.' },
      );
    }
    const known = rows.find((row) => Number(row.dimensions) === dimensions);
    if (known) return Number(known.id);
    const made = await this.#session.query(
      'INSERT INTO model (name, dimensions) VALUES (?, ?::integer) ON CONFLICT DO NOTHING RETURNING id',
      [name, dimensions],
    );
    if (made.length === 0) return this.#modelId(name, dimensions);
    const id = Number(made[0]?.id);
    if (this.#indexes) await makeSignIndex(this.#session, id, dimensions);
    return id;
  }

  async #prune(which: 'unused' | { readonly model: string }): Promise<void> {
    const mine = this.#view.scopes('here');
    if (which === 'unused') {
      await this.#session.query(
        `DELETE FROM embedding e WHERE e.scope = ANY (${mine.sql}) AND NOT EXISTS (
           SELECT 1 FROM document d JOIN shelf s ON s.id = d.shelf JOIN scope o ON o.id = s.scope AND o.owner = current_user
           WHERE d.hash = e.hash)`,
        mine.values,
      );
      return;
    }
    const shelves = this.#view.shelves('own');
    const copies = this.#view.shelves('copies');
    await this.#session.query(
      `DELETE FROM near n WHERE n.model IN (SELECT id FROM model WHERE name = ?)
         AND (n.shelf = ANY (${shelves.sql}) OR n.shelf = ANY (${copies.sql}))`,
      [which.model, ...shelves.values, ...copies.values],
    );
    await this.#session.query(
      `DELETE FROM embedding e USING scope o WHERE o.id = e.scope AND o.owner = current_user
       AND e.model IN (SELECT id FROM model WHERE name = ?)`,
      [which.model],
    );
  }

  async #setState(key: string, value: string | null): Promise<void> {
    const { id } = this.#scopes.own;
    if (value === null) await this.#session.query('DELETE FROM state WHERE scope = ?::integer AND key = ?', [id, key]);
    else
      await this.#session.query(
        `INSERT INTO state (scope, key, value) VALUES (?::integer, ?, ?)
         ON CONFLICT (scope, key) DO UPDATE SET value = excluded.value`,
        [id, key, value],
      );
  }

  async #expect(key: string, value: string | null): Promise<void> {
    const rows = await this.#session.query('SELECT value FROM state WHERE scope = ?::integer AND key = ?', [
      this.#scopes.own.id,
      key,
    ]);
    if ((rows[0]?.value ?? null) === value) return;
    throw new CairnError('OCC_CONFLICT', `Another process has changed ${key} meanwhile.`, {
      fix: 'Nothing of the batch was stored. Read the state again and repeat the work.',
    });
  }

  /** What this machine has brought; what the person's other machines have is theirs to make anew. */
  async #clear(): Promise<void> {
    await this.#tallies.flush();
    const shelves = this.#view.shelves('here');
    const scopes = this.#view.scopes('here');
    await this.#session.query(`DELETE FROM mention WHERE shelf = ANY (${shelves.sql})`, shelves.values);
    for (const table of ['posting', 'near', 'link', 'document'])
      await this.#session.query(`DELETE FROM ${table} WHERE shelf = ANY (${shelves.sql})`, shelves.values);
    for (const table of ['tally', 'state'])
      await this.#session.query(`DELETE FROM ${table} WHERE scope = ANY (${scopes.sql})`, scopes.values);
  }
}

const hexOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('hex');

const shelfOf = (row: Row): number => Number(row.shelf);

/** An index of pgvector over the signs of one model. Only who owns the tables can make it; for others the scan goes on. */
export async function makeSignIndex(session: Session, model: number, dimensions: number): Promise<void> {
  const [row] = await session.query(
    `SELECT pg_get_userbyid(relowner) = current_user AS own FROM pg_class WHERE oid = 'near'::regclass`,
  );
  if (row?.own !== true) return;
  await session.exec(
    `CREATE INDEX IF NOT EXISTS near_signs_${model} ON near USING hnsw ((bits::bit(${dimensions})) bit_hamming_ops) WHERE model = ${model}`,
  );
}

const OWN_SCOPES = 'SELECT id FROM scope WHERE owner = current_user';
const OWN_SHELVES = `SELECT id FROM shelf WHERE scope IN (${OWN_SCOPES})`;

/** Nothing of the person stays. Copies are not counted. */
export async function removeOwn(session: Session): Promise<number> {
  await session.query(LOCK);
  const [row] = await session.query(
    `SELECT COUNT(*) AS n FROM document d JOIN shelf s ON s.id = d.shelf JOIN scope o ON o.id = s.scope
     WHERE o.owner = current_user AND o.class <> 'shared'`,
  );
  for (const table of ['mention', 'link', 'posting', 'near', 'document'])
    await session.exec(`DELETE FROM ${table} WHERE shelf IN (${OWN_SHELVES})`);
  for (const table of ['shelf', 'tally', 'state', 'embedding'])
    await session.exec(`DELETE FROM ${table} WHERE scope IN (${OWN_SCOPES})`);
  await session.exec('DELETE FROM scope WHERE owner = current_user');
  return Number(row?.n);
}
