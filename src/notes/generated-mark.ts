// The mark on notes that Cairn wrote by itself: a digest of the note as it was written. Pruning removes nothing else, so
// whatever a person wrote or touched, in an editor, in Obsidian or with `cairn note`, is kept. `updated` would not do:
// few people change it when they edit.

import { FrontMatter } from '../files/front-matter.ts';
import { sha256 } from '../model/sha256.ts';

const PROPERTY = 'generated';
const DIGEST_LENGTH = 12;

/** Marks the note as it is now. Call it last, before it is written. */
export function markGenerated(frontMatter: FrontMatter): void {
  frontMatter.set(PROPERTY, digestOf(frontMatter.toString()));
}

/** True if Cairn wrote it, and nobody has changed it since. */
export function isGenerated(text: string): boolean {
  const mark = FrontMatter.parse(text).text(PROPERTY);
  return mark !== undefined && mark === digestOf(text);
}

/** Line endings and blanks at the ends of lines do not count: git and editors change them without anybody's will. */
function digestOf(text: string): string {
  const frontMatter = FrontMatter.parse(text);
  frontMatter.remove(PROPERTY);
  const plain = frontMatter
    .toString()
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
  // The letter keeps YAML from reading a digest of digits as a number.
  return `c${sha256(plain).slice(0, DIGEST_LENGTH)}`;
}
