import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TempProject } from '../../test/fixtures/temp-project.ts';
import { isGenerated } from '../notes/generated-mark.ts';
import { type CapturedNote, lookUp, putCaptured } from './put-captured.ts';

let project: TempProject;
beforeEach(() => {
  project = new TempProject();
});
afterEach(() => project.remove());

const note = (sections: CapturedNote['sections'], other: Partial<CapturedNote> = {}): CapturedNote => ({
  type: 'file-summary',
  id: 'file-a-ts',
  title: 'a.ts',
  tags: ['typescript'],
  fields: { path: 'a.ts' },
  sections,
  ...other,
});
const put = (sections: CapturedNote['sections'], other: Partial<CapturedNote> = {}) =>
  putCaptured(project.context().vault, note(sections, other));
const text = (): string => project.text('file-summary', 'file-a-ts');
const edit = (change: (text: string) => string): void => {
  const { file } = project.note('file-summary', 'file-a-ts');
  fs.writeFileSync(file, change(fs.readFileSync(file, 'utf8')));
};

describe('a captured note', () => {
  it.each([
    ['is damaged', '---\nid: file-a-ts\nno end'],
    ['says another id', '---\nid: file-b-ts\ntype: file-summary\n---\n\nMine.\n'],
    ['is no UTF-8', Buffer.from([0x6d, 0xe9, 0x20])],
  ])('does not take the place of a file that %s', async (_, content) => {
    const file = path.join(project.context().vault.root, 'nodes/files/file-a-ts.md');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
    expect(await put({ Purpose: 'One.' })).toBeUndefined();
    expect(fs.readFileSync(file)).toEqual(Buffer.from(content));
  });

  it('is made, then changed, then left alone when nothing changes', async () => {
    expect(await put({ Purpose: 'One.', Notes: 'n' })).toMatchObject({
      id: 'file-a-ts',
      type: 'file-summary',
      created: true,
    });
    project.now = new Date('2026-03-02T10:00:00Z');
    expect(await put({ Purpose: 'Two.', Notes: 'n' })).toMatchObject({ created: false });
    expect(text()).toContain('## Purpose\nTwo.\n');
    expect(text()).toContain('updated: 2026-03-02T10:00:00Z');
    const before = project.everything();
    project.now = new Date('2026-03-03T10:00:00Z');
    expect(await put({ Purpose: 'Two.', Notes: 'n' })).toBeUndefined();
    expect(project.everything()).toEqual(before);
    expect(isGenerated(text())).toBe(true);
  });

  it('keeps a section that a person changed, and goes on with the others', async () => {
    await put({ Purpose: 'One.', Notes: 'n1' });
    edit((before) => before.replace('One.', 'My own words.'));
    await put({ Purpose: 'Two.', Notes: 'n2' });
    expect(text()).toContain('## Purpose\nMy own words.\n');
    expect(text()).toContain('## Notes\nn2\n');
    await put({ Purpose: 'Three.', Notes: 'n3' });
    expect(text()).toContain('My own words.');
    expect(isGenerated(text())).toBe(false);
  });

  it('does not bring back a section that a person removed, nor write into one that they added', async () => {
    await put({ Purpose: 'One.', Notes: 'n' });
    edit((before) => `${before.replace('## Notes\nn\n', '')}\n## Dependencies\nmine\n`);
    await put({ Purpose: 'Two.', Notes: 'n2', Dependencies: 'd' });
    expect(text()).not.toContain('n2');
    expect(text()).toContain('## Dependencies\nmine\n');
    expect(text()).toContain('Two.');
  });

  it('adds a section that has something to say now, and takes out one that has no more', async () => {
    await put({ Purpose: 'One.', Dependencies: 'd' });
    await put({ Purpose: 'One.', Dependencies: undefined, Notes: 'new' });
    expect(text()).not.toContain('Dependencies');
    expect(text()).toContain('## Notes\nnew\n');
  });

  it('leaves the body of a note alone that a person made, and only fills in facts', async () => {
    const file = path.join(project.memoryRoot, 'nodes/files/file-a-ts.md');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const own = '---\nid: file-a-ts\ntype: file-summary\npath: a.ts\ncustom: kept\n---\n\n# a.ts\n\nJust this.\n';
    fs.writeFileSync(file, own);
    await put({ Purpose: 'One.' }, { fields: { path: 'a.ts', line_count: 3 } });
    const now = text();
    expect(now.slice(now.indexOf('\n# a.ts'))).toBe(own.slice(own.indexOf('\n# a.ts')));
    expect(now).toContain('custom: kept\n');
    expect(now).toContain('line_count: 3\n');
    expect(now).not.toContain('captured');
  });

  it('does not mind blanks at the ends of lines, and other line endings in between', async () => {
    await put({ Purpose: 'One.\nMore.' });
    edit((before) => before.replace('One.\n', 'One.  \n'));
    await put({ Purpose: 'Two.' });
    expect(text()).toContain('Two.');
  });

  it('keeps the tags and the title that a person gave, and a changed title unless it is still the old one', async () => {
    await put({ Purpose: 'One.' });
    edit((before) => before.replace('# a.ts', '# The A file').replace('[typescript]', '[mine]'));
    await put({ Purpose: 'Two.' }, { title: 'b.ts', retitle: { from: 'a.ts' } });
    expect(text()).toContain('# The A file\n');
    expect(text()).toContain('tags: [mine]');
    await put({ Purpose: 'Two.' }, { title: 'b.ts', retitle: { from: 'The A file' } });
    expect(text()).toContain('# b.ts\n');
  });

  it('is found where a person moved it', async () => {
    await put({ Purpose: 'One.' });
    const { file } = project.note('file-summary', 'file-a-ts');
    fs.renameSync(file, path.join(project.memoryRoot, 'nodes', 'My notes on A.md'));
    await put({ Purpose: 'Two.' });
    expect(project.notes()).toEqual(['My notes on A']);
    expect(lookUp(project.memoryRoot, 'file-summary', 'file-a-ts')).toBeUndefined();
  });

  it('masks secrets and still knows its sections again', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    await put({ Purpose: `Uses ${secret}.` });
    expect(text()).not.toContain(secret);
    await put({ Purpose: 'Uses none.' });
    expect(text()).toContain('Uses none.');
  });
});
