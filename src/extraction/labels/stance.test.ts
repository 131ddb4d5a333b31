// How sure the speaker was, read from the words and only where it matters.
import { describe, expect, it } from 'vitest';
import { INTENTS } from '../../model/trace.ts';
import { stanceOf } from './stance.ts';

describe('the stance of a statement', () => {
  it.each([
    'Maybe it is the connection pool.',
    'I suspect the cache.',
    'It seems to be the cache.',
    'It could be the cache.',
    'My guess: the cache.',
  ])('is a guess where its words say so: %s', (text) => {
    for (const intent of ['conclusion', 'problem', 'solution'] as const)
      expect(stanceOf(text, intent)).toBe('hypothesis');
  });

  it.each(['Restarting the broker did not help.', 'It still fails.', 'A restart had no effect.', "That doesn't work."])(
    'is a dead end where it did not help: %s',
    (text) => {
      expect(stanceOf(text, 'conclusion')).toBe('dead_end');
      expect(stanceOf(text, 'problem')).toBe('dead_end');
      expect(stanceOf(text, 'solution')).toBe('stated');
    },
  );

  it.each(['The root cause was a missing index.', 'Verified with the tests.', 'It works now.', 'Reproduced it.'])(
    'is confirmed where somebody has seen it: %s',
    (text) => {
      expect(stanceOf(text, 'conclusion')).toBe('confirmed');
      expect(stanceOf(text, 'solution')).toBe('confirmed');
      expect(stanceOf(text, 'problem')).toBe('stated');
    },
  );

  it('is what did not help before it is a guess, and a guess before it is confirmed', () => {
    expect(stanceOf('Probably that did not help.', 'conclusion')).toBe('dead_end');
    expect(stanceOf('The root cause was probably the cache.', 'conclusion')).toBe('hypothesis');
  });

  it('is none for what is asked, wanted, decided or told', () => {
    for (const intent of INTENTS.filter((each) => !['conclusion', 'problem', 'solution'].includes(each)))
      for (const text of ['Maybe it is the cache.', 'It did not help.', 'It works now.'])
        expect(stanceOf(text, intent)).toBe('stated');
    expect(stanceOf('The importer reads the orders.', 'conclusion')).toBe('stated');
  });
});
