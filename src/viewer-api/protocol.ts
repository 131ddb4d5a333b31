// The contract between the page and its server: every route with what it takes and what it answers. Types, and one table of
// routes; nothing here computes. Times are milliseconds since 1970; a ref names a memory inside a project (`record:…`, `note:…`,
// `idea:…`, `span:…`, `entity:kind/name`), and where two projects hold the same ref, `project` tells which.
//
// The token: the address that opens the page ends in `#token=…` (it may be used again) or `#code=…` (once, soon, by POST enter).
// The page takes it out of the address at once, keeps it in sessionStorage, and sends it with every call as the header TOKEN_HEADER.
// There are no cookies. GET takes its query as `?name=value`, lists as `a,b`; POST takes JSON. Every failure is an ErrorAnswer.

import type {
  GraphAnswer,
  GraphQuery,
  NeighbourhoodQuery,
  SpanPage,
  TimelineAnswer,
  TimelineQuery,
  TranscriptAnswer,
  TranscriptQuery,
} from './protocol-graph-timeline.ts';
import type {
  Injection,
  InjectionsAnswer,
  InjectionsQuery,
  RehearsalAnswer,
  RehearsalQuery,
} from './protocol-injections.ts';
import type { JournalAnswer, JournalQuery } from './protocol-journal.ts';
import type { ExportListQuery, ForgetPlanAnswer, MoreAction, ReviewAnswer, SettingsAnswer } from './protocol-review.ts';
import type { Brief, Layer, Origin, Project, RefQuery, ScopeQuery, Source, Staleness } from './protocol-shared.ts';
import type { TodayAnswer, TodayQuery } from './protocol-today.ts';

export type * from './protocol-graph-timeline.ts';
export type * from './protocol-injections.ts';
export type * from './protocol-journal.ts';
export type * from './protocol-review.ts';
export type * from './protocol-shared.ts';
export type * from './protocol-today.ts';

/** Where a route is. */
export const ROUTES = {
  enter: { method: 'POST', path: '/api/enter' },
  kinds: { method: 'GET', path: '/api/kinds' },
  overview: { method: 'GET', path: '/api/overview' },
  health: { method: 'GET', path: '/api/health' },
  today: { method: 'GET', path: '/api/today' },
  journal: { method: 'GET', path: '/api/journal' },
  search: { method: 'GET', path: '/api/search' },
  list: { method: 'GET', path: '/api/list' },
  memory: { method: 'GET', path: '/api/memory' },
  act: { method: 'POST', path: '/api/act' },
  injections: { method: 'GET', path: '/api/injections' },
  rehearsal: { method: 'GET', path: '/api/rehearsal' },
  graph: { method: 'GET', path: '/api/graph' },
  /** About forty things that hold the project together. */
  map: { method: 'GET', path: '/api/map' },
  neighbourhood: { method: 'GET', path: '/api/neighbourhood' },
  review: { method: 'GET', path: '/api/review' },
  forgetPlan: { method: 'GET', path: '/api/forget-plan' },
  settings: { method: 'GET', path: '/api/settings' },
  exportList: { method: 'GET', path: '/api/export/list' },
  exportSearch: { method: 'GET', path: '/api/export/search' },
  exportNeighbourhood: { method: 'GET', path: '/api/export/neighbourhood' },
  timeline: { method: 'GET', path: '/api/timeline' },
  span: { method: 'GET', path: '/api/span' },
  transcript: { method: 'GET', path: '/api/transcript' },
  /** A stream of server-sent events, see ChangeEvent. Read it with fetch: EventSource cannot send the token. */
  changes: { method: 'GET', path: '/api/changes' },
} as const;

/** What a route takes and what it answers: `Contract['search']['answer']`. */
export type Contract = {
  enter: { body: { code: string }; answer: { token: string } };
  kinds: { query: Record<never, never>; answer: Kinds };
  overview: { query: ScopeQuery; answer: Overview };
  health: { query: Record<never, never>; answer: Health };
  today: { query: TodayQuery; answer: TodayAnswer };
  journal: { query: JournalQuery; answer: JournalAnswer };
  search: { query: SearchQuery; answer: SearchAnswer };
  list: { query: ListQuery; answer: ListAnswer };
  memory: { query: RefQuery; answer: MemoryPage };
  act: { body: Action; answer: Acted };
  rehearsal: { query: RehearsalQuery; answer: RehearsalAnswer };
  injections: { query: InjectionsQuery; answer: InjectionsAnswer };
  graph: { query: GraphQuery; answer: GraphAnswer };
  map: { query: ScopeQuery; answer: GraphAnswer };
  neighbourhood: { query: NeighbourhoodQuery; answer: GraphAnswer };
  review: { query: Record<never, never>; answer: ReviewAnswer };
  forgetPlan: { query: { readonly ref: string }; answer: ForgetPlanAnswer };
  settings: { query: Record<never, never>; answer: SettingsAnswer };
  exportList: { query: ExportListQuery; answer: Exported };
  exportSearch: { query: SearchQuery; answer: Exported };
  exportNeighbourhood: { query: NeighbourhoodQuery; answer: Exported };
  timeline: { query: TimelineQuery; answer: TimelineAnswer };
  span: { query: RefQuery; answer: SpanPage };
  transcript: { query: TranscriptQuery; answer: TranscriptAnswer };
};

