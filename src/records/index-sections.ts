// The upper part of index.md: sections that a person reads first. Three hands write there. People own Project Context,
// Current Focus, sections of their own and every line that has not the form of Cairn's; notes give linked lines; the
// entries below give the decisions and preferences among them. All of it is text in, text out, so that an update and a
// rebuild can be compared.

import path from 'node:path';
import { cleanTitle } from '../safety/sanitise.ts';
import { type IndexEntry, parseIndexLine } from './index-line.ts';

/** The known sections, in their order in the file. */
export const SECTIONS = [
  'Project Context',
  'Active Decisions',
  'Current Focus',
  'Recent Sessions',
  'Key Files',
  'Active Tasks',
  'User Preferences',
] as const;
export const ALL_MEMORIES = 'All memories';

/** Cairn never writes in these. */
const OWNED_BY_PEOPLE: readonly string[] = ['Project Context', 'Current Focus'];
/** Which records are shown above, too; the rest of them is only counted, because all stand below. */
const FROM_ENTRIES: { readonly [section: string]: string } = {
  'Active Decisions': 'DECISION',
  'User Preferences': 'PREFERENCE',
};
const MAX_FROM_ENTRIES = 10;
const MAX_FRONT_MATTER = 16 * 1024;

/** `- [[id]] - gist`, `- [ ] title ([[id]])` and the count of the rest: what Cairn writes, it may take away again. */
const GENERATED =
  /^- (?:\[\[[^[\]\n]+\]\](?: - .*)?|\[[ x~]\] .*\(\[\[[^[\]\n]+\]\]\)|and \d+ more in All memories)\s*$/;
const HEADING = /^##[ \t]+(\S.*)$/;
/** A longer heading or comment is text like any other. */
const MAX_HEADING = 200;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** What a section says of one note. */
export type DrawnLine = {
  readonly id: string;
  readonly text: string;
  /** Shown with a box to tick. */
  readonly task?: boolean;
};
/** What the notes give to each section. */
export type DrawnSections = { readonly [section: string]: readonly DrawnLine[] };

export type IndexParts = {
  /** Text outside every section. */
  stray: string[];
  /** What people wrote, by section; sections of their own behind the known ones. */
  written: Map<string, string>;
  /** What was drawn from notes, by section. */
  drawn: Map<string, string[]>;
  /** The lines that name records, wherever they stood. */
  entryLines: string[];
};

/** True if the text has sections at all: a memory of records alone is a plain list. */
export function hasSections(text: string): boolean {
  return /^##[ \t]/m.test(text);
}

export function splitIndex(text: string): IndexParts {
  const entries: IndexEntry[] = [];
  const parts: IndexParts = { stray: [], written: new Map(), drawn: new Map(), entryLines: [] };
  const sections = new Map<string, string[]>();
  let current = parts.stray;
  let fence: string | undefined;
  for (const line of withoutFrontMatter(text).split(/\r?\n/)) {
    const entry = parseIndexLine(line);
    if (entry) {
      entries.push(entry);
      parts.entryLines.push(line);
      continue;
    }
    const name = headingOf(line);
    const known = name === undefined ? undefined : knownName(name);
    // A known heading ends a code block that nobody closed: else the rest of the file would be swallowed, and grow.
    if (known !== undefined || (name !== undefined && fence === undefined)) {
      fence = undefined;
      current = known === ALL_MEMORIES ? parts.stray : linesOf(sections, known ?? name ?? '');
      continue;
    }
    fence = nextFence(fence, line);
    current.push(line);
  }
  parts.stray = parts.stray.filter((line) => line.trim() !== '' && !isHeader(line));
  for (const [name, lines] of sections) sortOut(parts, name, lines, new Set(linesFromEntries(name, entries)));
  return parts;
}

/** Everything between the header and the entries; empty if neither notes nor people gave anything to show. */
export function upperPart(parts: Pick<IndexParts, 'written' | 'drawn'>, entries: readonly IndexEntry[]): string {
  if (parts.written.size === 0 && ![...parts.drawn.values()].some((lines) => lines.length > 0)) return '';
  const own = [...parts.written.keys()].filter((name) => !isKnown(name));
  const blocks = [...SECTIONS, ...own].flatMap((name) => {
    const drawn = parts.drawn.get(name) ?? [];
    const below = linesFromEntries(name, entries).filter(
      (line) => !drawn.some((each) => linkOf(each) === linkOf(line)),
    );
    const lines = [...(parts.written.get(name) ?? '').split('\n'), ...drawn, ...below].filter(
      (line, at) => at > 0 || line,
    );
    return lines.length === 0 ? [] : [`## ${name}\n${lines.join('\n')}\n`];
  });
  return `${blocks.join('\n')}\n`;
}

