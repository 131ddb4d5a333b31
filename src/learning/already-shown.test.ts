import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/fixtures/temporary.ts';
import { forgetLines, memoryKey, pruneShown, readShown, writeShown } from './already-shown.ts';

const KEY = memoryKey({ project: '/p', ref: 'idea:1' });
const folder = (root: string): string => path.join(root, 'injections', 'sessions');

describe('what a conversation was told', () => {
  it('is known to that conversation alone', () => {
    const root = temporaryFolder();
    writeShown(root, '../../s', { tokens: 7, lines: { [KEY]: 'h' } });
    expect(readShown(root, '../../s')).toEqual({ tokens: 7, lines: { [KEY]: 'h' } });
    expect(readShown(root, 'other')).toEqual({ tokens: 0, lines: {} });
    expect(fs.readdirSync(folder(root))).toHaveLength(1);
  });

  it('is forgotten when it is compacted, and what it cost is not', () => {
    const root = temporaryFolder();
    writeShown(root, 's', { tokens: 7, lines: { [KEY]: 'h' } });
    forgetLines(root, 's', new Date(5_000));
    expect(readShown(root, 's')).toEqual({ tokens: 7, lines: {}, compactedAt: 5_000 });
  });

  it('counts as nothing where its file is damaged', () => {
    const root = temporaryFolder();
    writeShown(root, 's', { tokens: 7, lines: {} });
    const [name] = fs.readdirSync(folder(root));
    for (const text of ['{', '[]', '{"tokens":"many","lines":[1]}', Buffer.from([0xff])]) {
      fs.writeFileSync(path.join(folder(root), name!), text);
      expect(readShown(root, 's')).toEqual({ tokens: 0, lines: {} });
    }
  });

  it('stays small, and goes after a month', () => {
    const root = temporaryFolder();
    const lines = Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`m${at}`, 'h']));
    writeShown(root, 's', { tokens: 0, lines });
    expect(Object.keys(readShown(root, 's').lines)).toHaveLength(1_000);
    expect(readShown(root, 's').lines.m1499).toBe('h');
    pruneShown(root, new Date());
    expect(fs.readdirSync(folder(root))).toHaveLength(1);
    pruneShown(root, new Date(Date.now() + 31 * 86_400_000));
    expect(fs.readdirSync(folder(root))).toEqual([]);
    pruneShown(temporaryFolder(), new Date());
  });
});
