// A value that was recognised once is known from then on: in the same text, in the next one, and after the state was read back.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyedDigest } from '../keyed-digest.ts';
import { KnownValues } from './known-values.ts';

const VALUE = `tide-${'x7Kq2'.repeat(3)}`;
const mentions = (known: KnownValues, text: string): string[] =>
  known.find(text).map(({ start, end, kind }) => `${kind} ${text.slice(start, end)}`);

describe('values that are known', () => {
  it('are found wherever they stand by themselves, with the kind they were learnt as', () => {
    const known = new KnownValues();
    expect(mentions(known, VALUE)).toEqual([]);
    known.learn(VALUE, 'api-key');
    expect(mentions(known, `use ${VALUE}, or "${VALUE}"`)).toEqual([`api-key ${VALUE}`, `api-key ${VALUE}`]);
    expect(mentions(known, VALUE)).toEqual([`api-key ${VALUE}`]);
    expect(mentions(known, `a${VALUE}`)).toEqual([]);
    expect(mentions(known, `${VALUE}b`)).toEqual([]);
    expect(mentions(known, VALUE.slice(0, -1))).toEqual([]);
  });

  it('are known again after their state was read, and go on being learnt', () => {
    const first = new KnownValues();
    first.learn(VALUE, 'api-key');
    const again = new KnownValues(JSON.parse(JSON.stringify(first.values)));
    expect(mentions(again, `then ${VALUE} again`)).toEqual([`api-key ${VALUE}`]);
    expect(again.values).toEqual(first.values);
    const other = `moon-${'p4Wz9'.repeat(3)}`;
    again.learn(other, 'password');
    again.learn(VALUE, 'password');
    expect(mentions(again, `${VALUE} ${other}`)).toEqual([`api-key ${VALUE}`, `password ${other}`]);
    expect(first.values.length).toBeLessThan(again.values.length);
  });

  it('stand in the state as hashes of a key, and are of no use with another', () => {
    const first = new KnownValues([], keyedDigest('a'.repeat(64)));
    first.learn(VALUE, 'api-key');
    expect(JSON.stringify(first.values)).not.toContain(VALUE);
    expect(mentions(new KnownValues(first.values, keyedDigest('a'.repeat(64))), VALUE)).toEqual([`api-key ${VALUE}`]);
    expect(mentions(new KnownValues(first.values, keyedDigest('b'.repeat(64))), VALUE)).toEqual([]);
  });

  it('come from elsewhere too, and those are never added to', () => {
    const elsewhere = new KnownValues();
    elsewhere.learn(VALUE, 'api-key');
    const before = elsewhere.values.length;
    const known = new KnownValues([], undefined, elsewhere);
    expect(mentions(known, `- ${VALUE}`)).toEqual([`api-key ${VALUE}`]);
    known.learn(`moon-${'p4Wz9'.repeat(3)}`, 'password');
    expect(mentions(known, `moon-${'p4Wz9'.repeat(3)} ${VALUE}`)).toHaveLength(2);
    expect(elsewhere.values).toHaveLength(before);
  });

  it('are found at every place of a long text, once each and in order', () => {
    const known = new KnownValues();
    known.learn(VALUE, 'api-key');
    fc.assert(
      fc.property(fc.array(fc.nat(9_000), { minLength: 1, maxLength: 6 }), (gaps) => {
        const text = gaps.map((gap) => `${'. '.repeat(gap)}${VALUE} `).join('');
        const places = [...text.matchAll(new RegExp(VALUE, 'g'))].map(({ index }) => index);
        expect(known.find(text).map(({ start }) => start)).toEqual(places);
      }),
      { numRuns: 30 },
    );
  });

  it('are not learnt from what is too short or too plain', () => {
    const known = new KnownValues();
    for (const plain of ['abc', 'true', 'password', '']) known.learn(plain, 'password');
    expect(known.values).toEqual([]);
  });
});
