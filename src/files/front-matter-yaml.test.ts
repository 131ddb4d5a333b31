// Front matter against a foreign judge: whatever `yaml` accepts is read as `yaml` reads it, and an edit changes its property, keeps
// all others, every comment and the body.

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Document, Lexer, parse, parseDocument, Scalar, type ToStringOptions } from 'yaml';
import { FrontMatter, type PropertyValue } from './front-matter.ts';

const BODY = '\n# Title\n\n---\ntags: [no property]\n---\n| a | b |\r\n';
const note = (source: string): string => `---\n${source}---\n${BODY}`;
const sourceIn = (text: string): string => text.slice(4, text.lastIndexOf(`---\n${BODY}`));
const RUNS = Number(process.env.CAIRN_TEST_RUNS ?? 200);
const LENIENT = { uniqueKeys: false, logLevel: 'silent' } as const;
const said = (source: string): Map<unknown, unknown> =>
  (parseDocument(source, { ...LENIENT, intAsBigInt: true }).toJS({ mapAsMap: true }) as Map<unknown, unknown> | null) ??
  new Map();

function comments(source: string): string[] {
  let scalar = false;
  const found: string[] = [];
  for (const part of new Lexer().lex(source)) {
    if (!scalar && part.startsWith('#')) found.push(part.trimEnd());
    scalar = part === '\u001f';
  }
  return found.sort();
}

const without = (all: Map<unknown, unknown>, key: string): [unknown, unknown][] =>
  [...all].filter(([name]) => String(name) !== key);

/** Keeps everything besides `key`; returns what the property says now. */
function expectKept(before: string, after: string, key: string): unknown {
  expect(after.endsWith(`---\n${BODY}`)).toBe(true);
  const [old, made] = [sourceIn(before), sourceIn(after)];
  expect(parseDocument(made, LENIENT).errors).toEqual([]);
  expect(without(said(made), key)).toEqual(without(said(old), key));
  expect(comments(made)).toEqual(comments(old));
  const numbers = said(made).get(key);
  return typeof numbers === 'bigint'
    ? Number(numbers)
    : (parse(made, LENIENT) as { [key: string]: unknown } | null)?.[key];
}

/** Text that looks like something else, long text, and whatever else a person or a tool may give. */
const NASTY = [
  '1.10',
  '007',
  'yes',
  'No',
  'on',
  'y',
  '~',
  'null',
  'NULL',
  'true',
  '0x1f',
  '0o17',
  '1e3',
  '.5',
  '.inf',
  '.NaN',
  '1_000',
];
const NASTIER = [
  '2024-01-01',
  '2024-1-1',
  '12:30:45',
  '+1',
  '- a',
  '# no comment',
  'a: b',
  'a #b',
  '@x',
  '`x`',
  '*a',
  '&a',
  '!t',
  '%d',
];
const MORE = [
  '',
  ' ',
  ' a ',
  'a\nb\n',
  '\t',
  '{a}',
  '[a]',
  '[[a]]',
  "it's",
  '"q"',
  'a\\b',
  '=',
  '<<',
  '---',
  '...',
  '👩‍👩‍👧 é\u0301',
  '\u2028',
  '\u0085',
  '\ufeff',
  '\u007f',
];
const text = fc.oneof(
  fc.constantFrom(...NASTY, ...NASTIER, ...MORE),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('a', ' ', 'b', '-', ':', ',', "'", '1'), minLength: 60, maxLength: 200 }),
);
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true }).map((n) => n + 0),
  fc.boolean(),
  fc.constant(null),
);
const value: fc.Arbitrary<PropertyValue> = fc.oneof(scalar, fc.array(scalar, { maxLength: 25 }));

describe('what Cairn writes itself', () => {
  it('is read as what it is by readers of YAML 1.2 and 1.1, and by Cairn', () => {
    fc.assert(
      fc.property(text, value, (key, given) => {
        fc.pre(key !== '' && !/^\d/.test(key) && key !== '__proto__');
        const front = FrontMatter.empty(BODY);
        front.set('id', 'x');
        front.set(key, given);
        const source = sourceIn(front.toString());
        expect(new Map(Object.entries(parse(source) as object)).get(key)).toEqual(given);
        // Dates are written plain, as Obsidian wants them; 1.1 makes dates of them.
        if (!/\d{4}-\d\d-\d\d/.test(JSON.stringify([key, given])))
          expect((parse(source, { version: '1.1', mapAsMap: true }) as Map<unknown, unknown>).get(key)).toEqual(given);
        expect(FrontMatter.parse(front.toString()).get(key)).toEqual(given);
      }),
      { numRuns: RUNS },
    );
  });
});

