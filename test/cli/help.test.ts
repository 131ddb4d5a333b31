import { describe, expect, it } from 'vitest';
import { version } from '../../src/version.ts';
import { Cli } from '../fixtures/cli.ts';
import { snapshot } from '../fixtures/temporary.ts';

/** A use of each command that is right but for what a test adds: its name, and what it takes. */
const USES: readonly (readonly [string, ...string[]])[] = [
  ['save', 'decision', 'Use SQLite'],
  ['search', 'words'],
  ['list'],
  ['status'],
  ['retire', 'x'],
  ['archive', 'x'],
  ['unarchive', 'x'],
  ['restore', 'x'],
  ['config get', 'auto_commit'],
  ['config set', 'auto_commit', 'true'],
  ['config unset', 'auto_commit'],
  ['config list'],
  ['config path'],
  ['write', '--action', 'delete', '--target', '.claude/memory/decisions/x.json'],
  ['candidate', '--category', 'decision', '--new-info', 'x'],
  ['index', '--health'],
  ['remember', 'words'],
  ['note new', 'task', 'Sweep'],
  ['note list'],
  ['note show', 'x'],
  ['note set', 'x'],
  ['note link', 'x', 'y'],
  ['note rm', 'x'],
  ['query'],
  ['graph'],
  ['backfill'],
  ['reindex'],
  ['log'],
  ['today'],
  ['todo'],
  ['done', 'x'],
  ['drop', 'x'],
  ['inbox'],
  ['inbox merge', 'x', 'y'],
  ['inbox supersede', 'x', 'y'],
  ['inbox keep', 'x'],
  ['inbox save', 'x'],
  ['inbox drop', 'x'],
  ['topics'],
  ['stats'],
  ['show', 'idea:x'],
  ['why'],
  ['ui'],
  ['feedback'],
  ['import', '--markdown', 'x'],
  ['install'],
  ['uninstall'],
  ['mcp'],
  ['doctor'],
  ['redact'],
  ['export'],
  ['trust'],
  ['sync init', 'x'],
  ['sync push'],
  ['sync pull'],
  ['sync status'],
];

const COMMANDS = ['config', 'hook', ...USES.map(([name]) => name)];

describe('help', () => {
  it('is what cairn says without a command', async () => {
    for (const argv of [[], ['--help'], ['help']]) {
      const { exit, out, err } = await new Cli().run(argv);
      expect({ exit, err }).toEqual({ exit: 0, err: '' });
      for (const name of COMMANDS) expect(out).toContain(`  ${name.split(' ')[0]} `);
    }
  });

  it('has each command under a heading that says what it is good for', async () => {
    const { out } = await new Cli().run([]);
    const [, ...groups] = out.split(/^(?=\S.*:$)/m).filter((part) => !part.startsWith('Options:'));
    expect(groups.length).toBeGreaterThan(4);
    const [last, ...others] = groups.toReversed();
    // Only commander's own `help` is under its own heading.
    expect(last).toMatch(/^Commands:\n {2}help \[command\][^\n]*\n\n/);
    for (const group of others) expect(group).not.toMatch(/^Commands:/);
  });

  it.each(COMMANDS)('of %s says what it is for and what it takes', async (name) => {
    const cli = new Cli();
    const before = snapshot(cli.base);
    const { exit, out, err } = await cli.run([...name.split(' '), '--help']);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toContain(`Usage: cairn ${name}`);
    expect(out).toContain('--help');
    expect(snapshot(cli.base)).toEqual(before);
  });

  it('tells the version', async () => {
    expect(await new Cli().run(['--version'])).toEqual({ exit: 0, out: version, err: '' });
  });
});

describe('wrong use', () => {
  it.each(USES)('of %s with a flag that it does not have ends with 2 and changes nothing', async (name, ...more) => {
    const cli = new Cli();
    const before = snapshot(cli.base);
    const { exit, out, err } = await cli.run([...name.split(' '), ...more, '--no-such-flag']);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toContain("error: unknown option '--no-such-flag'");
    expect(err).not.toMatch(/\n\s+at /);
    expect(snapshot(cli.base)).toEqual(before);
  });

  it.each([
    ['an unknown command', ['remembr']],
    ['an unknown command with a flag', ['remembr', '--json']],
    ['an unknown command of config', ['config', 'nonsense']],
    ['a word too many', ['status', 'now']],
    ['a missing argument', ['retire']],
    ['a missing text', ['save', 'decision']],
    ['a missing value', ['config', 'set', 'auto_commit']],
    ['an action that does not exist', ['write', '--action', 'erase', '--target', 'x']],
    ['no action', ['write', '--target', 'x']],
    ['no target', ['write', '--action', 'delete']],
    [
      'an event that does not exist',
      ['candidate', '--category', 'decision', '--new-info', 'x', '--lifecycle-event', 'gone'],
    ],
    ['no category', ['candidate', '--new-info', 'x']],
    ['an index command without a job', ['index']],
    ['an index command with two jobs', ['index', '--health', '--gc']],
    ['two kinds of list', ['list', '--archived', '--retired']],
    ['an unknown flag of cairn', ['--verbose']],
  ])('%s ends with 2 and one message', async (_, argv) => {
    const { exit, out, err } = await new Cli().run(argv);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(/^error: /);
    expect(err.split('\n').filter((line) => line.startsWith('error:'))).toHaveLength(1);
  });

  it.each([
    ['a number that is none', ['search', 'x', '--limit', 'many']],
    ['a number that is none, of query', ['query', '--recent', 'many']],
    ['a time that is none', ['remember', 'x', '--since', 'someday']],
    ['a time that is none, of log', ['log', '--since', 'someday']],
    ['a day that is none', ['log', '--day', '31 February']],
    ['a time that is none, of query', ['query', '--since', 'someday']],
    ['a kind that does not exist', ['remember', 'x', '--intent', 'wish']],
    ['a layer that does not exist', ['export', '--layer', 'sky']],
    ['a note type that does not exist', ['note', 'new', 'poem', 'x']],
    ['a type that does not exist', ['query', '--type', 'poem']],
    ['a text that is too short', ['remember', '--exact', 'x']],
    ['a text and a kind', ['remember', '--exact', 'words', '--intent', 'decision']],
    ['a verdict that does not exist', ['feedback', 'idea:1', 'good']],
    ['no question', ['remember']],
    ['no word', ['search', ' ']],
    ['no title', ['note', 'new', 'task', '']],
    ['a path and all', ['backfill', 'x', '--all']],
  ])('%s ends with 2, and says what is wrong', async (_, argv) => {
    const { exit, out, err } = await new Cli().run(argv);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(/^cairn: .{10}/);
  });

  it('suggests what was probably meant', async () => {
    expect((await new Cli().run(['serch'])).err).toContain('search');
    expect((await new Cli().run(['list', '--archivd'])).err).toContain('--archived');
  });
});
