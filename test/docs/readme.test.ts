// README as its readers use it: every command in it is run. What stands in a `console` block is what the command prints (`…` stands
// for anything), the two commands for a fresh machine are scripts that exist, and links lead somewhere.

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeConversation } from '../../scripts/demo-conversation.mjs';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { newFolder } from '../fixtures/temporary.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const binary = path.join(root, 'dist/faces/cli/main.js');
const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8');
const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: { [name: string]: string };
};

const blocks = (kind: string): string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text]) => text!);

/** `cairn …` in running text and tables, as it stands there. */
const inline = [...readme.matchAll(/`(cairn [^`]+)`/g)].map(([, command]) => command!.replaceAll('\\|', '|'));

let home: string;
let project: string;
let env: NodeJS.ProcessEnv;

beforeAll(() => {
  home = fs.realpathSync(newFolder());
  project = path.join(home, 'shop');
  fs.mkdirSync(project);
  writeConversation(home, project);
  const { CAIRN_DISABLE: _, CAIRN_HOME: __, ...inherited } = process.env;
  // No client here: `cairn install` is to say what to run, not to touch anybody's Claude Code.
  env = { ...inherited, HOME: home, USERPROFILE: home, CLAUDE_PROJECT_DIR: '', PATH: path.dirname(process.execPath) };
});
afterAll(() => removeBusyFolder(home));

function cairn(argv: readonly string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [binary, ...argv], {
    cwd: project,
    env,
    encoding: 'utf8',
    input: '',
  });
  return { status, out: stdout, err: stderr };
}

/** Words as a shell would split them; nothing in README needs more of a shell. */
const words = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);

describe('the consoles in README', () => {
  const sessions = blocks('console').flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command, ...lines] = part.trimEnd().split('\n');
        return { command: command!, lines: lines.filter((line) => line.trim() !== '') };
      }),
  );

  it('are there', () => expect(sessions.length).toBeGreaterThanOrEqual(4));

  it.each(sessions)('$command', ({ command, lines }) => {
    const [program, ...argv] = words(command);
    expect(program).toBe('cairn');
    const { status, out, err } = cairn(argv);
    expect(err + out).not.toBe('');
    expect(status).toBe(0);
    const printed = out.split('\n').filter((line) => line.trim() !== '');
    for (const line of lines)
      expect(
        printed.some((each) => isLike(each, line)),
        `${line}\nin\n${out}`,
      ).toBe(true);
  });

  /** Days go by; what they are counted from does not. */
  function isLike(printed: string, shown: string): boolean {
    const pattern = shown
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')
      .replace(/\d{4}-\d\d-\d\d/g, '\\d{4}-\\d\\d-\\d\\d');
    return new RegExp(`^${pattern}$`).test(printed);
  }
});

describe('what README says to run', () => {
  it('names scripts that exist', () => {
    const named = [...readme.matchAll(/npm run (\w+)/g)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it('does the main job with npm run demo', () => {
    const out = execFileSync(process.execPath, [path.join(root, 'scripts/demo.mjs')], { env, encoding: 'utf8' });
    expect(out).toContain('<memory-context');
    expect(out).toContain('Saved .claude/memory/decisions/');
  });

  it('prints the block that a prompt gets', () => {
    const shown = blocks('text').find((block) => block.includes('<memory-context'))!;
    const payload = {
      hook_event_name: 'UserPromptSubmit',
      session_id: 'readme',
      cwd: project,
      prompt: 'Make logging out end the session on all other devices',
    };
    cairn(['backfill']);
    const { stdout } = spawnSync(process.execPath, [binary, 'hook', 'user-prompt-submit'], {
      cwd: project,
      env,
      encoding: 'utf8',
      input: JSON.stringify(payload),
    });
    const plain = (text: string): string => text.replace(/\d{4}-\d\d-\d\d/g, 'DAY');
    for (const line of shown.split('\n').filter((each) => each !== '' && each !== '…'))
      expect(plain(stdout)).toContain(plain(line));
  });

  it('has a command and options that exist behind every name of one', () => {
    const helps = new Map<string, string>();
    const unknown = inline.filter((command) => {
      const [, name, ...rest] = words(command);
      const asked = name === 'config' && rest[0] ? [name, rest[0]] : [name!];
      if (!helps.has(asked.join(' '))) helps.set(asked.join(' '), cairn([...asked, '--help']).out);
      const options = rest
        .flatMap((word) => word.replace(/[[\]]/g, '').split('|'))
        .filter((word) => word.startsWith('--'));
      const help = helps.get(asked.join(' '))!;
      return !help.includes(`Usage: cairn ${name}`) || options.some((option) => !help.includes(option));
    });
    expect(unknown).toEqual([]);
  }, 180_000); // a process for each command

  it.each(inline.filter((command) => /^cairn config set /.test(command)))('%s', (command) => {
    const [, ...argv] = words(command);
    const [key, value] = argv.filter((word) => word !== '--user').slice(2);
    const { status, err } = cairn(argv);
    expect(status, err).toBe(0);
    expect(cairn(['config', 'get', key!]).out).toContain(value!);
    expect(cairn(['config', 'unset', ...(argv.includes('--user') ? ['--user'] : []), key!]).status).toBe(0);
  });

  it('installs, or says what to run where there is no client', () => {
    expect(cairn(['install', '--dry-run']).out).toContain('memory@cairn');
    const { status, out, err } = cairn(['install']);
    expect(status).toBe(1); // no `claude` on the PATH
    expect(out + err).toContain('claude plugin install memory@cairn');
    const codex = cairn(['install', '--client', 'codex']);
    expect(codex.status, codex.err).toBe(0);
    expect(fs.readFileSync(path.join(home, '.codex/config.toml'), 'utf8')).toContain('cairn');
  });

  it.each([
    ['log'],
    ['today'],
    ['topics'],
    ['stats'],
    ['why'],
    ['list'],
    ['status'],
    ['reindex'],
    ['redact'],
    ['graph'],
    ['index', '--health'],
    ['export', '--output', 'exported.json'],
  ])('cairn %s', (...argv) => {
    const { status, err } = cairn(argv);
    expect(status, err).toBe(0);
  });
});

describe('the commands in the documents', () => {
  const pages = [
    ...['README.md', 'CONTRIBUTING.md', 'docs', 'plugin'].flatMap((name) => {
      const place = path.join(root, name);
      if (fs.statSync(place).isFile()) return [place];
      return fs.readdirSync(place, { recursive: true, encoding: 'utf8' }).map((file) => path.join(place, file));
    }),
  ].filter((file) => file.endsWith('.md'));

  it('all exist', () => {
    const help = cairn(['--help']).out;
    const commands = new Set([...help.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name));
    expect(commands).toContain('log');
    const unknown = pages.flatMap((file) => {
      const text = fs.readFileSync(file, 'utf8');
      // As code (`cairn log`), as a line of a shell, or as what a skill may call.
      const named = [...text.matchAll(/(?:`|^\$ |^|Bash\()cairn ([a-z]+)(?=[ `:\n])/gm)].map(([, name]) => name ?? '');
      return named.filter((name) => !commands.has(name)).map((name) => `${path.relative(root, file)}: cairn ${name}`);
    });
    expect(unknown).toEqual([]);
  });
});

describe('the links of the documents', () => {
  const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].concat(
    fs.readdirSync(path.join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
  );

  it.each(pages)('in %s lead to files that are there', (page) => {
    const text = fs.readFileSync(path.join(root, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!.split('#')[0]!);
    const missing = targets.filter(
      (target) =>
        target !== '' && !/^[a-z]+:/.test(target) && !fs.existsSync(path.join(root, path.dirname(page), target)),
    );
    expect(missing).toEqual([]);
  });
});
