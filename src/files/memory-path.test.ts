import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/fixtures/temporary.ts';
import { findMemoryPath, type PathSurroundings } from './memory-path.ts';

let base: string;
let project: string;
let memory: string;
let around: PathSurroundings;

beforeEach(() => {
  base = temporaryFolder();
  project = path.join(base, 'project');
  memory = path.join(project, '.claude/memory');
  fs.mkdirSync(path.join(memory, 'decisions'), { recursive: true });
  fs.mkdirSync(path.join(project, 'src'));
  around = { cwd: project, home: path.join(base, 'home'), memoryRoot: memory };
});

const find = (given: string, changed: Partial<PathSurroundings> = {}) =>
  findMemoryPath(given, { ...around, ...changed });

describe('a path as it is written', () => {
  it('is the memory below any .claude/memory, and the folder itself is too', () => {
    expect(find(`${memory}/decisions/x.json`)).toEqual({
      root: memory,
      names: ['decisions/x.json'],
      file: `${memory}/decisions/x.json`,
    });
    expect(find(memory)?.names).toEqual(['']);
    expect(find('/srv/other/.claude/memory/decisions/x.json')?.root).toBe('/srv/other/.claude/memory');
  });

  it('is not the memory in folders that only sound like it', () => {
    for (const other of ['.claude/memory-backup/x', 'x.claude/memory/x', 'claude/memory/x', '.claude/other/memory/x'])
      expect(find(path.join(project, other))).toBeUndefined();
    expect(find(`${project}/src/app.ts`)).toBeUndefined();
    expect(find('')).toBeUndefined();
  });

  it('may be relative, start in the home directory, or go up and down', () => {
    expect(find('.claude/memory/x.json')?.file).toBe(`${memory}/x.json`);
    expect(find('memory/x.json', { cwd: path.join(project, '.claude') })?.file).toBe(`${memory}/x.json`);
    expect(find('~/.claude/memory/x.json')?.file).toBe(path.join(base, 'home/.claude/memory/x.json'));
    expect(find(`${project}/src/../.claude/./memory//decisions/x.json`)?.names).toEqual(['decisions/x.json']);
    expect(find(`${memory}/../../src/x.json`)).toBeUndefined();
  });

  it('may be a file URL', () => {
    expect(find(`file://${memory}/x.json`)?.names).toContain('x.json');
    expect(find(`file://localhost${project}/%2Eclaude/mem%6Fry/x.json`)?.names).toEqual(['x.json']);
    expect(find(`FILE:${project}/%2eclaude/memory/%zz`)).toBeUndefined();
  });

  it('counts with a NUL in it, and with what stands before the NUL', () => {
    expect(find(`${memory}/decisions/x\0.json`)?.names).toContain('decisions/x');
    expect(find(`${memory}\0/../../src/x`)?.names).toContain('');
  });

  it('is compared as a forgiving file system would', () => {
    for (const spelt of ['.CLAUDE/Memory', '.claude./memory ', '.claude /memory..', '.c\u200claude/memory\ufeff'])
      expect(find(`${project}/${spelt}/x.json`), spelt).toBeDefined();
  });

  it('may be huge', () => {
    expect(find('. '.repeat(500_000))).toBeUndefined();
    expect(find(`${project}/${'a/../'.repeat(100_000)}.claude/memory/x`)?.names).toEqual(['x']);
    expect(find(`${memory}/${'a'.repeat(5_000)}`)).toBeDefined();
  });
});

