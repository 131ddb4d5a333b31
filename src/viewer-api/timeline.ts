// Conversations in time: each with its topics and exchanges, what was asked and what came out. A topic opens its statements; a statement
// the lines of the transcript around it, from the client's file or from the archive, with secrets masked.

import { archiveRoot } from '../app/user-files.ts';
import { CairnError } from '../errors.ts';
import { linesAround } from '../indexing/transcripts/lines-around.ts';
import { readable, readableOutcome } from '../model/readable.ts';
import { exchangeFields, topicFields } from '../model/span-fields.ts';
import { stanceWords } from '../model/stance-words.ts';
import { cutCodePoints, stripUnsafeText } from '../model/text.ts';
import type { Document } from '../store/store.ts';
import { openArchive } from '../transcripts/archive/archive.ts';
import { type Point, pointOf, type Snapshot, snapshotOf } from './snapshot.ts';
import { briefOf, findMemory, shownOrigin, sourceOf, type View } from './viewer.ts';

export type TimelineWanted = {
  readonly project?: string;
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
};

type Counts = { [intent: string]: number };
type Bar = {
  ref: string;
  project: string;
  parent: string | null;
  name: string;
  startAt: number;
  endAt: number;
  depth: number;
  exchanges: number;
  asked: string | null;
  outcome: string | null;
  counts: Counts;
  agent: string | null;
};
type Talk = {
  session: string;
  project: string;
  name: string;
  startAt: number;
  endAt: number;
  exchanges: number;
  counts: Counts;
  spans: Bar[];
};

const BUCKETS = 120;
const SPAN_IDEAS = 500;
const LINE_LENGTH = 4_000;

export async function timelineOf(view: View, { project, from, to, limit }: TimelineWanted) {
  const start = performance.now();
  const talks = talksOf(await snapshotOf(view, project));
  const inTime = talks.filter(
    (talk) => talk.endAt >= (from ?? Number.NEGATIVE_INFINITY) && talk.startAt <= (to ?? Number.POSITIVE_INFINITY),
  );
  return {
    ...extentOf(talks),
    conversations: inTime.slice(0, limit),
    total: inTime.length,
    tookMs: Math.round(performance.now() - start),
  };
}

const kept = new WeakMap<Snapshot, Talk[]>();

/** The newest first. */
function talksOf(snapshot: Snapshot): Talk[] {
  const known = kept.get(snapshot);
  if (known) return known;
  const { points } = snapshot;
  const bars = new Map<string, Bar>();
  const talks = new Map<string, Talk>();
  /** The newest point comes first, and with it the title of today. */
  const titles = new Map<string, string>();
  for (const point of points) {
    if (point.layer !== 'trace' || point.kind !== 'span') continue;
    const bar = barOf(point);
    bars.set(`${point.project}\0${point.ref}`, bar);
    const key = `${point.project}\0${point.session ?? point.ref}`;
    if (point.sessionTitle !== null) titles.set(key, titles.get(key) ?? point.sessionTitle);
    const talk = talks.get(key);
    if (!talk) talks.set(key, newTalk(point, bar));
    else {
      talk.spans.push(bar);
      talk.startAt = Math.min(talk.startAt, bar.startAt);
      talk.endAt = Math.max(talk.endAt, bar.endAt);
    }
  }
  for (const { layer, kind, span, project, session } of points) {
    if (layer !== 'trace' || kind === 'span') continue;
    const bar = span === undefined ? undefined : bars.get(`${project}\0${span}`);
    const topic = bar?.parent ? bars.get(`${project}\0${bar.parent}`) : undefined;
    const talk = talks.get(`${project}\0${session ?? span}`);
    for (const each of [bar, topic, talk]) if (each) each.counts[kind] = (each.counts[kind] ?? 0) + 1;
  }
  const found = [...talks.values()].sort((a, b) => b.startAt - a.startAt || (a.session < b.session ? -1 : 1));
  for (const talk of found) finish(talk, titles.get(`${talk.project}\0${talk.session}`));
  kept.set(snapshot, found);
  return found;
}

const newTalk = ({ session, project, ref }: Point, bar: Bar): Talk => ({
  session: session ?? ref,
  project,
  name: bar.name,
  startAt: bar.startAt,
  endAt: bar.endAt,
  exchanges: 0,
  counts: {},
  spans: [bar],
});

function barOf(point: Point): Bar {
  const { ref, project, span, title, createdAt, updatedAt, depth, exchanges, asked, outcome, agent } = point;
  return {
    ...{ ref, project, parent: span ?? null, name: title, depth, exchanges, asked, outcome, agent, counts: {} },
    startAt: createdAt,
    endAt: Math.max(createdAt, updatedAt),
  };
}

function finish(talk: Talk, title: string | undefined): void {
  talk.spans.sort((a, b) => a.startAt - b.startAt || a.depth - b.depth || (a.ref < b.ref ? -1 : 1));
  const topics = talk.spans.filter(({ depth }) => depth === 0);
  talk.exchanges = topics.reduce((sum, { exchanges }) => sum + exchanges, 0);
  const longest = [...topics].sort((a, b) => b.exchanges - a.exchanges || a.startAt - b.startAt)[0];
  talk.name = title ?? longest?.name ?? talk.name;
}

