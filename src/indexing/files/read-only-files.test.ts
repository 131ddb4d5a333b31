import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { put, temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { Kinds } from '../../model/kinds.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Document, Store } from '../../store/store.ts';
import { type FilesReport, type SyncOptions, syncFiles } from './index-files.ts';
import { autoMemoryFolder, readOnlySources } from './read-only-sources.ts';

let base: string;
let project: string;
let client: string;
let store: Store;

beforeEach(async () => {
  base = temporaryFolder();
  project = path.join(base, 'my project');
  client = path.join(base, '.claude');
  fs.mkdirSync(project);
  store = await openSqliteStore(path.join(base, 'memory.db'));
  onTestFinished(() => store.close());
});

const memory = (name: string): string => path.join(autoMemoryFolder(client, project), name);
const sync = (options: SyncOptions = {}): Promise<FilesReport> => {
  const root = path.join(project, '.claude', 'memory');
  const readOnly = readOnlySources({ projectRoot: project, clientFolder: client });
  return syncFiles(store, { root, project: root, kinds: new Kinds(), projectRoot: project, readOnly }, options);
};
const all = async (): Promise<readonly Document[]> => (await store.list({ order: 'ref', limit: 100 })).documents;
const refs = async (): Promise<string[]> => (await all()).map((document) => document.ref);

describe("the client's own files", () => {
  it('are found where the client keeps them, and become a document a section', async () => {
    put(path.join(project, 'CLAUDE.md'), '# Rules\n\nUse tabs.\n\n## Tests\n\nRun `npm test`.\n');
    put(path.join(client, 'CLAUDE.md'), 'Speak plainly.\n');
    put(memory('MEMORY.md'), '- [Deploys](deploys.md): how we deploy\n');
    put(memory('deploys.md'), '---\nname: deploys\ndescription: How we deploy\n---\nWith PostgreSQL down, wait.\n');
    put(memory('notes.txt'), 'not Markdown');
    expect(path.basename(path.dirname(memory('x')))).toBe('memory');
    expect(await sync()).toMatchObject({ put: 5, problems: [] });
    expect(await refs()).toEqual([
      'note:auto-memory/MEMORY.md#top',
      'note:auto-memory/deploys.md#top',
      'note:instructions/CLAUDE.md#rules',
      'note:instructions/CLAUDE.md#tests',
      'note:instructions/user/CLAUDE.md#top',
    ]);
    expect((await all())[1]).toMatchObject({
      layer: 'note',
      kind: 'auto-memory',
      title: 'How we deploy',
      text: 'With PostgreSQL down, wait.',
      source: { file: memory('deploys.md'), line: 5 },
      meta: { readOnly: true },
    });
    expect((await all())[3]).toMatchObject({ kind: 'instructions', title: 'Tests', context: 'CLAUDE.md › Rules' });
    expect(await store.mentions({ entities: ['postgresql'] })).toHaveLength(1);
  });

  it('are followed when they change, also by a quick sync, and left alone when they do not', async () => {
    const file = put(path.join(project, 'CLAUDE.md'), '# A\n\none\n\n# B\n\ntwo\n');
    await sync();
    expect(await sync()).toMatchObject({ put: 0, removed: 0 });
    fs.writeFileSync(file, '# A\n\nanother one\n');
    expect(await sync({ quick: true })).toMatchObject({ put: 1, removed: 1 });
    expect(await refs()).toEqual(['note:instructions/CLAUDE.md#a']);
    fs.rmSync(file);
    expect(await sync({ quick: true })).toMatchObject({ removed: 1 });
    expect(await refs()).toEqual([]);
  });

  it('that are too large, no text or no files are passed over', async () => {
    fs.mkdirSync(path.join(project, 'CLAUDE.md'));
    put(memory('large.md'), 'x'.repeat(300 * 1024));
    put(memory('bytes.md'), Buffer.from([0xff, 0xfe, 0x00]));
    put(memory('fine.md'), 'fine');
    await sync();
    expect(await refs()).toEqual(['note:auto-memory/fine.md#top']);
  });

  it('are redacted', async () => {
    const token = `ghp_${'a1B2c3D4'.repeat(5)}`;
    put(memory('MEMORY.md'), `# Token ${token}\n\nIt is ${token}.\n`);
    await sync();
    expect(JSON.stringify(await all())).not.toContain(token);
  });
});
