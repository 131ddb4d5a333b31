// Every row of the pattern table, with secrets generated at run time: found wherever it stands, gone afterwards, named
// by its kind. And the table in docs/REDACTION.md lists exactly these rows.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fill, SecretPattern } from './pattern.ts';
import { redact } from './redact.ts';
import { secretPatterns } from './secret-patterns.ts';

const patterns = secretPatterns();

/** The characters of a class such as `A-Za-z0-9_`; a `-` at the end stands for itself. */
function expand(charClass: string): string {
  return charClass.replace(/(.)-(.)/g, (_range, from: string, to: string) => {
    let letters = '';
    for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code += 1) letters += String.fromCharCode(code);
    return letters;
  });
}

/** Random letters of a class, with one of each case and a digit near the front, as real tokens have. */
function filler(numbers: () => number): Fill {
  return (charClass, length) => {
    const letters = expand(charClass);
    const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/].map((kind) => Array.from(letters).find((letter) => kind.test(letter)));
    const start = kinds.filter((letter) => letter !== undefined).join('');
    let text = length > 8 ? start : '';
    while (text.length < length) text += letters[numbers() % letters.length];
    // Real tokens do not end in a separator, and a boundary after one would be ambiguous.
    return text.slice(0, length).replace(/[^A-Za-z0-9]$/, letters[0]!);
  };
}

function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}

const ordinary = fc
  .array(
    fc.constantFrom('the', 'build', 'is', 'green', 'x = 1;', 'return y', 'α', '😀', '{', '}', '# note', 'v1.2.3'),
    { maxLength: 12 },
  )
  .map((words) => words.join(' '));
const glue = fc.constantFrom(' ', '\n', ' "', '\t', ' `', ' (', '\\n');

const title = (pattern: SecretPattern) => `${pattern.kind}: ${pattern.description}`;

describe('the pattern table', () => {
  it.each(patterns.map((pattern) => [title(pattern), pattern] as const))('finds %s in any text', (_title, pattern) => {
    fc.assert(
      fc.property(fc.integer(), ordinary, ordinary, glue, (seed, before, after, gap) => {
        const [lead, secret, tail] = pattern.example(filler(generator(seed)));
        const { text, found } = redact(`${before}${gap}${lead}${secret}${tail} ${after}`);
        expect(found.map((one) => one.kind)).toContain(pattern.kind);
        expect(text).not.toContain(secret);
        expect(text).not.toContain(secret.slice(0, -4));
        expect(text).not.toContain(secret.slice(4, -4));
        expect(text.startsWith(before)).toBe(true);
        expect(text.endsWith(after)).toBe(true);
        expect(redact(text)).toEqual({ text, found: [] });
      }),
      { numRuns: 60 },
    );
  });

  it('has rows that the search can use', () => {
    for (const { kind, description, anchors, ignoreCase } of patterns) {
      expect(kind).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      expect(kind.length).toBeLessThanOrEqual(40);
      expect(description).not.toMatch(/[|\n]/);
      for (const anchor of anchors) {
        expect(anchor.length).toBeGreaterThanOrEqual(3);
        if (ignoreCase) expect(anchor).toBe(anchor.toLowerCase());
      }
    }
  });

  it('takes for a secret what is as long as it was: a shorter or longer rule shows here', async () => {
    const lengths = patterns.map((pattern) => {
      const [, secret] = pattern.example(filler(generator(1)));
      return `${pattern.kind} ${pattern.anchors.join(' ')} ${secret.length}`;
    });
    await expect(`${lengths.join('\n')}\n`).toMatchFileSnapshot('fixtures/secret-lengths.txt');
  });

  it('is listed row by row in docs/REDACTION.md', () => {
    const doc = readFileSync(new URL('../../../docs/REDACTION.md', import.meta.url), 'utf8');
    const rows = doc.matchAll(/^\| `([a-z0-9-]+)` +\| (.+?) +\|$/gm);
    expect(Array.from(rows, ([, kind, description]) => ({ kind, description }))).toEqual(
      patterns.map(({ kind, description }) => ({ kind, description })),
    );
  });
});
