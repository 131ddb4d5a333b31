// docs/SYNC.md as a newcomer follows it: every command in it is run, on two homes, in its order; what a console shows is what is printed.

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { generateIdentity } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeConversation } from '../../scripts/demo-conversation.mjs';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { newFolder } from '../fixtures/temporary.ts';

const root = path.resolve(import.meta.dirname, '../..');
const binary = path.join(root, 'dist/faces/cli/main.js');
const page = fs.readFileSync(path.join(root, 'docs/SYNC.md'), 'utf8');
const blocks = (kind: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text]) => text!);
const words = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);

let base: string;
beforeAll(() => {
  base = newFolder();
  for (const home of ['first', 'second']) {
    const project = path.join(base, home, 'shop');
    const git = (...argv: string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...argv], { stdio: 'ignore' });
    if (home === 'first') {
      git('init', '--quiet', project);
      git('-C', project, 'commit', '--quiet', '--allow-empty', '-m', 'first');
      git('-C', project, 'remote', 'add', 'origin', 'https://example.org/acme/shop.git');
    } else {
      git('clone', '--quiet', path.join(base, 'first', 'shop'), project);
      git('-C', project, 'remote', 'set-url', 'origin', 'https://example.org/acme/shop.git');
    }
    // The same drive on both.
    fs.mkdirSync(path.join(base, 'drive'), { recursive: true });
    fs.symlinkSync(path.join(base, 'drive'), path.join(base, home, 'Drive'), 'junction');
  }
  writeConversation(path.join(base, 'first'), path.join(base, 'first', 'shop'));
  cairn('first', ['backfill', '--no-vectors']);
});
afterAll(() => removeBusyFolder(base));

function cairn(home: string, argv: readonly string[]): { status: number | null; out: string; err: string } {
  const { CAIRN_DISABLE: _, CAIRN_HOME: __, ...inherited } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [binary, ...argv], {
    cwd: path.join(base, home, 'shop'),
    env: {
      ...inherited,
      ...{ HOME: path.join(base, home), USERPROFILE: path.join(base, home), CLAUDE_PROJECT_DIR: '' },
      CAIRN_SYNC_PASSPHRASE: 'five words that nobody guesses',
    },
    encoding: 'utf8',
    input: '',
  });
  return { status, out: stdout, err: stderr };
}

describe('the walk through docs/SYNC.md', () => {
  it('works on the first machine and on the second', () => {
    const [first, second, git, memories] = blocks('sh').map((block) => block.trim().split('\n'));
    for (const command of first!) {
      const { status, err } = cairn('first', words(command).slice(1));
      expect(status, `${command}\n${err}`).toBe(0);
    }
    let last = '';
    for (const command of second!) {
      const { status, err, out } = cairn('second', words(command).slice(1));
      expect(status, `${command}\n${err}`).toBe(0);
      last = out;
    }
    expect(last).toContain('We decided to keep the sessions in Redis');
    expect(git).toHaveLength(1);
    const repository = path.join(base, 'memory.git');
    execFileSync('git', ['init', '--quiet', '--bare', repository]);
    const argv = words(git![0]!)
      .slice(1)
      .map((word) => (word.startsWith('git@') ? repository : word));
    expect(cairn('second', argv).status).toBe(0);
    expect(memories).toHaveLength(1);
    expect(cairn('second', words(memories![0]!).slice(1)).status).toBe(0);
  }, 120_000);

  it('shows what the status prints', () => {
    const [shown] = blocks('console');
    const [command, ...lines] = shown!.trim().split('\n');
    const { out, status } = cairn('first', words(command!.slice(2)).slice(1));
    expect(status).toBe(0);
    const printed = out.trim().split('\n');
    const isLike = (line: string, pattern: string): boolean =>
      new RegExp(
        `^${pattern
          .split('…')
          .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
          .join('.*')}$`,
      ).test(line);
    for (const line of lines)
      expect(
        printed.some((each) => isLike(each, line)),
        `${line}\nin\n${out}`,
      ).toBe(true);
  });

  it('names commands between its lines that run as they stand', () => {
    const inline = [...page.matchAll(/`(cairn (?:sync|doctor|remember|forget|config|show)\b[^`]*)`/g)].map(
      (each) => each[1]!,
    );
    const whole = [...new Set(inline)].filter((command) => !/…|[A-Z]{3}/.test(command));
    // Which name a command and are no command line.
    const names = ['cairn sync', 'cairn remember', 'cairn show', 'cairn forget', 'cairn sync init'];
    const run = whole.filter((command) => !names.includes(command));
    expect(run).toEqual(
      expect.arrayContaining([
        'cairn sync push',
        'cairn sync pull',
        'cairn sync push --again',
        'cairn sync status --auto off',
      ]),
    );
    for (const command of run) {
      const { status, err } = cairn('first', words(command).slice(1));
      expect([command, status, err]).toEqual([command, command === 'cairn doctor' ? expect.any(Number) : 0, '']);
    }
  }, 120_000);

  it('takes a passphrase from a file, an age key, a name, and leaves it to you when to sync', async () => {
    const place = (name: string): string => path.join(base, name);
    const passphrase = path.join(base, 'passphrase');
    fs.writeFileSync(passphrase, 'five words that nobody guesses\n');
    const key = path.join(base, 'key.txt');
    fs.writeFileSync(key, `# made by age-keygen\n${await generateIdentity()}\n`);
    const inits = [
      ['sync', 'init', place('by-file'), '--passphrase-file', passphrase, '--name', 'laptop', '--json'],
      ['sync', 'init', place('by-key'), '--key-file', key, '--no-auto', '--json'],
    ];
    for (const argv of inits) {
      const { status, out, err } = cairn('second', argv);
      expect([argv.join(' '), status, err]).toEqual([argv.join(' '), 0, '']);
      expect(() => JSON.parse(out)).not.toThrow();
      expect(cairn('second', ['sync', 'push', '--json']).status).toBe(0);
    }
    expect(JSON.parse(cairn('second', ['sync', 'status', '--json']).out)).toMatchObject({ auto: false });
  }, 120_000);

  it('names only commands and options that there are', () => {
    const inline = [...page.matchAll(/`(cairn sync [^`]+)`/g)].map(([, command]) => command!);
    expect(inline.length).toBeGreaterThan(4);
    for (const command of inline) {
      const [, , sub, ...rest] = words(command);
      const help = cairn('first', ['sync', sub!, '--help']);
      expect(help.status, command).toBe(0);
      for (const option of rest.filter((word) => word.startsWith('--'))) expect(help.out, command).toContain(option);
    }
    const { out } = cairn('first', ['sync', 'init', '--help']);
    for (const option of ['--passphrase-file', '--key-file', '--name', '--no-auto', '--json']) {
      expect(page).toContain(option);
      expect(out).toContain(option);
    }
  });
});
