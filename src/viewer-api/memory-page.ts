// One memory with all that belongs to it: what its file says, its history, what it is linked to, whether it still fits the code,
// where it was injected, and what may be done with it now.

import path from 'node:path';
import { Memory } from '../app/memory.ts';
import { type Config, isTrusted } from '../config/load.ts';
import { CairnError } from '../errors.ts';
import { MAX_JSON_BYTES, readText } from '../files/json-file.ts';
import { realPath } from '../files/paths.ts';
import { checkFile, type FileCheck } from '../indexing/files/check-related-files.ts';
import { factorOf, learnedAbout, readFeedback } from '../learning/feedback.ts';
import { bytesHash, recordMd5 } from '../model/hash.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import { readable, readableOutcome } from '../model/readable.ts';
import { statusOf } from '../model/record.ts';
import { parseTimestamp } from '../model/schema.ts';
import { exchangeFields } from '../model/span-fields.ts';
import { stanceWords } from '../model/stance-words.ts';
import { headingLines } from '../notes/note-sections.ts';
import { keyOf } from '../recall/candidates.ts';
import { spansAround } from '../recall/expand.ts';
import { readExisting } from '../records/critical-section.ts';
import { resolveTarget, type Target } from '../records/record-store.ts';
import { recordProblems } from '../records/validate.ts';
import type { Document, Link } from '../store/store.ts';
import { trustOfRoot } from '../trust/trust.ts';
import { injectedOf } from './injections.ts';
import { briefOf, findMemory, scopesOf, shownOrigin, sourceOf, type View } from './viewer.ts';

const SHOWN_LINKS = 200;
const CHAIN_STEPS = 16;
const LAST_INJECTIONS = 5;
const CHAINED = ['supersedes', 'builds_on'];

export async function memoryPage(view: View, ref: string, project?: string) {
  if (ref.startsWith('entity:')) return entityPage(view, ref, project);
  const document = await findMemory(view, ref, project);
  const { record, note, version, history } = await fileOf(view, document);
  const { links, backlinks } = await linksOf(view, document);
  const files = filesOf(view.config, document);
  return {
    ...briefOf(document),
    text: document.text,
    tags: [...document.tags],
    confidence: document.confidence,
    untrusted: isStrange(view.config, document),
    origin: shownOrigin(document),
    source: sourceOf(document),
    record,
    note,
    entity: null,
    version,
    history,
    links,
    backlinks,
    chain: await chainOf(view, document),
    staleness: stalenessOf(files),
    files,
    ...(await spansOf(view, document)),
    stance: stanceWords(document.meta?.stance) ?? null,
    entities: await entitiesOf(view, document),
    injected: await injectedOf(view, document, LAST_INJECTIONS),
    learned: learnedOf(view.config, document),
    actions: offersFor(view.config, document),
  };
}

// ---- Entities

/** `entity:file/src/auth.ts` → its kind and name. */
export function entityOf(ref: string): { kind: string; name: string } {
  const found = /^entity:([^/]+)\/(.+)$/s.exec(ref);
  if (found) return { kind: found[1]!, name: found[2]! };
  throw new CairnError('USAGE_ERROR', `${JSON.stringify(ref)} names no entity.`, { fix: 'Use entity:kind/name.' });
}

export const entityRef = (kind: string, name: string): string => `entity:${kind}/${name}`;

