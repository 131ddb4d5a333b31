// The line patterns against a parser, on all the TypeScript of this repository; and what holds for any text.

import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { patternsOf } from './line-patterns.ts';
import { type Extract, readLines } from './read-lines.ts';
import { LITERAL, sourceOf } from './source.ts';

let ROOT = import.meta.dirname;
while (!fs.existsSync(path.join(ROOT, 'package.json'))) ROOT = path.dirname(ROOT);
const LANGUAGES = ['typescript', 'python', 'go', 'rust', 'java', 'cpp', 'ruby', 'text'];

function ownFiles(folder: string): string[] {
  return fs
    .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => path.join(folder, name));
}

/** What the parser says that a file exports and imports. */
function parsed(file: string, text: string): { names: string[]; imports: string[] } {
  const { module } = parseSync(file, text);
  const entries = module.staticExports.flatMap((each) => each.entries);
  const reexported = entries.flatMap((each) => each.moduleRequest?.value ?? []);
  return {
    names: entries.flatMap((each) => each.exportName.name ?? []),
    imports: [...module.staticImports.map((each) => each.moduleRequest.value), ...reexported],
  };
}

describe('the patterns for TypeScript', () => {
  it('find what a parser finds in this repository', () => {
    const missed: string[] = [];
    const invented: string[] = [];
    let count = 0;
    for (const file of ['src', 'viewer/src'].flatMap(ownFiles)) {
      const text = fs.readFileSync(path.join(ROOT, file), 'utf8');
      const expected = parsed(file, text);
      const { definitions, imports }: Extract = readLines(text, patternsOf('typescript'));
      const exported = new Set(definitions.filter((each) => each.exported).map((each) => each.name));
      count += expected.names.length + expected.imports.length;
      for (const name of expected.names) if (!exported.has(name)) missed.push(`${file}: ${name}`);
      for (const spec of expected.imports) if (!imports.includes(spec)) missed.push(`${file}: ${spec}`);
      const known = new Set(expected.names);
      for (const each of definitions)
        if (
          each.exported &&
          !each.owner &&
          expected.names.length > 0 &&
          !known.has(each.name) &&
          /^\w+$/.test(each.name)
        )
          invented.push(`${file}: ${each.name}`);
    }
    expect(count).toBeGreaterThan(2_000);
    expect({ missed: missed.slice(0, 20), invented: invented.slice(0, 20) }).toEqual({ missed: [], invented: [] });
  });
});

const PIECES = [
  ...'(){}[]"\'`/\\#=<>;:@,.*% \n\t'.split(''),
  ...[
    '"""',
    "'''",
    '/*',
    '*/',
    '//',
    'r#"',
    '"#',
    'R"x(',
    ')x"',
    '<<~A',
    '\nA\n',
    '%w[',
    '=begin',
    '#if 0',
    '`${',
    '\n\n',
    'é',
    '𝔸',
  ],
  ...[
    'export ',
    'import ',
    'from ',
    'const a',
    'def f',
    'class A',
    'func F',
    'pub fn f',
    'impl ',
    'public ',
    'return ',
  ],
];
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 80 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

describe('the code of any text', () => {
  it('is as long as the text, line by line, and differs only where something is hidden', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGES), anyText, (language, text) => {
        const { code, starts } = sourceOf(text, patternsOf(language).hidden);
        expect(code).toHaveLength(text.length);
        expect(starts).toHaveLength(text.split('\n').length);
        for (let at = 0; at < text.length; at++) {
          if (text[at] === '\n') expect(code[at]).toBe('\n');
          else expect([text[at], ' ', LITERAL]).toContain(code[at]);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('has no definition whose line lies behind the text, and none twice', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGES), anyText, (language, text) => {
        const { definitions } = readLines(text, patternsOf(language));
        for (const { line } of definitions) expect(line).toBeLessThanOrEqual(text.split('\n').length);
        const keys = definitions.map(({ owner = '', name, signature }) => JSON.stringify([owner, name, signature]));
        expect(new Set(keys).size).toBe(keys.length);
      }),
      { numRuns: 500 },
    );
  });
});
