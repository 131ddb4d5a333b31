// The tables and how they come about: numbered steps, each in one transaction under a lock. A step that changes what derived rows
// mean raises OLDEST_KEPT to its number: older rows are then put aside (older-tables.ts) instead of being changed in place.
// Every row belongs to a scope (a person, a machine, and whether it is shared), and row-level security lets a role see its own
// scopes and what others share, whatever SQL it sends.

/** The number of the last step. */
export const SCHEMA_VERSION = 2;
/** Tables of an older version are put aside; those from here on are changed in place. */
export const OLDEST_KEPT = 1;

/** Kept when everything else is put aside: vectors are dear, and scopes say whose they are. */
export const KEPT_TABLES = ['about', 'scope', 'model', 'embedding'] as const;
/** Made from the others; they are not put aside but made anew. */
export const MADE_TABLES = ['posting', 'tally', 'near'] as const;
/** What somebody said, and where Cairn is with reading it. */
export const ROW_TABLES = ['shelf', 'document', 'link', 'mention', 'state'] as const;
export const TABLES = [...KEPT_TABLES, ...ROW_TABLES, ...MADE_TABLES] as const;

// scope.class: `local` rows are of this machine alone (records and notes, named by the path of their folder), `own` rows are the
//   person's on all machines (conversations), `shared` rows are copies for others, without what is nobody's business.
// shelf: the documents of one project in one scope; the key of every big table begins with it.
const SCOPES = `
CREATE TABLE IF NOT EXISTS scope (
  id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner   text COLLATE "C" NOT NULL DEFAULT current_user,
  machine text COLLATE "C" NOT NULL,
  class   text COLLATE "C" NOT NULL CHECK (class IN ('local', 'own', 'shared')),
  UNIQUE (owner, machine, class)
);
CREATE TABLE IF NOT EXISTS model (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text COLLATE "C" NOT NULL,
  dimensions integer NOT NULL,
  UNIQUE (name, dimensions)
);
CREATE TABLE IF NOT EXISTS embedding (
  scope  integer NOT NULL REFERENCES scope (id),
  model  integer NOT NULL REFERENCES model (id),
  hash   text COLLATE "C" NOT NULL,
  vector bytea NOT NULL, -- see vector-bytes.ts: a byte or four for each number
  bits   bit varying NOT NULL, -- the signs of its numbers
  tokens bytea, -- of its words, where the model gives them
  PRIMARY KEY (scope, model, hash)
);
ALTER TABLE embedding ALTER COLUMN vector SET STORAGE EXTERNAL;
CREATE INDEX IF NOT EXISTS embedding_hash ON embedding (hash);
`;

// document.words: what index-words.ts made of each field, one line a field, each word between two spaces of its own: phrases are
//   looked for there, and whoever removes the document reads there what the other tables have of it.
// posting: one row for each document and word. tf holds, from the top: the length of the document in words (18 bits), how often
//   the word is in its text (12), context (12), title (6) and tags (5).
// tally: in how many documents of a scope a word is. Facets (project, layer, kind, status) are words there that begin with U+E000.
const ROWS = `
CREATE TABLE shelf (
  id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  scope   integer NOT NULL REFERENCES scope (id),
  project text COLLATE "C" NOT NULL,
  UNIQUE (scope, project)
);
CREATE TABLE document (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  shelf      integer NOT NULL,
  ref        text COLLATE "C" NOT NULL,
  layer      text COLLATE "C" NOT NULL,
  kind       text COLLATE "C" NOT NULL,
  status     text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  confidence double precision NOT NULL,
  session    text COLLATE "C",
  span       text COLLATE "C",
  file       text COLLATE "C",
  line       bigint,
  hash       text COLLATE "C" NOT NULL,
  title      text NOT NULL,
  tags       text[] COLLATE "C" NOT NULL,
  meta       text,
  text       text NOT NULL,
  context    text,
  words      text NOT NULL,
  length     integer NOT NULL,
  UNIQUE (shelf, ref)
);
CREATE INDEX document_time ON document (shelf, created_at);
CREATE INDEX document_created ON document (created_at);
CREATE INDEX document_kind ON document (shelf, kind, created_at);
CREATE INDEX document_status ON document (status, shelf);
CREATE INDEX document_session ON document (session) WHERE session IS NOT NULL;
CREATE INDEX document_span ON document (span) WHERE span IS NOT NULL;
CREATE INDEX document_file ON document (file) WHERE file IS NOT NULL;
CREATE INDEX document_hash ON document (hash);
CREATE INDEX document_tags ON document USING gin (tags);
CREATE TABLE link (
  shelf      integer NOT NULL,
  from_ref   text COLLATE "C" NOT NULL,
  to_ref     text COLLATE "C" NOT NULL,
  relation   text COLLATE "C" NOT NULL,
  confidence double precision NOT NULL,
  rule       text,
  PRIMARY KEY (shelf, from_ref, to_ref, relation)
);
CREATE INDEX link_to ON link (shelf, to_ref);
CREATE TABLE mention (
  shelf    integer NOT NULL,
  document bigint NOT NULL,
  name     text COLLATE "C" NOT NULL,
  kind     text COLLATE "C" NOT NULL,
  count    bigint NOT NULL,
  PRIMARY KEY (document, name, kind)
);
CREATE INDEX mention_name ON mention (name, shelf);
CREATE INDEX mention_shelf ON mention (shelf);
CREATE TABLE state (
  scope integer NOT NULL,
  key   text COLLATE "C" NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (scope, key)
);
CREATE TABLE posting (
  shelf    integer NOT NULL,
  word     text COLLATE "C" NOT NULL,
  document bigint NOT NULL,
  tf       bigint NOT NULL,
  PRIMARY KEY (shelf, word, document) INCLUDE (tf)
);
CREATE TABLE tally (
  scope     integer NOT NULL,
  word      text COLLATE "C" NOT NULL,
  documents bigint NOT NULL,
  PRIMARY KEY (scope, word)
) WITH (fillfactor = 70);
CREATE TABLE near (
  shelf    integer NOT NULL,
  model    integer NOT NULL,
  document bigint NOT NULL,
  bits     bit varying NOT NULL,
  PRIMARY KEY (shelf, model, document) INCLUDE (bits)
);
`;

