// How ids are made from other names. Apart from the write path, because readers of links need it too and must not load
// what only writers need.

import { nameHash } from '../model/hash.ts';

const MAX_SLUG = 80;

/** `src/auth.ts` → `src-auth-ts`: letters and digits of every script, the rest becomes dashes. */
export function slugOf(text: string): string {
  return wholeSlug(text).slice(0, MAX_SLUG).replace(/-+$/, '');
}

function wholeSlug(text: string): string {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return folded.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
}

/** `file-src-auth-ts`; a leading slash or dot does not make another file. */
export function fileNoteId(file: string): string {
  const plain = file.replace(/^(?:\.?\/)+/, '');
  return plain === '' ? 'file-root' : distinctId('file', plain);
}

/** A text that is too long, or in another script, would share its slug with others: then a digest tells them apart. */
export function distinctId(prefix: string, text: string): string {
  const slug = wholeSlug(text);
  const tells = slug !== '' && slug.length <= MAX_SLUG && /^[\x20-\x7e]*$/.test(text);
  return tells ? `${prefix}-${slug}` : withDigest(`${prefix}-${slugOf(text)}`, text.normalize('NFC'));
}

/** The id with a few characters that stand for `text`. */
export function withDigest(id: string, text: string): string {
  return `${id.replace(/-+$/, '')}-${nameHash(text)}`;
}
