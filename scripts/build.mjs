// Builds dist/: one small entry that picks a face, a bundle for the command line (split, so that each command
// loads only what it needs), the public API, and the declarations. Pure JavaScript is bundled because one file
// opens faster than forty; native modules stay outside and are imported late.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

if (!existsSync('src')) process.exit(0); // installed from the package: dist/ is already there

const { build } = await import('esbuild');
rmSync('dist', { recursive: true, force: true });

await build({
  entryPoints: ['src/index.ts', 'src/faces/cli/main.ts'],
  outdir: 'dist',
  outbase: 'src',
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
});
chmodSync('dist/faces/cli/main.js', 0o755);

if (!process.argv.includes('--no-types')) {
  const tsc = createRequire(import.meta.url).resolve('typescript/package.json');
  execFileSync(process.execPath, [path.join(path.dirname(tsc), 'bin', 'tsc'), '-p', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
}
