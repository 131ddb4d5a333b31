// Search, lists and exports for the viewer: the recall engine with the numbers that made each score, and memories by what they are.

import fs from 'node:fs';
import type { RecallAnswer, RecallResult } from '../app/recall-memory.ts';
import { CairnError } from '../errors.ts';
import { realPath } from '../files/paths.ts';
import { parseJson } from '../model/json.ts';
import { originText } from '../model/provenance.ts';
import { isRelevantEnough } from '../model/relevance.ts';
import { stanceWords } from '../model/stance-words.ts';
import { stripUnsafe, stripUnsafeText } from '../model/text.ts';
import { localDay } from '../model/timestamp.ts';
import type { Document, ListOrder } from '../store/store.ts';
import { briefOf, findMemory, scopesOf, shownOrigin, sourceOf, statsOf, type View } from './viewer.ts';

export type Search = {
  readonly q: string;
  readonly project?: string;
  readonly layers?: readonly string[];
  readonly kinds?: readonly string[];
  readonly since?: number;
  readonly until?: number;
  readonly session?: string;
  readonly archived?: boolean;
  readonly limit: number;
};

export async function searchFor(view: View, search: Search) {
  const { recall } = view;
  const scopes = await scopesOf(view, search.project);
  const answer = await recall.ask({
    query: search.q,
    limit: search.limit,
    explain: true,
    ...(scopes ? { scopes } : { allProjects: true }),
    layers: search.layers ?? ['record', 'note', 'trace'],
    ...(search.kinds ? { intents: search.kinds } : {}),
    ...(search.since === undefined ? {} : { since: search.since }),
    ...(search.until === undefined ? {} : { until: search.until }),
    ...(search.session === undefined ? {} : { session: search.session }),
    ...(search.archived ? { includeArchived: true } : {}),
  });
  const { terms, entities, intents, since, until } = answer.analysis;
  return {
    query: answer.query,
    analysis: { terms, entities, intents, since: timeOf(since), until: timeOf(until) },
    hits: answer.results.map(hitOf),
    said: saidOf(answer),
    overview: overviewIn(answer, view.now()),
    problems: [...new Set(recall.problems.splice(0))], // told once
    tookMs: answer.took_ms,
  };
}

/** The command line says it with the same words. */
function saidOf(answer: RecallAnswer): string | null {
  const { results, analysis, outside } = answer;
  if (results.length === 0) return null;
  if (outside) {
    const day = (iso: string | null): string => (iso === null ? '' : localDay(new Date(iso)));
    const what = outside.kinds.length > 0 ? `No ${outside.kinds[0]?.replaceAll('_', ' ')}` : 'Nothing';
    const from = outside.since === null ? '' : ` since ${day(outside.since)}`;
    const to = outside.until === null ? '' : ` before ${day(outside.until)}`;
    return `${what}${from}${to} is plainly about this. The nearest outside:`;
  }
  return !isRelevantEnough(answer) && analysis.terms.length > 0
    ? 'Nothing is plainly about this. The nearest there is:'
    : null;
}

/** One day is a page of the journal; a longer time begins with its last day. */
function overviewIn({ analysis: { overview } }: RecallAnswer, now: Date): { day?: string } | null {
  if (!overview || overview.kind === 'open') return null;
  const until = overview.until === null ? now.getTime() : Math.min(now.getTime(), Date.parse(overview.until) - 1);
  return overview.since === null && overview.until === null ? {} : { day: localDay(new Date(until)) };
}

function hitOf(result: RecallResult) {
  const {
    ref,
    project,
    layer,
    kind,
    status,
    title,
    text,
    session,
    confidence,
    score,
    relevance,
    span,
    speaker,
    provenance,
  } = result;
  const details = result.explain ?? [];
  return {
    ...{ ref, project, layer, kind, status, title: title || text.slice(0, 120), text, session, confidence, score },
    ...{ relevance, span, exchange: result.exchange, stance: stanceWords(result.stance) ?? null },
    createdAt: Date.parse(result.created_at),
    gist: result.gist ?? null,
    source: result.source ? { file: result.source.file, line: result.source.line ?? null } : null,
    staleness: result.files ?? null,
    untrusted: result.untrusted === true,
    origin: speaker && provenance ? { speaker, provenance, text: originText({ speaker, provenance }) } : null,
    chain: result.chain.map((each) => ({ ref: each.ref, relation: each.relation, title: each.title ?? null })),
    ranks: result.why.map(({ strategy, rank }) => ({ strategy, rank })),
    points: details.flatMap(({ name, points }) => (points === undefined ? [] : [{ name, points }])),
    factors: details.flatMap(({ name, factor }) => (factor === undefined ? [] : [{ name, factor }])),
    folded: [...(result.folded ?? [])],
  };
}

const timeOf = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso));

export type Listing = {
  readonly project?: string;
  readonly layers?: readonly string[];
  readonly kinds?: readonly string[];
  readonly statuses?: readonly string[];
  readonly entity?: string;
  readonly session?: string;
  readonly order?: ListOrder;
  readonly limit: number;
  readonly cursor?: string;
};

