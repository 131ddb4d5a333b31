// Conversations as a journal: days, the conversations of each with their title, what came out, commits, topics and exchanges. One light
// walk over the spans tells which conversations there are and when; only those of a page are read whole.

import { commitsByHand } from '../app/commits-by-hand.ts';
import { isOfSubagent } from '../app/open-items.ts';
import { storyOf } from '../app/session-story.ts';
import { type Settled, settledIfReadable } from '../app/settled-items.ts';
import { CairnError } from '../errors.ts';
import { readable, readableOutcome } from '../model/readable.ts';
import { exchangeFields, STOPPED } from '../model/span-fields.ts';
import { cutCodePoints } from '../model/text.ts';
import { localDay } from '../model/timestamp.ts';
import type { Document } from '../store/store.ts';
import { pagesOf, SPANS, scopesIn } from './snapshot.ts';
import type { View } from './viewer.ts';

export type JournalWanted = {
  readonly project?: string;
  /** Only this day (local, 2026-01-31). */
  readonly day?: string;
  /** Only the day of this conversation. */
  readonly session?: string;
  readonly limit: number;
  readonly cursor?: string;
};

/** A conversation as the walk knows it. */
type Talk = {
  readonly key: string;
  readonly session: string;
  readonly project: string;
  startAt: number;
  endAt: number;
};
type Index = {
  /** The newest first. */
  readonly talks: readonly Talk[];
  readonly days: readonly { readonly day: string; readonly conversations: number }[];
};

const SAID_LENGTH = 320;
const PAGE = 2_000;
const MOST_SAVED = 200;
/** What took a second may be ten seconds old, as with the snapshot of the graph. */
const PATIENCE = 10;

export async function journalOf(view: View, wanted: JournalWanted) {
  const start = performance.now();
  const scopes = await scopesIn(view, wanted.project);
  const { talks, days } = await indexOf(view, scopes);
  const day = wanted.session === undefined ? wanted.day : dayOfSession(talks, wanted.session);
  const asked = day === undefined ? after(talks, wanted.cursor) : talks.filter((talk) => isOn(talk, day));
  const shown = day === undefined ? asked.slice(0, wanted.limit) : asked;
  const told = await toldOf(view, shown);
  const last = shown.at(-1);
  return {
    days: daysOf(told, await besideOf(view, { scopes, shown, day, spans: told.flatMap((each) => each.rows) })),
    next: day === undefined && last && asked.length > shown.length ? `${last.startAt}|${last.key}` : null,
    total: talks.length,
    calendar: days,
    nearest: day === undefined ? null : nearestTo(days, day),
    tookMs: Math.round(performance.now() - start),
  };
}

/** The newest that went on since then, short. */
export async function talksSince(
  view: View,
  { scopes, since, most }: { scopes: readonly string[]; since: number; most: number },
) {
  const { talks } = await indexOf(view, scopes);
  const fresh = talks.filter(({ endAt }) => endAt >= since);
  const shown = fresh.length > 0 ? fresh.slice(0, most) : talks.slice(0, 1);
  const told = (await toldOf(view, shown)).map((each) => {
    const { session, project, title, startAt, outcome, commits, exchanges } = conversationOf(each);
    return { session, project, title, startAt, outcome, commits: commits.length, exchanges };
  });
  return fresh.length > 0
    ? { total: fresh.length, shown: told, last: null }
    : { total: 0, shown: [], last: told[0] ?? null };
}

// ---- Which conversations there are

const kept = new WeakMap<object, Map<string, { mark: string; begun: number; tookMs: number; index: Promise<Index> }>>();

function indexOf(view: View, scopes: readonly string[]): Promise<Index> {
  const known = kept.get(view.store) ?? new Map();
  kept.set(view.store, known);
  const key = scopes.join('\0');
  const last = known.get(key);
  if (last && (last.mark === view.mark || Date.now() - last.begun < last.tookMs * PATIENCE)) return last.index;
  const begun = Date.now();
  const entry = { mark: view.mark, begun, tookMs: Number.POSITIVE_INFINITY, index: walk(view, scopes) };
  known.set(key, entry);
  entry.index.then(
    () => {
      entry.tookMs = Date.now() - begun;
    },
    () => known.delete(key),
  );
  return entry.index;
}

