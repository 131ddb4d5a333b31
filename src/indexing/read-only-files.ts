// The client's own memory (MEMORY.md and the files beside it) and CLAUDE.md as documents: searched like notes, never written.
// Each section of a file is one document, so that an answer is a paragraph and not a whole file.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError } from '../errors.ts';
import { FrontMatter } from '../files/front-matter.ts';
import { decodeUtf8, readWithStat } from '../files/json-file.ts';
import type { Change, Document } from '../store/store.ts';
import { contentHash, mentionsOf, textOf, titleOf } from './file-rows.ts';
import type { SourceSeen } from './file-state.ts';
import { type Section, sectionsOf } from './sections.ts';

export type ReadOnlyKind = 'auto-memory' | 'instructions';

export type ReadOnlySource = {
  readonly file: string;
  readonly kind: ReadOnlyKind;
  /** What the documents are named after: `MEMORY.md`, `user/CLAUDE.md`. */
  readonly name: string;
};

const MAX_BYTES = 256 * 1024;
const MAX_FILES = 200;
const MAX_DOCUMENTS = 2_000;
const CONFIDENCE: { readonly [kind in ReadOnlyKind]: number } = { 'auto-memory': 0.6, instructions: 0.8 };

/** Where the client keeps them. `clientFolder` is `~/.claude`; `autoMemory` is its setting of another folder. */
export function readOnlySources(place: {
  readonly projectRoot: string;
  readonly clientFolder: string;
  readonly autoMemory?: string;
}): ReadOnlySource[] {
  const { projectRoot, clientFolder } = place;
  const folder = place.autoMemory ?? autoMemoryFolder(clientFolder, projectRoot);
  const memory = namesIn(folder).map(
    (name): ReadOnlySource => ({ file: path.join(folder, name), kind: 'auto-memory', name }),
  );
  const instructions: ReadOnlySource[] = [
    { file: path.join(projectRoot, 'CLAUDE.md'), kind: 'instructions', name: 'CLAUDE.md' },
    { file: path.join(projectRoot, 'CLAUDE.local.md'), kind: 'instructions', name: 'CLAUDE.local.md' },
    { file: path.join(projectRoot, '.claude', 'CLAUDE.md'), kind: 'instructions', name: '.claude/CLAUDE.md' },
    { file: path.join(clientFolder, 'CLAUDE.md'), kind: 'instructions', name: 'user/CLAUDE.md' },
  ];
  return [...instructions, ...memory];
}

/** The client names a project's folder after its path; one that is longer than 200 characters gets a digest that is its own secret. */
export function autoMemoryFolder(clientFolder: string, projectRoot: string): string {
  return path.join(clientFolder, 'projects', projectRoot.replace(/[^A-Za-z0-9]/g, '-'), 'memory');
}

function namesIn(folder: string): string[] {
  try {
    const names = fs.readdirSync(folder).filter((name) => name.endsWith('.md') && !/^\.|[\s\p{C}]/u.test(name));
    return names.sort().slice(0, MAX_FILES);
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

export type ReadOnlyChanges = {
  readonly changed: boolean;
  readonly changes: readonly Change[];
  readonly sources: { readonly [file: string]: SourceSeen };
  readonly puts: number;
  readonly removals: number;
};

/** A source whose time and size are as they were is not opened. */
export function readOnlyChanges(
  place: { readonly project: string; readonly readOnly?: readonly ReadOnlySource[] },
  before: { readonly [file: string]: SourceSeen },
): ReadOnlyChanges {
  const sources: { [file: string]: SourceSeen } = {};
  const puts: Change[] = [];
  const stale = new Set(Object.values(before).flatMap((seen) => seen.refs));
  let changed = false;
  let room = MAX_DOCUMENTS;
  for (const source of place.readOnly ?? []) {
    const known = before[source.file];
    const stat = plainFile(source.file);
    if (!stat || sources[source.file]) continue;
    const asBefore = known !== undefined && known.mtime === stat.mtimeMs && known.size === stat.size;
    const documents = asBefore ? undefined : documentsOf(source, place.project, room);
    const refs = documents?.map(({ ref }) => ref) ?? known?.refs ?? [];
    sources[source.file] = { mtime: stat.mtimeMs, size: stat.size, refs };
    room -= refs.length;
    for (const ref of refs) stale.delete(ref);
    if (!documents) continue;
    changed = true;
    for (const document of documents)
      puts.push({ op: 'put', document, links: [], mentions: mentionsOf(`${document.title}\n${document.text}`, []) });
  }
  const gone = Object.keys(before).some((file) => !sources[file]);
  const removal: Change[] =
    stale.size > 0 ? [{ op: 'delete', where: { projects: [place.project], refs: [...stale] } }] : [];
  return { changed: changed || gone, changes: [...removal, ...puts], sources, puts: puts.length, removals: stale.size };
}

function plainFile(file: string): fs.Stats | undefined {
  try {
    const stat = fs.statSync(file);
    return stat.isFile() && stat.size <= MAX_BYTES ? stat : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

function documentsOf({ file, kind, name }: ReadOnlySource, project: string, most: number): Document[] {
  const read = readQuietly(file);
  if (!read) return [];
  const matter = FrontMatter.parse(read.text);
  const whole = matter.problem ? read.text : matter.body;
  const fileTitle = (matter.text('description') ?? matter.text('name') ?? name).trim();
  const at = Math.round(read.mtimeMs);
  return sectionsOf(whole)
    .slice(0, Math.max(0, most))
    .map((section): Document | undefined => {
      const text = textOf(section.text);
      const title = titleOf(section.title || fileTitle) || name;
      const above = contextOf(section, fileTitle);
      if (text === '') return undefined;
      return {
        ref: `note:${kind}/${name}#${section.slug}`,
        project,
        layer: 'note',
        kind,
        status: 'active',
        title,
        text,
        ...(above === '' ? {} : { context: above }),
        tags: [],
        confidence: CONFIDENCE[kind],
        createdAt: at,
        updatedAt: at,
        source: { file, line: section.line + linesBefore(read.text, whole) },
        hash: contentHash({ title, text }),
        meta: { readOnly: true },
      };
    })
    .filter((document) => document !== undefined);
}

const contextOf = (section: Section, fileTitle: string): string =>
  titleOf([fileTitle, ...section.above].filter((each) => each !== section.title).join(' › '));

/** How many lines of front matter stand above the body. */
const linesBefore = (text: string, body: string): number =>
  text.slice(0, text.length - body.length).split('\n').length - 1;

function readQuietly(file: string): { text: string; mtimeMs: number } | undefined {
  try {
    const read = readWithStat(file, MAX_BYTES);
    return read && { text: decodeUtf8(read.bytes, file), mtimeMs: read.stat.mtimeMs };
  } catch (error) {
    if (error instanceof CairnError) return undefined; // not ours to complain about
    throw error;
  }
}
