// The directions of ARCHITECTURE.md, held by reading every import: a lower layer never imports a higher one, pure
// folders touch no disk, and no folder hides behind a name that means nothing.

import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = path.resolve(import.meta.dirname, '../src');

/** Each folder (or file at the top) with what it may import besides itself. `errors` and `version` are open to all. */
const ALLOWED: { readonly [part: string]: readonly string[] } = {
  errors: [],
  version: [],
  model: [],
  files: ['model'],
  safety: ['model'],
  records: ['model', 'files', 'safety'],
  transcripts: ['model', 'files', 'safety', 'traces'],
  notes: ['model', 'files', 'safety', 'graph', 'traces', 'transcripts'],
  traces: ['model', 'safety', 'transcripts'],
  triage: ['model', 'safety', 'transcripts'],
  graph: ['model'],
  embed: ['model', 'files', 'safety'],
  llm: ['model', 'files', 'safety'],
  store: ['model', 'files'],
  indexing: ['model', 'files', 'safety', 'records', 'notes', 'traces', 'graph', 'embed', 'llm', 'store'],
  recall: ['model', 'files', 'safety', 'records', 'notes', 'traces', 'graph', 'embed', 'llm', 'store'],
  inject: ['model', 'safety'],
  install: ['model', 'files'],
  learning: ['model', 'files', 'safety', 'transcripts'],
  config: ['model', 'files'],
  desk: ['config', 'model', 'files', 'records', 'notes'],
  memory: [
    'config',
    'desk',
    'model',
    'files',
    'install',
    'safety',
    'records',
    'notes',
    'traces',
    'transcripts',
    'triage',
    'graph',
    'embed',
    'llm',
    'store',
    'indexing',
    'recall',
    'inject',
    'learning',
  ],
  faces: [
    'memory',
    'desk',
    'config',
    'model',
    'files',
    'install',
    'safety',
    'records',
    'notes',
    'traces',
    'transcripts',
    'triage',
    'graph',
    'recall',
    'inject',
    'learning',
  ],
  index: ['memory', 'config', 'model', 'records', 'notes', 'store'],
};

/** These compute; they read no files, start no processes and open no sockets. */
const PURE = ['model', 'traces', 'triage', 'graph', 'inject'];
const PURE_BUILTINS = ['crypto', 'path'];
const MEANINGLESS = ['utils', 'util', 'shared', 'services', 'core', 'manager', 'helpers', 'common', 'lib', 'misc'];

type Import = { file: string; part: string; to: string; builtin: boolean };

function sourceFiles(directory: string): string[] {
  return fs.readdirSync(directory, { withFileTypes: true, recursive: true }).flatMap((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    return entry.isFile() && /\.ts$/.test(entry.name) && !/\.test\.ts$/.test(entry.name) ? [file] : [];
  });
}

/** `records` for a file in a folder, `config` for src/config.ts and src/config-edit.ts. */
function partOf(file: string): string {
  const [first, ...rest] = path.relative(SRC, file).split(path.sep);
  return rest.length > 0 ? first! : first!.replace(/\.ts$/, '').replace(/-.*$/, '');
}

function importsOf(file: string): Import[] {
  const text = fs.readFileSync(file, 'utf8');
  const names = [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((match) => match[1]!);
  return names.map((to) => ({
    file: path.relative(SRC, file),
    part: partOf(file),
    to: to.startsWith('.') ? partOf(path.resolve(path.dirname(file), to)) : to.replace(/^node:/, ''),
    builtin: !to.startsWith('.') && (to.startsWith('node:') || builtinModules.includes(to)),
  }));
}

const VIEWER = path.resolve(SRC, '../viewer');
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
const pageFiles = fs
  .readdirSync(VIEWER, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /\.(?:tsx?|css|html|mjs)$/.test(entry.name))
  .map((entry) => path.join(entry.parentPath, entry.name));

const isInternal = (each: Import): boolean => Object.hasOwn(ALLOWED, each.to);
const files = sourceFiles(SRC);
const imports = files.flatMap(importsOf);

describe('the architecture', () => {
  it('reads every source file', () => {
    expect(files.length).toBeGreaterThan(30);
    expect(imports.length).toBeGreaterThan(100);
  });

  it('knows every folder', () => {
    expect([...new Set(files.map(partOf))].filter((part) => !Object.hasOwn(ALLOWED, part))).toEqual([]);
  });

  it('lets imports run in one direction only', () => {
    const wrong = imports
      .filter((each) => isInternal(each) && each.to !== each.part && each.to !== 'errors' && each.to !== 'version')
      .filter((each) => !ALLOWED[each.part]?.includes(each.to))
      .map((each) => `${each.file} imports ${each.to}`);
    expect(wrong).toEqual([]);
  });

  it('keeps the pure folders pure', () => {
    const wrong = imports
      .filter((each) => PURE.includes(each.part) && each.builtin && !PURE_BUILTINS.includes(each.to))
      .map((each) => `${each.file} imports node:${each.to}`);
    expect(wrong).toEqual([]);
  });

  it('reads the environment in config and in the faces only', () => {
    const readers = files
      .filter((file) => !['config', 'faces'].includes(partOf(file)))
      .filter((file) => /process\.env\b/.test(fs.readFileSync(file, 'utf8')))
      .map((file) => path.relative(SRC, file));
    expect(readers).toEqual([]);
  });

  it('ends the process in main.ts only', () => {
    const enders = files
      .filter((file) => /process\.exit\(/.test(fs.readFileSync(file, 'utf8')))
      .map((file) => path.basename(file));
    expect(enders.filter((name) => name !== 'main.ts')).toEqual([]);
  });

  it('has no file without an opening comment, and none that is too long', () => {
    const page = pageFiles.filter((file) => /\.tsx?$/.test(file));
    const bare = [...files, ...page]
      .filter((file) => !/^(?:#!.*\n)?\/\//.test(fs.readFileSync(file, 'utf8')))
      .map((file) => path.relative(SRC, file));
    const long = [...files, ...page]
      .filter((file) => fs.readFileSync(file, 'utf8').split('\n').length > 500)
      .map((file) => path.relative(SRC, file));
    expect({ bare, long }).toEqual({ bare: [], long: [] });
  });

  it('lets the page import the contract and the model types of the server, and nothing else of it', () => {
    const outside = pageFiles.flatMap((file) =>
      [...fs.readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)]
        .map((match) => path.relative(path.dirname(SRC), path.resolve(path.dirname(file), match[1]!)))
        .filter((to) => !to.startsWith(`viewer${path.sep}`)),
    );
    expect(pageFiles.length).toBeGreaterThan(20);
    expect(outside.filter((to) => !to.startsWith('src/faces/web/protocol') && !to.startsWith('src/model/'))).toEqual(
      [],
    );
    expect(
      importsOf(path.join(SRC, 'faces/web/protocol.ts')).filter(({ part, to }) => part !== to && to !== 'model'),
    ).toEqual([]);
  });

  it('lets the page show content as text only, and name no other place', () => {
    const forbidden =
      /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|https?:\/\//;
    const wrong = pageFiles.filter((file) =>
      forbidden.test(fs.readFileSync(file, 'utf8').replaceAll(SVG_NAMESPACE, '')),
    );
    expect(wrong.map((file) => path.basename(file))).toEqual([]);
  });

  it('names folders after what they do', () => {
    const folders = [...new Set(files.flatMap((file) => path.relative(SRC, path.dirname(file)).split(path.sep)))];
    expect(folders.filter((folder) => MEANINGLESS.includes(folder))).toEqual([]);
  });
});
