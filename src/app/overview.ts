// What was done in a time, day by day: the topics of each conversation with what came of them, what was decided and committed, and
// what was left. And what is still open. Made from the rows of the store alone. Exchanges say it themselves; of conversations that were
// indexed before there were exchanges, the statements of a topic stand in for them.

import { COMMITTED } from '../model/logged-work.ts';
import { isSaid, originOf } from '../model/provenance.ts';
import { localDay } from '../model/timestamp.ts';
import type { OverviewKind } from '../recall/overview-words.ts';
import { withoutQuotations } from '../safety/quotations.ts';
import type { Document, Filter, Json, Store } from '../store/store.ts';
import { commitsByHand } from './commits-by-hand.ts';
import { listNewest } from './list-newest.ts';
import { isOfSubagent, itemOf, openIn } from './open-items.ts';
import { openWritten } from './open-written.ts';
import { NOTHING_SETTLED, type Settled } from './settled-items.ts';

export type OverviewItem = { readonly text: string; readonly ref?: string };

export type OverviewTopic = {
  readonly ref: string;
  readonly title: string;
  readonly started_at: string;
  readonly ended_at: string;
  readonly outcome: string | null;
  readonly decided: readonly OverviewItem[];
  readonly fixed: readonly OverviewItem[];
  readonly commits: readonly OverviewItem[];
  readonly left: readonly OverviewItem[];
  readonly files: readonly string[];
};

export type OverviewSession = {
  readonly session: string | null;
  readonly project: string;
  readonly title: string | null;
  readonly branch: string | null;
  readonly started_at: string;
  readonly ended_at: string;
  readonly topics: readonly OverviewTopic[];
  /** Short ones of which nothing came. */
  readonly more_topics: number;
};

export type OverviewDay = {
  /** 2026-01-31, where the user is. */
  readonly day: string;
  readonly sessions: readonly OverviewSession[];
  /** Records that were saved on that day. */
  readonly saved: readonly OverviewItem[];
  /** Commits that somebody made by hand. */
  readonly committed: readonly OverviewItem[];
};

export type OpenMatter = OverviewItem & {
  readonly kind: string;
  readonly day: string;
  readonly session: string | null;
};

export type Overview = {
  readonly kind: OverviewKind;
  readonly since: string | null;
  readonly until: string | null;
  /** The newest first; what happened on a day in its order. */
  readonly days: readonly OverviewDay[];
  /** Only where it is asked what is open, or how things stand; the newest first. */
  readonly open: readonly OpenMatter[];
  readonly totals: {
    readonly sessions: number;
    readonly topics: number;
    readonly decisions: number;
    readonly commits: number;
  };
  /** Topics of this time that are not listed, because they are too many. */
  readonly omitted: number;
  /** Where there is nothing in this time: the last day before it that has something, else the first one after it. */
  readonly nearest_day: string | null;
};

export type OverviewQuery = {
  readonly kind: OverviewKind;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Scopes to look in; all if absent. */
  readonly projects?: readonly string[] | undefined;
  readonly now: Date;
  /** How many topics at most. */
  readonly limit?: number;
  /** What was settled by hand is not told as open. */
  readonly settled?: Settled;
};

const DAY = 86_400_000;
const MOST_RECORDS = 500;
const MOST_ROWS = 20_000;
const DEFAULT_LIMIT = 60;
/** How things stand is told by the last days on which something was done. */
const STATUS_DAYS = 2;
const STATUS_TOPICS = 8;
const MOST_OPEN = 20;
/** Below this, a statement says too little to be told unasked. */
const WORTH = 0.5;
/** Surer than a guess; of the agent's own words only those that it was sure of. */
const SURE = 0.85;
const SHORT_TURNS = 3;
/** Answers that settle how a conversation goes on, and nothing else. */
const PROCEDURE =
  /(?:— |^)(?:next(?: area)?|you decide|done\b.*|yes|no|ok(?:ay)?|continue|skip(?: it)?(?: and continue)?|approved?|looks good)\.?$/i;

