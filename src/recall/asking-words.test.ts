// The words tell the same as patterns would; these are the patterns.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { askingWords } from './asking-words.ts';

const FIRST_PERSON =
  /(?<!\w-)(?<!(?<!\w)(?:although|though|because|while|whereas|once|until|unless|after|before|whenever) )\b(?:i|i'm|i've|i'd|my|me|mine|myself)\b(?!-\w)/i;
const REQUEST =
  /\b(?:can|could|would|will) you\b|\bhow (?:do|should|can|could|would|might) (?:i|we)\b|\b(?:should|shall|can|could) (?:i|we)\b|\b(?:show|tell|give|help) me\b|\bplease\b|^(?:write|create|implement|add|fix|explain|make|build|design|draft|suggest|recommend|generate|refactor|update)\b/i;
const LATEST =
  /\b(?:latest|newest|most recent(?:ly)?|recent(?:ly)?|current(?:ly)?|now|nowadays|today|at the moment|these days|so far|up to date|last time|lately|still)\b/i;
const STATE =
  /\b(?:how (?:many|much|long|often|far|old)|what(?:'s| is| are| was| time| date| day| version| percentage| number| score| deadline)|when (?:is|are|was|will|should|do|does|did)|which|(?:have|has|do|does|did|am|are|is|was) (?:i|we|the|my|our|it)\b)/i;
const HISTORY =
  /\b(?:first|initially|originally|at first|used to|previously|in (?:the )?order|over time|history|evolved?|progress(?:ed)?)\b/i;

const VOCABULARY =
  "can could would will you how do should might shall i we show tell give help me please write add updates i'm i've my mine myself latest most recent recently now at the moment these days so far up to date last time lately still many much longer often what what's whats is are was time day version when whichever which have has does did am our it first initially used to in order over history evolved progress queue although after k8s".split(
    ' ',
  );
const text = fc
  .array(
    fc.tuple(fc.constantFrom(...VOCABULARY), fc.constantFrom(' ', ' ', ' ', '  ', ', ', '? ', '\n', '_', '-', '')),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.flat().join(''));

it('takes words for a phrase only where one space is between them', () => {
  expect(askingWords('how, do i').request).toBe(false);
  expect(askingWords('how do i').request).toBe(true);
});

it('takes no part of a longer word for whoever asks', () => {
  expect(askingWords('open the shared-with-me list').firstPerson).toBe(false);
  expect(askingWords('what did i open').firstPerson).toBe(true);
});

it('hears nobody ask about himself where an aside names him', () => {
  expect(askingWords('the dialog said blue although i picked green').firstPerson).toBe(false);
  expect(askingWords('what did i say after i picked green').firstPerson).toBe(true);
});

it('tells what the patterns tell', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        fc.string(),
        text.map((each) => ` ${each}`),
      ),
      (query) => {
        const lower = query.toLowerCase();
        expect(askingWords(lower)).toEqual({
          firstPerson: FIRST_PERSON.test(lower),
          request: REQUEST.test(lower),
          latest: LATEST.test(lower),
          state: STATE.test(lower) && !HISTORY.test(lower),
        });
      },
    ),
    { numRuns: 20_000 },
  );
});
