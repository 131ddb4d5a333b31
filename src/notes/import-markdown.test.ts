import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAdr } from './adr.ts';
import { changeNote, type Vault } from './edit-note.ts';
import { importMarkdown } from './import-markdown.ts';
import { findNote, loadNotes } from './vault.ts';

let base: string;
let project: string;
let vault: Vault;
beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-import-')));
  project = path.join(base, 'project');
  const root = path.join(project, '.claude/memory');
  vault = {
    root,
    lockDir: path.join(root, '.index.lockdir'),
    deletedCopies: path.join(base, 'graveyard'),
    now: () => new Date('2026-01-31T09:30:00Z'),
  };
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

function sources(files: { [name: string]: string }): string {
  const folder = path.join(project, 'docs/adr');
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

const run = (directory: string) => importMarkdown(vault, { directory, projectRoot: project });
const links = (id: string) =>
  findNote(vault.root, id)
    ?.links.map(({ to, relation }) => `${relation} ${to}`)
    .sort();

function fingerprint(folder: string): string {
  const hash = createHash('sha256');
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile()) hash.update(file + fs.statSync(file).mtimeMs).update(fs.readFileSync(file));
  }
  return hash.digest('hex');
}

it('masks secrets and leaves out what is private, in the title, the name, the tags and the state too', async () => {
  const token = `ghp_${'aB3'.repeat(12)}`;
  const text = `---\ntags: [${token}]\n---\n# 1. Renew ${token} soon\n\nStatus: accepted ${token}\n\n<private>hidden\nhidden</private>\n`;
  const { created } = await run(sources({ '0001-renew.md': text }));
  expect(created.map(({ id }) => id)).toEqual(['decision-001-renew-soon']);
  const [note] = loadNotes(vault.root).notes;
  expect(fs.readFileSync(note!.file, 'utf8')).not.toMatch(/ab3ab3|hidden/i);
});

it('never writes over a note that it did not make, nor over a file that is no note', async () => {
  const folder = path.join(vault.root, 'nodes/decisions');
  fs.mkdirSync(folder, { recursive: true });
  const own = '---\nid: decision-001-use-jwt\ntype: decision\n---\n\n# Mine\n';
  fs.writeFileSync(path.join(folder, 'decision-001-use-jwt.md'), own);
  fs.writeFileSync(path.join(folder, 'decision-002-use-redis.md'), '---\nno end');
  const { created } = await run(
    sources({ '0001-a.md': '# 1. Use JWT\n\nStatus: accepted\n', '0002-b.md': '# 2. Use Redis\n\nStatus: accepted\n' }),
  );
  expect(created.map(({ id }) => id)).toEqual(['decision-001-use-jwt-2', 'decision-002-use-redis-2']);
  expect(fs.readFileSync(path.join(folder, 'decision-001-use-jwt.md'), 'utf8')).toBe(own);
  expect(fs.readFileSync(path.join(folder, 'decision-002-use-redis.md'), 'utf8')).toBe('---\nno end');
});

it('keeps what people added to the properties of a note when its record changes', async () => {
  const folder = sources({ '0001-a.md': '# 1. Use JWT\n\nStatus: accepted\n\nOld.\n' });
  await run(folder);
  const id = 'decision-001-use-jwt';
  await changeNote(vault, id, {
    ...{ addTags: ['auth'], status: 'archived', fields: { pinned: true } },
    addLinks: [{ to: 'file-src-auth-ts', relation: 'related' }],
  });
  sources({ '0001-a.md': '# 1. Use JWT\n\nStatus: accepted\n\nNew.\n' });
  expect((await run(folder)).updated).toHaveLength(1);
  const note = findNote(vault.root, id)!;
  expect(note).toMatchObject({ pinned: true, status: 'archived', tags: ['adr', 'auth'] });
  expect(note.body).toContain('New.');
  expect(links(id)).toEqual(['related file-src-auth-ts']);
  sources({ '0001-a.md': '# 1. Use JWT\n\nStatus: proposed\n\nNewer.\n' });
  await run(folder);
  expect(findNote(vault.root, id)?.status).toBe('proposed');
});

