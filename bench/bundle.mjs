// The TypeScript sources as a module that a measurement can call: bundled as they are, not as they were built.
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** `files` below src/; all that they export is in the module. */
export const bundle = (...files) => bundleWith({}, ...files);

/** The same with other texts in the place of some files below src/. */
export async function bundleWith(replaced, ...files) {
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
    plugins: [replacing(replaced)],
  });
  return await import(pathToFileURL(outfile).href);
}

const replacing = (replaced) => ({
  name: 'replacing',
  setup(build) {
    for (const [file, contents] of Object.entries(replaced))
      build.onLoad({ filter: new RegExp(`[\\\\/]${path.basename(file).replace('.', '\\.')}$`) }, ({ path: found }) =>
        path.relative(path.join(root, 'src'), found).split(path.sep).join('/') === file
          ? { contents, loader: 'ts' }
          : undefined,
      );
  },
});