export async function overviewOf(store: Store, query: OverviewQuery): Promise<Overview> {
  const { kind, since, until } = query;
  const spans = kind === 'open' ? [] : await spansIn(store, query);
  const topics = newestOf(spans, query);
  const limit = query.limit ?? (kind === 'status' ? STATUS_TOPICS : DEFAULT_LIMIT);
  const shown = topics.slice(0, limit);
  const open = kind === 'done' && shown.length === 0 ? [] : await openMatters(store, query);
  const said = shown.length > 0 ? await saidIn(store, shown, query) : [];
  const told = topicsOf(shown, { spans, said, open, settled: query.settled ?? NOTHING_SETTLED });
  const saved = shown.length > 0 ? await savedIn(store, shown, query) : [];
  const days = daysOf(told, { saved, committed: await byHandIn(store, { shown, spans }, query) }, since);
  const isEmpty = days.length === 0 && kind === 'done';
  return {
    kind,
    since: isoOf(since),
    until: isoOf(until),
    days,
    open: kind === 'done' ? [] : open.slice(0, MOST_OPEN).map(matterOf),
    totals: totalsOf(days, topics.length),
    omitted: topics.length - shown.length,
    nearest_day: isEmpty ? await nearestDay(store, query) : null,
  };
}

const isoOf = (time: number | undefined): string | null => (time === undefined ? null : new Date(time).toISOString());

const listAll = (store: Store, filter: Filter, most = MOST_ROWS): Promise<Document[]> =>
  listNewest(store, filter, most);

const scopeOf = ({ projects }: OverviewQuery): Filter => (projects ? { projects } : {});

/** Topics and their parts. One that began the day before may reach into the time. */
async function spansIn(store: Store, query: OverviewQuery): Promise<Document[]> {
  const { since, until } = query;
  return listAll(store, {
    ...scopeOf(query),
    layers: ['trace'],
    kinds: ['span'],
    ...(since === undefined ? {} : { since: since - DAY }),
    ...(until === undefined ? {} : { until }),
  });
}

const isTopic = (span: Document): boolean => span.span === undefined && span.meta?.level !== 'exchange';

/** The newest first. How things stand is a matter of the last days. */
function newestOf(spans: readonly Document[], { kind, since }: OverviewQuery): Document[] {
  const topics = spans.filter(
    (each) => isTopic(each) && !isOfSubagent(each) && each.createdAt > 0 && each.updatedAt >= (since ?? 0),
  );
  if (kind !== 'status' || since !== undefined) return topics;
  const last = new Set<string>();
  return topics.filter((each) => {
    const day = localDay(new Date(each.createdAt));
    if (last.size < STATUS_DAYS) last.add(day);
    return last.has(day);
  });
}

const keyOf = ({ project, ref }: { readonly project: string; readonly ref: string }): string => `${project}\0${ref}`;

/** What was said in these topics and says something about them. */
async function saidIn(store: Store, topics: readonly Document[], query: OverviewQuery): Promise<Document[]> {
  const first = Math.min(...topics.map(({ createdAt }) => createdAt));
  const found = await listAll(store, {
    ...scopeOf(query),
    layers: ['trace'],
    kinds: ['decision', 'conclusion', 'solution'],
    since: first,
    ...(query.until === undefined ? {} : { until: query.until }),
  });
  return found.filter((each) => isSaid(originOf(each.meta)) && each.meta?.search_only !== true && !isOfSubagent(each));
}

type Rows = {
  readonly spans: readonly Document[];
  readonly said: readonly Document[];
  readonly open: readonly Document[];
  readonly settled: Settled;
};
type Told = {
  readonly document: Document;
  readonly topic: OverviewTopic;
  readonly branch: string | null;
  readonly isShort: boolean;
};

