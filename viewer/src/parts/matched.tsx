// A text with the words of the question marked.

import { useMemo } from 'preact/hooks';
import { pieces } from './match-words.ts';

export function Marked({ text, terms }: { text: string; terms: readonly string[] }) {
  const found = useMemo(() => pieces(text, terms), [text, terms]);
  return (
    <>
      {found.map(({ text: piece, isMarked }, at) => (isMarked ? <mark key={at}>{piece}</mark> : withoutMarks(piece)))}
    </>
  );
}

/** Signs of Markdown that only disturb in one line. */
const withoutMarks = (text: string): string => text.replace(/\*\*|`/g, '');
