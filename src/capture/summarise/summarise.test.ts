import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLanguageWanted, languageOf } from './languages.ts';
import { renderDefinitions, summarise } from './summarise.ts';

const FILES = ['a.ts', 'a.py', 'a.go', 'a.rs', 'A.java', 'a.cpp', 'a.rb', 'a.md', 'a.txt'];
/** Pieces that open what may never be closed. */
const PIECES = [
  ...[
    '(',
    '{',
    '[',
    ')',
    '}',
    ']',
    '"',
    "'",
    '`',
    '`${',
    '/',
    '/*',
    '*/',
    '//',
    '#',
    '\\',
    '=',
    '<',
    '>',
    ';',
    ':',
    '@a(',
  ],
  ...[
    '\n',
    '\n\n',
    ' ',
    '  ',
    '\t',
    'a',
    'é',
    '𝔸',
    '\u0001',
    '\0',
    '\r',
    '\ufeff',
    '"""',
    "'''",
    'r#"',
    'R"x(',
    '%w[',
    '<<~A',
  ],
  ...[
    'export ',
    'default ',
    'const a',
    'function f',
    'class A ',
    'type T',
    'async ',
    'import ',
    'from ',
    '=> ',
    'module.exports = ',
  ],
  ...[
    'def f',
    'self',
    '__all__ = [',
    'func F',
    'package a',
    'pub ',
    'fn f',
    'impl A ',
    'use a::{',
    'mod m;',
    'trait T ',
    '#[a]',
  ],
  ...[
    'public ',
    'static ',
    'interface I ',
    '#if 0',
    '#else',
    '#endif',
    '#define A(x) ',
    'namespace n ',
    'template <',
    'typedef struct ',
  ],
  ...[
    'module M',
    'private',
    'end',
    '=begin',
    '=end',
    '# ',
    '## ',
    '---',
    '```',
    '[a](b.md)',
    '/** doc. */',
    '// TODO: x',
    'create table t',
  ],
];
const hostile = fc.array(fc.constantFrom(...PIECES), { maxLength: 120 }).map((pieces) => pieces.join(''));

function check(file: string, text: string): void {
  const summary = summarise(file, text);
  const listed = renderDefinitions(summary);
  expect(summary.definitions.length).toBeLessThanOrEqual(40);
  expect(summary.imports.length).toBeLessThanOrEqual(30);
  expect(listed.length).toBeLessThanOrEqual(2_800);
  expect(summary.purpose.length).toBeLessThanOrEqual(520);
  expect(summary.purpose).not.toBe('');
  for (const { signature, doc = '', line } of summary.definitions) {
    expect(signature).not.toMatch(/[\n\u0001]/);
    expect(doc).not.toContain('\n');
    expect(line).toBeGreaterThan(0);
  }
}

describe('every language', () => {
  it('answers for any text, within its bounds', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FILES), fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 300 })), check),
      { numRuns: 1_500 },
    );
  });

  it('gives the same answer for the same text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FILES), hostile, (file, text) => {
        expect(summarise(file, text)).toEqual(summarise(file, text));
      }),
      { numRuns: 300 },
    );
  });

  it('reads lines that end as Windows ends them like any other', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FILES), hostile, (file, text) => {
        const unix = text.replaceAll('\r', '');
        expect(summarise(file, unix.replaceAll('\n', '\r\n'))).toEqual(summarise(file, unix));
      }),
      { numRuns: 300 },
    );
  });

  // Anything worse than linear would take minutes here, and the test would run out of time.
  it.each([
    '(',
    '{',
    '"',
    "'",
    '`${',
    '/*',
    '=/[',
    '\\',
    '\n',
    ' ',
    '/***** */\nexport const a = (',
    'class A {\n a(\n',
    'def f(\n  """\n',
    'func A(\n',
    'use a::{',
    '#[a(',
    '@A({',
    '#if A\n#else\n',
    'x = <<~A\n',
    '%w[',
    '[a](',
    'namespace a {',
    'module.exports = { a,\n',
    'export \n',
    'import a, ',
    'const a = (',
    '@a\n',
    'a b\n',
    'a b c d e f g h i j k(\n',
    'template <',
    'impl < ',
    'typedef a ',
    'public static final a a a ',
    'from . import (\n',
    '// a\n',
    ' */\n',
  ])('takes time in proportion to the text: %j', (piece) => {
    const text = piece.repeat(Math.ceil(300_000 / piece.length));
    for (const file of FILES) check(file, text);
  });

  it('looks at the beginning of a huge file only, and says so', () => {
    const text = `export const first = 1;${'x'.repeat(50 * 1024 * 1024)}`;
    const summary = summarise('a.js', text);
    expect(summary.cut).toBe(true);
    expect(summary.definitions.map((each) => each.name)).toEqual(['first']);
  });
});

describe('what is shown', () => {
  it('prefers what others can use to members, and counts what has no room', () => {
    const methods = Array.from({ length: 30 }, (_, at) => `  method${at}() {}`).join('\n');
    const functions = Array.from({ length: 30 }, (_, at) => `export function f${at}() {}`).join('\n');
    const summary = summarise('a.ts', `export class A {\n${methods}\n}\n${functions}\nfunction hidden() {}\n`);
    expect(summary.definitions).toHaveLength(40);
    expect(summary.definitions.filter((each) => each.owner === undefined)).toHaveLength(31);
    expect(renderDefinitions(summary).split('\n').at(-1)).toBe('- … and 21 more');
  });

  it('says what a file holds that does not say it itself', () => {
    expect(summarise('a.ts', 'export const a = 1;\nexport const b = 2;\n').purpose).toBe(
      'A TypeScript file with `a` and `b`.',
    );
    expect(summarise('a.go', '').purpose).toBe('A Go file.');
  });

  it('lists open work with its lines, from comments only', () => {
    const text = 'const TODO = 1;\n// TODO: first\n\n/* FIXME(ann) second */\nconst s = "no TODO: here";\n';
    expect(summarise('a.ts', text).todos).toEqual([
      { line: 2, text: 'TODO: first' },
      { line: 4, text: 'FIXME(ann) second' },
    ]);
  });
});

describe('languages', () => {
  it('are told by the name of a file', () => {
    const names = ['src/a.TSX', 'b.mjs', 'c.pyi', 'Rakefile', 'x/README.md', 'd.h', 'Makefile', 'e.unknown', '.ts'];
    expect(names.map(languageOf)).toEqual([
      'typescript',
      'javascript',
      'python',
      'ruby',
      'markdown',
      'c',
      'text',
      'text',
      'typescript',
    ]);
  });

  it('are wanted by name, by alias, in any case, or all', () => {
    expect(isLanguageWanted('a.ts', ['typescript', 'go'])).toBe(true);
    expect(isLanguageWanted('a.rs', ['typescript', 'go'])).toBe(false);
    expect(isLanguageWanted('a.cpp', ['C++'])).toBe(true);
    expect(isLanguageWanted('a.h', ['cpp'])).toBe(true);
    expect(isLanguageWanted('a.h', ['c'])).toBe(true);
    expect(isLanguageWanted('a.rb', [' RB '])).toBe(true);
    expect(isLanguageWanted('a.nothing', ['*'])).toBe(true);
    expect(isLanguageWanted('a.nothing', ['text'])).toBe(true);
    expect(isLanguageWanted('a.ts', [])).toBe(false);
  });
});
