import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Cli } from '../fixtures/cli.ts';
import { snapshot } from '../fixtures/temporary.ts';

let cli: Cli;
beforeEach(() => {
  cli = new Cli();
});
const SQLITE = ['save', 'decision', 'Use SQLite because it needs no server', '--tags', 'storage,sqlite'];

describe('cairn save', () => {
  it('makes a valid record from a sentence, in a memory that was not there before', async () => {
    const { exit, out, err } = await cli.run(SQLITE);
    expect(exit).toBe(0);
    expect(out).toBe('Saved .claude/memory/decisions/use-sqlite.json: Use SQLite');
    expect(err).toContain('Not stated, so marked as such: context');
    expect(cli.read('decisions/use-sqlite')).toMatchObject({
      category: 'decision',
      tags: ['sqlite', 'storage'],
      content: {
        decision: 'Use SQLite',
        rationale: ['it needs no server'],
        status: 'accepted',
        context: 'Not stated.',
      },
    });
    expect((await cli.run(['index', '--validate'])).exit).toBe(0);
  });

  it.each(['decision', 'runbook', 'constraint', 'tech_debt', 'tech-debt', 'preference', 'session_summary'])(
    'knows the category %s',
    async (category) => {
      expect((await cli.run(['save', category, 'Some words about it'])).exit).toBe(0);
      const { invalid } = await cli.json<{ invalid: unknown[] }>(['index', '--validate']);
      expect(invalid).toEqual([]);
    },
  );

  it('takes words without quotes, and text from standard input', async () => {
    expect((await cli.run(['save', 'decision', 'Use', 'SQLite', 'everywhere'])).out).toContain('use-sqlite-everywhere');
    const { out } = await cli.run(['save', 'runbook', '-'], { stdin: 'Disk is full\n1. Prune\n2. Build again\n' });
    expect(out).toContain('disk-is-full');
    expect(cli.read('runbooks/disk-is-full').content).toMatchObject({ steps: ['Prune', 'Build again'] });
  });

  it('takes fields, files, a title and confidence', async () => {
    const { exit } = await cli.run([
      'save',
      'constraint',
      'At most 100 mails an hour',
      ...['--title', 'Mail limit', '--field', 'severity=high', '--field', 'impact=Queue', '--field', 'impact=Batch=2'],
      ...['--file', 'src/mail.ts', '--file', 'src/queue.ts', '--confidence', '0.9'],
    ]);
    expect(exit).toBe(0);
    expect(cli.read('constraints/mail-limit')).toMatchObject({
      title: 'Mail limit',
      confidence: 0.9,
      related_files: ['src/mail.ts', 'src/queue.ts'],
      content: { severity: 'high', impact: ['Queue', 'Batch=2'], rule: 'At most 100 mails an hour' },
    });
  });

  it('asks for what is missing when somebody is there', async () => {
    const { exit, err } = await cli.run(['save', 'decision', 'Use SQLite'], { answers: ['A store is needed', ''] });
    expect(exit).toBe(0);
    expect(cli.asked.map((question) => question.split(' ')[0])).toEqual(['context', 'rationale']);
    expect(err).not.toContain('Not stated');
    expect(cli.read('decisions/use-sqlite').content).toMatchObject({
      context: 'A store is needed',
      rationale: ['Not stated.'],
    });
  });

  it('shows the record with --dry-run and writes nothing', async () => {
    const before = snapshot(cli.base);
    const { exit, out } = await cli.run([...SQLITE, '--dry-run']);
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ would: 'create', candidate: null, record: { category: 'decision' } });
    expect(snapshot(cli.base)).toEqual(before);
  });

  it('gives data', async () => {
    expect(await cli.json(SQLITE)).toMatchObject({ status: 'created', id: 'use-sqlite' });
  });

  it('finds a free name', async () => {
    for (const name of ['a', 'a-2', 'a-3']) {
      await cli.run(['save', 'decision', 'A!', '--new']);
      expect(fs.existsSync(cli.file(`decisions/${name}`))).toBe(true);
    }
    expect((await cli.run(['save', 'decision', '認証を使う'])).out).toContain('.claude/memory/decisions/decision.json');
  });
});