/** An entity is no memory of its own: its page is what mentions it. */
async function entityPage(view: View, ref: string, project?: string) {
  const { kind, name } = entityOf(ref);
  const scopes = project === undefined || project === '' ? undefined : await scopesOf(view, project);
  const within = scopes ? { projects: scopes } : {};
  const [counted] = await view.store.entities({ names: [name], kinds: [kind], ...within, limit: 1 });
  if (!counted) throw new CairnError('NOT_FOUND', `Nothing mentions ${JSON.stringify(name)} (${kind}).`);
  const mentions = await view.store.mentions({ entities: [name], kinds: [kind], ...within, limit: SHOWN_LINKS });
  const documents = await view.store.get({ refs: mentions.map((each) => each.ref), ...within });
  const backlinks = documents.slice(0, SHOWN_LINKS).map((each) => ({
    ...rowOf(each.ref, each.project, each),
    relation: 'mentions',
    confidence: 1,
    rule: null,
  }));
  const [createdAt, updatedAt] = [
    Math.min(...documents.map((each) => each.createdAt)),
    Math.max(...documents.map((each) => each.updatedAt)),
  ];
  return {
    ...{ ref, project: project ?? '', layer: 'entity', kind, status: 'active', title: name, createdAt, updatedAt },
    ...{
      session: null,
      text: name,
      tags: [],
      confidence: 1,
      untrusted: false,
      origin: null,
      source: null,
      record: null,
      note: null,
    },
    entity: { name, kind, documents: counted.documents, count: counted.count },
    ...{
      version: null,
      history: [],
      links: [],
      backlinks,
      chain: [],
      staleness: null,
      files: [],
      span: null,
      exchange: null,
      stance: null,
    },
    ...{ entities: [], injected: { times: 0, last: [] }, actions: [] },
    learned: { verdict: null, injected: 0, used: 0, factor: 1 },
  };
}

async function entitiesOf({ store }: View, { ref, project }: Document) {
  const mentions = await store.mentions({ refs: [ref], projects: [project], limit: 60 });
  return mentions.map(({ entity, kind, count }) => ({ ref: entityRef(kind, entity), name: entity, kind, count }));
}

/** What a repository brought along, and the user has not agreed to. What was said here, and the client's own memory, is the user's. */
function isStrange(config: Config, document: Document): boolean {
  if (document.layer === 'trace' || document.kind === 'auto-memory') return false;
  if (isOwn(config, document)) return !isTrusted(config.trust);
  return !isTrusted(trustOfRoot(config.paths.userRoot, document.project, config.settings.trust));
}

// ---- What its file says

const NO_FILE = { record: null, note: null, version: null, history: [] };

/** Of a record or note of this project; of another project only what the store knows is shown. */
async function fileOf(view: View, document: Document) {
  if (!isOwn(view.config, document)) return NO_FILE;
  const memory = new Memory(view.config, view.now);
  if (document.ref.startsWith('record:')) return recordOf(memory, document.ref);
  if (document.ref.startsWith('note:') && isNote(document)) return noteOf(memory, document.ref);
  return NO_FILE;
}

export const isOwn = (config: Config, { project }: Document): boolean => project === realPath(config.paths.memoryRoot);

/** CLAUDE.md and the client's own memory are notes to the search, but not ours to show as such or to change. */
export const isNote = ({ layer, source }: Document): boolean =>
  layer === 'note' && source !== undefined && /[\\/]nodes[\\/]/.test(source.file);

export function targetOf(memory: Memory, ref: string): Target {
  const { root } = memory.recordStore;
  return resolveTarget(memory.recordStore, path.join(root, `${ref.slice('record:'.length)}.json`), root);
}

