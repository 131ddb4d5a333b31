// The linear model: what it says is what its weights say, the same every time, and explained by features that really have weight.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyWords } from '../../../test/fixtures/conversation.ts';
import { speechOf } from '../../../test/fixtures/speech.ts';
import { Features, featureName, PLACES, type Speech } from './features.ts';
import { GRADES, LABELS, reasonsFor, type Verdict, verdictOn } from './model.ts';
import { WEIGHTS } from './weights.ts';

const anySpeech = fc
  .tuple(anyWords, fc.constantFrom(...PLACES), fc.boolean())
  .map(([text, place, wrote]) => speechOf(text, { place, wrote }));
const verdicts = (speech: Speech): Verdict[] => {
  const features = new Features(speech);
  return speech.statements.map((_, at) => verdictOn(features, at));
};

/** The weights, read in the plainest way: by key, one after the other. */
const count = Buffer.from(WEIGHTS.data, 'base64').length / (4 + LABELS.length + GRADES.length);
const bytes = Buffer.from(WEIGHTS.data, 'base64');
const weightsByKey = new Map(
  Array.from({ length: count }, (_, at) => [
    bytes.readUInt32LE(4 * at),
    {
      labels: LABELS.map((_label, label) => bytes.readInt8(4 * count + LABELS.length * at + label)),
      grades: GRADES.map((_grade, grade) => bytes.readInt8((4 + LABELS.length) * count + GRADES.length * at + grade)),
    },
  ]),
);

function plainShares(features: Features, at: number): { labels: number[]; grades: number[] } {
  const labels: number[] = [...WEIGHTS.labelBias];
  const grades: number[] = [...WEIGHTS.gradeBias];
  features.of(at, (key, value) => {
    const row = weightsByKey.get(key);
    row?.labels.forEach((weight, label) => {
      labels[label] = (labels[label] ?? 0) + value * WEIGHTS.labelScale * weight;
    });
    row?.grades.forEach((weight, grade) => {
      grades[grade] = (grades[grade] ?? 0) + value * WEIGHTS.gradeScale * weight;
    });
  });
  const shares = (sums: readonly number[], heat: number): number[] => {
    const powers = sums.map((sum) => Math.exp(sum / heat));
    const whole = powers.reduce((sum, each) => sum + each, 0);
    return powers.map((each) => each / whole);
  };
  return { labels: shares(labels, WEIGHTS.labelHeat), grades: shares(grades, WEIGHTS.gradeHeat) };
}

describe('the weights', () => {
  it('are whole: a row for each key, and every key once', () => {
    expect(Number.isInteger(count)).toBe(true);
    expect(count).toBeGreaterThan(1_000);
    expect(weightsByKey.size).toBe(count);
    expect([WEIGHTS.labelBias, WEIGHTS.lean, WEIGHTS.gradeBias].map(({ length }) => length)).toEqual([8, 8, 3]);
  });
});

