// An idea with what is known of it only while its exchange is read.

import type { Place } from '../labels/features.ts';
import type { EventIdea } from './ideas-of-event.ts';

/**
 * `place`: where in its exchange it was said; missing for what an event says. `isGoAhead`: a short answer
 * with the question that it answers. `isRetold`: from the summary of a conversation that was compacted, which says again what was said before,
 * or the headings of a turn, which stand before its statements too.
 */
export type ExchangeIdea = EventIdea & {
  readonly place?: Place;
  readonly isGoAhead?: true;
  readonly isRetold?: true;
  /** What else its paragraph says. */
  readonly beside?: string;
};
