import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { failure } from '../../test/fixtures/record-store.ts';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { isObject } from '../model/json.ts';
import { MAX_JSON_BYTES, parseJsonObject, readBytes, readText } from './json-file.ts';

describe('reading a file', () => {
  it('gives nothing for a file that is not there, also below something that is no folder', () => {
    const folder = temporaryFolder();
    put(path.join(folder, 'a'), 'text');
    expect(readBytes(path.join(folder, 'missing'))).toBeUndefined();
    expect(readText(path.join(folder, 'a', 'b'))).toBeUndefined();
    expect(readText(path.join(folder, 'a'))).toBe('text');
  });

  it.each([
    ['a folder', (file: string) => fs.mkdirSync(file), 'not a regular file'],
    ['a pipe that nobody writes to', (file: string) => execFileSync('mkfifo', [file]), 'not a regular file'],
    ['a device', (file: string) => fs.symlinkSync('/dev/zero', file), 'not a regular file'],
    ['a loop of links', (file: string) => fs.symlinkSync(file, file), 'ELOOP'],
    ['bytes that are not UTF-8', (file: string) => fs.writeFileSync(file, Buffer.from([0xff, 0xfe])), 'UTF-8'],
    ['more than the limit', (file: string) => fs.truncateSync(put(file, ''), MAX_JSON_BYTES + 1), 'larger than'],
  ])('refuses %s and names it', async (_, make, why) => {
    const file = path.join(temporaryFolder(), 'odd.json');
    make(file);
    const error = await failure(() => readText(file));
    expect(error.code).toBe('READ_ERROR');
    expect(error.message).toContain(file);
    expect(error.message).toContain(why);
    expect(error.fix).toBeTruthy();
  });
});

describe('parsing one JSON object', () => {
  it('takes an object and keeps even odd keys as its own', () => {
    const value = parseJsonObject('{"a": 1, "__proto__": {"b": 2}}', 'x.json');
    expect(Object.keys(value)).toEqual(['a', '__proto__']);
    expect(({} as { b?: number }).b).toBeUndefined();
  });

  it.each(['[]', '"text"', '1', 'null', '', '{', '{"a": NaN}', '{"a": 1,}', '\ufeff'])('refuses %j', async (text) => {
    const error = await failure(() => parseJsonObject(text, 'x.json'));
    expect(error.code).toBe('READ_ERROR');
    expect(error.message).toContain('x.json');
  });

  it('refuses what is nested too deep instead of exhausting the stack', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const text = `{"a":${open.repeat(100_000)}1${close.repeat(100_000)}}`;
      expect((await failure(() => parseJsonObject(text, 'x.json'))).message).toContain('nested deeper');
    }
  });

  it('takes what is wide but not deep', () => {
    expect(parseJsonObject(`{"a":[${'1,'.repeat(50_000)}1]}`, 'x.json').a).toHaveLength(50_001);
  });
});

it('an object is neither null nor a list', () => {
  expect([{}, Object.create(null)].map(isObject)).toEqual([true, true]);
  expect([null, undefined, [], 'x', 1].map(isObject)).toEqual([false, false, false, false, false]);
});
