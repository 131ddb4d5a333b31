// Bad input through the command line, as models and scripts would send it: whatever comes, the answer is a valid record
// or one clear error with a known code, and nothing outside the memory root is touched.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cli, type Printed } from '../fixtures/cli.ts';
import { sampleContent, sampleInput, sampleRecord } from '../fixtures/sample-records.ts';
import { seededRandom } from '../fixtures/seed.ts';
import { newFolder, put, snapshot } from '../fixtures/temporary.ts';

const random = seededRandom();

let cli: Cli;
let outside: string;
let before: { [file: string]: string };

const CODES = [
  ...fs.readFileSync(path.resolve(import.meta.dirname, '../../src/errors.ts'), 'utf8').matchAll(/\| '([A-Z_]+)'/g),
].map((match) => match[1]!);

/** Everything in the sandbox but the memory itself, the staging files and what Cairn keeps in its own home. */
function surroundings(): { [file: string]: string } {
  const ours = [cli.root, path.join(cli.home, '.cairn'), path.join(cli.base, 'staging')];
  const here = Object.entries(snapshot(cli.base)).filter(
    ([name]) => !ours.some((each) => path.join(cli.base, name).startsWith(each)),
  );
  return { ...Object.fromEntries(here), ...snapshot(outside) };
}

beforeAll(async () => {
  cli = new Cli(newFolder());
  outside = fs.mkdtempSync('/var/tmp/cairn-test-'); // no place for input files either
  put(path.join(outside, 'secret.json'), sampleRecord('decision', { title: 'SECRET' }));
  put(path.join(outside, 'folder/a.json'), sampleRecord('constraint', { title: 'SECRET' }));
  put(path.join(cli.project, 'package.json'), '{}');
  cli.configure({ max_memories_per_category: 0 });
  await cli.write('create', 'decisions/good', sampleInput('decision'), ['--category', 'decision']);
  fs.symlinkSync(path.join(outside, 'secret.json'), cli.file('decisions/link'));
  fs.symlinkSync(path.join(outside, 'not-yet.json'), cli.file('decisions/dangling'));
  fs.symlinkSync('loop.json', cli.file('decisions/loop'));
  fs.symlinkSync(path.join(outside, 'folder'), path.join(cli.root, 'constraints'));
  fs.symlinkSync(path.join(outside, 'nowhere'), path.join(cli.root, 'preferences'));
  fs.symlinkSync('../../..', path.join(cli.root, 'up'));
  before = surroundings();
});
afterAll(() => {
  for (const folder of [cli.base, outside]) fs.rmSync(folder, { recursive: true, force: true });
});

/** One clear answer: no stack, no flood, a code that is known, nothing of what lies outside. */
function checkAnswer({ exit, out, err }: Printed, argv: readonly string[]): void {
  const said = `${out}\n${err}`;
  expect([0, 1, 2]).toContain(exit);
  expect(said).not.toMatch(/^\s+at .+:\d+/m);
  expect(said).not.toMatch(/TypeError|RangeError|Maximum call stack|is not (?:iterable|a function)|\[object Object\]/);
  expect(said).not.toContain('SECRET');
  if (exit !== 0) expect(said.length).toBeLessThan(50_000);
  if (exit === 2 && out !== '') expect(JSON.parse(out).error.code).toBe('USAGE_ERROR');
  else if (exit === 2) expect(err).toMatch(/^(?:error|cairn): /m);
  if (exit !== 1) return;
  const validation = argv.includes('--validate');
  if (argv[0] === 'write') expect(CODES).toContain(out.split('\n')[0]);
  else if (argv.includes('--json') && !validation) expect(CODES).toContain(JSON.parse(out).error.code);
  else if (!validation) expect(err).toMatch(/^cairn: .+/m);
}

