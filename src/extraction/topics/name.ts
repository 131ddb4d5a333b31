// What an exchange or a topic is called: by the plan that was handed over, by what was asked in plain words, by what was committed where it was
// only talked about, else by what came out of it. Never by a raw aside, a mangled address or a rule line.

import { withoutQuotations } from '../../safety/quotations.ts';
import { sentencesOf } from '../statements/sentences.ts';
import { topicWords } from '../topic-words.ts';

const NAME_LENGTH = 72;
const POLITE =
  /^(?:(?:hi|hello|hey|ok(?:ay)?|so|now|and|great|perfect|thanks?(?: you)?|please|alright|also|yes|yeah|hmm+|uu+m+|um+|actually)[,.! ]+)*(?:i think (?:that )?)?(?=)(?:(?:can|could|would) (?:you|we) (?:please )?|please |let'?s |we (?:also )?(?:need|want|have) to |(?:we|you) (?:mus[tr]|should)(?! not)(?: also)? |i(?:'d| would) like (?:you )?to |i want (?:you )?to |i need (?:you )?to |i(?:'m| am) (?:currently |now )?(?:trying|looking|planning|going) to |help me (?:to )?)?/i;
/** What leads up to the matter: while something else goes on, as far as somebody knows, that there is something to be asked. */
const LEADS_UP =
  /^(?:(?:while (?:we|you|i)\b[^,]{3,60},|(?:one|another) (?:thing|question|point)\b[^,]{0,60},|(?:as far as|if) i (?:understand|remember|know)[^,]{0,40},|(?:it )?(?:looks?|seems?) (?:like|as if|that)(?: here)?,?|(?:and|but|also),?|(?:i|we) (?:was|were|am|are) (?:wondering|thinking) (?:if|about|whether)|i wanted to|(?:do|did) you (?:remember|know|see|think)(?: that)?|(?:is|are|was|were) there (?:any|an?|some)\b(?: (?=)(?:work done|way|chance|reason|plan)(?: to| for| that)?)?|there(?:'?s| is| are)(?: an?| some)?|what are (?:your |the )?thoughts (?:on|about)|what do you think (?:of|about)|how (?:do|can|could|would|should) (?:we|i|you))\s+)+/i;
/** A sentence that somebody speaks to somebody who is there. */
const SPOKEN =
  /…$|\b(?:i|we|you|me|my|our|your|us|lets?|that|this|these|those|its?|there|theres|honestly|obviously|definitely|probably)\b/i;
/** A sentence that tells how things stand rather than what to do about it: “the build is red again”, “some good points came up”. */
const TELLS =
  /^(?:some|many|several|their|his|her|any|all the)\b|\b(?:is|are|was|were|isn'?t|aren'?t|wasn'?t|has|hasn'?t|have|haven'?t|had|should|shouldn'?t|does|doesn'?t|did|didn'?t|cannot|can'?t|won'?t)\b/i;
export const isSpoken = (name: string): boolean => SPOKEN.test(name);
/** Points at something that only those who were there can see. */
const DEICTIC = /^(?:this|thats?|its?|these|those|they|here|same|if (?:so|not)|the (?:same|above|following)|\d+)\b/i;
const ENOUGH_WORDS = 3;
/** In every exchange of work on code. */
const ROUTINE = new Set(
  'test lint check commit src const step typecheck pass committ fixe plan implement following phase continue branch push todo pr main move proceed start valid wait batch minor done'.split(
    ' ',
  ),
);

export type NameSources = {
  /** What the user asked, in their own words. */
  readonly prompt: string;
  readonly commits: readonly string[];
  readonly pullRequests: readonly string[];
  /** What came out of it, where that is known. */
  readonly outcome: string | undefined;
  /** Telling words of it, as a last resort. */
  readonly words: string;
};

export type Name = {
  readonly text: string;
  /**
   * What it was taken from: the heading of a `document`, what was `made`, what was `asked` in plain words; `spoken`: what somebody said to somebody
   * who was there; `words`: nothing that tells the matter to a stranger.
   */
  readonly by: 'document' | 'made' | 'asked' | 'spoken' | 'words';
};

export function nameOf({ prompt, commits, pullRequests, outcome, words }: NameSources): Name {
  const heading = headingIn(prompt);
  if (heading) return named(heading, 'document');
  const asked = askedIn(prompt);
  const isTelling = tellingIn(asked) >= ENOUGH_WORDS && !DEICTIC.test(asked);
  if (isTelling && !SPOKEN.test(asked) && !TELLS.test(asked)) return named(asked, 'asked');
  const made = madeOf({ pullRequests, commits }, isTelling ? ENOUGH_WORDS : 1);
  if (made) return made;
  if (isTelling) return named(asked, 'spoken');
  if (asked && tellingIn(asked) > 0 && words) return named(`${asked}: ${words}`, 'words');
  if (outcome && tellingIn(outcome) >= ENOUGH_WORDS) return named(plain(firstSentence(outcome)), 'words');
  return named(words || asked, 'words');
}

/** What the matter is called later: by a document or by what was made, where it was only talked about so far. */
export function betterName(before: Name | undefined, name: Name, made?: Name): Name {
  if (before === undefined || before.by === 'words') return before && name.by === 'words' ? before : name;
  if (before.by !== 'spoken') return before;
  return name.by === 'document' || name.by === 'made' ? name : (made ?? before);
}

/** What was made, where its subject says enough. */
export function madeOf(
  { pullRequests, commits }: Pick<NameSources, 'pullRequests' | 'commits'>,
  least = ENOUGH_WORDS,
): Name | undefined {
  const made = madeBy(pullRequests) ?? madeBy(commits);
  return made && tellingIn(made) >= least ? named(made, 'made') : undefined;
}

const KIND = /^(\w+)(?:\([^)]*\))?!?: /;
const UPKEEP = /^(?:docs|chore|style|ci|build|test)$/;

/** The last that changes something; notes and upkeep where there is nothing else. */
function madeBy(subjects: readonly string[]): string | undefined {
  const subject = subjects.findLast((each) => !UPKEEP.test(KIND.exec(each)?.[1] ?? '')) ?? subjects.at(-1);
  const text = subject?.replace(KIND, '') ?? '';
  return tellingIn(text) > 0 ? text : undefined;
}

const named = (text: string, by: Name['by']): Name => {
  const trimmed = text.trim();
  return {
    text: clipped(trimmed === '' ? 'Conversation' : (trimmed[0] ?? '').toUpperCase() + trimmed.slice(1)),
    by,
  };
};

/** A long one is what stands behind “when …,”, and ends where a clause does, if that is not too early. */
function clipped(whole: string): string {
  if ([...whole].length <= NAME_LENGTH) return whole;
  const main = whole.replace(CONDITION, '');
  const text = main.charAt(0).toUpperCase() + main.slice(1);
  if ([...text].length <= NAME_LENGTH) return text;
  const clause = [...text.slice(0, NAME_LENGTH).matchAll(CLAUSE)].at(-1);
  return clause && clause.index >= SHORTEST_CLAUSE ? text.slice(0, clause.index) : shorten(text, NAME_LENGTH);
}

const CONDITION = /^(?:(?:when|if|with|while|since|as|after|once|before|because)\b[^,]{8,100}, ){1,2}(?=.{24})/i;
const CLAUSE = /[,;] | [-–—] | (?:so that|because|but|which|until|when|while|if|since|and) /g;
const SHORTEST_CLAUSE = 32;

/** `# Plan: …`, or the heading of whatever document was handed over. */
function headingIn(prompt: string): string | undefined {
  const heading = /^#{1,3}[ \t]+(?:(?:implementation )?plan[:—-][ \t]*|plan for[: ]+)?(.{4,160})$/im.exec(
    prompt.slice(0, 2_000),
  )?.[1];
  const text = heading === undefined ? '' : plain(heading);
  return tellingIn(text) >= 1 && !/^(?:context|plan|overview|background|summary)$/i.test(text) ? text : undefined;
}

/** The first sentence that says something, without courtesies; the most telling one if none says enough. */
function askedIn(prompt: string): string {
  const own = withoutQuotations(prompt).slice(0, 1_500);
  const sentences = sentencesOf(own, 0, own.length)
    .slice(0, 8)
    .map(({ start, end }) => plain(own.slice(start, end).replace(POLITE, '').replace(LEADS_UP, '').replace(POLITE, '')))
    .filter((each) => each !== '' && !OUTPUT.test(each));
  const telling = sentences.find((each) => tellingIn(each) >= ENOUGH_WORDS && !DEICTIC.test(each));
  return telling ?? [...sentences].sort((a, b) => tellingIn(b) - tellingIn(a))[0] ?? '';
}

const OUTPUT =
  /^(?:at |\[?\d{4}-\d\d-\d\d|\[?\d\d:\d\d|\S+\s+(?:error|warning)\s|(?:\S*\/){3}|Error:|Traceback|\$ |> )/;

const firstSentence = (text: string): string => {
  const range = sentencesOf(text, 0, text.length)[0];
  return range ? text.slice(range.start, range.end) : text;
};

export const tellingIn = (text: string): number =>
  new Set(topicWords(text.replace(/https?:\/\/\S+/g, ' ')).filter((word) => !ROUTINE.has(word))).size;

/** Without marks and long paths; an address of an issue or pull request becomes its number, another one its host. */
function plain(text: string): string {
  return text
    .replace(/https?:\/\/\S*?\/(issues|pull|pulls|merge_requests)\/(\d+)\S*/g, (_, kind: string, number: string) =>
      kind === 'issues' ? `issue #${number}` : `PR #${number}`,
    )
    .replace(/https?:\/\/(?:www\.)?([^\s/?#]+)[^\s]*/g, '$1')
    .replace(/\s\[[\d:.]{4,}\].*$/, '')
    .replace(/@?(?:[\w.-]{1,80}\/){2,12}([\w.-]{1,80})/g, '$1')
    .replace(/\*\*|[`>]|#(?!\d)|(?<!\w)_(?!_)|(?<!_)_(?!\w)/g, '')
    .replace(/[─━═—-]{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/[.:!,;]+$/, '')
    .trim();
}

export function shorten(text: string, most: number): string {
  const points = [...text];
  if (points.length <= most) return text;
  const cut = points.slice(0, most - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > most / 2 ? cut.slice(0, space) : cut}…`;
}