const SEEN_SCOPES = `ARRAY(SELECT id FROM scope WHERE owner = current_user OR class = 'shared')`;
const OWN_SCOPES = 'ARRAY(SELECT id FROM scope WHERE owner = current_user)';
const shelvesOf = (scopes: string): string => `ARRAY(SELECT id FROM shelf WHERE scope = ANY (${scopes}))`;

/** Read what is seen, write what is one's own. */
const policies = (table: string, seen: string, own: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS seen ON ${table};
DROP POLICY IF EXISTS own ON ${table};
CREATE POLICY seen ON ${table} FOR SELECT USING (${seen});
CREATE POLICY own ON ${table} FOR ALL USING (${own}) WITH CHECK (${own});
`;
const byShelf = (table: string): string =>
  policies(table, `shelf = ANY (${shelvesOf(SEEN_SCOPES)})`, `shelf = ANY (${shelvesOf(OWN_SCOPES)})`);
const byScope = (table: string): string =>
  policies(table, `scope = ANY (${SEEN_SCOPES})`, `scope = ANY (${OWN_SCOPES})`);

// States are nobody else's; models are but names, which anybody may add.
const SECURITY = `
${policies('scope', `owner = current_user OR class = 'shared'`, 'owner = current_user')}
${policies('state', `scope = ANY (${OWN_SCOPES})`, `scope = ANY (${OWN_SCOPES})`)}
${['shelf', 'embedding', 'tally'].map(byScope).join('')}
${['document', 'link', 'mention', 'posting', 'near'].map(byShelf).join('')}
`;

/** Tables of this version in an empty schema, or beside the kept ones. `about` is there already. */
export const CREATE = `${SCOPES}${ROWS}${SECURITY}`;

export const ABOUT = 'CREATE TABLE IF NOT EXISTS about (key text PRIMARY KEY, value text NOT NULL)';

/** Steps from a version that is changed in place to the next; the first version is CREATE. */
export const STEPS: readonly { readonly to: number; readonly sql: string }[] = [
  { to: 2, sql: 'ALTER TABLE embedding ADD COLUMN IF NOT EXISTS tokens bytea' },
];

/** The columns that this version reads, to tell whether it can read what a newer one has made. */
export const READ_COLUMNS: { readonly [table: string]: readonly string[] } = {
  scope: ['id', 'owner', 'machine', 'class'],
  shelf: ['id', 'scope', 'project'],
  document: [
    ...['id', 'shelf', 'ref', 'layer', 'kind', 'status', 'created_at', 'updated_at', 'confidence', 'session', 'span'],
    ...['file', 'line', 'hash', 'title', 'tags', 'meta', 'text', 'context', 'words', 'length'],
  ],
  link: ['shelf', 'from_ref', 'to_ref', 'relation', 'confidence', 'rule'],
  mention: ['shelf', 'document', 'name', 'kind', 'count'],
  state: ['scope', 'key', 'value'],
  posting: ['shelf', 'word', 'document', 'tf'],
  tally: ['scope', 'word', 'documents'],
  model: ['id', 'name', 'dimensions'],
  embedding: ['scope', 'model', 'hash', 'vector', 'bits', 'tokens'],
  near: ['shelf', 'model', 'document', 'bits'],
};
