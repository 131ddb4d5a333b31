// The prose of a web page that the agent read, to be found again and with no label: nobody here has said it. Its code, lists of names and
// numbers are left out.

import { lazy } from '../../model/lazy.ts';
import type { Idea } from '../../model/trace.ts';
import { removePrivate } from '../../safety/private-tags.ts';
import { blocksOf } from '../statements/blocks.ts';
import { LONGEST } from '../statements/sentences.ts';

const MOST = 3;
/** Some words in a row, and not only names of code. */
const prose = lazy(() => /(?:\p{L}{2,}[,;:]? ){5}|[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}]{8}/u);

export function pageIdeas(
  text: string,
): Pick<Idea, 'text' | 'intent' | 'stance' | 'confidence' | 'worth' | 'searchOnly'>[] {
  const open = removePrivate(text);
  return blocksOf(open, 0, open.length)
    .filter(({ kind, start, end }) => (kind === 'prose' || kind === 'item') && prose().test(open.slice(start, end)))
    .slice(0, MOST)
    .map(({ start, end }) => ({
      text: [...open.slice(start, end).replace(/\s+/g, ' ').trim()].slice(0, LONGEST).join(''),
      intent: 'context',
      stance: 'stated',
      confidence: 0.3,
      worth: 0.1,
      searchOnly: true,
    }));
}
