import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { large, TempProject } from '../../test/fixtures/temp-project.ts';
import { linksOf } from '../notes/links.ts';
import { sectionOf } from '../notes/note.ts';
import { captureFile } from './file-summary.ts';

let project: TempProject;
beforeEach(() => {
  project = new TempProject();
});
afterEach(() => project.remove());

const AUTH = `// Logs people in and keeps their sessions.
import { readSettings } from './config.ts';
import jwt from 'jsonwebtoken';

/** Checks a password. */
export function login(name: string, password: string): Promise<string> {
  return jwt.sign({ name }, readSettings().secret);
}
// TODO: rate limit
`;
const capture = (file: string, context = project.context()) => captureFile(context, project.path(file));

describe('a large file that was read', () => {
  it('gets a note with what it is for, what it offers, what it needs, and the facts', async () => {
    project.write('src/config.ts', 'export const readSettings = 1;');
    const text = large(AUTH);
    project.write('src/auth.ts', text);
    expect(await capture('src/auth.ts')).toMatchObject({ id: 'file-src-auth-ts', created: true });
    const note = project.note('file-summary', 'file-src-auth-ts');
    expect(note).toMatchObject({
      title: 'src/auth.ts',
      path: 'src/auth.ts',
      status: 'active',
      gist: 'Logs people in and keeps their sessions',
    });
    expect(note.tags).toEqual(['typescript', 'auth']);
    const field = (key: string) => note.frontMatter.get(key);
    expect([field('file_size'), field('line_count'), field('language')]).toEqual([
      text.length,
      text.split('\n').length - 1,
      'typescript',
    ]);
    expect(sectionOf(note.body, 'Key Exports')).toBe(
      '- `function login(name: string, password: string): Promise<string>` - Checks a password',
    );
    expect(sectionOf(note.body, 'Dependencies')).toBe(
      '- [[file-src-config-ts|src/config.ts]]\n- Packages: `jsonwebtoken`',
    );
    expect(sectionOf(note.body, 'Notes')).toMatch(
      /^- 5\d\.\d KB, \d+ lines of TypeScript\n- Line \d+: TODO: rate limit$/,
    );
    expect(linksOf(note.body).map((link) => link.to)).toEqual(['file-src-config-ts']);
  });

  it('is looked at again only when it has changed', async () => {
    project.write('src/auth.ts', large(AUTH));
    await capture('src/auth.ts');
    const before = project.everything();
    project.now = new Date('2026-03-02T10:00:00Z');
    expect(await capture('src/auth.ts')).toBeUndefined();
    expect(project.everything()).toEqual(before);
    project.write('src/auth.ts', large(AUTH.replace('Logs people in', 'Lets people in')));
    expect(await capture('src/auth.ts')).toMatchObject({ created: false });
    const note = project.note('file-summary', 'file-src-auth-ts');
    expect(note.gist).toBe('Lets people in and keeps their sessions');
    expect(note.updated).toBe('2026-03-02T10:00:00Z');
  });

  it('keeps what a person wrote into its note', async () => {
    project.write('src/auth.ts', large(AUTH));
    await capture('src/auth.ts');
    const { file } = project.note('file-summary', 'file-src-auth-ts');
    fs.writeFileSync(
      file,
      fs.readFileSync(file, 'utf8').replace('Logs people in and keeps their sessions.', 'The heart of it all.') +
        '\n## Patterns\nRepositories.\n',
    );
    project.write('src/auth.ts', large(`${AUTH}export const added = 1;\n`));
    await capture('src/auth.ts');
    const { body } = project.note('file-summary', 'file-src-auth-ts');
    expect(sectionOf(body, 'Purpose')).toBe('The heart of it all.');
    expect(sectionOf(body, 'Patterns')).toBe('Repositories.');
    expect(sectionOf(body, 'Key Exports')).toContain('`const added`');
  });

  it('is followed when it becomes small, but a small file gets no note', async () => {
    project.write('src/auth.ts', AUTH);
    expect(await capture('src/auth.ts')).toBeUndefined();
    expect(project.notes()).toEqual([]);
    expect(fs.existsSync(project.memoryRoot)).toBe(false);
    project.write('src/auth.ts', large(AUTH));
    await capture('src/auth.ts');
    project.write('src/auth.ts', '// Small now.\nexport const a = 1;\n');
    await capture('src/auth.ts');
    expect(project.note('file-summary', 'file-src-auth-ts').gist).toBe('Small now');
  });

  it('counts from the size in the settings, in thousands of bytes', async () => {
    project.write('a.ts', 'x'.repeat(10).concat('\n').repeat(100));
    expect(await capture('a.ts', project.context({ settings: { auto_summarize_threshold_kb: 2 } }))).toBeUndefined();
    expect(await capture('a.ts', project.context({ settings: { auto_summarize_threshold_kb: 1 } }))).toBeDefined();
    project.write('b.ts', 'export const a = 1;\n');
    expect(await capture('b.ts', project.context({ settings: { auto_summarize_threshold_kb: 0 } }))).toBeDefined();
  });

  it('must be in a language that the settings name', async () => {
    for (const name of ['a.rs', 'b.md', 'c.h', 'd.txt', 'e.ts']) project.write(name, large('# x'));
    const wanted = async (...languages: string[]): Promise<string[]> => {
      const captured: string[] = [];
      for (const name of ['a.rs', 'b.md', 'c.h', 'd.txt', 'e.ts']) {
        if (await capture(name, project.context({ settings: { auto_summarize_languages: languages } })))
          captured.push(name);
      }
      return captured;
    };
    expect(await wanted()).toEqual([]);
    expect(await wanted('Rust', 'c++')).toEqual(['a.rs', 'c.h']);
    expect(await wanted('*')).toEqual(['b.md', 'd.txt', 'e.ts']);
  });

  it('has an id of its own, also where another path makes the same', async () => {
    project.write('src/a.ts', large('// First.'));
    project.write('src-a.ts', large('// Second.'));
    await capture('src/a.ts');
    const second = await capture('src-a.ts');
    expect(second?.id).toMatch(/^file-src-a-ts-[0-9a-f]{8}$/);
    expect(await capture('src/a.ts')).toBeUndefined();
    expect(await capture('src-a.ts')).toBeUndefined();
  });

  it('may be named by a link, and is then noted where it really lies', async () => {
    project.write('src/real.ts', large('// Real.'));
    fs.symlinkSync(project.path('src/real.ts'), project.path('link.ts'));
    expect(await capture('link.ts')).toMatchObject({ id: 'file-src-real-ts' });
  });

  it('may have a relative path, which starts where the client was', async () => {
    project.write('web/a.ts', large('// A.'));
    expect(await captureFile(project.context({ cwd: project.path('web') }), 'a.ts')).toMatchObject({
      id: 'file-web-a-ts',
    });
  });
});

