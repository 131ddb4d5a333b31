import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, detail, failure, HOUR, TestShelf } from '../../test/fixtures/record-store.ts';
import {
  FOLDERS,
  SAMPLE_CATEGORIES,
  sampleContent,
  sampleInput,
  sampleRecord,
} from '../../test/fixtures/sample-records.ts';
import { snapshot } from '../../test/fixtures/temporary.ts';
import { createRecord } from './create-record.ts';

let recordStore: TestShelf;
beforeEach(() => {
  recordStore = new TestShelf();
});

/** Nothing may have been written, not even a folder. */
const untouched = (): void => expect(fs.existsSync(recordStore.root)).toBe(false);

describe('creating a record', () => {
  it.each(SAMPLE_CATEGORIES)('of %s writes a valid file and its line in the index', async (category) => {
    const name = `${FOLDERS[category]}/sample`;
    const { result, touched } = await recordStore.create(name, sampleInput(category));
    const input = sampleInput(category);
    expect(result).toEqual({
      status: 'created',
      target: recordStore.indexPath(name),
      id: 'sample',
      title: input.title,
    });
    expect(recordStore.read(name)).toEqual({
      schema_version: '1.0',
      category,
      id: 'sample',
      title: input.title,
      record_status: 'active',
      created_at: '2026-03-01T12:00:00Z',
      updated_at: '2026-03-01T12:00:00Z',
      tags: ['sample'],
      content: sampleContent(category),
    });
    expect(recordStore.lines).toEqual([
      `- [${category.toUpperCase()}] ${input.title} -> ${recordStore.indexPath(name)} #tags:sample`,
    ]);
    expect(touched).toEqual([recordStore.file(name), path.join(recordStore.root, 'index.md')]);
  });

  it('leaves no temporary file and no lock', async () => {
    await recordStore.create('decisions/a', sampleInput('decision'));
    expect(Object.keys(snapshot(recordStore.root)).sort()).toEqual(['decisions', 'decisions/a.json', 'index.md']);
  });

  it('keeps times that the input brings', async () => {
    const times = { created_at: '2020-05-05T05:05:05Z', updated_at: '2021-05-05T05:05:05Z' };
    await recordStore.create('decisions/a', sampleInput('decision', times));
    expect(recordStore.read('decisions/a')).toMatchObject(times);
  });

  it('puts the line at its sorted place', async () => {
    for (const title of ['Mangoes', 'apples', 'Zebras'])
      await recordStore.create(`decisions/${title.toLowerCase()}`, sampleInput('decision', { title }));
    await recordStore.create('constraints/z', sampleInput('constraint', { title: 'Zzz' }));
    expect(recordStore.lines.map((line) => line.split(' -> ')[0])).toEqual([
      '- [CONSTRAINT] Zzz',
      '- [DECISION] apples',
      '- [DECISION] Mangoes',
      '- [DECISION] Zebras',
    ]);
  });

  it('lists what was there before, too, if there was no index', async () => {
    recordStore.plant('runbooks/old', sampleRecord('runbook', { id: 'old' }));
    await recordStore.create('decisions/a', sampleInput('decision'));
    expect(recordStore.lines).toHaveLength(2);
  });
});

describe('what a new record is, whatever the input says', () => {
  it('active, without the marks of other states', async () => {
    const marks = {
      record_status: 'retired',
      retired_at: '2026-01-01T00:00:00Z',
      retired_reason: 'x',
      archived_at: '2026-01-01T00:00:00Z',
      archived_reason: 'x',
    };
    await recordStore.create('decisions/a', sampleInput('decision', marks));
    const record = recordStore.read('decisions/a');
    expect(record.record_status).toBe('active');
    expect(Object.keys(record).filter((field) => /^(?:retired|archived)_/.test(field))).toEqual([]);
  });

  it('of the category that the caller named, with a note', async () => {
    const { notes } = await recordStore.create('decisions/a', sampleInput('decision', { category: 'preference' }));
    expect(recordStore.read('decisions/a').category).toBe('decision');
    expect(notes.join('\n')).toContain('[AUTO-FIX] category: "preference" is "decision"');
  });

  it.each(['other', '!!!', undefined])('called by its file name, not by the id %j', async (id) => {
    await recordStore.create('decisions/a', sampleInput('decision', { id }));
    expect(recordStore.read('decisions/a').id).toBe('a');
  });
});

