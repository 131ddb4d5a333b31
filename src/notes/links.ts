// What a Markdown body points to: `[[wiki-links]]`, `related:: …` fields and `#tags`. Code is not scanned: a link in an
// example is no link.

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
const TAG = /(?:^|[\s(,;])#([\p{L}_][\p{L}\p{N}_/-]*)/gu;
const MAX_LINKS = 5_000;

/** The text with code blanked out; line for line as long as before. */
export function withoutCode(body: string): string {
  let fence: string | undefined;
  const lines = body.split('\n').map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && mark) {
      fence = mark;
      return '';
    }
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && /^\s*[`~]+\s*$/.test(line)) fence = undefined;
      return '';
    }
    return line.replace(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)|``/g, (code) => ' '.repeat(code.length));
  });
  return lines.join('\n');
}

export function linksOf(body: string): NoteLink[] {
  const links: NoteLink[] = [];
  for (const line of withoutCode(body).split('\n')) {
    if (links.length >= MAX_LINKS) break;
    const field = FIELD.exec(line);
    const relation = (field?.[1]?.toLowerCase() ?? 'links_to') as LinkRelation;
    const found = wikiLinks(field ? field[2]! : line, relation);
    links.push(...(field && found.length === 0 ? bareIds(field[2]!, relation) : found));
  }
  return links.slice(0, MAX_LINKS);
}

/** The wiki-links of one piece of text. */
export function wikiLinks(text: string, relation: LinkRelation = 'links_to'): NoteLink[] {
  return [...text.matchAll(WIKI)].flatMap(([, target, section, shown]) => {
    const named = targetOf(target ?? '');
    if (named.to === '') return []; // [[#section]] points into its own note
    return [
      { ...named, relation, ...(section ? { section: section.trim() } : {}), ...(shown ? { text: shown.trim() } : {}) },
    ];
  });
}

/** `supersedes:: decision-001, decision-002` */
function bareIds(text: string, relation: LinkRelation): NoteLink[] {
  return text
    .split(/[\s,]+/)
    .map(targetOf)
    .filter(({ to }) => /^[\w][\w.-]*$/.test(to))
    .map((named) => ({ ...named, relation }));
}

/** `[[nodes/decisions/decision-001.md]]` names decision-001, as Obsidian resolves it. */
export function idOf(target: string): string {
  return targetOf(target).to;
}

/** The id that is named, and the folder or layer that stands before it. */
export function targetOf(target: string): { to: string; in?: string } {
  const layer = /^\s*(record:|note:)/i.exec(target);
  const parts = target.slice(layer?.[0].length ?? 0).split(/[\\/]/);
  const name = parts.pop()!.trim();
  const to = name.replace(/\.(?:md|json)$/i, '').trim();
  const folders = parts.map((part) => part.trim()).filter((part) => part !== '' && part !== '.' && part !== '..');
  const place = (layer?.[1] ?? '').toLowerCase() + folders.join('/');
  return place === '' ? { to } : { to, in: place };
}

export function tagsOf(body: string): string[] {
  const tags = new Set<string>();
  for (const line of withoutCode(body).split('\n')) {
    if (/^\s{0,3}#{1,6}\s/.test(line)) continue; // a heading
    const visible = line.replace(/\bhttps?:\/\/\S+/g, '').replace(WIKI, ' ');
    for (const match of visible.matchAll(TAG)) tags.add(match[1]!.toLowerCase());
  }
  return [...tags];
}
