// Why something that was found for a prompt is not told, in one sentence. Asks the same questions as the choice itself, in its order; what
// passed all of them was left out for a better line.

import type { RecallResult } from '../recall/answer.ts';
import { TOLD_KINDS } from '../recall/telling.ts';
import { indexWords } from '../store/index-words.ts';
import { asSaid, type Found, isOver, isTellable, likelihood, worthIn } from './told-candidate.ts';
import { TOLD } from './told-table.ts';

const percent = (share: number): string => `${Math.round(share * 100)} %`;

export type NotTold = { readonly why: string; readonly likelihood: number | null };

export function whyNotTold(result: RecallResult, prompt: string, tellingWords: number): NotTold {
  const { layer, kind, status, provenance, telling } = result;
  const said = (why: string, chance: number | null = null): NotTold => ({ why, likelihood: chance });
  if (layer !== 'trace')
    return said(
      'Too few words of its title and tags stand in the prompt, and another record or note fits better.',
      result.relevance,
    );
  if (!telling) return said('It was found only as what lies around something else.');
  if (!TOLD_KINDS.includes(kind)) return said(`Of its kind (${kind.replaceAll('_', ' ')}) nothing is told unasked.`);
  if (telling.searchOnly) return said('It is kept for search alone: narration, output, or what somebody else wrote.');
  if (provenance !== null && provenance !== 'said')
    return said('It was quoted or came from outside: that is never told unasked.');
  if (status !== 'active' && status !== 'open') return said(`It is ${status.replaceAll('_', ' ')}.`);
  if (isOver(result)) return said('It says what was wrong: told are its cause and its change, or while it is open.');
  const found = result as Found;
  const worth = worthIn(found);
  if (worth < TOLD.change.worth) return said(`It says little on its own (worth ${percent(worth)}).`);
  const chance = likelihood({ ...telling, worth }, tellingWords);
  const asked = { words: new Set(indexWords(prompt)), said: asSaid(prompt), written: new Set<string>() };
  if (!isTellable(found, asked))
    return said(
      'Its words do not stand alone, it was a request, a commit or a step of the work, or the prompt says it itself.',
      chance,
    );
  if (tellingWords < TOLD.fewestTelling)
    return said('The prompt has too few words that tell what it is about.', chance);
  if (chance < TOLD.likely)
    return said(`It is of use with ${percent(chance)}; ${percent(TOLD.likely)} are needed.`, chance);
  return said('Better lines took its place: only a few are told.', chance);
}
