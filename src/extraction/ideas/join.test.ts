// Which statements become one idea, and which stay apart.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyWords } from '../../../test/fixtures/conversation.ts';
import { speechOf } from '../../../test/fixtures/speech.ts';
import type { Intent } from '../../model/trace.ts';
import { type Judged, judgeSpeech } from '../labels/judge-speech.ts';
import { statementsOf } from '../statements/statements-of.ts';
import { join } from './join.ts';

type Verdict = Partial<Omit<Judged, 'statement'>>;
const FOUND: Verdict = { intent: 'conclusion' };
const SEARCH: Verdict = { intent: 'context', searchOnly: true, confidence: 0.3 };
const SLIGHT: Verdict = { ...SEARCH, slight: true };

/** The statements of a text, each with the verdict of the same place. */
function joined(text: string, verdicts: readonly Verdict[]) {
  const { statements } = statementsOf(text, 'assistant');
  const judged = statements.map(
    (statement, at): Judged => ({
      statement,
      intent: 'context',
      stance: 'stated',
      confidence: 0.6,
      worth: 0.5,
      searchOnly: false,
      slight: false,
      ...(verdicts[at] ?? {}),
    }),
  );
  return join(text, judged).map((each) => ({ ...each, text: text.slice(each.start, each.end) }));
}
const texts = (text: string, verdicts: readonly Verdict[]): string[] => joined(text, verdicts).map((each) => each.text);

describe('sentences of one paragraph', () => {
  const text = 'The export of invoices is empty. It has been like that since May.';

  it('are one idea where they have one label', () => {
    expect(texts(text, [FOUND, FOUND])).toEqual([text]);
  });

  it('are two where they have two, or only one is more than search', () => {
    expect(texts(text, [FOUND, { intent: 'problem' }])).toHaveLength(2);
    expect(texts(text, [FOUND, SEARCH])).toHaveLength(2);
    expect(texts(text, [SEARCH, FOUND])).toHaveLength(2);
  });

  it('stay together as long as one reads them at a glance', () => {
    const sentence = (length: number): string => `${'a'.repeat(length - 1)}.`;
    expect(texts(`${sentence(150)} ${sentence(149)}`, [FOUND, FOUND])).toHaveLength(1);
    expect(texts(`${sentence(150)} ${sentence(150)}`, [FOUND, FOUND])).toHaveLength(2);
  });

  it('are one idea where one of them is a fragment, up to the length of a statement', () => {
    const problem: Verdict = { intent: 'problem' };
    expect(texts('Not again, really. The second query never returns.', [FOUND, problem])).toHaveLength(1);
    expect(texts('The second query never returns. Not again, really.', [FOUND, problem])).toHaveLength(1);
    expect(texts('Not again, really!!! The second query never returns.', [FOUND, problem])).toHaveLength(2);
    expect(texts('これは本当に問題です。ビルドがまた失敗しました。', [FOUND, problem])).toHaveLength(2);
    expect(texts('問題です。ビルドがまた失敗しました。', [FOUND, problem])).toHaveLength(1);
    expect(texts(`${'a'.repeat(510)}. Not again.`, [FOUND, problem])).toHaveLength(2);
  });
});

describe('what stands in several blocks', () => {
  it('is apart where it is labelled', () => {
    expect(texts('The export is empty.\n\nThe import is slow.', [FOUND, FOUND])).toHaveLength(2);
    expect(texts('- The export is empty\n- The import is slow', [FOUND, FOUND])).toHaveLength(2);
  });

  it('is kept in pieces of some length where it is for search', () => {
    const item = `- ${'word '.repeat(20).trim()}`; // 101 characters with its break
    expect(texts([item, item, item].join('\n'), [SEARCH, SEARCH, SEARCH])).toHaveLength(1);
    expect(texts([item, item, item, item].join('\n'), [SEARCH, SEARCH, SEARCH, SEARCH])).toHaveLength(2);
  });

  it('is never joined over a heading, a rule, code or somebody else’s words', () => {
    for (const text of [
      'The export is empty.\n\n# The rest\n\nThe import is slow.',
      'The export is empty.\n\n---\n\nThe import is slow.',
      'The export is empty.\n\n```\nconst answer = computeTheAnswer(question);\n```\n\nThe import is slow.',
      'The export is empty.\n\n> The import is slow.',
    ])
      for (const found of texts(
        text,
        Array.from({ length: 4 }, () => SEARCH),
      ))
        expect(found.includes('export') && found.includes('import')).toBe(false);
  });

  it('is not joined with what leads to it: that is put before it anyway', () => {
    expect(texts('Two things are open:\n\n- The export\n- The import', [SEARCH, SEARCH, SEARCH])).toEqual([
      'Two things are open:',
      'The export\n- The import',
    ]);
  });
});

describe('what is slight', () => {
  it('is left out alone, and kept with a neighbour', () => {
    expect(texts('Not again.', [SLIGHT])).toEqual([]);
    expect(texts('Not again.\n\nThe second query never returns.', [SLIGHT, SEARCH])).toHaveLength(1);
    expect(texts('The second query never returns.\n\nNot again.', [SEARCH, SLIGHT])).toHaveLength(1);
    expect(texts('Not again.\n\nOh no.', [SLIGHT, SLIGHT])).toEqual([]);
  });
});

describe('an idea of several statements', () => {
  it('has the label of the part that says most of it, the place of the first and the worth of the best', () => {
    const text = 'Not again. The second query of the report never returns.';
    const one: Verdict = { intent: 'problem' as Intent, confidence: 0.9, worth: 0.2, stance: 'stated' };
    const other: Verdict = { intent: 'conclusion', confidence: 0.6, worth: 0.7, stance: 'confirmed' };
    expect(joined(text, [one, other])).toMatchObject([
      {
        intent: 'conclusion',
        stance: 'confirmed',
        confidence: 0.6,
        worth: 0.7,
        statement: { start: 0 },
        start: 0,
        end: text.length,
      },
    ]);
    expect(
      joined(text, [
        { ...one, worth: 0.8 },
        { ...other, confidence: 0.1 },
      ]),
    ).toMatchObject([{ intent: 'problem', worth: 0.8 }]);
  });

  it('is one piece of its turn: ideas follow each other, and none reaches into another', () => {
    fc.assert(
      fc.property(anyWords, (text) => {
        const speech = speechOf(text);
        let last = 0;
        for (const { start, end } of join(text, judgeSpeech(speech))) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          last = end;
        }
      }),
    );
  });
});
