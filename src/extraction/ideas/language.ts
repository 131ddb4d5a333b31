// Which language a turn is in, as far as the cues differ: by its script, else by its small words. Cues of one language
// must not be looked for in another: Spanish “no” and German “die” are English words too.

import { lazy } from '../../model/lazy.ts';

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The beginning of a turn tells. */
const SAMPLE = 600;
/** A character of these says about as much as three letters. */
const WIDE = /[\u3005\u3040-\u9fff]/g;
const KANA = /[\u3040-\u30ff]/;
const LETTER = /[a-zA-Z]/g;
const ACCENT = /[\u00bf-\u017f]/;
/** No other of these languages has them. */
const ENGLISH = / (?:the|is|and|to|you|of|it) /;
const word = lazy(() => /\p{L}+/gu);

const SMALL_WORDS: readonly (readonly [Language, ReadonlySet<string>])[] = [
  [
    'en',
    words(
      'the of and to is are was it this that with for you we not have be on can should what how i in my do at a an or no by',
    ),
  ],
  [
    'de',
    words(`der die das und ist nicht ich wir ein eine einen einem einer mit für auf zu von dem den des wird werden wurde
      noch auch aber sich bei nach wie warum soll sind haben hat kann es im am beim als bitte unser unsere jetzt muss
      müssen mir dir wurden`),
  ],
  [
    'fr',
    words(`le la les des du et est une un nous vous je il elle pour dans sur avec pas que qui ce cette sont ont été faut au très
      aux en notre votre on mais plus comment pourquoi était c j n d l s qu être ai de ne à`),
  ],
  [
    'es',
    words(`el la los las de del y es un una que en por para con se lo al está están hay como más pero tenemos nuestro
      nuestra mi qué cómo cuál porque vamos falta era usar ser hasta muy sobre desde sin ya este esta tiene entre`),
  ],
];

export function languageOf(text: string): Language {
  const sample = text.length > SAMPLE ? text.slice(0, SAMPLE) : text;
  if (ENGLISH.test(sample) && !ACCENT.test(sample)) return 'en'; // nearly always, and nearly free
  const wide = sample.match(WIDE)?.length ?? 0;
  if (3 * wide > (sample.match(LETTER)?.length ?? 0)) return KANA.test(sample) ? 'ja' : 'zh';
  return bySmallWords(sample);
}

/** The language with the most small words; English if there are none. */
function bySmallWords(sample: string): Language {
  const found = sample.toLowerCase().match(word()) ?? [];
  let best: Language = 'en';
  let most = 0;
  for (const [language, small] of SMALL_WORDS) {
    let count = 0;
    for (const word of found) if (small.has(word)) count += 1;
    if (count <= most) continue;
    best = language;
    most = count;
  }
  return best;
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
