// The package as npm would publish it: what is in it, how large it is, what it runs, and the public API through its exports.

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { put, temporaryFolder } from './fixtures/temporary.ts';

const PROJECT = path.resolve(import.meta.dirname, '..');
const built = fs.existsSync(path.join(PROJECT, 'dist/index.d.ts'));
const manifest = JSON.parse(fs.readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as {
  scripts: { [name: string]: string };
  dependencies: object;
  allowScripts: { [name: string]: boolean };
  exports: { [name: string]: unknown };
};
const MEGABYTE = 1024 * 1024;

type Packed = { size: number; files: { path: string; size: number }[] };

describe.skipIf(!built)('the package', () => {
  let packed: Packed;
  beforeAll(() => {
    const argv = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    [packed] = JSON.parse(execFileSync('npm', argv, { cwd: PROJECT, encoding: 'utf8', stdio: 'pipe' })) as [Packed];
  }, 120_000);

  // Each hook and each worker of the background has a bundle of its own, with all that it needs: cold starts count more than bytes.
  it('is under 6 MB, and under 17 MB with the databases for Node below 22.13', () => {
    const others = packed.files.filter((file) => !file.path.endsWith('.node'));
    const bytes = others.map((file) => gzipSync(fs.readFileSync(path.join(PROJECT, file.path))).length);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(6 * MEGABYTE);
    expect(packed.size).toBeLessThan(17 * MEGABYTE);
  });

  it('brings a page of at most 230 KB, all of it, as it goes over the wire', () => {
    const page = packed.files.filter((file) => file.path.startsWith('dist/viewer/') && !file.path.endsWith('.txt'));
    const bytes = page.map((file) => gzipSync(fs.readFileSync(path.join(PROJECT, file.path))).length);
    expect(page.length).toBeGreaterThan(4);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(230 * 1024);
  });

  it('brings a database along for every platform: nothing is compiled or downloaded when it is installed', () => {
    const there = packed.files.map((file) => file.path).filter((name) => name.startsWith('dist/native/'));
    const platforms = ['darwin-arm64', 'darwin-x64', 'win32-arm64', 'win32-x64', 'linux-arm64', 'linux-x64'];
    const wanted = platforms.map((each) => `dist/native/${each}/@photostructure+sqlite.glibc.node`);
    const musl = ['linux-arm64', 'linux-x64'].map((each) => `dist/native/${each}/@photostructure+sqlite.musl.node`);
    expect(there.sort()).toEqual([...wanted, ...musl, 'dist/native/LICENSE'].sort());
  });

  it('holds what is needed', () => {
    const names = packed.files.map((file) => file.path);
    const needed = [
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
      'dist/index.js',
      'dist/index.d.ts',
      'dist/faces/cli/main.js',
    ];
    const folders = ['dist/faces/hooks/', 'dist/faces/mcp/', 'dist/viewer/', 'plugin/hooks/', 'schemas/', 'docs/'];
    expect(needed.filter((name) => !names.includes(name))).toEqual([]);
    expect(folders.filter((folder) => !names.some((name) => name.startsWith(folder)))).toEqual([]);
  });

  it('holds no sources, tests, caches or maps', () => {
    const clutter =
      /^(?:src|test|bench|scripts|viewer)\/|\.test\.|(?<!\.d)\.m?ts$|\.tsx$|\.map$|\.cache$|\.meta\.json$|tsconfig|biome|vitest|\.ci\//;
    expect(packed.files.map((file) => file.path).filter((name) => clutter.test(name))).toEqual([]);
  });

  it('declares the public API and nothing else', () => {
    const types = packed.files.map((file) => file.path).filter((name) => name.endsWith('.d.ts'));
    expect(types.sort()).toEqual(['app/cairn', 'errors', 'index', 'version'].map((name) => `dist/${name}.d.ts`));
  });
});

describe('installing', () => {
  it('runs no script of a package when it is installed, and the lock file lets Node 20 have the database without a warning', () => {
    const lock = JSON.parse(fs.readFileSync(path.join(PROJECT, 'package-lock.json'), 'utf8')) as {
      packages: { [place: string]: { hasInstallScript?: boolean; engines?: object } };
    };
    const withScripts = Object.entries(lock.packages).filter(([, each]) => each.hasInstallScript);
    const names = withScripts.map(([place]) => place.replace('node_modules/', ''));
    const refused = Object.entries(manifest.allowScripts).filter(([, allowed]) => !allowed);
    expect(names.filter((name) => name !== 'fsevents').sort()).toEqual(refused.map(([name]) => name).sort());
    // It is tested by its makers on Node 22 and newer, and here on Node 20, whose interface for binaries it is built for.
    expect(lock.packages['node_modules/@photostructure/sqlite']?.engines).toBeUndefined();
  });

  it('runs no script when it is installed', () => {
    const atInstall = ['preinstall', 'install', 'postinstall', 'preprepare', 'postprepare'];
    expect(Object.keys(manifest.scripts).filter((name) => atInstall.includes(name))).toEqual([]);
    // What the bundles do not hold: `yaml` is loaded late, by whoever meets a note that only it can change.
    expect(manifest.dependencies).toEqual({
      'age-encryption': '0.3.1', // for sync alone, which loads it
      commander: '14.0.3',
      'jsonc-parser': '3.3.1',
      'smol-toml': '1.9.1',
      yaml: '2.9.1',
    });
  });
});

const PROGRAM = `
import { CairnError, openCairn, version } from 'cairn-memory';
const cairn = openCairn({ directory: process.argv[2] });
const saved = await cairn.save('decision', 'Use SQLite because it needs no server', { tags: ['storage'] });
const [found] = await cairn.remember('which storage did we decide on?', { limit: 3, layers: ['record'] });
const got = await cairn.get(saved.ref);
let code;
try { await cairn.get('record:decisions/none'); } catch (error) { code = error instanceof CairnError && error.code; }
await cairn.close();
const again = await cairn.remember('storage');
await cairn.close();
console.log(JSON.stringify({ version, saved, found, got, code, again: again.length }));
`;

const CONSUMER = `
import { type Cairn, CairnError, openCairn, type Remembered } from 'cairn-memory';
const cairn: Cairn = openCairn({ directory: '.', env: { CAIRN_HOME: '/x' } });
const found: Remembered[] = await cairn.remember('q', { since: new Date(), layers: ['trace'] });
const first: string | undefined = found[0]?.source?.file;
// @ts-expect-error there is no such layer
await cairn.remember('q', { layers: ['other'] });
export const code = (error: unknown) => (error instanceof CairnError ? error.code : first);
`;

describe.skipIf(!built)('the public API', { timeout: 120_000 }, () => {
  function installed(): string {
    const base = temporaryFolder();
    fs.mkdirSync(path.join(base, 'node_modules'));
    fs.symlinkSync(PROJECT, path.join(base, 'node_modules/cairn-memory'));
    put(path.join(base, 'package.json'), { type: 'module' });
    return base;
  }

  it('saves, remembers and gets, through the exports of the package', () => {
    const base = installed();
    const project = path.join(base, 'project');
    fs.mkdirSync(path.join(project, '.git'), { recursive: true });
    put(path.join(base, 'program.js'), PROGRAM);
    const env = { PATH: process.env.PATH, HOME: base, CAIRN_EMBEDDINGS_PROVIDER: 'none' };
    const argv = ['--preserve-symlinks', path.join(base, 'program.js'), project];
    const { stdout, stderr } = spawnSync(process.execPath, argv, { cwd: base, env, encoding: 'utf8' });
    expect(stderr).toBe('');
    const said = JSON.parse(stdout);
    expect(said.saved).toMatchObject({
      ref: expect.stringMatching(/^record:decisions\/use-sqlite/),
      title: 'Use SQLite',
    });
    expect(said.found).toMatchObject({ ref: said.saved.ref, layer: 'record', kind: 'decision', untrusted: false });
    expect(said.got).toMatchObject({ ref: said.saved.ref, text: expect.stringContaining('needs no server') });
    expect(said).toMatchObject({ code: 'NOT_FOUND', again: 1 });
    expect(fs.existsSync(path.join(base, '.cairn/memory.db'))).toBe(true);
  });

  it('has types that a strict program compiles against', () => {
    const base = installed();
    put(path.join(base, 'consumer.ts'), CONSUMER);
    const tsc = path.join(PROJECT, 'node_modules/typescript/bin/tsc');
    const argv = [tsc, '--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext', '--types', ''];
    const { status, stdout } = spawnSync(process.execPath, [...argv, 'consumer.ts'], { cwd: base, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  it('exports the program interface, the manifest and the schemas only', () => {
    expect(Object.keys(manifest.exports)).toEqual(['.', './package.json', './schemas/*']);
  });
});

/** Where `.ci/run` puts it; elsewhere this is left to it. */
const publint = path.join(
  process.env.CAIRN_CI_CACHE ?? path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'cairn-ci'),
  'publint/node_modules/publint/src/cli.js',
);

describe.skipIf(!built || !fs.existsSync(publint))('publint', () => {
  it('finds nothing', { timeout: 120_000 }, () => {
    const { status, stdout } = spawnSync(process.execPath, [publint, PROJECT, '--strict'], { encoding: 'utf8' });
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('All good!') });
  });
});
