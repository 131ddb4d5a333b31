import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isShort, renderFlowList } from './property-text.ts';

const items = (count: number): string[] => Array.from({ length: count }, (_, at) => `t${at}`);

describe('a list of a property', () => {
  it('stands on the line of its key while it has up to twenty plain items', () => {
    expect(isShort(items(20))).toBe(true);
    expect(isShort(items(21))).toBe(false);
    expect(isShort([])).toBe(true);
    expect(isShort(['src/a.ts', 'v1.2', 'me@x', 7, true])).toBe(true);
    for (const text of ['two words', 'a,b', 'a: b', '', '[x']) expect(isShort([text]), text).toBe(false);
  });

  it('is read by yaml as it was', () => {
    const list = ['plain', '007', 'yes', 'a, b', '1.10', 12, true, null, ''];
    expect(parse(renderFlowList(list))).toEqual(list);
  });
});