export async function listOf(view: View, { project, entity, session, order, limit, cursor, ...lists }: Listing) {
  assertCursor(cursor);
  const scopes = await fittingScopes(view, project, lists.layers);
  const page = await view.store.list({
    filter: {
      ...lists,
      ...(scopes ? { projects: scopes } : {}),
      ...(entity === undefined ? {} : { entities: [entity] }),
      ...(session === undefined ? {} : { sessions: [session] }),
    },
    order: order ?? 'newest',
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
  return { memories: page.documents.map(briefOf), next: page.next ?? null };
}

/** Only those that hold such memories: of a single one, the store reads the newest by an index instead of sorting all. */
async function fittingScopes(
  view: View,
  project?: string,
  layers?: readonly string[],
): Promise<readonly string[] | undefined> {
  const scopes = await scopesOf(view, project);
  if (!layers) return scopes;
  const { documents } = await statsOf(view);
  const holding = documents.filter((each) => layers.includes(each.layer)).map((each) => each.project);
  return [...new Set(holding)].filter((scope) => !scopes || scopes.includes(scope));
}

/** The store takes a wrong one for damage of its own. */
function assertCursor(cursor: string | undefined): void {
  if (cursor === undefined) return;
  const parts = parseJson(Buffer.from(cursor, 'base64url').toString());
  if (Array.isArray(parts) && parts.length === 3 && typeof parts[0] === 'number') return;
  throw new CairnError('USAGE_ERROR', 'The cursor is none of ours.', { fix: 'Begin with the first page again.' });
}

// ---- Exports

type Shown = Pick<Document, 'ref' | 'kind' | 'status' | 'title' | 'text' | 'createdAt'> & {
  readonly source: { readonly file: string; readonly line: number | null } | null;
  readonly origin: { readonly text: string } | null;
};

export async function exportSearch(view: View, search: Search) {
  const { hits } = await searchFor(view, search);
  const told = search.q.trim() === '' ? 'everything' : `“${oneLine(search.q)}”`;
  return markdownOf(hits, `What is remembered about ${told}`, `cairn-search-${day(view)}.md`);
}

export async function exportMemories(view: View, documents: readonly Document[], title: string) {
  const shown = documents.map((each) => ({
    ...each,
    title: each.title,
    source: sourceOf(each),
    origin: shownOrigin(each),
  }));
  return markdownOf(shown, title, `cairn-neighbourhood-${day(view)}.md`);
}

/** Chosen by hand, in the order of the page. */
export async function exportList(view: View, refs: readonly string[]) {
  const found = refs.length === 0 ? [] : await view.store.get({ refs, projects: view.recall.scopesOf() });
  const known = new Map(found.map((each) => [each.ref, each]));
  const title = `${found.length} memories of the project`;
  return {
    ...(await exportMemories(
      view,
      refs.flatMap((ref) => known.get(ref) ?? []),
      title,
    )),
    fileName: `cairn-memories-${day(view)}.md`,
  };
}

/** Where a memory is written down; of this project only. */
/**
 * Of a record or note of this project. A repository may bring a link that leads elsewhere, and what opens a file starts programs too: it
 * must be a plain file of the kind that it says it is, wherever the link leads.
 */
export async function fileToOpen(view: View, ref: string, project?: string) {
  const document = await findMemory(view, ref, project);
  const file = document.source && document.layer !== 'trace' ? realPath(document.source.file) : '';
  if (/\.(?:json|md)$/i.test(file) && isFile(file) && view.recall.scopesOf().includes(document.project))
    return { ref, project: document.project, file };
  throw new CairnError('USAGE_ERROR', `${ref} has no file that can be opened here.`, { fix: 'Open it yourself.' });
}

const isFile = (file: string): boolean => fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;

const day = ({ now }: View): string => now().toISOString().slice(0, 10);

/** What others wrote stays text: no line of it becomes a heading or an HTML element of the export. */
function markdownOf(memories: readonly Shown[], title: string, fileName: string) {
  const parts = memories.map(({ ref, kind, status, title: name, text, createdAt, source, origin }) => {
    const by = origin ? ` · ${origin.text}` : '';
    const from = source ? ` · ${source.file}${source.line === null ? '' : `:${source.line}`}` : '';
    const head = `${kind} · ${status} · ${new Date(createdAt).toISOString().slice(0, 10)}${by} · \`${ref}\`${from}`;
    return [`## ${escaped(oneLine(name))}`, '', oneLine(head), '', quoted(text), ''].join('\n');
  });
  const count = memories.length === 1 ? '1 memory.' : `${memories.length} memories.`;
  const markdown = `${[`# ${escaped(title)}`, '', count, '', ...parts].join('\n').trimEnd()}\n`;
  return { fileName, markdown, memories: memories.length };
}

const oneLine = (text: string): string => stripUnsafe(text.replace(/\s+/g, ' ')).trim();
const escaped = (text: string): string => text.replaceAll('<', '&lt;');
const quoted = (text: string): string =>
  escaped(stripUnsafeText(text).trim())
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
