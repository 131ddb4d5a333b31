import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldFile, foldName } from './fold-name.ts';

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const VARIANTS: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join('_'),
  (words) => words.join('-'),
  (words) => words.join(' '),
  (words) => words.map((word) => word.toUpperCase()).join('_'),
  (words) => words.map(capital).join(''),
  (words) => words.map(capital).join(' '),
  ([first = '', ...others]) => first + others.map(capital).join(''),
];
const parts = fc.array(fc.stringMatching(/^[a-z]{2,9}[0-9]?$/), { minLength: 1, maxLength: 5 });

describe('the name that a thing is stored under', () => {
  it('is one for all spellings', () => {
    for (const [first = '', ...others] of [
      [
        'feedPrivateKeyEncrypted',
        'feed_private_key_encrypted',
        'FeedPrivateKeyEncrypted',
        'FEED_PRIVATE_KEY_ENCRYPTED',
      ],
      ['NuShell', 'Nushell', 'nushell', 'nu-shell'],
      ['TideTable', 'tide-table', 'tidetable', 'Tide Table', 'TIDE_TABLE'],
      ['userId', 'user_id', 'UserID', 'userid'],
      ['FEEDKey', 'feedKey', 'feed_key'],
      ['_parentEvaluationId', 'parent_evaluation_id'],
    ])
      for (const other of others) expect(foldName(other), other).toBe(foldName(first));
    expect(foldFile('STATE.md')).toBe(foldFile('state.md'));
  });

  it('stays readable where it is long', () => {
    expect(foldName('feedPrivateKeyEncrypted')).toBe('feed private key encrypted');
    expect(foldName('publicKey')).toBe('publickey');
    expect(foldName('control-v1.1')).toBe('controlv1.1');
  });

  it('is the same for every way to join words', () => {
    fc.assert(
      fc.property(parts, fc.constantFrom(...VARIANTS), fc.constantFrom(...VARIANTS), (words, one, other) => {
        expect(foldName(one(words))).toBe(foldName(other(words)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is folded already', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          parts.map((words) => words.join('_')),
        ),
        (written) => {
          expect(foldName(foldName(written))).toBe(foldName(written));
          expect(foldFile(foldFile(written))).toBe(foldFile(written));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
