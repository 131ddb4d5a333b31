// The stem of an English word by Porter's algorithm of 1980, the one that search engines have agreed on: `deploys`,
// `deployed` and `deploying` meet at `deploi`. It stands here, and not in the database's tokenizer, because the
// planner of a search must know the exact word in the index, and because every store must find the same documents.

const VOWELS = 'aeiou';

function isVowel(word: string, at: number): boolean {
  const letter = word[at]!;
  return VOWELS.includes(letter) || (letter === 'y' && at > 0 && !isVowel(word, at - 1));
}

/** How many times a run of vowels is followed by a consonant: Porter's measure m. */
function measure(stem: string): number {
  let count = 0;
  let previous = false;
  for (let at = 0; at < stem.length; at++) {
    const vowel = isVowel(stem, at);
    if (previous && !vowel) count++;
    previous = vowel;
  }
  return count;
}

function hasVowel(stem: string): boolean {
  for (let at = 0; at < stem.length; at++) if (isVowel(stem, at)) return true;
  return false;
}

function endsDouble(word: string): boolean {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && !isVowel(word, last);
}

/** Consonant, vowel, consonant other than w, x, y: `hop`, but not `show`. */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  return (
    last > 1 &&
    !isVowel(word, last) &&
    isVowel(word, last - 1) &&
    !isVowel(word, last - 2) &&
    !'wxy'.includes(word.charAt(last))
  );
}

/** By the last letter: a hook stems some thousand words with code that is not warm, and most words end like none of these. */
type Suffixes = { readonly [last: string]: readonly string[] };

/** Each before its replacement. */
const DOUBLE_SUFFIXES: Suffixes = {
  l: ['ational', 'ate', 'tional', 'tion'],
  i: [
    ...['enci', 'ence', 'anci', 'ance', 'logi', 'log', 'bli', 'ble', 'alli', 'al', 'entli', 'ent', 'eli', 'e'],
    ...['ousli', 'ous', 'aliti', 'al', 'iviti', 'ive', 'biliti', 'ble'],
  ],
  r: ['izer', 'ize', 'ator', 'ate'],
  n: ['ization', 'ize', 'ation', 'ate'],
  m: ['alism', 'al'],
  s: ['iveness', 'ive', 'fulness', 'ful', 'ousness', 'ous'],
};

const ADJECTIVE_SUFFIXES: Suffixes = {
  e: ['icate', 'ic', 'ative', '', 'alize', 'al'],
  i: ['iciti', 'ic'],
  l: ['ical', 'ic', 'ful', ''],
  s: ['ness', ''],
};

const LAST_SUFFIXES: Suffixes = {
  l: ['al'],
  e: ['ance', 'ence', 'able', 'ible', 'ate', 'ive', 'ize'],
  r: ['er'],
  c: ['ic'],
  t: ['ant', 'ement', 'ment', 'ent'],
  n: ['ion'],
  u: ['ou'],
  m: ['ism'],
  i: ['iti'],
  s: ['ous'],
};

function replaceSuffix(word: string, suffixes: Suffixes): string {
  const some = suffixes[word[word.length - 1]!];
  if (some === undefined) return word;
  for (let at = 0; at < some.length; at += 2) {
    const suffix = some[at]!;
    if (!word.endsWith(suffix)) continue;
    const stem = word.slice(0, -suffix.length);
    return measure(stem) > 0 ? stem + some[at + 1]! : word;
  }
  return word;
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function withoutPast(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const suffix = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  const stem = word.slice(0, word.length - suffix);
  if (suffix === 0 || !hasVowel(stem)) return word;
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsDouble(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function withoutLast(word: string): string {
  const suffix = LAST_SUFFIXES[word[word.length - 1]!]?.find((ending) => word.endsWith(ending));
  if (suffix === undefined) return word;
  const stem = word.slice(0, -suffix.length);
  if (measure(stem) < 2 || (suffix === 'ion' && !/[st]$/.test(stem))) return word;
  return stem;
}

function tidy(word: string): string {
  let result = word;
  if (result.endsWith('e')) {
    const stem = result.slice(0, -1);
    const m = measure(stem);
    if (m > 1 || (m === 1 && !endsShort(stem))) result = stem;
  }
  return result.endsWith('ll') && measure(result.slice(0, -1)) > 1 ? result.slice(0, -1) : result;
}

/** No ending that is cut off or replaced ends in one of these. */
const UNCHANGED = 'abfhjkopqvwxz';

/** Only for words of a–z; anything else has no English endings and stays as it is. */
export function stem(word: string): string {
  if (word.length < 3 || UNCHANGED.includes(word[word.length - 1]!) || !/^[a-z]+$/.test(word)) return word;
  let result = withoutPast(withoutPlural(word));
  if (result.endsWith('y') && hasVowel(result.slice(0, -1))) result = `${result.slice(0, -1)}i`;
  return tidy(withoutLast(replaceSuffix(replaceSuffix(result, DOUBLE_SUFFIXES), ADJECTIVE_SUFFIXES)));
}