export const TOKEN_HEADER = 'x-cairn-token';

export type ErrorAnswer = {
  readonly error: {
    /** Of CairnError, or UNAUTHORIZED (no or a wrong token), FORBIDDEN (another origin), BAD_REQUEST, TOO_LARGE. */
    readonly code: string;
    readonly message: string;
    /** What to do about it. */
    readonly fix?: string;
    /** What is wrong with which field of an edit: `title`, `tags`, `content.rationale`, `content.rationale.0`. */
    readonly fields?: readonly FieldProblem[];
  };
};

export type FieldProblem = {
  readonly field: string;
  readonly expected: string;
  readonly got: string;
  readonly fix: string;
};

// ---- kinds: the registry, for colours, filters and forms

export type Kinds = {
  readonly version: string;
  readonly project: {
    readonly id: string;
    readonly name: string;
    readonly memoryRoot: string;
    readonly userRoot: string;
    /** What the store calls it: of these, things can be changed here. */
    readonly scopes: readonly string[];
    /** Its records and notes are not injected until the user runs `cairn trust`. */
    readonly untrusted: boolean;
  };
  readonly projects: readonly Project[];
  /** Every kind by layer: categories of records, types of notes, intents of statements with `span`, kinds of entities. */
  readonly kinds: readonly { readonly layer: Layer | 'entity'; readonly name: string; readonly display: string }[];
  readonly categories: readonly CategoryForm[];
  readonly noteTypes: readonly NoteForm[];
  readonly intents: readonly string[];
  readonly verdicts: readonly Verdict[];
};

export type CategoryForm = { readonly name: string; readonly folder: string; readonly fields: readonly FormField[] };
export type FormField = {
  readonly name: string;
  /** `lines`: a list of texts. `objects`: a list of objects with `fields`. `object`: one of them. */
  readonly type: 'text' | 'lines' | 'choice' | 'boolean' | 'number' | 'object' | 'objects';
  readonly required: boolean;
  readonly describe?: string;
  readonly choices?: readonly string[];
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly fields?: readonly FormField[];
};
export type NoteForm = {
  readonly type: string;
  readonly statuses: readonly string[];
  readonly sections: readonly string[];
};

// ---- overview, health

export type Overview = {
  readonly counts: readonly { readonly layer: string; readonly kind: string; readonly count: number }[];
  readonly totals: {
    readonly records: number;
    readonly notes: number;
    readonly ideas: number;
    readonly spans: number;
    readonly conversations: number;
    readonly entities: number;
    /** Of the whole store where one of several projects has more than 10,000 memories. */
    readonly links: number;
    /** Of the whole store, whatever the scope. */
    readonly vectors: number;
  };
  /** One for each of the last 30 days, oldest first, in local time; days without are 0. */
  readonly injected: readonly { readonly day: string; readonly tokens: number; readonly injections: number }[];
  readonly storage: readonly { readonly part: string; readonly path: string; readonly bytes: number }[];
  /** When each hook last did its work; files that a backfill makes too are no sign of that. */
  readonly lastSigns: readonly { readonly event: string; readonly at: number | null }[];
  readonly lastFailures: readonly { readonly at: number; readonly event: string; readonly cause: string }[];
  /** The newest memories of all layers. */
  readonly lastCaptures: readonly Brief[];
  /** The newest that nothing answers or replaces. */
  readonly open: { readonly questions: readonly Brief[]; readonly todos: readonly Brief[] };
  readonly tookMs: number;
};

/** What `cairn doctor` knows and a page can wait for; asked apart, because it takes longer than the rest. */
export type Health = {
  readonly well: boolean;
  /** `off`: hooks never ran here; `quiet`: not for a week. */
  readonly state: 'well' | 'quiet' | 'off' | 'failing';
  /** The one sentence that says it, and the command that helps. */
  readonly sentence: string;
  readonly command: string | null;
  /** When a hook last did its work; null: never. */
  readonly seenAt: number | null;
  readonly findings: readonly {
    readonly area: string;
    readonly level: 'ok' | 'note' | 'attention';
    readonly text: string;
    readonly fix?: string;
  }[];
};

