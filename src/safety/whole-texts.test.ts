// What the guards of text make of it, pinned: what is masked, quoted, pasted, private or put in by a machine. The first texts are shown,
// the others are a digest (`npx vitest run src/safety/whole-texts.test.ts -u` takes a change over, once it was looked at).
import { describe, expect, it } from 'vitest';
import { digests, madeUpTexts } from '../../test/fixtures/made-up-texts.ts';
import { fencedCode } from './fenced-code.ts';
import { foreignText, ownWords } from './foreign-text.ts';
import { isMachinePrompt, opensWithMachineWords, withoutInjected } from './injected-elements.ts';
import { pastedText } from './pasted-text.ts';
import { openPart, removePrivate } from './private-tags.ts';
import { quotations, withoutQuotations } from './quotations.ts';
import * as sanitise from './sanitise.ts';
import { redact } from './secrets/redact.ts';

const TEXTS = madeUpTexts(600, 18);
const SHOWN = 12;

const PARTS: [string, (text: string) => unknown][] = [
  ['masked', redact],
  ['code', fencedCode],
  ['quotations', (text) => quotations(text)],
  ['without quotations', withoutQuotations],
  ['pasted', (text) => pastedText(text)],
  ['foreign to a user', (text) => foreignText(text, 'user')],
  ['foreign to an assistant', (text) => foreignText(text, 'assistant')],
  ['own words', (text) => ownWords(text, 'user')],
  ['without private passages', removePrivate],
  ['open private passages', (text) => [openPart(text, 0), openPart(text, 1)]],
  ['without injected elements', (text) => [withoutInjected(text), isMachinePrompt(text), opensWithMachineWords(text)]],
  ['titles', sanitise.cleanTitle],
  ['tags', sanitise.cleanTag],
  [
    'for a prompt',
    (text) => [sanitise.titleForPrompt(text), sanitise.tagForPrompt(text), sanitise.snippetForPrompt(text)],
  ],
  [
    'markup',
    (text) => [sanitise.escapeXml(text), sanitise.escapeMarkup(text), sanitise.neutraliseTag(text, 'private')],
  ],
];

describe('what is made of whole texts', () => {
  it('is what it was', async () => {
    const pages = TEXTS.slice(0, SHOWN).map((text) =>
      [
        JSON.stringify(text),
        `  masked ${JSON.stringify(redact(text).text)}`,
        `  own ${JSON.stringify(ownWords(text, 'user'))}`,
        '',
      ].join('\n'),
    );
    for (const [name, make] of PARTS)
      pages.push([`${name}:`, ...digests(TEXTS.map((text) => make(text))), ''].join('\n'));
    await expect(pages.join('\n')).toMatchFileSnapshot('whole-texts.txt');
  });
});
