// From proposals to points. Each strategy gives its best candidate one point and the others their share of it; the table of
// weights adds them up. Scores instead of ranks, because they say how far apart two candidates are: measured in docs/RANKING.md.

import type { Document } from '../store/store.ts';
import type { Analysis } from './analyse.ts';
import type { Detail, Why } from './answer.ts';
import { Bm25Scorer, type Field, type WordScore } from './bm25.ts';
import type { Candidate, Pool, Strategy } from './candidate.ts';
import type { Weights } from './weights.ts';

/** A candidate on its way to a result. Points are added here; factors come later. */
export type Ranked = {
  readonly candidate: Candidate;
  readonly document: Document;
  readonly details: Detail[];
  readonly words: WordScore;
  /** Its place by words, if it has any of them. */
  readonly wordRank: number | undefined;
  readonly cosine: number | undefined;
  /** How near the exchange around it is, where that was looked at. */
  context?: number | undefined;
  /** How near its tokens are, where they were looked at. */
  tokens?: number | undefined;
  score: number;
};

type ScoredWords = { readonly candidate: Candidate; readonly words: WordScore };

export function fuse(pool: Pool, analysis: Analysis, weights: Weights): Ranked[] {
  const scorer = new Bm25Scorer(analysis.words, weights.words);
  const sizes = turnSizes(pool);
  const scored: ScoredWords[] = [];
  let most = 1e-9;
  for (const candidate of pool.values()) {
    const words = scorer.score(fieldsOf(candidate, sizes, weights));
    most = Math.max(most, words.score);
    scored.push({ candidate, words });
  }
  const ranks = wordRanks(scored);
  const readers = readersOf(pool);
  const isCompared = [...pool.values()].some(({ proposals }) => proposals.has('vector'));
  return scored.map(({ candidate, words }) => {
    const { document, proposals } = candidate;
    const share = words.score / most;
    const details: Detail[] = [{ name: 'keyword', points: share * weights.points.keyword }];
    for (const [strategy, read] of readers) {
      const proposal = proposals.get(strategy);
      if (proposal) details.push({ name: strategy, points: read(proposal.score) * weights.points[strategy] });
    }
    if (isCompared && !proposals.has('vector'))
      details.push({ name: 'no vector', points: share * weights.points.noVector });
    return {
      candidate,
      document,
      details,
      words,
      wordRank: ranks.get(candidate),
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
  path: 'share',
  standing: 'share',
};

function readersOf(pool: Pool): [Strategy, (score: number) => number][] {
  return (Object.entries(SCORES) as [Exclude<Strategy, 'keyword'>, 'range' | 'share'][]).map(([strategy, kind]) => [
    strategy,
    kind === 'range' ? rangeOf(pool, strategy) : (score) => score,
  ]);
}

/** Lowest of the strategy's proposals → 0, highest → 1. */
function rangeOf(pool: Pool, strategy: Strategy): (score: number) => number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { proposals } of pool.values()) {
    const proposal = proposals.get(strategy);
    // What is only there to be compared says nothing about what was found.
    if (!proposal || (proposals.has('standing') && proposal.rank === Number.POSITIVE_INFINITY)) continue;
    least = Math.min(least, proposal.score);
    most = Math.max(most, proposal.score);
  }
  return (score) => (most > least ? Math.max(0, (score - least) / (most - least)) : 1);
}

/** Where a document's words stand. The title of a statement is its beginning, so it would count twice. */
function fieldsOf({ document, line }: Candidate, sizes: ReadonlyMap<string, number>, weights: Weights): Field[] {
  const { title, text, tags, context } = weights.words;
  const own = document.layer === 'trace' && document.kind !== 'span';
  const fields: Field[] = own ? [] : [{ text: document.title, weight: title }];
  fields.push({ text: document.text, weight: text });
  if (document.tags.length > 0) fields.push({ text: document.tags.join(' '), weight: tags });
  if (document.context && (sizes.get(line) ?? 1) <= weights.shortTurn)
    fields.push({ text: document.context, weight: context, borrowed: true });
  return fields;
}

/** How many statements of one turn are in the pool: many mean a long turn. */
function turnSizes(pool: Pool): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { line } of pool.values()) sizes.set(line, (sizes.get(line) ?? 0) + 1);
  return sizes;
}

function wordRanks(scored: readonly ScoredWords[]): Map<Candidate, number> {
  const hits = scored.filter(({ words }) => words.score > 0).sort((a, b) => b.words.score - a.words.score);
  const ranks = new Map<Candidate, number>();
  for (const { candidate } of hits) ranks.set(candidate, ranks.size + 1);
  return ranks;
}

/** Made for what is shown only. */
export function whyOf({ candidate: { proposals }, wordRank }: Ranked): Why[] {
  const why: Why[] = [...proposals]
    .filter(([strategy, { rank }]) => strategy !== 'keyword' && Number.isFinite(rank))
    .map(([strategy, { rank }]) => ({ strategy, rank }));
  if (wordRank !== undefined) why.push({ strategy: 'keyword', rank: wordRank });
  return why.sort((a, b) => a.rank - b.rank || (a.strategy < b.strategy ? -1 : 1));
}
