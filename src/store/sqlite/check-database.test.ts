import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { checkDatabase } from './check-database.ts';
import { openSqliteStore } from './sqlite-store.ts';

let file: string;
beforeEach(async () => {
  file = path.join(temporaryFolder(), 'memory.db');
  const store = await openSqliteStore(file);
  const states = Array.from({ length: 400 }, (_, at) => ({
    op: 'state' as const,
    key: `key ${at}`,
    value: `value ${at} `.repeat(40),
  }));
  await store.apply(states);
  await store.close();
});

/** Spoils the pages that hold this text. */
function damage(text: string): void {
  const bytes = fs.readFileSync(file);
  const at = bytes.indexOf(text);
  expect(at).toBeGreaterThan(0);
  const page = Math.floor(at / 8192) * 8192;
  bytes.fill(0xff, page, page + 64);
  fs.writeFileSync(file, bytes);
}

/** What it says or throws. */
function said(upTo?: number): string {
  try {
    return String(checkDatabase(file, upTo === undefined ? {} : { upTo }));
  } catch (error) {
    return String(error);
  }
}

describe('a look at the database', () => {
  it('says nothing of a sound one, whether all of it is read or a part', () => {
    expect(checkDatabase(file)).toEqual([]);
    expect(checkDatabase(file, { upTo: 0 })).toEqual([]);
    expect(checkDatabase(path.join(path.dirname(file), 'none.db'))).toBeUndefined();
  });

  it('finds a damaged page, also where only a part is looked at', () => {
    damage('value 390 ');
    expect(said()).not.toBe('');
    expect(said(0)).not.toBe('');
  });
});
