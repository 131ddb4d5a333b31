import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { TestShelf } from '../../test/fixtures/record-store.ts';
import { sampleContent, sampleInput, sampleRecord } from '../../test/fixtures/sample-records.ts';
import { put } from '../../test/fixtures/temporary.ts';
import { LIFECYCLE_EVENTS, type LifecycleEvent } from '../model/record.ts';
import { findCandidate } from './candidate.ts';

let recordStore: TestShelf;
beforeEach(() => {
  recordStore = new TestShelf();
  fs.mkdirSync(recordStore.root, { recursive: true });
});

const ask = (category: string, newInfo: string, lifecycleEvent?: LifecycleEvent) =>
  findCandidate(recordStore, {
    category: recordStore.kinds.byName(category)!,
    newInfo,
    ...(lifecycleEvent ? { lifecycleEvent } : {}),
  });

describe('without a candidate', () => {
  it('new information is to be created', async () => {
    expect(await ask('decision', 'anything at all')).toEqual({
      answer: {
        candidate: null,
        lifecycle_event: null,
        delete_allowed: false,
        pre_action: 'CREATE',
        structural_cud: 'CREATE',
        vetoes: [],
        hints: [],
      },
      warnings: [],
    });
  });

  it.each(LIFECYCLE_EVENTS)('"%s" is nothing to do', async (event) => {
    const { answer } = await ask('runbook', 'anything at all', event);
    expect(answer).toMatchObject({
      lifecycle_event: event,
      pre_action: 'NOOP',
      structural_cud: 'NOOP',
      delete_allowed: true,
    });
    expect(answer.hints).toEqual([`lifecycle_event=${event} with no matching candidate; NOOP`]);
  });
});

describe('with a candidate', () => {
  beforeEach(async () => {
    await recordStore.create('decisions/cookie', sampleInput('decision', { tags: ['sessions', 'auth'] }));
    await recordStore.create('runbooks/disk', sampleInput('runbook', { tags: ['disk', 'build'] }));
  });

  it('of a category that hooks may not retire, it can only be updated', async () => {
    const { answer } = await ask('decision', 'auth sessions');
    expect(answer).toMatchObject({
      pre_action: null,
      structural_cud: 'UPDATE',
      delete_allowed: false,
      vetoes: ['Cannot DELETE decision (triage-initiated)'],
      hints: ['1 candidate found (score=8)'],
    });
    const event = await ask('decision', 'auth sessions', 'superseded');
    expect(event.answer.hints).toEqual([
      '1 candidate found (score=8)',
      'lifecycle_event=superseded present but DELETE disallowed for decision; consider UPDATE',
    ]);
  });

  it('of another category, it can be updated or retired', async () => {
    const { answer } = await ask('runbook', 'the disk of the build', 'resolved');
    expect(answer).toMatchObject({
      pre_action: null,
      structural_cud: 'UPDATE_OR_DELETE',
      delete_allowed: true,
      vetoes: [],
      hints: ['1 candidate found (score=10)', 'lifecycle_event=resolved suggests DELETE if eligible'],
    });
  });

  it('shows what the record says, shortly', async () => {
    await recordStore.edit('decisions/cookie', {}, 'Cookies are signed twice');
    const { answer } = await ask('decision', 'auth');
    expect(answer.candidate).toEqual({
      path: '.claude/memory/decisions/cookie.json',
      title: 'Sign sessions into a cookie',
      tags: ['auth', 'sessions'],
      excerpt: {
        title: 'Sign sessions into a cookie',
        record_status: 'active',
        tags: ['auth', 'sessions'],
        last_change_summary: 'Cookies are signed twice',
        key_fields: {
          context: 'Sessions must survive a restart of the server',
          decision: 'Sign the session into a cookie',
          rationale: 'No server state; Works behind any balancer',
        },
      },
    });
    expect((await ask('runbook', 'disk')).answer.candidate?.excerpt?.last_change_summary).toBe('Initial creation');
  });

  it('cuts long fields at 200 characters', async () => {
    const content = sampleContent('decision', {
      context: '😀'.repeat(300),
      rationale: ['x'.repeat(150), 'y'.repeat(150)],
    });
    await recordStore.edit('decisions/cookie', { content });
    const fields = (await ask('decision', 'auth')).answer.candidate!.excerpt!.key_fields;
    expect(fields.context).toBe('😀'.repeat(200));
    expect([...fields.rationale!]).toHaveLength(200);
  });

  it('looks only in its category, and from three points on', async () => {
    expect((await ask('preference', 'auth sessions disk')).answer.candidate).toBeNull();
    expect((await ask('decision', 'cookie')).answer.candidate).toBeNull(); // a word of the title: 2
    expect((await ask('decision', 'auth')).answer.candidate).not.toBeNull(); // a tag: 3
  });

  it('takes the best, and of equals the first by path', async () => {
    await recordStore.create('decisions/better', sampleInput('decision', { title: 'Auth by token', tags: ['auth'] }));
    expect((await ask('decision', 'auth token')).answer.candidate?.path).toContain('better');
    await recordStore.create('decisions/aaa', sampleInput('decision', { title: 'Other', tags: ['queue'] }));
    await recordStore.create('decisions/zzz', sampleInput('decision', { title: 'Another', tags: ['queue'] }));
    expect((await ask('decision', 'queue')).answer.candidate?.path).toContain('aaa');
  });

  it('forgets what was retired or archived', async () => {
    await recordStore.retire('decisions/cookie');
    await recordStore.archive('runbooks/disk');
    expect((await ask('decision', 'auth')).answer.structural_cud).toBe('CREATE');
    expect((await ask('runbook', 'disk')).answer.structural_cud).toBe('CREATE');
  });
});

