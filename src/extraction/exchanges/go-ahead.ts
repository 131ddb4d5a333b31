// A short answer decides something that only the question before it names: “yes”, “2”, “go with the second one”, “no, leave it”. Question and
// answer together are a decision in words that stand alone.

import { sentencesOf } from '../statements/sentences.ts';
import { topicWords } from '../topic-words.ts';

const YES =
  /^(?:(?:hm+|ah|oh|ok(?:ay)?|alright|great|perfect|good|nice|cool)[,.! ]+)*(?:yes|yeah|yep|yup|sure|go ahead|go for it|do it|do that|do both|do all|let'?s (?:do|go|get)|sounds? (?:good|great)|please do|please go|definitely|absolutely|agreed|correct|exactly|makes sense|lgtm|approved|ok(?:ay)?|perfect|great|ja|gerne|genau|oui|d'accord|sí|si,|vale|claro|はい|お願い|好的|可以|同意)(?![\w'])/i;
const NO =
  /^(?:(?:hm+|ah|oh|ok(?:ay)?)[,.! ]+)*(?:no|nope|nah|not (?:now|yet|really)|don'?t|do not|better not|rather not|leave (?:it|that)|skip (?:it|that)|nein|lieber nicht|non|mejor no|いいえ|不要|不用)(?![\w'])/i;
const CHOICE =
  /^(?:(?:ok(?:ay)?|yes|yeah|sure)[,.! ]+)*(?:(?:let'?s |please )?(?:go (?:with|for)|do|take|pick|choose|use|try)\s+)?(?:the\s+)?(?:option|number|approach|alternative|variant|nr\.?|#)?\s*([1-9]|[a-e]|first|second|third|last)(?:\s+(?:one|option|approach))?\s*(?:[.,:;!)-]|please\b|seems\b|sounds\b|is\b|$)/i;
/** “1 - yeah, 2 - no”: each to the item of that number. */
const NUMBERED =
  /(?:^|[,;\n]\s*)([1-9])\s*[-–:.)]\s*((?:yes|yeah|yep|yup|sure|ok(?:ay)?|definitely|agreed|no|nope|nah|not)\b[^,;\n]*)/gi;
const ORDINALS = ['first', 'second', 'third'];
/** How to go on with the work, which nobody asks for later. */
const OPERATION =
  /\b(?:commit|push|merge|open (?:a|the) (?:pr|pull request)|create (?:a|the) (?:pr|pull request|commit)|run (?:the )?(?:tests?|lint|build)|continue|proceed|restart|clear|rebase)\b/i;
const PROPOSES =
  /\b(?:want me to|shall (?:i|we)|should (?:i|we)|would you like|do you want|i(?:'d| would) (?:recommend|suggest|propose)|my recommendation|recommended|i suggest|sound good|ok with|prefer)\b/i;
const LONGEST_REPLY = 160;
const LONGEST_QUESTION = 320;
const FEWEST_TELLING = 3;
/** With less, question and answer together say nothing to anybody who was not there. */
const FEWEST_AT_ALL = 2;
/** Somebody who writes a list of their own answers point by point, or wants something else. */
const OWN_LIST = /^\s*(?:[1-9]|[a-e])[.)][\s\S]*?\s(?:[2-9]|[b-e])[.)]/i;
/** A longer prompt says itself what it wants. */
const LONGEST_PROMPT = 400;

/** `asked`: the end of what the agent had said; `prompt`: what the user then said. Mostly nothing, seldom more than one. */
export function goAheads(asked: string, prompt: string): string[] {
  const reply = prompt.trim().replaceAll('’', "'");
  if (asked === '' || reply === '' || reply.length > LONGEST_PROMPT) return [];
  const each = [...reply.matchAll(NUMBERED)].flatMap(([, number = '', answer = '']) => {
    const item = optionNamed(asked, number);
    return item ? [`${shortened(item, LONGEST_QUESTION)} — ${shortened(answer, LONGEST_REPLY)}`] : [];
  });
  if (each.length > 1) return each;
  const choice = OWN_LIST.test(reply) ? null : CHOICE.exec(reply);
  if (choice?.[1]) {
    const option = optionNamed(asked, choice[1].toLowerCase());
    if (option)
      return [`${shortened(questionIn(asked) ?? 'Chosen', LONGEST_QUESTION)} — ${shortened(option, LONGEST_REPLY)}`];
  }
  const isYes = YES.test(reply);
  if (!isYes && !NO.test(reply)) return [];
  const question = questionIn(asked);
  if (question === undefined || OPERATION.test(question) || /[?？]\s*$/.test(reply)) return [];
  return [`${shortened(question, LONGEST_QUESTION)} — ${shortened(reply, LONGEST_REPLY)}`];
}

/** The last thing that was asked or proposed, with the sentence before it where it says too little alone. */
function questionIn(asked: string): string | undefined {
  const sentences = sentencesOf(asked, 0, asked.length).map(({ start, end }) => plain(asked.slice(start, end)));
  const at = sentences.findLastIndex((each) => /[?？]\s*$/.test(each) || PROPOSES.test(each));
  const question = sentences[at];
  if (question === undefined || at < sentences.length - 6) return undefined;
  const before = sentences[at - 1];
  if (tellingIn(question) >= FEWEST_TELLING) return question;
  const whole = before === undefined ? question : `${before} ${question}`;
  return tellingIn(whole) >= FEWEST_AT_ALL ? whole : undefined;
}

const tellingIn = (text: string): number => new Set(topicWords(text)).size;

/** The item of a list that a number, a letter or an ordinal names. */
function optionNamed(asked: string, name: string): string | undefined {
  const items = [
    ...asked.matchAll(
      /^[ \t]*(?:[-*] )?(?:\*\*)?(?:option |approach )?\(?([0-9]{1,2}|[a-e])[.):](?:\*\*)? +(.{4,400})$/gim,
    ),
  ];
  if (name === 'last') return plainOption(items.at(-1)?.[2]);
  const ordinal = ORDINALS.indexOf(name);
  const item = ordinal === -1 ? items.findLast(([, mark]) => mark?.toLowerCase() === name) : items[ordinal];
  return plainOption(item?.[2]);
}

const plainOption = (text: string | undefined): string | undefined => (text === undefined ? undefined : plain(text));
const plain = (text: string): string =>
  text
    .replace(/[*#>|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

function shortened(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const points = [...line];
  return points.length <= most ? line : `${points.slice(0, most - 1).join('')}…`;
}