// ---- search, list, export

export type SearchQuery = ScopeQuery & {
  readonly q: string;
  readonly layers?: readonly Layer[];
  /** Categories of records, types of notes, intents of statements: all are kinds. */
  readonly kinds?: readonly string[];
  readonly intents?: readonly string[];
  /** Milliseconds, or a date such as 2026-01-31. */
  readonly since?: number | string;
  readonly until?: number | string;
  readonly session?: string;
  readonly archived?: boolean;
  /** 1 … 200, default 20. */
  readonly limit?: number;
};

export type SearchAnswer = {
  readonly query: string;
  readonly analysis: {
    readonly terms: readonly string[];
    readonly entities: readonly string[];
    readonly intents: readonly string[];
    readonly since: number | null;
    readonly until: number | null;
  };
  readonly hits: readonly Hit[];
  /** Where nothing is plainly about the question: that the hits are only the nearest. */
  readonly said: string | null;
  /** Where the question asks what was done in a time: the day in the journal. */
  readonly overview: { readonly day?: string } | null;
  /** What the answer had to be made without, in words. */
  readonly problems: readonly string[];
  readonly tookMs: number;
};

export type Hit = Omit<Brief, 'updatedAt'> & {
  readonly text: string;
  /** The text in one sentence, where its layer has one. */
  readonly gist: string | null;
  readonly score: number;
  /** 0 … 1: how likely it is about the query at all. */
  readonly relevance: number;
  readonly confidence: number;
  readonly source: Source | null;
  readonly staleness: Staleness;
  /** It came with a repository, and the user has not agreed to it (`cairn trust`): it is shown and found, but never injected. */
  readonly untrusted: boolean;
  readonly origin: Origin | null;
  readonly span: { readonly ref: string; readonly name: string } | null;
  /** The exchange around it: what was asked, and what came out. */
  readonly exchange: { readonly ref: string; readonly asked: string; readonly outcome: string } | null;
  /** `a guess`, `did not help`, `confirmed`; null where it was simply said. */
  readonly stance: string | null;
  readonly chain: readonly { readonly ref: string; readonly relation: string; readonly title: string | null }[];
  /** The place that each strategy gave it, the best first. */
  readonly ranks: readonly { readonly strategy: string; readonly rank: number }[];
  /** What was added up to its score, and what that was multiplied with. */
  readonly points: readonly { readonly name: string; readonly points: number }[];
  readonly factors: readonly { readonly name: string; readonly factor: number }[];
  /** Refs of others that say the same. */
  readonly folded: readonly string[];
};

/** Memories by what they are instead of by words: how retired and archived ones are found. */
export type ListQuery = ScopeQuery & {
  readonly layers?: readonly Layer[];
  readonly kinds?: readonly string[];
  readonly statuses?: readonly string[];
  readonly entity?: string;
  readonly session?: string;
  readonly order?: 'newest' | 'oldest' | 'updated';
  /** 1 … 500, default 50. */
  readonly limit?: number;
  readonly cursor?: string;
};
export type ListAnswer = { readonly memories: readonly Brief[]; readonly next: string | null };

export type Exported = { readonly fileName: string; readonly markdown: string; readonly memories: number };

// ---- memory

export type MemoryPage = Brief & {
  readonly text: string;
  readonly tags: readonly string[];
  readonly confidence: number;
  /** As of a Hit. */
  readonly untrusted: boolean;
  readonly origin: Origin | null;
  /** Where it is written: the file of a record or note, the line of a transcript. */
  readonly source: Source | null;
  /** Only a record of this project. */
  readonly record: RecordDetail | null;
  /** Only a note of this project. */
  readonly note: NoteDetail | null;
  /** Only an entity. */
  readonly entity: {
    readonly name: string;
    readonly kind: string;
    readonly documents: number;
    readonly count: number;
  } | null;
  /** An edit must name it: if the file changed since, the edit is refused with OCC_CONFLICT. */
  readonly version: string | null;
  /** Newest first. */
  readonly history: readonly HistoryEntry[];
  readonly links: readonly LinkRow[];
  readonly backlinks: readonly LinkRow[];
  /** Was X, then Y, now Z: oldest first, itself included; empty where there is no other. */
  readonly chain: readonly ChainStep[];
  readonly staleness: Staleness;
  readonly files: readonly { readonly path: string; readonly state: Exclude<Staleness, null> }[];
  readonly span: { readonly ref: string; readonly name: string } | null;
  /** The exchange around it: what was asked, and what came out. */
  readonly exchange: { readonly ref: string; readonly asked: string; readonly outcome: string } | null;
  /** `a guess`, `did not help`, `confirmed`; null where it was simply said. */
  readonly stance: string | null;
  readonly entities: readonly {
    readonly ref: string;
    readonly name: string;
    readonly kind: string;
    readonly count: number;
  }[];
  readonly injected: { readonly times: number; readonly last: readonly Injection[] };
  readonly learned: {
    readonly verdict: Verdict | null;
    readonly injected: number;
    readonly used: number;
    /** What its rank is multiplied with because of this. */
    readonly factor: number;
  };
  readonly actions: readonly Offer[];
};

