import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, TestShelf } from '../../test/fixtures/record-store.ts';
import { sampleInput, sampleRecord } from '../../test/fixtures/sample-records.ts';
import { put, snapshot } from '../../test/fixtures/temporary.ts';
import { criticalSection } from './critical-section.ts';
import { rebuildIndex } from './index-upkeep.ts';
import { lockDir } from './record-store.ts';

let recordStore: TestShelf;
beforeEach(async () => {
  recordStore = new TestShelf();
  await recordStore.create('decisions/a', sampleInput('decision'));
});

/** The state in which a killed writer leaves a memory: its lock is there, and its record is written but not listed. */
function diedBeforeTheIndex(name: string): void {
  recordStore.plant(name, sampleRecord('decision', { id: path.basename(name) }));
  let space: string = process.platform;
  try {
    space = fs.readlinkSync('/proc/self/ns/pid');
  } catch {
    // no /proc here
  }
  const { pid } = spawnSync('true');
  put(path.join(lockDir(recordStore), 'owner.json'), { token: 'dead', pid, host: os.hostname(), space });
}

describe('after a writer died', () => {
  it('the next write lists what it left', async () => {
    diedBeforeTheIndex('decisions/b');
    await recordStore.create('decisions/c', sampleInput('decision'));
    expect(recordStore.lines).toHaveLength(3);
  });

  it('the index is made anew even if the next write is refused or changes nothing', async () => {
    diedBeforeTheIndex('decisions/b');
    expect((await failure(recordStore.create('decisions/a', sampleInput('decision')))).code).toBe('CREATE_ERROR');
    expect(recordStore.lines).toHaveLength(2);
    diedBeforeTheIndex('decisions/c');
    await recordStore.restore('decisions/a');
    expect(recordStore.lines).toHaveLength(3);
  });

  it('a rebuild clears temporary files and remains of locks, once they are old', async () => {
    const litter = [
      'decisions/.a.json.0a1b2c.cairn-tmp',
      '.index.md.0a1b2c.cairn-tmp',
      '.index.lockdir.0a1b2c3d.gone/owner.json',
      '.index.lockdir.break.0a1b2c3d.gone/x',
      '.index.lockdir.break/x',
    ].map((name) => put(path.join(recordStore.root, name), ''));
    const before = snapshot(recordStore.root);
    await rebuildIndex(recordStore);
    expect(snapshot(recordStore.root)).toEqual(before);
    for (const file of litter) {
      fs.utimesSync(file, 0, 0);
      if (file.includes('lockdir')) fs.utimesSync(path.dirname(file), 0, 0);
    }
    await rebuildIndex(recordStore);
    expect(Object.keys(snapshot(recordStore.root)).sort()).toEqual(['decisions', 'decisions/a.json', 'index.md']);
  });
});

describe('a writer whose lock was taken over', () => {
  const steal = (): void => {
    fs.rmSync(lockDir(recordStore), { recursive: true });
    fs.mkdirSync(lockDir(recordStore));
  };

  it('writes no record, deletes none, and leaves the index', async () => {
    const before = snapshot(recordStore.root);
    const file = recordStore.file('decisions/a');
    const steps = [
      (section: Parameters<Parameters<typeof criticalSection>[1]>[0]) => section.commit(file, { stolen: true }),
      (section: Parameters<Parameters<typeof criticalSection>[1]>[0]) => section.remove(file),
      (section: Parameters<Parameters<typeof criticalSection>[1]>[0]) =>
        section.syncIndex({ drop: [recordStore.indexPath('decisions/a')] }),
    ];
    for (const step of steps) {
      const work = criticalSection(recordStore, (section) => {
        steal();
        step(section);
      });
      expect((await failure(work)).code).toBe('LOCK_ERROR');
      fs.rmSync(lockDir(recordStore), { recursive: true });
      expect(snapshot(recordStore.root)).toEqual(before);
    }
  });
});
