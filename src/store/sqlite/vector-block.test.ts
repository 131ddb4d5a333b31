import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Driver, openDriver } from './driver.ts';
import { blockOf, readBlock, vectorAt } from './vector-block.ts';

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
  });
});
