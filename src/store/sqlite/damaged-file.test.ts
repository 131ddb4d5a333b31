// A damaged database that lies aside goes with all of its side files, whenever the removal is cut short.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { databasesAside, removeDatabaseAside } from './damaged-file.ts';

const SIDE_FILES = ['-wal', '-shm', '-journal'];

describe('a damaged database that lies aside', () => {
  it('is still found by its name when its removal was cut short, and then nothing of it stays', () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'memory.db');
    const aside = `${file}.damaged-20260102T030405Z`;
    for (const suffix of SIDE_FILES) fs.writeFileSync(aside + suffix, 'x');
    fs.mkdirSync(aside); // what cannot be removed stands for the moment of a kill
    expect(() => removeDatabaseAside(aside)).toThrow();
    expect(fs.readdirSync(folder)).toEqual([path.basename(aside)]);
    expect(databasesAside(file)).toEqual([aside]);
    fs.rmdirSync(aside);
    fs.writeFileSync(aside, 'x');
    removeDatabaseAside(aside);
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});
