// The rules that hold whatever the model says: foreign text is never labelled, a label that is too unsure is none, junk is kept for search.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyWords } from '../../../test/fixtures/conversation.ts';
import { speechOf } from '../../../test/fixtures/speech.ts';
import { topicWords } from '../topic-words.ts';
import { Features, PLACES, type Speech } from './features.ts';
import { judgeSpeech, plainly } from './judge-speech.ts';
import { verdictOn } from './model.ts';

/** What is many and seldom missed has to be surer than what is rare. */
const COST = {
  decision: 0.6,
  conclusion: 1.6,
  question: 0.4,
  problem: 0.4,
  solution: 1,
  todo: 2.3,
  context: 0.4,
  none: 0,
};
/** … and what is said between two calls surer than an answer. */
const COST_AT = { prompt: 1, between: 1.8, final: 0.7 };
const CAUSE = 'The root cause was a missing index on the join column.';
const at = (place: Speech['place']) => ({ place, isPlan: false });
const judged = (text: string, more: Partial<Speech> = {}) => judgeSpeech(speechOf(text, more));

describe('what is judged', () => {
  it('has a verdict for each statement, in order', () => {
    const found = judged(`${CAUSE} Let me look at it.\n\n- one item`);
    expect(found.map(({ statement }) => statement.start)).toEqual([0, CAUSE.length + 1, CAUSE.length + 23]);
  });

  it('gets its label, how likely that is right and what it is worth, where it is somebody’s own', () => {
    expect(judged(CAUSE)).toMatchObject([
      { intent: 'conclusion', stance: 'confirmed', searchOnly: false, slight: false },
    ]);
  });

  it.each([
    ['a quotation', `> ${CAUSE}`],
    ['a fence', `\`\`\`\n${CAUSE}\n\`\`\``],
    ['a report', `The documentation says that ${CAUSE}`],
  ])('is never labelled in %s, and is worth nothing', (_how, text) => {
    expect(judged(text)).toMatchObject([
      { intent: 'context', stance: 'stated', confidence: 0.3, worth: 0, searchOnly: true },
    ]);
  });

  it('obeys the model, and the model only so far', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(anyWords, fc.constantFrom(...PLACES), (text, place) => {
        const speech = speechOf(text, { place });
        const features = new Features(speech);
        judgeSpeech(speech).forEach((each, at) => {
          const { start, end } = each.statement;
          const verdict = plainly(verdictOn(features, at), speech.text.slice(start, end), speech);
          const isOwn = each.statement.provenance === 'said' && each.statement.kind !== 'code';
          const lead = verdict.confidence - verdict.none;
          const isTelling =
            isOwn && verdict.label !== 'none' && lead >= COST[verdict.label] * COST_AT[place] * (verdict.junk - 0.15);
          expect(each.searchOnly).toBe(!isTelling);
          if (isTelling) expect(each.slight).toBe(false);
          if (!isTelling) expect(each).toMatchObject({ intent: 'context', stance: 'stated', confidence: 0.3 });
          else if (verdict.confidence < 0.31) expect(each).toMatchObject({ intent: 'context', confidence: 0.31 });
          else expect(each.intent).toBe(verdict.label);
          expect(each.confidence).toBeGreaterThanOrEqual(isTelling ? 0.31 : 0.3);
          expect(each.worth).toBeCloseTo(isOwn ? verdict.worth : 0, 1);
          seen.add(!isTelling ? 'search' : verdict.confidence < 0.31 ? 'unsure' : 'labelled');
        });
      }),
      { numRuns: 300 },
    );
    expect([...seen].sort()).toEqual(['labelled', 'search', 'unsure']);
  });
});

