// Holds the classification at a level: a change of the cues that makes it worse shows here. `bench/quality/intents.mjs`
// prints the numbers in full.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { INTENTS, type Intent, type Turn } from '../../model/trace.ts';
import { ideasOf } from './ideas-of.ts';
import { judge } from './judge.ts';

type Sentence = { intent: Intent | 'none'; role: Turn['role']; text: string };
const SAMPLE = new URL('../../../bench/quality/labelled-sentences.json', import.meta.url);

function macroF1(isIn: (index: number) => boolean): number {
  const sentences = (JSON.parse(readFileSync(SAMPLE, 'utf8')) as Sentence[]).filter((_, index) => isIn(index));
  const judged = sentences.map(({ intent, role, text }) => {
    const ideas = ideasOf({ kind: 'turn', role, text, line: 1, time: undefined, message: undefined });
    return { intent, found: (ideas.find((idea) => idea.intent !== 'context') ?? ideas[0])?.intent };
  });
  const scores = INTENTS.map((intent) => {
    const right = judged.filter((row) => row.intent === intent && row.found === intent).length;
    const found = judged.filter((row) => row.found === intent).length;
    return (2 * right) / (found + judged.filter((row) => row.intent === intent).length);
  });
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

describe('judge', () => {
  it('reaches a macro-F1 of 0.75 on sentences that it was not tuned on', () => {
    expect(macroF1((index) => index % 4 === 1 || index % 4 === 2)).toBeGreaterThanOrEqual(0.75);
  });

  it.each([
    ['decision', 'We changed our mind: we now use PostgreSQL instead of Redis for the sessions.'],
    ['decision', 'I have changed my mind about the queue.'],
    ['solution', 'We changed the parser so that it reads the file in one go.'],
  ])('tells a change of mind from a change of code: %s', (intent, text) => {
    const [idea] = ideasOf({ kind: 'turn', role: 'user', text, line: 1, time: undefined, message: undefined });
    expect(idea?.intent).toBe(intent);
  });

  it('reads a calm remark as a problem if the agent sets out to put it right', () => {
    const [idea] = ideasOf({
      kind: 'turn',
      role: 'assistant',
      text: 'The generated header carries the date of last year. Let me correct it.',
      line: 1,
      time: undefined,
      message: undefined,
    });
    expect(idea?.intent).toBe('problem');
  });

  it('reads the same order as a task of a user and as narration of an agent', () => {
    const text = 'Now update the header to show the name of the tenant.';
    const span = { start: 0, end: text.length };
    const speech = { language: 'en', above: undefined, kind: 'prose' } as const;
    expect(judge(text, span, { ...speech, role: 'user' })).toMatchObject({ intent: 'todo', worth: 'kept' });
    expect(judge(text, span, { ...speech, role: 'assistant' }).worth).toBe('narrated');
  });
});
