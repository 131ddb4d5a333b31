// The files of the page: read once when the server starts, served from memory by their exact names. A request never becomes a path
// on disk, so none can leave the folder.

import fs from 'node:fs';
import path from 'node:path';
import { packageLocation } from '../../app/install/package-location.ts';
import { CairnError, isSystemError } from '../../errors.ts';

export type PageFile = { readonly bytes: Buffer; readonly type: string; readonly lasting: boolean };
/** By the path of the address: `/`, `/assets/index-1a2b.js`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const TYPES: { readonly [ending: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
};
const MAX_FILES = 500;
const MAX_BYTES = 32 * 1024 * 1024;

/** Beside the bundle, wherever the package lies. */
export const pageFolder = (): string => path.join(packageLocation().root, 'dist', 'viewer');

export function readPageFiles(folder: string): PageFiles {
  const files = new Map<string, PageFile>();
  let bytesLeft = MAX_BYTES;
  for (const name of namesBelow(folder)) {
    const type = TYPES[path.extname(name)];
    if (type === undefined || files.size >= MAX_FILES) continue;
    const bytes = fs.readFileSync(path.join(folder, name));
    bytesLeft -= bytes.length;
    if (bytesLeft < 0) throw new CairnError('LIMIT_ERROR', `${folder} is too large to be the viewer's page.`);
    const address = `/${name.split(path.sep).join('/')}`;
    files.set(address === '/index.html' ? '/' : address, { bytes, type, lasting: address.startsWith('/assets/') });
  }
  if (files.has('/')) return files;
  throw new CairnError('NOT_FOUND', `The page of the viewer is not at ${folder}.`, {
    fix: 'Install the package again; in the sources, run: npm run build',
  });
}

function namesBelow(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
      .sort();
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
