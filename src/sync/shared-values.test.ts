import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merged, readShared, type SharedValue, sharedKey, sharedText, withChanges } from './shared-values.ts';

const key = fc.constantFrom('a', 'b', 'c').map((name) => sharedKey('setting', name));
const value = fc.record({
  at: fc.integer({ min: 0, max: 5 }).map((at) => new Date(at * 1_000).toISOString()),
  value: fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.string({ maxLength: 3 }),
    fc.record({ a: fc.nat(3), b: fc.nat(3) }),
  ),
});
const values = fc.array(fc.tuple(key, value), { maxLength: 6 }).map((pairs) => new Map<string, SharedValue>(pairs));
const text = sharedText;

describe('what machines agree on', () => {
  it('is the same in whatever order and however often they are merged', () => {
    fc.assert(
      fc.property(values, values, values, (one, two, three) => {
        expect(text(merged(one, two))).toBe(text(merged(two, one)));
        expect(text(merged(merged(one, two), three))).toBe(text(merged(one, merged(two, three))));
        expect(text(merged(one, one))).toBe(text(one));
      }),
    );
  });

  it('survives being written', () => {
    fc.assert(
      fc.property(values, (all) => {
        expect(text(readShared(text(all)))).toBe(text(all));
      }),
    );
  });

  it('passes over what is none', () => {
    expect(
      readShared('{"x":1,"[\\"setting\\",\\"a\\"]":{"at":3},"[\\"setting\\",\\"b\\"]":{"at":"t","value":2}}').size,
    ).toBe(1);
    expect(readShared('nonsense').size).toBe(0);
  });
});

describe('a change on this machine', () => {
  const at = '2026-01-02T00:00:00.000Z';
  const before = new Map([
    [sharedKey('setting', 'a'), { at: '2026-01-01T00:00:00.000Z', value: 1 }],
    [sharedKey('setting', 'b'), { at: '2026-01-01T00:00:00.000Z', value: 2 }],
  ]);
  const now = (pairs: [string, unknown][]): Map<string, SharedValue> =>
    new Map(pairs.map(([name, said]) => [sharedKey('setting', name), { at: '1970-01-01T00:00:00.000Z', value: said }]));

  it('counts from when it was noticed, and what did not change stays as old as it is', () => {
    const all = withChanges(
      before,
      now([
        ['a', 7],
        ['b', 2],
      ]),
      { at, isOurs: () => true },
    );
    expect(all.get(sharedKey('setting', 'a'))).toEqual({ at, value: 7 });
    expect(all.get(sharedKey('setting', 'b'))).toEqual(before.get(sharedKey('setting', 'b')));
  });

  it('takes back what is gone, unless this machine could not hold it', () => {
    const gone = withChanges(before, now([['a', 1]]), { at, isOurs: () => true });
    expect(gone.get(sharedKey('setting', 'b'))).toEqual({ at, value: null });
    const kept = withChanges(before, now([['a', 1]]), { at, isOurs: () => false });
    expect(kept.get(sharedKey('setting', 'b'))).toEqual(before.get(sharedKey('setting', 'b')));
  });

  it('is later than what it changes, also by a clock that is behind', () => {
    const all = withChanges(
      before,
      now([
        ['a', 7],
        ['b', 2],
      ]),
      { at: '2020-01-01T00:00:00.000Z', isOurs: () => true },
    );
    expect(all.get(sharedKey('setting', 'a'))!.at > '2026-01-01').toBe(true);
  });
});
