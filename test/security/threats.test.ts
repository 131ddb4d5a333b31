// docs/SECURITY.md names a test for every defence: each of them must exist, word for word.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const PROJECT = path.resolve(import.meta.dirname, '../..');
const MARK = '<!-- The tables below: threat, defence, test. -->';
const page = fs.readFileSync(path.join(PROJECT, 'docs/SECURITY.md'), 'utf8').split(MARK)[1] ?? '';
const named = [...page.matchAll(/`((?:src|test)\/[\w./-]+\.test\.ts)`: ([^|;\n]+?)(?= *[|;\n])/g)].map(
  ([, file, name]) => ({ file: file!, name: name!.trim() }),
);

describe('the threat model', () => {
  it('names a test in every row of its tables', () => {
    const rows = page.split('\n').filter((line) => /^\| (?!---|threat)/.test(line));
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.filter((row) => !/`(?:src|test)\/[\w./-]+\.test\.ts`: /.test(row))).toEqual([]);
    expect(named.length).toBeGreaterThanOrEqual(rows.length);
  });

  it.each(named)('names a test that exists: $file: $name', ({ file, name }) => {
    const text = fs.readFileSync(path.join(PROJECT, file), 'utf8').replaceAll("\\'", "'");
    expect([`'${name}'`, `"${name}"`, `\`${name}`].some((title) => text.includes(title))).toBe(true);
  });
});
