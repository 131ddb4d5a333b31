// Node below 22.13 has no SQLite of its own; there the optional package better-sqlite3 is the database. npm leaves it out in
// silence where neither its prebuilt binary nor Node's headers can be downloaded. Node often brings its headers along: then it
// is built with those. Where that fails too, everything but the database works, and the store says what to do.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Asked in a process of its own: this one would remember that the package was not there. */
function isUsable() {
  if (process.getBuiltinModule?.('node:sqlite')) return true;
  const probe = "new (require('better-sqlite3'))(':memory:').close()";
  return spawnSync(process.execPath, ['-e', probe], { cwd: root, stdio: 'ignore' }).status === 0;
}

const headers = path.resolve(realpathSync(process.execPath), '../..');
if (!isUsable() && existsSync(path.join(headers, 'include/node/node.h'))) {
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const wanted = `better-sqlite3@${optionalDependencies['better-sqlite3']}`;
  console.log(`Building ${wanted} with the headers of this Node; this takes about two minutes …`);
  const npm = process.env.npm_execpath;
  const args = ['install', '--no-save', '--no-audit', '--no-fund', wanted];
  const result = spawnSync(npm ? process.execPath : 'npm', npm ? [npm, ...args] : args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, npm_config_nodedir: headers, npm_config_ignore_scripts: 'false' },
  });
  const done = result.status === 0 && isUsable();
  console.log(
    done
      ? 'Built.'
      : `${wanted} could not be built: the database will not work on this Node; Node 22.13 or newer needs no such module.`,
  );
}