describe('a verdict', () => {
  it('is what the weights of the features add up to', () => {
    fc.assert(
      fc.property(anySpeech, (speech) => {
        const features = new Features(speech);
        verdicts(speech).forEach((verdict, at) => {
          const { labels, grades } = plainShares(features, at);
          for (const [label, share] of verdict.shares.entries()) expect(share).toBeCloseTo(labels[label] ?? 0, 9);
          expect(verdict.junk).toBeCloseTo(grades[0] ?? 0, 9);
          expect(verdict.worth).toBeCloseTo((grades[2] ?? 0) + 0.3 * (grades[1] ?? 0), 9);
          const leaning = labels.map((share, label) => Math.log(share) + (WEIGHTS.lean[label] ?? 0));
          expect(verdict.none).toBe(verdict.shares[LABELS.indexOf('none')]);
          expect(verdict.label).toBe(LABELS[leaning.indexOf(Math.max(...leaning))]);
          expect(verdict.confidence).toBe(verdict.shares[LABELS.indexOf(verdict.label)]);
        });
      }),
    );
  });

  it('shares one whole among the labels, and is the same every time, whatever was judged before', () => {
    fc.assert(
      fc.property(anySpeech, anySpeech, (speech, other) => {
        const first = verdicts(speech);
        verdicts(other);
        expect(verdicts(speech)).toEqual(first);
        for (const { shares, worth, junk } of first) {
          expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
          for (const share of [...shares, worth, junk]) expect(share >= 0 && share <= 1).toBe(true);
        }
      }),
    );
  });

  it('hangs on the place: the same words are an order of the user and narration of the agent', () => {
    const text = 'Use Redis instead of the in-memory cache.';
    const [order] = verdicts(speechOf(text, { place: 'prompt' }));
    const [narration] = verdicts(speechOf(text, { place: 'between', worksOn: true }));
    expect(order?.label).toBe('decision');
    expect(narration?.label).not.toBe('decision');
    expect(order?.worth).toBeGreaterThan(narration?.worth ?? 1);
  });

  /** As people and agents write while they work; the labels follow the definitions that the model was trained by. */
  const CLEAR: readonly (readonly [Speech['place'], string, string])[] = [
    ['prompt', 'decision', 'Use Redis instead of the in-memory cache.'],
    ['prompt', 'decision', 'Please always use pnpm instead of npm in this repository.'],
    ['prompt', 'decision', 'We should use Postgres for the sessions, not Redis.'],
    ['prompt', 'decision', "Let's keep the sessions in Postgres and drop Redis."],
    ['prompt', 'decision', 'We decided to keep the queue in Postgres, and that is final.'],
    ['prompt', 'decision', 'I want the login page to remember the last user.'],
    ['prompt', 'question', 'Why does the nightly import of the orders take so long since Monday?'],
    ['prompt', 'question', 'What is the difference between the two modes?'],
    ['prompt', 'question', 'How does the gateway know the tenant?'],
    ['prompt', 'problem', 'The "auth" module is broken since the last update of the server.'],
    ['prompt', 'problem', 'The export is broken and crashes with every empty table since the update.'],
    ['final', 'conclusion', 'The root cause was a missing index on the join column of the orders table.'],
    ['final', 'conclusion', 'The bug is that `resolveTenant` reads the subdomain before the header is parsed.'],
    ['final', 'conclusion', 'This means the cache is never cleared, because the timer is bound to the old instance.'],
    ['final', 'solution', 'Fixed the race in `flush()` by taking the lock before the buffer is read.'],
    ['final', 'solution', 'Added a retry to the upload in `src/upload.ts`.'],
    ['final', 'solution', 'Removed the unused `legacyLogin` handler and its route.'],
    ['final', 'question', 'Should the export include archived invoices as well?'],
    ['between', 'none', 'Let me look at the current implementation first.'],
    ['between', 'none', "Now I'll update the tests."],
    ['between', 'none', 'Good, all 412 tests pass.'],
    ['final', 'none', 'All 412 tests pass.'],
  ];

  it('is right for four of five statements that are clear', () => {
    const wrong = CLEAR.filter(([place, label, text]) => {
      const wrote = label === 'solution';
      return verdicts(speechOf(text, { place, wrote, wroteBefore: wrote }))[0]?.label !== label;
    });
    expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(CLEAR.length / 5);
  });

  it('says of narration that it is worth less than of what was found out', () => {
    const worth = (place: Speech['place'], text: string): number => verdicts(speechOf(text, { place }))[0]?.worth ?? 0;
    const found = worth('final', 'The root cause was a missing index on the join column.');
    expect(found).toBeGreaterThan(2 * worth('between', 'Let me look at the current implementation first.'));
  });
});

describe('the reasons for a label', () => {
  it('are features of the statement that have weight for it, the strongest first', () => {
    fc.assert(
      fc.property(anySpeech, fc.constantFrom(...LABELS), (speech, label) => {
        const features = new Features(speech);
        speech.statements.forEach((_, at) => {
          const weights = new Map<string, number>();
          features.of(at, (key, value, group, name) => {
            const row = weightsByKey.get(key);
            if (row)
              weights.set(
                featureName(group, name),
                value * WEIGHTS.labelScale * (row.labels[LABELS.indexOf(label)] ?? 0),
              );
          });
          const reasons = reasonsFor(features, at, label);
          expect(reasons.length).toBeLessThanOrEqual(6);
          for (const { name, weight } of reasons) expect(weight).toBeCloseTo(weights.get(name) ?? Number.NaN, 1);
          const sizes = reasons.map(({ weight }) => Math.abs(weight));
          expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
        });
      }),
    );
  });

  it('name what everybody sees: the question mark of a question', () => {
    const features = new Features(speechOf('Which port is it?', { place: 'prompt' }));
    const names = reasonsFor(features, 0, 'question').map(({ name }) => name);
    expect(names.join()).toMatch(/asks|\?|question/);
    expect(reasonsFor(features, 0, 'question', 2)).toHaveLength(2);
  });
});