export type RecordDetail = {
  readonly category: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly relatedFiles: readonly string[];
  readonly confidence: number | null;
  /** As the category's form describes it. */
  readonly content: { readonly [field: string]: unknown };
  readonly timesUpdated: number;
  readonly retired: { readonly at: number | null; readonly reason: string; readonly deletedAfterDays: number } | null;
  readonly archived: { readonly at: number | null; readonly reason: string } | null;
  /** What its file breaks of the rules, if somebody edited it by hand. */
  readonly problems: readonly FieldProblem[];
};

export type NoteDetail = {
  readonly type: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly sections: readonly { readonly name: string; readonly text: string }[];
  /** The front matter besides what has a place above. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
};

export type HistoryEntry = {
  readonly at: number | null;
  readonly summary: string;
  readonly field: string | null;
  /** JSON values; null where nothing was or is. */
  readonly was: unknown;
  readonly is: unknown;
};

export type LinkRow = {
  readonly ref: string;
  readonly project: string;
  readonly relation: string;
  /** Null where nothing of that name exists. */
  readonly title: string | null;
  readonly layer: string | null;
  readonly kind: string | null;
  readonly confidence: number;
  /** The rule that made the link, where a rule did. */
  readonly rule: string | null;
};

export type ChainStep = {
  readonly ref: string;
  readonly project: string;
  readonly title: string;
  readonly kind: string;
  readonly at: number;
  /** How it follows from the step before; null for the first. */
  readonly relation: string | null;
  /** It is the one that was asked for. */
  readonly here: boolean;
};

/** What can be done with a memory now, or why not. */
export type Offer = {
  readonly action: Exclude<Action['action'], MoreAction['action']>;
  readonly allowed: boolean;
  readonly why: string | null;
};

// ---- act

export type Verdict = 'useful' | 'wrong' | 'stale';

export type Action =
  | MoreAction
  | (RefQuery & { readonly action: 'edit'; readonly version: string; readonly edit: RecordEdit | NoteEdit })
  | (RefQuery & { readonly action: 'retire' | 'archive'; readonly reason?: string })
  | (RefQuery & { readonly action: 'restore' | 'unarchive' })
  /** An open item is done, dropped, or open again. */
  | (RefQuery & { readonly action: 'settle'; readonly state: 'done' | 'dropped' | 'open'; readonly because?: string })
  /** null takes the verdict back. */
  | (RefQuery & { readonly action: 'feedback'; readonly verdict: Verdict | null });

/** What is left out stays as it is. */
export type RecordEdit = {
  readonly title?: string;
  /** Tags and files may be added; the rules of records let few be taken away, and say so. */
  readonly tags?: readonly string[];
  readonly relatedFiles?: readonly string[];
  readonly confidence?: number | null;
  /** Whole fields; null removes an optional one. */
  readonly content?: { readonly [field: string]: unknown };
  /** Why, for the history. */
  readonly summary?: string;
};

export type NoteEdit = {
  readonly title?: string;
  readonly status?: string;
  readonly tags?: readonly string[];
  /** By name; null removes a section. */
  readonly sections?: { readonly [name: string]: string | null };
};

export type Acted = {
  /** It may be another one than before: the file of a record follows its title. */
  readonly ref: string;
  readonly project: string;
  /** `updated`, `retired`, `archived`, `restored`, `unarchived`, `judged`, `done`, `dropped`, `open`, `unchanged`. */
  readonly status: string;
  /** One sentence for the user. */
  readonly message: string;
  readonly notes: readonly string[];
  readonly version: string | null;
  /** To be posted to `act` as it is; null where it cannot be taken back. */
  readonly undo: { readonly label: string; readonly action: Action } | null;
};

// ---- changes

/** `event: change`, data in JSON. The first one comes at once and names nothing: the stream stands. */
export type ChangeEvent = {
  readonly at: number;
  /** What changed since the event before. `memory`: files of records and notes; `store`: the database. */
  readonly what: readonly ('memory' | 'store' | 'injections' | 'feedback' | 'settings')[];
};
