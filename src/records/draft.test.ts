import { describe, expect, it } from 'vitest';
import { SAMPLE_CATEGORIES } from '../../test/fixtures/sample-records.ts';
import { Kinds } from '../model/kinds.ts';
import { autoFix } from './auto-fix.ts';
import { type Ask, draftRecord, type Given, titleOf } from './draft.ts';
import { recordProblems } from './validate.ts';

const kinds = new Kinds({
  incident: { fields: { summary: 'text', steps: 'list', level: ['low', 'high'] }, required: ['summary', 'steps'] },
});
const nobody: Ask = () => Promise.resolve(undefined);
const draft = (category: string, text: string, given: Partial<Given> = {}, ask: Ask = nobody) =>
  draftRecord(kinds.byName(category)!, { text, ...given }, ask);
const contentOf = async (category: string, text: string, given: Partial<Given> = {}) =>
  (await draft(category, text, given)).record.content as { [field: string]: unknown };

describe('a draft', () => {
  it.each([...SAMPLE_CATEGORIES, 'incident'])('of %s from one sentence is a valid record', async (name) => {
    const category = kinds.byName(name)!;
    const { record } = await draft(name, 'Use SQLite because it needs no server.');
    const fixed = autoFix(record, { now: '2026-01-01T00:00:00Z', creating: true }).record;
    expect(recordProblems(category, { id: 'x', record_status: 'active', ...fixed })).toEqual([]);
  });

  it('reads the reason behind "because" and its like', async () => {
    expect(await contentOf('decision', 'Use SQLite because it needs no server')).toMatchObject({
      decision: 'Use SQLite',
      rationale: ['it needs no server'],
      status: 'accepted',
    });
    expect(await contentOf('constraint', 'No more than 100 mails, due to the contract')).toMatchObject({
      rule: 'No more than 100 mails',
      impact: ['the contract'],
    });
    expect(await contentOf('preference', 'Tabs since forever')).toMatchObject({ value: 'Tabs', reason: 'forever' });
    expect(await contentOf('tech_debt', 'Dates are copied so that the release is on time')).toMatchObject({
      description: 'Dates are copied',
      reason_deferred: 'the release is on time',
    });
    expect(await contentOf('decision', 'Because we can')).toMatchObject({ decision: 'Because we can' });
  });

  it('reads steps and next actions from lines', async () => {
    expect(await contentOf('runbook', 'Disk is full\n1. Prune the images\n- Build again')).toMatchObject({
      trigger: 'Disk is full',
      steps: ['Prune the images', 'Build again'],
    });
    expect(await contentOf('session_summary', 'Split the parser\n- Parser compiles\n- Next: publish it')).toMatchObject(
      {
        goal: 'Split the parser',
        completed: ['Parser compiles'],
        next_actions: ['publish it'],
      },
    );
  });

  it('marks what nobody stated, and names it', async () => {
    const { record, assumed } = await draft('decision', 'Use SQLite');
    expect(assumed).toEqual(['context', 'rationale']);
    expect(record.content).toMatchObject({ context: 'Not stated.', rationale: ['Not stated.'] });
  });

  it('asks for what is missing, field by field, and takes the answers', async () => {
    const asked: string[] = [];
    const ask: Ask = (field) => {
      asked.push(field);
      return Promise.resolve(field === 'context' ? '  We need a store  ' : '');
    };
    const { record, assumed } = await draft('decision', 'Use SQLite', {}, ask);
    expect(asked).toEqual(['context', 'rationale']);
    expect(assumed).toEqual(['rationale']);
    expect(record.content).toMatchObject({ context: 'We need a store' });
  });

  it('lets typed fields win, and gives them the type of the field', async () => {
    const fields = { active: ['no'], impact: ['one', 'two'], severity: ['low', 'high'], nonsense: ['x', 'y'] };
    expect(await contentOf('constraint', 'A rule', { fields })).toMatchObject({
      active: false,
      impact: ['one', 'two'],
      severity: 'high',
      nonsense: 'x y',
    });
    expect(await contentOf('constraint', 'A rule', { fields: { active: ['perhaps'] } })).toMatchObject({
      active: 'perhaps',
    });
  });

  it('takes title, tags, files and confidence as given, and tags from the title otherwise', async () => {
    const { record } = await draft('decision', 'Use SQLite for the index', {
      title: 'Index store',
      tags: ['a'],
      relatedFiles: ['src/x.ts'],
      confidence: 0.9,
    });
    expect(record).toMatchObject({ title: 'Index store', tags: ['a'], related_files: ['src/x.ts'], confidence: 0.9 });
    expect((await draft('decision', 'Use SQLite for the index')).record.tags).toEqual(['sqlite', 'index']);
    expect((await draft('decision', '認証')).record.tags).toEqual([]);
  });

  it('drops what cannot be seen', async () => {
    expect((await draft('decision', 'Use\u200b SQLite\u202e now\r\nor later')).record.title).toBe('Use SQLite now');
  });
});