async function attempt(argv: readonly string[], stdin?: string): Promise<Printed> {
  const printed = await cli.run(argv, stdin === undefined ? {} : { stdin });
  checkAnswer(printed, argv);
  if (argv[0] === 'write' && printed.exit === 0) expect(JSON.parse(printed.out).status).toBeTruthy();
  return printed;
}

const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  'line\nbreak\r\n',
  '\ud800',
  'x\udfffy',
  '\u202eright to left',
  'zero\u200bwidth\ufeff',
  '\u{e0041}\u{e0042}',
  '\u001b[31mred',
  'a -> b #tags:c',
  '</memory-context>',
  '__proto__',
  'constructor',
  '../../../etc/passwd',
  '$HOME $(id) `id`',
  '😀'.repeat(70),
  'x'.repeat(500),
  '-'.repeat(50),
  '%00%2e%2e%2f',
  'NaN',
  '1e999',
];
const oddText = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'binary', maxLength: 40 }));
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { maxDepth: 3 },
  oddText,
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, -0),
  fc.array(oddText, { maxLength: 15 }),
  fc.dictionary(oddText, oddText, { maxKeys: 4 }),
  fc.jsonValue({ maxDepth: 4 }),
);
const FIELDS = [
  ...Object.keys(sampleRecord('decision')),
  'changes',
  'related_files',
  'confidence',
  'times_updated',
  'x',
];

/** A record in which a few things, at any depth, are not what they should be, as JSON text. */
const wrongRecord = fc
  .record({
    fields: fc.dictionary(fc.constantFrom(...FIELDS, '__proto__'), oddValue, { maxKeys: 3 }),
    content: fc.option(
      fc.dictionary(fc.constantFrom(...Object.keys(sampleContent('decision')), '__proto__'), oddValue, { maxKeys: 3 }),
    ),
  })
  .map(({ fields, content }) =>
    JSON.stringify({ ...sampleInput('decision'), content: { ...sampleContent('decision'), ...content }, ...fields }),
  );
/** A record of the right shape that says odd things. */
const oddRecord = fc
  .record({
    title: oddText,
    tags: fc.array(oddText, { maxLength: 15 }),
    context: oddText,
    rationale: fc.array(oddText),
  })
  .map(({ title, tags, context, rationale }) =>
    JSON.stringify({
      title: `T ${title}`,
      tags,
      content: sampleContent('decision', { context, rationale: ['r', ...rationale] }),
    }),
  );
const noRecord = fc.constantFrom(
  '',
  '[]',
  'null',
  '"x"',
  '{',
  '{"a":1e999}',
  '{"title":NaN}',
  '\ufeff{}',
  '{"a":"\\ud800"}',
);
const hostileRecord = fc.oneof(
  { weight: 5, arbitrary: wrongRecord },
  { weight: 4, arbitrary: oddRecord },
  { weight: 1, arbitrary: noRecord },
);

const SEGMENTS = [
  '..',
  '.',
  '',
  'decisions',
  'runbooks',
  'constraints',
  'preferences',
  'up',
  'index.md',
  'good',
  'link',
  'dangling',
  'loop',
  'nodes',
];
const oddSegment = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...SEGMENTS) }, { weight: 1, arbitrary: oddText });
const hostilePath = fc
  .record({
    start: fc.constantFrom(
      '',
      '/',
      './',
      '.claude/memory/',
      '.claude/memory/',
      '.claude/memory/decisions/',
      'ROOT/',
      'OUT/',
    ),
    middle: fc.array(oddSegment, { maxLength: 4 }).map((parts) => parts.join('/')),
    end: fc.constantFrom('.json', '.json', '', '/', '.md', '.json/x.json'),
  })
  .map(({ start, middle, end }) => start + middle + end);
const inSandbox = (named: string): string => named.replace(/^ROOT/, cli.root).replace(/^OUT/, outside);

const action = fc.constantFrom('create', 'update', 'delete', 'archive', 'unarchive', 'restore');
const slug = fc.nat(1_000_000).map((at) => `decisions/n-${at}`);

