// Gets a package from npm for the measurement, into a folder of the user's cache, never into the project. Scripts of packages are not
// run. What cannot be had is told, not passed over.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The version that runs on every Node that Cairn runs on; newer ones do not. It is compiled, which takes minutes, once. */
const SQLITE = { name: 'better-sqlite3', version: '12.11.1' };

/** The folder whose node_modules holds these packages (name → version). Throws where npm does not give them. */
export function installPeer(name, packages, { sqlite = false } = {}) {
  const wanted = JSON.stringify({
    name: 'cairn-bench-peer',
    private: true,
    dependencies: packages,
    ...(sqlite ? { overrides: { [SQLITE.name]: SQLITE.version } } : {}),
  });
  const folder = path.join(os.homedir(), '.cache', 'cairn-bench', name);
  const done = path.join(folder, `installed-${process.version}`);
  const manifest = path.join(folder, 'package.json');
  if (existsSync(done) && readFileSync(manifest, 'utf8') === wanted) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(manifest, wanted);
  npm(folder, ['install', '--ignore-scripts', '--omit=optional', '--omit=dev', '--no-audit', '--no-fund']);
  if (sqlite) npm(folder, ['rebuild', SQLITE.name, '--ignore-scripts=false']);
  writeFileSync(done, '');
  return folder;
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
