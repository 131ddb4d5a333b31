// One decision record as people keep them in Markdown: with or without front matter, with a Status section or a Status
// line, with "Superseded by" in words. Reads what it says; changes nothing.

import { FrontMatter, type PropertyValue } from '../files/front-matter.ts';
import { withoutCode } from './links.ts';

export type AdrReference = {
  /** As it was written: a file name, a number, a title. */
  target: string;
  relation: 'supersedes' | 'superseded_by' | 'depends_on' | 'related';
};

export type Adr = {
  title: string;
  number: string | undefined;
  /** The state in our words. */
  status: 'active' | 'proposed' | 'superseded' | 'archived';
  /** The state as it was written. */
  said: string;
  date: string | undefined;
  tags: string[];
  references: AdrReference[];
  /** What else its front matter says: who decided, who was asked. */
  properties: [key: string, value: PropertyValue][];
  /** Everything below the front matter and the title. */
  body: string;
};

/** Read above in their own way, or words that mean something else in a note. */
const OWN = new Set(
  'id type title status date created updated tags related links supersedes superseded-by superseded_by supersededby depends_on pinned path session_id generated captured source source_hash imported_hash adr_status'.split(
    ' ',
  ),
);

const STATES: readonly [RegExp, Adr['status']][] = [
  [/\b(?:super[sc]eded|replaced)\b/i, 'superseded'],
  [/\b(?:deprecated|rejected|withdrawn|obsolete|abandoned|declined|retired)\b/i, 'archived'],
  [/\b(?:proposed|draft|pending|rfc|discussion|open|in review)\b/i, 'proposed'],
  [/\b(?:accepted|approved|active|adopted|implemented|decided|done|agreed|final)\b/i, 'active'],
];

const RELATIONS: readonly [RegExp, AdrReference['relation']][] = [
  [/\b(?:super[sc]eded|replaced|obsoleted)[ -]by\b/i, 'superseded_by'],
  [/\b(?:super[sc]edes|replaces|obsoletes)\b/i, 'supersedes'],
  [/\b(?:depends on|requires|builds on|extends|amends|clarifies)\b/i, 'depends_on'],
  [/\b(?:amended by|clarified by|extended by|required by|related to|relates to|see also|linked to)\b/i, 'related'],
];

