import { describe, expect, it } from 'vitest';
import { typed } from '../../../test/fixtures/statements.ts';
import { mayChange, newerValue, tellsNews } from './newer-value.ts';

describe('what a user says anew of their own affairs', () => {
  it.each([
    ['a share', 'My parser module coverage is at 61%', 'My parser module coverage has improved to 74%', true],
    [
      'a share of something else',
      'My parser module coverage is at 61%',
      'My rent in the new house is 74% of that',
      false,
    ],
    ['money', 'My budget for the harbour trip is $900', 'My budget for the harbour trip is now $1200', true],
    ['the same value', 'My budget for the harbour trip is $900', 'My budget for the harbour trip is now $900', false],
    [
      'a value of another kind',
      'My budget for the harbour trip is $900',
      'My budget for the harbour trip is now 40%',
      false,
    ],
    [
      'a day of an appointment',
      'My boat exam with Jonna is on March 3',
      'I moved my boat exam with Jonna to March 9',
      true,
    ],
    [
      'a day that is not said to be moved',
      'My boat exam with Jonna is on March 3',
      'My boat exam with Jonna was on March 9',
      false,
    ],
    [
      'a day of what happens often',
      'I painted my boat keel on March 3',
      'I now painted my boat keel on March 9',
      false,
    ],
    ['both values at once', 'I have 14 berths on my quay', 'I now have 17 berths on my quay, not 14 berths', false],
    [
      'from one to the other',
      'I have 14 berths on my quay',
      'I now have 17 berths on my quay, up from 14 berths',
      true,
    ],
    [
      'what was counted before',
      'I have rented 14 berths on my west quay',
      'I have rented 17 berths on my west quay',
      true,
    ],
    [
      'what was counted of something else',
      'I have rented 14 berths on my quay',
      'I have rented 17 tickets on my quay',
      false,
    ],
    ['a count', 'I have 14 plants on my balcony', 'My balcony now has 17 plants', true],
    ['a count of other things', 'I read 3 novels in the holidays', 'I bought 5 pens in the new shop', false],
    ['a sum', 'I have 14 plants on my balcony', 'My balcony now has 17 plants of 4 kinds in 2 rows and 5 pots', false],
    ['three values', 'I have 14 plants on my balcony', 'My balcony now has 17 plants of 4 kinds in 2 rows', true],
    [
      'a day with half in common',
      'My boat exam with Jonna is on March 3',
      'I moved my boat exam behind the long ferry weekend to March 9',
      true,
    ],
    [
      'what it was before',
      'My quiz score went from 70% to 80% on tides',
      'My quiz score improved from 80% to 90% on tides',
      true,
    ],
    [
      'another before',
      'My quiz score went from 70% to 80% on tides',
      'My quiz score improved from 60% to 90% on tides',
      false,
    ],
    [
      'now, with little in common',
      'I pushed my harbour repository with 150 commits merged by all of the crew',
      'My sign-in page of the ferry waits, as the growth of commits merged into main has now reached 165',
      true,
    ],
    [
      'not now, with little in common',
      'I pushed my harbour repository with 150 commits merged by all of the crew',
      'My sign-in page of the ferry waits, as the growth of commits merged into main was at 165',
      false,
    ],
  ])('a newer value: %s', (_, before, after, expected) => {
    expect(newerValue(typed(after), typed(before)) > 0).toBe(expected);
  });

  it('is said by the user, of themselves, with a value', () => {
    expect(mayChange(typed('I have 17 berths.'))).toBe(true);
    expect(mayChange(typed('I have 17 berths.', { role: 'assistant' }))).toBe(false);
    expect(mayChange(typed('There are 17 berths.'))).toBe(false);
    expect(mayChange(typed('I have berths.'))).toBe(false);
    expect(mayChange(typed('I never had berths.'))).toBe(true);
    expect(mayChange(typed(`I have 17 berths. ${'x'.repeat(700)}`))).toBe(false);
  });

  it('is news where it says so beside the value', () => {
    expect(tellsNews(typed('I now have 17 berths.'))).toBe(true);
    expect(tellsNews(typed('I have 17 berths.'))).toBe(false);
    expect(tellsNews(typed('I now know the way. There are 17 berths.'))).toBe(false);
    expect(tellsNews(typed('The quay now has 17 berths.'))).toBe(false);
  });

  it('is compared with what they said, and nobody else', () => {
    const [now, before] = ['My balcony now has 17 plants', 'I have 14 plants on my balcony'];
    expect(newerValue(typed(now, { role: 'assistant' }), typed(before))).toBe(0);
    expect(newerValue(typed(now), typed(before, { role: 'assistant' }))).toBe(0);
  });
});
