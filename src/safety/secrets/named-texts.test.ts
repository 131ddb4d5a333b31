import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  findNamed,
  holdsNamed,
  lineWithoutNamed,
  maskNamed,
  nameText,
  useNamedTexts,
  withoutNamed,
} from './named-texts.ts';
import { redact, redactDeep } from './redact.ts';

const KEY = 'a'.repeat(64);
const use = (text: string, as: 'remove' | 'mask' = 'remove'): void =>
  useNamedTexts({ key: KEY, texts: nameText(KEY, text, as) });

afterEach(() => useNamedTexts(undefined));

describe('texts that the user named', () => {
  it('are found at every mention, whatever their case and their blanks', () => {
    use('Project Zorblax');
    const text = 'project zorblax, PROJECT\n  ZORBLAX; and Project Zorblaxes';
    expect(findNamed(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'project zorblax',
      'PROJECT\n  ZORBLAX',
      'Project Zorblax',
    ]);
  });

  it('are found as names of files and ids write them', () => {
    use('Project Zorblax');
    expect(maskNamed('see [[decision-001-project-zorblax]] and project_zorblax.ts')).toBe(
      'see [[decision-001-[redacted:text:…]]] and [redacted:text:…].ts',
    );
  });

  it('are in a text that mentions them, and in no other', () => {
    use('Project Zorblax');
    expect(holdsNamed('all about project zorblax')).toBe(true);
    expect(holdsNamed('all about projects')).toBe(false);
    expect(holdsNamed('')).toBe(false);
  });

  it('are not in what is kept of them', () => {
    const kept = JSON.stringify(nameText(KEY, 'Project Zorblax', 'remove'));
    expect(kept.toLowerCase()).not.toMatch(/zorb|project/);
  });

  it('are found exactly where a plain search finds them', () => {
    fc.assert(
      fc.property(
        fc
          .string({ unit: fc.constantFrom(...'abAB '), minLength: 3, maxLength: 6 })
          .filter((s) => s.trim().length >= 3),
        fc.string({ unit: fc.constantFrom(...'abAB '), maxLength: 60 }),
        (name, text) => {
          useNamedTexts({ key: KEY, texts: nameText(KEY, name, 'mask').slice(0, 1) });
          const plain = (some: string): string => some.toLowerCase().replace(/ +/g, ' ');
          expect(findNamed(text).length > 0).toBe(plain(text).includes(plain(name.trim())));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('take the statement with them, and leave the others', () => {
    use('zorblax');
    expect(withoutNamed('We use Redis. The Zorblax deal is off! Then we ship.\nNext line')).toBe(
      'We use Redis. Then we ship.\nNext line',
    );
    expect(withoutNamed('only zorblax here')).toBe('');
    expect(withoutNamed('/home/me/zorblax/x.ts')).toBe('/home/me/[redacted:text:…]/x.ts');
  });

  it('leave a line of a transcript JSON', () => {
    use('zorblax');
    const line = JSON.stringify({ a: 'x. Zorblax is it. y', zorblax: [1, { b: 'Zorblax' }], uuid: 'u' });
    const clean = lineWithoutNamed(line);
    expect(clean).not.toMatch(/zorblax/i);
    expect(JSON.parse(clean)).toMatchObject({ a: 'x. y', uuid: 'u' });
    expect(lineWithoutNamed('{"a":"nothing"}')).toBe('{"a":"nothing"}');
  });

  it('are masked by everything that masks secrets', () => {
    use('zorblax', 'mask');
    expect(redact('the Zorblax file').text).toBe('the [redacted:text:…] file');
    expect(redactDeep({ title: 'a', zorblax: ['Zorblax'] }).value).toEqual({
      title: 'a',
      '[redacted:text:…]': ['[redacted:text:…]'],
    });
    useNamedTexts(undefined);
    expect(redact('the Zorblax file').text).toBe('the Zorblax file');
  });
});