function recordOf(memory: Memory, ref: string) {
  const target = targetOf(memory, ref);
  const { record, bytes } = readExisting(target, 'NOT_FOUND', 'It may have been removed since; search for it.');
  const status = statusOf(record);
  return {
    record: {
      category: target.category.name,
      title: textOf(record.title),
      tags: textsOf(record.tags),
      relatedFiles: textsOf(record.related_files),
      confidence: typeof record.confidence === 'number' ? record.confidence : null,
      content: isObject(record.content) ? record.content : {},
      timesUpdated: typeof record.times_updated === 'number' ? record.times_updated : 0,
      retired:
        status === 'retired'
          ? {
              at: parseTimestamp(record.retired_at) ?? null,
              reason: textOf(record.retired_reason),
              deletedAfterDays: memory.config.settings.delete.grace_period_days,
            }
          : null,
      archived:
        status === 'archived'
          ? { at: parseTimestamp(record.archived_at) ?? null, reason: textOf(record.archived_reason) }
          : null,
      problems: recordProblems(target.category, record),
    },
    note: null,
    version: recordMd5(bytes),
    history: historyOf(record),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

function historyOf(record: JsonObject) {
  const changes = Array.isArray(record.changes) ? record.changes.filter(isObject) : [];
  return changes.reverse().map(({ date, summary, field, old_value: was, new_value: is }) => ({
    at: parseTimestamp(date) ?? null,
    summary: textOf(summary),
    field: typeof field === 'string' ? field : null,
    was: was ?? null,
    is: is ?? null,
  }));
}

const PLACED = ['id', 'type', 'status', 'tags', 'created', 'updated'];

function noteOf(memory: Memory, ref: string) {
  const note = memory.findNote(ref);
  const text = note && readText(note.file, MAX_JSON_BYTES);
  if (!note || text === undefined) return NO_FILE;
  const fields = note.frontMatter.keys
    .filter((key) => !PLACED.includes(key))
    .map((name) => ({ name, value: note.frontMatter.list(name).join(', ') }));
  return {
    record: null,
    note: {
      type: note.kind.type,
      title: note.title,
      tags: [...note.tags],
      sections: sectionsIn(note.body),
      fields,
    },
    version: versionOfNote(text),
    history: [],
  };
}

/** The moment of the last change is no content: an edit that is taken back leaves the version that it found. */
export const versionOfNote = (text: string): string => bytesHash(Buffer.from(text.replace(UPDATED, '$1'), 'utf8'));
const UPDATED = /^(---\r?\n(?:(?!---).*\r?\n)*?)updated:.*\r?\n/;

/** The text before the first `##`, without the title, is a section without a name. */
function sectionsIn(body: string): { name: string; text: string }[] {
  const sections: { name: string; lines: string[] }[] = [{ name: '', lines: [] }];
  const { lines, headings } = headingLines(body);
  const isHeading = new Set(headings);
  for (const [at, line] of lines.entries()) {
    const heading = isHeading.has(at) ? /^##[ \t]+(\S.*)$/.exec(line) : null;
    if (heading) sections.push({ name: heading[1]!.trim(), lines: [] });
    else if (!isHeading.has(at) || line.startsWith('##')) sections.at(-1)!.lines.push(line);
  }
  return sections
    .map(({ name, lines }) => ({ name, text: lines.join('\n').trim() }))
    .filter(({ name, text }) => name !== '' || text !== '');
}

// ---- Around it

async function linksOf({ store }: View, { ref, project }: Document) {
  const all = await store.links({ refs: [ref], projects: [project] });
  const [out, back] = [all.filter((each) => each.from === ref), all.filter((each) => each.from !== ref)];
  const shown = [...out.slice(0, SHOWN_LINKS), ...back.slice(0, SHOWN_LINKS)];
  const others = shown.map((link) => otherEnd(link, ref));
  const documents = others.length === 0 ? [] : await store.get({ refs: others, projects: [project] });
  const known = new Map(documents.map((each) => [each.ref, each]));
  const row = (link: Link) => {
    const other = otherEnd(link, ref);
    const { relation, confidence, rule } = link;
    return { ...rowOf(other, project, known.get(other)), relation, confidence, rule: rule ?? null };
  };
  return { links: out.slice(0, SHOWN_LINKS).map(row), backlinks: back.slice(0, SHOWN_LINKS).map(row) };
}

const otherEnd = ({ from, to }: Link, ref: string): string => (from === ref ? to : from);

const rowOf = (ref: string, project: string, document: Document | undefined) => ({
  ref,
  project,
  title: document ? document.title || document.text.slice(0, 120) : null,
  layer: document?.layer ?? null,
  kind: document?.kind ?? null,
});

/** Along `supersedes` and `builds_on`, both ways, step by step. */
async function chainOf({ store }: View, document: Document) {
  const { project } = document;
  const found = new Map<string, Document>([[document.ref, document]]);
  const followed = new Map<string, string>();
  let border = [document.ref];
  while (border.length > 0 && found.size < CHAIN_STEPS) {
    const links = await store.links({ refs: border, projects: [project], relations: CHAINED });
    for (const { from, relation } of links) followed.set(from, followed.get(from) ?? relation);
    const next = [...new Set(links.flatMap(({ from, to }) => [from, to]))].filter((ref) => !found.has(ref));
    const documents = next.length === 0 ? [] : await store.get({ refs: next, projects: [project] });
    border = [];
    for (const each of documents.slice(0, CHAIN_STEPS - found.size)) {
      found.set(each.ref, each);
      border.push(each.ref);
    }
  }
  if (found.size === 1) return [];
  return [...found.values()]
    .sort((a, b) => a.createdAt - b.createdAt || (a.source?.line ?? 0) - (b.source?.line ?? 0))
    .map((each, at) => ({
      ref: each.ref,
      project,
      title: each.title || each.text.slice(0, 120),
      kind: each.kind,
      at: each.createdAt,
      relation: at === 0 ? null : (followed.get(each.ref) ?? null),
      here: each.ref === document.ref,
    }));
}

/** Only of this project do we know where its files are. */
function filesOf(config: Config, document: Document): { path: string; state: FileCheck }[] {
  const files = Array.isArray(document.meta?.files) ? document.meta.files : [];
  return files.flatMap((each: unknown) => {
    if (!isObject(each) || typeof each.path !== 'string') return [];
    const mark = {
      path: each.path,
      blob: typeof each.blob === 'string' ? each.blob : null,
      size: typeof each.size === 'number' ? each.size : null,
    };
    const state = isOwn(config, document) ? checkFile(config.paths.projectRoot, mark) : 'unknown';
    return [{ path: each.path, state }];
  });
}

function stalenessOf(files: readonly { state: FileCheck }[]): FileCheck | null {
  if (files.length === 0) return null;
  for (const state of ['gone', 'changed'] as const) if (files.some((each) => each.state === state)) return state;
  return files.every((each) => each.state === 'unchanged') ? 'unchanged' : 'unknown';
}

/** Its topic, and of a statement the exchange that it stands in. */
async function spansOf({ store }: View, document: Document) {
  const { topic, exchange } = (await spansAround(store, [document])).get(keyOf(document)) ?? {};
  const { asked = '', outcome = '' } = exchangeFields(exchange?.meta) ?? {};
  return {
    span: topic ? { ref: topic.ref, name: topic.title } : null,
    exchange:
      exchange && exchange.ref !== document.ref
        ? { ref: exchange.ref, asked: readable(asked), outcome: readableOutcome(outcome) }
        : null,
  };
}

function learnedOf({ paths }: Config, { ref, project }: Document) {
  const learned = learnedAbout(readFeedback(paths.userRoot), project, ref);
  const { verdict, injected = 0, used = 0 } = learned ?? {};
  return { verdict: verdict ?? null, injected, used, factor: factorOf(learned) };
}

// ---- What may be done with it

type Name = 'edit' | 'retire' | 'archive' | 'restore' | 'unarchive' | 'feedback';

export function offersFor(
  config: Config,
  document: Document,
): { action: Name; allowed: boolean; why: string | null }[] {
  const offer = (action: Name, why: string | null = null) => ({ action, allowed: why === null, why });
  const feedback = offer('feedback');
  if (document.layer === 'trace') return [feedback];
  const isRecord = document.ref.startsWith('record:');
  const elsewhere = isOwn(config, document) ? null : 'It belongs to another project: open the viewer there.';
  if (!isRecord && !isNote(document))
    return [offer('edit', 'It is the client’s own file; Cairn only reads it.'), feedback];
  const { status } = document;
  const [isRetired, isArchived] = [status === 'retired', status === 'archived'];
  const resting = isRetired ? 'Restore it first.' : isArchived && isRecord ? 'Unarchive it first.' : null;
  return [
    offer('edit', elsewhere ?? resting),
    ...(isRecord
      ? [
          offer('retire', elsewhere ?? (isRetired ? 'It is retired already.' : resting)),
          offer('restore', elsewhere ?? (isRetired ? null : 'It is not retired.')),
        ]
      : []),
    offer('archive', elsewhere ?? (isArchived ? 'It is archived already.' : resting)),
    offer('unarchive', elsewhere ?? (isArchived ? null : 'It is not archived.')),
    feedback,
  ];
}