describe('a path of Windows', () => {
  const windows: PathSurroundings = {
    cwd: 'C:\\proj',
    home: 'C:\\Users\\me',
    memoryRoot: 'C:\\proj\\notes',
    platform: 'win32',
  };
  const findThere = (given: string) => findMemoryPath(given, windows)?.names;

  it('has two separators, drives and short names', () => {
    expect(findThere('C:\\proj\\.claude\\memory\\decisions\\x.json')).toEqual(['decisions/x.json']);
    expect(findThere('.claude/memory\\x.json')).toEqual(['x.json']);
    expect(findThere('~\\.claude\\memory\\x.json')).toEqual(['x.json']);
    expect(findThere('\\\\?\\C:\\proj\\.claude\\memory\\x.json')).toEqual(['x.json']);
    expect(findThere('\\\\server\\share\\.claude\\memory\\x.json')).toEqual(['x.json']);
    expect(findThere('C:\\proj\\CLAUDE~1\\MEMORY\\x.json')).toEqual(['x.json']);
    expect(findThere('C:\\proj\\.claude::$INDEX_ALLOCATION\\memory:$I30:\\x.json')).toEqual(['x.json']);
    expect(findThere('file:///C:/proj/%2Eclaude/memory/x.json')).toContain('x.json');
    expect(findThere('C:\\proj\\src\\x.json')).toBeUndefined();
  });

  it('may name a moved root in any case, and as unix shells there write it', () => {
    expect(findThere('c:\\PROJ\\Notes\\decisions\\x.json')).toEqual(['decisions/x.json']);
    expect(findThere('/c/proj/notes/x.json')).toEqual(['x.json']);
    expect(findThere('/d/proj/notes/x.json')).toBeUndefined();
  });

  it('has backslashes that are plain characters elsewhere', () => {
    expect(find(`${project}\\.claude\\memory\\x.json`)).toBeUndefined();
  });
});

describe('links', () => {
  it('lead into the memory from any component', () => {
    fs.symlinkSync(path.join(memory, 'decisions'), path.join(project, 'folder'));
    fs.symlinkSync('.claude', path.join(project, 'up'));
    fs.symlinkSync('.claude/memory/decisions/new.json', path.join(project, 'dangling.json'));
    expect(find(`${project}/folder/x.json`)?.file).toBe(`${memory}/decisions/x.json`);
    expect(find(`${project}/up/memory/x.json`)?.file).toBe(`${memory}/x.json`);
    expect(find(`${project}/dangling.json`)?.file).toBe(`${memory}/decisions/new.json`);
  });

  it('are followed before .. as the system does, too', () => {
    fs.mkdirSync(path.join(memory, 'decisions/deep'));
    fs.symlinkSync(path.join(memory, 'decisions/deep'), path.join(project, 'deep'));
    expect(find(`${project}/deep/../x.json`)?.file).toBe(`${memory}/decisions/x.json`);
    expect(find(`${project}/src/../x.json`)).toBeUndefined();
  });

  it('may be the memory root itself, of this project or of another', () => {
    const store = path.join(base, 'store');
    fs.mkdirSync(path.join(store, 'decisions'), { recursive: true });
    const other = path.join(base, 'other/.claude');
    fs.mkdirSync(other, { recursive: true });
    fs.symlinkSync(store, path.join(other, 'memory'));
    const expected = { root: store, names: ['decisions/x.json'], file: `${store}/decisions/x.json` };
    expect(find(`${other}/memory/decisions/x.json`)).toEqual(expected);
    expect(find(`${store}/decisions/x.json`)).toBeUndefined();
    expect(find(`${store}/decisions/x.json`, { memoryRoot: `${other}/memory` })).toEqual(expected);
  });

  it('that lead out of the memory are named themselves, and what lies behind a folder that leads out is not', () => {
    fs.mkdirSync(path.join(base, 'outside'));
    fs.symlinkSync(path.join(base, 'outside/x.json'), path.join(memory, 'decisions/x.json'));
    fs.symlinkSync(path.join(base, 'outside'), path.join(memory, 'runbooks'));
    expect(find(`${memory}/decisions/x.json`)?.file).toBe(`${memory}/decisions/x.json`);
    expect(find(`${memory}/runbooks/x.json`)).toEqual({ root: memory, names: ['runbooks/x.json'], file: undefined });
  });

  it('in a loop leave only the spelling', () => {
    fs.symlinkSync('loop', path.join(memory, 'loop'));
    fs.symlinkSync('loop', path.join(project, 'loop'));
    expect(find(`${memory}/loop/x.json`)?.names).toEqual(['loop/x.json']);
    expect(find(`${project}/loop/x.json`)).toBeUndefined();
  });
});

