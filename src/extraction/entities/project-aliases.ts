// The names of projects in every way they are written: tide-table, TideTable, "Tide Table".

import { isCommonWord } from './common-words.ts';
import { foldName } from './fold-name.ts';
import { spellings } from './spellings.ts';
import { technologyAliases } from './technologies.ts';

const SHORTEST = 3;
const LONGEST = 60;
const HUMP = /(?<=[a-z0-9])(?=[A-Z])/g;

/** Of names as folders, remotes and manifests have them. What is called like a technology stays one. */
export function projectAliases(names: Iterable<string>): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  for (const name of names) {
    const plain = name.trim().replaceAll('_', '-');
    if (plain.length < SHORTEST || plain.length > LONGEST || !/[a-z]{2}/i.test(plain)) continue;
    for (const spelling of spellingsOf(plain))
      if (!technologyAliases().has(spelling)) table.set(spelling, foldName(plain));
  }
  return table;
}

/** A project that is called `app` cannot be told from any app, and `web-app` only where it is written so. */
function spellingsOf(name: string): string[] {
  const parts = name.replace(HUMP, '-').toLowerCase();
  if (!parts.split('-').every(isCommonWord)) return [...new Set([name.toLowerCase(), ...spellings(parts)])];
  return parts.includes('-') ? [parts] : [];
}