it('brings the other properties of a record along, and leaves a note alone whose front matter is no YAML', async () => {
  const text = (word: string): string =>
    `---\ndeciders: [ann,\n  bob] # both\nversion: "1.10"\nreview: 007\ndeep: {a: 1}\n---\n# 1. Use JWT\n\n${word}\n`;
  const folder = sources({ '0001-a.md': text('Old.') });
  const { created } = await run(folder);
  const { file, frontMatter } = findNote(vault.root, created[0]!.id)!;
  expect(['deciders', 'version', 'review'].map((key) => frontMatter.get(key))).toEqual([['ann', 'bob'], '1.10', 7]);
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('version: "1.10"', 'version: a: b'));
  const before = fs.readFileSync(file, 'utf8');
  sources({ '0001-a.md': text('New.') });
  const { updated, skipped } = await run(folder);
  expect({ updated, skipped }).toMatchObject({
    updated: [],
    skipped: [{ why: expect.stringContaining('no valid YAML') }],
  });
  expect(fs.readFileSync(file, 'utf8')).toBe(before);
});

/** The styles in which people keep decision records. */
const NYGARD =
  '# 1. Record decisions\n\nDate: 2020-02-03\n\n## Status\n\nAccepted\n\n## Context\n\nWe forget.\n\n## Decision\n\nWe write them down. See [the second](0002-use-sqlite.md).\n';
const REPLACED =
  '# 2. Use SQLite\n\nDate: 2020-03-01\n\n## Status\n\nSuperceded by [3. Use PostgreSQL](0003-use-postgresql.md)\n\n## Decision\n\nOne file.\n';
const MADR =
  '---\nstatus: accepted\ndate: 2021-05-06\ndeciders: ann, bob\ntags: [storage]\n---\n# Use PostgreSQL\n\nSupersedes: [ADR-2](./0002-use-sqlite.md)\n\n## Context and Problem Statement\n\nMany writers.\n\n## Links\n\n* [the schema](../../db/schema.sql)\n* ![picture](img/a b.png)\n* [outside](https://example.org/a.md)\n';
const BULLETS =
  '# ADR-0004: Drop the cache\n\n* Status: superseded by [0005](0005-bring-it-back.md)\n* Date: 2022-01-01\n\nText with `[code](0001-record-decisions.md)`.\n';
const BOLD =
  '# Bring it back\n\n**Status:** Proposed\n\n**Depends on:** ADR 3\n\nSee [[0003-use-postgresql|the base]] and [ref][1].\n\n[1]: 0001-record-decisions.md "first"\n';

const ALL = {
  '0001-record-decisions.md': NYGARD,
  '0002-use-sqlite.md': REPLACED,
  '0003-use-postgresql.md': MADR,
  '0004-drop-the-cache.md': BULLETS,
  '0005-bring-it-back.md': BOLD,
  'README.md': '# Decisions\n\n* [1](0001-record-decisions.md)\n',
  'template.md': '# {title}\n\n## Status\n\n{status}\n',
};

