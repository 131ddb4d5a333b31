// Is recall silent where nothing can be found? Queries of other sets, and of other projects of the same set, are asked of a store
// that cannot answer them; the queries of the set itself are asked where the answer is.
import { scoreOf } from './recall-score.mjs';

const SAMPLE = 150;

export async function silenceOf(project, { store, queries, embedder, others }) {
  const ask = (query, projects) =>
    project.recall({ store, now: Date.now(), embedder }, { query, limit: 5, ...(projects ? { projects } : {}) });
  const known = [...new Set(queries.map((query) => query.project).filter(Boolean))];
  const foreign = evenly(others, SAMPLE).map((query, at) => ({
    query,
    projects: known.length > 0 ? [known[at % known.length]] : undefined,
  }));
  const elsewhere =
    known.length < 2
      ? []
      : evenly(queries, SAMPLE).map(({ query, project: own }) => ({
          query,
          projects: [known[(known.indexOf(own) + 1) % known.length]],
        }));
  let silent = 0;
  const unanswered = [...foreign, ...elsewhere];
  for (const { query, projects } of unanswered)
    if ((await ask(query, projects)).relevance < project.RELEVANCE_THRESHOLD) silent++;
  const own = evenly(queries, SAMPLE * 2);
  let [spoken, right, spokenRight] = [0, 0, 0];
  for (const query of own) {
    const answer = await ask(query.query, query.project ? [query.project] : undefined);
    const speaks = answer.relevance >= project.RELEVANCE_THRESHOLD;
    if (speaks) spoken++;
    if (scoreOf(query, answer.results)['hit@5'] === 0) continue;
    right++;
    if (speaks) spokenRight++;
  }
  return {
    foreign: unanswered.length,
    silent: silent / Math.max(1, unanswered.length),
    spoken: spoken / Math.max(1, own.length),
    spokenRight: spokenRight / Math.max(1, right),
  };
}

/** So many, spread over the whole. */
function evenly(all, count) {
  if (all.length <= count) return all;
  return Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)]);
}
