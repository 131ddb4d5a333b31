// The section that a statement stands in, and those around it, by what their headings are about: every project names its files and parts in its own
// words, but what a section is for (steps, design, background, checks) is called the same everywhere.

import type { Statement } from '../statements/statement.ts';
import { type Name, named } from './names.ts';

const SORTS: readonly (readonly [name: Name, pattern: RegExp])[] = [
  [named('checks'), /\b(?:verif\w*|test(?:s|ing)?|validat\w*|acceptance|success criteria|checks?|edge cases)\b/i],
  [
    named('design'),
    /\b(?:design|approach|decisions?|decided|constraints?|scope|requirements?|principles?|rules?|conventions?|goals?|strategy|architecture|behaviou?rs?|polic(?:y|ies)|guidelines?|criteria|style|ux|layout|user wants|non-goals?|structure|format|thresholds?|solution|what we)\b/i,
  ],
  [
    named('background'),
    /\b(?:context|background|problems?|overview|motivation|current|root causes?|causes?|analysis|summary|why|findings?|existing|issues?|symptoms?|observations?)\b/i,
  ],
  [named('files'), /\b(?:files?|references?|reuse|notes?)\b(?! system)/i],
  [
    named('steps'),
    /\b(?:steps?|implementation|tasks?|to-?dos?|changes?|phase|order|plan|modify|create|update|add|fix|remove|replace|rename|rework|rewrite|wire|implement|refactor|extract|migrate|new file|move)\b/i,
  ],
  [named('path'), /[\w/-]\.(?:tsx?|jsx?|go|py|md|json|rs|ya?ml|sql|sh|css|html)\b|\//],
  [named('numbered'), /^\W*(?:(?:step|phase|task|fix|change|part) )?\d+[.):]/i],
];
const OTHER = [named('other')];
const DEEPEST = 4;

function sortsOf(heading: string): readonly Name[] {
  const found = SORTS.filter(([, pattern]) => pattern.test(heading)).map(([name]) => name);
  return found.length === 0 ? OTHER : found;
}

/** `sorts`: of what stands right above; `around`: of the headings around that. */
export type Section = { readonly sorts: readonly Name[]; readonly around: readonly Name[]; readonly depth: number };
type Heading = { readonly level: number; readonly text: string; readonly sorts: readonly Name[] };

const NOWHERE: Section = { sorts: [], around: [], depth: 0 };

/** The sections of a turn. */
export class Outline {
  readonly #sections: readonly Section[];

  constructor({ text, statements }: { readonly text: string; readonly statements: readonly Statement[] }) {
    const known = new Map<string, readonly Name[]>();
    const sorts = (heading: string): readonly Name[] => {
      const found = known.get(heading) ?? sortsOf(heading);
      known.set(heading, found);
      return found;
    };
    let path: readonly Heading[] = [];
    let last: { lead: string; section: Section } | undefined;
    this.#sections = statements.map(({ kind, start, end, lead }) => {
      if (kind === 'heading') {
        const level = levelAt(text, start);
        if (level > 0) {
          path = path.filter((each) => each.level < level);
          last = undefined;
        }
        const section = path.length === 0 ? NOWHERE : sectionBelow(path, '', []);
        if (level > 0) path = [...path, { level, text: text.slice(start, end), sorts: sorts(text.slice(start, end)) }];
        return section;
      }
      if (lead === '' && path.length === 0) return NOWHERE;
      if (last?.lead !== lead) last = { lead, section: sectionBelow(path, lead, lead === '' ? [] : sorts(lead)) };
      return last.section;
    });
  }

  of(at: number): Section {
    return this.#sections[at] ?? NOWHERE;
  }
}

function sectionBelow(path: readonly Heading[], lead: string, sorts: readonly Name[]): Section {
  const isNearest = lead !== '' && path.at(-1)?.text.replace(/[*`]+/g, '').startsWith(lead.slice(0, 20)) === true;
  const around = new Set((isNearest ? path.slice(0, -1) : path).flatMap((each) => each.sorts));
  return { sorts, around: [...around], depth: Math.min(DEEPEST, path.length) };
}

/** How many marks stand before a heading; a bold line has none. */
function levelAt(text: string, start: number): number {
  let at = start - 1;
  while (at >= 0 && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9)) at -= 1;
  let level = 0;
  while (at >= 0 && text.charCodeAt(at) === 35) {
    level += 1;
    at -= 1;
  }
  return level;
}
