// What earlier conversations of a project left for the start of the next: how the last one ended, what is truly open, what was decided of
// late or anew, what its user wants for good, and which memories speak of files that are gone. The store alone, because a session start
// waits for it. "Of late" is measured from the last that was said: a project that lay for months starts where it stopped.

import type { Config } from '../config/load.ts';
import { topicWords } from '../extraction/topic-words.ts';
import { realPath } from '../files/paths.ts';
import { checkFile } from '../indexing/files/check-related-files.ts';
import { isPlainDecision, isStillToDo, withoutExplanation } from '../inject/shown-alone.ts';
import { isObject } from '../model/json.ts';
import { isSaid, originOf, originText } from '../model/provenance.ts';
import { readable } from '../model/readable.ts';
import { exchangeFields } from '../model/span-fields.ts';
import { stanceWords } from '../model/stance-words.ts';
import { isTelling, type SessionStory } from '../notes/session-note.ts';
import { withoutQuotations } from '../safety/quotations.ts';
import { SHORT_WAIT_MS } from '../store/sqlite/sqlite-store.ts';
import type { Document, Store } from '../store/store.ts';
import { openStore, storeExists } from './open-store.ts';
import { plainWords } from './plain-words.ts';
import { currentProject } from './project-scopes.ts';
import { isDecided, isDoneBy, isPreference, storyOf, WISHES, worthOf } from './session-story.ts';
import { NOTHING_SETTLED, type Settled, settledIfReadable } from './settled-items.ts';

export type OpenItem = {
  readonly ref: string;
  readonly kind: string;
  readonly text: string;
  readonly date: string;
  readonly session: string | undefined;
  /** Who said it and how sure they were: `user said`, `assistant said, a guess`. */
  readonly by?: string;
};

/** A decision that took the place of another one. */
export type ChangedDecision = OpenItem & { readonly before: string };

/** The last conversation before the one that asks. */
export type EarlierSession = { readonly session: string; readonly date: string; readonly story: SessionStory };

/** A memory that speaks of a file which is not there any more. */
export type StaleMemory = { readonly ref: string; readonly title: string; readonly file: string };

export type OpenItems = {
  readonly last?: EarlierSession;
  /** The newest first, like the others. */
  readonly open: readonly OpenItem[];
  readonly decided: readonly OpenItem[];
  readonly changed: readonly ChangedDecision[];
  readonly preferences: readonly OpenItem[];
  readonly stale: readonly StaleMemory[];
  /** Why nothing that is said now will be remembered, and what to do. */
  readonly trouble?: string;
};

const NOTHING: OpenItems = { open: [], decided: [], changed: [], preferences: [], stale: [] };
const LOOKED_AT = 200;
const LINKS = 40;
/** Conversations that said nothing stand before the last one now and then. */
const SESSIONS = 5;
const IN_SESSION = 1_000;
const RECORDS = 60;
const DAY_MS = 86_400_000;
const RECENT_MS = 60 * DAY_MS;
const LATE_MS = 21 * DAY_MS;
/** Surer than not: an aside that ends with a question mark is not an open question. */
const SURE = 0.5;
/** How much a colleague would want to be shown it: what is worth less is in the store, and not in a list of what is open. */
const WORTH = 0.25;
/** Told unasked, it must be worth more: a line of a new session. */
const TOLD = { open: 0.5, decided: 0.6, confidence: 0.6 };
/** What a subagent was asked, its report answers; the conversation that sent it goes on with that. */
const SUBAGENT_FILE = /[\\/]agent-[^\\/]+\.jsonl$/i;
export const isOfSubagent = ({ source }: Document): boolean => SUBAGENT_FILE.test(source?.file ?? '');

/** `own`: the session that asks, which knows what it said itself. Nothing where there is no store yet. */
export async function openItems(config: Config, now: Date, own = ''): Promise<OpenItems> {
  if (!storeExists(config)) return NOTHING;
  const { paths } = config;
  const store = await openStore(config, { waitMs: SHORT_WAIT_MS, closeSoon: true, forPrompt: true });
  try {
    const projects = currentProject({ paths }).scopes;
    const { readOnly } = store;
    const lately = await endOf(store, projects, now);
    const last = await lastSessionIn(store, projects, own);
    return {
      ...(readOnly
        ? { trouble: `${readOnly.message} Conversations are not remembered until then. ${readOnly.fix}` }
        : {}),
      ...(last ? { last } : {}),
      open: (await toldOpenIn(store, projects, { now, settled: settledIfReadable({ paths }) })).map(itemOf),
      ...(await decidedIn(store, projects, lately)),
      stale: await staleIn(store, paths),
    };
  } finally {
    await store.close();
  }
}

