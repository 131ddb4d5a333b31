// What a prompt asks for: the words that tell something, the questions it is taken apart into, the files it names.

import { describe, expect, it } from 'vitest';
import { indexWords } from '../store/index-words.ts';
import { isTelling, learnOrdinary, oftenSaid, PLAIN_ORDINARY } from './ordinary-words.ts';
import { promptParts } from './prompt-parts.ts';

const NONE: ReadonlySet<string> = new Set();
const parts = (prompt: string) => promptParts(prompt, NONE);

describe('telling words', () => {
  it('are none of the ordinary ones, in any of their forms', () => {
    expect(indexWords(PLAIN_ORDINARY).filter((word) => isTelling(word, NONE))).toEqual([]);
  });

  it('are none in a prompt that asks for nothing', () => {
    for (const prompt of [
      'commit this',
      'yes, go on',
      'Commit and update changelog',
      'ok lets get back to main',
      'yeah please push a new PR',
      'fix all 11 issues and run the tests again',
      'looks good, please continue with the next task',
      'there are still some failures in ci, and two warnings of the last deployment',
      'apply the suggestions and improvements after a verification',
    ])
      expect(parts(prompt).telling, prompt).toEqual([]);
  });

  it('say what a prompt is about', () => {
    expect(parts('why is the ledger of the bookkeeping slow?').telling).toEqual(['ledger', 'bookkeep', 'slow']);
    expect(parts('Update the sharing of sessions').telling).toEqual(['share', 'session']);
  });

  it('are learned to be ordinary from many short prompts of the user', () => {
    const prompts = Array.from({ length: 40 }, (_, at) =>
      at % 4 === 0 ? 'add a gsd todo for this' : `look at the ledger ${'and everything around it '.repeat(5)}${at}`,
    );
    const rare = () => 0.01;
    const learned = learnOrdinary(oftenSaid(prompts), rare);
    expect(isTelling('gsd', learned)).toBe(false);
    expect(isTelling('ledger', learned)).toBe(true); // long prompts say what about, not how somebody talks
    expect(isTelling('gsd', learnOrdinary(oftenSaid(prompts.slice(0, 12)), rare))).toBe(true); // too few to know
    expect(
      isTelling(
        'gsd',
        learnOrdinary(oftenSaid(prompts), () => 0.5),
      ),
    ).toBe(true); // what all speak of is a matter
    expect(promptParts('add a gsd todo for the ledger', learned).telling).toEqual(['ledger']);
  });

  it('leave out links but for the number of an issue', () => {
    const { telling, parts: asked } = parts('look at https://github.com/owner/name/issues/7668 about the parser');
    expect(telling).toEqual(['parser']);
    expect(asked[0]).toContain('#7668');
    expect(asked[0]).not.toContain('github');
  });
});

describe('the parts of a prompt', () => {
  it('are one where it is short', () => {
    expect(parts('the ledger loses a cent. why?').parts).toEqual(['the ledger loses a cent. why?']);
  });

  it('are sentences that say something where it is long', () => {
    const first = 'The ledger of the bookkeeping loses a cent whenever currencies are converted.';
    const second = 'The importer of bank statements skips holidays in Bavaria.';
    const { parts: asked } = parts(
      `${first} Hm, ok. ${second} And the weather widget shows yesterday's rain forecast.`,
    );
    expect(asked.slice(0, 2)).toEqual([first, second]);
    expect(asked).toHaveLength(3);
  });

  it('are no more than a few, and nothing of what was printed', () => {
    const sentences = Array.from({ length: 20 }, (_, at) => `Kestrel${at} marlin${at} otter${at} badger${at}.`);
    expect(parts(sentences.join(' ')).parts).toHaveLength(6);
    const log =
      'the upload of big videos stops\n[12:00:01] GET /health 200\n```\nTypeError: nothing\n```\n  at run (main.js:3)';
    expect(parts(log).parts).toEqual(['the upload of big videos stops']);
  });

  it('of a plan are its heading and why it is made', () => {
    const plan =
      'Implement the following plan:\n\n# Plan: Rounding of taxes\n\n## Context\n\nThe ledger loses cents. Twice a day. Every Monday.\n\n## Steps\n\n1. Otters and badgers in `src/tax/round.ts`\n';
    const asked = parts(plan);
    expect(asked.isPlan).toBe(true);
    expect(asked.parts.join(' ')).toContain('Rounding of taxes');
    expect(asked.parts.join(' ')).toContain('loses cents');
    expect(asked.parts.join(' ')).not.toContain('Otters');
    expect(asked.parts.join(' ')).not.toContain('Monday');
    expect(asked.files).toEqual(['src/tax/round.ts']);
  });
});

describe('files', () => {
  it('are those that are named, without those that every project has', () => {
    expect(parts('simplify @src/tax/round.ts and ledger.sql, not CHANGELOG.md or package.json').files).toEqual([
      'src/tax/round.ts',
      'ledger.sql',
    ]);
    expect(parts('what is 1.5 of and/or? e.g. v1.2').files).toEqual([]);
  });
});

describe('a question', () => {
  it('begins as one', () => {
    for (const prompt of ['where do we keep the ledger?', 'ok, so why is it slow?', 'Did we decide that?'])
      expect(parts(prompt).isQuestion, prompt).toBe(true);
    for (const prompt of ['please fix the ledger', 'what a mess.', 'the ledger, ok?'])
      expect(parts(prompt).isQuestion, prompt).toBe(false);
  });
});
