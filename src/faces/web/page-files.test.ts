import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { editorFor, openerFor } from './open-browser.ts';
import { readPageFiles } from './page-files.ts';

describe('the files of the page', () => {
  it('are those of the folder, by address and type, read once', () => {
    const folder = temporaryFolder();
    put(path.join(folder, 'index.html'), '<!doctype html>');
    put(path.join(folder, 'assets/a-1.js'), '1;');
    put(path.join(folder, 'assets/a-1.css'), 'a{}');
    put(path.join(folder, 'assets/a-1.js.map'), '{}');
    const files = readPageFiles(folder);
    expect([...files.keys()]).toEqual(['/assets/a-1.css', '/assets/a-1.js', '/']);
    expect(files.get('/')).toMatchObject({ type: 'text/html; charset=utf-8', lasting: false });
    expect(files.get('/assets/a-1.js')).toMatchObject({ type: 'text/javascript; charset=utf-8', lasting: true });
    fs.rmSync(path.join(folder, 'assets/a-1.js'));
    expect(String(files.get('/assets/a-1.js')!.bytes)).toBe('1;');
  });

  it('leave out what a link brings in', () => {
    const folder = temporaryFolder();
    put(path.join(folder, 'page/index.html'), '');
    put(path.join(folder, 'secret.txt'), 'secret');
    fs.symlinkSync(path.join(folder, 'secret.txt'), path.join(folder, 'page/linked.txt'));
    expect([...readPageFiles(path.join(folder, 'page')).keys()]).toEqual(['/']);
  });

  it('say what to do where they are missing', () => {
    expect(() => readPageFiles(path.join(temporaryFolder(), 'nowhere'))).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', fix: expect.stringContaining('npm run build') }),
    );
  });
});

describe('opening the browser', () => {
  it('is one program with the address as one argument, on every system', () => {
    const address = 'http://127.0.0.1:1/#code=a b;$(c)';
    for (const system of ['linux', 'freebsd', 'darwin', 'win32'] as const) {
      const { program, args } = openerFor(system, address);
      expect(args.at(-1)).toBe(address);
      expect(program).not.toMatch(/sh|cmd/);
    }
  });

  it('takes the editor of the user for a file where it has a window, with the file as one argument', () => {
    const file = '/memory/a b;$(c) "d".json';
    expect(editorFor('linux', file, { VISUAL: 'code --wait --reuse-window', EDITOR: 'vim' })).toEqual({
      program: 'code',
      args: ['--reuse-window', file],
    });
    expect(editorFor('darwin', file, { EDITOR: '/usr/local/bin/subl -w' }).program).toBe('/usr/local/bin/subl');
    for (const EDITOR of ['vim', 'nano', 'sh -c code', 'code;rm', '', undefined])
      expect(editorFor('linux', file, { EDITOR })).toEqual(openerFor('linux', file));
    // Words that are no flags are left out: nothing but the file is opened.
    expect(editorFor('linux', file, { EDITOR: 'code /etc/passwd' }).args).toEqual([file]);
  });
});
