// What `npm pack` puts into the package as its package.json: without what only the sources need. npm would offer to run a `prepare`
// that has nothing to build there, and say so with a warning whenever the package is installed from its file. While it packs there is
// no `prepare` either, so `prepack` builds first.
//   node scripts/packed-manifest.mjs            before it packs; the whole one is put aside
//   node scripts/packed-manifest.mjs --restore  afterwards
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const whole = 'package.json.whole';
if (existsSync(whole)) renameSync(whole, 'package.json'); // also where packing was broken off
if (!process.argv.includes('--restore')) {
  const { scripts, devDependencies, allowScripts, ...rest } = JSON.parse(readFileSync('package.json', 'utf8'));
  renameSync('package.json', whole);
  writeFileSync('package.json', `${JSON.stringify(rest, null, 2)}\n`);
}
