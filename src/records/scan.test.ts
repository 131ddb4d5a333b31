import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { TestShelf } from '../../test/fixtures/record-store.ts';
import { sampleRecord } from '../../test/fixtures/sample-records.ts';
import { put } from '../../test/fixtures/temporary.ts';
import { entryOf, scanRecords } from './scan.ts';

let recordStore: TestShelf;
beforeEach(() => {
  recordStore = new TestShelf();
});

const plantDecision = (slug: string, changes = {}): string =>
  recordStore.plant(`decisions/${slug}`, sampleRecord('decision', { id: slug, ...changes }));

describe('a scan', () => {
  it('reads every record of every category, in order', () => {
    plantDecision('b');
    plantDecision('a', { record_status: 'retired' });
    recordStore.plant('runbooks/r', sampleRecord('runbook', { record_status: 'archived' }));
    const { records, problems } = scanRecords(recordStore);
    expect(problems).toEqual([]);
    expect(records.map(({ path: named, slug, status }) => [named, slug, status])).toEqual([
      ['.claude/memory/decisions/a.json', 'a', 'retired'],
      ['.claude/memory/decisions/b.json', 'b', 'active'],
      ['.claude/memory/runbooks/r.json', 'r', 'archived'],
    ]);
    expect(scanRecords(recordStore, { activeOnly: true }).records.map(({ slug }) => slug)).toEqual(['b']);
    const runbook = recordStore.kinds.byName('runbook')!;
    expect(scanRecords(recordStore, { category: runbook }).records.map(({ slug }) => slug)).toEqual(['r']);
  });

  it('of a memory that is not there yet is empty', () => {
    expect(scanRecords(recordStore)).toEqual({ records: [], problems: [] });
  });

  it('leaves out what is no record: other endings, hidden files, folders, temporary files', () => {
    for (const name of ['a.md', '.b.json', '.c.json.0011.cairn-tmp', 'd.json.invalid.1', 'e.JSON'])
      put(path.join(recordStore.root, 'decisions', name), '{}');
    fs.mkdirSync(path.join(recordStore.root, 'decisions/folder.json'));
    expect(scanRecords(recordStore)).toEqual({ records: [], problems: [] });
  });

  it.each<[string, (file: string) => void, RegExp]>([
    ['is not JSON', (file) => put(file, '{'), /not JSON/],
    ['is a list', (file) => put(file, '[]'), /object/],
    ['is not UTF-8', (file) => put(file, Buffer.from([0x7b, 0xff, 0x7d])), /UTF-8/],
    ['is a pipe', (file) => execFileSync('mkfifo', [file]), /regular file/],
    ['is a link to outside', (file) => fs.symlinkSync('/etc/hostname', file), /outside the memory root/],
    ['is a dangling link to outside', (file) => fs.symlinkSync('/nowhere/x.json', file), /outside the memory root/],
    ['is a circle of links', (file) => fs.symlinkSync(file, file), /ELOOP|link/],
    ['has a blank in its name', (file) => put(file.replace('odd', 'o d'), sampleRecord('decision')), /name/],
    ['has a line break in its name', (file) => put(file.replace('odd', 'o\nd'), sampleRecord('decision')), /name/],
    [
      'has an invisible sign in its name',
      (file) => put(file.replace('odd', 'o\u202ed'), sampleRecord('decision')),
      /name/,
    ],
  ])('names a file that %s and goes on with the others', (_, make, message) => {
    plantDecision('good');
    make(recordStore.file('decisions/odd'));
    const { records, problems } = scanRecords(recordStore);
    expect(records.map(({ slug }) => slug)).toEqual(['good']);
    expect(problems).toHaveLength(1);
    expect(problems[0]!.message).toMatch(message);
    expect(problems[0]!.path).not.toMatch(/[\n\u202e]/);
  });

  it('names a folder that leads outside, and one that is none', () => {
    fs.mkdirSync(recordStore.root, { recursive: true });
    const outside = path.join(recordStore.base, 'outside');
    put(path.join(outside, 'a.json'), sampleRecord('decision'));
    fs.symlinkSync(outside, path.join(recordStore.root, 'decisions'));
    put(path.join(recordStore.root, 'runbooks'), 'a file');
    const { records, problems } = scanRecords(recordStore);
    expect(records).toEqual([]);
    expect(problems.map((each) => path.basename(each.path))).toEqual(['decisions', 'runbooks']);
  });

  it('takes a record without a title by its name, and texts among odd tags', () => {
    plantDecision('untitled', { title: 7, tags: ['a', 5] });
    plantDecision('one-tag', { tags: 'solo' });
    plantDecision('no-tags', { tags: null });
    const { records, problems } = scanRecords(recordStore);
    expect(records.map(({ title, tags }) => [title, tags])).toEqual([
      ['Sign sessions into a cookie', []],
      ['Sign sessions into a cookie', ['solo']],
      ['untitled', ['a']],
    ]);
    expect(problems.map((each) => each.path)).toEqual([
      recordStore.indexPath('decisions/one-tag'),
      recordStore.indexPath('decisions/untitled'),
    ]);
  });

  it('cleans titles and tags: what a clone brings is shown on terminals', () => {
    plantDecision('a', { title: '\u001b[31mred\u0007 -> \u202eevil', tags: ['A\u001b[0m', 'b,c', '\u200b'] });
    const [scanned] = scanRecords(recordStore).records;
    expect(scanned!.title).toBe('[31mred - evil');
    expect(scanned!.tags).toEqual(['a[0m', 'b c']);
  });
});

describe('the entry of a record', () => {
  it('shows the category that the record names, if that can be shown', () => {
    plantDecision('misfiled', { category: 'preference' });
    plantDecision('unknown', { category: 'incident' });
    plantDecision('odd', { category: '] -> x' });
    const shown = scanRecords(recordStore).records.map((each) => [each.slug, entryOf(recordStore, each).display]);
    expect(shown).toEqual([
      ['misfiled', 'PREFERENCE'],
      ['odd', 'DECISION'],
      ['unknown', 'INCIDENT'],
    ]);
  });
});
