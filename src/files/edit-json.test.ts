import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCommentedObject, removeFromJson, setInJson } from './edit-json.ts';

describe('setting a value in JSON text', () => {
  it('replaces the value and nothing else', () => {
    const text = '{\n\t"b": 12345678901234567890,   "a" : { "x":1e999 },\n\t"10": [1,\n2], "9": 0\n}\n\n';
    expect(setInJson(text, ['a', 'x'], 7)).toBe(text.replace('1e999', '7'));
  });

  it('adds a key in the manner of its neighbours', () => {
    expect(setInJson('{\n    "a": 1\n}\n', ['b'], 2)).toBe('{\n    "a": 1,\n    "b": 2\n}\n');
    expect(setInJson('{"a": {"b": 1}}', ['a', 'c'], [1, 2])).toBe('{"a": {"b": 1, "c": [1,2]}}');
    expect(setInJson('{\r\n  "a": 1\r\n}', ['b'], { c: 2 })).toBe(
      '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 2\r\n  }\r\n}',
    );
  });

  it('makes the sections that are missing or null', () => {
    expect(setInJson('{}\n', ['a', 'b', 'c'], true)).toBe('{\n  "a": {\n    "b": {\n      "c": true\n    }\n  }\n}\n');
    expect(JSON.parse(setInJson('{"a": null, "b": 1}', ['a', 'c'], 2))).toEqual({ a: { c: 2 }, b: 1 });
    expect(setInJson('{\n  "a": {}\n}\n', ['a', 'b'], 1)).toBe('{\n  "a": {\n    "b": 1\n  }\n}\n');
  });

  it('changes the last of doubled keys, which is the one that a parser sees', () => {
    expect(setInJson('{"a": 1, "a": 2}', ['a'], 3)).toBe('{"a": 1, "a": 3}');
  });

  it('is not deceived by braces and quotes inside texts', () => {
    const text = '{"a": "}\\"{", "b\\u0022": {"c": "]"}, "d": 1}';
    expect(JSON.parse(setInJson(text, ['b"', 'c'], 2))).toEqual({ a: '}"{', 'b"': { c: 2 }, d: 1 });
  });

  it('refuses to throw a value away to make room for a section', () => {
    expect(() => setInJson('{"a": "off"}', ['a', 'b'], 1)).toThrow('"a" is not an object in this file but "off".');
  });

  it('matches keys as the caller says', () => {
    const anyCase = (existing: string, wanted: string) => existing.toLowerCase() === wanted;
    expect(setInJson('{"T": {"DECISION": 1}}', ['t', 'decision'], 2, anyCase)).toBe('{"T": {"DECISION": 2}}');
  });
});

describe('removing a value from JSON text', () => {
  it('takes its comma along', () => {
    expect(removeFromJson('{"a": 1, "b": 2, "c": 3}', ['b'])).toBe('{"a": 1, "c": 3}');
    expect(removeFromJson('{"a": 1, "b": 2}', ['b'])).toBe('{"a": 1}');
    expect(removeFromJson('{\n  "a": 1\n}\n', ['a'])).toBe('{}\n');
    expect(removeFromJson('{"a": 1, "b": 0, "a": 2}', ['a'])).toBe('{"b": 0}');
  });

  it('leaves text without it alone', () => {
    for (const path of [['x'], ['a', 'b'], ['a', 'b', 'c']]) expect(removeFromJson('{"a": 1}', path)).toBe('{"a": 1}');
  });
});

