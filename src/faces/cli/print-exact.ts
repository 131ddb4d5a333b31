// Lines of conversations that hold a text, for people: by conversation, each with who, when and where.

import type { ExactAnswer, ExactLine } from '../../app/exact-text.ts';
import { stripUnsafe } from '../../model/text.ts';
import { localDay } from '../../model/timestamp.ts';
import { plural } from './open.ts';
import { wrap } from './wrap-text.ts';

const ROWS = 4;

export function exactLines({ text, lines, conversations, more, unread }: ExactAnswer, width: number): string[] {
  const looked = plural(conversations, 'conversation');
  const failed = unread.length > 0 ? [`${plural(unread.length, 'conversation')} could not be read.`] : [];
  if (lines.length === 0)
    return [
      `${JSON.stringify(text)} stands in none of ${looked}.`,
      'Try fewer letters, --all-projects, or `cairn remember` without --exact, which finds by meaning.',
      ...failed,
    ];
  const files = [...new Set(lines.map(({ file }) => file))];
  return [
    `${plural(lines.length, 'line')}${more ? ', and there are more (--limit)' : ''}`,
    ...files.flatMap((file) => {
      const own = lines.filter((each) => each.file === file);
      const from = own[0]?.archived ? '  (from the archive; the client has deleted it)' : '';
      return ['', stripUnsafe(file) + from, ...own.flatMap((each) => lineRows(each, width))];
    }),
    ...failed,
  ];
}

function lineRows({ line, at, who, text }: ExactLine, width: number): string[] {
  const when = at === null ? '' : `  ${localDay(new Date(at))} ${at.slice(11, 16)}`;
  return [
    `  line ${line}${when}  ${stripUnsafe(who)}`,
    ...wrap(stripUnsafe(text), width - 4, ROWS).map((row) => `    ${row}`),
  ];
}
