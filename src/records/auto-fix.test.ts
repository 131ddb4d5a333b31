import { describe, expect, it } from 'vitest';
import { sampleInput } from '../../test/fixtures/sample-records.ts';
import type { JsonObject } from '../model/json.ts';
import { autoFix, normaliseTags } from './auto-fix.ts';

const NOW = '2026-03-01T12:00:00Z';
const fixed = (input: JsonObject, creating = true) => autoFix(input, { now: NOW, creating });
const noted = (notes: readonly string[], field: string): boolean =>
  notes.some((note) => note.startsWith(`[AUTO-FIX] ${field}:`));

describe('a record is put right', () => {
  it.each(['', undefined, null])('schema_version %j becomes 1.0, another one is left for the validator', (given) => {
    const { record, notes } = fixed(sampleInput('decision', { schema_version: given }));
    expect(record.schema_version).toBe('1.0');
    expect(noted(notes, 'schema_version')).toBe(true);
    expect(fixed(sampleInput('decision', { schema_version: '2.0' })).record.schema_version).toBe('2.0');
  });

  it('missing times become now; created_at only when the record is created', () => {
    const made = fixed(sampleInput('decision', { updated_at: '' }));
    expect(made.record).toMatchObject({ created_at: NOW, updated_at: NOW });
    expect(noted(made.notes, 'created_at') && noted(made.notes, 'updated_at')).toBe(true);
    expect(fixed(sampleInput('decision'), false).record.created_at).toBeUndefined();
    const kept = { created_at: '2020-01-01T00:00:00Z', updated_at: '2021-01-01T00:00:00Z' };
    expect(fixed(sampleInput('decision', kept)).record).toMatchObject(kept);
  });

  it('one text as tags becomes a list; commas do not split it', () => {
    expect(fixed(sampleInput('decision', { tags: 'Auth, JWT' })).record.tags).toEqual(['auth jwt']);
  });

  it('an id becomes a slug', () => {
    expect(fixed(sampleInput('decision', { id: '  Use JWT! ' })).record.id).toBe('use-jwt');
    expect(fixed(sampleInput('decision', { id: 5 })).record.id).toBe(5);
  });

  it.each([
    [-1, 0],
    [1.5, 1],
    [0.3, 0.3],
    ['0.5', '0.5'],
    [Infinity, Infinity],
  ])('confidence %j becomes %j', (given, expected) => {
    expect(fixed(sampleInput('decision', { confidence: given })).record.confidence).toBe(expected);
  });

  it.each([
    ['  Use JWT  ', 'Use JWT'],
    ['Use\u0000 J\u001bWT\n', 'Use JWT'],
    ['a -> b', 'a - b'],
    ['a->b', 'a->b'],
    ['a #tags:b', 'a b'],
    ['a #ta#tags:gs:b', 'a b'],
    ['Use \u202eJWT\u200b\u{e0041}', 'Use JWT'],
    ['\ud800 lone', '\ufffd lone'],
  ])('the title %j becomes %j', (given, expected) => {
    const { record, notes } = fixed(sampleInput('decision', { title: given }));
    expect(record.title).toBe(expected);
    expect(noted(notes, 'title')).toBe(given !== expected);
  });

  it('tags are cleaned, each once, sorted; what is no text is dropped; none at all becomes "untagged"', () => {
    const tags = ['  Zebra', 'apple', 'APPLE', 'a,b', 'x -> y', '#tags:z', 5, null, '', '\u200b'];
    expect(fixed(sampleInput('decision', { tags })).record.tags).toEqual(['a b', 'apple', 'x y', 'z', 'zebra']);
    expect(fixed(sampleInput('decision', { tags: [] })).record.tags).toEqual(['untagged']);
    expect(fixed(sampleInput('decision', { tags: [7] })).record.tags).toEqual(['untagged']);
    expect(normaliseTags(['b', 'a', 'b'])).toEqual(['a', 'b']);
  });

  it('of more than twelve tags the first twelve stay, and a warning names the others shortly', () => {
    const tags = Array.from({ length: 14 }, (_, at) => `tag-${String.fromCharCode(97 + at)}`);
    const { record, notes } = fixed(sampleInput('decision', { tags }));
    expect(record.tags).toEqual(tags.slice(0, 12));
    expect(notes).toContain('WARNING: only 12 tags are kept; left out: tag-m, tag-n');
    const many = fixed(sampleInput('decision', { tags: Array.from({ length: 5_000 }, (_, at) => `t${at}`) }));
    expect(many.notes.join('\n').length).toBeLessThan(2_000);
  });

  it('in the order of the rules', () => {
    const { notes } = fixed({ id: 'A B', confidence: 2, title: ' x ', tags: 'Y', content: {} });
    expect(notes.map((note) => note.replace(/^\[AUTO-FIX\] (\w+):.*/, '$1'))).toEqual([
      'schema_version',
      'updated_at',
      'created_at',
      'tags',
      'id',
      'confidence',
      'title',
      'tags',
    ]);
  });
});

describe('what is left alone', () => {
  it('a record that needs nothing comes back as it was, without a note', () => {
    const whole = sampleInput('decision', {
      schema_version: '1.0',
      created_at: NOW,
      updated_at: NOW,
      id: 'x',
      confidence: 1,
    });
    expect(fixed(whole)).toEqual({ record: whole, notes: [] });
  });

  it('the input itself is never changed', () => {
    const input = sampleInput('decision', { title: ' x ', tags: ['B', 'A'] });
    const before = structuredClone(input);
    fixed(input);
    expect(input).toEqual(before);
  });

  it('content, and fields of a wrong type, are for the validator', () => {
    const odd = { title: 5, tags: { a: 1 }, id: null, content: 'x', confidence: 'high', unknown: true };
    expect(fixed(odd).record).toMatchObject(odd);
  });
});

describe('what is never stored', () => {
  const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;

  it('a secret: it is masked wherever it stands, and the note does not repeat it', () => {
    const { record, notes } = fixed(
      sampleInput('decision', { title: `Token ${TOKEN}`, content: { context: `export TOKEN=${TOKEN}` } }),
    );
    expect(JSON.stringify(record)).not.toContain(TOKEN);
    expect(notes.join('\n')).not.toContain(TOKEN);
    expect(notes.filter((note) => note.startsWith('WARNING: a secret was masked'))).toHaveLength(2);
  });

  it('what is private', () => {
    const { record } = fixed(
      sampleInput('decision', {
        title: 'Use <private>the back door</private>JWT',
        tags: ['<private>x</private>auth'],
        content: { rationale: ['<private>he said so', 'fine'] },
      }),
    );
    expect(record.title).toBe('Use JWT');
    expect(record.tags).toEqual(['auth']);
    expect(record.content).toEqual({ rationale: ['', 'fine'] });
  });
});
