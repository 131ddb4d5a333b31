// Which of the things that are left to do a prompt names.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleIdea } from '../../test/fixtures/sample-idea.ts';
import { namedTodo, nameOfTodo } from './named-todo.ts';
import { isTelling } from './ordinary-words.ts';
import { promptParts } from './prompt-parts.ts';

const NONE: ReadonlySet<string> = new Set();
const tells = (word: string): boolean => isTelling(word, NONE);
const todo = (ref: string, text: string) => sampleIdea('/p', ref, text, { kind: 'todo', status: 'open' });
const LIST = [
  todo('idea:1', 'Pending Todos (3): | 2 | Add bring-your-own mooring buoy support | harbour | 7d |'),
  todo('idea:2', 'Read-write sharing of berth plans (.planning/todos/pending/2026-02-21-berth-sharing.md)'),
  todo('idea:3', 'Paint the ladder on the north pier'),
];
const named = (prompt: string) => namedTodo(LIST, promptParts(prompt, NONE), tells)?.ref;

describe('a prompt', () => {
  it.each([
    ['bring your own mooring buoy', 'idea:1'],
    ['ok, add read-write sharing to the berth plans', 'idea:2'],
    ['can you paint the ladder at the pier?', 'idea:3'],
  ])('names what is left to do: %s', (prompt, ref) => {
    expect(named(prompt)).toBe(ref);
  });

  it.each([
    'the buoy is red', // one word of it
    'commit this',
    'why does the crane jam in frost?',
    'the mooring crane lifted a yellow buoy out of deep water near the lighthouse while storms blew over the island', // beside the matter
    `Implement the following plan:\n\n# Paint the ladder on the north pier`, // says itself what it is
  ])('names nothing: %s', (prompt) => {
    expect(named(prompt)).toBeUndefined();
  });

  it('names, of two that it says whole, the one that comes first', () => {
    const wide = todo('idea:4', 'Paint the ladder and the railing on the north pier');
    const parts = promptParts('paint the ladder and the railing on the north pier', NONE);
    expect(namedTodo([LIST[2]!, wide], parts, tells)?.ref).toBe('idea:3');
    expect(namedTodo([wide], parts, tells)?.ref).toBe('idea:4');
  });
});

it('a todo is called by its own words, whatever list or file it stands in', () => {
  expect(nameOfTodo(LIST[0]!.text)).toBe('Add bring-your-own mooring buoy support');
  expect(nameOfTodo(LIST[1]!.text).trim()).toBe('Read-write sharing of berth plans');
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(text.trim() === '' || nameOfTodo(text).length <= text.length).toBe(true);
    }),
  );
});
