// Recall with one part left out: what that part gains. The names are those of docs/RANKING.md.

/** name → { weights?, expand?, vectors? } */
export function ablationsOf(weights) {
  const without = (changes) => {
    const changed = { ...weights };
    for (const [section, values] of Object.entries(changes))
      changed[section] = typeof values === 'object' ? { ...weights[section], ...values } : values;
    return { weights: changed };
  };
  return {
    nothing: {},
    vectors: { vectors: false },
    'low saturation and length (k1 1.2, b .75 instead of .9, .4)': without({ words: { k1: 1.2, b: 0.75 } }),
    'what was said before': without({ words: { context: 0 }, choose: { context: 0 } }),
    'who said it': without({ speaker: { same: 1 } }),
    'who speaks by name': without({ speaker: { named: 0 } }),
    'the exchange around a statement': without({ exchange: { points: 0 } }),
    'words of every day told apart': without({ everyday: 1 }),
    'the tokens of a statement': without({ tokens: { points: 0 } }),
    'a stand-in where a vector is missing': without({ points: { noVector: 0 } }),
    'standing wishes': without({ standing: 1 }),
    'good lines of the same conversation': without({ conversation: { share: 0 } }),
    'what the conversation has in all': without({ conversation: { coverage: 0 } }),
    'learned words': without({ learn: { words: 0 } }),
    names: without({ pool: { entity: 0 }, points: { entity: 0 } }),
    'newer first': without({ current: { look: 0 } }),
    folding: without({ fold: { similarity: 2 } }),
    'all of expansion': { expand: false },
  };
}

/** Every so many questions, so that a run ends: differences below .01 say nothing anyway. */
export const EVERY = { 'context-evaluator': 3, 'locomo-dev': 4 };
