// WordPiece, the way BERT models take text apart: clean, fold, cut at spaces, punctuation and Chinese characters, then the longest
// known pieces from the left. Untrusted text: one pass over a bounded part of it, whatever it holds.

export type Vocabulary = {
  idOf(piece: string): number | undefined;
  /** Length of the longest piece, in UTF-16 units: nothing longer is looked up. */
  readonly longest: number;
};

export type Folding = {
  readonly lowercase: boolean;
  readonly stripAccents: boolean;
};

export type SpecialTokens = { readonly unknown: number; readonly start: number; readonly end: number };

/** Changes with everything here that changes the tokens of a text. */
export const TOKENIZER_VERSION = 1;

/** What lies behind is not read: 256 tokens would have to be longer than a hundred characters each to get there. */
const MAX_CHARACTERS = 32_768;
/** A longer word is one unknown token, as in the original. */
const MAX_WORD = 100;
/** What follows the first piece of a word is kept in the vocabulary with this in front. */
const CONTINUED = '##';

const ASCII_WORDS = /[!-/:-@[-`{-~]|[0-9A-Za-z]+/g;
const PLAIN = /^[\t\n\r -~]*$/;

// Node needs milliseconds to make these, and a hook has few: so only when a text needs them.
let unicode: ReturnType<typeof makeUnicode> | undefined;

function makeUnicode() {
  const chinese =
    '\\u{4E00}-\\u{9FFF}\\u{3400}-\\u{4DBF}\\u{20000}-\\u{2A6DF}\\u{2A700}-\\u{2B73F}\\u{2B740}-\\u{2B81F}\\u{2B920}-\\u{2CEAF}\\u{F900}-\\u{FAFF}\\u{2F800}-\\u{2FA1F}';
  // All that is neither letter, digit nor space among ASCII, and what Unicode calls punctuation.
  const punctuation = '!-\\/:-@\\[-`\\{-~\\p{P}';
  return {
    words: new RegExp(`[${chinese}${punctuation}]|[^\\s${chinese}${punctuation}]+`, 'gu'),
    invisible: /[^\P{C}\t\n\r]|\uFFFD/gu,
    accents: /\p{Mn}/gu,
  };
}

export type Tokenizer = {
  readonly vocabulary: Vocabulary;
  readonly folding: Folding;
  readonly special: SpecialTokens;
  readonly maxTokens: number;
};

/** Token ids with the start and end tokens, at most `maxTokens` in all. */
export const wordPieces = (text: string, tokenizer: Tokenizer): number[] => wordTokens(text, tokenizer).ids;

/** The same, and of each token the word that it is a piece of; the start and the end are of none. */
export function wordTokens(
  text: string,
  { vocabulary, folding, special, maxTokens }: Tokenizer,
): { ids: number[]; words: string[] } {
  const ids = [special.start];
  const words = [''];
  const last = maxTokens - 1;
  for (const word of wordsOf(text, folding)) {
    if (ids.length >= last) break;
    piecesOf(word, vocabulary, special.unknown, ids);
    while (words.length < ids.length) words.push(word);
  }
  words.length = ids.length = Math.min(ids.length, last);
  ids.push(special.end);
  words.push('');
  return { ids, words };
}

function* wordsOf(text: string, { lowercase, stripAccents }: Folding): Generator<string> {
  let clean = text.slice(0, MAX_CHARACTERS);
  let pattern = ASCII_WORDS;
  if (!PLAIN.test(clean)) {
    unicode ??= makeUnicode();
    pattern = unicode.words;
    clean = clean.replace(unicode.invisible, '');
    if (stripAccents) clean = clean.normalize('NFD').replace(unicode.accents, '');
    // Letter by letter, as the original does it: at the end of a word JavaScript has a second small sigma.
    if (lowercase) clean = clean.replaceAll('Σ', 'σ');
  }
  if (lowercase) clean = clean.toLowerCase();
  for (const [word] of clean.matchAll(pattern)) yield word;
}

/** Appends the pieces of a word, or the one unknown token if some part of it is not known. */
function piecesOf(word: string, { idOf, longest }: Vocabulary, unknown: number, ids: number[]): void {
  const begin = ids.length;
  if (word.length > MAX_WORD && [...word].length > MAX_WORD) {
    ids.push(unknown);
    return;
  }
  for (let from = 0; from < word.length; ) {
    let to = Math.min(word.length, from + longest);
    let id: number | undefined;
    for (; to > from; to--) {
      id = idOf(from === 0 ? word.slice(0, to) : CONTINUED + word.slice(from, to));
      if (id !== undefined) break;
    }
    if (id === undefined) {
      ids.length = begin;
      ids.push(unknown);
      return;
    }
    ids.push(id);
    from = to;
  }
}
