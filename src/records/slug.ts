// File names of records: a title folded to plain ASCII, one that is free, and how much a title must change before the file
// follows it.

import fs from 'node:fs';
import path from 'node:path';
import { ID_MAX } from '../model/record.ts';

export function slugOf(text: string): string {
  const ascii = text.normalize('NFKD').replace(/[^\x00-\x7f]/g, '');
  const dashed = ascii
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return dashed.slice(0, ID_MAX).replace(/-+$/, '');
}

/** A name that no file of the folder has: two things may well be called the same. */
export function freeSlug(folder: string, slug: string): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? slug : `${slug.slice(0, 76).replace(/-+$/, '')}-${count}`;
    if (!fs.existsSync(path.join(folder, `${name}.json`))) return name;
  }
}

/** The share of words, of both titles together, that only one of them has. 0 = same words, 1 = none in common. */
export function wordDifference(a: string, b: string): number {
  const [first, second] = [wordsOf(a), wordsOf(b)];
  const all = new Set([...first, ...second]);
  if (all.size === 0) return 0;
  const common = [...first].filter((word) => second.has(word)).length;
  return (all.size - common) / all.size;
}

const wordsOf = (title: string): Set<string> => new Set(title.toLowerCase().split(/\s+/).filter(Boolean));
