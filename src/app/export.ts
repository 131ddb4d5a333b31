// What `cairn export` writes out: every memory of a project or of all, or what a search finds.

import fs from 'node:fs';
import { CairnError, isSystemError, messageOf } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { originOf, type Provenance, type Speaker } from '../model/provenance.ts';
import type { RecallMemory } from './recall-memory.ts';

type ExportChoice = { readonly layer?: readonly string[]; readonly allProjects?: boolean };
export type ExportedMemory = {
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
};

const PAGE = 500;
const FOUND = 200;

/** All of them, the oldest first; what a query finds, the best first. */
export async function memoriesFor(
  memory: RecallMemory,
  query: string,
  options: ExportChoice,
): Promise<ExportedMemory[]> {
  const refs = query === '' ? undefined : await found(memory, query, options);
  const projects = options.allProjects ? undefined : memory.scopesOf();
  const filter = {
    ...(projects ? { projects } : {}),
    ...(options.layer ? { layers: options.layer } : {}),
    ...(refs ? { refs } : {}),
  };
  const memories: ExportedMemory[] = [];
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
    } of page.documents)
      memories.push({
        ...{ ref, project, layer, kind, status, title, text, tags, confidence },
        session: session ?? null,
        created_at: new Date(createdAt).toISOString(),
        source: source ?? null,
        speaker: originOf(meta)?.speaker ?? null,
        provenance: originOf(meta)?.provenance ?? null,
      });
    cursor = page.next;
  } while (cursor !== undefined);
  return refs ? memories.sort((a, b) => refs.indexOf(a.ref) - refs.indexOf(b.ref)) : memories;
}

async function found(memory: RecallMemory, query: string, options: ExportChoice): Promise<string[]> {
  const { results } = await memory.ask({
    query,
    limit: FOUND,
    ...(options.layer ? { layers: options.layer } : {}),
    ...(options.allProjects ? { allProjects: true } : {}),
  });
  return results.map(({ ref }) => ref);
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
