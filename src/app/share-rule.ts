// What others of a team may have of a memory: statements of chosen kinds in chosen projects, as they stand, without what was said around
// them, where they were written down and what else Cairn knows of them. Everything else stays its author's alone.

import type { Settings } from '../config/settings/settings.ts';
import type { Document } from '../store/store.ts';

type Rule = Settings['team']['share'];

/** What readers of a statement need: who said it, and how sure it is. */
const SHARED_META = ['role', 'speaker', 'provenance', 'stance'];
/** Lines of a conversation are never shared, whatever the rule says. */
const MAY_BE = ['decision', 'solution', 'conclusion', 'problem', 'question', 'todo'];

/** Undefined: nothing of it is shared. */
export function sharedCopy({ projects, kinds }: Rule): (document: Document) => Document | undefined {
  const patterns = projects.map(patternOf);
  const wanted = kinds.filter((kind) => MAY_BE.includes(kind));
  return (document) => {
    const { layer, kind, project } = document;
    if (layer !== 'trace' || !wanted.includes(kind) || document.meta?.search_only === true) return undefined;
    if (!patterns.some((pattern) => pattern.test(project))) return undefined;
    const { context: _context, source: _source, span: _span, author: _author, meta, ...shown } = document;
    const kept = Object.entries(meta ?? {}).filter(([name]) => SHARED_META.includes(name));
    return { ...shown, ...(kept.length > 0 ? { meta: Object.fromEntries(kept) } : {}) };
  };
}

/** `github.com/acme/*`; a star stands for anything. */
function patternOf(pattern: string): RegExp {
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`, 'i');
}
