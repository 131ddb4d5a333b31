import { describe, expect, it } from 'vitest';
import { isQuestionWord, isStanding, readAsking } from './question-words.ts';

describe('what a query asks for', () => {
  it.each([
    ['what did we decide about sessions', 'decision'],
    ['decisions about relay ratings', 'decision'],
    ['open questions', 'question'],
    ['what is still open about the parser', 'question'],
    ['what is still open about the parser', 'todo'],
    ['what did we leave, or is left open, in the parser', 'question'],
    ['problems with the build', 'problem'],
    ['how did we fix the flaky test', 'solution'],
    ['todos for the parser', 'todo'],
    ['anything left from the review', 'todo'],
    ['what was left to do in the parser', 'todo'],
    ['which items of the list are not done yet', 'todo'],
    ['what did we postpone for the parser', 'todo'],
    ['what have we put off in the parser', 'todo'],
    ['lessons learned from the migration', 'conclusion'],
  ])('hears in "%s" a %s', (query, intent) => {
    expect(readAsking(query).intents).toContain(intent);
  });

  it('takes the phrase out, so that only the matter is searched for', () => {
    expect(readAsking('decisions about relay ratings').rest.trim()).toBe('relay ratings');
    for (const query of ['which decisions did we make', 'problems we ran into', 'what lessons have we learned'])
      expect(readAsking(query)).toMatchObject({ named: [expect.any(String)], rest: expect.stringMatching(/^\s*$/) });
    expect(readAsking('decisions we made about relay ratings').rest).toMatch(/^\s*about relay ratings$/);
  });

  it('hears no task in the left side, nor in what somebody asks to be done', () => {
    for (const query of ['is there anything left of the fold', 'the left column', 'how is the retry done'])
      expect(readAsking(query).intents).toEqual([]);
  });

  it('leaves small words out, and no things that look like them', () => {
    expect(isQuestionWord('find')).toBe(true);
    expect(isQuestionWord('find', 'finding')).toBe(true);
    expect(isQuestionWord('find', 'Findings')).toBe(false);
  });

  it('knows who is meant to have said it', () => {
    expect(readAsking('how many cards did I mention').speaker).toBe('user');
    expect(readAsking('what did you recommend for my essay').speaker).toBe('assistant');
    expect(readAsking('can you list what I said').speaker).toBe('user');
    expect(readAsking('retry policy of the queue').speaker).toBeUndefined();
  });

  it('tells questions about how things stand from those about how they came about', () => {
    expect(readAsking('how many commits are merged').state).toBe(true);
    expect(readAsking('in what order did we try things, first to last').state).toBe(false);
  });

  it('hears standing wishes', () => {
    expect(isStanding('Always use tabs')).toBe(true);
    expect(isStanding('The tabs are fine')).toBe(false);
  });
});
