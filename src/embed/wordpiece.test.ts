import fs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateMinilm, minilmTokenizer } from './minilm-package.ts';
import { parseTokenizerJson } from './read-tokenizer.ts';
import { type Tokenizer, wordPieces } from './wordpiece.ts';

const files = await locateMinilm();
const tokenizer: Tokenizer = { ...parseTokenizerJson(minilmTokenizer(files), files.tokenizer), maxTokens: 256 };
const vocab = (JSON.parse(fs.readFileSync(files.tokenizer, 'utf8')) as { model: { vocab: Record<string, number> } })
  .model.vocab;
const nameOf = new Map(Object.entries(vocab).map(([piece, id]) => [id, piece]));
const pieces = (text: string): string =>
  wordPieces(text, tokenizer)
    .slice(1, -1)
    .map((id) => nameOf.get(id))
    .join(' ');

describe('WordPiece', () => {
  it('gives the ids that the model was trained with', () => {
    expect(wordPieces('Hello world', tokenizer)).toEqual([101, 7592, 2088, 102]);
  });

  it('takes unknown words apart, longest piece first', () => {
    expect(pieces('unaffable')).toBe('una ##ffa ##ble');
    expect(pieces('getUserName()')).toBe('get ##user ##name ( )');
  });

  it('folds case and accents, and drops what cannot be seen', () => {
    expect(pieces('Café\u200b RÉSUMÉ\u0000')).toBe(pieces('cafe resume'));
    expect(pieces('e\u0301te\u0301')).toBe(pieces('ete'));
  });

  it('cuts at punctuation of all languages and at each Chinese character', () => {
    expect(pieces('src/auth.ts')).toBe('sr ##c / au ##th . ts');
    expect(pieces('“日本”')).toBe('“ 日 本 ”');
  });

  it('gives one unknown token for a word that is too long or has an unknown part', () => {
    expect(pieces(`a ${'x'.repeat(101)} b`)).toBe('a [UNK] b');
    expect(pieces('a 🦕 b')).toBe('a [UNK] b');
  });

  it('does not take special tokens from a text', () => {
    expect(pieces('[SEP] [CLS]')).toBe('[ sep ] [ cl ##s ]');
  });

  it('reads a bounded part of a huge text', () => {
    for (const text of ['x'.repeat(1_000_000), 'a '.repeat(500_000), 'é'.repeat(1_000_000), '\u0301'.repeat(1_000_000)])
      expect(wordPieces(text, tokenizer).length).toBeLessThanOrEqual(256);
  });

  it('takes any text, gives known tokens within the limit, and the same ones each time', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 600 }), fc.string({ maxLength: 600 })),
        fc.integer({ min: 2, max: 64 }),
        (text, maxTokens) => {
          const ids = wordPieces(text, { ...tokenizer, maxTokens });
          expect(ids.length).toBeGreaterThanOrEqual(2);
          expect(ids.length).toBeLessThanOrEqual(maxTokens);
          expect([ids[0], ids.at(-1)]).toEqual([101, 102]);
          expect(ids.every((id) => nameOf.has(id))).toBe(true);
          expect(wordPieces(text, { ...tokenizer, maxTokens })).toEqual(ids);
        },
      ),
    );
  });

  it('takes half a surrogate pair', () => {
    expect(pieces('a \ud83e b')).toBe('a b');
  });
});
