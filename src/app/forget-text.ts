// Forgetting or masking a text that the user names, wherever it stands. Of conversations the statements that hold it go (or, to mask,
// the text alone), by the filter that every later reading goes through too; in records, notes, logs and all other files it is masked.

import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Config } from '../config/load.ts';
import { CairnError, messageOf } from '../errors.ts';
import { filesBelow } from '../files/folder-stats.ts';
import { syncFiles } from '../indexing/files/index-files.ts';
import { STATE_PREFIX } from '../indexing/transcripts/index-transcript.ts';
import { parseJson } from '../model/json.ts';
import {
  alsoSearch,
  deepNamed,
  holdsNamed,
  LONGEST_NAMED,
  lineWithoutNamed,
  nameText,
  SHORTEST_NAMED,
} from '../safety/secrets/named-texts.ts';
import type { Change, Document } from '../store/store.ts';
import type { ArchiveEntry } from '../transcripts/archive/entry.ts';
import { rewriteEntry } from '../transcripts/archive/redact.ts';
import { removeUnlisted } from '../transcripts/archive/remove.ts';
import { type MaskedFiles, maskFiles } from './forget-files.ts';
import { type Counts, drawAnew, type PlannedMemory } from './forget-places.ts';
import { documentsOf, makeAnew } from './forget-rows.ts';
import { indexedFiles } from './indexed-files.ts';
import type { TraceMemory } from './trace-memory.ts';
import { archiveRoot } from './user-files.ts';

export type GoneText = { readonly as: 'remove' | 'mask' };

type Places = {
  /** Conversations that hold it, by transcript. */
  readonly transcripts: Set<string>;
  /** Archived ones among them. */
  readonly archived: string[];
  readonly documents: Document[];
  readonly files: MaskedFiles;
};

const PREVIEW_KEY = 'preview';

export async function countText(
  memory: TraceMemory,
  texts: readonly string[],
  as: GoneText['as'],
): Promise<{ order: { kind: 'text' } & GoneText; goes: PlannedMemory[]; counts: Counts; stays: string[] }> {
  for (const text of texts) checkText(text, as);
  alsoSearch({ key: PREVIEW_KEY, texts: texts.flatMap((text) => nameText(PREVIEW_KEY, text, as)) });
  try {
    const places = await look(memory, false);
    const traces = places.documents.filter((each) => each.layer === 'trace' && saysIt(each));
    const curated = places.documents.filter(({ layer }) => layer === 'record' || layer === 'note');
    return {
      order: { kind: 'text', as },
      goes: [...traces, ...curated].map(({ ref, title, createdAt }) => ({
        name: ref,
        title,
        ...(createdAt > 0 ? { from: createdAt } : {}),
      })),
      counts: countsOf(places),
      stays: [
        ...(curated.length > 0 ? ['records and notes: the text is masked in them, the rest of them stays'] : []),
        ...places.files.left,
        "the client's own transcripts, what git has committed, and what was sent to a model",
      ],
    };
  } finally {
    alsoSearch(undefined);
  }
}

function countsOf({ transcripts, archived, documents, files }: Places): Counts {
  const traces = documents.filter((each) => each.layer === 'trace' && saysIt(each));
  const topics = traces.filter(({ kind }) => kind === 'span').length;
  return {
    conversations: transcripts.size,
    ideas: traces.length - topics,
    topics,
    'records and notes': documents.filter(({ layer }) => layer === 'record' || layer === 'note').length,
    commits: documents.filter(({ layer }) => layer === 'commit').length,
    'archived transcripts': archived.length,
    files: files.masked.length,
    'renamed files': files.renamed.length,
  };
}

function checkText(text: string, as: GoneText['as']): void {
  const { length } = text.trim();
  if (length >= SHORTEST_NAMED && length <= LONGEST_NAMED) return;
  throw new CairnError(
    'USAGE_ERROR',
    `A text to be ${as === 'mask' ? 'masked' : 'forgotten'} has ${SHORTEST_NAMED} to ${LONGEST_NAMED} characters; this has ${length}.`,
    {
      fix: `Name a whole word or sentence: ${as === 'mask' ? 'it is masked wherever it stands' : 'whatever contains it goes'}.`,
    },
  );
}

