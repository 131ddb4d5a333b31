// A draft becomes a record by the rules of every other, with what is corrected in it, and is gone then.
import { beforeEach, describe, expect, it } from 'vitest';
import { Cli } from '../../test/fixtures/cli.ts';
import { type NewDraft, writeDraft } from '../records/drafts.ts';
import { dropDraft, listDrafts, saveDraft } from './drafts.ts';
import { type Memory, openMemory } from './memory.ts';

let cli: Cli;
let memory: Memory;
beforeEach(() => {
  cli = new Cli();
  memory = openMemory({ cwd: cli.project, env: { HOME: cli.home } });
});
const DRAFT: NewDraft = {
  category: 'decision',
  title: 'Use SQLite for the store',
  tags: ['storage'],
  content: {
    status: 'accepted',
    context: 'The store needs a home.',
    decision: 'Use SQLite for the store',
    rationale: ['It needs no server.'],
  },
  related_files: ['src/store.ts'],
  confidence: 0.8,
  session: 'one',
  line: 12,
};
const prepare = (more: Partial<NewDraft> = {}): string => writeDraft(cli.root, { ...DRAFT, ...more }, new Date()).id;

describe('a draft', () => {
  it('is saved as it is, and is gone then', async () => {
    const id = prepare();
    expect(listDrafts(memory).map((each) => each.id)).toEqual([id]);
    await saveDraft(memory, id);
    expect(cli.read('decisions/use-sqlite-for-the-store')).toMatchObject({
      category: 'decision',
      tags: ['storage'],
      confidence: 0.8,
      related_files: ['src/store.ts'],
      content: DRAFT.content,
    });
    expect(listDrafts(memory)).toEqual([]);
    expect((await cli.run(['index', '--validate'])).exit).toBe(0);
  });

  it('is saved with what is corrected', async () => {
    const content = { rationale: ['One file is easy to copy.'] };
    await saveDraft(memory, prepare(), { title: 'SQLite is the store', tags: ['sqlite'], content });
    expect(cli.read('decisions/sqlite-is-the-store')).toMatchObject({
      tags: ['sqlite'],
      content: { decision: 'Use SQLite for the store', rationale: ['One file is easy to copy.'] },
    });
  });

  it('may turn out to be of another category', async () => {
    await saveDraft(memory, prepare(), { category: 'constraint', content: { impact: ['No server.'] } });
    expect(cli.read('constraints/use-sqlite-for-the-store')).toMatchObject({
      content: { rule: 'Use SQLite for the store', impact: ['No server.'], active: true },
    });
  });

  it('stays where it is not valid, was left, or was only looked at', async () => {
    const id = prepare();
    await expect(saveDraft(memory, id, { content: { status: 'perhaps' } })).rejects.toThrow();
    await saveDraft(memory, id, { dryRun: true });
    await saveDraft(memory, id, { choose: () => 'leave' });
    expect(listDrafts(memory)).toHaveLength(1);
    expect(dropDraft(memory, id)).toMatchObject({ id, title: DRAFT.title });
    expect(listDrafts(memory)).toEqual([]);
    expect(() => dropDraft(memory, id)).toThrow('no draft');
  });
});

describe('cairn save --draft', () => {
  it('saves it, with what the options correct', async () => {
    const { exit, out } = await cli.run(['save', '--draft', prepare(), '--field', 'context=A small tool.']);
    expect({ exit, out }).toEqual({
      exit: 0,
      out: 'Saved .claude/memory/decisions/use-sqlite-for-the-store.json: Use SQLite for the store',
    });
    expect(cli.read('decisions/use-sqlite-for-the-store').content).toMatchObject({ context: 'A small tool.' });
  });

  it('shows a similar record instead of repeating it', async () => {
    await cli.run(['save', '--draft', prepare()]);
    const id = prepare();
    const again = await cli.run(['save', '--draft', id]);
    expect(again.exit).toBe(1);
    expect(again.err).toContain('A similar record exists');
    expect((await cli.run(['save', '--draft', id, '--update'])).out).toContain('Updated');
    expect(listDrafts(memory)).toEqual([]);
  });

  it('takes no words beside it, and without it asks for them', async () => {
    expect((await cli.run(['save', '--draft', prepare(), 'decision', 'other words'])).exit).toBe(2);
    expect((await cli.run(['save'])).exit).toBe(2);
    expect((await cli.run(['save', 'decision'])).exit).toBe(2);
    expect((await cli.run(['save', '--draft', 'd-00000000'])).exit).toBe(1);
  });
});
