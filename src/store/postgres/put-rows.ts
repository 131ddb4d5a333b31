// Many documents at once: what is there of them already, what is new, and what hangs on them (words, counts, links, mentions, signs),
// each in one statement for all. A document that is put again unchanged writes nothing.

import { cleanText } from '../check-changes.ts';
import type { Change, Document, Link, Mention } from '../store.ts';
import type { Row, Session } from './driver.ts';
import { FACET_FIELDS } from './filter.ts';
import type { Scope, Scopes } from './scopes.ts';
import type { Tallies } from './tallies.ts';
import { indexed } from './tally-words.ts';

export type Put = Extract<Change, { op: 'put' }>;

/** A document on its way to one scope. */
type Draft = {
  readonly key: string;
  readonly project: string;
  readonly scope: Scope;
  readonly shelf: number;
  readonly columns: Columns;
  readonly links: Put['links'];
  readonly mentions: Put['mentions'];
  id: number;
};

type Columns = { readonly [column in (typeof COMPARED)[number]]: unknown } & { readonly ref: string };

const COMPARED = [
  ...([
    'layer',
    'kind',
    'status',
    'created_at',
    'updated_at',
    'confidence',
    'session',
    'span',
    'file',
    'line',
  ] as const),
  ...(['hash', 'title', 'tags', 'meta', 'text', 'context'] as const),
] as const;
const INDEXED = ['layer', 'kind', 'status', 'title', 'tags', 'text', 'context'] as const;

/** The columns of `json_to_recordset`. */
const RECORD = `shelf integer, ref text, layer text, kind text, status text, created_at bigint, updated_at bigint,
  confidence double precision, session text, span text, file text, line bigint, hash text, title text, tags text[],
  meta text, text text, context text, words text, length integer`;
const NAMES = ['shelf', 'ref', ...COMPARED, 'words', 'length'] as const;

export class PutRows {
  readonly #session: Session;
  readonly #scopes: Scopes;
  readonly #tallies: Tallies;
  readonly #share: (document: Document) => Document | undefined;

  constructor(
    session: Session,
    scopes: Scopes,
    tallies: Tallies,
    share: (document: Document) => Document | undefined = () => undefined,
  ) {
    this.#session = session;
    this.#scopes = scopes;
    this.#tallies = tallies;
    this.#share = share;
  }