describe('what is plainly said', () => {
  const verdict = { label: 'conclusion', confidence: 0.5, worth: 0.2, junk: 0.9, none: 0.4, shares: [] } as const;

  it('is a decision where somebody says that it was decided, and a question where somebody asks', () => {
    expect(plainly(verdict, 'We decided to keep the ledger in Postgres.', at('final'))).toMatchObject({
      label: 'decision',
      junk: 0,
      none: 0,
    });
    expect(plainly(verdict, 'The page says "we decided to keep it".', at('final')).label).toBe('conclusion');
    expect(plainly({ ...verdict, label: 'decision' }, 'Which database should we take?', at('prompt')).label).toBe(
      'question',
    );
  });

  it.each([
    ['prompt', 'Always run the formatter before you commit.', 'decision'],
    ['prompt', "I'd rather have small pull requests than one big one.", 'decision'],
    ['final', 'Always run the formatter before you commit.', 'conclusion'],
    ['prompt', 'Never mind, the formatter works on all branches.', 'conclusion'],
    ['prompt', 'never push', 'conclusion'],
  ] as const)('is a decision where a user orders something for good: %s, %s', (place, text, label) => {
    expect(plainly(verdict, text, at(place)).label).toBe(label);
  });

  it('is no decision where somebody thinks aloud: what it is most likely besides', () => {
    const decision = {
      ...verdict,
      label: 'decision',
      confidence: 0.6,
      shares: [0.6, 0.1, 0, 0, 0, 0, 0.2, 0.1],
    } as const;
    expect(plainly(decision, 'I was thinking of one key for all folders.', at('prompt'))).toMatchObject({
      label: 'context',
      confidence: 0.2,
    });
    expect(plainly(decision, 'This could be a simple way to have one key for all folders.', at('prompt')).label).toBe(
      'context',
    );
    expect(
      plainly(decision, 'If we had one key for all folders, a share would be a copy of it.', at('prompt')).label,
    ).toBe('context');
    expect(plainly(decision, 'If we share a folder, its key has to be a new one.', at('prompt')).label).toBe(
      'decision',
    );
    expect(plainly(decision, 'Thank you, that will do for today.', at('prompt')).label).toBe('context');
    expect(plainly(decision, 'Thanks, one key for all folders of a share then.', at('prompt')).label).toBe('decision');
    expect(plainly(decision, 'One key for all folders, as we are thinking big.', at('prompt')).label).toBe('decision');
    expect(plainly(decision, 'We decided it when I was thinking of one key.', at('prompt')).label).toBe('decision');
  });

  it('is no decision where that is hardly likelier than all else together', () => {
    const decision = (confidence: number) =>
      ({ ...verdict, label: 'decision', confidence, shares: [confidence, 0.1, 0, 0, 0, 0.3, 0, 0] }) as const;
    expect(plainly(decision(0.54), 'One key for all folders.', at('prompt'))).toMatchObject({
      label: 'todo',
      confidence: 0.3,
    });
    expect(plainly(decision(0.55), 'One key for all folders.', at('prompt')).label).toBe('decision');
    expect(plainly(decision(0.4), 'We decided on one key for all folders.', at('prompt')).label).toBe('decision');
  });

  it.each([
    ['We should show the total below the table.', 'decision'],
    ['the badge needs to be green', 'decision'],
    ['I think the ledger moves to its own page.', 'decision'],
    ['probably makes sense to ship the importer first', 'decision'],
    ['better not to store the address in the browser', 'decision'],
    ['It should work now, the importer was restarted.', 'conclusion'],
    ['I think the importer is stuck on the second file.', 'conclusion'],
    ['we should be able to see the importer now', 'conclusion'],
    ['I was thinking we should move the ledger.', 'conclusion'],
    ['should we move the ledger? it must be slow', 'conclusion'],
    ['we should', 'conclusion'],
  ] as const)('is a decision where a user types how it shall be: %s', (text, label) => {
    expect(plainly(verdict, text, at('prompt'))).toMatchObject({ label, junk: verdict.junk, worth: verdict.worth });
    expect(plainly(verdict, text, { place: 'prompt', isPlan: true }).label).toBe('conclusion');
    expect(plainly(verdict, text, at('final')).label).toBe('conclusion');
  });

  it('is a change where an answer says that it is mended', () => {
    const text = 'Fixed by refusing more than ten files at once.';
    expect(plainly(verdict, text, at('final'))).toMatchObject({ label: 'solution', junk: 0, none: 0, confidence: 0.7 });
    expect(plainly(verdict, text, at('between')).label).toBe('conclusion');
    expect(plainly(verdict, 'Fixed.', at('final')).label).toBe('conclusion');
  });

  it.each([
    ['between', 'Got it — truncated keys only until the lookup exists.', 'decision'],
    ['final', 'Makes sense, the exporter goes into phase three behind the importer.', 'decision'],
    ['between', 'The user wants a separate migration instead of a new baseline.', 'decision'],
    ['between', 'The user interface wants a separate migration of its colours.', 'conclusion'],
    ['between', 'Got it — let me look at the exporter and the importer.', 'conclusion'],
    ['between', 'Understood.', 'conclusion'],
    ['between', 'Got it — sorry for the detour through the importer.', 'conclusion'],
    ['prompt', 'Got it — truncated keys only until the lookup exists.', 'conclusion'],
  ] as const)('is a decision where the agent says to what it agrees: %s, %s', (place, text, label) => {
    expect(plainly(verdict, text, at(place)).label).toBe(label);
  });
});

describe('what is slight', () => {
  const slightIn = (text: string, place: Speech['place']): boolean[] =>
    judged(text, { place })
      .filter(({ searchOnly }) => searchOnly)
      .map(({ slight }) => slight);

  it('are code, and words that only lead to what follows', () => {
    expect(judged('```ts\nexport const answer = computeTheAnswer(question, universe);\n```')).toMatchObject([
      { searchOnly: true, slight: true },
    ]);
    const [lead] = judged('Here are some things:\n\n- one item\n- two items');
    expect(lead).toMatchObject({ searchOnly: true, slight: true, statement: { leads: true } });
  });

  it('are few telling words: more are wanted of what an agent says at work than of its answer or a prompt', () => {
    expect(slightIn('ok', 'prompt')).toEqual([true]);
    expect(slightIn('> gateway', 'prompt')).toEqual([false]);
    expect(slightIn('> gateway importer', 'final')).toEqual([true]);
    expect(slightIn('> gateway importer orders', 'final')).toEqual([false]);
    expect(slightIn('> gateway importer orders', 'between')).toEqual([true]);
    expect(slightIn('> gateway importer orders batches', 'between')).toEqual([false]);
    expect(slightIn('> gateway gateway gateway gateway', 'between')).toEqual([true]);
    expect(topicWords('gateway importer orders batches')).toHaveLength(4);
  });
});