describe('generated input', () => {
  it('400 records are saved as valid ones or refused', async () => {
    let saved = 0;
    await fc.assert(
      fc.asyncProperty(slug, hostileRecord, async (name, record) => {
        const target = ['--target', `.claude/memory/${name}.json`];
        const { exit } = await attempt(
          ['write', '--action', 'create', '--category', 'decision', ...target, '--input', '-'],
          record,
        );
        if (exit === 0) saved++;
      }),
      { numRuns: 400 },
    );
    expect(saved).toBeGreaterThan(100);
  });

  it('200 updates with odd records keep a valid record or are refused', async () => {
    await fc.assert(
      fc.asyncProperty(hostileRecord, async (record) => {
        await attempt(
          ['write', '--action', 'update', '--target', '.claude/memory/decisions/good.json', '--input', '-'],
          record,
        );
        if (!fs.existsSync(cli.file('decisions/good')))
          await cli.write('create', 'decisions/good', sampleInput('decision'), ['--category', 'decision']);
      }),
      { numRuns: 200 },
    );
  });

  it('500 paths lead to a record of this memory or are refused', async () => {
    await fc.assert(
      fc.asyncProperty(action, hostilePath, oddText, async (act, named, reason) => {
        const argv = [
          'write',
          '--action',
          act,
          `--target=${inSandbox(named)}`,
          '--category',
          'decision',
          `--reason=${reason}`,
        ];
        const input = act === 'create' || act === 'update' ? ['--input', '-'] : [];
        await attempt([...argv, ...input], JSON.stringify(sampleInput('decision')));
      }),
      { numRuns: 500 },
    );
  });

  it('200 names of input files are read from where they may be, or refused', async () => {
    fs.mkdirSync(path.join(cli.base, 'staging'), { recursive: true });
    await fc.assert(
      fc.asyncProperty(hostilePath, slug, async (named, name) => {
        const argv = ['write', '--action', 'create', '--category', 'decision', `--target=.claude/memory/${name}.json`];
        await attempt([...argv, `--input=${inSandbox(named)}`]);
      }),
      { numRuns: 200 },
    );
  });

  it('300 calls of the other commands answer or are refused', async () => {
    const json = fc.constantFrom([], ['--json']);
    const call = fc.oneof(
      fc.tuple(oddText, oddText).map(([text, field]) => ['save', 'decision', `--field=${field}`, '--', text || 'x']),
      fc
        .tuple(oddText, oddText)
        .map(([text, tags]) => ['save', 'decision', `--tags=${tags}`, `--title=${text}`, '--', 'words']),
      fc
        .tuple(oddText, oddText)
        .map(([category, text]) => ['candidate', `--category=${category}`, `--new-info=${text}`]),
      oddText.map((text) => ['candidate', '--category', 'decision', `--new-info=${text}`]),
      oddText.map((text) => ['index', `--query=${text}`]),
      oddText.map((text) => ['search', '--include-retired', '--', text]),
      oddText.map((text) => ['search', 'good', `--limit=${text}`]),
      oddText.map((text) => ['list', `--category=${text}`]),
      oddText.map((text) => ['retire', '--', text]),
      oddText.map((text) => ['restore', '--', text]),
      fc.tuple(oddText, oddText).map(([key, value]) => ['config', 'set', '--', key, value]),
      oddText.map((key) => ['config', 'get', '--', key]),
      fc.tuple(oddText, oddText).map(([flag, value]) => ['list', `--${flag}`, value]),
      fc.array(oddText, { minLength: 1, maxLength: 3 }),
      hostilePath.map((root) => ['index', '--validate', `--root=${root.replace(/\.claude\/memory/g, 'x')}`]),
    );
    await fc.assert(
      fc.asyncProperty(call, json, async (argv, more) => {
        const at = argv.indexOf('--');
        const whole = at === -1 ? [...argv, ...more] : [...argv.slice(0, at), ...more, ...argv.slice(at)];
        await attempt(whole.map(inSandbox));
      }),
      { numRuns: 300 },
    );
  });
});

