// What killed writers leave behind goes; what is anybody's stays.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { removeLeftovers } from './remove-leftovers.ts';

const HOUR = 3_600_000;

function aged(place: string, hours: number): void {
  const then = new Date(Date.now() - hours * HOUR);
  fs.utimesSync(place, then, then);
}

it('clears old temporary files and locks that were being made or taken away, wherever they lie, and nothing else', () => {
  const root = temporaryFolder();
  const old = [
    put(path.join(root, 'decisions/.a.json.x1.cairn-tmp'), 'half'),
    path.dirname(put(path.join(root, '.index.lockdir.0123456789abcdef.new/owner.json'), '{}')),
    path.dirname(put(path.join(root, 'nodes/tasks/x.lock.89abcdef.gone/owner.json'), '{}')),
    path.dirname(put(path.join(root, '.index.lockdir.break/owner.json'), '{}')),
    path.dirname(
      put(path.join(root, 'archive/talk.lock/owner.json'), { token: 't', pid: 1, host: 'another', space: 'x' }),
    ),
    put(path.join(root, '.from-the-future.cairn-tmp'), ''),
  ];
  const kept = [
    put(path.join(root, 'decisions/a.json'), {}),
    path.dirname(put(path.join(root, '.index.lockdir/owner.json'), '{}')),
    path.dirname(put(path.join(root, 'holiday.break/plan.md'), 'rest')),
    path.dirname(put(path.join(root, 'cache/.b.cairn-tmp'), '')),
  ];
  for (const place of [...old, ...kept, path.join(root, 'cache/.b.cairn-tmp')]) aged(place, 2);
  aged(old.at(-1)!, -2);
  const young = put(path.join(root, '.young.cairn-tmp'), '');
  expect(removeLeftovers(root, { now: Date.now(), not: ['cache'] })).toBe(old.length);
  expect([...old.map((each) => fs.existsSync(each))]).toEqual(old.map(() => false));
  expect([...kept, young].map((each) => fs.existsSync(each))).toEqual([...kept, young].map(() => true));
  expect(fs.existsSync(path.join(root, 'cache/.b.cairn-tmp'))).toBe(true);
});

it('finds nothing where there is nothing', () => {
  expect(removeLeftovers(path.join(temporaryFolder(), 'none'), { now: Date.now() })).toBe(0);
});
