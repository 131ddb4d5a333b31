import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/fixtures/temporary.ts';
import { FrontMatter } from '../files/front-matter.ts';
import { changeNote, createNote, putNote, type Vault } from './edit-note.ts';
import { isGenerated, markGenerated } from './generated-mark.ts';

function emptyVault(): Vault {
  const root = temporaryFolder();
  return {
    root,
    lockDir: path.join(root, '.lock'),
    deletedCopies: path.join(root, 'graves'),
    now: () => new Date('2026-03-01T12:00:00Z'),
  };
}
const read = (file: string): string => fs.readFileSync(file, 'utf8');
const note = { type: 'task', id: 'task-a', title: 'A', sections: { Description: 'Do it.' } } as const;

describe('the mark of a generated note', () => {
  it('is on what Cairn puts by itself, and stays right through its own changes', async () => {
    const vault = emptyVault();
    const { file } = await putNote(vault, note);
    expect(isGenerated(read(file))).toBe(true);
    await putNote(vault, { ...note, status: 'completed', related: ['session-1'] });
    expect(read(file)).toContain('status: completed');
    expect(isGenerated(read(file))).toBe(true);
    await changeNote(vault, 'task-a', { status: 'archived', generated: true });
    expect(isGenerated(read(file))).toBe(true);
  });

  it('is not on what a person or a model makes', async () => {
    const { file } = await createNote(emptyVault(), { type: 'task', title: 'Mine' });
    expect(isGenerated(read(file))).toBe(false);
  });

  it('is wrong for good once a person has changed the note, with a command or an editor', async () => {
    const vault = emptyVault();
    const { file } = await putNote(vault, note);
    await changeNote(vault, 'task-a', { addTags: ['mine'] });
    expect(isGenerated(read(file))).toBe(false);
    await putNote(vault, { ...note, status: 'completed' });
    expect(isGenerated(read(file))).toBe(false);

    const other = await putNote(vault, { ...note, id: 'task-b' });
    fs.appendFileSync(other.file, 'A remark.\n');
    expect(isGenerated(read(other.file))).toBe(false);
    const pinned = await putNote(vault, { ...note, id: 'task-c' });
    fs.writeFileSync(pinned.file, read(pinned.file).replace('tags: []', 'tags: []\npinned: true'));
    expect(isGenerated(read(pinned.file))).toBe(false);
  });

  it('does not mind other line endings or blanks at the ends of lines', async () => {
    const { file } = await putNote(emptyVault(), note);
    expect(isGenerated(read(file).replaceAll('\n', ' \r\n'))).toBe(true);
    expect(isGenerated(`\uFEFF${read(file)}\n\n`)).toBe(true);
  });

  it('can be marked again, and a forged mark is none', () => {
    const frontMatter = FrontMatter.empty('# A\n');
    markGenerated(frontMatter);
    markGenerated(frontMatter);
    expect(isGenerated(frontMatter.toString())).toBe(true);
    expect(isGenerated('---\ngenerated: true\n---\n# A\n')).toBe(false);
    expect(isGenerated('no front matter')).toBe(false);
  });

  it('is put on the note that has the id, also if its file is named otherwise', async () => {
    const vault = emptyVault();
    const { file } = await putNote(vault, note);
    fs.renameSync(file, path.join(path.dirname(file), 'renamed by a person.md'));
    const again = await putNote(vault, { ...note, id: 'TASK-A', status: 'completed' });
    expect(again).toMatchObject({ id: 'task-a', created: false, changed: true });
    expect(fs.readdirSync(path.dirname(file))).toEqual(['renamed by a person.md']);
  });

  it('keeps the time of creation that is given', async () => {
    const fields = { created: '2026-02-28T10:00:00Z' };
    const { file } = await putNote(emptyVault(), { ...note, fields });
    expect(read(file).match(/^created:.*$/gm)).toEqual(['created: 2026-02-28T10:00:00Z']);
  });
});