export function itemOf({ ref, kind, text, createdAt, session, meta, author }: Document): OpenItem {
  const origin = originOf(meta);
  const by = [origin && originText(origin, author), stanceWords(meta?.stance)].filter(Boolean).join(', ');
  const said = withoutExplanation(plainWords(readable(withoutQuotations(text))));
  return { ref, kind, text: said, date: new Date(createdAt).toISOString(), session, ...(by === '' ? {} : { by }) };
}

/** Nobody is told unasked what was quoted, pasted or came from outside. */
const wasSaid = ({ meta }: Document): boolean => isSaid(originOf(meta));

/** When something was last said; now where that is not known. */
async function endOf(store: Store, projects: readonly string[] | undefined, now: Date): Promise<number> {
  const [newest] = (
    await store.list({
      filter: { ...(projects ? { projects } : {}), layers: ['trace'], kinds: ['span'] },
      order: 'newest',
      limit: 1,
    })
  ).documents;
  const last = newest ? Math.max(newest.createdAt, newest.updatedAt) : 0;
  return last > 0 ? Math.min(last, now.getTime()) : now.getTime();
}

/** The newest that came to something. */
async function lastSessionIn(
  store: Store,
  projects: readonly string[],
  own: string,
): Promise<EarlierSession | undefined> {
  const { documents } = await store.list({
    filter: { projects, layers: ['trace'], kinds: ['span'] },
    order: 'newest',
    limit: LOOKED_AT,
  });
  const mains = documents.filter((each) => !isOfSubagent(each));
  const sessions = [...new Set(mains.flatMap(({ session }) => session ?? []))].filter((session) => session !== own);
  for (const session of sessions.slice(0, SESSIONS)) {
    const rows = await store.list({
      filter: { projects, layers: ['trace'], sessions: [session], kinds: TELLING },
      order: 'newest',
      limit: IN_SESSION,
    });
    const spoken = rows.documents.filter((each) => !isOfSubagent(each)).reverse();
    const story = storyOf(spoken);
    const ended = spoken.reduce((last, { createdAt, updatedAt }) => Math.max(last, createdAt, updatedAt), 0);
    if (story && isTelling(story)) return { session, date: ended > 0 ? new Date(ended).toISOString() : '', story };
  }
  return undefined;
}

const TELLING = ['span', 'decision', 'question', 'todo', 'problem'];

/** What was decided of late, what took the place of an earlier decision, and what is meant for good. */
async function decidedIn(
  store: Store,
  projects: readonly string[],
  lately: number,
): Promise<Pick<OpenItems, 'decided' | 'changed' | 'preferences'>> {
  const { documents } = await store.list({
    filter: { projects, layers: ['trace'], kinds: ['decision'], since: lately - RECENT_MS },
    order: 'newest',
    limit: LOOKED_AT,
  });
  const own = documents.filter((each) => each.meta?.search_only !== true && !isOfSubagent(each) && wasSaid(each));
  const links = await linksTo(store, own, projects);
  const inForce = own.filter(({ ref }) => !links.has(ref));
  const isTold = (each: Document): boolean =>
    isDecided(each) && worthOf(each) >= TOLD.decided && each.confidence >= TOLD.confidence;
  const orders = await ordersIn(store, projects, lately);
  const preferences = [...inForce.filter((each) => isPreference(each) && isTold(each)), ...orders];
  const decided = inForce.filter(
    (each) =>
      each.createdAt >= lately - LATE_MS &&
      originOf(each.meta)?.speaker === 'user' &&
      isTold(each) &&
      !preferences.includes(each),
  );
  return {
    decided: saidOnce(decided.filter(({ text }) => isPlainDecision(readable(withoutQuotations(text))))).map(itemOf),
    changed: await changedIn(store, projects, lately),
    preferences: saidOnce(preferences).map(itemOf),
  };
}

