// How a query asks, told by its words and by which of them stand beside each other. It is looked at before every prompt, where making
// patterns ready for the same would take milliseconds; the test compares it with those patterns.

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const startsWithAny = (word: string, starts: readonly string[]): boolean =>
  starts.some((each) => word.startsWith(each));

const I_OR_WE = ['i', 'we'];
const MAY_YOU = ['can', 'could', 'would', 'will'];
const MAY_I = ['should', 'shall', 'can', 'could'];
const HOW_MAY = ['do', 'should', 'can', 'could', 'would', 'might'];
const GIVE_ME = ['show', 'tell', 'give', 'help'];
const FIRST_PERSON = ['i', 'my', 'me', 'mine', 'myself'];
const STATE_VERBS = ['have', 'has', 'do', 'does', 'did', 'am', 'are', 'is', 'was'];
const STATE_OF = ['i', 'we', 'the', 'my', 'our', 'it'];
const HOW_MUCH = ['many', 'much', 'long', 'often', 'far', 'old'];
const WHAT = ['is', 'are', 'was', 'time', 'date', 'day', 'version', 'percentage', 'number', 'score', 'deadline'];
const WHEN = ['is', 'are', 'was', 'will', 'should', 'do', 'does', 'did'];
const ORDERS = set(
  'write create implement add fix explain make build design draft suggest recommend generate refactor update',
);
const LATEST = set('latest newest recent recently current currently now nowadays today lately still');
const LATEST_PHRASES = ['at the moment', 'these days', 'so far', 'up to date', 'last time'];
const HISTORY = set('first initially originally previously history evolve evolved progress progressed');
const HISTORY_PHRASES = ['used to', 'in order', 'in the order', 'over time'];

export type AskingWords = {
  /** It speaks of who asks. */
  readonly firstPerson: boolean;
  /** It wants something done. */
  readonly request: boolean;
  /** It wants how things are now. */
  readonly latest: boolean;
  /** It asks how things stand, and not how they came about. */
  readonly state: boolean;
};

/** `lower`: the query in lower case. */
export function askingWords(lower: string): AskingWords {
  const found = { firstPerson: false, request: false, latest: false, state: false, history: false };
  const words = wordsIn(lower);
  for (const [at, { word, end, afterSpace }] of words.entries()) {
    const before = afterSpace ? words[at - 1]?.word : undefined;
    const next = words[at + 1]?.afterSpace ? words[at + 1]!.word : undefined;
    if (FIRST_PERSON.includes(word) && !isAside(before) && !isPart(lower, end - word.length, end))
      found.firstPerson = true;
    if (word === 'please' || (next && isRequest(word, next, before))) found.request = true;
    if (LATEST.has(word)) found.latest = true;
    if (HISTORY.has(word)) found.history = true;
    if (word.startsWith('which') || (word === 'what' && lower.startsWith("'s", end)) || (next && isState(word, next)))
      found.state = true;
  }
  const first = words[0];
  return {
    firstPerson: found.firstPerson,
    request: found.request || (first !== undefined && first.end === first.word.length && ORDERS.has(first.word)),
    latest: found.latest || LATEST_PHRASES.some((phrase) => hasPhrase(lower, phrase)),
    state: found.state && !found.history && !HISTORY_PHRASES.some((phrase) => hasPhrase(lower, phrase)),
  };
}

/** "… although I picked another one" says when, and asks about something else. */
const ASIDES = set('although though because while whereas once until unless after before whenever');
const isAside = (before: string | undefined): boolean => before !== undefined && ASIDES.has(before);

/** In "shared-with-me" nobody speaks of himself. */
const isPart = (lower: string, start: number, end: number): boolean =>
  (lower[start - 1] === '-' && isWordCode(lower.charCodeAt(start - 2))) ||
  (lower[end] === '-' && isWordCode(lower.charCodeAt(end + 1)));

/** `afterSpace`: nothing but one space is between it and the word before. */
type Found = { readonly word: string; readonly end: number; readonly afterSpace: boolean };

function wordsIn(lower: string): Found[] {
  const words: Found[] = [];
  let start = -1;
  let last = -2;
  for (let at = 0; at <= lower.length; at++) {
    if (at < lower.length && isWordCode(lower.charCodeAt(at))) {
      if (start < 0) start = at;
    } else if (start >= 0) {
      const afterSpace = start === last + 1 && lower.charCodeAt(last) === SPACE;
      words.push({ word: lower.slice(start, at), end: at, afterSpace });
      last = at;
      start = -1;
    }
  }
  return words;
}

const SPACE = 0x20;
const UNDERSCORE = 0x5f;
const isWordCode = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === UNDERSCORE;

/** "can you", "should we", "how might I", "show me". */
function isRequest(word: string, next: string, before: string | undefined): boolean {
  if (next === 'you') return MAY_YOU.includes(word);
  if (next === 'me') return GIVE_ME.includes(word);
  if (!I_OR_WE.includes(next)) return false;
  return MAY_I.includes(word) || (before === 'how' && HOW_MAY.includes(word));
}

/** "how many", "what is", "when will", "did we". */
function isState(word: string, next: string): boolean {
  if (word === 'how') return startsWithAny(next, HOW_MUCH);
  if (word === 'what') return startsWithAny(next, WHAT);
  if (word === 'when') return startsWithAny(next, WHEN);
  return STATE_VERBS.includes(word) && STATE_OF.includes(next);
}

function hasPhrase(lower: string, phrase: string): boolean {
  for (let at = lower.indexOf(phrase); at >= 0; at = lower.indexOf(phrase, at + 1)) {
    const end = at + phrase.length;
    const begins = at === 0 || !isWordCode(lower.charCodeAt(at - 1));
    if (begins && (end === lower.length || !isWordCode(lower.charCodeAt(end)))) return true;
  }
  return false;
}
