// Where the sections of a body begin and end, for those who show, read and replace them alike. A `# comment` in a block of
// code is no heading: taken for one, it would cut the section in two, and a new text would leave the old end behind.

import { withoutCode } from './links.ts';

export type SectionSpan = {
  /** Lines of the body: that of the heading, and the first that is no longer part of the section. */
  readonly start: number;
  readonly end: number;
};

/** The lines of the body that are headings of the first two levels, by their numbers from 0. */
export function headingLines(body: string): { lines: string[]; visible: string[]; headings: number[] } {
  const lines = body.split('\n');
  const visible = withoutCode(body).split('\n');
  const headings = [...lines.keys()].filter((at) => /^#{1,2}[ \t]/.test(visible[at]!));
  return { lines, visible, headings };
}

export function sectionSpan(body: string, name: string): { lines: string[]; span: SectionSpan | undefined } {
  const { lines, visible, headings } = headingLines(body);
  const wanted = `##${name.toLowerCase()}`;
  const start = lines.findIndex(
    (line, at) =>
      visible[at]!.startsWith('##') &&
      line
        .replace(/^##[ \t]+/, '##')
        .trim()
        .toLowerCase() === wanted,
  );
  if (start === -1) return { lines, span: undefined };
  return { lines, span: { start, end: headings.find((at) => at > start) ?? lines.length } };
}
