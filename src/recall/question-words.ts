// Words that say how something is asked and not what about: they are left out of the search. And the phrases by which a
// query tells which kind of statement, which speaker or which state it wants.

import { askingWords } from './asking-words.ts';
import { type AskedKind, KIND_PHRASES } from './kind-words.ts';

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

/** `word` as the index has it, `surface` as it was written: “findings” are things, and no form of “find”. */
export function isQuestionWord(word: string, surface = word): boolean {
  stops ??= new Set(STOPS.split(' '));
  return stops.has(word) && !surface.toLowerCase().endsWith('ings');
}

const OPEN = /\b(?:open|unanswered|unresolved|outstanding|pending|still)\b/i;
const TOLD_BY_AGENT =
  /\b(?:did|had|have) you (?:ever |just |already )?(?=)(?:recommend|suggest|explain|propos|advis|describ|mention|tell|told|g[ai]ve|sa[iy]|list|show|provid|outlin)|\byou(?:'ve| have| had)? (?=)(?:recommended|suggested|explained|proposed|advised|described|mentioned|told|gave|said|listed|showed|provided|outlined)\b|\byour (?:recommendation|suggestion|advice|explanation|proposal|answer)s?\b/i;

/** At its beginning, or where a clause begins. */
const ASKS =
  /\?|^\W*(?:what|why|how|which|where|when|who|whose|whom|did|do|does|is|are|was|were|have|has|had|can|could|should|shall|may|must|will|would|any(?:thing)?)\b|[,;:–-]\s+(?:what|why|how|which|where|when|who)\b/;

/** What the user wants done every time. */
const STANDING =
  /\b(?:always|never|from now on|whenever|every time|i(?:'d| would)? (?:rather|prefer)|i prefer|prefer(?:red|ence)?|make sure|going forward|don't (?:ever|want|like)|i like to|i want you to|please (?:always|use|avoid|include|format|keep|don't))\b/i;

/** Words by which a statement says that it replaces another. */
const UPDATE =
  /\b(?:updat(?:ed|ing)|chang(?:ed|ing) (?:to|from|it|the|my|our)|moved|moving|reschedul\w+|postpon\w+|delayed|extended|(?:in|de)creased|reduced|raised|grown|grew|no longer|instead|switch(?:ed|ing)|(?:has|have|is|are|it's|we're|i'm) now|now (?:have|has|at|reached|uses?|is|are)|(?:the|my|our|a) new|reached|revised|replaced|added (?:two|three|four|another|\d+))\b/i;

/** What stands behind the name of a kind and says no more than it: “decisions did we make”, “problems we ran into”. */
const THAT_WE_MADE =
  /^(?:\s+|(?:what|which|the|all|our|my|any|that)\b)*(?:did |have |had |were |are )?(?:we |i |you )?(?:make|made|take|took|taken|reach(?:ed)?|find|found|hit|(?:run|ran) into|have|had|see|seen|saw|learn(?:ed|t)?)\b/i;

export type Asking = {
  readonly intents: readonly AskedKind[];
  /** Those of them that are plainly named: "decisions", "open questions". */
  readonly named: readonly AskedKind[];
  /** Only what nobody has answered or done. */
  readonly open: boolean;
  readonly speaker: 'user' | 'assistant' | undefined;
  /** It asks, and is not only words to look for. */
  readonly question: boolean;
  readonly request: boolean;
  readonly latest: boolean;
  /** Asks how things stand, and not how they came about. */
  readonly state: boolean;
  /** The query without the phrases that name a kind. */
  readonly rest: string;
};

/** `names`: also whether a kind is named, or only asked for. */
export function readAsking(query: string, names = true): Asking {
  const intents: AskedKind[] = [];
  const namedKinds: AskedKind[] = [];
  const lower = query.toLowerCase();
  let rest = query;
  for (const { kind, needed, asked, named } of KIND_PHRASES) {
    if (!needed.some((part) => lower.includes(part))) continue;
    const [isAsked, isNamed] = [asked().test(query), names && named().test(query)];
    if (!isAsked && !isNamed) continue;
    intents.push(kind);
    if (isNamed) namedKinds.push(kind);
    rest = isAsked ? rest.replace(asked(), ' ') : rest;
    rest = isNamed ? rest.replace(named(), ' ').replace(THAT_WE_MADE, ' ') : rest;
  }
  const { firstPerson, request, latest, state } = askingWords(lower);
  return {
    intents,
    named: namedKinds,
    open: intents.length > 0 && OPEN.test(query),
    speaker: lower.includes('you') && TOLD_BY_AGENT.test(query) ? 'assistant' : firstPerson ? 'user' : undefined,
    question: ASKS.test(lower),
    request,
    latest,
    state,
    // A query that is nothing but the phrase is searched by its kind alone.
    rest,
  };
}

export const isUpdate = (text: string): boolean => UPDATE.test(text);

export const isStanding = (text: string): boolean => STANDING.test(text);