/** What the user ordered for good in words that were taken for no decision. */
async function ordersIn(store: Store, projects: readonly string[], lately: number): Promise<Document[]> {
  const { documents } = await store.list({
    filter: { projects, layers: ['trace'], kinds: WISHES, since: lately - RECENT_MS },
    order: 'newest',
    limit: 2 * LOOKED_AT,
  });
  return documents.filter(
    (each) => each.meta?.search_only !== true && !isOfSubagent(each) && wasSaid(each) && isPreference(each),
  );
}

/** Those among them that something later replaced. */
async function linksTo(
  store: Store,
  documents: readonly Document[],
  projects: readonly string[],
): Promise<ReadonlySet<string>> {
  if (documents.length === 0) return new Set();
  const refs = documents.map(({ ref }) => ref);
  const links = await store.links({ refs, projects, relations: ['supersedes', 'contradicts'], direction: 'in' });
  return new Set(links.map(({ to }) => to));
}

/** Of the newest decisions and what was found, those that replaced an earlier one: what was believed before explains much of the code. */
async function changedIn(store: Store, projects: readonly string[], lately: number): Promise<ChangedDecision[]> {
  const { documents } = await store.list({
    filter: {
      projects,
      layers: ['trace'],
      kinds: ['decision', 'solution', 'conclusion'],
      since: lately - RECENT_MS,
    },
    order: 'newest',
    limit: LINKS,
  });
  const newer = new Map(
    documents.filter((each) => !isOfSubagent(each) && wasSaid(each)).map((each) => [each.ref, each]),
  );
  if (newer.size === 0) return [];
  const links = await store.links({
    refs: [...newer.keys()],
    projects,
    relations: ['supersedes'],
    direction: 'out',
  });
  if (links.length === 0) return [];
  const before = new Map(
    (await store.get({ refs: links.map(({ to }) => to), projects })).filter(wasSaid).map((each) => [each.ref, each]),
  );
  const replaced = new Set(links.map(({ to }) => to)); // only the end of a chain is news
  return [...newer.values()].flatMap((each) => {
    const old = links
      .filter(({ from }) => from === each.ref)
      .map(({ to }) => before.get(to))
      .find((found) => found?.kind === 'decision');
    const isTold = old && !replaced.has(each.ref) && isPlainDecision(readable(withoutQuotations(each.text)));
    return isTold ? [{ ...itemOf(each), before: readable(withoutQuotations(old.text)) }] : [];
  });
}

/** Records and notes in force whose files are gone: what changed may still fit, what is gone is to be looked at. */
async function staleIn(store: Store, { memoryRoot, projectRoot }: Config['paths']): Promise<StaleMemory[]> {
  const { documents } = await store.list({
    filter: { projects: [realPath(memoryRoot)], layers: ['record', 'note'], statuses: ['active'] },
    order: 'newest',
    limit: RECORDS,
  });
  return documents.flatMap(({ ref, title, kind, meta }) => {
    if (kind === 'session' || kind === 'file-summary' || !Array.isArray(meta?.files)) return [];
    const gone = meta.files.find(
      (each: unknown) =>
        isObject(each) && typeof each.path === 'string' && checkFile(projectRoot, { path: each.path }) === 'gone',
    ) as { path: string } | undefined;
    return gone ? [{ ref, title, file: gone.path }] : [];
  });
}

export type OpenOptions = {
  readonly now: Date;
  /** What was settled by hand is open no more. */
  readonly settled?: Settled;
};

/** What is open and worth being told to whoever begins to work: the list of a session's start and of `cairn todo`. */
export const toldOpenIn = async (
  store: Store,
  projects: readonly string[] | undefined,
  options: OpenOptions,
): Promise<Document[]> =>
  (await openIn(store, projects, options)).filter(
    (each) => worthOf(each) >= TOLD.open && isStillToDo(itemOf(each).text),
  );