describe('what must not be kept', () => {
  const token = `ghp_${'aB3'.repeat(12)}`;
  const key = [
    '-----BEGIN RSA PRIVATE KEY-----',
    'MIIE'.repeat(16),
    'Q29w'.repeat(16),
    '-----END RSA PRIVATE KEY-----',
  ];

  it('is gone before the text is spread over lines, sentences and reasons', async () => {
    const steps = `Deploy\n1. build\n<private>first hidden\nsecond hidden\nthird hidden</private>\n2. push`;
    expect((await contentOf('runbook', steps)).steps).toEqual(['build', 'push']);
    expect(JSON.stringify(await contentOf('runbook', ['Keys', ...key, 'restart'].join('\n')))).not.toMatch(
      /MIIE|Q29wQ/,
    );
    const halves = await draft('decision', 'Use it <private>because hidden. Hidden too</private> for all');
    expect(JSON.stringify(halves.record)).not.toMatch(/hidden/i);
  });

  it('is in no tag, and is told of', async () => {
    const { record, notes } = await draft('preference', `Deploy with ${token} always`);
    expect(record.tags).toEqual(['deploy']);
    expect(notes).toEqual(['WARNING: a secret was masked in the text (github-token)']);
    expect((await draft('preference', 'x', { title: `Hush <private>hidden</private> ${token}` })).record).toMatchObject(
      {
        tags: ['hush'],
      },
    );
  });
});

describe('a title from a text', () => {
  it.each([
    ['Use SQLite. It needs no server.', 'Use SQLite'],
    ['Really? Yes.', 'Really?'],
    ['Version 2.5 is out. Use it.', 'Version 2.5 is out'],
    ['First line\nsecond line', 'First line'],
    ['- a list item', 'a list item'],
    ['## A heading', 'A heading'],
    ['1. Stop the server\n2. Start it', 'Stop the server'],
    ['1) Stop the server 2) start it', 'Stop the server 2) start it'],
    ['404 pages are cached', '404 pages are cached'],
    ['5xx errors are retried', '5xx errors are retried'],
    ['3. 5 retries are enough.', '5 retries are enough'],
    ['.gitignore holds dist', '.gitignore holds dist'],
    ['#tags are words', '#tags are words'],
    ['日本語の文。次の文。', '日本語の文'],
    ['', ''],
  ])('%j is %j', (text, title) => {
    expect(titleOf(text)).toBe(title);
  });

  it('is cut at a word', () => {
    const title = titleOf('word '.repeat(60));
    expect(title).toMatch(/^(?:word )+word…$/);
    expect(title.length).toBeGreaterThan(110);
    expect(title.length).toBeLessThanOrEqual(120);
    expect([...titleOf('😀'.repeat(200))]).toHaveLength(120);
  });
});
