// What exchanges and topics are called: by what somebody who was not there understands.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyWords } from '../../../test/fixtures/conversation.ts';
import { betterName, type NameSources, nameOf, shorten } from './name.ts';

const name = (prompt: string, more: Partial<NameSources> = {}) =>
  nameOf({ prompt, commits: [], pullRequests: [], outcome: undefined, words: '', ...more });

describe('a name', () => {
  it.each([
    ['Implement the following plan:\n\n# Plan: Detect references\n\ntext', 'Detect references'],
    ['# Implementation plan: Orders in batches', 'Orders in batches'],
    ['### Plan for the new importer of orders', 'The new importer of orders'],
  ])('is that of the plan or document that was handed over: %j', (prompt, expected) => {
    expect(name(prompt, { commits: ['Something else'] })).toEqual({ text: expected, by: 'document' });
  });

  it('is no heading that stands in every document', () => {
    expect(name('# Context\n\nThe importer of orders crashes at night').text).toBe(
      'The importer of orders crashes at night',
    );
    expect(name('## Overview\n\nThe importer of orders crashes at night').text).toBe(
      'The importer of orders crashes at night',
    );
  });

  it.each([
    ['Can you please add token login to the gateway? It must be fast.', 'Add token login to the gateway?'],
    ['hello, thanks! Could you rename the importer of orders?', 'Rename the importer of orders?'],
    ["I think we should also update the gateway's login page", "Update the gateway's login page"],
    ['ok. The importer of orders crashes at night', 'The importer of orders crashes at night'],
    ["I'm trying to split the importer of orders", 'Split the importer of orders'],
  ])('is the first sentence that says something, without courtesies: %j', (prompt, expected) => {
    expect(name(prompt)).toEqual({ text: expected, by: 'asked' });
  });

  it.each([
    ['I think we should also update @docs/guides/auth/login.md now', 'Update login.md now'],
    ['See https://github.com/a/b/issues/123#c1 about the parser of dates', 'See issue #123 about the parser of dates'],
    ['Review https://github.com/a/b/pull/77/files now: the parser of dates', 'Review PR #77 now: the parser of dates'],
    [
      'See https://www.example.org/path/to?x=1 for the layout of the page',
      'See example.org for the layout of the page',
    ],
    ['rename user_id and _private_ of __init__ to snake_case', 'Rename user_id and private of __init__ to snake_case'],
    ['── **the** `parser` drops dates ─────────', '── the parser drops dates'],
    ['The parser of dates fails [11:35:44.030] GET /api', 'The parser of dates fails'],
  ])('has no marks, addresses or long paths: %j', (prompt, expected) => {
    expect(name(prompt).text).toBe(expected);
  });

  it('is never a line of output', () => {
    for (const output of [
      'Error: cannot find module foo bar baz',
      '$ npm run build the whole project',
      'at Object.parse (src/parser/dates/all.js:1:2)',
      '2026-01-01 12:00:00 gateway importer started',
      '[11:35:44] gateway importer started',
      'Traceback of the importer: most recent call',
    ])
      expect(name(`${output}\nThe importer of orders crashes at night`).text).toBe(
        'The importer of orders crashes at night',
      );
  });

  it('leaves out what was quoted', () => {
    expect(name('Fix "the login page that crashes on Safari" in the gateway importer').text).toBe(
      'Fix “…” in the gateway importer',
    );
  });

  it.each([
    'Some very good points about the parser of dates',
    'The parser of dates is red again',
    'Reviewers have come back with a parser of dates',
    'The parser of dates should know leap years',
  ])('is that of what was made where the prompt tells how things stand, if anything was: %j', (prompt) => {
    expect(name(prompt, { commits: ['fix: count leap years'] })).toEqual({ text: 'Count leap years', by: 'made' });
    expect(name(prompt)).toEqual({ text: prompt, by: 'spoken' });
  });

  it.each(['fix it', 'This parser of dates is wrong', '2', 'The same parser of dates', 'continue'])(
    'is that of what was made where the prompt says too little to a stranger: %j',
    (prompt) => {
      const commits = ['Before', 'fix(auth)!: rotate tokens on logout'];
      expect(name(prompt, { commits })).toEqual({ text: 'Rotate tokens on logout', by: 'made' });
      expect(name(prompt, { commits, pullRequests: ['feat: Rotate all tokens'] }).text).toBe('Rotate all tokens');
    },
  );

  it('stays what was asked where that says enough', () => {
    expect(name('Add token login to the gateway', { commits: ['Rotate tokens'] }).text).toBe(
      'Add token login to the gateway',
    );
  });

  it.each([
    [
      'is there an easy fix for the release that does not start the build?',
      'Easy fix for the release that does not start the build?',
    ],
    ['what are your thoughts on rotating tokens of the gateway?', 'Rotating tokens of the gateway?'],
    ['while we wait for the build, can you rename the importer of orders?', 'Rename the importer of orders?'],
    [
      'one thing that jumps out at me, how does the importer treat empty orders?',
      'How does the importer treat empty orders?',
    ],
    ['looks like the importer of orders drops dates', 'The importer of orders drops dates'],
  ])('begins where the matter does: %j', (prompt, expected) => {
    expect(name(prompt).text).toBe(expected);
  });

  it('is what was made where somebody only spoke of it, and what was said where nothing was made', () => {
    const spoken = 'I wonder whether the importer of orders drops our dates';
    expect(name(spoken)).toMatchObject({ by: 'spoken' });
    const commits = ['feat(import): keep the dates of orders', 'docs: note the dates of orders', 'chore: bump'];
    expect(name(spoken, { commits })).toEqual({ text: 'Keep the dates of orders', by: 'made' });
    expect(name(spoken, { commits: commits.slice(1, 2) }).text).toBe('Note the dates of orders');
    for (const little of ['chore: bump', 'wip']) expect(name(spoken, { commits: [little] }).text).toBe(spoken);
  });

  it('ends where a clause does, behind what it depends on', () => {
    expect(
      name('Update the parser of dates in the importer, and tell everybody in the team that the old one is gone').text,
    ).toBe('Update the parser of dates in the importer');
    expect(
      name('When the token has expired and somebody loads the page, the importer of orders stays at the first step')
        .text,
    ).toBe('The importer of orders stays at the first step');
  });

  it('of a topic gives way to a document or to what was made, where it was only spoken', () => {
    const [spoken, made, asked] = (['spoken', 'made', 'asked'] as const).map((by) => ({ text: by, by }));
    const words = { text: 'words', by: 'words' } as const;
    expect(betterName(undefined, words)).toBe(words);
    expect(betterName(words, spoken!)).toBe(spoken);
    expect(betterName(spoken, made!)).toBe(made);
    expect(betterName(spoken, asked!)).toBe(spoken);
    expect(betterName(spoken, asked!, made)).toBe(made);
    expect(betterName(asked, words, made)).toBe(asked);
    expect(betterName(asked, made!)).toBe(asked);
    expect(betterName(spoken, words)).toBe(spoken);
  });

  it('is helped by the words of the topic, or is the outcome, where the prompt tells little', () => {
    const words = 'gateway, token';
    expect(name('This should be hidden', { words })).toEqual({
      text: 'This should be hidden: gateway, token',
      by: 'words',
    });
    expect(name('ok', { words }).text).toBe('Gateway, token');
    expect(name('', { words }).text).toBe('Gateway, token');
    const outcome = 'The importer reads the orders in batches now. And more.';
    expect(name('continue', { outcome })).toEqual({
      text: 'The importer reads the orders in batches now',
      by: 'words',
    });
    expect(name('continue', { outcome: 'Done.' }).text).toBe('Continue');
    expect(name('')).toEqual({ text: 'Conversation', by: 'words' });
  });

  it('is one line of some words, whatever was said', () => {
    fc.assert(
      fc.property(anyWords, anyWords, fc.array(anyWords, { maxLength: 2 }), (prompt, outcome, commits) => {
        for (const found of [name(prompt), name(prompt, { outcome, words: 'a' }), name('', { commits })]) {
          expect(found.text.trim()).not.toBe('');
          expect([...found.text].length).toBeLessThanOrEqual(72);
        }
      }),
    );
  });
});

describe('shorten', () => {
  it('cuts at a blank where one is near the end, and never a character in two', () => {
    expect(shorten('one two', 7)).toBe('one two');
    expect(shorten('one two three', 9)).toBe('one two…');
    expect(shorten('abcdefghij', 5)).toBe('abcd…');
    expect(shorten('a bcdefghij', 8)).toBe('a bcdef…');
    expect(shorten('😀😀😀', 2)).toBe('😀…');
  });
});
