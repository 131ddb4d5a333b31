// Rows with scores → hits in their final order: by score, then by project and ref. Indexes know only row numbers, and
// those depend on the order of writing; equal stores must give equal answers, so ties are settled by name.

import { compareText } from '../compare-text.ts';
import type { Hit } from '../store.ts';
import type { Driver } from './driver.ts';
import type { Facets } from './facets.ts';

export type Scored = {
  readonly id: number;
  readonly score: number;
  /** Where whoever scored has read them already, nobody reads them again. */
  readonly project?: number;
  readonly ref?: string;
};

/** The best of `scored`, which is ordered by score and holds everything that ties with the last one wanted. */
export function rankHits(driver: Driver, facets: Facets, scored: readonly Scored[], limit: number): Hit[] {
  const last = scored[Math.min(limit, scored.length) - 1];
  if (last === undefined) return [];
  const best = scored.filter(({ score }) => score >= last.score);
  return named(driver, best)
    .map(({ project, ref, score }) => ({ project: facets.valueOf(project), ref, score }))
    .sort((a, b) => b.score - a.score || compareText(a.project, b.project) || compareText(a.ref, b.ref))
    .slice(0, limit);
}

type Named = { readonly project: number; readonly ref: string; readonly score: number };

function named(driver: Driver, scored: readonly Scored[]): Named[] {
  const known = scored.flatMap(({ project, ref, score }) =>
    project === undefined || ref === undefined ? [] : [{ project, ref, score }],
  );
  if (known.length === scored.length) return known;
  const scores = new Map(scored.map(({ id, score }) => [id, score]));
  return driver
    .prepare('SELECT d.id, d.project, d.ref FROM json_each(?) j CROSS JOIN document d ON d.id = j.value')
    .all(JSON.stringify([...scores.keys()]))
    .map((row) => ({ project: Number(row.project), ref: String(row.ref), score: scores.get(Number(row.id)) ?? 0 }));
}
