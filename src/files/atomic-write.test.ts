import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/fixtures/temporary.ts';
import { atomicRename, atomicWrite, removeStaleTemporaries, TEMPORARY_SUFFIX } from './atomic-write.ts';

describe('an atomic write', () => {
  it('writes several pieces one behind the other', () => {
    const file = path.join(temporaryFolder(), 'a');
    atomicWrite(file, [Buffer.from('one '), Buffer.alloc(0), Buffer.from('two')]);
    expect(fs.readFileSync(file, 'utf8')).toBe('one two');
  });

  it('replaces a derived file in one step too, without waiting for the disk', () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'graph.json');
    atomicWrite(file, 'one', { durable: false });
    const before = fs.statSync(file).ino;
    atomicWrite(file, 'two', { durable: false });
    expect(fs.readFileSync(file, 'utf8')).toBe('two');
    expect(fs.statSync(file).ino).not.toBe(before);
    expect(fs.readdirSync(folder)).toEqual(['graph.json']);
  });

  it('makes the file with the given mode and leaves nothing beside it', () => {
    const folder = temporaryFolder();
    atomicWrite(path.join(folder, 'a.json'), '{}\n', { mode: 0o600 });
    expect(fs.readdirSync(folder)).toEqual(['a.json']);
    expect(fs.readFileSync(path.join(folder, 'a.json'), 'utf8')).toBe('{}\n');
    expect(fs.statSync(path.join(folder, 'a.json')).mode & 0o777).toBe(0o600);
  });

  it('keeps the mode of a file that is already there', () => {
    const file = path.join(temporaryFolder(), 'a.json');
    fs.writeFileSync(file, 'old');
    fs.chmodSync(file, 0o640);
    atomicWrite(file, 'new', { mode: 0o600 });
    expect(fs.statSync(file).mode & 0o777).toBe(0o640);
    expect(fs.readFileSync(file, 'utf8')).toBe('new');
  });

  it('writes bytes as they are', () => {
    const file = path.join(temporaryFolder(), 'bytes');
    atomicWrite(file, Buffer.from([0, 255, 128]));
    expect([...fs.readFileSync(file)]).toEqual([0, 255, 128]);
  });

  it('leaves the old file and no temporary when the last look fails', () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'a.json');
    fs.writeFileSync(file, 'old');
    const refuse = () => {
      throw new Error('not yours any more');
    };
    expect(() => atomicWrite(file, 'new', { beforeCommit: refuse })).toThrow('not yours any more');
    expect(fs.readFileSync(file, 'utf8')).toBe('old');
    expect(fs.readdirSync(folder)).toEqual(['a.json']);
  });

  it('shows the old content to a reader until the new one is whole', () => {
    const file = path.join(temporaryFolder(), 'a.json');
    fs.writeFileSync(file, 'old');
    let seen = '';
    atomicWrite(file, 'new', { beforeCommit: () => (seen = fs.readFileSync(file, 'utf8')) });
    expect(seen).toBe('old');
  });

  it('replaces a link instead of writing through it', () => {
    const folder = temporaryFolder();
    const elsewhere = path.join(folder, 'elsewhere');
    fs.writeFileSync(elsewhere, 'untouched');
    fs.symlinkSync(elsewhere, path.join(folder, 'a.json'));
    atomicWrite(path.join(folder, 'a.json'), 'new');
    expect(fs.readFileSync(elsewhere, 'utf8')).toBe('untouched');
    expect(fs.lstatSync(path.join(folder, 'a.json')).isFile()).toBe(true);
  });

  it('fails without a trace when the target is a folder', () => {
    const folder = temporaryFolder();
    fs.mkdirSync(path.join(folder, 'a.json'));
    expect(() => atomicWrite(path.join(folder, 'a.json'), 'new')).toThrow();
    expect(fs.readdirSync(folder)).toEqual(['a.json']);
  });
});

it('an atomic rename moves the file between folders', () => {
  const folder = temporaryFolder();
  fs.mkdirSync(path.join(folder, 'sub'));
  fs.writeFileSync(path.join(folder, 'a'), 'content');
  atomicRename(path.join(folder, 'a'), path.join(folder, 'sub', 'b'));
  expect(fs.existsSync(path.join(folder, 'a'))).toBe(false);
  expect(fs.readFileSync(path.join(folder, 'sub', 'b'), 'utf8')).toBe('content');
});

describe('clearing what killed writers left', () => {
  it('removes only temporaries that are old enough', () => {
    const folder = temporaryFolder();
    const old = path.join(folder, `.a.json.0123${TEMPORARY_SUFFIX}`);
    for (const file of [old, path.join(folder, `.b.json.4567${TEMPORARY_SUFFIX}`), path.join(folder, 'a.json')])
      fs.writeFileSync(file, '');
    fs.utimesSync(old, 0, 0);
    fs.utimesSync(path.join(folder, 'a.json'), 0, 0);
    expect(removeStaleTemporaries(folder)).toBe(1);
    expect(fs.readdirSync(folder).sort()).toEqual([`.b.json.4567${TEMPORARY_SUFFIX}`, 'a.json']);
    expect(removeStaleTemporaries(folder, Date.now() + 61_000)).toBe(1);
    expect(fs.readdirSync(folder)).toEqual(['a.json']);
  });

  it('does not touch folders or links of such a name, and does not mind a missing folder', () => {
    const folder = temporaryFolder();
    fs.mkdirSync(path.join(folder, `x${TEMPORARY_SUFFIX}`));
    fs.symlinkSync('/nowhere', path.join(folder, `y${TEMPORARY_SUFFIX}`));
    expect(removeStaleTemporaries(folder, Date.now() + 1e9)).toBe(0);
    expect(fs.readdirSync(folder)).toHaveLength(2);
    expect(removeStaleTemporaries(path.join(folder, 'missing'))).toBe(0);
  });
});