/** The lines of what is drawn, without empty and unknown sections. */
export function drawnLines(drawn: DrawnSections): Map<string, string[]> {
  const known = SECTIONS.filter((name) => !OWNED_BY_PEOPLE.includes(name) && (drawn[name]?.length ?? 0) > 0);
  return new Map(known.map((name) => [name, (drawn[name] ?? []).map(lineOf)]));
}

/** The text may come from any file: it becomes one line without markers of the index. */
function lineOf({ id, text, task }: DrawnLine): string {
  const clean = cleanTitle(text);
  if (task) return `- [ ] ${clean} ([[${id}]])`;
  return clean === '' ? `- [[${id}]]` : `- [[${id}]] - ${clean}`;
}

function linesFromEntries(section: string, entries: readonly IndexEntry[]): string[] {
  const display = FROM_ENTRIES[section];
  if (display === undefined) return [];
  const all = entries.filter((entry) => entry.display === display);
  const shown = all
    .slice(0, MAX_FROM_ENTRIES)
    .map(({ path: file, title }) => lineOf({ id: slugOf(file), text: title }));
  return all.length > shown.length ? [...shown, `- and ${all.length - shown.length} more in All memories`] : shown;
}

const slugOf = (file: string): string => path.posix.basename(file, '.json');
const linkOf = (line: string): string | undefined => /^- \[\[([^[\]]+)\]\]/.exec(line)?.[1]?.toLowerCase();

/** Tells what people wrote in a section from what Cairn did. */
function sortOut(parts: IndexParts, name: string, lines: readonly string[], fromEntries: ReadonlySet<string>): void {
  const ours = isKnown(name) && !OWNED_BY_PEOPLE.includes(name);
  const drawn = ours ? lines.filter((line) => GENERATED.test(line)) : [];
  const written = trimBlankLines(ours ? lines.filter((line) => !GENERATED.test(line)) : lines).join('\n');
  if (written !== '') parts.written.set(name, written);
  const notes = drawn.filter((line) => !fromEntries.has(line) && !/^- and \d+ more/.test(line));
  if (notes.length > 0) parts.drawn.set(name, notes);
}

function linesOf(sections: Map<string, string[]>, name: string): string[] {
  const lines = sections.get(name) ?? [];
  sections.set(name, lines);
  return lines;
}

function trimBlankLines(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first === -1 ? [] : lines.slice(first, last + 1);
}

const isKnown = (name: string): boolean => (SECTIONS as readonly string[]).includes(name);

function headingOf(line: string): string | undefined {
  if (line.length > MAX_HEADING) return undefined;
  const name = HEADING.exec(line)?.[1]
    ?.replace(/[ \t]#+[ \t]*$/, '')
    .trim();
  return name === '' ? undefined : name;
}

function knownName(name: string): string | undefined {
  return [...SECTIONS, ALL_MEMORIES].find((known) => known.toLowerCase() === name.toLowerCase());
}

function nextFence(fence: string | undefined, line: string): string | undefined {
  const mark = FENCE.exec(line)?.[1];
  if (mark === undefined) return fence;
  if (fence === undefined) return mark;
  return mark.startsWith(fence) && /^\s*[`~]+\s*$/.test(line) ? undefined : fence;
}

const isHeader = (line: string): boolean =>
  line.length <= MAX_HEADING && /^# Memory Index\s*$|^<!--.*auto-generated.*-->\s*$/i.test(line);

/** Other tools head the file with properties; here its first line is its title. */
function withoutFrontMatter(text: string): string {
  if (!/^\uFEFF?---[ \t]*\r?\n/.test(text)) return text;
  const lines = text.slice(0, MAX_FRONT_MATTER).split('\n');
  const end = lines.findIndex((line, at) => at > 0 && /^---[ \t]*\r?$/.test(line));
  return end === -1 ? text : text.slice(lines.slice(0, end + 1).join('\n').length);
}
