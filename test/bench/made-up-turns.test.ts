// The turns that were written for training the labels (bench/quality/labels/made-up-turns.txt): each line is one statement at the place that it was
// written for, or the weights learn something that nobody meant.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import * as exchanges from '../../src/extraction/exchanges/exchange.ts';
import * as features from '../../src/extraction/labels/features.ts';
import { GRADES, LABELS } from '../../src/extraction/labels/model.ts';
import { put, temporaryFolder } from '../fixtures/temporary.ts';

type Row = { intent: string; worth: string; place: string; isNatural: boolean; features: [number, number][] };
const root = path.resolve(import.meta.dirname, '../..');
const script = pathToFileURL(path.join(root, 'scripts/labels/made-up-turns.mjs')).href;
const { madeUpStatements } = (await import(script)) as { madeUpStatements(sources: object, file: string): Row[] };
const sources = { ...exchanges, ...features };

it('gives each statement its label, its worth and features of its place, and is never measured on', () => {
  const rows = madeUpStatements(sources, path.join(root, 'bench/quality/labels/made-up-turns.txt'));
  expect(rows.length).toBeGreaterThan(800);
  expect(new Set(rows.map(({ intent }) => intent))).toEqual(new Set(LABELS));
  expect(new Set(rows.map(({ worth }) => worth))).toEqual(new Set(GRADES));
  expect(new Set(rows.map(({ place }) => place))).toEqual(new Set(features.PLACES));
  expect(rows.every((row) => !row.isNatural && row.features.length > 10)).toBe(true);
});

it('keeps the lines of a paragraph apart, and says which line is wrong', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'turns.txt');
  put(
    file,
    '# head\n\n@ final wrote next: thanks\nnj ## Changes\nss - One thing\ntk - Another\nck It was late.\n+qs Was it?\n',
  );
  expect(madeUpStatements(sources, file).map(({ intent, worth }) => `${intent} ${worth}`)).toEqual([
    'none junk',
    'solution search_only',
    'todo keep',
    'conclusion keep',
    'question search_only',
  ]);
  put(file, '@ final\nzz what\n');
  expect(() => madeUpStatements(sources, file)).toThrow('zz what');
});
