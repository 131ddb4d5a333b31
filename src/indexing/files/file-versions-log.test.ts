import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { readFileVersions, type Seen, saveFileVersions } from './file-versions-log.ts';

let file: string;
beforeEach(() => {
  file = path.join(temporaryFolder(), 'home', 'kept.jsonl');
});
const seen = (hash: string): Seen => ({ hash, files: [{ path: 'a.ts', blob: hash.repeat(4), size: 3 }] });

it('the last word about a memory counts', async () => {
  await saveFileVersions(
    file,
    'p',
    new Map([
      ['a', seen('1')],
      ['b', seen('2')],
    ]),
  );
  await saveFileVersions(
    file,
    'p',
    new Map([
      ['a', seen('3')],
      ['b', undefined],
    ]),
  );
  expect(readFileVersions(file, 'p')).toEqual(new Map([['a', seen('3')]]));
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

it('nothing is made for nothing', async () => {
  await saveFileVersions(file, 'p', new Map());
  await saveFileVersions(file, 'p', new Map([['a', undefined]]));
  expect(fs.existsSync(path.dirname(file))).toBe(false);
  expect(readFileVersions(file, 'p')).toEqual(new Map());
});

it('what a killed writer or somebody else left in it is passed over', async () => {
  await saveFileVersions(file, 'p', new Map([['a', seen('1')]]));
  fs.appendFileSync(
    file,
    '\n[]\nnull\n{"project":"p","ref":7}\n{"project":"p","ref":"x","hash":1,"files":[{}]}\n{"ref":"c","hash":"1","fil',
  );
  await saveFileVersions(file, 'p', new Map([['b', seen('2')]]));
  expect([...readFileVersions(file, 'p').keys()]).toEqual(['a', 'b']);
});

it('lines that no longer count are taken out in time', async () => {
  const many = new Map(Array.from({ length: 2_000 }, (_, n) => [`record:decisions/r-${n}`, seen('1')]));
  for (let round = 0; round < 20; round++) await saveFileVersions(file, 'p', many);
  expect(readFileVersions(file, 'p').size).toBe(2_000);
  expect(fs.statSync(file).size).toBeLessThan(2_000 * 120 * 8);
});

it('two writers at once lose nothing of each other', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `r${n}`);
  await Promise.all(names.map((name) => saveFileVersions(file, 'p', new Map([[name, seen('1')]]))));
  expect([...readFileVersions(file, 'p').keys()].sort()).toEqual(names.sort());
});

it('projects do not mix', async () => {
  await saveFileVersions(file, 'p', new Map([['a', seen('1')]]));
  await saveFileVersions(file, 'q', new Map([['a', seen('2')]]));
  await saveFileVersions(file, 'p', new Map([['a', undefined]]));
  expect(readFileVersions(file, 'p')).toEqual(new Map());
  expect(readFileVersions(file, 'q')).toEqual(new Map([['a', seen('2')]]));
});
