// The best hits in their final order: by score, then by project and ref. Scores come from indexes that know only row
// numbers, and row numbers depend on the order of writing; equal stores must give equal answers, so ties are
// settled here, also those that a limit would cut through.

import { compareText } from '../compare-text.ts';
import type { Hit } from '../store.ts';
import type { Driver } from './driver.ts';
import type { Facets } from './facets.ts';

export type Scored = { readonly id: number; readonly score: number };

/** `best(n)` gives the n best by score. It is asked again for more while a tie goes on past the end. */
export function rankHits(
  driver: Driver,
  facets: Facets,
  limit: number,
  best: (count: number) => readonly Scored[],
): Hit[] {
  let count = limit + 16;
  let scored = best(count);
  while (scored.length === count && scored.at(-1)!.score === scored[limit - 1]!.score) {
    count *= 4;
    scored = best(count);
  }
  const last = scored[Math.min(limit, scored.length) - 1];
  return nameHits(
    driver,
    facets,
    scored.filter(({ score }) => last !== undefined && score >= last.score),
  ).slice(0, limit);
}

/** Rows → hits, ordered. Rows that are gone meanwhile are left out. */
export function nameHits(driver: Driver, facets: Facets, scored: readonly Scored[]): Hit[] {
  const scores = new Map(scored.map(({ id, score }) => [id, score]));
  const rows = driver
    .prepare('SELECT d.id, d.project, d.ref FROM json_each(?) j JOIN document d ON d.id = j.value')
    .all(JSON.stringify([...scores.keys()]));
  return rows
    .map((row) => ({
      project: facets.valueOf(Number(row.project)),
      ref: String(row.ref),
      score: scores.get(Number(row.id)) ?? 0,
    }))
    .sort((a, b) => b.score - a.score || compareText(a.project, b.project) || compareText(a.ref, b.ref));
}