describe('a record that is refused', () => {
  it('because its content belongs to another category', async () => {
    const error = await failure(recordStore.create('decisions/a', sampleInput('preference')));
    expect(error.code).toBe('VALIDATION_ERROR');
    untouched();
  });

  it.each<[string, { [field: string]: unknown }]>([
    ['tags', { tags: undefined }],
    ['title', { title: '\u200b' }],
    ['id', { id: 5 }],
    ['surprise', { surprise: 1 }],
    ['__proto__', JSON.parse('{"__proto__": {"polluted": true}}')],
  ])('because of its %s', async (field, changes) => {
    const input = { ...sampleInput('decision') };
    for (const [key, value] of Object.entries(changes))
      Object.defineProperty(input, key, { value, enumerable: true, configurable: true, writable: true });
    const error = await failure(recordStore.create('decisions/a', input));
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(detail(error, 'field')).toBe(field);
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
    untouched();
  });

  it.each([
    ['a folder of another category', 'preferences/a'],
    ['the index', 'index'],
    ['the configuration', 'memory-config'],
    ['a folder that nobody declared', 'nodes/a'],
    ['a deeper folder', 'decisions/sub/a'],
    ['a way out', '../../../escape'],
    ['a way out and in again elsewhere', 'decisions/../../x'],
  ])('because its target is %s', async (_, name) => {
    const error = await failure(recordStore.create(name, sampleInput('decision'), 'decision'));
    expect(error.code).toBe('PATH_ERROR');
    expect(error.fix).toBeTruthy();
    untouched();
  });

  it.each(['Upper', 'with space', 'ends-', 'x'.repeat(81), '.hidden', 'ü'])(
    'because its file could not be its id: %s',
    async (slug) => {
      const error = await failure(recordStore.create(`decisions/${slug}`, sampleInput('decision')));
      expect(error.code).toBe('VALIDATION_ERROR');
      expect(detail(error, 'field')).toBe('id');
      untouched();
    },
  );

  it('because it is no JSON file', async () => {
    const request = {
      category: 'decision',
      target: 'decisions/a.md',
      cwd: recordStore.root,
      record: sampleInput('decision'),
    };
    expect((await failure(createRecord(recordStore, request))).code).toBe('PATH_ERROR');
  });

  it('because nobody knows its category, or it is switched off', async () => {
    const unknown = await failure(recordStore.create('decisions/a', sampleInput('decision'), 'idea'));
    expect(unknown.code).toBe('CATEGORY_ERROR');
    expect(unknown.fix).toContain('session_summary, decision');
    recordStore.rules.categories.decision.enabled = false;
    const off = await failure(recordStore.create('decisions/a', sampleInput('decision')));
    expect(off.code).toBe('CATEGORY_ERROR');
    expect(off.fix).toContain('cairn config set categories.decision.enabled true');
    untouched();
  });

  it('because of a history that is too long', async () => {
    const changes = Array.from({ length: 60 }, (_, at) => ({ date: '2026-01-01', summary: `${at}` }));
    await recordStore.create('decisions/a', sampleInput('decision', { changes }));
    expect(recordStore.read('decisions/a').changes).toEqual(changes.slice(10)); // not refused: the newest stay
  });
});