async function look(memory: TraceMemory, apply: boolean): Promise<Places> {
  const transcripts = new Set<string>();
  const archived: string[] = [];
  for (const entry of listed(memory)) {
    let holds = false;
    for (const line of memory.archive.lines(entry)) if (lineWithoutNamed(line) !== line) holds = true;
    if (!holds) continue;
    if (!archived.includes(entry.source)) archived.push(entry.source);
    transcripts.add(entry.source);
    if (apply) await rewriteEntry(entry, lineWithoutNamed);
  }
  if (apply)
    removeUnlisted(archiveRoot(memory.config), listed(memory), (lines) =>
      lines.some((line) => lineWithoutNamed(line) !== line),
    );
  const documents = await documentsWith(memory);
  for (const { layer, source } of documents) if (layer === 'trace' && source) transcripts.add(source.file);
  for (const { key, value } of await memory.store.state({ prefix: STATE_PREFIX }))
    if (holdsDeep(value)) transcripts.add(key.slice(STATE_PREFIX.length));
  const files = await maskFiles(memory.config, apply);
  return { transcripts, archived, documents, files };
}

const listed = ({ archive }: TraceMemory): ArchiveEntry[] => {
  const { entries, older } = archive.survey();
  return [...entries, ...older];
};

const holdsDeep = (json: string): boolean => {
  const value = parseJson(json);
  return value === undefined ? holdsNamed(json) : deepNamed(value) !== value;
};

/** Whatever of a row may be read or found. */
const isHolder = ({ title, text, context = '', tags, meta }: Document): boolean =>
  [title, text, context, ...tags].some(holdsNamed) || (meta !== undefined && deepNamed(meta) !== meta);

/** Others only stood beside it: they are made again without it. */
const saysIt = ({ title, text }: Document): boolean => holdsNamed(title) || holdsNamed(text);

async function documentsWith(memory: TraceMemory): Promise<Document[]> {
  const found = new Map<string, Document>();
  const key = ({ project, ref }: { project: string; ref: string }): string => `${project}\0${ref}`;
  for await (const document of documentsOf(memory, {})) if (isHolder(document)) found.set(key(document), document);
  const names = (await memory.store.entities({})).map(({ name }) => name).filter(holdsNamed);
  const mentions = names.length === 0 ? [] : await memory.store.mentions({ entities: names });
  const missing = mentions.filter((each) => !found.has(key(each)));
  for (const { project, ref } of missing)
    for (const document of await memory.store.get({ refs: [ref], projects: [project] }))
      found.set(key(document), document);
  return [...found.values()];
}

/** What forgotten.json has of the texts is enough to find them: a run that finishes it later knows no more. */
export async function forgetText(memory: TraceMemory): Promise<{ counts: Counts; problems: string[] }> {
  const { config, store } = memory;
  const places = await look(memory, true);
  const problems = [...places.files.problems];
  await drawAnew(config);
  // Rows of this project's records and notes follow their files, before anything else touches them.
  if (fs.existsSync(config.paths.memoryRoot)) await syncFiles(store, indexedFiles(config));
  problems.push(...(await makeAnew(memory, places.transcripts, isHolder)));
  // What is left holds it in rows of other projects, whose files are theirs, or in rows that nothing makes again.
  const changes: Change[] = (await documentsWith(memory)).map((document) => {
    const { title, text, context, tags, meta } = document;
    const masked = deepNamed({
      title,
      text,
      tags,
      ...(context === undefined ? {} : { context }),
      ...(meta ? { meta } : {}),
    });
    return { op: 'put', document: { ...document, ...(masked as Partial<Document>) }, mentions: [] };
  });
  await store.apply(changes);
  return { counts: countsOf(places), problems };
}

/** Read after the database was made anew. */
export function whereLeft({ paths }: Config, texts: readonly string[]): string[] {
  const wanted = texts.map((text) => text.trim().toLowerCase());
  const found: string[] = [];
  for (const root of new Set([paths.userRoot, paths.memoryRoot]))
    for (const { file } of filesBelow(root, (name) => name !== 'node_modules' && name !== '.git')) {
      const text = readAny(file).toLowerCase();
      if (wanted.some((each) => text.includes(each))) found.push(file);
    }
  return found;
}

function readAny(file: string): string {
  try {
    const bytes = fs.readFileSync(file);
    return path.extname(file) === '.gz' ? gunzipSync(bytes).toString('utf8') : bytes.toString('utf8');
  } catch (error) {
    return messageOf(error); // gone meanwhile, or damaged: doctor names it
  }
}