export function readAdr(text: string, fileName: string): Adr {
  const frontMatter = FrontMatter.parse(text);
  const body = frontMatter.problem ? text : frontMatter.body;
  const heading = /^#[ \t]+(.+?)[ \t]*#*[ \t]*$/m.exec(body) ?? /^(\S.*)\n=+[ \t]*$/m.exec(body);
  const named =
    frontMatter.text('title') ?? heading?.[1] ?? fileName.replace(/\.(?:md|markdown)$/i, '').replace(/[-_]+/g, ' ');
  const { number, title } = splitNumber(named, fileName);
  const statusText = [frontMatter.text('status'), statusOf(body)].filter(Boolean).join('\n');
  const references = [
    ...propertyReferences(frontMatter),
    ...statusText.split('\n').flatMap(referencesIn),
    ...linesWithRelations(body),
  ];
  const rest = heading ? body.slice(0, heading.index) + body.slice(heading.index + heading[0].length) : body;
  return {
    title,
    number,
    status: stateOf(statusText),
    said: (statusText.split('\n').find((line) => line.trim() !== '') ?? '').trim().slice(0, 200),
    date: dateOf(frontMatter, body),
    tags: frontMatter.list('tags').map((tag) => tag.replace(/^#/, '').toLowerCase()),
    references: unique(references),
    properties: frontMatter.keys.flatMap((key) => {
      const value = OWN.has(key.toLowerCase()) ? undefined : frontMatter.get(key);
      return value === undefined ? [] : [[key, value] as [string, PropertyValue]];
    }),
    body: rest.replace(/^\s*\n/, '').trimEnd(),
  };
}

/** `0007-use-redis.md`, `# ADR-7: Use Redis`, `# 7. Use Redis`: the number and what is left. */
function splitNumber(heading: string, fileName: string): { number: string | undefined; title: string } {
  const plain = heading.replace(/[*_`]/g, '').trim();
  const match = /^(?:(?:ADR|RFC|MADR|Decision(?: Record)?)[\s#-]*)?0*(\d{1,5})\s*[.:)\u2013\u2014-]\s*(.+)$/i.exec(
    plain,
  );
  const inName = /^(?:[a-z]+[-_])*?0*(\d{1,5})(?=[-_. ])/i.exec(fileName)?.[1];
  const title = (match?.[2] ?? plain).replace(/^(?:ADR|Decision)\s*:\s*/i, '').trim();
  return { number: inName ?? match?.[1], title: title || plain };
}

/** The text of the Status section, or of the Status line in any of its usual dresses. */
function statusOf(body: string): string | undefined {
  const plain = withoutCode(body);
  const section =
    /^(?:#{2,4}[ \t]+Status\b[^\n]*|Status[ \t]*\n-{3,})[ \t]*\n([\s\S]*?)(?=^#{1,4}[ \t]|^\S[^\n]*\n[-=]{3,}[ \t]*$|(?![\s\S]))/im.exec(
      plain,
    )?.[1];
  const lines = [
    ...plain.matchAll(
      /^[ \t]*(?:[-*+][ \t]+)?(?:\|[ \t]*)?[*_]{0,2}Status[*_]{0,2}[ \t]*[:|][*_]{0,2}[ \t]*(.+?)[ \t|]*$/gim,
    ),
  ].map((each) => each[1]!);
  const found = [section?.trim(), ...lines].filter((each) => each).join('\n');
  return found === '' ? undefined : found;
}

function stateOf(status: string): Adr['status'] {
  // In a list of states over time the last one counts; "accepted, supersedes 3" is accepted.
  const lines = status
    .split('\n')
    .map((line) => line.replace(/\bsuper[sc]edes\b.*/i, ''))
    .filter((line) => line.trim() !== '');
  for (const line of lines) if (/\b(?:super[sc]eded|replaced)\b/i.test(line)) return 'superseded';
  for (const line of lines.reverse()) {
    const state = STATES.find(([pattern]) => pattern.test(line));
    if (state) return state[1];
  }
  return 'active';
}

/** Lines outside the Status section that say it, such as `Supersedes: [ADR 3](0003-x.md)`. */
function linesWithRelations(body: string): AdrReference[] {
  return withoutCode(body)
    .split('\n')
    .filter((line) =>
      /^[ \t]*(?:[-*+][ \t]+)?[*_]{0,2}(?:super[sc]ed(?:es|ed[ -]by)|replace(?:s|d[ -]by)|amend(?:s|ed by)|depends on|related to)[*_]{0,2}[ \t]*:/i.test(
        line,
      ),
    )
    .flatMap(referencesIn);
}

function referencesIn(line: string): AdrReference[] {
  const found: AdrReference[] = [];
  const marks = RELATIONS.flatMap(([pattern, relation]) => {
    const at = pattern.exec(line);
    return at ? [{ at: at.index, end: at.index + at[0].length, relation }] : [];
  }).sort((a, b) => a.at - b.at);
  for (const [position, { end, relation }] of marks.entries()) {
    const part = line.slice(end, marks[position + 1]?.at);
    for (const target of targetsIn(part)) found.push({ target, relation });
  }
  return found;
}

function targetsIn(text: string): string[] {
  const links = [...text.matchAll(/\]\(\s*<?([^)>\s]+)>?[^)]*\)/g)].map((match) => match[1]!);
  const wiki = [...text.matchAll(/\[\[([^\]|#]+)/g)].map((match) => match[1]!);
  if (links.length + wiki.length > 0) return [...links, ...wiki];
  const files = [...text.matchAll(/[\w./-]+\.(?:md|markdown)\b/gi)].map((match) => match[0]);
  if (files.length > 0) return files;
  return [...text.matchAll(/(?:ADR|RFC|Decision)?[\s#-]*0*(\d{1,5})\b/gi)].map((match) => match[1]!);
}

function propertyReferences(frontMatter: FrontMatter): AdrReference[] {
  const keys: readonly [string, AdrReference['relation']][] = [
    ['supersedes', 'supersedes'],
    ['superseded-by', 'superseded_by'],
    ['superseded_by', 'superseded_by'],
    ['supersededBy', 'superseded_by'],
    ['depends_on', 'depends_on'],
    ['related', 'related'],
    ['links', 'related'],
  ];
  return keys.flatMap(([key, relation]) =>
    frontMatter.list(key).flatMap((each) => {
      const targets = targetsIn(each);
      return (targets.length > 0 ? targets : [each]).map((target) => ({
        target: target.replace(/^\[\[|\]\]$/g, ''),
        relation,
      }));
    }),
  );
}

function dateOf(frontMatter: FrontMatter, body: string): string | undefined {
  const written =
    frontMatter.text('date') ??
    frontMatter.text('created') ??
    /^[ \t]*(?:[-*+][ \t]+)?[*_]{0,2}Date[*_]{0,2}[ \t]*:[*_]{0,2}[ \t]*(.+)$/im.exec(withoutCode(body))?.[1];
  return /\d{4}-\d\d-\d\d/.exec(written ?? '')?.[0];
}

function unique(references: readonly AdrReference[]): AdrReference[] {
  const seen = new Set<string>();
  return references.filter(({ target, relation }) => {
    const key = `${relation} ${target}`;
    return seen.has(key) ? false : Boolean(seen.add(key));
  });
}
