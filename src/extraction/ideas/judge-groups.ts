// The names that cues are listed under, and what they weigh.

import { INTENTS } from '../../model/trace.ts';

/** By the digit behind the group: a hint, a sign, a clear word, a word that leaves no doubt. */
export const WEIGHTS = [1, 2.4, 4, 5.5];

export const TONES = [
  'hypothesis',
  'dead_end',
  'confirmed',
  'firm',
  'hedge',
  'narration',
  'chatter',
  'order',
  'advice',
  'fine',
  'repair',
] as const;
export type Tone = (typeof TONES)[number];
/** The names that cues are listed under: an intent with its digit, or a tone. */
export const GROUPS: readonly string[] = [
  ...INTENTS.flatMap((intent) => WEIGHTS.map((_, digit) => `${intent}${digit + 1}`)),
  ...TONES,
];
