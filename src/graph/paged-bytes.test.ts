// Bytes read page by page are the same bytes.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PagedBytes } from './paged-bytes.ts';

const PAGE = 16 * 1024;
/** Long enough for several pages, with line breaks in it. */
const large = fc
  .tuple(fc.nat({ max: 3 * PAGE }), fc.array(fc.nat({ max: 3 * PAGE }), { maxLength: 20 }))
  .map(([length, breaks]) => {
    const bytes = Buffer.alloc(length, 'a');
    for (const at of breaks) if (at < length) bytes[at] = 10;
    return bytes;
  });

describe('bytes that are read in pages', () => {
  it('are those of the file, wherever one looks', () => {
    fc.assert(
      fc.property(large, fc.array(fc.nat({ max: 4 * PAGE }), { maxLength: 8 }), (bytes, places) => {
        const cut = Math.min(bytes.length, places[0] ?? 0);
        const ways = [
          PagedBytes.of(bytes),
          PagedBytes.from(bytes.length, (buffer, at) => void bytes.copy(buffer, 0, at)),
          PagedBytes.joined([bytes.subarray(0, cut), Buffer.alloc(0), bytes.subarray(cut)]),
        ];
        for (const place of places) {
          const at = Math.min(place, bytes.length);
          const end = Math.min(bytes.length, at + (place % 700));
          const start = bytes.subarray(0, at).lastIndexOf(10) + 1;
          const next = bytes.indexOf(10, at);
          for (const paged of ways) {
            expect(paged.slice(at, end).equals(bytes.subarray(at, end))).toBe(true);
            expect(paged.lineStart(at, 0)).toBe(start);
            expect(paged.lineStart(at, Math.min(at, 5))).toBe(Math.max(start, Math.min(at, 5)));
            expect(paged.lineEnd(at)).toBe(next === -1 ? bytes.length : next + 1);
          }
        }
        for (const paged of ways) expect(paged.whole.equals(bytes)).toBe(true);
      }),
    );
  });
});