/** How much was said when, in steps that fill a page's width. */
function extentOf(talks: readonly Talk[]) {
  if (talks.length === 0) return { extent: null, density: null };
  const from = talks.reduce((least, { startAt }) => Math.min(least, startAt), Number.POSITIVE_INFINITY);
  const to = talks.reduce((most, { endAt }) => Math.max(most, endAt), Number.NEGATIVE_INFINITY);
  const step = Math.max(1, Math.ceil((to - from + 1) / BUCKETS));
  const exchanges = new Array<number>(BUCKETS).fill(0);
  for (const { spans } of talks)
    for (const { depth, startAt, exchanges: count } of spans) {
      const at = Math.min(BUCKETS - 1, Math.floor((startAt - from) / step));
      if (depth === 0) exchanges[at] = (exchanges[at] ?? 0) + count;
    }
  return { extent: { from, to }, density: { from, step, exchanges } };
}

// ---- One topic

export async function spanPage(view: View, ref: string, project?: string) {
  const document = await findMemory(view, ref, project);
  if (document.kind !== 'span')
    throw new CairnError('USAGE_ERROR', `${JSON.stringify(ref)} is no topic.`, {
      fix: 'Refs of topics begin with span:.',
    });
  const projects = [document.project];
  const inside = async (spans: readonly string[], limit: number): Promise<readonly Document[]> =>
    (await view.store.list({ filter: { projects, spans }, order: 'oldest', limit })).documents;
  const parts = (await inside([ref], SPAN_IDEAS)).filter(({ kind }) => kind === 'span');
  const all = await inside([ref, ...parts.map((each) => each.ref)], SPAN_IDEAS * 4);
  const ideas = all
    .filter(({ kind }) => kind !== 'span')
    .sort((a, b) => lineOf(a) - lineOf(b) || (a.ref < b.ref ? -1 : 1));
  const countsIn = (spans: readonly string[]): Counts => {
    const counts: Counts = {};
    for (const { kind, span } of ideas) if (spans.includes(span ?? '')) counts[kind] = (counts[kind] ?? 0) + 1;
    return counts;
  };
  const everywhere = [ref, ...parts.map((each) => each.ref)];
  return {
    span: { ...barOf(pointOf(document)), counts: countsIn(everywhere) },
    session: document.session ?? null,
    summary: document.text,
    fields: fieldsOf(document),
    source: sourceOf(document),
    endLine: typeof document.meta?.end === 'number' ? document.meta.end : null,
    parts: parts.map((each) => ({ ...barOf(pointOf(each)), counts: countsIn([each.ref]) })),
    ideas: ideas.slice(0, SPAN_IDEAS).map(ideaOf),
    totalIdeas: ideas.length,
  };
}

/** What a topic or an exchange says of itself, whole. */
function fieldsOf({ meta }: Document) {
  const exchange = exchangeFields(meta);
  const { outcome = '', decided = [], commits = [], left = [] } = exchange ?? topicFields(meta) ?? {};
  return {
    asked: exchange?.asked ?? '',
    outcome: readableOutcome(outcome),
    decided: decided.map(readable),
    fixed: (exchange?.fixed ?? []).map(readable),
    commits: [...commits],
    left: left.map(readable),
    files: [...(exchange?.files ?? [])],
  };
}

const lineOf = ({ source }: Document): number => source?.line ?? 0;

function ideaOf(document: Document) {
  const { updatedAt: _, session: __, ...brief } = briefOf(document);
  const { stance } = document.meta ?? {};
  return {
    ...brief,
    text: document.text,
    origin: shownOrigin(document),
    stance: stanceWords(stance) ?? null,
    confidence: document.confidence,
    source: sourceOf(document),
  };
}

// ---- The conversation itself

export type LinesWanted = {
  readonly ref: string;
  readonly project?: string;
  readonly line?: number;
  readonly before: number;
  readonly after: number;
};

/** The file is the one that the memory came from, never one that the page names. */
export async function transcriptOf(view: View, { ref, project, line, before, after }: LinesWanted) {
  const document = await findMemory(view, ref, project);
  const { source } = document;
  if (document.layer !== 'trace' || source?.line === undefined)
    throw new CairnError('USAGE_ERROR', `${JSON.stringify(ref)} comes from no conversation.`, {
      fix: 'Ask for an idea or a topic.',
    });
  const { config, now } = view;
  const archive = openArchive(archiveRoot(config), {
    maxBytes: config.settings.traces.archive_max_mb * 1024 * 1024,
    now,
  });
  const wanted = Math.max(1, line ?? source.line);
  const around = linesAround(
    archive,
    { file: source.file, line: wanted, generation: Number(document.meta?.generation ?? 1) },
    { before, after },
  );
  return {
    file: source.file,
    line: wanted,
    from: around?.from ?? null,
    lines: (around?.lines ?? []).map(({ line: at, who, text }) => {
      const shown = cutCodePoints(stripUnsafeText(text), LINE_LENGTH);
      return { line: at, who, text: shown, cut: shown.length < stripUnsafeText(text).length };
    }),
  };
}
