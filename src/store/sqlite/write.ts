// Applies one batch inside one transaction, and keeps everything that hangs on a document in step with it: words,
// tags, links, mentions, facet counts and vector pages. A document that is put again unchanged writes nothing.

import { CairnError } from '../../errors.ts';
import { cleanText } from '../check-changes.ts';
import { indexWords } from '../index-words.ts';
import type { Change, Document, Filter, Link, Vector } from '../store.ts';
import { vectorBytes } from '../vector-bytes.ts';
import { tagsIn } from './document-rows.ts';
import type { Driver, Row, SqlValue } from './driver.ts';
import { FACET_FIELDS, type Facets, facetWord } from './facets.ts';
import { conditionsOf, whereOf } from './filter.ts';
import { HASH_INDEX, TOKENS_SCHEMA } from './schema.ts';
import { SignPages } from './sign-pages.ts';
import { hasTokens } from './token-rows.ts';
import { floatsOf } from './vector-block.ts';

const COLUMNS = [
  'layer',
  'kind',
  'status',
  'created_at',
  'updated_at',
  'confidence',
  'session',
  'span',
  'source',
  'line',
  'hash',
  'title',
  'tags',
  'meta',
  'text',
  'context',
] as const;
type Columns = { readonly [column in (typeof COLUMNS)[number]]: SqlValue };
type Placed = Columns & { id: number; readonly project: number };

const valuesOf = (row: Columns): SqlValue[] => COLUMNS.map((name) => row[name]);

/** What hangs on a document; beside a new one there is nothing yet that would have to go. */
type Replaced<Name extends 'links' | 'mentions'> = { readonly isNew: boolean } & {
  readonly [name in Name]: NonNullable<(Change & { op: 'put' })[Name]>;
};

const SELECT = 'SELECT * FROM document WHERE project = ? AND ref = ?';
/** Nearly every document is new: it is written, and only what is there already is looked at. */
const INSERT = `INSERT INTO document (project, ref, ${COLUMNS.join(', ')}) VALUES (?, ?${', ?'.repeat(COLUMNS.length)})
  ON CONFLICT DO NOTHING`;
const UPDATE = `UPDATE document SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`;

const INSERT_WORDS = 'INSERT INTO words (rowid, title, text, tags, context, facets) VALUES (?, ?, ?, ?, ?, ?)';
const FORGET_WORDS = `INSERT INTO words (words, rowid, title, text, tags, context, facets)
  VALUES ('delete', ?, ?, ?, ?, ?, ?)`;

const DELETE_LOST_PAGES = `DELETE FROM near WHERE project NOT IN (SELECT id FROM facet)
  OR layer NOT IN (SELECT id FROM facet) OR kind NOT IN (SELECT id FROM facet)`;

const INDEXED = ['layer', 'kind', 'status', 'title', 'tags', 'text', 'context'] as const;
const PLACED = ['layer', 'kind', 'hash'] as const;

/** Lives for one batch. */
export class Writer {
  readonly #driver: Driver;
  readonly #facets: Facets;
  readonly #pages: SignPages;
  readonly #sources = new Map<string, number>();
  readonly #entities = new Map<string, number>();
  readonly #countedFacets = new Set<number>();
  readonly #leftSources = new Set<number>();
  readonly #leftEntities = new Set<number>();
  /** By document, what the index has of it and what it is to have. */
  readonly #toIndex = new Map<number, { readonly old: Row | undefined; row: Row | undefined }>();
  #models: Row[];

  constructor(driver: Driver, facets: Facets) {
    this.#driver = driver;
    this.#facets = facets;
    this.#pages = new SignPages(driver);
    this.#models = this.#readModels();
  }

  apply(changes: readonly Change[]): void {
    for (const change of changes) this.#applyOne(change);
    this.#finish();
  }

