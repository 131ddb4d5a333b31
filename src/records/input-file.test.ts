import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { failure } from '../../test/fixtures/record-store.ts';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { type InputPlace, parseInput, readInputFile, removeInputFile } from './input-file.ts';

let folder: string;
let place: InputPlace;

beforeEach(() => {
  folder = temporaryFolder();
  place = { cwd: folder, memoryRoot: path.join(folder, 'project/.claude/memory'), userRoot: path.join(folder, 'user') };
  fs.mkdirSync(place.memoryRoot, { recursive: true });
});

/** A folder that is neither temporary nor the user's own. */
function elsewhere(): string {
  const outside = fs.mkdtempSync('/var/tmp/cairn-test-');
  onTestFinished(() => fs.rmSync(outside, { recursive: true, force: true }));
  return outside;
}

const refused = async (named: string) => {
  const error = await failure(() => readInputFile(named, place));
  expect(error.fix).toBeTruthy();
  return error;
};

describe('the input of a write', () => {
  it('is read from the temporary directory, by its full path or from where the command runs', () => {
    put(path.join(folder, 'in.json'), { a: 1 });
    expect(readInputFile(path.join(folder, 'in.json'), place)).toEqual({ a: 1 });
    expect(readInputFile('in.json', place)).toEqual({ a: 1 });
    expect(readInputFile('./in.json', place)).toEqual({ a: 1 });
  });

  it('may have two dots inside a name, not as a part of the path', async () => {
    put(path.join(folder, 'a..b.json'), { a: 1 });
    expect(readInputFile('a..b.json', place)).toEqual({ a: 1 });
    expect((await refused(`${folder}/x/../a..b.json`)).code).toBe('SECURITY_ERROR');
    expect((await refused(`${os.tmpdir()}/../etc/passwd`)).code).toBe('SECURITY_ERROR');
  });

  it('may lie in the user root', () => {
    expect(readInputFile(put(path.join(place.userRoot, 'draft.json'), { a: 1 }), place)).toEqual({ a: 1 });
  });

  it('is refused outside, also when a link in the temporary directory leads there', async () => {
    const secret = put(path.join(elsewhere(), 'secret.json'), { a: 1 });
    fs.symlinkSync(secret, path.join(folder, 'link.json'));
    fs.symlinkSync(path.dirname(secret), path.join(folder, 'folder'));
    for (const named of [secret, 'link.json', 'folder/secret.json', '/etc/hostname']) {
      const error = await refused(named);
      expect(error.code).toBe('SECURITY_ERROR');
      expect(error.message).not.toContain('"a"');
    }
  });

  it('is refused in the memory itself: it would be removed after the write', async () => {
    put(path.join(place.memoryRoot, 'decisions/a.json'), { a: 1 });
    expect((await refused(path.join(place.memoryRoot, 'decisions/a.json'))).code).toBe('SECURITY_ERROR');
    fs.symlinkSync(path.join(place.memoryRoot, 'decisions/a.json'), path.join(folder, 'link.json'));
    expect((await refused('link.json')).code).toBe('SECURITY_ERROR');
  });

  it('is refused as a link that lies where nothing may be removed, wherever it leads', async () => {
    const file = put(path.join(folder, 'in.json'), { a: 1 });
    for (const place of [elsewhere(), path.join(folder, 'project/.claude/memory')]) {
      fs.symlinkSync(file, path.join(place, 'link.json'));
      expect((await refused(path.join(place, 'link.json'))).code).toBe('SECURITY_ERROR');
    }
  });

  it.each<[string, (file: string) => void]>([
    ['is not there', () => undefined],
    ['is a folder', (file) => fs.mkdirSync(file)],
    ['is a pipe', (file) => execFileSync('mkfifo', [file])],
    ['is not JSON', (file) => fs.writeFileSync(file, 'no')],
    ['is a list', (file) => fs.writeFileSync(file, '[1]')],
    ['is empty', (file) => fs.writeFileSync(file, '')],
    ['is not UTF-8', (file) => fs.writeFileSync(file, Buffer.from('{"a":"\xff"}', 'latin1'))],
    ['is nested without end', (file) => fs.writeFileSync(file, `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)],
  ])('that %s is an input error that names it', async (_, make) => {
    make(path.join(folder, 'in.json'));
    const error = await refused('in.json');
    expect(error.code).toBe('INPUT_ERROR');
    expect(error.details).toEqual([['input', 'in.json']]);
  });

  it.each<[string, string]>([
    ['a NUL', 'a\0.json'],
    ['nothing', ''],
    ['too many characters', 'x'.repeat(5_000)],
    ['a name that is too long', 'x'.repeat(300)],
    ['a circle of links', 'loop/in.json'],
  ])('named by %s is refused with a code', async (_, named) => {
    fs.symlinkSync('loop', path.join(folder, 'loop'));
    expect(['PATH_ERROR', 'INPUT_ERROR', 'SECURITY_ERROR']).toContain((await refused(named)).code);
  });

  it('may come as text', async () => {
    expect(parseInput('{"a": 1}', 'standard input')).toEqual({ a: 1 });
    const error = await failure(() => parseInput('nope', 'standard input'));
    expect(error.code).toBe('INPUT_ERROR');
    expect(error.details).toEqual([['input', 'standard input']]);
  });
});

describe('after the write', () => {
  it('the file is removed; of a link only the link', () => {
    const file = put(path.join(folder, 'in.json'), {});
    fs.symlinkSync(file, path.join(folder, 'link.json'));
    removeInputFile('link.json', folder);
    expect(fs.readdirSync(folder).sort()).toEqual(['in.json', 'project']);
    removeInputFile(file, folder);
    expect(fs.existsSync(file)).toBe(false);
  });

  it('a file that is gone already, or cannot be removed, is no error', () => {
    expect(() => removeInputFile('missing.json', folder)).not.toThrow();
    expect(() => removeInputFile('project', folder)).not.toThrow();
  });
});