function topicsOf(topics: readonly Document[], { spans, said, open, settled }: Rows): Told[] {
  const parents = new Map(spans.flatMap((each) => (each.span === undefined ? [] : [[keyOf(each), each.span]])));
  const topicKey = (project: string, ref: string | undefined): string => {
    let at = ref;
    // Session, topic, exchange: a tree of few levels.
    for (let level = 0; at !== undefined && level < 4; level++) {
      const parent: string | undefined = parents.get(keyOf({ project, ref: at }));
      if (parent === undefined) break;
      at = parent;
    }
    return keyOf({ project, ref: at ?? '' });
  };
  const by = (documents: readonly Document[]): Map<string, Document[]> => {
    const groups = new Map<string, Document[]>();
    for (const each of documents) {
      const key = topicKey(each.project, each.span);
      groups.set(key, [...(groups.get(key) ?? []), each]);
    }
    return groups;
  };
  const exchanges = by(spans.filter((each) => each.meta?.level === 'exchange'));
  const [statements, left] = [by(said), by(open)];
  return topics.map((document) => {
    const key = keyOf(document);
    const own = oldestFirst(exchanges.get(key) ?? []);
    const words = oldestFirst(statements.get(key) ?? []);
    const topic = topicOf(document, { exchanges: own, said: words, open: oldestFirst(left.get(key) ?? []), settled });
    const branch = words.map(({ meta }) => meta?.branch).find((each) => typeof each === 'string') ?? null;
    const isBare = topic.outcome === null && topic.decided.length + topic.commits.length + topic.left.length === 0;
    const turns = Number(document.meta?.turns ?? SHORT_TURNS + 1);
    return { document, topic, branch, isShort: isBare && turns <= SHORT_TURNS };
  });
}

const oldestFirst = (documents: readonly Document[]): Document[] =>
  [...documents].sort((a, b) => a.createdAt - b.createdAt || (a.source?.line ?? 0) - (b.source?.line ?? 0));

type Parts = {
  readonly exchanges: readonly Document[];
  readonly said: readonly Document[];
  readonly open: readonly Document[];
  readonly settled: Settled;
};

function topicOf(document: Document, { exchanges, said, open, settled }: Parts): OverviewTopic {
  const spans = exchanges.length > 0 ? exchanges : [document];
  const told = (key: string): OverviewItem[] =>
    unique(spans.flatMap((each) => itemsOf(each.meta?.[key]).map((text) => ({ text, ref: each.ref }))));
  const tells = exchanges.length > 0;
  const outcomes = spans.flatMap(({ meta }) =>
    typeof meta?.outcome === 'string' && meta.outcome ? [meta.outcome] : [],
  );
  const [commits, decided, fixed] = [told('commits'), told('decided'), told('fixed')];
  // What an exchange left, a later one of the same topic may have done.
  const last = spans.at(-1) ?? document;
  const left = itemsOf(last.meta?.left)
    .filter((text) => !settled.of({ ...last, text }))
    .map((text) => ({ text, ref: last.ref }));
  return {
    ref: document.ref,
    title: document.title,
    started_at: new Date(document.createdAt).toISOString(),
    ended_at: new Date(document.updatedAt).toISOString(),
    outcome: outcomes.at(-1) ?? outcomeIn(said),
    decided: decided.length > 0 || tells ? decided : decisionsIn(said),
    fixed,
    commits: commits.length > 0 ? commits : commitsIn(said),
    left: left.length > 0 || tells ? left : leftIn(document, open),
    files: unique(spans.flatMap(({ meta }) => itemsOf(meta?.files)).map((text) => ({ text }))).map(({ text }) => text),
  };
}

/** Texts of a list in the row of a span; a commit may be an object. */
function itemsOf(value: Json | undefined): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: Json): string[] => {
    if (typeof each === 'string') return each.trim() === '' ? [] : [each];
    if (each === null || typeof each !== 'object' || Array.isArray(each)) return [];
    const { text, subject, path } = each as { readonly [key: string]: Json };
    const found = [text, subject, path].find((part) => typeof part === 'string');
    return typeof found === 'string' ? [found] : [];
  });
}

