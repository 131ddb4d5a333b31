import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOTE_ID } from '../model/notes.ts';
import { fileNoteId, slugOf, withDigest } from './note-id.ts';

describe('the id of a file note', () => {
  it('is the path with dashes', () => {
    expect(fileNoteId('src/auth.ts')).toBe('file-src-auth-ts');
    expect(fileNoteId('/src/Auth.ts')).toBe('file-src-auth-ts');
    expect(fileNoteId('')).toBe('file-root');
    expect(fileNoteId('/\u65e5.ts')).toBe(fileNoteId('./\u65e5.ts'));
  });

  it('tells paths apart that are long or in another script', () => {
    const long = 'packages/'.repeat(12);
    const ids = [`${long}a.ts`, `${long}b.ts`, '\u65e5\u672c.ts', '\u4e2d\u56fd.ts', '\u0444\u0430\u0439\u043b.ts'].map(
      fileNoteId,
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids[0]).toMatch(/^file-packages-packages-.*-[0-9a-f]{8}$/);
  });

  it('is the same for the same name, composed or not', () => {
    expect(fileNoteId('caf\u00e9.ts')).toBe(fileNoteId('cafe\u0301.ts'));
  });

  it('can always be the name of a file', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (file) => {
        expect(fileNoteId(file)).toMatch(NOTE_ID);
        expect(withDigest(`task-${slugOf(file)}`, file)).toMatch(NOTE_ID);
      }),
    );
  });
});
