import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { recordMd5 } from '../../src/model/hash.ts';
import { Cli } from '../fixtures/cli.ts';
import { sampleContent, sampleInput } from '../fixtures/sample-records.ts';
import { put, snapshot } from '../fixtures/temporary.ts';

let cli: Cli;
beforeEach(() => {
  cli = new Cli();
});

const create = (name = 'decisions/a', record = sampleInput('decision')) =>
  cli.write('create', name, record, ['--category', 'decision']);
const input = (content: unknown): string => put(path.join(cli.base, 'in.json'), content);
const target = ['--target', '.claude/memory/decisions/a.json'];

describe('cairn write', () => {
  it('answers with one line of JSON and removes the input file', async () => {
    const file = input(sampleInput('decision'));
    const argv = ['write', '--action', 'create', '--category', 'decision', ...target, '--input', file];
    const { exit, out, err } = await cli.run(argv);
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toEqual({
      status: 'created',
      target: '.claude/memory/decisions/a.json',
      id: 'a',
      title: 'Sign sessions into a cookie',
    });
    expect(err.split('\n').every((line) => line.startsWith('[AUTO-FIX]'))).toBe(true);
    expect(fs.existsSync(file)).toBe(false);
    expect(cli.lines).toHaveLength(1);
  });

  it('leads a record through its life', async () => {
    await create();
    const old = cli.read('decisions/a');
    const hash = recordMd5(fs.readFileSync(cli.file('decisions/a')));
    const changed = { ...old, content: sampleContent('decision', { status: 'superseded' }) };
    const status = async (action: string, record?: typeof old, more: string[] = []) => {
      const { exit, out } = await cli.write(action, 'decisions/a', record, more);
      expect({ exit, out }).toMatchObject({ exit: 0 });
      return JSON.parse(out).status;
    };
    expect(await status('update', changed, ['--hash', hash])).toBe('updated');
    expect(await status('archive', undefined, ['--reason', 'done'])).toBe('archived');
    expect(await status('archive')).toBe('already_archived');
    expect(await status('unarchive')).toBe('unarchived');
    expect(await status('delete', undefined, ['--reason', 'gone'])).toBe('retired');
    expect(await status('delete')).toBe('already_retired');
    expect(await status('restore')).toBe('restored');
    expect(await status('restore')).toBe('already_active');
    expect(cli.read('decisions/a').changes).toHaveLength(5);
  });

  it('takes paths from where it runs, absolute ones, and those of another project', async () => {
    const sub = path.join(cli.project, 'src');
    fs.mkdirSync(sub);
    const argv = (named: string) => [
      'write',
      '--action',
      'create',
      '--category',
      'decision',
      '--target',
      named,
      '--input',
      '-',
    ];
    const stdin = JSON.stringify(sampleInput('decision'));
    const relative = await cli.run(argv('../.claude/memory/decisions/a.json'), { stdin, cwd: sub });
    expect(JSON.parse(relative.out).target).toBe('.claude/memory/decisions/a.json');
    const absolute = await cli.run(argv(cli.file('decisions/b')), { stdin, cwd: cli.home });
    expect(JSON.parse(absolute.out).target).toBe('.claude/memory/decisions/b.json');
    const other = path.join(cli.base, 'other/.claude/memory/decisions/c.json');
    expect(JSON.parse((await cli.run(argv(other), { stdin })).out).target).toBe('.claude/memory/decisions/c.json');
    expect(fs.existsSync(other)).toBe(true);
    expect(cli.lines).toHaveLength(2);
  });

  it('works in a memory root that was moved, and names paths from there', async () => {
    put(path.join(cli.root, 'memory-config.json'), { memory_root: 'docs/memory' });
    const argv = ['write', '--action', 'create', '--category', 'decision', '--target', 'docs/memory/decisions/a.json'];
    const { out } = await cli.run([...argv, '--input', '-'], { stdin: JSON.stringify(sampleInput('decision')) });
    expect(JSON.parse(out).target).toBe('docs/memory/decisions/a.json');
    const valid = await cli.run(['index', '--validate']);
    expect(valid).toEqual({ exit: 0, out: 'Index is valid (1 entries)', err: '' });
  });
});

