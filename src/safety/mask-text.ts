// A text without its secrets and private passages: what anybody may keep of it.

import { removePrivate } from './private-tags.ts';
import type { KnownValues } from './secrets/known-values.ts';
import { redact } from './secrets/redact.ts';

const PRIVATE = /<[\s/]*private/i;

/** Comes back as it is where nothing is hidden in it. Never cut a text before: half a secret looks like nothing. */
export function maskText(text: string, known?: KnownValues): string {
  return redact(PRIVATE.test(text) ? removePrivate(text).trim() : text, known).text;
}
