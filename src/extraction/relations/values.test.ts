import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasValue, valuesOf } from './values.ts';

const found = (text: string): string[] => valuesOf(text).map(({ kind, text }) => `${kind} ${text}`);

describe('values', () => {
  it.each([
    ['The review is on March 3 at 2:30 PM', ['date march3', 'time 2:30pm']],
    ['We have 1,250 users, 40% of them on mobile', ['number 1250', 'share 40%']],
    ['My budget is $3,400 for four weeks', ['money $3400', 'number 4']],
    ['Checkout answers 503, uploads fail with HTTP 413 after 300 seconds', ['number 300']],
    ['The list has 200 rows, and the status is 404', ['number 200']],
    ['Node 20.1.3 in 2024, see src/a.ts:12 and the 52-card deck', []],
  ])('of %j', (text, values) => {
    expect(found(text)).toEqual(values);
  });

  it('say what they count and whether they are news', () => {
    const [value] = valuesOf('My shelf has now grown to 61 books in the study');
    expect(value).toMatchObject({ unit: 'book', isNews: true });
    expect([...value!.words]).toContain('shelf');
  });

  it('are few, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2_000 }), (text) => {
        const values = valuesOf(text);
        expect(values.length).toBeLessThanOrEqual(8);
        if (values.length > 0) expect(hasValue(text)).toBe(true);
      }),
    );
  });
});
