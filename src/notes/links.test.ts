import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linksOf, tagsOf } from './links.ts';

const targets = (body: string): string[] => linksOf(body).map((link) => link.to);

describe('links in a body', () => {
  it('are wiki-links in all their forms', () => {
    const [plain, text, section, both] = linksOf('See [[a-note]], [[b|the b]], [[c#part two]] and [[d#x|D]].');
    expect(plain).toMatchObject({ to: 'a-note', relation: 'links_to' });
    expect(text).toMatchObject({ to: 'b', text: 'the b' });
    expect(section).toMatchObject({ to: 'c', section: 'part two' });
    expect(both).toMatchObject({ to: 'd', section: 'x', text: 'D' });
  });

  it('name a note also by its path or file', () => {
    expect(targets('[[nodes/decisions/decision-001.md]] ![[image-note]]')).toEqual(['decision-001', 'image-note']);
  });

  it('are fields with a meaning, with or without brackets', () => {
    const links = linksOf('related:: [[x]], [[y]]\n- supersedes:: decision-001\ndepends_on:: [[file-config]]');
    expect(links.map(({ to, relation }) => [to, relation])).toEqual([
      ['x', 'related'],
      ['y', 'related'],
      ['decision-001', 'supersedes'],
      ['file-config', 'depends_on'],
    ]);
  });

  it('are not scanned in code', () => {
    expect(targets('`[[a]]` and\n```\n[[b]]\n```\n~~~ts\n[[c]]\n~~~\n[[d]] ``[[e]] ` [[f]]``')).toEqual(['d']);
  });

  it('go on behind an open fence only to the end of it', () => {
    expect(targets('````\n```\n[[a]]\n```\n````\n[[b]]')).toEqual(['b']);
  });

  it('do not point into their own note, nor when they are escaped', () => {
    expect(targets('[[#section]] \\[[x]] [[]]')).toEqual([]);
  });

  it('are found in any text without failing', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('[', ']', '|', '#', '`', '\n', 'a', ':', '-', ' ', '\\', '!'),
          maxLength: 400,
        }),
        (body) => {
          for (const link of linksOf(body)) expect(link.to).not.toMatch(/[[\]|\n]/);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('tags in a body', () => {
  it('are words behind a hash, not headings, colours in code, links or parts of addresses', () => {
    expect(tagsOf('# Heading\n#auth and (#Security, #a/b) `#code` https://x.test/#frag [[n#part]] #1 x#y')).toEqual([
      'auth',
      'security',
      'a/b',
    ]);
  });
});
