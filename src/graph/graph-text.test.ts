// The text of graph.json is a sorted map of maps whose entries are read one by one; a plain object says what it must hold.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inPieces } from './graph-part.ts';
import { type Dated, GraphText, type Section } from './graph-text.ts';

const HEADER = { updatedAt: '2026-03-01T12:00:00Z', nodeCount: 3 };
const reopened = (text: GraphText): GraphText => GraphText.parse(inPieces([text.bytes]))!;
const made = (entries: { [key: string]: unknown }): GraphText => {
  const text = GraphText.empty();
  for (const [key, value] of Object.entries(entries)) text.set('nodes', key, value);
  return text.withChanges(HEADER);
};

describe('the text of a graph', () => {
  it('is plain JSON with one entry a line', () => {
    const text = made({ b: { x: 1 }, a: [2] });
    const lines = text.bytes.toString().split('\n');
    expect(lines).toContain('    "a": [2],');
    expect(lines).toContain('    "b": {"x":1}');
    expect(JSON.parse(text.bytes.toString())).toMatchObject({
      version: '1.0.0',
      updated_at: HEADER.updatedAt,
      node_count: 3,
      nodes: { a: [2], b: { x: 1 } },
      recent: [],
    });
  });

  it('shows others what is theirs, as JSON too', () => {
    const shown = JSON.parse(made({ a: 1 }).publicText) as object;
    expect(Object.keys(shown)).toEqual([
      'version',
      'made_by',
      'updated_at',
      'node_count',
      'nodes',
      'tags',
      'types',
      'recent',
      'missing',
    ]);
  });

  it('finds entries by any key', () => {
    const keys = ['a', 'A', '', ' ', '"', '\\', '\\"', '\n', 'é', '日本', '😀', '__proto__', 'constructor', 'a"b": 1,'];
    const text = reopened(made(Object.fromEntries(keys.map((key, at) => [key, at]))));
    expect(keys.map((key) => text.get('nodes', key))).toEqual(keys.map((_, at) => at));
    expect(text.get('nodes', 'b')).toBeUndefined();
    expect(text.get('tags', 'a')).toBeUndefined();
    expect(text.count('nodes')).toBe(keys.length);
    expect([...text.entries('nodes')].map(([key]) => key)).toEqual([...keys].sort());
  });

  it('takes setting what is there for no change', () => {
    const text = made({ a: { x: 1 } });
    text.set('nodes', 'a', { x: 1 });
    text.set('nodes', 'missing', undefined);
    expect(text.isChanged('nodes')).toBe(false);
    text.set('nodes', 'a', { x: 2 });
    expect(text.isChanged('nodes')).toBe(true);
    expect(text.get('nodes', 'a')).toEqual({ x: 2 });
    text.set('nodes', 'a', { x: 1 });
    expect(text.isChanged('nodes')).toBe(false);
  });

  it('is byte for byte the same, whichever way its entries came to be', () => {
    const key = fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), fc.string({ unit: 'grapheme', maxLength: 6 }));
    const section = fc.constantFrom<Section>('nodes', 'tags', 'files');
    // Long ones too: a few of them fill more than one block of lines.
    const long = fc.nat({ max: 9_000 }).map((length) => 'é'.repeat(length));
    const value = fc.option(fc.oneof(fc.integer(), fc.string({ unit: 'grapheme', maxLength: 40 }), long), {
      nil: undefined,
    });
    const steps = fc.array(fc.array(fc.tuple(section, key, value), { maxLength: 8 }), { maxLength: 6 });
    fc.assert(
      fc.property(steps, (taken) => {
        let text = GraphText.empty().withChanges(HEADER);
        const model = new Map<string, [Section, string, unknown]>();
        for (const step of taken) {
          for (const [where, name, what] of step) {
            text.set(where, name, what);
            model.set(`${where} ${name}`, [where, name, what]);
          }
          text = reopened(text.withChanges(HEADER));
        }
        for (const [where, name, what] of model.values()) expect(text.get(where, name)).toEqual(what);
        const anew = GraphText.empty();
        for (const each of model.values()) anew.set(...each);
        expect(text.bytes.toString()).toBe(anew.withChanges(HEADER).bytes.toString());
        expect(() => JSON.parse(text.bytes.toString()) as unknown).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the newest first, whatever comes and goes', () => {
    const dated = fc.tuple(
      fc.constantFrom('a', 'b', 'c', 'd', 'e', '"', 'é'),
      fc.option(fc.nat({ max: 4 }), { nil: undefined }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(dated, { maxLength: 6 }), { maxLength: 6 }), (steps) => {
        let text = GraphText.empty();
        const times = new Map<string, number>();
        for (const step of steps) {
          const wanted = new Map(step);
          const changed = [...wanted].filter(([key, time]) => times.get(key) !== time);
          const out = changed.flatMap(([key]): Dated[] => (times.has(key) ? [[key, times.get(key)!]] : []));
          const into = changed.flatMap(([key, time]): Dated[] => (time === undefined ? [] : [[key, time]]));
          text.setRecent(out, into, (key) => times.get(key)!);
          text = text.withChanges(HEADER);
          for (const [key, time] of changed) {
            if (time === undefined) times.delete(key);
            else times.set(key, time);
          }
        }
        const expected = [...times].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([key]) => key);
        expect(text.recent).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['nothing', () => ''],
    ['other JSON', () => '{"version": "1.0.0", "nodes": {}}'],
    ['a graph that was cut', (text: string) => text.slice(0, -30)],
    ['a graph that somebody edited', (text: string) => text.replace('"a": 1', '"a": 12')],
    ['a graph that somebody formatted', (text: string) => JSON.stringify(JSON.parse(text), null, 2)],
    ['a graph with the marks of a merge', (text: string) => text.replace('  "tags"', '<<<<<<< ours\n  "tags"')],
    ['a graph of an older version', (text: string) => text.replace('"version": "1.0.0"', '"version": "0.9.0"')],
    ['a graph of another program', (text: string) => text.replace('"made_by": "cairn', '"made_by": "other')],
    ['text', () => 'graph\n'.repeat(400)],
    ['a layout that leads nowhere', (text: string) => text.replace(/"starts":\[\d+/, '"starts":[99999999')],
  ])('does not take %s for a graph', (_what, spoil) => {
    const bytes = Buffer.from(spoil(made({ a: 1 }).bytes.toString()));
    expect(GraphText.parse(inPieces([bytes]))).toBeUndefined();
  });
});
