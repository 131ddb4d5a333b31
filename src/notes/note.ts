// A note as it is read from its file: what the properties say, what the body says, and what it points to.

import { FrontMatter } from '../files/front-matter.ts';
import { lazy } from '../model/lazy.ts';
import { NOTE_ID, type NoteKind, noteKind, noteKindOfFolder } from '../model/notes.ts';
import { type LinkRelation, linksIn, linkTo, type NoteLink, tagsIn, withoutCode } from './links.ts';
import { sectionSpan } from './note-sections.ts';

export type Note = {
  readonly id: string;
  readonly kind: NoteKind;
  readonly title: string;
  /** One line that says it: the first sentence of the section that its kind is about. */
  readonly gist: string;
  readonly status: string;
  readonly created: string;
  readonly updated: string;
  readonly tags: readonly string[];
  readonly links: readonly NoteLink[];
  /** Pruning leaves it alone. */
  readonly pinned: boolean;
  /** The file that a file summary is about. */
  readonly path: string | undefined;
  readonly sessionId: string | undefined;
  readonly frontMatter: FrontMatter;
  readonly body: string;
};

export type ReadNote = { note: Note; problem?: undefined } | { note?: undefined; problem: string };

const GIST_MAX = 160;
const LINE_MAX = 2_000;
const HEADING_MAX = 500;
/** An underscore inside a word is part of a name. */
const EMPHASIS = lazy(() => /[*`]|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu);
const LINK_FIELDS: readonly LinkRelation[] = ['related', 'supersedes', 'depends_on'];

/** `place` is where the file lies: its folder below `nodes/` and its name without `.md`. They stand in for missing properties. */
export function readNote(text: string, place: { folder: string; name: string }): ReadNote {
  if (text.includes('\0')) return { problem: 'it is not a text file' };
  const frontMatter = FrontMatter.parse(text);
  if (frontMatter.problem) return { problem: frontMatter.problem };
  const kind = noteKind(frontMatter.text('type') ?? '') ?? noteKindOfFolder(place.folder);
  if (!kind) return { problem: `its type ${JSON.stringify(frontMatter.text('type') ?? '')} is not known` };
  const id = frontMatter.text('id') ?? place.name;
  if (!NOTE_ID.test(id)) return { problem: `its id ${JSON.stringify(id.slice(0, 80))} cannot be a file name` };
  const body = frontMatter.body;
  const visible = withoutCode(body);
  const title = headingOf(body, visible) ?? id;
  const note: Note = {
    id,
    kind,
    title,
    gist: gistOf(body, kind),
    status: (frontMatter.text('status') ?? kind.firstStatus).toLowerCase(),
    created: frontMatter.text('created') ?? '',
    updated: frontMatter.text('updated') ?? frontMatter.text('created') ?? '',
    tags: [
      ...new Set([...frontMatter.list('tags').map((tag) => tag.replace(/^#/, '').toLowerCase()), ...tagsIn(visible)]),
    ].filter(Boolean),
    links: uniqueLinks([...propertyLinks(frontMatter), ...linksIn(visible)], id),
    pinned: frontMatter.get('pinned') === true,
    path: frontMatter.text('path'),
    sessionId: frontMatter.text('session_id'),
    frontMatter,
    body,
  };
  return { note };
}

function propertyLinks(frontMatter: FrontMatter): NoteLink[] {
  const links: NoteLink[] = [];
  for (const relation of LINK_FIELDS) {
    for (const written of frontMatter.list(relation)) {
      const link = linkTo(/[[\]|#]/.test(written) ? plainTarget(written) : written, relation);
      if (link.to !== '' && link.to !== 'null') links.push(link);
    }
  }
  return links;
}

const plainTarget = (written: string): string => written.replace(/^\[\[|\]\]$/g, '').split(/[|#]/)[0]!;

/** Each target once, with its strongest relation; a link to itself says nothing. */
function uniqueLinks(links: readonly NoteLink[], self: string): NoteLink[] {
  const byTarget = new Map<string, NoteLink>();
  for (const link of links) {
    const target = link.in === undefined ? link.to : `${link.in}/${link.to}`;
    const known = byTarget.get(target);
    if (isSelf(link, self) || (known && strength(link.relation) <= strength(known.relation))) continue;
    byTarget.set(target, link);
  }
  return [...byTarget.values()];
}

/** `[[record:decisions/x]]` in the note x means the record. */
const isSelf = (link: NoteLink, self: string): boolean => link.to === self && !link.in?.startsWith('record:');

const strength = (relation: LinkRelation): number =>
  ['links_to', 'related', 'depends_on', 'supersedes'].indexOf(relation);

/** The first heading of the first level, without the name of the kind. Code hides headings, but may be part of one. */
function headingOf(body: string, visible: string): string | undefined {
  const found = /^#[ \t]+(\S.*)$/m.exec(visible);
  if (!found) return undefined;
  const written = found[0].includes('`') ? body.split('\n')[linesBefore(visible, found.index)]! : found[0];
  const line = written
    .replace(/^#[ \t]+/, '')
    .slice(0, HEADING_MAX)
    .trimEnd();
  const heading = line.replace(/[ \t]+#+$/, '').replace(/^#+$/, '');
  return heading.replace(/^(?:Decision|Discovery|Session|Task|Error):\s+/i, '').trim() || undefined;
}

const linesBefore = (text: string, end: number): number => text.slice(0, end).split('\n').length - 1;

function gistOf(body: string, kind: NoteKind): string {
  return gistLine(sectionOf(body, kind.gist) ?? firstParagraph(body));
}

/** The first sentence of a text as one plain line. */
export function gistLine(text: string): string {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end === -1 ? undefined : end).slice(0, LINE_MAX);
    at = end === -1 ? text.length : end + 1;
    const plain = line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim();
    if (plain !== '' && !/^(?:```|~~~|#|>|\w+::)/.test(plain)) return firstSentence(plain);
  }
  return '';
}

function firstSentence(line: string): string {
  const plain = line
    .replace(/\[\[(?:[^[\]|]*\|)?([^[\]|]*)\]\]/g, '$1')
    .replace(EMPHASIS(), '')
    .replace(/\s+/g, ' ');
  const sentence = (/^.*?[.!?。！？](?=\s|$)/.exec(plain)?.[0] ?? plain).replace(/\.$/, '');
  if (sentence.length <= GIST_MAX) return sentence;
  const points = [...sentence];
  return points.length > GIST_MAX ? `${points.slice(0, GIST_MAX - 1).join('')}…` : sentence;
}

/** The text below `## name`, up to the next heading of that level. */
export function sectionOf(body: string, name: string): string | undefined {
  if (body.includes('```') || body.includes('~~~')) return sectionAmongCode(body, name);
  const heading = headingPattern(name).exec(body);
  if (!heading) return undefined;
  const start = heading.index + heading[0].length;
  const length = body.slice(start).search(NEXT_HEADING);
  const text = body.slice(start, length === -1 ? undefined : start + length).trim();
  return text === '' ? undefined : text;
}

function sectionAmongCode(body: string, name: string): string | undefined {
  const { lines, span } = sectionSpan(body, name);
  const text = span
    ? lines
        .slice(span.start + 1, span.end)
        .join('\n')
        .trim()
    : '';
  return text === '' ? undefined : text;
}

// Lines end with \n and nothing else; `^` would also take what stands behind a lone \r or U+2028 for a new line.
const NEXT_HEADING = /\n#{1,2}[ \t]/;
const headingPatterns = new Map<string, RegExp>();

function headingPattern(name: string): RegExp {
  const known = headingPatterns.get(name);
  if (known) return known;
  const plain = name.replace(/[^\w ]/g, '\\$&');
  const pattern = new RegExp(`(?<![^\\n])##[ \\t]*${plain}[^\\S\\n]*(?![^\\n])`, 'i');
  headingPatterns.set(name, pattern);
  return pattern;
}

function firstParagraph(body: string): string {
  return body.split(/\n\s*\n/).find((block) => block.trim() !== '' && !/^\s*#/.test(block)) ?? '';
}