  /** No two of the same project and ref. Returns the numbers of shared copies that are to go. */
  async put(puts: readonly Put[]): Promise<number[]> {
    const drafts = await this.#draftsOf(puts);
    const there = await this.#there(puts);
    const fresh: Draft[] = [];
    const changed: { draft: Draft; old: Row }[] = [];
    for (const draft of drafts) {
      const old = there.get(draft.key);
      if (old === undefined) fresh.push(draft);
      else {
        draft.id = Number(old.id);
        there.delete(draft.key);
        if (Number(old.shelf) !== draft.shelf || COMPARED.some((name) => differs(old[name], draft.columns[name])))
          changed.push({ draft, old });
      }
    }
    await this.#insert(fresh);
    await this.#update(changed);
    await this.#place(
      [...fresh, ...changed.filter(movesVector).map(({ draft }) => draft)],
      changed.filter(movesVector),
    );
    await this.#links(drafts, new Set(fresh));
    await this.#mentions(drafts, new Set(fresh));
    // What is shared no more: a copy that was there and has no draft.
    return [...there].filter(([key]) => key.startsWith('shared')).map(([, row]) => Number(row.id));
  }

  async #draftsOf(puts: readonly Put[]): Promise<Draft[]> {
    const drafts: Draft[] = [];
    for (const { document, links, mentions } of puts) {
      const own = this.#scopes.ownOf(document.layer);
      drafts.push(await this.#draft(document, own, links, mentions));
      const copy = this.#share(document);
      if (copy) drafts.push(await this.#draft(copy, this.#scopes.shared, links, mentions));
    }
    return drafts;
  }

  async #draft(document: Document, scope: Scope, links: Put['links'], mentions: Put['mentions']): Promise<Draft> {
    const { project } = document;
    const shelf = await this.#scopes.shelf(scope, project);
    return {
      key: keyOf(scope.class, project, document.ref),
      project,
      scope,
      shelf,
      columns: columnsOf(document),
      links,
      mentions,
      id: 0,
    };
  }

  /** Rows of these names that are the person's own, and their shared copies, by `keyOf`. */
  async #there(puts: readonly Put[]): Promise<Map<string, Row>> {
    const rows = await this.#session.query(
      `SELECT d.*, s.project, o.class, o.id AS scope FROM unnest(?::text[], ?::text[]) AS k(project, ref)
       JOIN shelf s ON s.project = k.project JOIN scope o ON o.id = s.scope
       JOIN document d ON d.shelf = s.id AND d.ref = k.ref
       WHERE o.owner = current_user AND (o.class <> 'local' OR o.machine = ?)`,
      [puts.map(({ document }) => document.project), puts.map(({ document }) => document.ref), this.#scopes.machine],
    );
    return new Map(rows.map((row) => [keyOf(String(row.class), String(row.project), String(row.ref)), row]));
  }

  async #insert(drafts: readonly Draft[]): Promise<void> {
    if (drafts.length === 0) return;
    const made = drafts.map((draft) => ({ draft, ...indexedOf(draft) }));
    const rows = await this.#session.query(
      `INSERT INTO document (${NAMES.join(', ')}) SELECT ${NAMES.join(', ')} FROM json_to_recordset(?::json) AS x(${RECORD})
       RETURNING id, shelf, ref`,
      [
        JSON.stringify(
          made.map(({ draft, words, length }) => ({ ...draft.columns, shelf: draft.shelf, words, length })),
        ),
      ],
    );
    const ids = new Map(rows.map((row) => [`${Number(row.shelf)} ${String(row.ref)}`, Number(row.id)]));
    for (const { draft, words, length } of made) {
      draft.id = ids.get(`${draft.shelf} ${draft.columns.ref}`) ?? 0;
      this.#tallies.add(draft, { words, length }, facetsOf(draft.project, draft.columns));
    }
  }

  async #update(changed: readonly { draft: Draft; old: Row }[]): Promise<void> {
    if (changed.length === 0) return;
    await this.#tallies.settle(changed.map(({ draft }) => draft.id));
    const made = changed.map(({ draft, old }) => {
      const isIndexed =
        Number(old.shelf) !== draft.shelf || INDEXED.some((name) => differs(old[name], draft.columns[name]));
      const now = isIndexed ? indexedOf(draft) : { words: String(old.words), length: Number(old.length) };
      if (isIndexed) {
        this.#tallies.remove(placeOf(old), indexedIn(old), facetsOf(draft.project, old));
        this.#tallies.add(draft, now, facetsOf(draft.project, draft.columns));
      }
      return { id: draft.id, shelf: draft.shelf, ...draft.columns, ...now };
    });
    await this.#session.query(
      `UPDATE document d SET ${NAMES.map((name) => `${name} = x.${name}`).join(', ')}
       FROM json_to_recordset(?::json) AS x(id bigint, ${RECORD}) WHERE d.id = x.id`,
      [JSON.stringify(made)],
    );
    const moved = changed.filter(({ draft, old }) => Number(old.shelf) !== draft.shelf);
    for (const { draft, old } of moved) {
      await this.#session.query('UPDATE link SET shelf = ?::integer WHERE shelf = ?::integer AND from_ref = ?', [
        draft.shelf,
        Number(old.shelf),
        draft.columns.ref,
      ]);
      await this.#session.query('UPDATE mention SET shelf = ?::integer WHERE document = ?::bigint', [
        draft.shelf,
        draft.id,
      ]);
    }
  }

  /** The signs of those whose content has a vector already. */
  async #place(drafts: readonly Draft[], moved: readonly { old: Row }[]): Promise<void> {
    if (moved.length > 0) {
      await this.#session.query(
        `DELETE FROM near n USING unnest(?::integer[], ?::bigint[]) AS x(shelf, document)
         WHERE n.shelf = x.shelf AND n.document = x.document AND n.model IN (SELECT id FROM model)`,
        [moved.map(({ old }) => Number(old.shelf)), moved.map(({ old }) => Number(old.id))],
      );
    }
    if (drafts.length > 0)
      await placeDocuments(
        this.#session,
        drafts.map(({ id }) => id),
        this.#scopes.shared.id,
      );
  }

  async #links(drafts: readonly Draft[], fresh: ReadonlySet<Draft>): Promise<void> {
    const given = drafts.filter((draft) => draft.links !== undefined);
    const before = given.filter((draft) => !fresh.has(draft));
    if (before.length > 0) {
      await this.#session.query(
        `DELETE FROM link l USING unnest(?::integer[], ?::text[]) AS x(shelf, ref) WHERE l.shelf = x.shelf AND l.from_ref = x.ref`,
        [before.map(({ shelf }) => shelf), before.map(({ columns }) => columns.ref)],
      );
    }
    await writeLinks(
      this.#session,
      given.flatMap(({ shelf, columns, links }) =>
        (links ?? []).map((link) => ({ ...link, shelf, from: columns.ref })),
      ),
    );
  }

  async #mentions(drafts: readonly Draft[], fresh: ReadonlySet<Draft>): Promise<void> {
    const given = drafts.filter((draft) => draft.mentions !== undefined);
    const before = given.filter((draft) => !fresh.has(draft));
    if (before.length > 0)
      await this.#session.query('DELETE FROM mention WHERE document = ANY (?::bigint[])', [before.map(({ id }) => id)]);
    const rows = given.flatMap(({ shelf, id, mentions }) =>
      summed(mentions ?? []).map(({ entity, kind, count }) => ({ shelf, id, entity, kind, count })),
    );
    if (rows.length === 0) return;
    await this.#session.query(
      `INSERT INTO mention (shelf, document, name, kind, count)
       SELECT * FROM unnest(?::integer[], ?::bigint[], ?::text[], ?::text[], ?::bigint[])`,
      [
        rows.map(({ shelf }) => shelf),
        rows.map(({ id }) => id),
        rows.map(({ entity }) => entity),
        rows.map(({ kind }) => kind),
        rows.map(({ count }) => count),
      ],
    );
  }
}

