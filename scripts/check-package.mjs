// Packs the package, installs it into an empty folder as a user would, and lets it test itself:
//   node scripts/check-package.mjs [path of another node]…
// Each named node runs the same installation besides the one that runs this script.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const base = mkdtempSync(path.join(os.tmpdir(), 'cairn-package-'));
const [empty, home] = [path.join(base, 'empty'), path.join(base, 'home')];
for (const folder of [empty, home]) mkdirSync(folder);

/** A warning that somebody who installs Cairn would see is a failure; those about settings of this machine are none of ours. */
function npm(cwd, ...args) {
  const { status, stdout, stderr } = spawnSync('npm', [...args, '--no-audit', '--no-fund'], { cwd, encoding: 'utf8' });
  const warnings = stderr.split('\n').filter((line) => /^npm warn (?!Unknown \w+ config)/.test(line));
  if (status !== 0 || warnings.length > 0) throw new Error(`npm ${args[0]} (${status}):\n${stderr}`);
  return stdout;
}

/** As `npm pack` does it, but of what is built already. */
function pack() {
  const manifest = (...args) =>
    execFileSync(process.execPath, [path.join(root, 'scripts/packed-manifest.mjs'), ...args]);
  manifest();
  try {
    return npm(root, 'pack', '--ignore-scripts', '--json', '--pack-destination', base);
  } finally {
    manifest('--restore');
  }
}

try {
  const [{ filename, entryCount }] = JSON.parse(pack());
  const file = path.join(base, filename);
  console.log(`${filename}: ${(statSync(file).size / 1024 / 1024).toFixed(2)} MB, ${entryCount} files`);
  npm(empty, 'install', file);
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
