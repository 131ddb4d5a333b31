import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrontMatter } from './front-matter.ts';

const parse = (...lines: string[]): FrontMatter => FrontMatter.parse(`---\n${lines.join('\n')}\n---\nbody\n`);

describe('reading properties', () => {
  it.each([
    ['id: decision-001', 'decision-001'],
    ['id: "quoted: yes"', 'quoted: yes'],
    ["id: 'it''s'", "it's"],
    ['id: 42', 42],
    ['id: 007', 7],
    ['id: 1.10', 1.1],
    ['id: true', true],
    ['id: null', null],
    ['id:', null],
    ['id: ~', null],
    ['id: plain text # a comment', 'plain text'],
    ['id: 2026-01-31T09:30:00Z', '2026-01-31T09:30:00Z'],
    ['id: [a, b]', ['a', 'b']],
    ['id: [one, "two, three", \'four\'] # c', ['one', 'two, three', 'four']],
    ['id: []', []],
    ['id: [[a]], [[b|text]]', ['[[a]]', '[[b|text]]']],
    ['id: [[a], [b]]', ['a', 'b']],
    ['id: [[a]]', ['a']],
    ['id:\n  - a\n  - "[[b]]"', ['a', '[[b]]']],
    ['id:\n- a\n- [[b]]', ['a', 'b']],
    ['id: |\n  two\n  lines', 'two\nlines\n'],
    ['id: |-\n  two\n  lines', 'two\nlines'],
    ['id: &anchor value', 'value'],
    ['id: first\n  continued', 'first continued'],
    ['id: [a,\n  b]', ['a', 'b']],
    ['id: >\n  one\n  line', 'one line\n'],
  ])('understands %j', (written, expected) => {
    expect(parse(...written.split('\n')).get('id')).toEqual(expected);
  });

  it.each(['id: *alias', 'id: !!js/function "x"', 'id: {a: 1}', 'id: "open', 'id:\n  nested: map', 'id: [open, list'])(
    'keeps %j but does not evaluate it',
    (written) => {
      const front = parse(...written.split('\n'), 'tags: [x]');
      expect(front.get('id')).toBeUndefined();
      expect(front.keys).toContain('id');
      expect(front.list('tags')).toEqual(['x']);
    },
  );

  it('says numbers as they were written', () => {
    const front = parse('version: 1.10', 'id: 007', 'tags: [1.10, 2024, 0x1F, yes]');
    expect(front.text('version')).toBe('1.10');
    expect(front.text('id')).toBe('007');
    expect(front.list('tags')).toEqual(['1.10', '2024', '0x1F', 'yes']);
  });

  it('reads nothing from a file without front matter', () => {
    const front = FrontMatter.parse('# Title\n\n---\nnot: this\n---\n');
    expect(front.exists).toBe(false);
    expect(front.keys).toEqual([]);
  });

  it.each([
    ['---js\nprocess.exit()\n---\n', 'of the kind "js"'],
    ['---\nid: x\n', 'does not end'],
  ])('says what is wrong with %j', (text, why) => {
    const front = FrontMatter.parse(text);
    expect(front.problem).toContain(why);
    expect(front.toString()).toBe(text);
  });

  it('does not grow with an alias bomb', () => {
    const bomb = ['a: &a [x, x, x]', 'b: &b [*a, *a, *a]', 'c: &c [*b, *b, *b]'];
    const front = parse(...bomb, 'id: fine');
    expect(front.get('id')).toBe('fine');
    expect(front.get('c')).toBeUndefined();
  });
});

describe('changing properties', () => {
  const text =
    '---\r\n# who\r\nid: x   # keep\r\n"odd key": 1\r\nnested:\r\n  deep: [1]\r\ntags: [a]\r\n---\r\nbody [[l]]\r\n';

  it('changes the lines of its key and no other byte', () => {
    const front = FrontMatter.parse(text);
    front.set('tags', ['b', 'c']);
    expect(front.toString()).toBe(text.replace('tags: [a]', 'tags: [b, c]'));
  });

  it('puts a new key at the end and takes one away', () => {
    const front = FrontMatter.parse(text);
    front.set('status', 'active');
    front.remove('nested');
    expect(front.toString()).toBe(
      text.replace('nested:\r\n  deep: [1]\r\n', '').replace('tags: [a]\r\n', 'tags: [a]\r\nstatus: active\r\n'),
    );
  });

  it('gives a file without front matter one', () => {
    const front = FrontMatter.parse('body\n');
    front.set('id', 'x');
    expect(front.toString()).toBe('---\nid: x\n---\nbody\n');
  });

  it('survives unchanged, whatever the text is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: fc.constantFrom('-', '\n', '\r\n', ':', ' ', '[', ']', '"', "'", '#', '|', '&', 'a') }),
        ),
        (any) => {
          for (const each of [any, `---\n${any}\n---\n${any}`]) expect(FrontMatter.parse(each).toString()).toBe(each);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('reads back signs that some readers take for the end of a line', () => {
    for (const value of ['\u2028', 'a\u2029b', '\u0085', 'x\u2028 # no comment']) {
      const front = FrontMatter.parse('---\nkey: old\nafter: 2\n---\nbody');
      front.set('key', value);
      expect(FrontMatter.parse(front.toString()).get('key')).toBe(value);
    }
  });

  it('reads back what it wrote, whatever the value is', () => {
    const scalar = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean());
    fc.assert(
      fc.property(fc.oneof(scalar, fc.array(scalar, { maxLength: 30 })), (value) => {
        const front = FrontMatter.parse('---\nbefore: 1\nkey: old\nafter: 2\n---\nbody');
        front.set('key', value);
        const again = FrontMatter.parse(front.toString());
        expect(again.get('key')).toEqual(value);
        expect(again.get('before')).toBe(1);
        expect(again.get('after')).toBe(2);
        expect(again.body).toBe('body');
      }),
      { numRuns: 2_000 },
    );
  });
});
