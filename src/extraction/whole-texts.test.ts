// What extraction as a whole makes of text, pinned: whatever changes here is a change of what is remembered, wanted or not. The first
// texts are shown with what was found in them, the others by a digest (`npx vitest run src/extraction/whole-texts.test.ts -u` takes a
// change over, once it was looked at). What each rule is for is said by the tests of its part.
import { describe, expect, it } from 'vitest';
import { digests, madeUpTexts } from '../../test/fixtures/made-up-texts.ts';
import { topicOutcome } from '../model/topic-outcome.ts';
import type { Turn } from '../model/trace.ts';
import { entitiesOf } from './entities/entities-of.ts';
import { firstExchange } from './exchanges/exchange.ts';
import { ideasOfExchange } from './ideas/ideas-of-exchange.ts';
import { pageIdeas } from './ideas/page-ideas.ts';
import { blocksOf } from './statements/blocks.ts';
import { sentencesOf } from './statements/sentences.ts';
import { topicWords } from './topic-words.ts';

const TEXTS = madeUpTexts(600, 17);
const SHOWN = 12;

const ideas = (text: string, role: Turn['role']) =>
  ideasOfExchange(firstExchange({ kind: 'turn', role, text, line: 7, time: 0, message: 'm' }), undefined);

function pageOf(text: string): string {
  const lines = (['user', 'assistant'] as const).flatMap((role) =>
    ideas(text, role).map(
      (idea) => `  ${role} ${idea.intent}/${idea.stance} ${idea.confidence} ${JSON.stringify(idea.text)}`,
    ),
  );
  const names = entitiesOf(text).map(({ name, kind }) => `${kind} ${name}`);
  return [JSON.stringify(text), ...lines, `  names: ${names.join(', ')}`, ''].join('\n');
}

describe('what is made of whole texts', () => {
  it('is what it was', async () => {
    const parts: [string, (text: string) => unknown][] = [
      ['ideas of a user', (text) => ideas(text, 'user')],
      ['ideas of an assistant', (text) => ideas(text, 'assistant')],
      ['ideas of a page', pageIdeas],
      ['entities', (text) => entitiesOf(text)],
      ['blocks', (text) => blocksOf(text, 0, text.length)],
      ['sentences', (text) => sentencesOf(text, 0, text.length)],
      ['topic words', (text) => topicWords(text)],
      ['outcomes', topicOutcome],
    ];
    const pages = TEXTS.slice(0, SHOWN).map(pageOf);
    for (const [name, make] of parts)
      pages.push([`${name}:`, ...digests(TEXTS.map((text) => make(text))), ''].join('\n'));
    await expect(pages.join('\n')).toMatchFileSnapshot('whole-texts.txt');
  });
});
