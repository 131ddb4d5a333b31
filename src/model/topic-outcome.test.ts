import { describe, expect, it } from 'vitest';
import { topicOutcome } from './topic-outcome.ts';

describe('what came of a topic', () => {
  it('is its summary without the words for searching', () => {
    expect(topicOutcome('About: session, redis\nDecided: Keep sessions in Redis.')).toBe(
      'Decided: Keep sessions in Redis.',
    );
  });

  it('is all of it where it says nothing else, or was written by somebody else', () => {
    expect(topicOutcome('About: session, redis')).toBe('About: session, redis');
    expect(topicOutcome('A talk about sessions.\nAbout: time')).toBe('A talk about sessions.\nAbout: time');
    expect(topicOutcome('')).toBe('');
  });
});
