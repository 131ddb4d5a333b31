import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { knownProjectNames, manifestNames, nameInId } from './project-names.ts';

let root: string;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-names-'));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const write = (file: string, text: string): void => fs.writeFileSync(path.join(root, file), text);

describe('the names of a project', () => {
  it('stand in the manifests of its packages', () => {
    write('package.json', '{"name": "@harbour/tide-table"}');
    write(
      'Cargo.toml',
      '[workspace]\nname = "no"\n\n[package]\nversion = "1"\nname = "tide-core"\n[lib]\nname = "other"\n',
    );
    write('pyproject.toml', "[tool.poetry]\nname = 'tide-py'\n");
    write('go.mod', 'module example.org/harbour/tided/v2\n\ngo 1.22\n');
    expect(manifestNames(root)).toEqual(['harbour', 'tide-table', 'tide-core', 'tide-py', 'tided']);
  });

  it('are none where a manifest is missing or broken', () => {
    expect(manifestNames(path.join(root, 'nowhere'))).toEqual([]);
    write('package.json', '{"name": ');
    write('Cargo.toml', '[package]\n');
    write('go.mod', '');
    expect(manifestNames(root)).toEqual([]);
  });

  it('are those of its remote and of its folders', () => {
    expect(nameInId('github.com/harbour/tide-table.git')).toEqual(['tide-table']);
    expect(nameInId('D:\\work\\tide-table\\')).toEqual(['tide-table']);
    expect(nameInId('git:0123456789')).toEqual([]);
    const place = { path: root, commits: [], seen: '2026-01-01T00:00:00Z' };
    const id = 'github.com/harbour/tides';
    write('package.json', '{"name": "tide-table"}');
    expect(knownProjectNames({ projects: [{ id, scopes: [id], memories: [], places: [place] }] })).toEqual([
      'tides',
      path.basename(root),
      'tide-table',
    ]);
  });
});
