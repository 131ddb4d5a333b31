// A word of a question that nobody has ever written is perhaps one that was mistyped: one letter too much, too few, another one, or two in
// the wrong order, somewhere in its middle. The form that most memories have is meant. Names are not known either, so short words and
// their ends are left alone: "stripe" is no "strip".

import { indexWords } from '../store/index-words.ts';
import type { Store } from '../store/store.ts';

/** Shorter words are one letter away from too many others. */
const SHORTEST = 6;
const LONGEST = 20;
/** Of one question: a text of another language has only unknown words. */
const MOST = 2;
/** What stands in fewer memories may be mistyped itself. */
const KNOWN = 2;
const LOOKED_AT = 5;
const PLAIN = /^[a-z]+$/;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

export const mayBeMistyped = (surface: string): boolean =>
  surface.length >= SHORTEST && surface.length <= LONGEST && PLAIN.test(surface.toLowerCase());

/** By word as it was written, the one that is meant. `unknown`: words that no memory has. */
export async function readTypos(store: Store, unknown: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const suspects = unknown.filter(mayBeMistyped).slice(0, MOST + 1);
  if (suspects.length === 0 || suspects.length > MOST) return new Map();
  const meant = new Map<string, string>();
  for (const surface of suspects) {
    const forms = new Map<string, string>();
    for (const form of variantsOf(surface.toLowerCase())) {
      const word = indexWords(form)[0] ?? '';
      if (!forms.has(word)) forms.set(word, form);
    }
    const words = [...forms.keys()];
    const { counts } = await store.counts({ words });
    const best = counts.reduce((most, count, at) => (count > (counts[most] ?? 0) ? at : most), 0);
    const form = forms.get(words[best] ?? '') ?? '';
    if ((counts[best] ?? 0) >= KNOWN && (await isWritten(store, form))) meant.set(surface, form);
  }
  return meant;
}

/** The index has "per-file" as one word too, and without its ending: nobody wrote "perfill". */
async function isWritten(store: Store, form: string): Promise<boolean> {
  const hits = await store.search({ terms: [{ text: form }], limit: LOOKED_AT, documents: true });
  const beginning = form.slice(0, -1);
  return hits.some(({ document }) =>
    [document?.text, document?.title, document?.context, ...(document?.tags ?? [])].some((text) =>
      text?.toLowerCase().includes(beginning),
    ),
  );
}

/** One slip away, its first and last letter as they are. */
export function variantsOf(word: string): string[] {
  const forms: string[] = [];
  for (let at = 1; at < word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    for (const letter of LETTERS) forms.push(before + letter + after);
    if (at === word.length - 1) continue;
    forms.push(before + after.slice(1));
    for (const letter of LETTERS) forms.push(before + letter + after.slice(1));
    if (at < word.length - 2) forms.push(before + after[1] + after[0] + after.slice(2));
  }
  return forms;
}
