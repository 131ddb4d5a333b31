// Ranking, pinned: a few dozen questions whose answers are known, over memories made up for them. What each rule is for is said by
// the scenes; the numbers behind each order are in ranking.txt, so that a change of any weight shows what it moves
// (`npx vitest run test/ranking -u` takes it over, once it was looked at).

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecallAnswer, RecallResult } from '../../src/recall/answer.ts';
import { recall } from '../../src/recall/recall.ts';
import type { Store } from '../../src/store/store.ts';
import { NOW } from '../recall/memories.ts';
import { type Ask, hashEmbedder, openScenes } from './scene.ts';
import { SCENES } from './scenes.ts';

let store: Store;
let end: () => Promise<void>;
beforeAll(async () => {
  ({ store, end } = await openScenes(SCENES));
});
afterAll(() => end());

const answer = ({ query, more, deps }: Ask): Promise<RecallAnswer> =>
  recall(
    { store, now: NOW, timeZone: 'UTC', embedder: hashEmbedder, ...deps },
    { query, limit: 8, explain: true, ...more },
  );

describe.each(SCENES.map((context) => [context.rule, context] as const))('%s', (_, { asks }) => {
  it.each(asks.map((ask) => [ask.query, ask] as const))('%j', async (__, ask) => {
    const refs = (await answer(ask)).results.map((result) => result.ref);
    expect(refs.slice(0, ask.first.length)).toEqual(ask.first);
    for (const ref of ask.never ?? []) expect(refs).not.toContain(ref);
  });
});

describe('the numbers behind each order', () => {
  it('are those that were looked at', async () => {
    const pages: string[] = [];
    for (const { rule, asks } of SCENES) {
      pages.push(`# ${rule}\n`);
      for (const ask of asks) pages.push(page(ask, await answer(ask)));
    }
    await expect(`${pages.join('\n')}`).toMatchFileSnapshot('ranking.txt');
  });
});

const SHOWN = 4;

/** A question, and of each of its first results the place, the score and what made it. */
function page({ query, more }: Ask, { results, relevance }: RecallAnswer): string {
  const options = more ? ` ${JSON.stringify(more)}` : '';
  const lines = results.slice(0, SHOWN).map((result) => `${result.score.toFixed(4)} ${result.ref}${because(result)}`);
  return [`${query}${options}  (relevance ${relevance})`, ...lines.map((line) => `  ${line}`), ''].join('\n');
}

const because = ({ explain = [], why }: RecallResult): string =>
  [
    `  ${why.map(({ strategy, rank }) => `${strategy} ${rank}`).join(', ')}`,
    explain
      .map(
        ({ name, points, factor }) =>
          `${name} ${factor === undefined ? `+${points!.toFixed(3)}` : `×${factor.toFixed(3)}`}`,
      )
      .join(' '),
  ].join(' · ');
