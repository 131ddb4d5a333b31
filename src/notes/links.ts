// What a Markdown body points to: `[[wiki-links]]`, `related:: …` fields and `#tags`. Code is not scanned: a link in an
// example is no link.

import { lazy } from '../model/lazy.ts';

export type LinkRelation = 'links_to' | 'related' | 'supersedes' | 'depends_on';

export type NoteLink = {
  /** The id that is named, without folder, section, text or `.md`. */
  to: string;
  relation: LinkRelation;
  /** Where it was said to lie: `decisions` of `[[decisions/use-jwt]]`, `record:decisions`, `note:`. */
  in?: string;
  section?: string;
  text?: string;
};

const WIKI = /(?<!\\)!?\[\[([^[\]\n|#^]*)(?:[#^]([^[\]\n|]*))?(?:\|([^[\]\n]*))?\]\]/g;
const FIELD = /^[ \t]*(?:[-*+][ \t]+)?[([]?(related|supersedes|depends_on)::[ \t]*(.*)$/i;
const TAG = lazy(() => /(?:^|[\s(,;])#([\p{L}_][\p{L}\p{N}_/-]*)/gu);
const MAX_LINKS = 5_000;

/** The text with code blanked out; it keeps its lines. */
export function withoutCode(body: string): string {
  let visible = '';
  let from = 0;
  let fence: string | undefined;
  const next = marksOf(body);
  // Only lines with a mark in them are looked at; what lies between two fences goes in one piece.
  for (let at = next(0); at !== -1; at = next(from)) {
    const start = body.lastIndexOf('\n', at) + 1;
    const end = body.indexOf('\n', at);
    const line = body.slice(start, end === -1 ? undefined : end);
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const before = body.slice(from, start);
    visible += fence === undefined ? before : blank(before);
    if (fence === undefined) {
      fence = mark;
      if (mark === undefined) visible += withoutSpans(line);
    } else if (mark?.startsWith(fence) && /^\s*[`~]+\s*$/.test(line)) {
      fence = undefined;
    }
    from = start + line.length;
  }
  const rest = body.slice(from);
  return visible + (fence === undefined ? rest : blank(rest));
}

const blank = (lines: string): string => lines.replace(/[^\n]+/g, '');

/** Where the next mark of code is; each part of the text is searched once for each mark. */
function marksOf(text: string): (from: number) => number {
  const marks = ['`', '~~~'].map((mark) => ({ mark, at: text.indexOf(mark) }));
  return (from) => {
    for (const each of marks) if (each.at !== -1 && each.at < from) each.at = text.indexOf(each.mark, from);
    const found = marks.map((each) => each.at).filter((at) => at !== -1);
    return found.length === 0 ? -1 : Math.min(...found);
  };
}

/** A run of backticks opens a span that the next run of the same length closes. Without a regular expression: they are slow here. */
function withoutSpans(line: string): string {
  const runs = [...line.matchAll(/`+/g)].map((match) => ({ at: match.index, length: match[0].length }));
  const closing = new Map<number, number>();
  const closedBy = runs.map(() => -1);
  for (let run = runs.length - 1; run >= 0; run--) {
    closedBy[run] = closing.get(runs[run]!.length) ?? -1;
    closing.set(runs[run]!.length, run);
  }
  let plain = '';
  let from = 0;
  for (let run = 0; run < runs.length; run++) {
    const close = runs[closedBy[run]!];
    if (!close) continue;
    const opened = runs[run]!.at + close.length;
    // The marks stay: what stands right behind code is not at the beginning of a word.
    plain += line.slice(from, opened) + ' '.repeat(close.at - opened);
    from = close.at;
    run = closedBy[run]!;
  }
  return plain + line.slice(from);
}

export function linksOf(body: string): NoteLink[] {
  return linksIn(withoutCode(body));
}

/** The same for a text that has its code blanked out. */
export function linksIn(visible: string): NoteLink[] {
  if (!visible.includes('::')) return wikiLinks(visible).slice(0, MAX_LINKS);
  const links: NoteLink[] = [];
  for (const line of visible.split('\n')) {
    if (links.length >= MAX_LINKS) break;
    const field = line.includes('::') ? FIELD.exec(line) : null;
    const relation = (field?.[1]?.toLowerCase() ?? 'links_to') as LinkRelation;
    const found = wikiLinks(field ? field[2]! : line, relation);
    for (const link of field && found.length === 0 ? bareIds(field[2]!, relation) : found) links.push(link);
  }
  return links.slice(0, MAX_LINKS);
}

/** The wiki-links of one piece of text. */
function wikiLinks(text: string, relation: LinkRelation = 'links_to'): NoteLink[] {
  const links: NoteLink[] = [];
  if (!text.includes('[[')) return links;
  for (const [, target, section, shown] of text.matchAll(WIKI)) {
    const link = linkTo(target ?? '', relation);
    if (link.to === '') continue; // [[#section]] points into its own note
    if (section) link.section = section.trim();
    if (shown) link.text = shown.trim();
    links.push(link);
  }
  return links;
}

/** `supersedes:: decision-001, decision-002` */
function bareIds(text: string, relation: LinkRelation): NoteLink[] {
  return text
    .split(/[\s,]+/)
    .map((written) => linkTo(written, relation))
    .filter(({ to }) => /^[\w][\w.-]*$/.test(to));
}

export function linkTo(written: string, relation: LinkRelation): NoteLink {
  const { to, in: place } = targetOf(written);
  return place === undefined ? { to, relation } : { to, relation, in: place };
}

/** `[[nodes/decisions/decision-001.md]]` names decision-001, as Obsidian resolves it. */
export function idOf(target: string): string {
  return targetOf(target).to;
}

/** The id that is named, and the folder or layer that stands before it. */
export function targetOf(target: string): { to: string; in?: string } {
  if (!/[\\/:]/.test(target)) return { to: withoutEnding(target.trim()) };
  const layer = /^\s*(record:|note:)/i.exec(target);
  const parts = target.slice(layer?.[0].length ?? 0).split(/[\\/]/);
  const to = withoutEnding(parts.pop()!.trim());
  const folders = parts.map((part) => part.trim()).filter((part) => part !== '' && part !== '.' && part !== '..');
  const place = (layer?.[1] ?? '').toLowerCase() + folders.join('/');
  return place === '' ? { to } : { to, in: place };
}

const withoutEnding = (name: string): string => name.replace(/\.(?:md|json)$/i, '').trim();

export function tagsOf(body: string): string[] {
  return tagsIn(withoutCode(body));
}

/** The same for a text that has its code blanked out. */
export function tagsIn(visible: string): string[] {
  const tags = new Set<string>();
  if (!/#[\p{L}_]/u.test(visible)) return []; // headings have a blank behind their mark
  for (const line of visible.split('\n')) {
    if (!line.includes('#')) continue;
    if (/^\s{0,3}#{1,6}\s/.test(line)) continue; // a heading
    const text = line.replace(/\bhttps?:\/\/\S+/g, '').replace(WIKI, ' ');
    for (const match of text.matchAll(TAG())) tags.add(match[1]!.toLowerCase());
  }
  return [...tags];
}
