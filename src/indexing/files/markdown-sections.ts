// Cuts a Markdown file into its sections: each heading with the text below it, up to the next heading of any level. Headings inside
// code are code. A section that is long is cut at blank lines.

import { slugOf } from '../../notes/note-id.ts';

export type Section = {
  /** Unique in its file. */
  readonly slug: string;
  /** Empty above the first heading. */
  readonly title: string;
  /** The headings that it stands under, from the top. */
  readonly above: readonly string[];
  readonly text: string;
  /** Of its heading, from 1. */
  readonly line: number;
};

const MAX_SECTIONS = 200;
const MAX_CHARACTERS = 6_000;
const HEADING = /^(#{1,6})[ \t]+(\S.{0,300})/;
const FENCE = /^\s{0,3}(`{3,}|~{3,})/;

type Open = { title: string; above: string[]; lines: string[]; line: number };

export function sectionsOf(markdown: string): Section[] {
  const path: { level: number; title: string }[] = [];
  const open: Open[] = [{ title: '', above: [], lines: [], line: 1 }];
  let fence: string | undefined;
  for (const [index, line] of markdown.split(/\r?\n/).entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || (mark.startsWith(fence) && line.trim() === mark)))
      fence = fence === undefined ? mark : undefined;
    const heading = fence === undefined ? HEADING.exec(line) : null;
    if (!heading) {
      open.at(-1)!.lines.push(line);
      continue;
    }
    const level = heading[1]!.length;
    while (path.length > 0 && path.at(-1)!.level >= level) path.pop();
    const title = heading[2]!.replace(/[ \t]+#+$/, '').trim();
    open.push({ title, above: path.map((each) => each.title), lines: [], line: index + 1 });
    path.push({ level, title });
  }
  const taken = new Set<string>();
  return open
    .flatMap(piecesOf)
    .slice(0, MAX_SECTIONS)
    .map((piece) => ({ ...piece, slug: freeSlug(piece.title, taken) }));
}

function piecesOf({ title, above, lines, line }: Open): Omit<Section, 'slug'>[] {
  const pieces: Omit<Section, 'slug'>[] = [];
  let from = 0;
  let length = 0;
  const cut = (to: number): void => {
    const text = lines.slice(from, to).join('\n').trim();
    const words = lines.findIndex((each, index) => index >= from && each.trim() !== '');
    // A heading stands on the line above its first.
    const at = from === 0 ? line : line + words + (title === '' ? 0 : 1);
    if (text !== '') pieces.push({ title, above, text, line: at });
    from = to;
    length = 0;
  };
  for (const [index, each] of lines.entries()) {
    if (length > MAX_CHARACTERS && each.trim() === '') cut(index);
    length += each.length + 1;
  }
  cut(lines.length);
  return pieces;
}

function freeSlug(title: string, taken: Set<string>): string {
  const slug = slugOf(title) || 'top';
  let free = slug;
  for (let n = 2; taken.has(free); n++) free = `${slug}-${n}`;
  taken.add(free);
  return free;
}
