// Words that say how something is asked and not what about: they are left out of the search. And the phrases by which a
// query tells which kind of statement, which speaker or which state it wants.

import { askingWords } from './asking-words.ts';

export const PLAIN =
  'a an the of to in on at by for with from and or but is are was were be been being am do does did doing done have has had having ' +
  'i me my mine we our ours us you your yours he him his she her hers it its they them their theirs this that these those what which who whom whose when where why how ' +
  'can could should would will shall may might must not no nor so if then than as about into onto over after before between during while until since there here just also any some ' +
  'all more most other such only own same too very get got let lets please tell show give find remember recall know said say ' +
  'ever many much still out up down off again once both each few because through against under above ' +
  "don't didn't doesn't isn't aren't wasn't weren't can't couldn't won't wouldn't i'm i've i'd i'll we're we've we'd you're you've it's that's what's there's let's " +
  // the same in the other languages that people often write in
  'der die das den dem des ein eine einen einem einer und oder aber ist sind war waren wir ich du ihr sie es mein unser dein was wie wo wann warum wer mit von für auf im in zu zum zur nicht noch auch haben hat hatte hatten werden wurde wird bei nach vor über unter als an am aus dass wenn man uns mir mich ' +
  'le la les un une des du de et ou est sont était nous vous je tu il elle ils elles que qui quoi où quand comment pourquoi avec pour dans sur pas ne au aux ce cette ces ' +
  'el los las una unos unas y o es son era fue nosotros yo él ella que qué quién dónde cuándo cómo por para con en del al no se lo su sus mi';

/**
 * The same as the index has them (a test compares), because a query's words are compared in that form. Made here, they would be a
 * tenth of what a hook costs.
 */
const STOPS =
  'a an the of to in on at by for with from and or but is ar wa were be been am do doe did done have ha had i me ' +
  'my mine we our us you your he him hi she her it thei them their thi that these those what which who whom whose ' +
  'when where why how can could should would will shall mai might must not no nor so if then than as about into ' +
  'onto over after befor between dure while until sinc there here just also ani some all more most other such ' +
  'onli own same too veri get got let pleas tell show give find rememb recal know said sai ever mani much still ' +
  'out up down off again onc both each few becaus through against under abov dont don t didnt didn doesnt doesn ' +
  'isnt isn arent aren wasnt wasn werent weren cant couldnt couldn wont won wouldnt wouldn im m iv ve id d ill ll ' +
  're weve wed youv s der die da den dem de ein einen einem einer und oder aber ist sind war waren wir ich du ihr ' +
  'sie es mein unser dein wie wo wann warum wer mit von fur auf zu zum zur nicht noch auch haben hat hatt hatten ' +
  'werden wurd wird bei nach vor uber unter al au dass wenn man un mir mich le la et ou est sont etait nou vou je ' +
  'tu il ell que qui quoi quand comment pourquoi avec pour dan sur pa ne aux ce cett el lo una uno y o son era ' +
  'fue nosotro yo ella quien dond cuando como por para con en del se su mi';
let stops: ReadonlySet<string> | undefined;

export function isQuestionWord(word: string): boolean {
  stops ??= new Set(STOPS.split(' '));
  return stops.has(word);
}

type Intent = 'decision' | 'conclusion' | 'question' | 'problem' | 'solution' | 'todo';

/**
 * Each phrase with the words of it that are about asking, so that they are not searched for. Before it, what no match does without:
 * looking for that takes no time, while Node takes a millisecond to make a pattern ready.
 */