describe('never summarised', () => {
  const everything = { auto_summarize_languages: ['*'], auto_summarize_threshold_kb: 0 };
  const none = async (file: string, settings = {}): Promise<void> => {
    expect(await capture(file, project.context({ settings: { ...everything, ...settings } }))).toBeUndefined();
    expect(project.notes()).toEqual([]);
  };

  it.each([
    '.env',
    'config/.env.production',
    'server.key',
    'certs/ca.pem',
    'secrets/db.ts',
    'credentials.json',
    'id_rsa',
    'package-lock.json',
    'node_modules/a/index.js',
    'vendor/b.go',
    'dist/c.js',
    'lib.min.js',
  ])('is %s', async (file) => {
    project.write(file, 'export const a = 1;\n');
    await none(file);
  });

  it('is what .gitignore hides, also through a link', async () => {
    project.write('.gitignore', 'private/\n*.local.ts\n');
    project.write('private/a.ts', 'export const a = 1;\n');
    project.write('b.local.ts', 'export const b = 1;\n');
    fs.symlinkSync(project.path('private/a.ts'), project.path('open.ts'));
    for (const file of ['private/a.ts', 'b.local.ts', 'open.ts']) await none(file);
  });

  it('is what the settings exclude', async () => {
    project.write('internal/deep/a.ts', 'export const a = 1;\n');
    project.write('schema.sql', 'create table a;\n');
    await none('internal/deep/a.ts', { exclude: ['internal/**'] });
    await none('schema.sql', { exclude: ['*.sql'] });
  });

  it('is a file outside the project, also through a link', async () => {
    project.write('../outside.ts', 'export const a = 1;\n');
    fs.symlinkSync(path.join(project.base, 'outside.ts'), project.path('inside.ts'));
    await none('../outside.ts');
    await none('inside.ts');
  });

  it('is binary, generated or minified', async () => {
    project.write('a.ts', Buffer.from([0x65, 0, 0x65, 10]));
    project.write('b.go', '// Code generated by stringer. DO NOT EDIT.\npackage b\n');
    project.write('c.js', `${'var a=1;'.repeat(500)}\n`);
    for (const file of ['a.ts', 'b.go', 'c.js']) await none(file);
  });

  it('is a note of the memory, a folder, a device, what is not there, or no path at all', async () => {
    project.write('.claude/memory/decisions/x.json', '{}');
    project.write('.claude/notes.ts', 'export const a = 1;\n');
    for (const file of ['.claude/memory/decisions/x.json', '.claude/notes.ts', '.', 'gone.ts']) await none(file);
    const context = project.context({ settings: everything });
    for (const given of ['/dev/zero', '', 'a\0b', 'x'.repeat(5_000), 7, null, undefined, ['a'], { a: 1 }])
      expect(await captureFile(context, given)).toBeUndefined();
    expect(project.notes()).toEqual([]);
  });
});