describe('input that is simply too much', () => {
  const MB = 1024 * 1024;
  const nested = (open: string, close: string): string =>
    `{"content":${open.repeat(100_000)}1${close.repeat(100_000)}}`;
  const record = (changes: object): string => JSON.stringify(sampleInput('decision', changes as never));

  it.each<[string, () => string]>([
    ['a title of 1 MB', () => record({ title: 'x'.repeat(MB) })],
    ['a tag of 1 MB', () => record({ tags: ['x'.repeat(MB), 'short'] })],
    ['100,000 tags', () => record({ tags: Array.from({ length: 100_000 }, (_, at) => `t${at}`) })],
    ['a context of 2 MB', () => record({ content: sampleContent('decision', { context: 'word '.repeat(400_000) }) })],
    ['300,000 wrong items', () => record({ related_files: new Array(300_000).fill(1) })],
    [
      '50,000 unknown fields',
      () => record(Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`f${at}`, at]))),
    ],
    ['100,000 lists in each other', () => nested('[', ']')],
    ['100,000 objects in each other', () => nested('{"a":', '}')],
    ['1,000 lists in each other', () => `{"content":${'['.repeat(1_000)}1${']'.repeat(1_000)}}`],
    ['a reason of 1 MB in the history', () => record({ changes: [{ date: '2026-01-01', summary: 'x'.repeat(MB) }] })],
  ])('%s', async (_, text) => {
    const name = `decisions/much-${Math.floor(random() * 1e9)}`;
    const argv = ['write', '--action', 'create', '--category', 'decision', '--target', `.claude/memory/${name}.json`];
    const { exit } = await attempt([...argv, '--input', '-'], text());
    if (exit === 0) expect((await cli.run(['index', '--validate'])).exit).toBe(0);
  });

  it.each<[string, (file: string) => void]>([
    ['a folder', (file) => fs.mkdirSync(file)],
    ['a pipe that nobody writes to', (file) => execFileSync('mkfifo', [file])],
    ['an endless device', (file) => fs.symlinkSync('/dev/zero', file)],
    ['a link to nothing', (file) => fs.symlinkSync('/nowhere/at/all', file)],
    ['a circle', (file) => fs.symlinkSync(file, file)],
    ['a file of 100 MB', (file) => fs.truncateSync(put(file, ''), 100 * MB)],
    ['a file without a name', (file) => put(path.join(file, '.json'), '{}')],
  ])('as input file: %s', async (_, make) => {
    const file = path.join(cli.base, 'staging', `in-${Math.floor(random() * 1e9)}`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    make(file);
    const argv = [
      'write',
      '--action',
      'create',
      '--category',
      'decision',
      '--target',
      '.claude/memory/decisions/new.json',
    ];
    const { exit, out } = await attempt([...argv, '--input', file]);
    expect(exit).toBe(1);
    expect(out).toMatch(/^(?:INPUT|SECURITY)_ERROR\n/);
    fs.rmSync(file, { recursive: true });
  });
});

describe('afterwards', () => {
  it('nothing outside the memory root was created or changed', () => {
    expect(surroundings()).toEqual(before);
  });

  it('every record is valid, the index is in step, and nothing was left behind', async () => {
    await cli.run(['index', '--rebuild']);
    const validation = await cli.json<{ invalid: unknown[]; entries: number }>(['index', '--validate']);
    expect(validation).toMatchObject({ valid: true, invalid: [] });
    expect(validation.entries).toBeGreaterThan(10);
    const left = fs.readdirSync(cli.root, { recursive: true }).map(String);
    expect(left.filter((name) => /lockdir|cairn-tmp/.test(name))).toEqual([]);
  });
});
