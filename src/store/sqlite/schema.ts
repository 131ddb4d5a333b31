// The tables. All but the embeddings are derived: when SCHEMA_VERSION is above that of the file, the old ones are put aside
// (older-tables.ts), new ones are made empty, and the indexer fills them from truth. There are no migrations, so change them freely and
// raise the number. Embeddings are dear, keyed by content and model, and stay whatever the version.

export const SCHEMA_VERSION = 2;

/** Written into the header of the file, so that Cairn never drops the tables of somebody else's database. "CRN1" */
export const APPLICATION_ID = 0x43524e31;

export const EMBEDDING_TABLES = ['embedding_model', 'embedding', 'embedding_tokens'] as const;

export const EMBEDDING_SCHEMA = `
CREATE TABLE IF NOT EXISTS embedding_model (
  id         INTEGER PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS embedding (
  model  INTEGER NOT NULL REFERENCES embedding_model (id),
  hash   TEXT NOT NULL,
  vector BLOB NOT NULL, -- see vector-bytes.ts: a byte or four for each number
  UNIQUE (model, hash)
) STRICT;
`;

/** The tokens of contents, beside their vectors. Made with the first of them: databases of earlier versions have none. */
export const TOKENS_SCHEMA = `
CREATE TABLE IF NOT EXISTS embedding_tokens (
  model INTEGER NOT NULL,
  hash  TEXT NOT NULL,
  signs BLOB NOT NULL, -- 16 bytes a token
  PRIMARY KEY (model, hash)
) STRICT, WITHOUT ROWID;
`;

/** Which documents a vector is for. Made with the first vector: keys in no order change a page for every new document. */
export const HASH_INDEX = 'CREATE INDEX IF NOT EXISTS document_hash ON document (hash)';

// facet: the four columns that nearly every query filters by (project, layer, kind, status) are numbers in the
//   other tables and words in the index; here are their names and how many documents have each.
// words: contentless, because document has the text already, and what is indexed is not the text but the words that
//   index-words.ts makes of it. Not contentless_delete: that leaves the lengths of removed rows in the average that
//   BM25 divides by, and a store that grew would answer differently from one that was rebuilt. detail=full, because BM25 and phrases need positions (with less, SQLite would
//   have to take the text apart again for every hit). Words come separated by spaces, so the simplest tokenizer does.
// about: which Cairn made these tables and which one wrote into them last; for whoever finds a newer schema than it knows.
// near: 512 documents to a row, each as the signs of its vector's numbers; see nearest.ts.
export const SCHEMA = `
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE facet (
  id        INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again, because other processes remember it
  field     TEXT NOT NULL,
  value     TEXT NOT NULL,
  documents INTEGER NOT NULL DEFAULT 0,
  UNIQUE (field, value)
) STRICT;

CREATE TABLE source (id INTEGER PRIMARY KEY, file TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE document (
  id         INTEGER PRIMARY KEY,
  project    INTEGER NOT NULL,
  ref        TEXT NOT NULL,
  layer      INTEGER NOT NULL,
  kind       INTEGER NOT NULL,
  status     INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  confidence REAL NOT NULL,
  session    TEXT,
  span       TEXT,
  source     INTEGER,
  line       INTEGER,
  hash       TEXT NOT NULL,
  title      TEXT NOT NULL,
  tags       TEXT NOT NULL,
  meta       TEXT,
  text       TEXT NOT NULL,
  context    TEXT,
  UNIQUE (project, ref)
) STRICT;
CREATE INDEX document_time ON document (project, created_at);
CREATE INDEX document_created ON document (created_at);
CREATE INDEX document_kind ON document (project, kind, created_at, layer);
CREATE INDEX document_session ON document (session) WHERE session IS NOT NULL;
CREATE INDEX document_span ON document (span) WHERE span IS NOT NULL;
CREATE INDEX document_source ON document (source) WHERE source IS NOT NULL;

CREATE TABLE tag (
  tag      TEXT NOT NULL,
  document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  PRIMARY KEY (tag, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_document ON tag (document);

CREATE TABLE link (
  project    INTEGER NOT NULL,
  from_ref   TEXT NOT NULL,
  to_ref     TEXT NOT NULL,
  relation   TEXT NOT NULL,
  confidence REAL NOT NULL,
  rule       TEXT,
  PRIMARY KEY (project, from_ref, to_ref, relation),
  FOREIGN KEY (project, from_ref) REFERENCES document (project, ref) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX link_to ON link (project, to_ref);

CREATE TABLE entity (id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, UNIQUE (name, kind)) STRICT;

CREATE TABLE mention (
  entity   INTEGER NOT NULL REFERENCES entity (id),
  project  INTEGER NOT NULL, -- that of the document, so that entities are counted without reading documents
  document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  count    INTEGER NOT NULL,
  PRIMARY KEY (entity, project, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX mention_document ON mention (document);

CREATE VIRTUAL TABLE words USING fts5 (
  title, text, tags, context, facets,
  content = '', detail = full, tokenize = 'ascii'
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row);

CREATE TABLE near (
  model   INTEGER NOT NULL,
  project INTEGER NOT NULL,
  layer   INTEGER NOT NULL,
  kind    INTEGER NOT NULL,
  page    INTEGER NOT NULL,
  ids     BLOB NOT NULL,
  signs   BLOB NOT NULL,
  UNIQUE (model, project, layer, kind, page)
) STRICT;

CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;
