// QMD's own library in a process that stays: qmd-process.mjs PREFIX DATABASE QUERIES prints { times, found, memory }.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [prefix, dbPath, queries] = process.argv.slice(2);
const { createStore } = await import(pathToFileURL(path.join(prefix, 'node_modules/@tobilu/qmd/dist/index.js')).href);
const store = await createStore({ dbPath });
const [times, found] = [[], []];
for (const query of JSON.parse(readFileSync(queries, 'utf8'))) {
  const begun = performance.now();
  const results = await store.searchLex(query, { limit: 5 });
  times.push(performance.now() - begun);
  found.push(results.map(({ filepath, file, displayPath }) => filepath ?? file ?? displayPath));
}
console.log(JSON.stringify({ times, found, memory: process.resourceUsage().maxRSS / 1024 }));
process.exit(0);
