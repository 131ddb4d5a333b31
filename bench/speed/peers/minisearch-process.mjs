// MiniSearch in a process of its own, so that its memory is its own:
//   minisearch-process.mjs PREFIX index MESSAGES INDEX     makes the index and keeps it as JSON
//   minisearch-process.mjs PREFIX ask INDEX QUERIES WAY    answers each query; prints { times, found, memory }
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [prefix, command, first, second, way] = process.argv.slice(2);
const library = path.join(prefix, 'node_modules/minisearch/dist/es/index.js');
const { default: MiniSearch } = await import(pathToFileURL(library).href);
const options = { fields: ['text'], storeFields: [] };

if (command === 'index') {
  const begun = performance.now();
  const index = new MiniSearch(options);
  index.addAll(JSON.parse(readFileSync(first, 'utf8')));
  writeFileSync(second, JSON.stringify(index));
  console.log(JSON.stringify({ ms: performance.now() - begun }));
} else {
  const index = MiniSearch.loadJSON(readFileSync(first, 'utf8'), options);
  const search = way === 'fuzzy' ? { prefix: true, fuzzy: 0.2 } : {};
  const [times, found] = [[], []];
  for (const query of JSON.parse(readFileSync(second, 'utf8'))) {
    const begun = performance.now();
    found.push(
      index
        .search(query, search)
        .slice(0, 5)
        .map(({ id }) => id),
    );
    times.push(performance.now() - begun);
  }
  console.log(JSON.stringify({ times, found, memory: process.resourceUsage().maxRSS / 1024 }));
}