/** Own and local rows are one name space: a document that changes its layer moves. */
const keyOf = (scopeClass: string, project: string, ref: string): string =>
  `${scopeClass === 'shared' ? 'shared' : 'own'}\0${project}\0${ref}`;

const movesVector = ({ draft, old }: { draft: Draft; old: Row }): boolean =>
  old.hash !== draft.columns.hash || Number(old.shelf) !== draft.shelf;

/** Signs of documents by what is stored of their content; vectors of what is shared are shared with it. */
export async function placeDocuments(session: Session, ids: readonly number[], shared: number): Promise<void> {
  await session.query(
    `INSERT INTO embedding (scope, model, hash, vector, bits, tokens)
     SELECT DISTINCT ON (e.model, e.hash) s.scope, e.model, e.hash, e.vector, e.bits, e.tokens FROM document d
     JOIN shelf s ON s.id = d.shelf AND s.scope = ?::integer JOIN embedding e ON e.hash = d.hash
     JOIN scope o ON o.id = e.scope AND o.owner = current_user
     WHERE d.id = ANY (?::bigint[]) ON CONFLICT DO NOTHING`,
    [shared, ids],
  );
  await session.query(
    `INSERT INTO near (shelf, model, document, bits)
     SELECT DISTINCT ON (d.id, e.model) d.shelf, e.model, d.id, e.bits FROM document d JOIN embedding e ON e.hash = d.hash
     JOIN scope o ON o.id = e.scope AND o.owner = current_user
     WHERE d.id = ANY (?::bigint[]) ORDER BY d.id, e.model, e.scope
     ON CONFLICT (shelf, model, document) DO UPDATE SET bits = excluded.bits WHERE near.bits <> excluded.bits`,
    [ids],
  );
}

type PlacedLink = Omit<Link, 'project'> & { readonly shelf: number };

export async function writeLinks(session: Session, links: readonly PlacedLink[]): Promise<void> {
  // One statement may not meet the same row twice; the last one counts.
  const unique = [
    ...new Map(links.map((link) => [`${link.shelf}\0${link.from}\0${link.to}\0${link.relation}`, link])).values(),
  ];
  if (unique.length === 0) return;
  await session.query(
    `INSERT INTO link (shelf, from_ref, to_ref, relation, confidence, rule)
     SELECT * FROM unnest(?::integer[], ?::text[], ?::text[], ?::text[], ?::double precision[], ?::text[])
     ON CONFLICT (shelf, from_ref, to_ref, relation) DO UPDATE SET confidence = excluded.confidence, rule = excluded.rule`,
    [
      unique.map(({ shelf }) => shelf),
      unique.map(({ from }) => from),
      unique.map(({ to }) => to),
      unique.map(({ relation }) => relation),
      unique.map(({ confidence }) => confidence),
      unique.map(({ rule }) => (rule === undefined ? null : cleanText(rule))),
    ],
  );
}

function summed(mentions: readonly Omit<Mention, 'project' | 'ref'>[]): Omit<Mention, 'project' | 'ref'>[] {
  const sums = new Map<string, Omit<Mention, 'project' | 'ref'>>();
  for (const mention of mentions) {
    const key = `${mention.kind}\0${mention.entity}`;
    const known = sums.get(key);
    sums.set(key, known ? { ...known, count: known.count + mention.count } : mention);
  }
  return [...sums.values()];
}

function columnsOf(document: Document): Columns {
  return {
    ref: document.ref,
    layer: document.layer,
    kind: document.kind,
    status: document.status,
    created_at: document.createdAt,
    updated_at: document.updatedAt,
    confidence: document.confidence,
    session: document.session ?? null,
    span: document.span ?? null,
    file: document.source?.file ?? null,
    line: document.source?.line ?? null,
    hash: document.hash,
    title: cleanText(document.title),
    tags: document.tags,
    meta: document.meta === undefined ? null : JSON.stringify(document.meta),
    text: cleanText(document.text),
    context: document.context === undefined ? null : cleanText(document.context),
  };
}

function differs(old: unknown, now: unknown): boolean {
  if (Array.isArray(old) && Array.isArray(now))
    return old.length !== now.length || old.some((each, at) => each !== now[at]);
  return old !== now;
}

const indexedOf = ({ columns }: Draft) =>
  indexed({
    title: String(columns.title),
    text: String(columns.text),
    tags: columns.tags as string[],
    context: columns.context as string | null,
  });

export const indexedIn = (row: Row) => ({ words: String(row.words), length: Number(row.length) });
export const placeOf = (row: Row) => ({
  shelf: Number(row.shelf),
  scope: { id: Number(row.scope) },
  id: Number(row.id),
});

/** `field value` of the four facets. */
export const facetsOf = (project: string, columns: { readonly [name: string]: unknown }) =>
  FACET_FIELDS.map((field) => ({ field, value: field === 'project' ? project : String(columns[field]) }));
