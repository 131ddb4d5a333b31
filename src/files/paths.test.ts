import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failure } from '../../test/fixtures/record-store.ts';
import { newFolder, put, temporaryFolder } from '../../test/fixtures/temporary.ts';
import { CairnError } from '../errors.ts';
import { assertPlainPath, isInside, realPath, resolveInside, toPosix } from './paths.ts';

describe('inside', () => {
  it.each([
    ['/a', '/a', true],
    ['/a', '/a/b/c', true],
    ['/a', '/ab', false],
    ['/a', '/', false],
    ['/a/b', '/a/..b', false],
    ['/a', '/a/..b', true],
    ['/', '/anything', true],
  ])('%s holds %s: %s', (parent, child, answer) => {
    expect(isInside(parent, child)).toBe(answer);
  });
});

describe('where a path really leads', () => {
  it('follows links of the part that exists and keeps the rest as written', () => {
    const folder = temporaryFolder();
    fs.mkdirSync(path.join(folder, 'real'));
    fs.symlinkSync('real', path.join(folder, 'link'));
    expect(realPath(path.join(folder, 'link', 'new', 'file.json'))).toBe(path.join(folder, 'real/new/file.json'));
  });

  it('follows a dangling link, also one to a folder that is not there', () => {
    const folder = temporaryFolder();
    fs.symlinkSync('nowhere', path.join(folder, 'link'));
    expect(realPath(path.join(folder, 'link'))).toBe(path.join(folder, 'nowhere'));
    expect(realPath(path.join(folder, 'link', 'sub', 'x'))).toBe(path.join(folder, 'nowhere/sub/x'));
  });

  it('reads a dangling relative link from the folder in which it really lies', () => {
    const folder = temporaryFolder();
    fs.mkdirSync(path.join(folder, 'a/b'), { recursive: true });
    fs.mkdirSync(path.join(folder, 'd'));
    fs.symlinkSync(path.join(folder, 'd'), path.join(folder, 'a/b/link'));
    fs.symlinkSync('../elsewhere', path.join(folder, 'd/x'));
    expect(realPath(path.join(folder, 'a/b/link/x'))).toBe(path.join(folder, 'elsewhere'));
  });

  it('passes through a file as if it were a folder without failing', () => {
    const folder = temporaryFolder();
    put(path.join(folder, 'file'), '');
    expect(realPath(path.join(folder, 'file', 'below'))).toBe(path.join(folder, 'file/below'));
  });
});

describe('a path from outside', () => {
  it.each(['../x.json', 'a/../../x.json', '/etc/passwd', '..', 'link/x.json', 'link', 'dangling', 'dangling/x.json'])(
    '%s is refused when it leads out of the root',
    async (candidate) => {
      const folder = temporaryFolder();
      const root = path.join(folder, 'root');
      fs.mkdirSync(path.join(root, 'a'), { recursive: true });
      fs.mkdirSync(path.join(folder, 'outside'));
      fs.symlinkSync(path.join(folder, 'outside'), path.join(root, 'link'));
      fs.symlinkSync(path.join(folder, 'not-yet'), path.join(root, 'dangling'));
      const error = await failure(() => resolveInside(root, root, candidate));
      expect(error.code).toBe('PATH_ERROR');
      expect(error.details).toEqual([['target', candidate]]);
      expect(error.fix).toBeTruthy();
    },
  );

  it.each([
    ['an empty one', ''],
    ['one with a NUL', 'a\0b.json'],
    ['one that is too long', 'x/'.repeat(3000)],
    ['one with a name that is too long', `${'x'.repeat(300)}.json`],
    ['one that runs in a circle', 'loop'],
  ])('%s is refused', async (_, candidate) => {
    const root = temporaryFolder();
    fs.symlinkSync('loop', path.join(root, 'loop'));
    const error = await failure(() => resolveInside(root, root, candidate));
    expect(error.code).toBe('PATH_ERROR');
    expect(JSON.stringify(error.details).length).toBeLessThan(500);
  });

  it('with a NUL is told as one, and shown without it', async () => {
    const error = await failure(() => resolveInside('/', '/', 'a\0b.json'));
    expect(error.message).toContain('NUL');
    expect(error.details).toEqual([['target', 'a\\0b.json']]);
  });

  it('is accepted through links that stay inside, and is answered with the real path', () => {
    const root = temporaryFolder();
    fs.mkdirSync(path.join(root, 'a'));
    fs.symlinkSync('a', path.join(root, 'b'));
    expect(resolveInside(root, root, 'b/x.json')).toBe(path.join(root, 'a/x.json'));
    expect(resolveInside(root, path.join(root, 'a'), '../a/./y.json')).toBe(path.join(root, 'a/y.json'));
  });

  it('plain paths pass', () => {
    expect(() => assertPlainPath('a/b c/ü.json')).not.toThrow();
    expect(toPosix('a/b')).toBe('a/b');
  });
});

