import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { changeRegistry, type KnownProject, readRegistry } from './project-registry.ts';

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