/** What is open in a store, for these scopes or for all: the newest first. */
export async function openIn(
  store: Store,
  projects: readonly string[] | undefined,
  { now, settled: byHand = NOTHING_SETTLED }: OpenOptions,
): Promise<Document[]> {
  const lately = await endOf(store, projects, now);
  const { documents } = await store.list({
    filter: {
      ...(projects ? { projects } : {}),
      layers: ['trace'],
      kinds: ['question', 'todo', 'problem'],
      statuses: ['open'],
      since: lately - RECENT_MS,
    },
    order: 'newest',
    limit: LOOKED_AT,
  });
  const sure = documents.filter((each) => isWorthTelling(each) && !isOfSubagent(each) && wasSaid(each));
  const settled = await settledAmong(store, sure, projects);
  const isSettled = (each: Document): boolean => settled.has(each.ref) || byHand.of(each) !== undefined;
  return eachThingOnce(saidOnce(sure), isSettled);
}

/**
 * A task is told in an answer, stands in a list and has a file of its own: of what has the same words the newest counts. `documents`: the newest
 * first. What was settled takes with it what was said of it before.
 */
function eachThingOnce(documents: readonly Document[], isSettled: (each: Document) => boolean): Document[] {
  const seen: ReadonlySet<string>[] = [];
  return documents.filter((document) => {
    const words = new Set(topicWords(document.text.replace(LIST_HEAD, '').replace(FILE_BEHIND, '')));
    const isKnown = seen.some((each) => isSameThing(words, each));
    seen.push(words);
    return !isKnown && !isSettled(document);
  });
}

const LIST_HEAD = /^[^:|]{3,60}: /;
const FILE_BEHIND = /\([^()\s]+\.md\)$/;
const SAME_SHARE = 0.8;
const FEWEST_SAME = 4;

function isSameThing(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [fewer, more] = one.size <= other.size ? [one, other] : [other, one];
  return fewer.size >= FEWEST_SAME && [...fewer].filter((word) => more.has(word)).length >= SAME_SHARE * fewer.size;
}

function isWorthTelling(document: Document): boolean {
  const { confidence, meta } = document;
  return confidence >= SURE && worthOf(document) >= WORTH && meta?.search_only !== true;
}

/**
 * The same list of tasks is printed again and again: of what is said in the same words the newest counts, and of lists of one name the newest
 * list: what it does not name any more is settled.
 */
function saidOnce(documents: readonly Document[]): Document[] {
  const seen = new Set<string>();
  const newest = new Map<string, string>();
  return documents.filter(({ text, session, source }) => {
    const words = topicWords(text.replace(/\b\d+\s?d?\b|\b(?:ago|today|yesterday)\b/g, ' ')).sort();
    const key = words.join(' ');
    const list = listName(text);
    const place = `${session} ${source?.line}`;
    if (seen.has(key) || (list !== undefined && (newest.get(list) ?? place) !== place)) return false;
    seen.add(key);
    if (list !== undefined) newest.set(list, place);
    return true;
  });
}

/** The heading of a row or of an item with a number, which the same list has every time. */
const listName = (text: string): string | undefined =>
  /^([^:|]{4,60}): (?:\||\d+[.)] )/
    .exec(text)?.[1]
    ?.replace(/[\d()]+/g, '')
    .trim()
    .toLowerCase();

/** Answered, said anew in other words, or committed since. */
async function settledAmong(
  store: Store,
  documents: readonly Document[],
  projects: readonly string[] | undefined,
): Promise<ReadonlySet<string>> {
  if (documents.length === 0) return new Set();
  const refs = documents.map(({ ref }) => ref);
  const links = await store.links({
    refs,
    ...(projects ? { projects } : {}),
    relations: ['answers', 'supersedes'],
    direction: 'in',
  });
  const commits = await commitsIn(store, projects, Math.min(...documents.map(({ createdAt }) => createdAt)));
  const done = documents.filter(({ text, createdAt }) =>
    commits.some(({ subject, at }) => at >= createdAt && isDoneBy(text, subject)),
  );
  return new Set([...links.map(({ to }) => to), ...done.map(({ ref }) => ref)]);
}

async function commitsIn(
  store: Store,
  projects: readonly string[] | undefined,
  since: number,
): Promise<{ subject: string; at: number }[]> {
  const { documents } = await store.list({
    filter: { ...(projects ? { projects } : {}), layers: ['trace'], kinds: ['span'], since },
    order: 'newest',
    limit: 5 * LOOKED_AT,
  });
  return documents.flatMap(({ meta, createdAt, updatedAt }) =>
    (exchangeFields(meta)?.commits ?? []).map((subject) => ({ subject, at: Math.max(createdAt, updatedAt) })),
  );
}