/** Documents as people and tools write them: `yaml`'s own styles, with comments at every place that takes one. */
const nested: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  node: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('list'), tie('map')),
  list: fc.array(tie('node'), { maxLength: 4 }),
  map: fc.dictionary(
    text.filter((each) => each !== '__proto__'),
    tie('node'),
    { maxKeys: 4 },
  ),
})).node;
const foreignKey = fc.oneof(
  fc.constantFrom(
    'tags',
    'status',
    'aliases',
    'my key',
    'a.b',
    'a:b',
    'ключ',
    '🙂',
    'yes',
    'null',
    '1',
    'x y: z',
    '#h',
    '?',
  ),
  fc.string({ minLength: 1, maxLength: 6 }).filter((each) => each !== '__proto__'),
);
const comment = fc.option(fc.constantFrom(' why', ' TODO: this', '', '# two', ' [[link]]'), {
  nil: undefined,
  freq: 2,
});
const styles: fc.Arbitrary<ToStringOptions> = fc.record({
  lineWidth: fc.constantFrom(0, 20, 80),
  indent: fc.constantFrom(1, 2, 4),
  indentSeq: fc.boolean(),
  flowCollectionPadding: fc.boolean(),
  defaultStringType: fc.constantFrom(Scalar.PLAIN, Scalar.QUOTE_DOUBLE, Scalar.QUOTE_SINGLE, Scalar.BLOCK_LITERAL),
  defaultKeyType: fc.constantFrom(Scalar.PLAIN, Scalar.QUOTE_DOUBLE, Scalar.QUOTE_SINGLE),
  singleQuote: fc.constantFrom(true, false, null),
  collectionStyle: fc.constantFrom('any', 'block', 'flow'),
});

