// Gets a package from npm for the measurement, into a folder of the user's cache, never into the project. Scripts of packages are not
// run. What cannot be had is told, not passed over.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../bundle.mjs';

const SQLITE = 'better-sqlite3';

/** The folder whose node_modules holds these packages (name → version). Throws where npm does not give them. */
export function installPeer(name, packages, { sqlite = false } = {}) {
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const version = optionalDependencies[SQLITE];
  const wanted = JSON.stringify({
    name: 'cairn-bench-peer',
    private: true,
    dependencies: packages,
    // The version that runs on every Node that Cairn runs on; newer ones do not.
    ...(sqlite ? { overrides: { [SQLITE]: version } } : {}),
  });
  const folder = path.join(os.homedir(), '.cache', 'cairn-bench', name);
  const done = path.join(folder, `installed-${process.version}`);
  const manifest = path.join(folder, 'package.json');
  if (existsSync(done) && readFileSync(manifest, 'utf8') === wanted) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(manifest, wanted);
  npm(folder, ['install', '--ignore-scripts', '--omit=optional', '--omit=dev', '--no-audit', '--no-fund']);
  if (sqlite) giveSqlite(folder, version);
  writeFileSync(done, '');
  return folder;
}

/** Compiling takes minutes: where the project has the same version compiled, that is lent. */
function giveSqlite(folder, version) {
  const own = path.join(root, 'node_modules', SQLITE);
  const isSame =
    existsSync(path.join(own, 'build/Release/better_sqlite3.node')) &&
    JSON.parse(readFileSync(path.join(own, 'package.json'), 'utf8')).version === version;
  if (isSame) cpSync(path.join(own, 'build'), path.join(folder, 'node_modules', SQLITE, 'build'), { recursive: true });
  else npm(folder, ['rebuild', SQLITE, '--ignore-scripts=false']);
}

function npm(cwd, args) {
  const file = process.env.npm_execpath;
  const result = spawnSync(file ? process.execPath : 'npm', file ? [file, ...args] : args, {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 300_000,
    // Called by `npm run`, it would take the project for the place to install into.
    env: Object.fromEntries(
      Object.entries(process.env).filter(([key]) => !/^npm_(?:config_local_prefix|package_)/i.test(key)),
    ),
  });
  if (result.status !== 0) {
    const lines = String(result.error ?? result.stderr).split('\n');
    const said = lines.filter((line) => /npm (?:error|ERR!) \S/.test(line)).slice(0, 2);
    const why = (said.length > 0 ? said : lines.slice(0, 1)).join('; ');
    throw new Error(`npm ${args[0]} failed: ${why.slice(0, 200)}`);
  }
}

/** `linux-x64`, as packages with binaries are named. */
export const PLATFORM = `${process.platform}-${process.arch}`;
