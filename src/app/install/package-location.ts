// Where this program lies: the folder with `plugin/` and `dist/`. What is installed elsewhere points back to it.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CairnError } from '../../errors.ts';

export type PackageLocation = { readonly root: string; readonly plugin: string; readonly program: string };

/** From a file inside the package; by default the one that runs. */
export function packageLocation(from: string = ownFile()): PackageLocation {
  for (let folder = path.dirname(from); ; folder = path.dirname(folder)) {
    const plugin = path.join(folder, 'plugin');
    if (fs.existsSync(path.join(plugin, '.claude-plugin', 'plugin.json')))
      return { root: folder, plugin, program: path.join(folder, 'dist', 'faces', 'cli', 'main.js') };
    if (path.dirname(folder) === folder)
      throw new CairnError('NOT_FOUND', `The plugin is not where it should be, near ${from}.`, {
        fix: 'Install the package again.',
      });
  }
}

/** A folder that a package runner throws away sooner or later: what points to it will break. */
export const isTemporary = (root: string): boolean =>
  root.split(path.sep).some((name) => name === '_npx' || name === 'dlx');

/** In the bundle it is a path, unbundled a URL. */
const ownFile = (): string =>
  import.meta.url.startsWith('file:') ? fileURLToPath(import.meta.url) : String(import.meta.url);