describe('an index that is not to be trusted', () => {
  const index = (...lines: string[]): string => put(path.join(recordStore.root, 'index.md'), `${lines.join('\n')}\n`);

  it('that is missing is made from the files', async () => {
    recordStore.plant('decisions/a', sampleRecord('decision', { tags: ['auth'] }));
    expect((await ask('decision', 'auth')).answer.structural_cud).toBe('UPDATE');
    expect(recordStore.lines).toHaveLength(1);
  });

  it('of an empty memory is not made, nor of one that nobody wrote to yet', async () => {
    expect((await ask('decision', 'auth')).answer.structural_cud).toBe('CREATE');
    expect(fs.readdirSync(recordStore.root)).toEqual([]);
    fs.rmSync(recordStore.root, { recursive: true });
    expect((await ask('decision', 'auth')).answer.structural_cud).toBe('CREATE');
    expect((await ask('runbook', 'auth', 'resolved')).answer).toMatchObject({
      structural_cud: 'NOOP',
      delete_allowed: true,
    });
    expect(fs.existsSync(recordStore.root)).toBe(false);
  });

  it.each([
    ['leads outside', '../../../etc/passwd.json'],
    ['is absolute', '/etc/passwd.json'],
    ['is no JSON file', '.claude/memory/decisions/a.md'],
  ])('with a best line whose path %s: the next one is taken, with a warning', async (_, bad) => {
    recordStore.plant('decisions/a', sampleRecord('decision', { tags: ['auth'] }));
    index(
      `- [DECISION] Auth auth jwt -> ${bad} #tags:auth,jwt`,
      '- [DECISION] A -> .claude/memory/decisions/a.json #tags:auth',
    );
    const { answer, warnings } = await ask('decision', 'auth jwt');
    expect(answer.candidate?.path).toBe('.claude/memory/decisions/a.json');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(bad);
  });

  it('with bad paths only falls back to what there is without a candidate', async () => {
    index('- [RUNBOOK] Disk -> /etc/x.json #tags:disk');
    expect((await ask('runbook', 'disk')).answer).toMatchObject({
      candidate: null,
      structural_cud: 'CREATE',
      hints: ['Candidate path invalid; falling back to CREATE'],
    });
    expect((await ask('runbook', 'disk', 'resolved')).answer).toMatchObject({
      structural_cud: 'NOOP',
      hints: ['Candidate path invalid; falling back to NOOP'],
    });
  });

  it.each<[string, unknown]>([
    ['is gone', undefined],
    ['cannot be read', '{'],
    ['is a list', []],
  ])('that names a file that %s: no excerpt, and a warning', async (_, content) => {
    if (content !== undefined) recordStore.plant('decisions/a', content);
    index('- [DECISION] A -> .claude/memory/decisions/a.json #tags:auth');
    const { answer, warnings } = await ask('decision', 'auth');
    expect(answer.candidate).toMatchObject({ path: '.claude/memory/decisions/a.json', excerpt: null });
    expect(warnings).toHaveLength(1);
  });

  it('shows what it can of a record in an odd shape', async () => {
    recordStore.plant('decisions/a', { title: 5, tags: 'x', content: [1], changes: [{ note: 1 }] });
    index('- [DECISION] A -> .claude/memory/decisions/a.json #tags:auth');
    expect((await ask('decision', 'auth')).answer.candidate?.excerpt).toEqual({
      title: '',
      record_status: 'active',
      tags: 'x',
      last_change_summary: 'Unknown change',
      key_fields: {},
    });
  });
});
