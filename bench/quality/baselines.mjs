// What anybody has without Cairn's ranking, over the same texts and scored in the same way: counting words as grep would, a
// search library at its defaults, and the BM25 of the database alone.
import MiniSearch from 'minisearch';

const LIMIT = 50;
const WORD = /[\p{L}\p{N}_]+/gu;
const wordsOf = (text) => [...new Set(text.toLowerCase().match(WORD) ?? [])];

/** name → (query, project) → results, as recall gives them. */
export async function baselinesOf(store) {
  const byProject = new Map();
  let cursor;
  do {
    const page = await store.list({
      filter: { layers: ['trace'] },
      order: 'ref',
      limit: 5_000,
      ...(cursor ? { cursor } : {}),
    });
    for (const document of page.documents) {
      if (document.kind === 'span') continue;
      for (const key of [document.project, undefined]) {
        if (!byProject.has(key)) byProject.set(key, []);
        byProject.get(key).push(document);
      }
    }
    cursor = page.next;
  } while (cursor);
  const indexes = new Map();
  return {
    'words counted, as grep finds them': async (query, project) => byCount(byProject.get(project) ?? [], query),
    'MiniSearch, its defaults': async (query, project) => {
      if (!indexes.has(project)) indexes.set(project, miniSearch(byProject.get(project) ?? []));
      const { search, documents } = indexes.get(project);
      return search
        .search(query)
        .slice(0, LIMIT * 4)
        .map(({ id }) => documents[id]);
    },
    'BM25 of the database alone': async (query, project) => byDatabase(store, query, project),
  };
}

/** Lines with the most different words of the query first; then those with more of them; then the newest. */
function byCount(documents, query) {
  const words = wordsOf(query);
  const scored = [];
  for (const document of documents) {
    const text = document.text.toLowerCase();
    let [different, all] = [0, 0];
    for (const word of words) {
      const times = text.split(word).length - 1;
      if (times > 0) different++;
      all += times;
    }
    if (different > 0) scored.push({ document, different, all });
  }
  scored.sort(
    (a, b) =>
      b.different - a.different ||
      b.all - a.all ||
      b.document.createdAt - a.document.createdAt ||
      (a.document.ref < b.document.ref ? -1 : 1),
  );
  return scored.slice(0, LIMIT * 4).map(({ document }) => document);
}

function miniSearch(documents) {
  const search = new MiniSearch({ fields: ['text'] });
  search.addAll(documents.map(({ text }, id) => ({ id, text })));
  return { search, documents };
}

async function byDatabase(store, query, project) {
  const filter = { layers: ['trace'], ...(project ? { projects: [project] } : {}) };
  const hits = await store.search({ terms: wordsOf(query).map((text) => ({ text })), filter, limit: LIMIT * 4 });
  const documents = await store.get({
    refs: hits.map((hit) => hit.ref),
    projects: [...new Set(hits.map((hit) => hit.project))],
  });
  const known = new Map(documents.map((document) => [`${document.project} ${document.ref}`, document]));
  return hits
    .map((hit) => known.get(`${hit.project} ${hit.ref}`))
    .filter((document) => document && document.kind !== 'span');
}
