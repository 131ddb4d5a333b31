// What `cairn export --json` wrote, read back by `cairn import`: whole, repeatable, and nothing overwritten in silence.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { Cli } from '../fixtures/cli.ts';
import { newFolder } from '../fixtures/temporary.ts';

const NO_VECTORS = { env: { CAIRN_EMBEDDINGS_PROVIDER: 'none' } };
let from: Cli;
let file: string;

beforeAll(async () => {
  from = new Cli(newFolder());
  await from.run(['save', 'decision', 'Use SQLite because it needs no server', '--tags', 'storage']);
  await from.run(['save', 'runbook', 'Restart the tax job by hand']);
  await from.run(['archive', 'restart-the-tax', '--reason', 'it runs by itself now']);
  await from.run(['note', 'new', 'task', 'Paint the fence', '--section', 'Description=In green.']);
  await from.run(['done', 'task-paint'], NO_VECTORS);
  file = path.join(from.base, 'memories.json');
  await from.run(['export', '--json', '--output', file], NO_VECTORS);
});

afterAll(() => removeBusyFolder(from.base));

type Report = {
  created: string[];
  unchanged: string[];
  differing: string[];
  refused: { ref: string }[];
  settled: number;
};
const taken = (cli: Cli, ...more: string[]): Promise<Report> =>
  cli.json<Report>(['import', '--export', file, ...more], NO_VECTORS);

describe('cairn import of an export', () => {
  it('brings records, notes and what was settled, once; a dry run only shows it', async () => {
    const to = new Cli();
    expect((await taken(to, '--dry-run')).created).toHaveLength(3);
    expect(fs.existsSync(to.root)).toBe(false);
    expect(await taken(to)).toMatchObject({ differing: [], refused: [], settled: 1 });
    expect(to.read('decisions/use-sqlite')).toMatchObject({
      title: 'Use SQLite',
      tags: ['storage'],
      content: from.read('decisions/use-sqlite').content,
      created_at: from.read('decisions/use-sqlite').created_at,
    });
    const [archived] = fs.readdirSync(path.join(to.root, 'runbooks'));
    expect(to.read(`runbooks/${path.basename(archived!, '.json')}`)).toMatchObject({
      record_status: 'archived',
      archived_reason: 'it runs by itself now',
    });
    expect((await to.run(['note', 'show', 'task-paint'])).out).toMatch(/status: completed[\s\S]*In green\./);
    expect(await taken(to)).toMatchObject({ created: [], differing: [], refused: [], settled: 0 });
    const { out } = await to.run(['import', '--json', file], NO_VECTORS);
    expect(out).toContain('Imported 0 memories; 3 unchanged, 0 differing, 0 refused.');
  });

  it('leaves what is here and says that it differs', async () => {
    const to = new Cli();
    await to.run(['save', 'decision', 'Use SQLite because everybody knows it', '--tags', 'other']);
    expect(await taken(to)).toMatchObject({ differing: ['record:decisions/use-sqlite'] });
    expect(JSON.stringify(to.read('decisions/use-sqlite'))).toContain('everybody knows it');
  });

  it('refuses what is no export, and what would lie elsewhere', async () => {
    const to = new Cli();
    const other = path.join(to.base, 'other.json');
    fs.writeFileSync(other, '{"format":"something"}');
    expect((await to.run(['import', '--json', other])).out).toContain('is no export of Cairn');
    expect((await to.run(['import', '--export', path.join(to.base, 'none.json')])).exit).toBe(1);
    expect((await to.run(['import'])).exit).toBe(2);
    const record = { category: 'decision', title: 'x', tags: ['x'], content: {} };
    const memories = ['record:../../evil', 'record:runbooks/x', 'note:../x'].map((ref) =>
      ref.startsWith('note') ? { ref, markdown: '# x' } : { ref, record },
    );
    fs.writeFileSync(other, JSON.stringify({ format: 'cairn-export-1', memories }));
    expect((await to.json<Report>(['import', '--export', other])).refused).toHaveLength(3);
    expect(fs.existsSync(path.join(to.project, '.claude', 'evil.json'))).toBe(false);
  });
});
