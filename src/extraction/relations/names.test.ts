import { describe, expect, it } from 'vitest';
import { namesIn } from './names.ts';

describe('names that mean one thing', () => {
  it.each([
    ['Removed `consolidateFiles(dir, pairs)` from it', ['consolidateFiles']],
    ['Replaced `<TideTable />` with the other', ['TideTable']],
    ['the share_keys table and keyOf', ['share_keys', 'keyOf']],
    ['pass `--skip-checks` to it', ['--skip-checks']],
    ['the button "Generate Prompts" is gone', ['Generate Prompts']],
    ['PostgreSQL and GitHub are products', []],
    ['`email` is a plain word, `abc` too', []],
    ['in `src/tides/read-table.ts` and read-table.ts', []],
    ['`12 345 678`', []],
    ['`a-b` is too short', []],
  ])('%j', (text, names) => {
    expect([...namesIn(text)]).toEqual(names);
  });

  it('are a few', () => {
    expect(namesIn(Array.from({ length: 40 }, (_, at) => `berthNumber${at}`).join(' ')).size).toBe(12);
  });
});
