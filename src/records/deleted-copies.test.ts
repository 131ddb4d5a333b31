import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { TestShelf } from '../../test/fixtures/record-store.ts';
import { put, snapshot } from '../../test/fixtures/temporary.ts';
import { bury } from './deleted-copies.ts';

it('keeps the bytes as they were, for the owner only, apart from other projects', () => {
  const shelf = new TestShelf();
  const notes = bury(shelf, shelf.file('decisions/a'), Buffer.from([0xff, 0x00]));
  expect(notes).toHaveLength(1);
  const copy = notes[0]!.replace('A copy of the old file is in ', '');
  expect([...fs.readFileSync(copy)]).toEqual([0xff, 0x00]);
  expect(fs.statSync(copy).mode & 0o777).toBe(0o600);
  expect(fs.statSync(path.dirname(copy)).mode & 0o777).toBe(0o700);
  bury({ ...shelf, root: '/other/.claude/memory', now: shelf.now }, '/other/decisions/a.json', Buffer.from('x'));
  expect(fs.readdirSync(shelf.graveyard)).toHaveLength(2);
});

it('is a warning, not a failure, when it cannot be kept; and nothing when it is switched off', () => {
  const shelf = new TestShelf();
  put(shelf.graveyard, 'a file stands in the way');
  expect(bury(shelf, shelf.file('decisions/a'), Buffer.from('x'))[0]).toMatch(/^WARNING: no copy/);
  shelf.rules.delete.archive_retired = false;
  expect(bury(shelf, shelf.file('decisions/a'), Buffer.from('x'))).toEqual([]);
  expect(Object.keys(snapshot(shelf.base)).filter((name) => name.endsWith('.json'))).toEqual([]);
});
