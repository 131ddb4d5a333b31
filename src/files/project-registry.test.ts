import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { noteProject } from './note-project.ts';
import { changeRegistry, type KnownProject, projectAt, readRegistry } from './project-registry.ts';

const project = (id: string, seen: string): KnownProject => ({
  id,
  scopes: [id],
  memories: [],
  places: [{ path: `/projects/${id}`, commits: [], seen }],
});
/** Where the registry of a user lies, whatever it is called. */
const fileIn = (home: string): string => path.join(home, fs.readdirSync(home).find((name) => name.endsWith('.json'))!);

describe('the registry of projects', () => {
  it('keeps every project, the one that was seen last first', async () => {
    const home = temporaryFolder();
    const projects = [project('a', '2026-01-01'), project('c', '2026-03-01'), project('b', '2026-02-01')];
    await changeRegistry(home, () => ({ projects }));
    expect(readRegistry(home).projects.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    expect(readRegistry(home).projects[0]).toEqual(project('c', '2026-03-01'));
  });

  it('writes nothing where nothing changed, and its file is for its owner alone', async () => {
    const home = temporaryFolder();
    await changeRegistry(home, (registry) => registry);
    expect(fs.readdirSync(home).filter((name) => name.endsWith('.json'))).toEqual([]);
    await changeRegistry(home, () => ({ projects: [project('a', '2026-01-01')] }));
    if (process.platform !== 'win32') expect(fs.statSync(fileIn(home)).mode & 0o777).toBe(0o600);
  });

  it('reads what it can: a name is needed, the rest is taken where it is of its kind', async () => {
    const home = temporaryFolder();
    await changeRegistry(home, () => ({ projects: [project('a', '2026-01-01')] }));
    const odd = [
      { id: '' },
      { id: 7 },
      'text',
      { id: 'bare' },
      {
        id: 'odd',
        scopes: ['old', 3],
        memories: 'none',
        places: [{ path: 1 }, { path: '/x', apart: 'yes', stamp: 's', seen: 4 }],
      },
    ];
    put(fileIn(home), { version: 1, projects: odd });
    expect(readRegistry(home).projects).toEqual([
      { id: 'bare', scopes: ['bare'], memories: [], places: [] },
      { id: 'odd', scopes: ['odd', 'old'], memories: [], places: [{ path: '/x', stamp: 's', commits: [], seen: '' }] },
    ]);
    for (const text of ['{', '[]', 'null', '{"projects":4}']) {
      fs.writeFileSync(fileIn(home), text);
      expect(readRegistry(home), text).toEqual({ projects: [] });
    }
  });
});

describe('a project that nobody has looked at yet', () => {
  const clone = (remote?: string): string => {
    const folder = path.join(temporaryFolder(), 'shop');
    put(path.join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
    put(path.join(folder, '.git/config'), remote === undefined ? '' : `[remote "origin"]\n\turl = ${remote}\n`);
    return folder;
  };
  const SHOP = 'github.com/acme/shop';

  it('has the name that it will be noted under, so that its first prompt is asked under it', () => {
    const [home, folder] = [temporaryFolder(), clone('https://github.com/acme/shop.git')];
    const known = projectAt(home, folder);
    expect(known).toEqual({ id: SHOP, scopes: [SHOP, folder], memories: [] });
    const { project: noted } = noteProject(readRegistry(home), folder, new Date());
    expect({ id: noted.id, scopes: noted.scopes }).toEqual({ id: known.id, scopes: known.scopes });
  });

  it('goes by its path without a remote', () => {
    const folder = clone();
    expect(projectAt(temporaryFolder(), folder)).toEqual({ id: folder, scopes: [folder], memories: [] });
  });

  it('does not get the name of a known project because it claims its remote', async () => {
    const [home, folder] = [temporaryFolder(), clone('https://github.com/acme/shop.git')];
    const one = { path: '/elsewhere/shop', commits: ['0'.repeat(40)], seen: '2026-01-01' };
    for (const known of [
      { ...project(SHOP, '2026-01-01'), places: [one] },
      { ...project('github.com/acme/old-name', '2026-01-01'), places: [{ ...one, remote: SHOP }] },
    ]) {
      await changeRegistry(home, () => ({ projects: [known] }));
      expect(projectAt(home, folder)).toEqual({ id: folder, scopes: [folder], memories: [] });
    }
  });
});
