import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/fixtures/temporary.ts';
import { editIndex, entriesOf, readIndex, renderIndex, writeIndex } from './index-file.ts';
import type { IndexEntry } from './index-line.ts';

const entry = (title: string, file = `${title}.json`, display = 'DECISION'): IndexEntry => ({
  display,
  title,
  path: file,
  tags: ['t'],
});

describe('the index', () => {
  it('opens with its heading and a remark, then lists the entries in order', () => {
    expect(renderIndex([entry('b'), entry('a'), entry('z', 'z.json', 'CONSTRAINT')])).toMatch(
      /^# Memory Index\n\n<!-- Auto-generated .* -->\n\n- \[CONSTRAINT] z -> z\.json #tags:t\n- \[DECISION] a -> a\.json #tags:t\n- \[DECISION] b -> b\.json #tags:t\n$/,
    );
    expect(entriesOf(renderIndex([]))).toEqual([]);
  });

  it('takes a new entry at its place', () => {
    const text = renderIndex([entry('a'), entry('c')]);
    expect(editIndex(text, [], entry('b'))).toBe(renderIndex([entry('a'), entry('b'), entry('c')]));
    expect(editIndex(text, [], entry('z'))).toBe(renderIndex([entry('a'), entry('c'), entry('z')]));
    expect(editIndex(renderIndex([]), [], entry('a'))).toBe(renderIndex([entry('a')]));
    expect(editIndex('', [], entry('a'))).toBe(renderIndex([entry('a')]));
  });

  it('gives up entries by their path, all of one path, and replaces the entry of the same path', () => {
    const text = renderIndex([entry('a'), entry('b', 'same.json'), entry('c', 'same.json')]);
    expect(editIndex(text, ['same.json'])).toBe(renderIndex([entry('a')]));
    expect(editIndex(text, [], entry('d', 'same.json'))).toBe(renderIndex([entry('a'), entry('d', 'same.json')]));
    expect(editIndex(text, ['a.json'], entry('A', 'A.json'))).toBe(
      renderIndex([entry('A', 'A.json'), entry('b', 'same.json'), entry('c', 'same.json')]),
    );
  });

  it('keeps lines that are no entries', () => {
    const text = '# My own heading\n\nSome words.\n- [DECISION] a -> a.json\n\nMore words.\n';
    expect(editIndex(text, ['a.json'], entry('b'))).toBe(
      '# My own heading\n\nSome words.\n\nMore words.\n- [DECISION] b -> b.json #tags:t\n',
    );
    expect(editIndex(text, [], entry('0'))).toContain('Some words.\n- [DECISION] 0 -> 0.json #tags:t\n- [DECISION] a');
  });

  it('property: any sequence of edits gives what a rebuild gives', () => {
    const title = fc.oneof(fc.constantFrom('a', 'B', 'b', 'c -> d', 'É', '#tags:', ''), fc.string({ maxLength: 5 }));
    const step = fc.record({ title, slot: fc.nat(5), drop: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const there = new Map<string, IndexEntry>();
        let text = renderIndex([]);
        for (const { title: named, slot, drop } of steps) {
          const file = `${slot}.json`;
          if (drop) {
            there.delete(file);
            text = editIndex(text, [file]);
          } else {
            there.set(file, entry(named, file));
            text = editIndex(text, [file], entry(named, file));
          }
          expect(text).toBe(renderIndex([...there.values()]));
        }
      }),
    );
  });

  it('is written only when it changed', () => {
    const file = path.join(temporaryFolder(), 'index.md');
    expect(readIndex(file)).toBeUndefined();
    expect(writeIndex(file, 'a', undefined)).toBe(true);
    fs.utimesSync(file, 0, 0);
    expect(writeIndex(file, 'a', readIndex(file))).toBe(false);
    expect(fs.statSync(file).mtimeMs).toBe(0);
    expect(writeIndex(file, 'b', 'a')).toBe(true);
    expect(readIndex(file)).toBe('b');
  });
});
