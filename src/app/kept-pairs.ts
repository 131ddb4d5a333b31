// Whether somebody has looked at two memories and said that both may stay.

import type { Kept } from '../files/settled.ts';
import { shortHash } from '../model/hash.ts';
import type { Document } from '../store/store.ts';

/** Names what two memories say now. */
export const pairMark = (a: Document, b: Document): string =>
  shortHash(
    [a, b]
      .map(({ hash }) => hash)
      .sort()
      .join(' '),
  );

export function isKept(kept: readonly Kept[], a: Document, b: Document): boolean {
  const mark = pairMark(a, b);
  return kept.some(
    (each) => each.mark === mark && [each.a, each.b].includes(a.ref) && [each.a, each.b].includes(b.ref),
  );
}
