// Words that tell nothing about what a prompt is about: those of every sentence, and those of every prompt to a coding agent. The second
// list is small, for the first days; later the user's own prompts say which words stand in many of them.

import { isQuestionWord } from '../recall/question-words.ts';
import { indexWords } from '../store/index-words.ts';

/** Of every sentence, and of every prompt to a coding agent. */
export const PLAIN_ORDINARY =
  'able actually ago agree agreed already alright although always another anyone anything anyway apart around away awesome back ' +
  'basically besides better bit bunch certain clearly come comes coming cool correctly definitely different doing either else ' +
  'enough even every everything exactly excellent feel fine first further general generally going gone good great guess happy hello ' +
  'hey hi however idea instead keep kind last less likely little long look looks lot lots made make makes making maybe mean mind ' +
  'much nah need needs never next nice nope nothing now oh ok okay old one ones otherwise perfect perhaps place point possible ' +
  'possibly pretty probably proper properly put quite rather ready really right second see seem seems seen several simple simply ' +
  'since small some someone something soon sorry sort sound sounds stuff such suppose sure take takes taking thank thanks thing ' +
  'things think third though thought three together tried try trying two use used uses using via want wanted wants way ways well ' +
  'whole will wish within without wonder worth would wrong yea yeah yep yes yet yup' +
  ' ' +
  'add added adding address adjust again agent ahead answer apply approve approved ask asked branch branches bug bugs build change ' +
  'changed changelog changes changing check checked ci claude clean cleanup clear code comment comments commit commited commits ' +
  'complete completed confirm continue copy correct create created current currently delete deploy deployment deployments describe ' +
  'description detail details diff edit ensure error errors example execute explain explanation fail failed failing fails failure ' +
  'failures file files fill find finish finished fix fixed fixes fixing folder follow following full fully git go handle happen ' +
  'happened happens help implement implementation implemented improve improvement improvements include info information ' +
  'investigate issue issues job latest line lines look main make manual manually master merge merged modify move new note notes ' +
  'open option package page part phase plan plans post pr problem proceed project prompt propose prs pull push pushed question ' +
  'quick quickly read readme ready recent refactor relevant remaining remove rename replace repo repository request resolve result ' +
  'results resume retry revert review reviewed reviews rewrite run running runs save see send set ship show skip solution solve ' +
  'start started status step steps still stop suggest suggestion suggestions summarise summarize summary switch task tasks tell ' +
  'test tested testing tests todo todos tool tools turn update updated updates updating valid verification verify wait warning ' +
  'warnings work worked working works write written';

/** The same as the index has them (a test compares): cutting off their endings would be a good part of what a hook costs. */
const ORDINARY =
  'abl actual ad add address adjust again agent ago agre ahead alreadi alright although alwai anoth answer anyon anyth anywai ' +
  'apart appli approv around ask awai awesom back basic besid better bit branch bug build bunch certain chang changelog check ci ' +
  'claud clean cleanup clear clearli code come comment commit complet confirm continu cool copi correct correctli creat current ' +
  'definit delet deploi deploy describ descript detail diff differ do edit either els enough ensur error even everi everyth ' +
  'exactli exampl excel execut explain explan fail failur feel file fill find fine finish first fix folder follow full fulli ' +
  'further gener git go gone good great guess handl happen happi hei hello help hi howev idea implement improv includ info inform ' +
  'instead investig issu job keep kind last latest less like line littl long look lot made main make manual master mayb mean merg ' +
  'mind modifi move much nah need never new next nice nope note noth now oh ok okai old on open option otherwis packag page part ' +
  'perfect perhap phase place plan point possibl post pr pretti probabl problem proce project prompt proper properli propos pull ' +
  'push put question quick quickli quit rather read readi readm realli recent refactor relev remain remov renam replac repo ' +
  'repositori request resolv result resum retri revert review rewrit right run save second see seem seen send set sever ship show ' +
  'simpl simpli sinc skip small solut solv some someon someth soon sorri sort sound start statu step still stop stuff such suggest ' +
  'summar summari summaris suppos sure switch take task tell test thank thing think third though thought three todo togeth tool ' +
  'tri try turn two updat us valid verif verifi via wai wait want warn well whole will wish within without wonder work worth would ' +
  'write written wrong ye yea yeah yep yet yup';
let builtIn: ReadonlySet<string> | undefined;

function isBuiltIn(word: string): boolean {
  builtIn ??= new Set(ORDINARY.split(' '));
  return builtIn.has(word);
}

/** A word must stand in this share of the user's prompts to be ordinary, and in so many at least. */
const LEARNED = { share: 0.04, fewest: 5, beyond: 3 };
/** What is longer is a matter, not the way a user talks to the agent. */
const SHORT_PROMPT = 90;

export type OftenSaid = { readonly word: string; readonly share: number };

/** The words that stand in many of the user's short prompts. */
export function oftenSaid(prompts: readonly string[]): OftenSaid[] {
  const short = prompts.filter((prompt) => prompt.length <= SHORT_PROMPT);
  const seen = new Map<string, number>();
  for (const prompt of short) for (const word of new Set(indexWords(prompt))) seen.set(word, (seen.get(word) ?? 0) + 1);
  const least = Math.max(LEARNED.fewest, LEARNED.share * short.length);
  return [...seen].flatMap(([word, count]) => (count >= least ? [{ word, share: count / short.length }] : []));
}

/** Those of them that are habits: what the project is about stands in everything that was said, not in prompts alone. */
export const learnOrdinary = (said: readonly OftenSaid[], shareOfAll: (word: string) => number): ReadonlySet<string> =>
  new Set(said.flatMap(({ word, share }) => (share > LEARNED.beyond * shareOfAll(word) ? [word] : [])));

const NUMBER = /^\d+(?:st|nd|rd|th)?$/;

/** Whether a word says what a prompt is about. */
export const isTelling = (word: string, learned: ReadonlySet<string>): boolean =>
  word.length > 1 && !NUMBER.test(word) && !isQuestionWord(word) && !isBuiltIn(word) && !learned.has(word);
