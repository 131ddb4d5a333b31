// `cairn export`: everything, or what a search finds, as JSON and as Markdown.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { Cli } from '../fixtures/cli.ts';
import { sampleIdea } from '../fixtures/sample-idea.ts';
import { put } from '../fixtures/temporary.ts';

async function filled(): Promise<Cli> {
  const cli = new Cli();
  await cli.run([
    'save',
    'decision',
    'Use SQLite because it needs no server',
    '--title',
    'Use SQLite',
    '--tags',
    'storage',
  ]);
  await cli.run([
    'save',
    'preference',
    'Tabs are for tables',
    '--title',
    'Tabs',
    '--tags',
    'style',
    '--field',
    'reason=taste',
  ]);
  return cli;
}

type Data = { memories: { ref: string; text: string }[] };

describe('cairn export', () => {
  it('writes out everything', async () => {
    const cli = await filled();
    const { memories } = await cli.json<Data>(['export']);
    expect(memories.map(({ ref }) => ref).sort()).toEqual(['record:decisions/use-sqlite', 'record:preferences/tabs']);
    expect(memories.find(({ ref }) => ref.endsWith('sqlite'))?.text).toContain('it needs no server');
    expect((await cli.run(['export'])).out).toMatch(/^# What is remembered\n\n2 memories\.\n\n## /);
  });

  it('writes out what a search finds, of the layers that are wanted', async () => {
    const cli = await filled();
    const { memories } = await cli.json<Data>(['export', 'SQLite', 'server']);
    expect(memories[0]!.ref).toBe('record:decisions/use-sqlite');
    expect((await cli.json<Data>(['export', '--layer', 'note'])).memories).toEqual([]);
    expect((await cli.run(['export', '--layer', 'nothing'])).exit).not.toBe(0);
  });

  it('says of what was said all that extraction found out, and nothing where it found nothing', async () => {
    const cli = await filled();
    await cli.run(['remember', 'SQLite']);
    const said = { role: 'user', stance: 'hypothesis', search_only: true, worth: 0.25, generation: 2 };
    const exchange = {
      level: 'exchange',
      asked: 'a',
      outcome: 'b',
      decided: ['c'],
      fixed: [],
      commits: ['d'],
      left: 'e',
    };
    const store = await openSqliteStore(path.join(cli.home, '.cairn', 'memory.db'));
    await store.apply([
      { op: 'put', document: sampleIdea(cli.project, 'idea:1', 'Perhaps a queue', { meta: said }) },
      { op: 'put', document: sampleIdea(cli.project, 'idea:2', 'Tabs it is') },
      { op: 'put', document: sampleIdea(cli.project, 'span:1', 'A queue', { kind: 'span', meta: exchange }) },
    ]);
    await store.close();
    const { memories } = await cli.json<Data>(['export', '--layer', 'trace', '--all-projects']);
    const [idea, plain, span] = ['idea:1', 'idea:2', 'span:1'].map((ref) => memories.find((each) => each.ref === ref));
    expect(idea).toMatchObject({ stance: 'hypothesis', search_only: true, worth: 0.25 });
    expect(idea).not.toHaveProperty('generation');
    expect(plain).not.toHaveProperty('worth');
    expect(span).toMatchObject(exchange);
  });

  it('tells what was said at once in the order in which it was said', async () => {
    const cli = await filled();
    await cli.run(['remember', 'SQLite']);
    const store = await openSqliteStore(path.join(cli.home, '.cairn', 'memory.db'));
    const at = (ref: string, line: number, part: number) =>
      sampleIdea(cli.project, ref, `${line} ${part}`, {
        source: { file: '/w/one.jsonl', line },
        meta: { role: 'user', stance: 'stated', ...(part > 0 ? { part } : {}) },
      });
    await store.apply(
      [at('idea:a', 9, 1), at('idea:b', 9, 0), at('idea:c', 4, 10), at('idea:d', 4, 2)].map((document) => ({
        op: 'put',
        document,
      })),
    );
    await store.close();
    const { memories } = await cli.json<Data>(['export', '--layer', 'trace', '--all-projects']);
    expect(memories.map(({ text }) => text)).toEqual(['4 2', '4 10', '9 0', '9 1']);
  });

  it('makes a private file and replaces none', async () => {
    const cli = await filled();
    const file = path.join(cli.project, 'out.md');
    expect((await cli.run(['export', '-o', 'out.md'])).exit).toBe(0);
    const before = fs.readFileSync(file, 'utf8');
    expect(fs.statSync(file).mode & 0o077).toBe(0);
    expect((await cli.run(['export', '-o', 'out.md', '--json'])).exit).toBe(1);
    expect(fs.readFileSync(file, 'utf8')).toBe(before);
    const nowhere = await cli.run(['export', '-o', 'none/out.md']);
    expect([nowhere.exit, nowhere.err]).toEqual([
      1,
      expect.stringMatching(/out\.md cannot be written: ENOENT.*\nWhat to do: /),
    ]);
  });

  it('names what it could not read, and writes out the rest', async () => {
    const cli = await filled();
    put(cli.file('decisions/torn'), '{"title":');
    const { exit, out, err } = await cli.run(['export']);
    expect([exit, out]).toEqual([0, expect.stringContaining('2 memories.')]);
    expect(err).toMatch(/^WARNING: decisions\/torn\.json: it is not JSON .*; it is not in the export$/);
    expect((await cli.run(['remember', 'SQLite'])).err).toContain('files of the memory that cannot be read: 1');
  });
});
