// The TypeScript sources as a module that a measurement can call: bundled as they are, not as they were built.
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** `files` below src/; all that they export is in the module. */
export async function bundle(...files) {
  // Below node_modules, so that native packages are found from there; kept to the end, because some are loaded late.
  const folder = mkdtempSync(path.join(root, 'node_modules', '.cairn-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = path.join(folder, 'sources.mjs');
  await build({
    stdin: {
      contents: files.map((file) => `export * from './src/${file}';`).join('\n'),
      resolveDir: root,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
  return await import(pathToFileURL(outfile).href);
}