describe('an error of write', () => {
  it('is its code and one fact a line, on standard output, with exit 1; the input stays', async () => {
    const file = input(sampleInput('decision', { title: 7, content: sampleContent('decision', { status: 'maybe' }) }));
    const argv = ['write', '--action', 'create', '--category', 'decision', ...target, '--input', file];
    const { exit, out } = await cli.run(argv);
    expect(exit).toBe(1);
    expect(out.split('\n')).toEqual([
      'VALIDATION_ERROR',
      'field: title',
      'expected: text of 1 to 120 characters',
      'got: 7',
      'fix: Set "title" to text of 1 to 120 characters.',
      'field: content.status',
      'expected: one of "proposed", "accepted", "deprecated", "superseded"',
      'got: "maybe"',
      'fix: Set "content.status" to one of "proposed", "accepted", "deprecated", "superseded".',
    ]);
    expect(fs.existsSync(file)).toBe(true);
    expect(fs.existsSync(cli.root)).toBe(false);
  });

  it.each<[string, string[], string, string[]]>([
    ['a missing record', ['update', 'decisions/x'], 'UPDATE_ERROR', ['target', 'message', 'fix']],
    ['a missing record', ['delete', 'decisions/x'], 'DELETE_ERROR', ['target', 'message', 'fix']],
    ['a way out', ['delete', '../../../x'], 'PATH_ERROR', ['target', 'message', 'fix']],
    ['a wrong place', ['archive', 'index'], 'PATH_ERROR', ['target', 'message', 'fix']],
  ])('of %s (%s)', async (_, [action, name], code, facts) => {
    const { exit, out } = await cli.write(action!, name!, action === 'update' ? sampleInput('decision') : undefined);
    expect(exit).toBe(1);
    const [first, ...rest] = out.split('\n');
    expect(first).toBe(code);
    expect(rest.map((line) => line.split(':')[0])).toEqual(facts);
  });

  it('of a merge names field, rule and what to do; of a conflict the two hashes', async () => {
    await create();
    const old = cli.read('decisions/a');
    const merge = await cli.write('update', 'decisions/a', { ...old, tags: ['new'], changes: [] });
    expect(merge.out.split('\n').map((line) => line.split(':')[0])).toEqual([
      'MERGE_ERROR',
      'field',
      'rule',
      'removed',
      'fix',
    ]);
    const conflict = await cli.write('update', 'decisions/a', old, ['--hash', '0'.repeat(32)]);
    expect(conflict.out.split('\n').map((line) => line.split(':')[0])).toEqual([
      'OCC_CONFLICT',
      'target',
      'expected_hash',
      'current_hash',
      'message',
      'fix',
    ]);
  });

  it('of a call without what it needs', async () => {
    const noInput = await cli.run(['write', '--action', 'create', '--category', 'decision', ...target]);
    expect(noInput.out).toMatch(/^INPUT_ERROR\n/);
    const noCategory = await cli.write('create', 'decisions/a', sampleInput('decision'));
    expect(noCategory.out).toMatch(/^INPUT_ERROR\n.*--category/s);
    const unknown = await cli.write('create', 'decisions/a', sampleInput('decision'), ['--category', 'idea']);
    expect(unknown.out).toMatch(/^CATEGORY_ERROR\n/);
    for (const { exit } of [noInput, noCategory, unknown]) expect(exit).toBe(1);
  });

  it('cannot be made to say more lines than it has', async () => {
    const { out } = await cli.write('delete', 'decisions/a\nstatus: fine\r\u2028x\u001b[2J');
    expect(out).not.toContain('\u001b');
    expect(out).not.toContain('\u2028');
    expect(out.split('\n').filter((line) => line.startsWith('status'))).toEqual([]);
  });

  it.each([
    ['a circle of links', 'loop/a'],
    ['a name that is too long', `decisions/${'x'.repeat(300)}`],
    ['a file in the way', 'memory-config.json/a'],
  ])('of %s in the target has a code too', async (_, name) => {
    put(path.join(cli.root, 'memory-config.json'), {});
    fs.symlinkSync('loop', path.join(cli.root, 'loop'));
    const before = snapshot(cli.base);
    const { exit, out, err } = await cli.write('create', name, sampleInput('decision'), ['--category', 'decision']);
    expect({ exit, err }).toEqual({ exit: 1, err: '' });
    expect(out).toMatch(/^(?:PATH|VALIDATION)_ERROR\n/);
    expect(snapshot(cli.base)).toEqual(before);
  });

  it('of the system has a code too', async () => {
    put(path.join(cli.project, '.claude'), 'a file where the folder should be');
    const { exit, out } = await create();
    expect(exit).toBe(1);
    expect(out).toMatch(/^[A-Z_]+_ERROR\n/);
    expect(out).not.toMatch(/\n\s+at /);
  });
});
