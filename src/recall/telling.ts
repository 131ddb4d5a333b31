// What a result says about itself, for whoever decides whether it may be told unasked: what it is worth, what came out, and how much of
// the asked words it has in its own. Only gathered here; src/inject/ decides.

import type { Document } from '../store/store.ts';
import type { QueryWord } from './analyse.ts';
import type { Telling } from './answer.ts';
import type { Ranked } from './fuse.ts';

/** Kinds of statements that carry a result. The others ask or want something, or only say what these say. */
export const TOLD_KINDS: readonly string[] = ['decision', 'conclusion', 'solution', 'problem', 'context'];

export const mayBeTold = ({ kind, meta }: Document): boolean => meta?.search_only !== true && TOLD_KINDS.includes(kind);

export function tellingOf({ document, words: found, cosine }: Ranked, asked: readonly QueryWord[]): Telling {
  const meta = document.meta ?? {};
  const own = asked.filter(({ learned }, at) => !learned && (found.own & (1 << at)) !== 0);
  const sum = (words: readonly QueryWord[]): number => words.reduce((all, { weight }) => all + weight, 0);
  const all = sum(asked.filter(({ learned }) => !learned));
  return {
    worth: typeof meta.worth === 'number' ? meta.worth : null,
    searchOnly: meta.search_only === true,
    level: typeof meta.level === 'string' ? meta.level : null,
    stance: typeof meta.stance === 'string' ? meta.stance : null,
    outcome: typeof meta.outcome === 'string' ? meta.outcome : '',
    decided: textsOf(meta.decided),
    fixed: textsOf(meta.fixed),
    left: textsOf(meta.left),
    asked: typeof meta.asked === 'string' ? meta.asked : '',
    tags: document.tags,
    coverage: all === 0 ? 0 : sum(own) / all,
    words: own.map(({ surface }) => surface),
    cosine: cosine ?? null,
  };
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