const document = fc
  .tuple(
    fc.uniqueArray(fc.tuple(foreignKey, fc.oneof(nested, value), comment, comment), {
      maxLength: 6,
      selector: ([key]) => key,
    }),
    styles,
    comment,
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '', '  '),
  )
  .map(([pairs, style, last, newline, indent]) => {
    const made = new Document(Object.fromEntries([]));
    for (const [key, each, above, behind] of pairs) {
      const keyNode = made.createNode(key);
      const node = made.createNode(each);
      if (above !== undefined) keyNode.commentBefore = above;
      if (behind !== undefined) node.comment = behind;
      const items = (node as { items?: { comment?: string; commentBefore?: string }[] }).items;
      if (items?.[0] && above !== undefined && Array.isArray(each)) items[0].comment = above;
      if (items?.[1] && behind !== undefined && Array.isArray(each)) items[1].commentBefore = behind;
      made.set(keyNode, node);
    }
    if (last !== undefined) made.comment = last;
    const source = pairs.length === 0 ? '' : made.toString(style);
    const shifted = indent && !/[|>"'[{]/.test(source) ? source.replace(/^(?=[^\n])/gm, indent) : source;
    return shifted.replaceAll('\n', newline);
  })
  // What the front matter's own lines would end, or what `yaml` writes and refuses to read, is no front matter.
  .filter((source) => !/(?:^|\n)(?:---|\.\.\.)/.test(source) && parseDocument(source, LENIENT).errors.length === 0);

const HAND_MADE = [
  'tags: [a,\n  b]\n',
  'tags: [\n  a, # first\n  # between\n  b,\n  ]\nstatus: x\n',
  'tags: [ a , "b, c",\n  d ] # end\n# before\nstatus: active # now\n',
  '# before the first key\ntags: # behind the key\n  # above\n  - a # one\n\n  # between\n  - 1.10\n  # last\n# after\nstatus: x\n',
  'tags:\n- a\n- b\nstatus: "1.10"\n',
  'text: |\n  tags: [a]\n  # no comment\n\n  more\n\nstatus: x\n',
  'text: >-\n  folded\n  text\n\ntags: [a]\n',
  'text: |+2\n    indented\n\n\ntags: [a]\n',
  'tags: &t [a, b]\nother: *t\nstatus: x\n',
  'base: &b {x: 1}\n<<: *b\nmore:\n  <<: *b\ntags: [a]\n',
  '"tags": [a]\n\'my: key\': 1\n? long key\n: v\n? [a, b]\n: w\n1: one\ntrue: two\n',
  'tags: !!set {a, b}\nstatus: !local x\n',
  'status: !!str 1\ntags: !!seq\n  - a\n',
  'a: 1\na: 2\ntags: [x]\n',
  '{tags: [a, b], status: x, "n": 1.10}\n',
  '  tags: [a]\n  status: x\n',
  'tags:\tx # tab\nstatus:   spaced   \n',
  'tags:\n\n  - a\n\n\n  - b\n\nstatus:\n',
  'tags: "two\n  lines"\nstatus: plain\n  on two\n',
  "tags: 'it''s'\nbig: 12345678901234567890\nfloat: 1.0e+10\nhex: 0xFF\n",
  '# nothing but a comment\n',
  '',
  'tags:\n  - - nested\n    - list\n  - a: map\n',
  'related: [[a], [b]]\ntags: [[x]]\n',
  'related:\n  - "[[a]]"\n  - [[b]]\ntags: a\n',
  'date: 2024-01-01\ntime: 12:30:45\ntags: [2024, 007, yes, ~]\n',
  'tags: [a, b, ]\nstatus: x#y\n',
  'tags: []\nstatus: {}\n',
  'tags: [ # c\n  ]\n',
  'é: ü\n"\\u00e9": "\\x41\\e"\ntags: [ä]\n',
];
const source = fc.oneof({ weight: 3, arbitrary: document }, { weight: 1, arbitrary: fc.constantFrom(...HAND_MADE) });

describe('front matter that somebody else wrote', () => {
  it('is read as yaml reads it, or not at all', () => {
    fc.assert(
      fc.property(source, (written) => {
        const front = FrontMatter.parse(note(written));
        const all = said(written);
        for (const key of front.keys) {
          const value = front.get(key);
          if (value === undefined) continue;
          const oracle = [...all].filter(([name]) => String(name) === key || (key === '' && name === null)).at(-1)?.[1];
          expect([value].flat()).toEqual(
            [oracle].flat(3).map((each) => (typeof each === 'bigint' ? Number(each) : each)),
          );
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('changes in the one property that is set, to the very value', () => {
    let refused = 0;
    fc.assert(
      fc.property(source, fc.oneof(fc.constantFrom('tags', 'status'), foreignKey), value, (written, key, given) => {
        const before = note(written);
        const front = FrontMatter.parse(before);
        try {
          front.set(key, given);
        } catch (error) {
          expect((error as Error).message).toMatch(/left as it is/);
          expect(front.toString()).toBe(before);
          refused++;
          return;
        }
        const after = front.toString();
        expect(expectKept(before, after, key)).toEqual(given);
        const again = FrontMatter.parse(after);
        again.set(key, given);
        expect(again.toString()).toBe(after);
      }),
      { numRuns: RUNS },
    );
    expect(refused).toBeLessThan(RUNS / 20);
  });

  it('keeps the items of a list as they are when others come and go', () => {
    fc.assert(
      fc.property(source, fc.array(text, { maxLength: 3 }), fc.nat(), (written, added, cut) => {
        const before = note(written);
        const front = FrontMatter.parse(before);
        const old = front.list('tags');
        if (front.keys.includes('tags') && front.get('tags') === undefined) return;
        const wanted = [...old.filter((_, at) => (cut >> at) % 2 === 0), ...added];
        try {
          front.setList('tags', wanted);
        } catch (error) {
          expect((error as Error).message).toMatch(/left as it is/);
          expect(front.toString()).toBe(before);
          return;
        }
        expectKept(before, front.toString(), 'tags');
        expect(FrontMatter.parse(front.toString()).list('tags').filter(Boolean)).toEqual(wanted.filter(Boolean));
      }),
      { numRuns: RUNS },
    );
  });

  it('loses the property that is removed, and no comment', () => {
    fc.assert(
      fc.property(source, fc.constantFrom('tags', 'status', 'text', 'my key'), (written, key) => {
        const before = note(written);
        const front = FrontMatter.parse(before);
        const had = front.keys.includes(key);
        // In braces there may be no place for the comment of what goes.
        if (written.trimStart().startsWith('{') && /#/.test(written)) return;
        front.remove(key);
        if (!had) expect(front.toString()).toBe(before);
        else expect(expectKept(before, front.toString(), key)).toBeUndefined();
      }),
      { numRuns: RUNS },
    );
  });

  it.each(HAND_MADE)('of the form %j takes a new property and gives it back', (written) => {
    const before = note(written);
    const front = FrontMatter.parse(before);
    front.set('brand new', ['1.10', 'x, y']);
    expect(expectKept(before, front.toString(), 'brand new')).toEqual(['1.10', 'x, y']);
    if (!written.startsWith('{')) {
      front.remove('brand new');
      expect(front.toString()).toBe(before);
    }
  });
});

describe('an edit', () => {
  it.each([
    ['tags: [a,\n  b] # both\n', ['a', 'b', 'c'], 'tags: [a,\n  b, c] # both\n'],
    ['tags: [\n  a, # first\n  b\n]\n', ['b'], '# first\ntags: [\n  b\n]\n'],
    ['tags:\n- a # one\n- 1.10\n# end\nx: 1\n', ['a', '1.10', 'c'], 'tags:\n- a # one\n- 1.10\n- c\n# end\nx: 1\n'],
    ['tags: a # one\n', ['a', 'b'], 'tags: [a, b] # one\n'],
    ['tags: [1.10, "007", yes]\n', ['1.10', '007', 'yes', 'z'], 'tags: [1.10, "007", yes, z]\n'],
    ['related: [[a]], [[b]]\nx: 1\n', ['a', 'b', 'c'], 'related: [[a]], [[b]]\nx: 1\ntags: [a, b, c]\n'],
  ])('makes the least of a change in %j', (written, tags, expected) => {
    const front = FrontMatter.parse(note(written));
    front.setList('tags', tags);
    expect(sourceIn(front.toString())).toBe(expected);
  });

  it('makes a list of links that is no YAML one that is', () => {
    const front = FrontMatter.parse(note('related: [[a]], [[b]] # known\nx: "1.10"\n'));
    expect(front.list('related')).toEqual(['[[a]]', '[[b]]']);
    front.setList('related', ['[[a]]', '[[b]]', '[[c]]']);
    expect(parse(sourceIn(front.toString()))).toEqual({ related: ['[[a]]', '[[b]]', '[[c]]'], x: '1.10' });
    expect(front.toString()).toContain('# known');
  });

  it.each([
    ['title: a: b\n', 'no valid YAML'],
    ['tags: [a,\nb]\n', 'no valid YAML'],
    ['tags: [a\n', 'no valid YAML'],
    ['- a\n- b\n', 'holds no properties'],
    ['just text\n', 'holds no properties'],
    ['status: 1\nstatus: 2\n', '2 times'],
    ['x: *nothing\n', 'without changing something else'],
  ])('of %j is refused with a reason, and nothing is changed', (written, why) => {
    const front = FrontMatter.parse(note(written));
    expect(() => front.set('status', 'done')).toThrow(why);
    expect(front.toString()).toBe(note(written));
  });

  it('of a value that others refer to leaves them what they said', () => {
    const before = note('tags: &t [a, b] # mine\nother: *t\nstatus: x\n');
    for (const change of [
      (front: FrontMatter) => front.setList('tags', ['a']),
      (front: FrontMatter) => front.remove('tags'),
    ]) {
      const front = FrontMatter.parse(before);
      change(front);
      expectKept(before, front.toString(), 'tags');
      expect(front.list('other')).toEqual(['a', 'b']);
    }
  });

  it('of aliases that would grow without end changes nothing else', () => {
    const levels = Array.from({ length: 12 }, (_, at) => `l${at + 1}: &l${at + 1} [${`*l${at}, `.repeat(9)}]`);
    const written = `l0: &l0 [x]\n${levels.join('\n')}\nstatus: a\n`;
    const front = FrontMatter.parse(note(written));
    expect(front.get('status')).toBe('a');
    expect(() => front.set('status', 'b')).toThrow('left as it is');
    expect(front.toString()).toBe(note(written));
  });

  it('of a list with maps in it is refused, and not made without them', () => {
    const front = FrontMatter.parse(note('tags: [a, {b: 1}]\n'));
    expect(() => front.setList('tags', ['x'])).toThrow('is no plain list');
  });

  it('leaves the byte order mark first, with or without front matter', () => {
    for (const text of ['\ufeff# Title\n', '\ufeff---\nid: x\n---\nbody']) {
      const front = FrontMatter.parse(text);
      front.set('status', 'done');
      expect(front.toString()).toMatch(/^\ufeff---\n[^\ufeff]*$/);
    }
  });

  it('is not misled by signs that only JavaScript takes for the end of a line', () => {
    const text = '---\ntitle: "a\u2028---\u2028b"\nx: 1\r---\r\n---\nbody';
    const front = FrontMatter.parse('---\ntitle: "a\u2028---\u2028b"\nx: 1\n---\nbody');
    expect(front.body).toBe('body');
    front.set('x', 2);
    expect(front.toString()).toBe('---\ntitle: "a\u2028---\u2028b"\nx: 2\n---\nbody');
    expect(FrontMatter.parse(text).body).toBe('body');
  });

  it('compares deeply: the judge itself tells 1.10 and a large number from their neighbours', () => {
    expect(isDeepStrictEqual(said('x: 12345678901234567890\n'), said('x: 12345678901234567891\n'))).toBe(false);
  });
});
