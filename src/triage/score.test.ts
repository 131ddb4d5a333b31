import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../transcripts/tail.ts';
import { conversationOf } from './conversation.ts';
import { activityOf, scoreActivity, scoreText, weightsOf } from './score.ts';
import { compileVocabulary } from './vocabulary/compile-vocabulary.ts';

const said = (...lines: string[]): Message[] => lines.map((text) => ({ role: 'user', text, tools: [] }));
function score(category: string, ...lines: string[]) {
  const conversation = conversationOf(said(...lines));
  return scoreText(conversation, compileVocabulary(conversation.text).get(category)!, weightsOf(category));
}
const rounded = (category: string, ...lines: string[]) => Number(score(category, ...lines).score.toFixed(4));

describe('scoreText', () => {
  it('weighs each category in its own way', () => {
    expect(rounded('decision', 'we decided')).toBe(0.1579);
    expect(rounded('decision', 'we decided because')).toBe(0.2632);
    expect(rounded('runbook', 'an error')).toBe(0.1111);
    expect(rounded('runbook', 'an error, resolved')).toBe(0.3333);
    expect(rounded('constraint', 'it cannot')).toBe(0.1579);
    expect(rounded('tech_debt', 'a hack for now')).toBe(0.2632);
    expect(rounded('preference', 'we prefer tabs')).toBe(0.1707);
    expect(rounded('preference', 'we prefer tabs, agreed')).toBe(0.2439);
  });

  it('counts one primary word per line, at most three plain lines and two boosted ones', () => {
    expect(rounded('decision', 'decided chose picked')).toBe(0.1579);
    expect(rounded('decision', 'decided', 'chose', 'picked')).toBe(0.4737);
    expect(rounded('decision', 'decided', 'chose', 'picked', 'selected', 'went with it')).toBe(0.4737);
    const boosted = (count: number) => Array.from({ length: count }, () => 'decided because');
    expect(rounded('decision', ...boosted(2))).toBe(0.5263);
    expect(rounded('decision', ...boosted(3))).toBe(0.6842); // the third counts as a plain one
    expect(rounded('decision', ...boosted(5))).toBe(1);
    expect(rounded('decision', ...boosted(9))).toBe(1);
  });

  it('looks for boosters four lines before and after', () => {
    const filler = (count: number) => Array.from({ length: count }, () => 'nothing here');
    expect(rounded('decision', 'decided', ...filler(3), 'because')).toBe(0.2632);
    expect(rounded('decision', 'decided', ...filler(4), 'because')).toBe(0.1579);
    expect(rounded('decision', 'because', ...filler(3), 'decided')).toBe(0.2632);
    expect(rounded('decision', 'because', ...filler(4), 'decided')).toBe(0.1579);
  });

  it('names every line with a primary word and those that counted', () => {
    const found = score('decision', 'x', 'decided', 'y', 'chose', 'picked', 'selected');
    expect(found.matches).toEqual([1, 3, 4, 5]);
    expect(found.counted).toEqual([1, 3, 4]);
  });

  it('leaves a line that English understands to English', () => {
    // "Standard" is German too, and its booster stands in German: the line stays a plain one.
    expect(rounded('preference', 'Das ist bei uns Standard und die Regel.')).toBe(0.1707);
  });

  it('stays between 0 and 1, and grows with the lines that speak for it', () => {
    const line = fc.constantFrom('decided', 'decided because', 'because', 'nothing', '', 'entschieden, weil', '决定');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const { score: value, matches, counted } = score('decision', ...lines);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(value > 0).toBe(matches.length > 0);
        expect(counted.every((number) => matches.includes(number))).toBe(true);
        expect(score('decision', ...lines, '', '', '', '', '', 'decided').score).toBeGreaterThanOrEqual(value);
      }),
      { numRuns: 300 },
    );
  });
});

describe('scoreActivity', () => {
  it('adds up tool calls, different tools and messages', () => {
    expect(scoreActivity({ toolUses: 6, distinctTools: 2, exchanges: 5 })).toBeGreaterThanOrEqual(0.6);
    expect(scoreActivity({ toolUses: 5, distinctTools: 2, exchanges: 7 })).toBeLessThan(0.6);
    expect(scoreActivity({ toolUses: 0, distinctTools: 0, exchanges: 30 })).toBe(0.6);
    expect(scoreActivity({ toolUses: 500, distinctTools: 9, exchanges: 9 })).toBe(1);
  });

  it('counts a tool without a name as a call, not as another tool', () => {
    const messages: Message[] = [
      { role: 'user', text: '', tools: [] },
      { role: 'assistant', text: '', tools: ['Read', '', 'Read', 'Edit'] },
      { role: 'other', text: '', tools: [''] },
    ];
    expect(activityOf(messages)).toEqual({ toolUses: 5, distinctTools: 2, exchanges: 2 });
  });
});
