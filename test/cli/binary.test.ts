// The binary as people and programs start it: real processes, real pipes, a home that is empty.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { version } from '../../src/version.ts';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { sampleInput } from '../fixtures/sample-records.ts';
import { put, snapshot, temporaryFolder } from '../fixtures/temporary.ts';

let program: Bundle;
let base: string;
let project: string;
beforeAll(async () => {
  program = await bundle('src/faces/launcher/main.ts');
});
afterAll(() => program?.remove());
beforeEach(() => {
  base = temporaryFolder();
  project = path.join(base, 'project');
  fs.mkdirSync(path.join(project, '.git'), { recursive: true });
  fs.mkdirSync(path.join(base, 'home'));
});

type Ended = { code: number | null; out: string; err: string };

function cairn(argv: readonly string[], stdin: string | Buffer | 'closed' = ''): Promise<Ended> {
  const child = spawn(process.execPath, [program.file, ...argv], {
    cwd: project,
    env: { HOME: path.join(base, 'home'), PATH: process.env.PATH },
    stdio: [stdin === 'closed' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.on('error', () => undefined); // a command that does not read closes it
  child.stdin?.end(stdin);
  let [out, err] = ['', ''];
  child.stdout!.on('data', (chunk: Buffer) => {
    out += String(chunk);
  });
  child.stderr!.on('data', (chunk: Buffer) => {
    err += String(chunk);
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

const target = ['--target', '.claude/memory/decisions/a.json'];
const create = ['write', '--action', 'create', '--category', 'decision', ...target];

describe('the binary', () => {
  it('tells its version and its help', async () => {
    expect(await cairn(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
    expect((await cairn([])).out).toContain('Usage: cairn');
  });

  it('leads a memory from nothing to a health report', async () => {
    const saved = await cairn(['save', 'decision', 'Use SQLite because it needs no server']);
    expect(saved).toMatchObject({ code: 0, out: expect.stringMatching(/^Saved \.claude\/memory\/decisions\//) });
    expect((await cairn(['search', 'sqlite'])).out).toContain('Use SQLite');
    expect((await cairn(['list'])).out).toContain('1 record');
    expect(await cairn(['index', '--validate'])).toMatchObject({ code: 0, out: 'Index is valid (1 entries)\n' });
    expect((await cairn(['index', '--health'])).out).toContain('Health: GOOD');
    expect((await cairn(['status'])).out).toContain('Health   GOOD');
    expect(fs.existsSync(path.join(project, '.claude/memory/.gitignore'))).toBe(true);
    // Of all that, one file: that this memory was founded here.
    const inHome = Object.keys(snapshot(path.join(base, 'home'))).filter((name) => !/^\.cairn(?:\/trust)?$/.test(name));
    expect(inHome).toEqual([expect.stringMatching(/^\.cairn\/trust\/[0-9a-f]{16}\.json$/)]);
  });

  it('stops before a second record like the first: nobody can be asked', async () => {
    await cairn(['save', 'decision', 'Use SQLite', '--tags', 'storage']);
    const again = await cairn(['save', 'decision', 'Use SQLite with WAL', '--tags', 'storage']);
    expect(again.code).toBe(1);
    expect(again.err).toContain('Add --update to change that record, or --new');
    expect((await cairn(['save', 'decision', 'Use SQLite with WAL', '--tags', 'storage', '--update'])).code).toBe(0);
  });

  it('reads a record from standard input and answers with one line', async () => {
    const { code, out } = await cairn([...create, '--input', '-'], JSON.stringify(sampleInput('decision')));
    expect(code).toBe(0);
    expect(out.split('\n')).toHaveLength(2);
    expect(JSON.parse(out)).toMatchObject({ status: 'created', id: 'a' });
  });

  it('does not mind a reader that goes away', async () => {
    for (let at = 0; at < 3; at++) await cairn(['save', 'decision', `Number ${at}`, '--new']);
    const child = spawn(process.execPath, [program.file, 'list'], {
      cwd: project,
      env: { HOME: path.join(base, 'home'), PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => {
      err += String(chunk);
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  it('finds the memory of the project from a folder below it', async () => {
    await cairn(['save', 'decision', 'Use SQLite']);
    const above = project;
    project = path.join(above, 'src/deep');
    fs.mkdirSync(project, { recursive: true });
    expect((await cairn(['list'])).out).toContain('1 record');
    expect(fs.existsSync(path.join(project, '.claude'))).toBe(false);
  });
});

describe('bad input to the binary', () => {
  const MB = 1024 * 1024;
  const cases: [string, string[], string | Buffer | 'closed', number][] = [
    ['an unknown flag', ['list', '--nope'], '', 2],
    ['an unknown command', ['nope'], '', 2],
    ['no input', [...create, '--input', '-'], '', 1],
    ['closed input', [...create, '--input', '-'], 'closed', 1],
    ['no JSON', [...create, '--input', '-'], 'nope', 1],
    ['a list', [...create, '--input', '-'], '[]', 1],
    ['bytes that are no text', [...create, '--input', '-'], Buffer.from([0xff, 0xfe, 0x00]), 1],
    ['a number that is none', [...create, '--input', '-'], '{"confidence": 1e999}', 1],
    ['a key of the prototype', [...create, '--input', '-'], '{"__proto__": {"x": 1}}', 1],
    ['100,000 levels', [...create, '--input', '-'], `{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 1],
    [
      'a title of 1 MB',
      [...create, '--input', '-'],
      JSON.stringify(sampleInput('decision', { title: 'x'.repeat(MB) })),
      1,
    ],
    [
      '300,000 wrong items',
      [...create, '--input', '-'],
      JSON.stringify(sampleInput('decision', { related_files: new Array(300_000).fill(1) })),
      1,
    ],
    ['20 MB', [...create, '--input', '-'], ' '.repeat(20 * MB), 1],
    ['a way out', ['write', '--action', 'delete', '--target', '.claude/memory/../../../../etc/passwd'], '', 1],
    ['an absolute way out', ['write', '--action', 'delete', '--target', '/etc/passwd'], '', 1],
    ['a device as input', [...create, '--input', '/dev/zero'], '', 1],
    ['a folder as input', [...create, '--input', '/tmp'], '', 1],
    ['a system file as input', [...create, '--input', '/etc/hostname'], '', 1],
    ['an empty target', ['write', '--action', 'delete', '--target', ''], '', 1],
    ['the index as target', ['write', '--action', 'delete', '--target', '.claude/memory/index.md'], '', 1],
    ['an unknown category', ['save', 'idea', 'x'], '', 1],
    ['an unknown slug', ['retire', 'nothing'], '', 1],
    ['a query without an index', ['index', '--query', 'x'], '', 1],
    ['two jobs at once', ['index', '--gc', '--health'], '', 2],
    ['a limit that is none', ['search', 'x', '--limit', 'many'], '', 2],
    ['a setting that is none', ['config', 'get', 'nothing'], '', 1],
    ['a value that is none', ['config', 'set', 'retrieval.max_inject', 'many'], '', 1],
    ['a field without a name', ['save', 'decision', 'x', '--field', '=y'], '', 2],
  ];

  it.each(cases)('%s', async (_, argv, stdin, code) => {
    const before = snapshot(base);
    const ended = await cairn(argv, stdin);
    expect(ended.code).toBe(code);
    const said = ended.out + ended.err;
    expect(said).not.toMatch(/^\s+at .+:\d+|node:internal|TypeError|RangeError/m);
    expect(said.length).toBeGreaterThan(10);
    expect(said.length).toBeLessThan(20_000);
    if (argv[0] === 'write' && code === 1) expect(ended.out).toMatch(/^[A-Z_]+_ERROR\n/);
    expect(snapshot(base)).toEqual(before);
  });

  it('a broken configuration is a warning', async () => {
    put(path.join(project, '.claude/memory/memory-config.json'), '{ nope');
    const { code, err } = await cairn(['list']);
    expect(code).toBe(0);
    expect(err).toContain('memory-config.json');
  });
});
