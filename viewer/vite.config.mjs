// How the page is built: everything in files of its own (the server's Content-Security-Policy allows nothing inline), no
// address outside, names by content. `scripts/build-viewer.mjs` runs it.
import path from 'node:path';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: path.resolve(import.meta.dirname, '../dist/viewer'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { bundlerTimings: false } },
    license: { fileName: 'LICENSES.txt' },
  },
});
