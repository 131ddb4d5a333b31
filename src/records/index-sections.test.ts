import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TestShelf } from '../../test/fixtures/record-store.ts';
import { sampleInput } from '../../test/fixtures/sample-records.ts';
import { put } from '../../test/fixtures/temporary.ts';
import { editIndex, entriesOf, redrawIndex, renderIndex } from './index-file.ts';
import { type IndexEntry, parseIndexLine } from './index-line.ts';
import { type DrawnLine, SECTIONS, splitIndex } from './index-sections.ts';
import { queryIndex, rebuildIndex, refreshIndex } from './index-upkeep.ts';

const decision = (slug: string, title = slug): IndexEntry => ({
  display: 'DECISION',
  title,
  path: `.claude/memory/decisions/${slug}.json`,
  tags: ['t'],
});
const preference = (slug: string, title: string): IndexEntry => ({
  display: 'PREFERENCE',
  title,
  path: `.claude/memory/preferences/${slug}.json`,
  tags: [],
});
const linkLine = (id: string, text: string): DrawnLine => ({ id, text });
const taskLine = (id: string, text: string): DrawnLine => ({ id, text, task: true });
const drawn = {
  'Active Decisions': [linkLine('decision-001-jwt-auth', 'JWT with Redis sessions')],
  'Recent Sessions': [linkLine('session-2026-03-01-abc12345', 'Fixed the auth bug')],
  'Active Tasks': [taskLine('task-rate-limits', 'Add rate limiting')],
};

