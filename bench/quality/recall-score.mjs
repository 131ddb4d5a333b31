// Scores ranked answers: hit@k = any gold in the first k, recall@k = share of the gold in the first k, MRR = 1 / rank of the first.
// Where gold names lines, lines are scored; elsewhere distinct conversations in ranked order.

const LOOK = 50;

export function scoreOf(query, results) {
  const lined = query.gold.some((gold) => gold.line !== undefined);
  const keyOf = ({ session, line }) => (lined ? `${session} ${line}` : session);
  const gold = new Set(query.gold.map(keyOf));
  const found = results
    .filter((result) => result.source && !(lined && result.kind === 'span'))
    .map((result) => keyOf({ session: result.session, line: result.source.line }));
  const ranked = [...new Set(found)].slice(0, LOOK);
  const hits = (k) => ranked.slice(0, k).filter((key) => gold.has(key)).length;
  const first = ranked.findIndex((key) => gold.has(key));
  return {
    'hit@1': Number(hits(1) > 0),
    'hit@5': Number(hits(5) > 0),
    'hit@10': Number(hits(10) > 0),
    'recall@5': hits(5) / gold.size,
    'recall@10': hits(10) / gold.size,
    MRR: first < 0 ? 0 : 1 / (first + 1),
  };
}

/** Means over all, and over each type. */
export function summarise(scored) {
  const groups = new Map([['all', scored.map(({ score }) => score)]]);
  for (const { query, score } of scored) groups.set(query.type, [...(groups.get(query.type) ?? []), score]);
  return new Map(
    [...groups].map(([type, scores]) => [
      type,
      {
        queries: scores.length,
        ...Object.fromEntries(
          Object.keys(scores[0]).map((name) => [
            name,
            scores.reduce((sum, score) => sum + score[name], 0) / scores.length,
          ]),
        ),
      },
    ]),
  );
}

/** Does the newest statement stand above the first one, where both were found? */
export function currencyOf(scored, timeOf) {
  let [right, both] = [0, 0];
  for (const { query, results } of scored) {
    if (query.type !== 'knowledge_update' && query.type !== 'contradiction_resolution') continue;
    const rank = new Map(results.map((result, at) => [`${result.session} ${result.source?.line}`, at]).reverse());
    const gold = query.gold
      .map(({ session, line }) => ({ key: `${session} ${line}`, line, time: timeOf(session, line) }))
      .sort((a, b) => a.time - b.time || a.line - b.line);
    const found = gold.filter(({ key }) => rank.has(key));
    if (found.length < 2 || found.at(-1) !== gold.at(-1)) continue;
    both++;
    if (rank.get(found.at(-1).key) < rank.get(found[0].key)) right++;
  }
  return { both, right };
}
