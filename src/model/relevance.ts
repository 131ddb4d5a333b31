// From where on a result is plainly about what was asked. Recall decides by it where to look further, and every face says by it that nothing
// was found: what is measured is what people read.

/** Calibrated: docs/RANKING.md. */
export const RELEVANCE_THRESHOLD = 0.5;

export const isRelevantEnough = (found: { readonly relevance: number }): boolean =>
  found.relevance >= RELEVANCE_THRESHOLD;