describe('index.md with sections', () => {
  it('puts sections above all memories, in the known order, and its title first', () => {
    const text = renderIndex([decision('use-jwt', 'Use JWT'), preference('pnpm', 'Uses pnpm, not npm')], { drawn });
    expect(text.replace(/<!--.*-->/, '<!-- … -->')).toBe(
      [
        '# Memory Index',
        '',
        '<!-- … -->',
        '',
        '## Active Decisions',
        '- [[decision-001-jwt-auth]] - JWT with Redis sessions',
        '- [[use-jwt]] - Use JWT',
        '',
        '## Recent Sessions',
        '- [[session-2026-03-01-abc12345]] - Fixed the auth bug',
        '',
        '## Active Tasks',
        '- [ ] Add rate limiting ([[task-rate-limits]])',
        '',
        '## User Preferences',
        '- [[pnpm]] - Uses pnpm, not npm',
        '',
        '## All memories',
        '- [DECISION] Use JWT -> .claude/memory/decisions/use-jwt.json #tags:t',
        '- [PREFERENCE] Uses pnpm, not npm -> .claude/memory/preferences/pnpm.json',
        '',
      ].join('\n'),
    );
    expect(entriesOf(text)).toHaveLength(2);
  });

  it('stays a plain list where there are neither notes nor text of a person', () => {
    const text = renderIndex([decision('a')]);
    expect(text).not.toContain('##');
    expect(redrawIndex(text, {})).toBe(text);
  });

  it('ends after its sections if there is no record', () => {
    const text = renderIndex([], { drawn });
    expect(text).not.toContain('All memories');
    expect(text).toMatch(/\(\[\[task-rate-limits\]\]\)\n$/);
  });

  it('shows the first ten decisions above and counts the rest', () => {
    const entries = Array.from({ length: 13 }, (_, at) => decision(`d${String(at).padStart(2, '0')}`));
    const text = renderIndex(entries, { drawn });
    expect(text).toContain('- [[d09]] - d09\n- and 3 more in All memories\n');
    expect(text).not.toContain('[[d10]]');
    expect(editIndex(text, [decision('d05').path])).toBe(
      renderIndex(
        entries.filter((each) => each.title !== 'd05'),
        { drawn },
      ),
    );
  });

  it('names a decision once that is a note and a record', () => {
    const both = { 'Active Decisions': [linkLine('use-jwt', 'As a note')] };
    expect(renderIndex([decision('Use-JWT')], { drawn: both }).match(/\[\[use-jwt\]\]/gi)).toHaveLength(1);
  });

  it('keeps what a person wrote, also in sections of their own and beside drawn lines, and moves entries below', () => {
    const before = [
      '---',
      'updated: 2025-12-08T16:00:00Z',
      '---',
      '# Memory Index',
      '',
      '## project context',
      'E-commerce API.',
      '',
      '```sh',
      '## no heading',
      '```',
      '- [DECISION] Gone -> .claude/memory/decisions/gone.json',
      '## Current Focus ##',
      '- [[anything]] - also this stays',
      '## User Preferences',
      '- Uses pnpm, not npm',
      '- [[old]] - drawn long ago',
      '## Glossary',
      'SKU: a thing we sell',
      '## Active Tasks',
      '- [ ] typed by hand',
      '- [ ] Drawn ([[task-old]])',
    ].join('\r\n');
    const text = renderIndex([decision('a')], { before, drawn: {} });
    expect(text.slice(text.indexOf('## '))).toBe(
      [
        '## Project Context',
        'E-commerce API.',
        '',
        '```sh',
        '## no heading',
        '```',
        '',
        '## Active Decisions',
        '- [[a]] - a',
        '',
        '## Current Focus',
        '- [[anything]] - also this stays',
        '',
        '## Active Tasks',
        '- [ ] typed by hand',
        '',
        '## User Preferences',
        '- Uses pnpm, not npm',
        '',
        '## Glossary',
        'SKU: a thing we sell',
        '',
        '## All memories',
        '- [DECISION] a -> .claude/memory/decisions/a.json #tags:t',
        '',
      ].join('\n'),
    );
  });

  it('drops text outside of every section when it is rebuilt, and keeps it when it is edited', () => {
    const before = '# Memory Index\n\nremark\n\n## Project Context\nAn API.\n\n## All memories\nstray\n';
    expect(renderIndex([], { before })).not.toMatch(/remark|stray/);
    expect(editIndex(before, [], decision('a'))).toMatch(/remark\nstray\n\n## Project Context\nAn API\.\n/);
  });

  it('does not let an open code block swallow the sections behind it', () => {
    const before = renderIndex([decision('a')], { before: '## Project Context\n```\nnever closed', drawn });
    const again = renderIndex([decision('a')], { before });
    expect(again).toBe(before);
    expect(editIndex(before, [], decision('b'))).toBe(renderIndex([decision('a'), decision('b')], { before }));
  });

  it('reads lines of a hundred thousand blanks and marks in no time', () => {
    for (const filler of [' ', '#', '\t', '[[', '- [ ] (', '---\n', '<!-- auto-generated '])
      splitIndex(`## ${filler.repeat(100_000)}\n<!--${filler.repeat(100_000)}\n---\n${filler.repeat(100_000)}`);
  });
});

/** Lines of a person: nothing that has the form of an entry, a heading of ours or a drawn line. */
const humanLine = fc
  .oneof(
    fc.string(),
    fc.constantFrom(
      '```',
      '~~~~',
      '### Sub',
      '# Top',
      '---',
      '* star',
      '- plain',
      '<!-- x -->',
      '#tags:',
      '',
      '  deep',
    ),
  )
  .map((line) => line.replace(/[\r\n]/g, ''))
  .filter((line) => !/^##[ \t]/.test(line) && !parseIndexLine(line));
const humanText = fc
  .array(humanLine, { minLength: 1, maxLength: 6 })
  .map((lines) => lines.join('\n').replace(/^(?:[^\S\n]*\n)+|(?:\n[^\S\n]*)+$/g, ''))
  .filter((text) => text.trim() !== '');
const anyTitle = fc.oneof(fc.string(), fc.constantFrom('a -> b.json', '[DECISION] x -> y', '#tags:z', '- [X] a -> b'));
const anyId = fc.stringMatching(/^[a-z0-9][a-z0-9.-]{0,12}$/);
const anyDrawn = fc.record({
  'Active Decisions': fc.array(
    fc.tuple(anyId, anyTitle).map(([id, gist]) => linkLine(`decision-${id}`, gist)),
    {
      maxLength: 4,
    },
  ),
  'Active Tasks': fc.array(
    fc.tuple(anyId, anyTitle).map(([id, title]) => taskLine(`task-${id}`, title)),
    {
      maxLength: 4,
    },
  ),
  'Key Files': fc.array(
    fc.tuple(anyId, anyTitle).map(([id, gist]) => linkLine(`file-${id}`, gist)),
    { maxLength: 4 },
  ),
});

describe('any index.md', () => {
  it('gives back what a person wrote, after any edit and any rebuild', () => {
    fc.assert(
      fc.property(humanText, humanText, anyDrawn, fc.array(anyId), (context, own, lines, slugs) => {
        const before = `# Memory Index\n\n## Project Context\n${context}\n\n## My Own\n${own}\n\n## All memories\n`;
        let text = redrawIndex(before, lines);
        for (const slug of slugs) text = editIndex(text, [], decision(slug));
        text = renderIndex(entriesOf(text), { before: text });
        const { written } = splitIndex(text);
        // An open code block takes the heading of a section that is not ours, and all below it, for its text.
        const open = /^ {0,3}(?:```|~~~)/m.test(context);
        expect(open ? written.get('Project Context')!.slice(0, context.length) : written.get('Project Context')).toBe(
          context,
        );
        expect(open ? text.includes(own) : written.get('My Own')).toBe(open || own);
      }),
    );
  });

  it('is the same after a rebuild as after the edits that led there', () => {
    const change = fc.record({ slug: fc.constantFrom('a', 'b', 'c', 'dd', 'e'), title: anyTitle, gone: fc.boolean() });
    fc.assert(
      fc.property(fc.option(humanText), anyDrawn, fc.array(change), (context, lines, changes) => {
        const start = context === null ? '' : `## Current Focus\n${context}\n`;
        const entries = new Map<string, IndexEntry>();
        let text = renderIndex([], { before: start, drawn: lines });
        for (const { slug, title, gone } of changes) {
          const entry = decision(slug, title);
          if (gone) entries.delete(slug);
          else entries.set(slug, entry);
          text = gone ? editIndex(text, [entry.path]) : editIndex(text, [], entry);
        }
        expect(text).toBe(renderIndex([...entries.values()], { before: start, drawn: lines }));
        expect(renderIndex([...entries.values()], { before: text })).toBe(text);
      }),
    );
  });

  it('never takes a drawn line for an entry, and names only known sections', () => {
    fc.assert(
      fc.property(anyDrawn, (lines) => {
        const text = renderIndex([], { drawn: lines });
        expect(entriesOf(text)).toEqual([]);
        expect(text).toMatch(/^# Memory Index\n\n<!--[^\n]*Auto-generated[^\n]*-->\n/);
        for (const [heading] of text.matchAll(/^## .*$/gm)) expect(SECTIONS).toContain(heading.slice(3));
      }),
    );
  });
});

describe('the index of a memory', () => {
  const indexOf = (recordStore: TestShelf): string => path.join(recordStore.root, 'index.md');

  it('keeps the sections through writes, rebuilds and a rebuild from the notes', async () => {
    const recordStore = new TestShelf();
    await recordStore.create('decisions/use-jwt', sampleInput('decision', { title: 'Use JWT' }));
    expect(recordStore.index).not.toContain('##');
    expect(await refreshIndex(recordStore, drawn)).toBe(true);
    expect(await refreshIndex(recordStore, drawn)).toBe(false);
    put(
      indexOf(recordStore),
      recordStore.index.replace('## Active Decisions', '## Project Context\nAn API.\n\n## Active Decisions'),
    );
    await recordStore.create('decisions/use-redis', sampleInput('decision', { title: 'Use Redis' }));
    const written = recordStore.index;
    expect(written).toContain('## Project Context\nAn API.\n');
    expect(written).toContain('- [[use-redis]] - Use Redis\n');
    await rebuildIndex(recordStore);
    expect(recordStore.index).toBe(written);
    await rebuildIndex({ ...recordStore, drawSections: () => ({}) });
    expect(recordStore.index).toContain('An API.');
    expect(recordStore.index).not.toContain('rate limiting');
    expect(recordStore.lines.filter((line) => /^- \[[A-Z]/.test(line))).toHaveLength(2);
    await recordStore.retire('decisions/use-redis');
    expect(recordStore.index).not.toContain('use-redis');
  });

  it('saves the text of a person from an index that is not UTF-8', async () => {
    const recordStore = new TestShelf();
    await recordStore.create('decisions/a', sampleInput('decision', { title: 'A' }));
    put(indexOf(recordStore), Buffer.from('# Memory Index\n\n## Project Context\nCaf\xe9 API\n', 'latin1'));
    await recordStore.create('decisions/b', sampleInput('decision', { title: 'B' }));
    expect(recordStore.index).toContain('## Project Context\nCaf\ufffd API\n');
    expect(entriesOf(recordStore.index)).toHaveLength(2);
  });

  it('takes nothing from a file that index.md is a link to', async () => {
    const recordStore = new TestShelf();
    await recordStore.create('decisions/a', sampleInput('decision', { title: 'A' }));
    const other = put(path.join(recordStore.base, 'other.md'), '## Project Context\nnot of this project\n');
    for (const renew of [() => rebuildIndex(recordStore), () => refreshIndex(recordStore, drawn)]) {
      fs.rmSync(indexOf(recordStore));
      fs.symlinkSync(other, indexOf(recordStore));
      await renew();
      expect(recordStore.index).not.toContain('not of this project');
      expect(fs.readFileSync(other, 'utf8')).toContain('not of this project');
    }
  });

  it('makes no index for a memory with nothing in it', async () => {
    const recordStore = new TestShelf();
    fs.mkdirSync(recordStore.root, { recursive: true });
    expect(await refreshIndex(recordStore, {})).toBe(false);
    expect(fs.existsSync(indexOf(recordStore))).toBe(false);
  });

  it('finds entries by a word, not the linked lines above them', async () => {
    const recordStore = new TestShelf();
    await recordStore.create('decisions/use-jwt', sampleInput('decision', { title: 'Use JWT' }));
    await refreshIndex(recordStore, drawn);
    expect(queryIndex(recordStore, 'jwt').map((line) => line.slice(0, 20))).toEqual(['- [DECISION] Use JWT']);
  });
});