function unique(items: readonly OverviewItem[]): OverviewItem[] {
  const seen = new Map<string, OverviewItem>();
  for (const item of items) {
    const key = item.text.toLowerCase().replace(/\s+/g, ' ').trim();
    if (!seen.has(key)) seen.set(key, item);
  }
  return [...seen.values()];
}

const item = ({ ref, text, title, layer }: Document): OverviewItem => ({
  text: layer === 'trace' ? withoutQuotations(text) : title,
  ref,
});

const commitsIn = (said: readonly Document[]): OverviewItem[] =>
  unique(
    said.flatMap(({ text, ref }) =>
      text.startsWith(COMMITTED) ? [{ text: text.slice(COMMITTED.length).split('\n')[0] ?? '', ref }] : [],
    ),
  );

/** Of what stands alone: what the user settled, and what the agent was sure of. */
const decisionsIn = (said: readonly Document[]): OverviewItem[] =>
  unique(
    said
      .filter(
        ({ kind, status, text, meta, confidence }) =>
          kind === 'decision' &&
          status === 'active' &&
          !PROCEDURE.test(text.trim()) &&
          (typeof meta?.worth === 'number' ? meta.worth >= WORTH : meta?.role === 'user' || confidence >= SURE),
      )
      .map(item),
  );

/** The last thing that was found or solved, in the agent's words. */
function outcomeIn(said: readonly Document[]): string | null {
  const results = said.filter(
    ({ kind, text, meta }) =>
      kind !== 'decision' &&
      meta?.role === 'assistant' &&
      !text.startsWith(COMMITTED) &&
      !/[:：]$/.test(text.trim()) &&
      (typeof meta.worth !== 'number' || meta.worth >= WORTH),
  );
  const last = results.at(-1);
  return last ? withoutQuotations(last.text) : null;
}

/** What nobody came back to: in the last part of the topic. */
function leftIn({ meta }: Document, open: readonly Document[]): OverviewItem[] {
  const [start, end] = [Number(meta?.start ?? 0), Number(meta?.end ?? 0)];
  const late = end - (end - start) / 5;
  return unique(open.filter((each) => (each.source?.line ?? 0) >= late && isWorth(each)).map(item));
}

const isWorth = ({ meta, kind, confidence }: Document): boolean =>
  typeof meta?.worth === 'number'
    ? meta.worth >= WORTH
    : kind === 'question'
      ? meta?.role === 'user'
      : confidence >= SURE;

/** Questions and tasks of conversations, tasks and debts that somebody wrote down; the newest first. */
async function openMatters(store: Store, query: OverviewQuery): Promise<Document[]> {
  const { settled = NOTHING_SETTLED, now } = query;
  const said = (await openIn(store, query.projects, { now, settled })).filter(isWorth);
  const written = await openWritten(store, query.projects);
  const { since = Number.NEGATIVE_INFINITY, until = query.now.getTime() } = query;
  return [...said, ...written]
    .filter(({ createdAt }) => createdAt >= since && createdAt < until)
    .sort((a, b) => b.createdAt - a.createdAt || (a.ref < b.ref ? -1 : 1));
}

const matterOf = (document: Document): OpenMatter => ({
  ref: document.ref,
  text: document.layer === 'trace' ? itemOf(document).text : document.title,
  kind: document.kind,
  day: localDay(new Date(document.createdAt)),
  session: document.session ?? null,
});

async function savedIn(store: Store, topics: readonly Document[], query: OverviewQuery): Promise<Document[]> {
  const first = query.since ?? Math.min(...topics.map(({ createdAt }) => createdAt));
  return listAll(
    store,
    {
      ...scopeOf(query),
      layers: ['record'],
      statuses: ['active'],
      since: first,
      ...(query.until === undefined ? {} : { until: query.until }),
    },
    MOST_RECORDS,
  );
}

