// The SQLite that Cairn brings along for Node below 22.13, which has none of its own: the binaries of @photostructure/sqlite, which is
// `node:sqlite` as a package. The build puts them into the folder `native` of the package, so that nothing is compiled or downloaded
// when Cairn is installed; among the sources they are taken from that package itself.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CairnError, messageOf } from '../../errors.ts';

type Carried = Pick<typeof import('node:sqlite'), 'DatabaseSync'>;

const FOLDERS = ['native', 'node_modules/@photostructure/sqlite/prebuilds'];

// Bundles are given the binary's own; that saves a hook one of Node's modules.
declare const __bundleRequire: NodeJS.Require | undefined;

let loaded: Carried | undefined;

/** The class in the binary itself: the package around it takes as long to load as SQLite, and nothing here uses it. */
export function carriedSqlite(): Carried {
  loaded ??= load();
  return loaded;
}

function load(): Carried {
  const require = typeof __bundleRequire === 'function' ? __bundleRequire : createRequire(import.meta.url);
  const reasons: string[] = [];
  // Which of the two C libraries Linux has is learned by trying: to ask takes longer, and the wrong one is refused in a moment.
  for (const library of process.platform === 'linux' ? ['glibc', 'musl'] : ['glibc']) {
    const file = nearest(`${process.platform}-${process.arch}/@photostructure+sqlite.${library}.node`);
    if (!file) continue;
    try {
      return require(file) as Carried;
    } catch (error) {
      reasons.push(messageOf(error));
    }
  }
  const why = reasons.length > 0 ? reasons.join('; ') : `there is none for ${process.platform} on ${process.arch}`;
  throw new CairnError(
    'STORE_ERROR',
    `This Node (${process.version}) has no built-in SQLite, and the one that Cairn brings along does not load: ${why}`,
    { fix: 'Use Node 22.13 or newer, which has it built in. If files of Cairn are missing, install it again.' },
  );
}

/** In the folder of this file or of one above it. Bundles know their file by its path, all others by its address. */
function nearest(name: string): string | undefined {
  const own = path.isAbsolute(import.meta.url) ? import.meta.url : fileURLToPath(import.meta.url);
  for (let folder = path.dirname(own); ; folder = path.dirname(folder)) {
    for (const each of FOLDERS) {
      const file = path.join(folder, each, name);
      if (fs.existsSync(file)) return file;
    }
    if (path.dirname(folder) === folder) return undefined;
  }
}
