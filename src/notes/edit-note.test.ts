import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeNote, createNote, putNote, removeNote, type Vault } from './edit-note.ts';
import { findNote, loadNotes } from './vault.ts';

let base: string;
let vault: Vault;
beforeEach(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-notes-'));
  const root = path.join(fs.realpathSync(base), 'memory');
  vault = {
    root,
    lockDir: path.join(root, '.index.lockdir'),
    deletedCopies: path.join(base, 'graveyard'),
    now: () => new Date('2026-01-31T09:30:00Z'),
  };
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

describe('a new note', () => {
  it('is named after its kind: sessions with their day, decisions with a number', async () => {
    const made = async (type: 'session' | 'decision' | 'task', title: string) =>
      (await createNote(vault, { type, title })).id;
    expect(await made('session', 'Release day')).toBe('session-2026-01-31-release-day');
    expect(await made('decision', 'Use Redis')).toBe('decision-001-use-redis');
    expect(await made('decision', 'Use Kafka')).toBe('decision-002-use-kafka');
    expect(await made('task', 'Fix login')).toBe('task-fix-login');
    expect(await made('task', 'Fix login')).toBe('task-fix-login-2');
  });

  it('has its properties, its title and its sections, and reads back', async () => {
    const { id, file } = await createNote(vault, {
      type: 'decision',
      title: 'Use JWT with Redis',
      tags: ['Auth', '#security'],
      related: ['file-src-auth-ts'],
      sections: { Decision: 'Tokens are stateless. Sessions end in Redis.', Context: 'Logout must work.' },
    });
    expect(id).toBe('decision-001-use-jwt-with-redis');
    expect(fs.readFileSync(file, 'utf8')).toBe(
      '---\nid: decision-001-use-jwt-with-redis\ntype: decision\ncreated: 2026-01-31T09:30:00Z\nupdated: 2026-01-31T09:30:00Z\n' +
        'tags: [auth, security]\nrelated:\n  - "[[file-src-auth-ts]]"\nstatus: active\n---\n\n# Decision: Use JWT with Redis\n\n' +
        '## Context\nLogout must work.\n\n## Decision\nTokens are stateless. Sessions end in Redis.\n',
    );
    expect(findNote(vault.root, id)).toMatchObject({
      title: 'Use JWT with Redis',
      gist: 'Tokens are stateless',
      status: 'active',
      tags: ['auth', 'security'],
    });
  });

  it('has nothing secret and nothing private in its name and its tags', async () => {
    const token = `ghp_${'aB3'.repeat(12)}`;
    const { id, file } = await createNote(vault, {
      type: 'task',
      title: `Renew ${token} <private>hidden</private> soon`,
      tags: [token, '<private>hidden</private>'],
      sections: { [`With ${token}`]: 'x' },
    });
    await changeNote(vault, id, { sections: { [`And\n${token}`]: 'y' } });
    await changeNote(vault, id, { sections: { [`And\n${token}`]: 'z' } });
    expect(fs.readFileSync(file, 'utf8')).toMatch(/## And \[redacted:[^\n]+\nz\n$/);
    expect(id).toBe('task-renew-soon');
    expect(fs.readFileSync(file, 'utf8')).not.toMatch(/ab3ab3|hidden/i);
  });

  it('is refused where a file is that cannot be read as a note', async () => {
    const file = path.join(vault.root, 'nodes/tasks/task-x.md');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, '---\nno end');
    const made = createNote(vault, { type: 'task', title: 'x', id: 'task-x' });
    await expect(made).rejects.toMatchObject({ code: 'CREATE_ERROR', fix: expect.stringContaining('graph --check') });
    expect(fs.readFileSync(file, 'utf8')).toBe('---\nno end');
  });

  it('gets the next number, or a free name', async () => {
    await createNote(vault, { type: 'decision', title: 'First' });
    expect((await createNote(vault, { type: 'decision', title: 'Second' })).id).toBe('decision-002-second');
    await createNote(vault, { type: 'task', title: 'Fix it' });
    expect((await createNote(vault, { type: 'task', title: 'Fix it' })).id).toBe('task-fix-it-2');
  });

  it('is refused where one is, also if only the case differs', async () => {
    await createNote(vault, { type: 'task', title: 'x', id: 'task-x' });
    await expect(createNote(vault, { type: 'task', title: 'x', id: 'TASK-X' })).rejects.toMatchObject({
      code: 'CREATE_ERROR',
    });
    await expect(createNote(vault, { type: 'task', title: 'x', id: '../evil' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    await expect(createNote(vault, { type: 'task', title: 'x', status: 'odd' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('holds no secret and nothing private', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const { file } = await createNote(vault, {
      type: 'error',
      title: `Token ${token}`,
      fields: { session_id: token },
      sections: { Cause: `x ${token} <private>y</private>` },
    });
    const text = fs.readFileSync(file, 'utf8');
    expect(text).not.toContain(token);
    expect(text).not.toContain('<private>');
  });
});

describe('changing a note', () => {
  it('keeps what it does not know, byte for byte', async () => {
    const file = path.join(vault.root, 'nodes/tasks/task-a.md');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const text =
      '---\n# mine\nid: task-a\nmood: {good: yes}\nstatus: pending\n---\n# Task: A\n\nfree text\n\n## Mine\nkept\n\n## Solution\nold\n';
    fs.writeFileSync(file, text);
    await changeNote(vault, 'task-a', { status: 'completed', sections: { Solution: 'new' } });
    const now = fs.readFileSync(file, 'utf8');
    expect(now).toBe(
      text
        .replace('pending', 'completed')
        .replace('---\n# Task', 'updated: 2026-01-31T09:30:00Z\n---\n# Task')
        .replace('old\n', 'new\n'),
    );
  });

  const foreign = (name: string, text: string): string => {
    const file = path.join(vault.root, `nodes/tasks/${name}.md`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
  };
  const stamped = 'updated: 2026-01-31T09:30:00Z\n';

  it('leaves tags that nobody asked to change as they are written', async () => {
    const text = '---\ntags: [Work/Deep, 1.10,\n  "007"] # mine\nstatus: pending\n---\n# Task: A\n';
    const file = foreign('task-a', text);
    await changeNote(vault, 'task-a', { status: 'completed' });
    expect(fs.readFileSync(file, 'utf8')).toBe(
      text.replace('pending', 'completed').replace('---\n#', `${stamped}---\n#`),
    );
    await changeNote(vault, 'task-a', { addTags: ['New', 'work/deep'], quiet: true });
    expect(fs.readFileSync(file, 'utf8')).toContain('tags: [Work/Deep, 1.10,\n  "007", new] # mine\n');
    expect(findNote(vault.root, 'task-a')!.tags).toEqual(['work/deep', '1.10', '007', 'new']);
  });

  it('ties links to those that are there, however they are written', async () => {
    const file = foreign('task-a', '---\nrelated: [[a]], [[b|B]]\nx: |\n  related: no\n---\n# Task: A\n');
    await changeNote(vault, 'task-a', { addLinks: [{ to: 'c', relation: 'related' }], quiet: true });
    expect(fs.readFileSync(file, 'utf8')).toContain('x: |\n  related: no\n---\n');
    expect(findNote(vault.root, 'task-a')!.links.map(({ to }) => to)).toEqual(['a', 'b', 'c']);
  });

  it('keeps the line ends of the body in new titles and sections', async () => {
    const text = '---\r\nid: task-a\r\n---\r\n# Task: A\r\n\r\n## Solution\r\nold\r\n\r\n## Mine\r\nkept\r\n';
    const file = foreign('task-a', text);
    await changeNote(vault, 'task-a', { title: 'B', sections: { Solution: 'one\ntwo', More: 'x' }, quiet: true });
    const now = fs.readFileSync(file, 'utf8');
    expect(now.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(now).toBe(`${text.replace('Task: A', 'Task: B').replace('old', 'one\r\ntwo')}\r\n## More\r\nx\r\n`);
  });

  it('is refused, with the name of the note, where its front matter is no YAML', async () => {
    const text = '---\nid: task-a\ntitle: a: b\nstatus: pending\n---\n# Task: A\n';
    const file = foreign('task-a', text);
    await expect(changeNote(vault, 'task-a', { status: 'completed' })).rejects.toMatchObject({
      code: 'UPDATE_ERROR',
      message: expect.stringMatching(/^nodes\/tasks\/task-a\.md: .*line 3/),
      fix: expect.stringContaining('in an editor'),
    });
    expect(fs.readFileSync(file, 'utf8')).toBe(text);
  });

  it('does not make a list of tags without what it cannot read', async () => {
    const text = '---\nid: task-a\ntags: [a, {b: 1}]\n---\n# Task: A\n';
    const file = foreign('task-a', text);
    await expect(changeNote(vault, 'task-a', { addTags: ['x'] })).rejects.toThrow('is no plain list');
    expect(fs.readFileSync(file, 'utf8')).toBe(text);
  });

  it('replaces a section whole, though a line of code in it looks like a heading', async () => {
    const code = 'Run:\n```sh\n# install\nnpm ci\n## Impact\nnpm test\n```\nThen wait.';
    const { id, file } = await createNote(vault, {
      type: 'discovery',
      title: 'A',
      sections: { Finding: code, Impact: 'old' },
    });
    const before = fs.readFileSync(file, 'utf8');
    await changeNote(vault, id, { sections: { Impact: 'new' } });
    expect(fs.readFileSync(file, 'utf8')).toBe(before.replace('old', 'new'));
    await changeNote(vault, id, { sections: { Finding: 'Short.' } });
    expect(fs.readFileSync(file, 'utf8')).toBe(before.replace('old', 'new').replace(code, 'Short.'));
  });

  it('gives a title to a note that has none, not to a comment in its code', async () => {
    const file = path.join(vault.root, 'nodes/tasks/task-a.md');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, '---\nid: task-a\n---\n```sh\n# install\n```\n');
    await changeNote(vault, 'task-a', { title: 'Install it' });
    expect(fs.readFileSync(file, 'utf8')).toContain('# Task: Install it\n\n```sh\n# install\n```\n');
  });

  it('that changes nothing does not touch the file', async () => {
    const { id, file } = await createNote(vault, { type: 'task', title: 'A', tags: ['x'] });
    const before = fs.statSync(file).mtimeMs;
    expect(await changeNote(vault, id, { status: 'pending', addTags: ['x'] })).toMatchObject({ changed: false });
    expect(fs.statSync(file).mtimeMs).toBe(before);
  });

  it('links once, and keeps the links that are there', async () => {
    const { id } = await createNote(vault, { type: 'task', title: 'A', related: ['b'] });
    await changeNote(vault, id, { addLinks: [{ to: 'c', relation: 'related' }] });
    await changeNote(vault, id, { addLinks: [{ to: 'c', relation: 'related' }] });
    expect(findNote(vault.root, id)?.links.map((link) => link.to)).toEqual(['b', 'c']);
  });

  it('is one call with making it, for capture', async () => {
    const note = { type: 'discovery', id: 'discovery-x', title: 'X', sections: { Insight: 'one' } } as const;
    expect(await putNote(vault, note)).toMatchObject({ created: true });
    expect(await putNote(vault, note)).toMatchObject({ created: false, changed: false });
    expect(await putNote(vault, { ...note, sections: { Insight: 'two' } })).toMatchObject({
      created: false,
      changed: true,
    });
  });
});

describe('the vault', () => {
  it('keeps a copy of what is removed', async () => {
    const { id, file } = await createNote(vault, { type: 'task', title: 'A' });
    const text = fs.readFileSync(file, 'utf8');
    const { copy } = await removeNote(vault, id);
    expect(fs.existsSync(file)).toBe(false);
    expect(fs.readFileSync(copy, 'utf8')).toBe(text);
  });

  it('leaves a copy each time, also twice in the same instant', async () => {
    const texts = ['first', 'second'];
    const copies: string[] = [];
    for (const text of texts) {
      await createNote(vault, { type: 'task', title: 'A', id: 'task-a', sections: { Description: text } });
      copies.push((await removeNote(vault, 'task-a')).copy);
    }
    expect(copies.map((copy) => /first|second/.exec(fs.readFileSync(copy, 'utf8'))?.[0])).toEqual(texts);
  });

  it('names what it cannot read and reads the rest', async () => {
    await createNote(vault, { type: 'task', title: 'Good' });
    const folder = path.join(vault.root, 'nodes/tasks');
    fs.writeFileSync(path.join(folder, 'js.md'), '---js\nthrow 1\n---\n');
    fs.writeFileSync(path.join(folder, 'binary.md'), Buffer.from([0, 1, 2, 255]));
    fs.writeFileSync(path.join(folder, 'latin.md'), Buffer.from([0xe9, 0x20]));
    fs.writeFileSync(path.join(folder, 'TASK-GOOD.md'), '---\nid: TASK-GOOD\ntype: task\n---\n# x');
    fs.symlinkSync(path.join(base, 'outside.md'), path.join(folder, 'link.md'));
    fs.writeFileSync(path.join(base, 'outside.md'), '# secret');
    fs.writeFileSync(path.join(folder, 'huge.md'), 'x'.repeat(1024 * 1024 + 1));
    const { notes, problems } = loadNotes(vault.root);
    expect(notes).toHaveLength(1);
    expect(problems.map((each) => path.basename(each.path)).sort()).toEqual([
      'binary.md',
      'huge.md',
      'js.md',
      'latin.md',
      'link.md',
      'task-good.md',
    ]);
  });

  it('reads a vault that was made by hand', () => {
    const folder = path.join(vault.root, 'nodes/decisions');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'Keep It.md'), '# Keep it');
    fs.writeFileSync(path.join(folder, 'keep-it.md'), '# Keep it\n\nBecause of [[other]]. #tag');
    const { notes, problems } = loadNotes(vault.root);
    expect(notes).toMatchObject([{ id: 'keep-it', title: 'Keep it', gist: 'Because of other', tags: ['tag'] }]);
    expect(problems).toHaveLength(1); // a name with a space cannot be linked from everywhere
  });
});