/** How things stand, and the topics beyond the limit, say how far back. */
async function byHandIn(
  store: Store,
  { shown, spans }: { shown: readonly Document[]; spans: readonly Document[] },
  query: OverviewQuery,
): Promise<Document[]> {
  if (query.kind === 'open' || (query.since === undefined && shown.length === 0)) return [];
  const since = query.since ?? Math.min(...shown.map(({ createdAt }) => createdAt));
  const until = query.until === undefined ? {} : { until: query.until };
  return commitsByHand(store, { ...scopeOf(query), since, ...until }, spans);
}

type Beside = { readonly saved: readonly Document[]; readonly committed: readonly Document[] };

function daysOf(topics: readonly Told[], { saved, committed }: Beside, since: number | undefined): OverviewDay[] {
  const dayOf = ({ createdAt }: Document): string => localDay(new Date(Math.max(createdAt, since ?? 0)));
  type Day = { topics: Told[]; saved: OverviewItem[]; committed: OverviewItem[] };
  const days = new Map<string, Day>();
  const dayAt = (document: Document): Day => {
    const day = days.get(dayOf(document)) ?? { topics: [], saved: [], committed: [] };
    days.set(dayOf(document), day);
    return day;
  };
  for (const each of topics) dayAt(each.document).topics.push(each);
  for (const each of saved) dayAt(each).saved.push({ text: each.title, ref: each.ref });
  for (const each of oldestFirst(committed)) dayAt(each).committed.push({ text: each.title, ref: each.ref });
  return [...days]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([day, of]) => ({ day, sessions: sessionsOf(of.topics), saved: of.saved, committed: of.committed }));
}

function sessionsOf(topics: readonly Told[]): OverviewSession[] {
  const sessions = new Map<string, Told[]>();
  for (const each of [...topics].sort((a, b) => a.document.createdAt - b.document.createdAt)) {
    const key = `${each.document.project}\0${each.document.session ?? ''}`;
    sessions.set(key, [...(sessions.get(key) ?? []), each]);
  }
  return [...sessions.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const told = own.filter(({ isShort }) => !isShort);
    const shown = told.length > 0 ? told : own.slice(0, 1);
    const title = own.map(({ document }) => document.meta?.session_title).find((each) => typeof each === 'string');
    return [
      {
        session: first.document.session ?? null,
        project: first.document.project,
        title: typeof title === 'string' ? title : null,
        branch: own.map(({ branch }) => branch).find((each) => each !== null) ?? null,
        started_at: new Date(first.document.createdAt).toISOString(),
        ended_at: new Date(Math.max(...own.map(({ document }) => document.updatedAt))).toISOString(),
        topics: shown.map(({ topic }) => topic),
        more_topics: own.length - shown.length,
      },
    ];
  });
}

function totalsOf(days: readonly OverviewDay[], topics: number): Overview['totals'] {
  const sessions = days.flatMap((day) => day.sessions);
  const all = sessions.flatMap((session) => session.topics);
  return {
    sessions: new Set(sessions.map(({ session, project }) => `${project}\0${session}`)).size,
    topics,
    decisions: all.reduce((sum, { decided }) => sum + decided.length, 0),
    commits:
      all.reduce((sum, { commits }) => sum + commits.length, 0) +
      days.reduce((sum, { committed }) => sum + committed.length, 0),
  };
}

async function nearestDay(store: Store, query: OverviewQuery): Promise<string | null> {
  const { since, until, now } = query;
  const spans: Filter = { ...scopeOf(query), layers: ['trace'], kinds: ['span'] };
  const before = { ...spans, since: 1, until: since ?? until ?? now.getTime() };
  const [last] = (await store.list({ filter: before, order: 'newest', limit: 1 })).documents;
  if (last || until === undefined) return last ? localDay(new Date(last.createdAt)) : null;
  const [next] = (await store.list({ filter: { ...spans, since: until }, order: 'oldest', limit: 1 })).documents;
  return next ? localDay(new Date(next.createdAt)) : null;
}
