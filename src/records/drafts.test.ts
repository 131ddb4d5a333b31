// Drafts are bounded in number and age, keep to their folder, and nothing but a draft is taken for one.
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { draftFilesOf, type NewDraft, readDraft, readDrafts, removeDraft, writeDraft } from './drafts.ts';

let root: string;
beforeEach(() => {
  root = path.join(temporaryFolder(), 'memory');
});
const NOW = new Date('2026-03-01T10:00:00Z');
const later = (days: number): Date => new Date(NOW.getTime() + days * 86_400_000);
const draft = (title: string, more: Partial<NewDraft> = {}): NewDraft => ({
  category: 'decision',
  title,
  tags: ['storage'],
  content: { decision: title },
  related_files: [],
  confidence: 0.8,
  session: 'one',
  ...more,
});
const titles = (now = NOW): string[] => readDrafts(root, now).map(({ title }) => title);

describe('a draft', () => {
  it('is there until it is removed, in a folder that git ignores', () => {
    const { id } = writeDraft(root, draft('Use SQLite', { line: 7 }), NOW);
    expect(readDraft(root, id, NOW)).toMatchObject({
      id,
      title: 'Use SQLite',
      line: 7,
      content: { decision: 'Use SQLite' },
    });
    expect(readDraft(root, id.slice(0, 6), NOW).id).toBe(id);
    expect(fs.readFileSync(path.join(root, '.drafts', '.gitignore'), 'utf8')).toBe('*\n');
    expect(removeDraft(root, id)).toBe(true);
    expect(removeDraft(root, id)).toBe(false);
    expect(() => readDraft(root, id, NOW)).toThrow('no draft');
  });

  it('of the same thing in the same conversation is the same', () => {
    writeDraft(root, draft('Use SQLite'), NOW);
    writeDraft(root, draft('Use SQLite', { confidence: 0.9 }), later(1));
    writeDraft(root, draft('Use SQLite', { session: 'two' }), later(2));
    expect(readDrafts(root, later(3)).map(({ session, confidence }) => [session, confidence])).toEqual([
      ['two', 0.8],
      ['one', 0.9],
    ]);
    expect(draftFilesOf(root, new Set(['two']))).toHaveLength(1);
  });

  it('goes after a month, and the oldest go where there are too many', () => {
    for (let at = 0; at < 45; at++) writeDraft(root, draft(`Choice ${at}`), later(at / 100));
    expect(titles(later(1))).toHaveLength(40);
    expect(titles(later(1))[0]).toBe('Choice 44');
    expect(titles(later(31))).toEqual([]);
    writeDraft(root, draft('New'), later(31));
    expect(fs.readdirSync(path.join(root, '.drafts')).filter((name) => name.endsWith('.json'))).toHaveLength(1);
  });

  it('is nothing that only lies there', () => {
    const { id } = writeDraft(root, draft('Use SQLite'), NOW);
    const folder = path.join(root, '.drafts');
    const whole = JSON.parse(fs.readFileSync(path.join(folder, `${id}.json`), 'utf8'));
    put(path.join(folder, 'd-00000000.json'), whole); // another name than it says
    put(path.join(folder, 'd-00000001.json'), '{');
    put(path.join(folder, 'd-00000002.json'), { ...whole, id: 'd-00000002', content: [] });
    put(path.join(folder, 'd-00000003.json'), { ...whole, id: 'd-00000003', title: 'two\nlines' });
    put(path.join(folder, '..json'), whole);
    fs.mkdirSync(path.join(folder, 'd-00000004.json'));
    expect(titles()).toEqual(['Use SQLite']);
    expect(removeDraft(root, '../memory')).toBe(false);
    for (const named of ['', '../x', 'd-9999']) expect(() => readDraft(root, named, NOW)).toThrow('no draft');
  });

  it('is not written where its folder is a link', () => {
    fs.mkdirSync(root, { recursive: true });
    const elsewhere = temporaryFolder();
    fs.symlinkSync(elsewhere, path.join(root, '.drafts'), 'dir');
    expect(() => writeDraft(root, draft('Use SQLite'), NOW)).toThrow('not a folder');
    expect(fs.readdirSync(elsewhere)).toEqual([]);
  });
});