describe('importing decision records', () => {
  it('makes a decision note of each, and of nothing else', async () => {
    const report = await run(sources(ALL));
    expect(report.created.map((each) => each.id)).toEqual([
      'decision-001-record-decisions',
      'decision-002-use-sqlite',
      'decision-003-use-postgresql',
      'decision-004-drop-the-cache',
      'decision-005-bring-it-back',
    ]);
    expect(report.skipped.map((each) => path.basename(each.source))).toEqual(['README.md', 'template.md']);
  });

  it('reads the state in every style', async () => {
    await run(sources(ALL));
    const states = Object.fromEntries(loadNotes(vault.root).notes.map((note) => [note.id.slice(9, 12), note.status]));
    expect(states).toEqual({
      '001': 'active',
      '002': 'superseded',
      '003': 'active',
      '004': 'superseded',
      '005': 'proposed',
    });
    expect(findNote(vault.root, 'decision-001-record-decisions')?.created).toBe('2020-02-03T00:00:00Z');
    expect(findNote(vault.root, 'decision-003-use-postgresql')?.tags).toEqual(['adr', 'storage']);
  });

  it('keeps the chain of what replaced what, whichever side says it', async () => {
    await run(sources(ALL));
    expect(links('decision-003-use-postgresql')).toContain('supersedes decision-002-use-sqlite');
    expect(links('decision-005-bring-it-back')).toContain('supersedes decision-004-drop-the-cache');
    expect(links('decision-005-bring-it-back')).toContain('related decision-003-use-postgresql');
  });

  it('keeps every link: between records as wiki-links, others to where they pointed', async () => {
    await run(sources(ALL));
    const body = (id: string): string => findNote(vault.root, id)?.body ?? '';
    expect(body('decision-001-record-decisions')).toContain('[[decision-002-use-sqlite|the second]]');
    expect(body('decision-005-bring-it-back')).toContain('[[decision-003-use-postgresql|the base]]');
    expect(body('decision-005-bring-it-back')).toContain('[[decision-001-record-decisions|ref]]');
    expect(body('decision-004-drop-the-cache')).toContain('`[code](0001-record-decisions.md)`');
    expect(body('decision-003-use-postgresql')).toContain('[outside](https://example.org/a.md)');
    const schema = /\[the schema\]\(([^)]+)\)/.exec(body('decision-003-use-postgresql'))?.[1] ?? '';
    expect(path.resolve(vault.root, 'nodes/decisions', schema)).toBe(path.join(project, 'db/schema.sql'));
  });

  it('changes no source file and adds nothing the second time', async () => {
    const folder = sources(ALL);
    const before = fingerprint(folder);
    await run(folder);
    const notes = fingerprint(path.join(vault.root, 'nodes'));
    const again = await run(folder);
    expect(again).toMatchObject({ created: [], updated: [] });
    expect(again.unchanged).toHaveLength(5);
    expect(fingerprint(path.join(vault.root, 'nodes'))).toBe(notes);
    expect(fingerprint(folder)).toBe(before);
  });

  it('takes a changed source over, but not over the changes of a person', async () => {
    const folder = sources(ALL);
    await run(folder);
    const mine = findNote(vault.root, 'decision-001-record-decisions')!;
    fs.appendFileSync(mine.file, '\nMy own words.\n');
    fs.appendFileSync(path.join(folder, '0001-record-decisions.md'), '\nMore.\n');
    fs.appendFileSync(path.join(folder, '0003-use-postgresql.md'), '\nMore.\n');
    const report = await run(folder);
    expect(report.updated.map((each) => each.id)).toEqual(['decision-003-use-postgresql']);
    expect(report.skipped.map((each) => each.why).join()).toContain('changed by hand');
    expect(fs.readFileSync(mine.file, 'utf8')).toContain('My own words.');
  });

  it('writes nothing when it is only asked what it would do', async () => {
    const report = await importMarkdown(vault, { directory: sources(ALL), projectRoot: project, dryRun: true });
    expect(report.created).toHaveLength(5);
    expect(fs.existsSync(path.join(vault.root, 'nodes'))).toBe(false);
  });

  it('names what it cannot read', async () => {
    const folder = sources({
      'binary.md': 'a\0b',
      'js.md': '---js\nx\n---\n# A\n',
      'empty.md': ' \n',
      'good.md': '# Good\n',
    });
    fs.writeFileSync(path.join(folder, 'latin.md'), Buffer.from([0x23, 0x20, 0xe9]));
    const report = await run(folder);
    expect(report.created.map((each) => each.id)).toEqual(['decision-good']);
    expect(report.skipped).toHaveLength(4);
  });

  it('refuses a folder that is none, and the memory itself', async () => {
    await expect(async () => run(path.join(base, 'none'))).rejects.toMatchObject({ code: 'INPUT_ERROR' });
    fs.mkdirSync(path.join(vault.root, 'nodes'), { recursive: true });
    await expect(async () => run(path.join(vault.root, 'nodes'))).rejects.toMatchObject({ code: 'INPUT_ERROR' });
  });
});

describe('the number and the title of a record', () => {
  it.each([
    ['0007-use-redis.md', '# Use Redis', '7', 'Use Redis'],
    ['use-redis.md', '# ADR-007: Use Redis', '7', 'Use Redis'],
    ['use-redis.md', '# ADR 7 - Use Redis', '7', 'Use Redis'],
    ['adr-012-x.md', '# 12. X', '12', 'X'],
    ['2020-01-02-use-redis.md', '# Use Redis', '2020', 'Use Redis'],
    ['use-redis.md', 'Use Redis\n=========', undefined, 'Use Redis'],
    ['use-redis.md', 'no heading', undefined, 'use redis'],
  ])('%s with %j', (file, text, number, title) => {
    expect(readAdr(`${text}\n`, file)).toMatchObject({ number, title });
  });
});
