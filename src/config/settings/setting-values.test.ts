import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectedBy, plainText, readTyped, readValue, showValue } from './setting-values.ts';
import { type Setting, settingsFor } from './settings.ts';

const rows = settingsFor(['glossary']);
const row = (path: string): Setting => rows.get(path)!;
const read = (path: string, raw: unknown) => {
  const reading = readValue(row(path), raw);
  return reading.ok ? reading.value : 'refused';
};
const typed = (path: string, text: string) => {
  const reading = readTyped(row(path), text);
  return reading.ok ? reading.value : 'refused';
};

describe('a whole number', () => {
  it.each([
    [7, 7],
    [7.9, 7],
    ['7', 7],
    [' 7 ', 7],
    ['+7', 7],
    [100, 20],
    [-4, 0],
    [-0.5, 0],
    ['9'.repeat(400), 20],
    [1e300, 20],
  ])('is read from %j', (raw, value) => {
    expect(read('retrieval.max_inject', raw)).toBe(value);
  });

  it.each([['7.9'], ['all'], [''], [[3]], [{}], [null], [true], [Number.NaN], [Number.POSITIVE_INFINITY], ['0x10']])(
    'is not made of %j',
    (raw) => {
      expect(read('retrieval.max_inject', raw)).toBe('refused');
    },
  );

  it('is refused, not moved, where the nearest value would delete memories at once', () => {
    expect(read('delete.grace_period_days', 0)).toBe(0);
    expect(read('delete.grace_period_days', '30')).toBe(30);
    expect(read('delete.grace_period_days', -1)).toBe('refused');
    expect(read('delete.grace_period_days', 0.5)).toBe('refused');
  });

  it('says when it had to be changed', () => {
    expect(readValue(row('retrieval.max_inject'), 100)).toEqual({ ok: true, value: 20, changed: true });
    expect(readValue(row('retrieval.max_inject'), 20)).toEqual({ ok: true, value: 20, changed: false });
  });
});

describe('a threshold', () => {
  it.each([
    [0.15, 0.15],
    ['0.15', 0.15],
    ['.5', 0.5],
    ['1e-1', 0.1],
    [7, 1],
    [-1, 0],
  ])('is read from %j', (raw, value) => {
    expect(read('triage.thresholds.decision', raw)).toBe(value);
  });

  it.each([[JSON.parse('1e999')], [Number.NaN], [null], ['high'], ['NaN'], ['Infinity'], ['1e999'], [false]])(
    'is not made of %j',
    (raw) => {
      expect(read('triage.thresholds.decision', raw)).toBe('refused');
    },
  );
});

describe('other values', () => {
  it('are booleans only if they are booleans', () => {
    expect(read('triage.enabled', false)).toBe(false);
    for (const raw of ['false', 0, 1, null, 'yes']) expect(read('triage.enabled', raw)).toBe('refused');
  });

  it('take the names of models in any case', () => {
    expect(read('triage.parallel.category_models.decision', 'OPUS')).toBe('opus');
    expect(read('triage.parallel.default_model', 'gpt')).toBe('refused');
  });

  it('cut a description at 500 characters, and not through one', () => {
    expect(read('categories.decision.description', 'x'.repeat(600))).toHaveLength(500);
    const smileys = read('categories.decision.description', '😀'.repeat(600)) as string;
    expect(Array.from(smileys)).toHaveLength(500);
    expect(smileys.endsWith('😀')).toBe(true);
    expect(read('categories.decision.description', 12)).toBe('refused');
  });

  it('are lists of texts, each once', () => {
    expect(read('capture.auto_summarize_languages', ['go', ' go ', 'rust'])).toEqual(['go', 'rust']);
    for (const raw of [['go', 3], 'go', [''], ['a\nb'], { 0: 'go' }])
      expect(read('capture.auto_summarize_languages', raw)).toBe('refused');
  });

  it('declare the fields of a category, all or nothing', () => {
    const fields = { term: 'text', uses: 'list', state: ['draft', 'final'] };
    expect(read('categories.glossary.fields', fields)).toEqual(fields);
    for (const raw of [
      {},
      { term: 'number' },
      { Term: 'text' },
      { constructor: 'text' },
      { state: [] },
      { state: [1] },
      [],
      null,
      JSON.parse('{"__proto__": "text"}'),
    ])
      expect(read('categories.glossary.fields', raw), JSON.stringify(raw)).toBe('refused');
  });
});

describe('typed values', () => {
  it('are booleans in the usual words', () => {
    for (const word of ['true', 'YES', 'on', '1']) expect(typed('triage.enabled', word)).toBe(true);
    for (const word of ['false', 'No', 'off', '0']) expect(typed('triage.enabled', word)).toBe(false);
    for (const word of ['maybe', 'constructor', '']) expect(typed('triage.enabled', word)).toBe('refused');
  });

  it('are lists with commas or as JSON', () => {
    expect(typed('capture.auto_summarize_languages', 'go, rust')).toEqual(['go', 'rust']);
    expect(typed('capture.auto_summarize_languages', '["go","rust"]')).toEqual(['go', 'rust']);
    expect(typed('capture.auto_summarize_languages', '["go"')).toBe('refused');
  });

  it('are texts with or without quotes', () => {
    expect(typed('categories.decision.description', 'Why we did it')).toBe('Why we did it');
    expect(typed('categories.decision.description', '"Why we did it"')).toBe('Why we did it');
    expect(typed('categories.decision.description', '"Why" we did it')).toBe('"Why" we did it');
  });
});

describe('a value in a message', () => {
  it('is one line of at most 80 characters without anything that moves a terminal', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary', maxLength: 400 })), (raw) => {
        const shown = showValue(raw);
        expect(Array.from(shown).length).toBeLessThanOrEqual(80);
        expect(shown).not.toMatch(/[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e]/);
      }),
    );
  });

  it('survives values that are nested too deep to print', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(showValue(deep)).toBe('[…]');
  });

  it('keeps short text as it is', () => {
    expect(plainText('a\u202eb\u0007c')).toBe('abc');
  });
});

it('names what each setting takes', () => {
  for (const setting of rows.values()) expect(expectedBy(setting)).not.toMatch(/undefined/);
});