async function walk({ store }: View, scopes: readonly string[]): Promise<Index> {
  const found = new Map<string, Talk>();
  for (const scope of scopes)
    for await (const documents of pagesOf(store, { projects: [scope], ...SPANS }))
      for (const document of documents) {
        const { session, project, createdAt, updatedAt } = document;
        if (session === undefined || createdAt <= 0 || isOfSubagent(document)) continue;
        const key = `${project}\0${session}`;
        const talk = found.get(key) ?? { key, session, project, startAt: createdAt, endAt: updatedAt };
        talk.startAt = Math.min(talk.startAt, createdAt);
        talk.endAt = Math.max(talk.endAt, createdAt, updatedAt);
        found.set(key, talk);
      }
  const talks = [...found.values()].sort((a, b) => b.startAt - a.startAt || (a.key < b.key ? -1 : 1));
  const counts = new Map<string, number>();
  for (const { startAt } of talks) {
    const day = localDay(new Date(startAt));
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return { talks, days: [...counts].map(([day, conversations]) => ({ day, conversations })) };
}

function after(talks: readonly Talk[], cursor: string | undefined): readonly Talk[] {
  if (cursor === undefined) return talks;
  const [time = '', key = ''] = cursor.split('|', 2);
  const at = Number(time);
  if (!Number.isFinite(at) || key === '')
    throw new CairnError('USAGE_ERROR', 'The cursor is none of ours.', { fix: 'Begin with the first page again.' });
  return talks.filter((talk) => talk.startAt < at || (talk.startAt === at && talk.key > key));
}

/** One that goes on after midnight is of both days. */
const isOn = ({ startAt, endAt }: Talk, day: string): boolean =>
  localDay(new Date(startAt)) <= day && localDay(new Date(endAt)) >= day;

function dayOfSession(talks: readonly Talk[], session: string): string {
  const talk = talks.find((each) => each.session === session);
  if (talk) return localDay(new Date(talk.startAt));
  throw new CairnError('NOT_FOUND', `There is no conversation ${JSON.stringify(session)}.`, {
    fix: 'It may have been forgotten, or belong to another project.',
  });
}

/** Days that have something, before and after one. */
function nearestTo(days: Index['days'], day: string): { before: string | null; after: string | null } {
  return {
    before: days.find((each) => each.day < day)?.day ?? null,
    after: days.findLast((each) => each.day > day)?.day ?? null,
  };
}

// ---- What those of a page say

type Told = { readonly talk: Talk; readonly rows: readonly Document[]; readonly settled: Settled };

async function toldOf({ store, config }: View, talks: readonly Talk[]): Promise<Told[]> {
  if (talks.length === 0) return [];
  const settled = settledIfReadable(config);
  const rows = new Map<string, Document[]>();
  const filter = {
    ...SPANS,
    projects: [...new Set(talks.map(({ project }) => project))],
    sessions: [...new Set(talks.map(({ session }) => session))],
  };
  for await (const documents of pagesOf(store, filter, PAGE))
    for (const document of documents) {
      if (isOfSubagent(document)) continue;
      const key = `${document.project}\0${document.session}`;
      const own = rows.get(key);
      if (own) own.push(document);
      else rows.set(key, [document]);
    }
  return talks.map((talk) => ({ talk, settled, rows: [...(rows.get(talk.key) ?? [])].sort(inOrder) }));
}

const inOrder = (a: Document, b: Document): number =>
  a.createdAt - b.createdAt || startOf(a) - startOf(b) || (a.ref < b.ref ? -1 : 1);
const startOf = ({ meta, source }: Document): number => Number(meta?.start ?? source?.line ?? 0);

/** What is cut says so. */
function beginning(text: string): string | null {
  const cut = cutCodePoints(text, SAID_LENGTH);
  return text === '' ? null : cut.length < text.length ? `${cut.trimEnd()} …` : text;
}

const once = (texts: readonly string[]): string[] => [...new Set(texts.filter((text) => text !== ''))];

function conversationOf({ talk, rows, settled }: Told) {
  const story = storyOf(rows);
  const topics = rows.filter(({ span, meta }) => span === undefined && meta?.level !== 'exchange');
  const exchanges = rows.filter(({ meta }) => meta?.level === 'exchange');
  const fields = exchanges.flatMap(({ meta }) => exchangeFields(meta) ?? []);
  const last = exchanges.at(-1);
  const left = (last ? (exchangeFields(last.meta)?.left ?? []) : []).filter(
    (text) => last === undefined || !settled.of({ ...last, text }),
  );
  const title = story?.title || topics[0]?.title || talk.session;
  return {
    session: talk.session,
    project: talk.project,
    title,
    startAt: talk.startAt,
    endAt: talk.endAt,
    outcome: beginning(story?.summary.filter((line) => line !== title).at(-1) ?? ''),
    commits: once(fields.flatMap(({ commits }) => commits)),
    decided: once(fields.flatMap(({ decided }) => decided.map(readable))),
    left: once(left.map(readable)),
    files: once(fields.flatMap(({ files }) => files)).length,
    exchanges: fields.length,
    topics: topics.map((topic) => ({
      ref: topic.ref,
      name: topic.title,
      startAt: topic.createdAt,
      exchanges: exchanges.filter(({ span }) => span === topic.ref).map(exchangeOf),
    })),
  };
}

function exchangeOf(document: Document) {
  const { asked = '', outcome = '', commits = [], decided = [] } = exchangeFields(document.meta) ?? {};
  return {
    ref: document.ref,
    startAt: document.createdAt,
    asked: beginning(readable(asked)) ?? document.title,
    outcome: beginning(readableOutcome(outcome)),
    stopped: outcome === STOPPED,
    commits: commits.length,
    decided: decided.length,
  };
}

// ---- What else happened on these days

type Beside = { readonly saved: readonly Document[]; readonly committed: readonly Document[] };
type Around = {
  readonly scopes: readonly string[];
  readonly shown: readonly Talk[];
  readonly day: string | undefined;
  readonly spans: readonly Document[];
};

async function besideOf({ store }: View, { scopes, shown, day, spans }: Around): Promise<Beside> {
  const first = day ?? (shown.length > 0 ? localDay(new Date(shown.at(-1)!.startAt)) : undefined);
  const newest = day ?? (shown.length > 0 ? localDay(new Date(shown[0]!.startAt)) : undefined);
  if (first === undefined || newest === undefined || scopes.length === 0) return { saved: [], committed: [] };
  const until = new Date(`${newest}T00:00:00`);
  until.setDate(until.getDate() + 1);
  const time = { projects: scopes, since: new Date(`${first}T00:00:00`).getTime(), until: until.getTime() };
  const saved = await store.list({
    filter: { ...time, layers: ['record'], statuses: ['active'] },
    order: 'newest',
    limit: MOST_SAVED,
  });
  return { saved: saved.documents, committed: await commitsByHand(store, time, spans) };
}

function daysOf(told: readonly Told[], { saved, committed }: Beside) {
  const days = new Map<string, { told: Told[]; saved: Document[]; committed: Document[] }>();
  const at = (time: number) => {
    const name = localDay(new Date(time));
    const day = days.get(name) ?? { told: [], saved: [], committed: [] };
    days.set(name, day);
    return day;
  };
  for (const each of told) at(each.talk.startAt).told.push(each);
  for (const each of saved) at(each.createdAt).saved.push(each);
  for (const each of committed) at(each.createdAt).committed.push(each);
  const item = ({ ref, project, title, kind }: Document) => ({ ref, project, title, kind });
  return [...days]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([day, of]) => ({
      day,
      conversations: of.told.map(conversationOf),
      saved: of.saved.map(item),
      committed: of.committed.map(item),
    }));
}
