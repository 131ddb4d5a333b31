import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareText } from './compare-text.ts';

it('orders text as its UTF-8 bytes are ordered', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
