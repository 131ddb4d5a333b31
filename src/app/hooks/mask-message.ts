// The message of a failure without what must not be kept: secrets, private passages, texts that the user named, and the letters that
// others quote from what they could not read. A bundle of its own (scripts/build.mjs), read by hooks that fail and by no other.

import { maskText } from '../../safety/mask-text.ts';
import { useForgotten } from '../keep-out.ts';

/** More than is kept is masked, so that no secret is cut in half first. */
const [MOST_MASKED, MOST_KEPT] = [20_000, 2_000];

export function maskMessage(userRoot: string, message: string): string {
  useForgotten(userRoot);
  return maskText(withoutQuotes(message.slice(0, MOST_MASKED))).slice(0, MOST_KEPT);
}

/** `JSON.parse` and SQLite quote a few letters: too few to tell a secret from. */
const withoutQuotes = (message: string): string =>
  message
    .replace(/(?:\.{3})?"[\s\S]{0,200}"(?:\.{3})? is not valid JSON/g, 'it is not valid JSON')
    .replace(/(Unexpected token )[^,]{1,12}, it is not/g, '$1in what is not')
    .replace(/\bnear "[^"\n]{0,400}"/g, 'near "…"');