describe('a name that is taken', () => {
  it('by an active or an archived record is refused, and the record stays', async () => {
    await recordStore.create('decisions/a', sampleInput('decision'));
    const before = snapshot(recordStore.root);
    const active = await failure(recordStore.create('decisions/a', sampleInput('decision', { title: 'Other' })));
    expect(active.code).toBe('CREATE_ERROR');
    expect(active.fix).toContain('--action update');
    expect(snapshot(recordStore.root)).toEqual(before);
    await recordStore.archive('decisions/a');
    const archived = await failure(recordStore.create('decisions/a', sampleInput('decision')));
    expect(archived.code).toBe('CREATE_ERROR');
    expect(archived.fix).toContain('Unarchive');
  });

  it('by a record that was retired less than 24 hours ago is refused', async () => {
    await recordStore.create('decisions/a', sampleInput('decision'));
    await recordStore.retire('decisions/a');
    recordStore.time += DAY - 1000;
    const error = await failure(recordStore.create('decisions/a', sampleInput('decision')));
    expect(error.code).toBe('ANTI_RESURRECTION_ERROR');
    expect(detail(error, 'target')).toBe(recordStore.indexPath('decisions/a'));
    expect(detail(error, 'retired_at')).toBe('2026-03-01T12:00:00Z');
    expect(error.fix).toContain('24 hours');
  });

  it('by a record that was retired 24 hours ago is taken over; a copy of the old one is kept', async () => {
    await recordStore.create('decisions/a', sampleInput('decision'));
    await recordStore.retire('decisions/a');
    const old = fs.readFileSync(recordStore.file('decisions/a'), 'utf8');
    recordStore.time += DAY;
    const { notes } = await recordStore.create('decisions/a', sampleInput('decision', { title: 'Anew' }));
    expect(recordStore.read('decisions/a').title).toBe('Anew');
    expect(recordStore.lines).toHaveLength(1);
    const copies = Object.entries(snapshot(recordStore.deletedCopies)).filter(([, content]) =>
      content.startsWith('file'),
    );
    expect(copies.map(([, content]) => content.slice('file '.length))).toEqual([old]);
    expect(notes.join('\n')).toContain('A copy of the old file');
  });

  it.each([
    ['without a zone, as UTC', '2026-03-01T11:00:00', 'ANTI_RESURRECTION_ERROR'],
    ['with a zone', '2026-03-01T15:30:00+04:00', 'ANTI_RESURRECTION_ERROR'],
    ['in the future', '2027-01-01T00:00:00Z', 'ANTI_RESURRECTION_ERROR'],
    ['that is none', 'recently', undefined],
    ['that is missing', undefined, undefined],
  ])('by a retired record with a time %s', async (_, retired_at, code) => {
    recordStore.plant('decisions/a', sampleRecord('decision', { record_status: 'retired', retired_at }));
    const work = recordStore.create('decisions/a', sampleInput('decision'));
    if (code) expect((await failure(work)).code).toBe(code);
    else expect((await work).result.status).toBe('created');
  });

  it('by a file that cannot be read is taken over; a copy of it is kept', async () => {
    recordStore.plant('decisions/a', '{broken');
    await recordStore.create('decisions/a', sampleInput('decision'));
    expect(Object.values(snapshot(recordStore.deletedCopies))).toContain('file {broken');
  });

  it('by a folder is refused', async () => {
    fs.mkdirSync(recordStore.file('decisions/a'), { recursive: true });
    expect((await failure(recordStore.create('decisions/a', sampleInput('decision')))).code).toBe('READ_ERROR');
  });
});

describe('an index that stands in the way', () => {
  it('of the write is told before anything is written', async () => {
    fs.mkdirSync(path.join(recordStore.root, 'index.md'), { recursive: true });
    expect((await failure(recordStore.create('decisions/a', sampleInput('decision')))).code).toBe('INDEX_ERROR');
    expect(recordStore.has('decisions/a')).toBe(false);
  });

  it('because it cannot be read is made anew', async () => {
    recordStore.plant('runbooks/old', sampleRecord('runbook', { id: 'old' }));
    fs.writeFileSync(path.join(recordStore.root, 'index.md'), Buffer.from([0xff, 0xfe, 0x0a]));
    await recordStore.create('decisions/a', sampleInput('decision'));
    expect(recordStore.lines).toHaveLength(2);
  });

  it('because it is a link to elsewhere is replaced, and nothing of what it leads to is copied', async () => {
    await recordStore.create('decisions/a', sampleInput('decision'));
    const secret = path.join(recordStore.base, 'secret');
    const text = 'PRIVATE WORDS\n\n## Project Context\n\nPRIVATE\n\n## Notes\nPRIVATE\n';
    fs.writeFileSync(secret, text);
    fs.rmSync(path.join(recordStore.root, 'index.md'));
    fs.symlinkSync(secret, path.join(recordStore.root, 'index.md'));
    await recordStore.create('decisions/b', sampleInput('decision'));
    expect(fs.readFileSync(secret, 'utf8')).toBe(text);
    expect(recordStore.index).not.toContain('PRIVATE');
    expect(recordStore.lines).toHaveLength(2);
  });
});

it('a category of one’s own is written, listed and kept apart like the six', async () => {
  recordStore.declare('incident', {
    folder: 'incidents',
    fields: { summary: 'text', steps: 'list' },
    required: ['summary'],
  });
  const record = { title: 'Disk full', tags: ['ops'], content: { summary: 'The disk was full' } };
  await recordStore.create('incidents/disk-full', record);
  expect(recordStore.read('incidents/disk-full')).toMatchObject({ category: 'incident', id: 'disk-full' });
  expect(recordStore.lines).toEqual(['- [INCIDENT] Disk full -> .claude/memory/incidents/disk-full.json #tags:ops']);
  const error = await failure(recordStore.create('incidents/b', { ...record, content: { steps: ['x'], cause: 'y' } }));
  expect(error.details.filter(([name]) => name === 'field').map(([, field]) => field)).toEqual([
    'content.summary',
    'content.cause',
  ]);
  recordStore.time += HOUR;
  await recordStore.edit('incidents/disk-full', { content: { summary: 'The disk was full again' } });
  expect(recordStore.read('incidents/disk-full').changes).toMatchObject([
    { summary: 'Edited' },
    { field: 'content.summary' },
  ]);
});