const INTENTS: readonly (readonly [Intent, readonly string[], RegExp])[] = [
  [
    'decision',
    ['decid', 'decision', 'choose', 'chosen', 'settle', 'agree', 'pick', 'go with'],
    /\b(?:(?:what|why|how) (?:did|have|had) (?:we|i|you) (?:decided?|ch[oo]ose|chosen|settled? on|agreed?(?: on)?|pick(?:ed)?)|(?:our |my |the )?decisions? (?:about|on|regarding|for|around)|decisions|why did we (?:choose|pick|go with))\b/i,
  ],
  [
    'question',
    ['question', 'issue', 'still', 'left'],
    /\b(?:open|unanswered|unresolved|outstanding|pending) (?:questions?|issues?)|\b(?:still|left) (?:open|unanswered|unresolved)\b|\bquestions? (?:about|on|regarding)\b|^questions$/i,
  ],
  [
    'problem',
    ['problem', 'issue', 'bug', 'error', 'trouble', 'failure', 'pitfall', 'friction', 'wrong', 'broke', 'fail'],
    /\b(?:problems?|issues?|bugs?|errors?|trouble|failures?|pitfalls?|friction) (?:with|in|about|on|around|we had|did we)\b|\bwhat (?:went wrong|broke|failed)\b|\bwhy did .{1,60} fail\b/i,
  ],
  [
    'solution',
    ['fix', 'solv', 'solution', 'repair', 'around', 'remedy'],
    /\b(?:how (?:did|do|have) (?:we|i|you) (?:fix|fixed|solve|solved|resolve|resolved|repair|work around|get around)|(?:fix|solution|workaround|remedy) (?:for|to|of)|solutions? (?:for|to|about))\b/i,
  ],
  [
    'todo',
    ['to-do', 'todo', 'open', 'next', 'left', 'still', 'remaining', 'unfinished'],
    /\b(?:to-?dos?|open (?:tasks?|items?|points?|work)|next steps?|left to do|still (?:to do|open|missing)|remaining (?:work|tasks?|items?)|what(?:'s| is) (?:still )?left(?: to do)?|unfinished)\b/i,
  ],
  [
    'conclusion',
    ['learn', 'lesson', 'find', 'found', 'conclu', 'discover', 'insight'],
    /\b(?:what (?:did|have) (?:we|i|you) (?:learn(?:ed|t)?|find out|found out|conclude[d]?|discover(?:ed)?)|lessons? (?:learned|learnt|about|from)|(?:findings?|conclusions?|insights?) (?:about|on|from|regarding))\b/i,
  ],
];

const OPEN = /\b(?:open|unanswered|unresolved|outstanding|pending|still)\b/i;
const TOLD_BY_AGENT =
  /\b(?:did|had|have) you (?:ever |just |already )?(?:recommend|suggest|explain|propos|advis|describ|mention|tell|told|g[ai]ve|sa[iy]|list|show|provid|outlin)|\byou(?:'ve| have| had)? (?:recommended|suggested|explained|proposed|advised|described|mentioned|told|gave|said|listed|showed|provided|outlined)\b|\byour (?:recommendation|suggestion|advice|explanation|proposal|answer)s?\b/i;

/** What the user wants done every time. */
const STANDING =
  /\b(?:always|never|from now on|whenever|every time|i(?:'d| would)? (?:rather|prefer)|i prefer|prefer(?:red|ence)?|make sure|going forward|don't (?:ever|want|like)|i like to|i want you to|please (?:always|use|avoid|include|format|keep|don't))\b/i;

/** Words by which a statement says that it replaces another. */
const UPDATE =
  /\b(?:updat(?:ed|ing)|chang(?:ed|ing) (?:to|from|it|the|my|our)|moved|moving|reschedul\w+|postpon\w+|delayed|extended|(?:in|de)creased|reduced|raised|grown|grew|no longer|instead|switch(?:ed|ing)|(?:has|have|is|are|it's|we're|i'm) now|now (?:have|has|at|reached|uses?|is|are)|(?:the|my|our|a) new|reached|revised|replaced|added (?:two|three|four|another|\d+))\b/i;

export type Asking = {
  readonly intents: readonly Intent[];
  /** Only what nobody has answered or done. */
  readonly open: boolean;
  readonly speaker: 'user' | 'assistant' | undefined;
  readonly request: boolean;
  readonly latest: boolean;
  /** Asks how things stand, and not how they came about. */
  readonly state: boolean;
  /** The query without the phrases that name a kind. */
  readonly rest: string;
};

export function readAsking(query: string): Asking {
  const intents: Intent[] = [];
  const lower = query.toLowerCase();
  let rest = query;
  for (const [intent, needed, pattern] of INTENTS) {
    if (!needed.some((part) => lower.includes(part)) || !pattern.test(query)) continue;
    intents.push(intent);
    rest = rest.replace(pattern, ' ');
  }
  const { firstPerson, request, latest, state } = askingWords(lower);
  return {
    intents,
    open: intents.length > 0 && OPEN.test(query),
    speaker: lower.includes('you') && TOLD_BY_AGENT.test(query) ? 'assistant' : firstPerson ? 'user' : undefined,
    request,
    latest,
    state,
    // A query that is nothing but the phrase is searched by its kind alone.
    rest,
  };
}

export const isUpdate = (text: string): boolean => UPDATE.test(text);

export const isStanding = (text: string): boolean => STANDING.test(text);
