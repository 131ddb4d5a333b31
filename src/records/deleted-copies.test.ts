import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { TestShelf } from '../../test/fixtures/record-store.ts';
import { put, snapshot } from '../../test/fixtures/temporary.ts';
import { deleteKeepingCopy } from './deleted-copies.ts';

it('keeps the bytes as they were, for the owner only, apart from other projects', () => {
  const recordStore = new TestShelf();
  const notes = deleteKeepingCopy(recordStore, recordStore.file('decisions/a'), Buffer.from([0xff, 0x00]));
  expect(notes).toHaveLength(1);
  const copy = notes[0]!.replace('A copy of the old file is in ', '');
  expect([...fs.readFileSync(copy)]).toEqual([0xff, 0x00]);
  expect(fs.statSync(copy).mode & 0o777).toBe(0o600);
  expect(fs.statSync(path.dirname(copy)).mode & 0o777).toBe(0o700);
  deleteKeepingCopy(
    { ...recordStore, root: '/other/.claude/memory', now: recordStore.now },
    '/other/decisions/a.json',
    Buffer.from('x'),
  );
  expect(fs.readdirSync(recordStore.deletedCopies)).toHaveLength(2);
});

it('is a warning, not a failure, when it cannot be kept; and nothing when it is switched off', () => {
  const recordStore = new TestShelf();
  put(recordStore.deletedCopies, 'a file stands in the way');
  expect(deleteKeepingCopy(recordStore, recordStore.file('decisions/a'), Buffer.from('x'))[0]).toMatch(
    /^WARNING: no copy/,
  );
  recordStore.rules.delete.archive_retired = false;
  expect(deleteKeepingCopy(recordStore, recordStore.file('decisions/a'), Buffer.from('x'))).toEqual([]);
  expect(Object.keys(snapshot(recordStore.base)).filter((name) => name.endsWith('.json'))).toEqual([]);
});
