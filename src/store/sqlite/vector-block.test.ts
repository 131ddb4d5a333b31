import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Driver, openDriver } from './driver.ts';
import { blockOf, cosinesTo, readBlock, signDistancesTo, type VectorBlock, vectorAt } from './vector-block.ts';

const block = (vectors: readonly Float32Array[], width: number): VectorBlock<number> => ({
  keys: vectors.map((_, at) => at),
  floats: Float32Array.from(vectors.flatMap((vector) => [...vector])),
  width,
});

const number = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 1e-45, -1e-45),
  fc.float({ min: -2, max: 2, noNaN: true, noDefaultInfinity: true }),
);
const vectors = fc.integer({ min: 1, max: 20 }).chain((width) => {
  const vector = fc.array(number, { minLength: width, maxLength: width }).map((all) => Float32Array.from(all));
  return fc.record({ width: fc.constant(width), query: vector, all: fc.array(vector, { maxLength: 6 }) });
});

describe('a block of vectors', () => {
  it('gives the cosine of each with the query, and 0 where one has no direction', () => {
    fc.assert(
      fc.property(vectors, ({ width, query, all }) => {
        const cosines = cosinesTo(query, block(all, width));
        all.forEach((vector, at) => {
          const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, n) => sum + x * b[n]!, 0);
          const length = Math.sqrt(dot(vector, vector) * dot(query, query));
          expect(cosines[at]).toBeCloseTo(length === 0 ? 0 : dot(vector, query) / length, 9);
        });
      }),
    );
  });

  it('counts in how many numbers one is positive and the other is not', () => {
    fc.assert(
      fc.property(vectors, ({ width, query, all }) => {
        const plain = all.map((vector) => vector.filter((x, at) => x > 0 !== query[at]! > 0).length);
        expect(Array.from(signDistancesTo(query, block(all, width)))).toEqual(plain);
      }),
    );
  });
});

describe('a block that SQLite hands over', () => {
  let driver: Driver;
  beforeAll(() => {
    driver = openDriver(':memory:');
    driver.exec('CREATE TABLE embedding (key TEXT PRIMARY KEY, vector BLOB NOT NULL)');
  });
  afterAll(() => driver.close());

  it('has every byte as it was stored, whatever text it would be', () => {
    const bytes = fc.uint8Array({ minLength: 8, maxLength: 8 });
    const stored = fc.dictionary(fc.string({ minLength: 1, unit: 'grapheme' }), bytes, { maxKeys: 8 });
    fc.assert(
      fc.property(stored, (entries) => {
        driver.exec('DELETE FROM embedding');
        for (const [key, vector] of Object.entries(entries))
          driver.prepare('INSERT INTO embedding VALUES (?, ?)').run(key, vector);
        const read = readBlock<string>(driver, `SELECT ${blockOf('e.key')} FROM embedding e`, []);
        const found = read.keys.map((key, at) => {
          const { buffer, byteOffset, byteLength } = vectorAt(read, at);
          return [key, Array.from(new Uint8Array(buffer, byteOffset, byteLength))];
        });
        expect(Object.fromEntries(found)).toEqual(
          Object.fromEntries(Object.entries(entries).map(([key, vector]) => [key, Array.from(vector)])),
        );
      }),
    );
  });

  it('is empty where nothing is found', () => {
    const read = readBlock(driver, `SELECT ${blockOf('e.key')} FROM embedding e WHERE 0`, []);
    expect(read).toMatchObject({ keys: [], width: 0 });
    expect(cosinesTo(Float32Array.of(1), read)).toHaveLength(0);
  });
});
