// Rows with scores → hits in their final order: by score, then by project and ref. Indexes know only row numbers, and
// those depend on the order of writing; equal stores must give equal answers, so ties are settled by name.

import { compareText } from '../compare-text.ts';
import type { Hit } from '../store.ts';
import { documentsById } from './document-rows.ts';
import type { Driver } from './driver.ts';
import type { Facets } from './facets.ts';

export type Scored = { readonly id: number; readonly score: number };

export type Wanted = { readonly limit: number; readonly documents?: boolean };

/** The best of `scored`, which is ordered by score and holds everything that ties with the last one wanted. */
export function rankHits(driver: Driver, facets: Facets, scored: readonly Scored[], wanted: Wanted): Hit[] {
  const last = scored[Math.min(wanted.limit, scored.length) - 1];
  if (last === undefined) return [];
  const better = scored.filter(({ score }) => score > last.score);
  const tied = scored.filter(({ score }) => score === last.score);
  const best = [...better, ...firstByName(driver, tied, wanted.limit - better.length)];
  return (wanted.documents ? withDocuments(driver, facets, best) : withNames(driver, facets, best))
    .sort((a, b) => b.score - a.score || compareText(a.project, b.project) || compareText(a.ref, b.ref))
    .slice(0, wanted.limit);
}

/** Statements that are made alike tie by the hundred: SQLite orders them in less time than it takes to name them all. */
function firstByName(driver: Driver, tied: readonly Scored[], count: number): readonly Scored[] {
  if (tied.length <= count) return tied;
  const rows = driver
    .prepareValues(
      `SELECT d.id FROM json_each(?) j CROSS JOIN document d ON d.id = j.value CROSS JOIN facet p ON p.id = d.project
       ORDER BY p.value, d.ref LIMIT ?`,
    )
    .all(JSON.stringify(tied.map(({ id }) => id)), count);
  const first = new Set(rows.map(([id]) => Number(id)));
  return tied.filter(({ id }) => first.has(id));
}

function withDocuments(driver: Driver, facets: Facets, scored: readonly Scored[]): Hit[] {
  const documents = documentsById(
    driver,
    facets,
    scored.map(({ id }) => id),
  );
  const hits: Hit[] = [];
  for (const { id, score } of scored) {
    const document = documents.get(id);
    if (document) hits.push({ project: document.project, ref: document.ref, score, document });
  }
  return hits;
}

function withNames(driver: Driver, facets: Facets, scored: readonly Scored[]): Hit[] {
  const scores = new Map(scored.map(({ id, score }) => [id, score]));
  return driver
    .prepareValues('SELECT d.id, d.project, d.ref FROM json_each(?) j CROSS JOIN document d ON d.id = j.value')
    .all(JSON.stringify([...scores.keys()]))
    .map(([id, project, ref]) => ({
      project: facets.valueOf(Number(project)),
      ref: String(ref),
      score: scores.get(Number(id)) ?? 0,
    }));
}
