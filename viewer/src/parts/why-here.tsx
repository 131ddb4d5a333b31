// Why a memory was found, in sentences; the numbers that made its score behind them. The sentences name what the score itself names
// (recall's own details); nothing is judged here a second time.

import type { Hit } from '../../../src/viewer-api/protocol.ts';
import { Reasons } from './reasons.tsx';

const FOUND: { readonly [strategy: string]: string } = {
  keyword: 'It has words of the question',
  vector: 'Its meaning is near to the question',
  hyde: 'It is near to what an answer might say',
  entity: 'It mentions what the question names',
  graph: 'It is linked to another hit',
  path: 'It is about the file that the question names',
  browse: 'It is of the kind or time that was asked for',
};
const LIFTED: { readonly [name: string]: string } = {
  'its exchange': 'The exchange it stands in fits the question.',
  'its own context': 'What stands around it fits the question.',
  'same conversation': 'More of the same conversation fits the question.',
  'conversation has': 'Its conversation has the other words of the question.',
  replaces: 'It replaces an older one that fits the question.',
  newer: 'It is newer than another that says nearly the same.',
  'speaker by name': 'The question names who said it.',
};
const WEIGHED: { readonly [name: string]: readonly [up: string, down: string] } = {
  exchange: ['', 'It is a whole exchange; single statements come before it.'],
  span: ['', 'It is a whole topic; single statements come before it.'],
  commit: ['', 'It is a commit; what was said comes before it.'],
  speaker: ['It was said by the one that the question asks about.', ''],
  standing: ['It is a wish for good.', ''],
  intent: ['It is of the kind that the question asks for.', ''],
  answered: ['', 'It was answered since.'],
  done: ['', 'It is done.'],
  time: ['It is of the time that the question names.', ''],
  recent: ['', 'It is older than others.'],
  confidence: ['', 'It is not wholly sure.'],
  worth: ['', 'It says little on its own.'],
  superseded: ['', 'A newer one replaces it.'],
  archived: ['', 'It is archived.'],
  feedback: ['You called it useful.', 'You called it wrong or stale, or it was told and never used.'],
  branch: ['', 'It was said on another branch.'],
  'files changed': ['', 'The files it speaks of changed since.'],
  'files gone': ['', 'The files it speaks of are gone.'],
  variety: ['', 'Others of its conversation come before it.'],
};
/** What changes less than this is not worth a sentence. */
const NOTICED = 0.03;

export function whySentences({ ranks, points, factors }: Pick<Hit, 'ranks' | 'points' | 'factors'>): string[] {
  const found = [...ranks]
    .sort((a, b) => a.rank - b.rank)
    .flatMap(({ strategy, rank }) => {
      const text = FOUND[strategy];
      return text
        ? [rank === 1 ? `${text}, more than all others.` : rank <= 5 ? `${text}, as few others do.` : `${text}.`]
        : [];
    });
  const lifted = points.flatMap(({ name, points: own }) => (own > 0 && LIFTED[name] ? [LIFTED[name]] : []));
  const weighed = factors.flatMap(({ name, factor }) => {
    const [up = '', down = ''] = WEIGHED[name] ?? [];
    const text = factor > 1 + NOTICED ? up : factor < 1 - NOTICED ? down : '';
    return text === '' ? [] : [text];
  });
  return [...new Set([...found, ...lifted, ...weighed])];
}

export function WhyHere({ hit, most }: { hit: Hit; most: number }) {
  return (
    <details class="why">
      <summary>Why here?</summary>
      <ul class="why-said">
        {whySentences(hit).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <Reasons points={hit.points} factors={hit.factors} ranks={hit.ranks} most={most} />
    </details>
  );
}