const name = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof({ arbitrary: name, weight: 4 }, { arbitrary: fc.constantFrom('..', '.'), weight: 2 });
const steps = fc.array(step, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'));
const made = fc.record({
  at: fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
  kind: fc.constantFrom('folder', 'file', 'link'),
  to: fc.oneof(
    steps,
    steps.map((rest) => `ROOT/${rest}`),
    steps.map((rest) => `OUT/${rest}`),
  ),
});

describe('property: no path leads out of the root', () => {
  it('whatever links there are, what is accepted can be written without touching anything outside', () => {
    fc.assert(fc.property(fc.array(made, { maxLength: 12 }), fc.array(steps, { minLength: 1, maxLength: 8 }), farm), {
      numRuns: 250,
    });
  });
});

type Made = { at: string; kind: string; to: string };

/** Plants folders, files and links at random, then tries every candidate: it is refused, or it can be written inside. */
function farm(plan: readonly Made[], candidates: readonly string[]): void {
  const folder = newFolder();
  try {
    const [root, outside] = [path.join(folder, 'root'), path.join(folder, 'outside')];
    const kept = ['a', 'b', 'c', 'd'];
    for (const each of kept) put(path.join(outside, each, 'keep'), 'outside');
    fs.mkdirSync(root);
    for (const { at, kind, to } of plan) tolerate(() => plant(path.join(root, at), kind, resolved(to, root, outside)));
    const before = listing(outside);
    const beside = fs.readdirSync(folder).sort(); // the planting itself may have gone through a link
    for (const candidate of candidates) {
      let real: string;
      try {
        real = resolveInside(root, root, candidate);
      } catch (error) {
        expect(error).toBeInstanceOf(CairnError);
        continue;
      }
      expect(isInside(root, real)).toBe(true);
      tolerate(() => fs.mkdirSync(path.dirname(real), { recursive: true }));
      tolerate(() => fs.writeFileSync(real, 'written'));
    }
    expect(listing(outside)).toEqual(before);
    for (const each of kept) expect(fs.readFileSync(path.join(outside, each, 'keep'), 'utf8')).toBe('outside');
    expect(fs.readdirSync(folder).sort()).toEqual(beside);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const resolved = (to: string, root: string, outside: string): string =>
  to.replace(/^ROOT/, root).replace(/^OUT/, outside);

function plant(at: string, kind: string, to: string): void {
  if (kind === 'folder') fs.mkdirSync(at, { recursive: true });
  else if (kind === 'file') fs.writeFileSync(at, 'file');
  else fs.symlinkSync(to, at);
}

/** Every name below a folder. Links are names: what lies behind one (a plan may plant a link back into the root) is not below it. */
function listing(folder: string): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? [file, ...listing(file)] : [file];
  });
}

/** Many of the random plans cannot be carried out; what matters is what the others do. */
function tolerate(work: () => void): void {
  try {
    work();
  } catch {
    // not possible here
  }
}