describe('JSON with comments', () => {
  it('gets a new key below the comment that belongs to the one before', () => {
    expect(setInJson('{\n  "a": 1 // why\n}\n', ['b'], 2)).toBe('{\n  "a": 1, // why\n  "b": 2\n}\n');
    expect(setInJson('{\n  "a": 1, // why\n}\n', ['b'], 2)).toBe('{\n  "a": 1, // why\n  "b": 2,\n}\n');
    expect(setInJson('{\n  "a": 1,\n}\n', ['b'], 2)).toBe('{\n  "a": 1,\n  "b": 2,\n}\n');
    expect(setInJson('{ // servers\n}', ['b'], 2)).toBe('{ // servers\n  "b": 2\n}');
  });

  it('keeps its comments when a key goes', () => {
    expect(removeFromJson('{\n  // ours\n  "a": 1, // why\n  "b": 2\n}\n', ['a'])).toBe(
      '{\n  // ours\n  // why\n  "b": 2\n}\n',
    );
    expect(removeFromJson('{\n  "a": 1, // why\n  "b": 2\n}\n', ['b'])).toBe('{\n  "a": 1 // why\n  \n}\n');
    expect(removeFromJson('{\n  "a": 1,\n  "b": 2,\n}\n', ['b'])).toBe('{\n  "a": 1,\n}\n');
  });

  it('says what JSON.parse says without them, before and after, and loses none', () => {
    const names = fc.constantFrom('a', 'b', 'c', 'd');
    const inner = fc.dictionary(names, fc.oneof(fc.integer(), fc.dictionary(names, fc.integer())), {
      noNullPrototype: true,
    });
    const places = fc.array(fc.constantFrom('none', 'above', 'behind', 'both'), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        inner,
        places,
        fc.array(names, { minLength: 1, maxLength: 2 }),
        fc.integer(),
        (data, where, path, value) => {
          const text = commented(JSON.stringify(data, null, 2), where);
          // A section that goes takes the comments inside it along.
          const comments = typeof valueAt(bare(text), path) === 'object' ? undefined : commentsOf(text);
          const removed = removeFromJson(text, path);
          expect(JSON.parse(bare(removed))).toEqual(without(JSON.parse(bare(text)), path));
          if (comments) expect(commentsOf(removed)).toEqual(comments);
          let changed: string;
          try {
            changed = setInJson(text, path, value);
          } catch {
            return; // something else stands where a section is needed
          }
          expect(JSON.parse(bare(changed))).toEqual(put(JSON.parse(bare(text)), path, value));
          if (comments) expect(commentsOf(changed)).toEqual(comments);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is told from what is no JSON object at all', () => {
    expect(parseCommentedObject('{"a": 1, /* why */ "b": [1,],}', 'x.json')).toEqual({ a: 1, b: [1] });
    expect(() => parseCommentedObject('{"a":', 'x.json')).toThrow('x.json is not valid JSON: ValueExpected');
    expect(() => parseCommentedObject('[]', 'x.json')).toThrow('x.json is not valid JSON: it holds no object.');
  });
});

it('agrees with parsing, changing and printing, for any object and any path', () => {
  const key = fc.oneof(fc.constantFrom('a', 'b', '__proto__', '1', 'x"y', ''), fc.string());
  const tree = fc.letrec<{ value: unknown; object: object }>((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, fc.jsonValue({ maxDepth: 1 }), tie('object')),
    object: fc.dictionary(key, tie('value'), { noNullPrototype: true }),
  }));
  const space = fc.constantFrom(undefined, 1, 2, 4, '\t');
  const paths = fc.array(key, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(tree.object, space, paths, fc.jsonValue({ maxDepth: 1 }), (data, indent, path, value) => {
      const text = JSON.stringify(data, null, indent);
      const removed = JSON.parse(removeFromJson(text, path));
      expect(print(removed)).toBe(print(without(JSON.parse(text), path)));
      let changed: string;
      try {
        changed = setInJson(text, path, value);
      } catch {
        return; // something else stands where a section is needed
      }
      expect(print(JSON.parse(changed))).toBe(print(put(JSON.parse(text), path, value)));
      expect(setInJson(changed, path, value)).toBe(changed);
    }),
    { numRuns: 300 },
  );
});

type Tree = { [key: string]: unknown };

function print(value: unknown): string {
  return JSON.stringify(value);
}

function own(data: Tree, key: string, value: unknown): void {
  Object.defineProperty(data, key, { value, enumerable: true, configurable: true, writable: true });
}

function put(data: Tree, path: readonly string[], value: unknown): Tree {
  let at = data;
  for (const key of path.slice(0, -1)) {
    const inner = Object.hasOwn(at, key) ? Object.getOwnPropertyDescriptor(at, key)!.value : undefined;
    if (inner === undefined || inner === null) own(at, key, {});
    at = Object.getOwnPropertyDescriptor(at, key)!.value as Tree;
  }
  own(at, path.at(-1)!, value);
  return data;
}

function without(data: Tree, path: readonly string[]): Tree {
  let at: unknown = data;
  for (const key of path.slice(0, -1)) {
    if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, key)) return data;
    at = Object.getOwnPropertyDescriptor(at, key)!.value;
  }
  if (typeof at === 'object' && at !== null && !Array.isArray(at)) delete (at as Tree)[path.at(-1)!];
  return data;
}

/** Numbered comments above and behind lines, as `where` says in turn. */
function commented(text: string, where: readonly string[]): string {
  return text
    .split('\n')
    .flatMap((line, at) => {
      const place = where[at % where.length]!;
      const above = place === 'above' || place === 'both' ? [`  // above ${at}`] : [];
      return [...above, place === 'behind' || place === 'both' ? `${line} // behind ${at}` : line];
    })
    .join('\n');
}

const bare = (text: string): string => text.replace(/\/\/ (?:above|behind) \d+/g, '');
const commentsOf = (text: string): string[] => (text.match(/(?:above|behind) \d+/g) ?? []).sort();

function valueAt(text: string, path: readonly string[]): unknown {
  let at: unknown = JSON.parse(text);
  for (const key of path) at = (at as Tree | undefined)?.[key];
  return at;
}