describe('a memory root that was moved', () => {
  it('is the memory under every name that leads to it', () => {
    const moved = path.join(base, 'notes');
    fs.mkdirSync(path.join(moved, 'decisions'), { recursive: true });
    fs.symlinkSync(moved, path.join(project, 'alias'));
    const there = { memoryRoot: moved };
    expect(find(`${moved}/decisions/x.json`, there)?.names).toEqual(['decisions/x.json']);
    expect(find(`${project}/alias/x.json`, there)?.file).toBe(`${moved}/x.json`);
    expect(find('../notes/x.json', there)?.names).toEqual(['x.json']);
    expect(find(`${base}/notes-2/x.json`, there)).toBeUndefined();
  });
});

describe('any text', () => {
  it('gets an answer, and one below the memory root is always found', () => {
    const part = fc.oneof(
      fc.constantFrom('.', '..', '.claude', 'memory', '~', '', 'src', 'file:', '\0', 'C:', 'decisions'),
      fc.string({ maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.constantFrom('/', '\\', '//'), (parts, separator) => {
        const text = parts.join(separator);
        find(text);
        findMemoryPath(text, { cwd: 'C:\\p', home: 'C:\\h', memoryRoot: 'C:\\p\\m', platform: 'win32' });
        const below = path.join(
          memory,
          parts
            .filter((each) => each !== '..')
            .join('/')
            .replaceAll('\0', ''),
        );
        if (below.startsWith(memory)) expect(find(below)).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });
});

describe('a write that is let through', () => {
  it('never lands in the memory, whatever links and steps its path takes', () => {
    // Deep enough that no path below climbs out of the sandbox.
    const deep = path.join(base, '1/2/3/4/5/6/7/project');
    const store = path.join(deep, '.claude/memory');
    fs.mkdirSync(path.join(store, 'decisions/sub'), { recursive: true });
    fs.mkdirSync(path.join(deep, 'src/sub'), { recursive: true });
    const links: [string, string][] = [
      ['in', '.claude/memory'],
      ['src/up', '../.claude'],
      ['src/sub/far', path.join(store, 'decisions/sub')],
      ['src/dangling', '../in/decisions/new.json'],
      ['src/chain', 'sub/../dangling'],
      ['.claude/memory/out', '../../src'],
      ['loop', 'missing/../loop'],
    ];
    for (const [name, target] of links) fs.symlinkSync(target, path.join(deep, name));
    const files = (folder = store): string[] =>
      fs
        .readdirSync(folder, { withFileTypes: true })
        .flatMap((each) => [each.name, ...(each.isDirectory() ? files(path.join(folder, each.name)) : [])]);
    const before = files();
    const names = [
      '.claude',
      'memory',
      'decisions',
      'in',
      'out',
      'src',
      'up',
      'sub',
      'far',
      'dangling',
      'chain',
      'loop',
    ];
    const part = fc.constantFrom(...names, '..', '..', '.', '', 'x.json');
    fc.assert(
      fc.property(
        fc.constantFrom('./', 'src/', 'src/sub/'),
        fc.array(part, { minLength: 1, maxLength: 6 }),
        (from, parts) => {
          const spelt = `${from}${parts.join('/')}`;
          if (findMemoryPath(spelt, { cwd: deep, home: base, memoryRoot: store })) return;
          for (const target of [path.resolve(deep, spelt), `${deep}/${spelt}`]) {
            expect(target.startsWith(`${base}${path.sep}`)).toBe(true);
            try {
              fs.writeFileSync(target, 'written');
            } catch {
              // a folder, a loop, something missing: no harm done
            }
          }
          expect(files()).toEqual(before);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
