// The client's own memory (MEMORY.md and the files beside it) and CLAUDE.md as documents: searched like notes, never written.
// Each section of a file is one document, so that an answer is a paragraph and not a whole file.

import { CairnError } from '../../errors.ts';
import { FrontMatter } from '../../files/front-matter.ts';
import { decodeUtf8, readWithStat } from '../../files/json-file.ts';
import type { Change, Document } from '../../store/store.ts';
import { documentHash, mentionsOf, textOf, titleOf } from './file-rows.ts';
import type { SourceSeen } from './file-state.ts';
import { type Section, sectionsOf } from './markdown-sections.ts';
import { isAsBefore, MAX_BYTES, plainFile, type ReadOnlyKind, type ReadOnlySource } from './read-only-sources.ts';

const MAX_DOCUMENTS = 2_000;
const CONFIDENCE: { readonly [kind in ReadOnlyKind]: number } = { 'auto-memory': 0.6, instructions: 0.8 };

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
    const documents = isAsBefore(known, stat) ? undefined : documentsOf(source, place.project, room);
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
        hash: documentHash({ title, text }),
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
