// Builds dist/. Three bundles, because cold start counts:
//   faces/cli/main.js   the binary with all hooks in it, CommonJS: one file, opened without the module loader's start-up
//   faces/cli/*.mjs     the command line, split so that shared code is there once
//   index.js            the public API
// Packages stay outside; the native ones are optional and imported late.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
if (!existsSync('src')) process.exit(0); // installed from the package: dist/ is there

const { build } = await import('esbuild');
const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  packages: 'external',
  outbase: 'src',
  outdir: 'dist',
  logLevel: 'warning',
};

/** In the binary, the command line is another bundle. */
const commandLineOutside = {
  name: 'command-line-outside',
  setup: (esbuild) => {
    esbuild.onResolve({ filter: /^\.\/(program|io)\.ts$/ }, (args) =>
      args.kind === 'dynamic-import' ? { path: args.path.replace(/\.ts$/, '.mjs'), external: true } : undefined,
    );
  },
};

rmSync('dist', { recursive: true, force: true });
const [binary] = await Promise.all([
  build({
    ...common,
    entryPoints: ['src/faces/cli/main.ts'],
    format: 'cjs',
    plugins: [commandLineOutside],
    minify: true, // half the bytes to read and scan on every prompt; measured, not assumed
    metafile: true,
  }),
  build({
    ...common,
    entryPoints: ['src/faces/cli/program.ts', 'src/faces/cli/io.ts'],
    format: 'esm',
    splitting: true,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
  }),
  build({ ...common, entryPoints: ['src/index.ts'], format: 'esm' }),
]);
mkdirSync('dist/faces/cli', { recursive: true });
writeFileSync('dist/faces/package.json', '{ "type": "commonjs" }\n');
writeFileSync('dist/faces/cli/main.meta.json', JSON.stringify(binary.metafile)); // what the hooks load; a test reads it
chmodSync('dist/faces/cli/main.js', 0o755);

if (!process.argv.includes('--no-types')) {
  const tsc = createRequire(import.meta.url).resolve('typescript/package.json');
  execFileSync(process.execPath, [path.join(path.dirname(tsc), 'bin', 'tsc'), '-p', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
}
