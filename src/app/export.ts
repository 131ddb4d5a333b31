// What `cairn export` writes out: every memory of a project or of all, or what a search finds.

import fs from 'node:fs';
import { CairnError, isSystemError, messageOf } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { MAX_JSON_BYTES, parseJsonObject, readText } from '../files/json-file.ts';
import { readSettled, type Settlement } from '../files/settled.ts';
import type { JsonObject } from '../model/json.ts';
import { originOf, type Provenance, type Speaker } from '../model/provenance.ts';
import type { Document, Json } from '../store/store.ts';
import type { RecallMemory } from './recall-memory.ts';

type ExportChoice = { readonly layer?: readonly string[]; readonly allProjects?: boolean };

/** What extraction found out about a statement, a topic or an exchange, where it did; by the names of the store. */
const TRACE_FIELDS = [
  'search_only',
  'worth',
  'stance',
  'level',
  'asked',
  'outcome',
  'decided',
  'fixed',
  'files',
  'commits',
  'left',
] as const;

export type ExportedMemory = { readonly [field in (typeof TRACE_FIELDS)[number]]?: Json } & {
  ref: string;
  project: string;
  layer: string;
  kind: string;
  status: string;
  title: string;
  text: string;
  tags: readonly string[];
  confidence: number;
  session: string | null;
  created_at: string;
  source: { file: string; line?: number } | null;
  /** Of a statement: who said it, and whether they said it themselves. */
  speaker: Speaker | null;
  provenance: Provenance | null;
  /** Of a record its JSON, of a note its Markdown, as they are on disk: `cairn import --json` reads them back. */
  record?: JsonObject;
  markdown?: string;
};

const PAGE = 500;
const FOUND = 200;

/** All of them, the oldest first, what was said at once in its order; what a query finds, the best first. */
export async function memoriesFor(
  memory: RecallMemory,
  query: string,
  options: ExportChoice,
): Promise<ExportedMemory[]> {
  const refs = query === '' ? undefined : await found(memory, query, options);
  const projects = options.allProjects ? undefined : memory.scopesOf();
  const filter = {
    ...(projects ? { projects } : {}),
    // The log of the repository is git's to carry.
    layers: options.layer ?? ['record', 'note', 'trace'],
    ...(refs ? { refs } : {}),
  };
  const memories: ExportedMemory[] = [];
  const parts = new Map<ExportedMemory, number>();
  let cursor: string | undefined;
  do {
    const page: Awaited<ReturnType<RecallMemory['store']['list']>> = await memory.store.list({
      filter,
      order: 'oldest',
      limit: PAGE,
      ...(cursor ? { cursor } : {}),
    });
    for (const {
      ref,
      project,
      layer,
      kind,
      status,
      title,
      text,
      tags,
      confidence,
      session,
      createdAt,
      source,
      meta,
    } of page.documents) {
      const exported = {
        ...{ ref, project, layer, kind, status, title, text, tags, confidence },
        session: session ?? null,
        created_at: new Date(createdAt).toISOString(),
        source: source ?? null,
        speaker: originOf(meta)?.speaker ?? null,
        provenance: originOf(meta)?.provenance ?? null,
        ...(layer === 'trace' ? traceFields(meta) : {}),
        ...wholeFile(layer, source?.file),
      };
      memories.push(exported);
      if (typeof meta?.part === 'number') parts.set(exported, meta.part);
    }
    cursor = page.next;
  } while (cursor !== undefined);
  if (refs) return memories.sort((a, b) => refs.indexOf(a.ref) - refs.indexOf(b.ref));
  return memories.sort((a, b) => asTold(a, b) || (parts.get(a) ?? 0) - (parts.get(b) ?? 0));
}

/** What has one time is told conversation by conversation, line by line. */
function asTold(a: ExportedMemory, b: ExportedMemory): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  if (a.project !== b.project) return a.project < b.project ? -1 : 1;
  const [one, other] = [a.source?.file ?? '', b.source?.file ?? ''];
  if (one !== other) return one < other ? -1 : 1;
  return (a.source?.line ?? 0) - (b.source?.line ?? 0);
}

/** What cannot be read is exported by its words alone. */
function wholeFile(layer: string, file: string | undefined): Pick<ExportedMemory, 'record' | 'markdown'> {
  const isRecord = layer === 'record' && file?.endsWith('.json');
  if (file === undefined || !(isRecord || (layer === 'note' && /[\\/]nodes[\\/].*\.md$/.test(file)))) return {};
  try {
    const text = readText(file, MAX_JSON_BYTES);
    if (text === undefined) return {};
    return isRecord ? { record: parseJsonObject(text, file) } : { markdown: text };
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return {};
  }
}

const traceFields = (meta: Document['meta']): { [field: string]: Json } =>
  Object.fromEntries(TRACE_FIELDS.flatMap((field) => (meta?.[field] === undefined ? [] : [[field, meta[field]]])));

async function found(memory: RecallMemory, query: string, options: ExportChoice): Promise<string[]> {
  const { results } = await memory.ask({
    query,
    limit: FOUND,
    ...(options.layer ? { layers: options.layer } : {}),
    ...(options.allProjects ? { allProjects: true } : {}),
  });
  return results.map(({ ref }) => ref);
}

/** What was settled by hand among what is exported: `cairn import --json` brings it back. */
export function settledFor(memory: RecallMemory, memories: readonly ExportedMemory[]): Settlement[] {
  const refs = new Set(memories.map(({ ref, project }) => `${project}\0${ref}`));
  return readSettled(memory.config.paths.userRoot).filter(({ ref, project }) => refs.has(`${project}\0${ref}`));
}

/** A file that is there already is somebody's: it is not replaced. */
export function writeExport(file: string, text: string): void {
  if (fs.existsSync(file))
    throw new CairnError('INPUT_ERROR', `${file} exists already.`, { fix: 'Name another file, or remove that one.' });
  try {
    atomicWrite(file, `${text}\n`, { mode: 0o600 });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new CairnError('IO_ERROR', `${file} cannot be written: ${messageOf(error)}`, {
      cause: error,
      fix: 'Name a file in a folder that exists and that you may write to.',
    });
  }
}