describe('cairn save beside a similar record', () => {
  const again = ['save', 'decision', 'Use SQLite with WAL', '--tags', 'storage,sqlite,wal'];
  beforeEach(async () => {
    await cli.run(SQLITE);
  });

  it('stops when nobody can be asked, shows the record, and says what to do', async () => {
    const before = snapshot(cli.base);
    const { exit, out, err } = await cli.run(again);
    expect({ exit, out }).toEqual({ exit: 1, out: '' });
    expect(err).toContain('cairn: A similar record exists.');
    expect(err).toContain('use-sqlite.json');
    expect(err).toContain('decision: Use SQLite');
    expect(err).toContain('What to do: Add --update to change that record, or --new to make another one.');
    expect(snapshot(cli.base)).toEqual(before);
    expect(JSON.parse((await cli.run([...again, '--json'])).out).error.code).toBe('CREATE_ERROR');
  });

  it('updates it with --update: what was said goes in, what was not stays', async () => {
    const { exit, out } = await cli.run([...again, '--update', '--field', 'context=A store is needed']);
    expect({ exit, out }).toMatchObject({ exit: 0, out: expect.stringMatching(/^Updated /) });
    expect(cli.lines).toHaveLength(1);
    expect(cli.read('decisions/use-sqlite')).toMatchObject({
      tags: ['sqlite', 'storage', 'wal'],
      times_updated: 1,
      content: { decision: 'Use SQLite with WAL', rationale: ['it needs no server'], context: 'A store is needed' },
    });
  });

  it('leaves with --update what nobody said: a state that is only usual, a list that is only empty', async () => {
    const session = ['save', 'session_summary', '--tags', 'parser,split'];
    await cli.run([...session, '--field', 'outcome=success', '--', 'Split the parser\n- It compiles\n- Next: ship it']);
    expect((await cli.run([...session, '--update', '--', 'Split the parser in two'])).exit).toBe(0);
    expect(cli.read('sessions/split-the-parser').content).toEqual({
      outcome: 'success',
      goal: 'Split the parser in two',
      completed: ['It compiles'],
      next_actions: ['ship it'],
    });
  });

  it('makes another one with --new', async () => {
    expect((await cli.run([...again, '--new'])).out).toMatch(/^Saved /);
    expect(cli.lines).toHaveLength(2);
  });

  it.each<[string, RegExp, number]>([
    ['u', /^Updated /, 1],
    ['c', /^Saved /, 2],
    ['q', /^$/, 1],
    ['', /^$/, 1],
  ])('asks on a terminal: %j', async (answer, says, lines) => {
    const { exit, out, err } = await cli.run([...again, '--field', 'context=x', '--field', 'rationale=y'], {
      answers: [answer],
    });
    expect(exit).toBe(0);
    expect(out).toMatch(says);
    expect(err).toContain('This looks like .claude/memory/decisions/');
    expect(cli.lines).toHaveLength(lines);
  });

  it('keeps a history that is valid, however long the title', async () => {
    const title = `${'😀'.repeat(60)} storage sqlite wal`;
    expect((await cli.run([...again, '--title', title, '--update'])).exit).toBe(0);
    const text = fs.readFileSync(cli.file('decisions/use-sqlite'), 'utf8');
    expect(text).not.toMatch(/\\ud[89a-f]/i);
    const long = `${'😀'.repeat(400)} storage sqlite wal`;
    expect((await cli.run([...again, '--title', long, '--tags', 'storage,sqlite', '--update'])).exit).toBe(0);
    const after = fs.readFileSync(cli.file('decisions/use-sqlite'), 'utf8');
    expect(after).not.toMatch(/\\ud[89a-f]/i);
  });

  it('says which tags there was no room for', async () => {
    const tags = ['storage', 'sqlite', ...Array.from({ length: 12 }, (_, at) => `t${10 + at}`)].join(',');
    const { exit, err } = await cli.run([...SQLITE.slice(0, 3), '--tags', tags, '--update']);
    expect(exit).toBe(0);
    expect(err).toContain('only 12 tags are kept; left out: t20, t21');
  });

  it('says so clearly when the index names a record that is gone', async () => {
    fs.rmSync(cli.file('decisions/use-sqlite'));
    const { exit, err } = await cli.run([...again, '--update']);
    expect(exit).toBe(1);
    expect(err).toContain('cairn index --rebuild');
    expect(err).not.toContain('ENOENT');
  });
});

it('keeps no secret and nothing private, not in the name of the file either', async () => {
  const token = `ghp_${'aB3'.repeat(12)}`;
  const { exit, out, err } = await cli.run(['save', 'preference', `Push with ${token} <private>hidden</private> here`]);
  expect(exit).toBe(0);
  expect(err).toContain('a secret was masked in the text (github-token)');
  const all = Object.entries(snapshot(cli.root)).map(([file, text]) => `${file}\n${text}`);
  expect([out, ...all].join('\n')).not.toMatch(/ab3ab3|hidden/i);
  expect(fs.existsSync(cli.file('preferences/push-with-here'))).toBe(true);
});

/** An option that says nothing, unlike a record that is not valid. */
const WRONG_USE = /^cairn: --(?:field|confidence) /m;

describe('cairn save refuses', () => {
  it.each<[string, string[], RegExp]>([
    ['an unknown category', ['save', 'idea', 'x'], /There is no category "idea"/],
    ['no text', ['save', 'decision', '   '], /no text to save/],
    ['a field without a value', ['save', 'decision', 'x', '--field', 'status'], /has no "="/],
    ['a field that the category does not have', ['save', 'decision', 'x', '--field', 'mood=good'], /content\.mood/],
    ['a field that every object has', ['save', 'decision', 'x', '--field', 'constructor=1'], /content\.constructor/],
    ['a field that no object should have', ['save', 'decision', 'x', '--field', '__proto__=1'], /content\.__proto__/],
    ['a value that is no choice', ['save', 'decision', 'x', '--field', 'status=maybe'], /content\.status/],
    ['a confidence that is no number', ['save', 'decision', 'x', '--confidence', 'high'], /--confidence/],
    ['a confidence that is empty', ['save', 'decision', 'x', '--confidence', ''], /--confidence/],
    ['a title of symbols that cannot be seen', ['save', 'decision', 'x', '--title', '\u200b'], /title/],
    ['a title that is too long', ['save', 'decision', 'x', '--title', 'x'.repeat(121)], /title/],
  ])('%s', async (_, argv, message) => {
    const { exit, out, err } = await cli.run(argv);
    expect({ exit, out }).toEqual({ exit: WRONG_USE.test(err) ? 2 : 1, out: '' });
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n\s+at |TypeError|not iterable/);
    expect(fs.existsSync(path.join(cli.root, 'decisions'))).toBe(false);
  });

  it('to update when there is nothing to update', async () => {
    const { exit, err } = await cli.run(['save', 'decision', 'Something new', '--update']);
    expect(exit).toBe(1);
    expect(err).toContain('no record');
    expect(fs.existsSync(path.join(cli.root, 'decisions'))).toBe(false);
  });
});
