// From proposals to points. Each strategy gives its best candidate one point and the others their share of it; the table of
// weights adds them up. Scores instead of ranks, because they say how far apart two candidates are: measured in docs/RANKING.md.

import type { Document } from '../store/store.ts';
import type { Analysis } from './analyse.ts';
import type { Detail, Why } from './answer.ts';
import type { Candidate, Pool, Strategy } from './candidates.ts';
import { type Field, type WordScore, WordScorer } from './score-words.ts';
import type { Weights } from './weights.ts';

/** A candidate on its way to a result. Points are added here; factors come later. */
export type Ranked = {
  readonly document: Document;
  readonly why: readonly Why[];
  readonly details: Detail[];
  readonly words: WordScore;
  readonly cosine: number | undefined;
  score: number;
};

export function fuse(pool: Pool, analysis: Analysis, weights: Weights): Ranked[] {
  const scorer = new WordScorer(analysis.words, weights.words);
  const sizes = turnSizes(pool);
  const scored = [...pool.values()].map((candidate) => ({
    candidate,
    words: scorer.score(fieldsOf(candidate.document, sizes, weights)),
  }));
  const most = Math.max(...scored.map(({ words }) => words.score), 1e-9);
  const ranks = wordRanks(scored);
  const readers = readersOf(pool);
  return scored.map(({ candidate, words }) => {
    const { document, proposals } = candidate;
    const share: [Strategy, number][] = [['keyword', words.score / most]];
    for (const [strategy, read] of readers) {
      const proposal = proposals.get(strategy);
      if (proposal) share.push([strategy, read(proposal.score)]);
    }
    const details: Detail[] = share.map(([name, part]) => ({ name, points: part * weights.points[name] }));
    return {
      document,
      why: whyOf(candidate, ranks.get(candidate)),
      details,
      words,
      cosine: proposals.get('vector')?.score,
      score: details.reduce((sum, detail) => sum + (detail.points ?? 0), 0),
    };
  });
}

/**
 * What a strategy's score means: `range` is only comparable among its own proposals, `share` is of 0 to 1 already. The words of every
 * candidate are scored here, whoever proposed it.
 */
const SCORES: { readonly [strategy in Exclude<Strategy, 'keyword'>]: 'range' | 'share' } = {
  vector: 'range',
  hyde: 'range',
  entity: 'range',
  graph: 'share',
  browse: 'share',
};

function readersOf(pool: Pool): [Strategy, (score: number) => number][] {
  return (Object.entries(SCORES) as [Exclude<Strategy, 'keyword'>, 'range' | 'share'][]).map(([strategy, kind]) => [
    strategy,
    kind === 'range' ? rangeOf(pool, strategy) : (score) => score,
  ]);
}

/** Lowest of the strategy's proposals → 0, highest → 1. */
function rangeOf(pool: Pool, strategy: Strategy): (score: number) => number {
  const scores = [...pool.values()].flatMap(({ proposals }) => proposals.get(strategy)?.score ?? []);
  const least = Math.min(...scores);
  const most = Math.max(...scores);
  return (score) => (most > least ? (score - least) / (most - least) : 1);
}

/** Where a document's words stand. The title of a statement is its beginning, so it would count twice. */
function fieldsOf(document: Document, sizes: ReadonlyMap<string, number>, weights: Weights): Field[] {
  const { title, text, tags, context } = weights.words;
  const own = document.layer === 'trace' && document.kind !== 'span';
  const fields: Field[] = own ? [] : [{ text: document.title, weight: title }];
  fields.push({ text: document.text, weight: text });
  if (document.tags.length > 0) fields.push({ text: document.tags.join(' '), weight: tags });
  const short = (sizes.get(lineOf(document)) ?? 1) <= weights.shortTurn;
  if (document.context && short) fields.push({ text: document.context, weight: context, borrowed: true });
  return fields;
}

/** A line of a transcript, as a key. */
export const lineOf = ({ project, ref, source, layer }: Document): string =>
  layer === 'trace' && source?.line !== undefined ? `${source.file}\0${source.line}` : `${project}\0${ref}`;

/** How many statements of one turn are in the pool: many mean a long turn. */
function turnSizes(pool: Pool): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { document } of pool.values()) sizes.set(lineOf(document), (sizes.get(lineOf(document)) ?? 0) + 1);
  return sizes;
}

function wordRanks(scored: readonly { candidate: Candidate; words: WordScore }[]): Map<Candidate, number> {
  const hits = scored.filter(({ words }) => words.score > 0).sort((a, b) => b.words.score - a.words.score);
  return new Map(hits.map(({ candidate }, at) => [candidate, at + 1]));
}

function whyOf({ proposals }: Candidate, wordRank: number | undefined): Why[] {
  const why: Why[] = [...proposals]
    .filter(([strategy, { rank }]) => strategy !== 'keyword' && Number.isFinite(rank))
    .map(([strategy, { rank }]) => ({ strategy, rank }));
  if (wordRank !== undefined) why.push({ strategy: 'keyword', rank: wordRank });
  return why.sort((a, b) => a.rank - b.rank || (a.strategy < b.strategy ? -1 : 1));
}