  #applyOne(change: Change): void {
    switch (change.op) {
      case 'put':
        this.#put(change);
        break;
      case 'delete':
        this.#delete(change.where);
        break;
      case 'link':
        for (const link of change.links) this.#link(link);
        break;
      case 'vectors':
        if (change.vectors.length > 0) this.#driver.exec(HASH_INDEX);
        if (change.vectors.some(({ tokens }) => tokens)) this.#driver.exec(TOKENS_SCHEMA);
        for (const vector of change.vectors) this.#vector(vector);
        break;
      case 'prune':
        this.#prune(change.vectors);
        break;
      case 'state':
        this.#setState(change.key, change.value);
        break;
      case 'expect':
        this.#expect(change.key, change.value);
        break;
      case 'clear':
        this.#clear();
        break;
    }
  }

  #put({ document, links, mentions }: Change & { op: 'put' }): void {
    const row = this.#rowOf(document);
    const isNew = this.#insert(document.ref, row);
    const old = isNew ? undefined : this.#driver.prepare(SELECT).get(row.project, document.ref);
    if (old) this.#replace(old, row);
    if (!old || old.tags !== row.tags) this.#tag(row.id, document.tags, !isNew);
    if (links) this.#replaceLinks(document, row.project, { links, isNew });
    if (mentions) this.#replaceMentions(row, { mentions, isNew });
  }

  /** False if it is there already. */
  #insert(ref: string, row: Placed): boolean {
    const { changes, lastInsertRowid } = this.#driver.prepare(INSERT).run(row.project, ref, ...valuesOf(row));
    if (Number(changes) === 0) return false;
    row.id = Number(lastInsertRowid);
    this.#index(row);
    this.#count(row, undefined);
    this.#place(row);
    return true;
  }

  #replace(old: Row, row: Placed): void {
    row.id = Number(old.id);
    const changed = (names: readonly (keyof Columns)[]): boolean => names.some((name) => old[name] !== row[name]);
    if (!changed(COLUMNS)) return;
    this.#driver.prepare(UPDATE).run(...valuesOf(row), row.id);
    if (old.source !== row.source) this.#leftSources.add(Number(old.source));
    if (changed(INDEXED)) {
      this.#unindex(old);
      this.#index(row);
    }
    if (changed(['layer', 'kind', 'status'])) this.#count(row, old);
    if (changed(PLACED)) this.#place(row);
  }

  /** Its id is known once it is written. */
  #rowOf(document: Document): Placed {
    return {
      id: 0,
      project: this.#facets.intern('project', document.project),
      layer: this.#facets.intern('layer', document.layer),
      kind: this.#facets.intern('kind', document.kind),
      status: this.#facets.intern('status', document.status),
      created_at: document.createdAt,
      updated_at: document.updatedAt,
      confidence: document.confidence,
      session: document.session ?? null,
      span: document.span ?? null,
      source: document.source ? this.#source(document.source.file) : null,
      line: document.source?.line ?? null,
      hash: document.hash,
      title: cleanText(document.title),
      tags: JSON.stringify(document.tags),
      meta: document.meta === undefined ? null : JSON.stringify(document.meta),
      text: cleanText(document.text),
      context: document.context === undefined ? null : cleanText(document.context),
    };
  }

  #source(file: string): number {
    let id = this.#sources.get(file);
    if (id === undefined) {
      const found = this.#driver.prepare('SELECT id FROM source WHERE file = ?').get(file)?.id;
      id = Number(found ?? this.#driver.prepare('INSERT INTO source (file) VALUES (?)').run(file).lastInsertRowid);
      this.#sources.set(file, id);
    }
    return id;
  }

  #index(row: Row): void {
    const id = Number(row.id);
    const waiting = this.#toIndex.get(id);
    if (waiting) waiting.row = row;
    else this.#toIndex.set(id, { old: undefined, row });
  }

  #unindex(old: Row): void {
    const id = Number(old.id);
    const waiting = this.#toIndex.get(id);
    if (waiting) waiting.row = undefined;
    else this.#toIndex.set(id, { old, row: undefined });
  }

  /** In the order of ids: whenever one is lower than that before it, FTS5 writes all it has gathered as a segment of its own. */
  #writeWords(): void {
    for (const [id, { old, row }] of [...this.#toIndex].sort(([a], [b]) => a - b)) {
      // The index keeps no text, so it has to be told what it forgets: the words it was given, made again from the old row.
      if (old) this.#driver.prepare(FORGET_WORDS).run(id, ...indexedText(old));
      if (row) this.#driver.prepare(INSERT_WORDS).run(id, ...indexedText(row));
    }
    this.#toIndex.clear();
  }

  #count(row: Row, old: Row | undefined): void {
    for (const field of FACET_FIELDS) {
      if (old) this.#countFacet(Number(old[field]), -1);
      this.#countFacet(Number(row[field]), 1);
    }
  }

  #countFacet(id: number, difference: number): void {
    this.#facets.count(id, difference);
    this.#countedFacets.add(id);
  }

  #tag(id: number, tags: readonly string[], replace: boolean): void {
    if (replace) this.#driver.prepare('DELETE FROM tag WHERE document = ?').run(id);
    for (const tag of tags)
      this.#driver.prepare('INSERT OR IGNORE INTO tag (tag, document) VALUES (?, ?)').run(tag, id);
  }

  /** Enters the document into the vector pages of each model that has its content already. */
  #place(row: Placed): void {
    for (const model of this.#models) {
      const found = this.#driver
        .prepare('SELECT vector FROM embedding WHERE model = ? AND hash = ?')
        .get(Number(model.id), row.hash);
      if (found) this.#addToPages(Number(model.id), row, floatsOf(found.vector));
    }
  }

  #addToPages(model: number, row: Row, vector: Float32Array): void {
    const { project, layer, kind } = row;
    this.#pages.add(
      { model, project: Number(project), layer: Number(layer), kind: Number(kind) },
      Number(row.id),
      vector,
    );
  }

  #replaceLinks(document: Document, project: number, { links, isNew }: Replaced<'links'>): void {
    if (!isNew) this.#driver.prepare('DELETE FROM link WHERE project = ? AND from_ref = ?').run(project, document.ref);
    for (const link of links) this.#writeLink(project, { ...link, project: document.project, from: document.ref });
  }

  #link(link: Link): void {
    const project = this.#facets.intern('project', link.project);
    if (!this.#driver.prepare('SELECT 1 FROM document WHERE project = ? AND ref = ?').get(project, link.from)) {
      throw new CairnError('STORE_ERROR', `A link from ${link.from} is refused: the project has no such document.`, {
        fix: 'Nothing of the batch was stored. Put the document before its links.',
      });
    }
    this.#writeLink(project, link);
  }

  #writeLink(project: number, link: Link): void {
    this.#driver
      .prepare(
        `INSERT INTO link (project, from_ref, to_ref, relation, confidence, rule) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET confidence = excluded.confidence, rule = excluded.rule`,
      )
      .run(
        project,
        link.from,
        link.to,
        link.relation,
        link.confidence,
        link.rule === undefined ? null : cleanText(link.rule),
      );
  }

  #replaceMentions({ id, project }: Placed, { mentions, isNew }: Replaced<'mentions'>): void {
    if (!isNew) {
      this.#leaveEntities(id);
      this.#driver.prepare('DELETE FROM mention WHERE document = ?').run(id);
    }
    for (const { entity, kind, count } of mentions) {
      this.#driver
        .prepare(
          `INSERT INTO mention (entity, project, document, count) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET count = count + excluded.count`,
        )
        .run(this.#entity(entity, kind), project, id, count);
    }
  }

  #entity(name: string, kind: string): number {
    const key = `${kind}\0${name}`;
    let id = this.#entities.get(key);
    if (id === undefined) {
      const found = this.#driver.prepare('SELECT id FROM entity WHERE name = ? AND kind = ?').get(name, kind)?.id;
      const insert = this.#driver.prepare('INSERT INTO entity (name, kind) VALUES (?, ?)');
      id = Number(found ?? insert.run(name, kind).lastInsertRowid);
      this.#entities.set(key, id);
    }
    return id;
  }

  #leaveEntities(id: number): void {
    for (const row of this.#driver.prepare('SELECT entity FROM mention WHERE document = ?').all(id)) {
      this.#leftEntities.add(Number(row.entity));
    }
  }

  #delete(where: Filter): void {
    const { sql, values } = whereOf(conditionsOf(where, this.#facets));
    const rows = this.#driver.prepare(`SELECT d.* FROM document d${sql}`).all(...values);
    for (const row of rows) {
      const id = Number(row.id);
      this.#leaveEntities(id);
      if (row.source !== null) this.#leftSources.add(Number(row.source));
      for (const field of FACET_FIELDS) this.#countFacet(Number(row[field]), -1);
      this.#unindex(row);
      this.#driver.prepare('DELETE FROM document WHERE id = ?').run(id);
    }
  }

  #vector({ hash, model, vector, tokens }: Vector): void {
    const id = this.#modelId(model, vector.length);
    if (tokens) this.#driver.prepare('INSERT OR REPLACE INTO embedding_tokens VALUES (?, ?, ?)').run(id, hash, tokens);
    const { changes } = this.#driver
      .prepare(
        `INSERT INTO embedding (model, hash, vector) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET vector = excluded.vector WHERE vector <> excluded.vector`,
      )
      .run(id, hash, vectorBytes(vector));
    if (Number(changes) === 0) return;
    const rows = this.#driver.prepare('SELECT id, project, layer, kind FROM document WHERE hash = ?').all(hash);
    for (const row of rows) this.#addToPages(id, row, vector);
  }

  #modelId(name: string, dimensions: number): number {
    const known = this.#models.find((model) => model.name === name);
    if (known === undefined) {
      this.#driver.prepare('INSERT INTO embedding_model (name, dimensions) VALUES (?, ?)').run(name, dimensions);
      this.#models = this.#readModels();
      return this.#modelId(name, dimensions);
    }
    if (Number(known.dimensions) === dimensions) return Number(known.id);
    throw new CairnError(
      'STORE_ERROR',
      `A vector of ${dimensions} numbers is refused: those of the model ${name} have ${known.dimensions}.`,
      { fix: 'Nothing of the batch was stored. Give another setting of a model another name.' },
    );
  }

  #readModels(): Row[] {
    return this.#driver.prepare('SELECT id, name, dimensions FROM embedding_model').all();
  }

  #prune(which: 'unused' | { readonly model: string }): void {
    this.#pages.flush();
    if (which === 'unused') {
      this.#driver.exec('DELETE FROM embedding WHERE hash NOT IN (SELECT hash FROM document)');
    } else {
      const id = Number(this.#models.find((model) => model.name === which.model)?.id ?? -1);
      this.#driver.prepare('DELETE FROM embedding WHERE model = ?').run(id);
    }
    if (hasTokens(this.#driver))
      this.#driver.exec(
        'DELETE FROM embedding_tokens WHERE NOT EXISTS (SELECT 1 FROM embedding e WHERE e.model = embedding_tokens.model AND e.hash = embedding_tokens.hash)',
      );
    this.#driver.exec('DELETE FROM embedding_model WHERE id NOT IN (SELECT DISTINCT model FROM embedding)');
    this.#driver.exec('DELETE FROM near WHERE model NOT IN (SELECT id FROM embedding_model)');
    if (which === 'unused') this.#pages.rewriteAll();
    this.#models = this.#readModels();
  }

  #setState(key: string, value: string | null): void {
    if (value === null) this.#driver.prepare('DELETE FROM state WHERE key = ?').run(key);
    else this.#driver.prepare('INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)').run(key, value);
  }

  #expect(key: string, value: string | null): void {
    const found = this.#driver.prepare('SELECT value FROM state WHERE key = ?').get(key)?.value ?? null;
    if (found === value) return;
    throw new CairnError('OCC_CONFLICT', `Another process has changed ${key} meanwhile.`, {
      fix: 'Nothing of the batch was stored. Read the state again and repeat the work.',
    });
  }

  /** Deletes in place of dropping: statements that are prepared, here and in other processes, stay good. */
  #clear(): void {
    this.#finish();
    this.#driver.exec(`
      DELETE FROM tag; DELETE FROM link; DELETE FROM mention; DELETE FROM entity; DELETE FROM document;
      DELETE FROM source; DELETE FROM near; DELETE FROM state; DELETE FROM facet;
      INSERT INTO words (words) VALUES ('delete-all');`);
    this.#facets.reload();
  }

  /** What waits for the end of a batch: words, counts, vector pages, and names that nothing uses any more. */
  #finish(): void {
    this.#writeWords();
    this.#pages.flush();
    if (this.#facets.save(this.#countedFacets)) this.#driver.exec(DELETE_LOST_PAGES);
    for (const id of this.#leftSources) {
      this.#driver
        .prepare('DELETE FROM source WHERE id = ? AND NOT EXISTS (SELECT 1 FROM document WHERE source = ?)')
        .run(id, id);
    }
    for (const id of this.#leftEntities) {
      this.#driver
        .prepare('DELETE FROM entity WHERE id = ? AND NOT EXISTS (SELECT 1 FROM mention WHERE entity = ?)')
        .run(id, id);
    }
    this.#sources.clear();
    this.#entities.clear();
    this.#countedFacets.clear();
    this.#leftSources.clear();
    this.#leftEntities.clear();
  }
}

/** The words of each column of the index, from a row of document. */
function indexedText(row: Row): string[] {
  const [title, text, context] = [String(row.title), String(row.text), String(row.context ?? '')];
  const tags = row.tags === '[]' ? '' : wordsIn(tagsIn(row.tags).join(' '));
  const facets = FACET_FIELDS.map((field) => facetWord(Number(row[field])));
  const inText = wordsIn(text);
  return [title === text ? inText : wordsIn(title), inText, tags, contextWords(context), facets.join(' ')];
}

const wordsIn = (text: string): string => indexWords(text).join(' ');

/** All that was said in one turn has the same context, and comes in a row. */
let lastContext = { text: '', words: '' };
function contextWords(text: string): string {
  if (text !== lastContext.text) lastContext = { text, words: wordsIn(text) };
  return lastContext.words;
}
