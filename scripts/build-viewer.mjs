// Builds the browser page of `cairn ui` into dist/viewer/, and refuses a page that has grown too large to be read quickly.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** All files of the page together, as sent. */
export const PAGE_LIMIT = 230_000;

/** Bytes of everything that a browser may load, each file compressed by itself. */
export function pageSize(folder = path.join(root, 'dist/viewer')) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.txt'))
    .reduce((sum, entry) => sum + gzipSync(readFileSync(path.join(entry.parentPath, entry.name))).length, 0);
}

export async function buildViewer() {
  const { build } = await import('vite');
  await build({ configFile: path.join(root, 'viewer/vite.config.mjs') });
  const size = pageSize();
  if (size > PAGE_LIMIT)
    throw new Error(`The page of the viewer takes ${size} bytes compressed; at most ${PAGE_LIMIT} are allowed.`);
  return size;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(`dist/viewer: ${await buildViewer()} bytes gzipped`);
