// Packs the package, installs it into an empty folder as a user would, and lets it test itself:
//   node scripts/check-package.mjs [path of another node]…
// Each named node runs the same installation besides the one that runs this script.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const base = mkdtempSync(path.join(os.tmpdir(), 'cairn-package-'));
const [empty, home] = [path.join(base, 'empty'), path.join(base, 'home')];
for (const folder of [empty, home]) mkdirSync(folder);
const npm = (cwd, ...args) => execFileSync('npm', [...args, '--no-audit', '--no-fund'], { cwd, encoding: 'utf8' });

/**
 * On Node below 22.13 npm fetches the compiled database, and leaves the package out where it cannot. Then the one that
 * this project was built with stands in for it: what is asked here is whether Cairn's own package works.
 */
function bringDatabase() {
  const compiled = 'better-sqlite3/build/Release/better_sqlite3.node';
  if (existsSync(path.join(empty, 'node_modules', compiled)) || !existsSync(path.join(root, 'node_modules', compiled)))
    return;
  console.log('The compiled database could not be installed by npm here: the one of this project is used.');
  for (const part of [compiled, 'better-sqlite3/lib', 'better-sqlite3/package.json'])
    cpSync(path.join(root, 'node_modules', part), path.join(empty, 'node_modules', part), { recursive: true });
}

try {
  const packed = npm(root, 'pack', '--ignore-scripts', '--json', '--pack-destination', base);
  const [{ filename, entryCount }] = JSON.parse(packed);
  const file = path.join(base, filename);
  console.log(`${filename}: ${(statSync(file).size / 1024 / 1024).toFixed(2)} MB, ${entryCount} files`);
  npm(empty, 'install', file);
  bringDatabase();
  const program = path.join(empty, 'node_modules/cairn-memory/dist/faces/cli/main.js');
  for (const node of [process.execPath, ...process.argv.slice(2)]) {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    // No client on the PATH: whether the hooks are registered with one is not what is asked here.
    const env = { HOME: home, PATH: '/usr/bin:/bin' };
    const { status, stdout, stderr } = spawnSync(node, [program, 'doctor', '--self-test'], {
      cwd: empty,
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`doctor --self-test failed on ${version} (${status}):\n${stdout}${stderr}`);
    console.log(`doctor --self-test on ${version}: all is well`);
  }
} finally {
  rmSync(base, { recursive: true, force: true });
}
