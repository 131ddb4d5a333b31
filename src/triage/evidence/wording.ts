// From what somebody said to the words of a record: without the marks of Markdown, the heading it stood under and the hesitation it began
// with; cut at a sentence. Nothing is worded anew.

import { topicWords } from '../../extraction/topic-words.ts';
import { askedAndAnswered } from '../../model/asked-and-answered.ts';
import { readable } from '../../model/readable.ts';
import { TITLE_MAX } from '../../model/record.ts';
import { cutCodePoints } from '../../model/text.ts';
import { withoutQuotations } from '../../safety/quotations.ts';

/** Headings that say nothing of what stands below them. */
const HEADING =
  /^(?:context|background|goals?|objectives?|approach|overview|summary|plan|solution|changes?|fix(?: \d+)?|proposed (?:fix|changes?|solution)|root cause|what changed|verdict|notes?|key [\w ]{3,30}|(?:user |design |confirmed |key )*(?:decisions?|requirements?|principles?)(?: \([^)]*\))?|the user wants(?: to)?|here'?s [^:]{3,40}|step \d+[^:]{0,40}|\d+\. [^:]{3,60}): /i;
/** How people begin to speak. “No” is one of these only before a comma: “no token is logged” means what it says, and so do “for now” and “maybe”. */
const HESITATION =
  /^(?:(?:h+m+|uh+m*|u+m+|ah+|oh|ok(?:ay)?|yeah|yes|yep|so|well|alright|right|sure|cool|great|also|and|but|actually|honestly|i (?:think|guess|feel like)(?: that)?)(?:[,.!]+\s+|\s+[-–—]\s+|\s+)|no(?:[,.!]+\s+|\s+[-–—]\s+))+/i;
const LONGEST = 600;

/** One statement as a line of a record. */
export function stated(text: string): string {
  const line = readable(withoutQuotations(text)).replace(HEADING, '');
  const begun = line.replace(HESITATION, '');
  const said = topicWords(begun).length >= 3 ? begun : line;
  return cut(capital(said), LONGEST);
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A title: the first sentence that can be understood alone, or as much of it as fits; a question stands with its answer. */
export function titled(text: string): string {
  const said = stated(text);
  const line = answered(said);
  const sentences = line.match(/\S.{19,}?[.!?](?=\s|$)|\S.*$/g) ?? [line];
  const [first = line] = line === said ? [...sentences.filter(isClear), ...sentences] : sentences;
  return cut(capital(first.replace(/[.:;,]+$/, '')), TITLE_MAX);
}

/** `The page is long. Where shall it lie? — In the footer` → `Where shall it lie: In the footer`. */
function answered(line: string): string {
  const said = askedAndAnswered(line);
  return said ? `${said.question}: ${said.answer}` : line;
}

export function cut(text: string, most: number): string {
  if ([...text].length <= most) return text;
  const begin = cutCodePoints(text, most - 1);
  return `${begin.includes(' ') ? begin.slice(0, begin.lastIndexOf(' ')) : begin}…`;
}

/** What it points at stands elsewhere: “lets get this in quite early”. */
const POINTING =
  /^(?:\S+ ){0,2}(?:this|that|it|its|these|those|them|they|same|here|there)\b(?! (?:the|an?|we|all|every|each)\b)|\b(?:get|do|add|move|use|make|put|fold|slot|keep|take|leave|have|with|for|of|on|in) (?:this|that|it|these|those|them)\b|\bthe (?:first|second|third|last|other|lazy) (?:one|option)\b/i;
const FEWEST_WORDS = 3;
/** With so many words of its own, it is understood whatever it points at. */
const MANY_WORDS = 9;

/** Whether somebody who was not there knows what it is about. */
export const standsAlone = (text: string): boolean => isClear(stated(text));

function isClear(line: string): boolean {
  const words = new Set(topicWords(line)).size;
  return words >= FEWEST_WORDS && (words >= MANY_WORDS || !POINTING.test(line));
}

/** The reason that the wording itself gives. */
export function reasonIn(text: string): string | undefined {
  const [reason] =
    /\b(?:because|since|due to|so that|given(?: that)?|otherwise)\s+[^.;\n]{6,240}/i.exec(readable(text)) ?? [];
  return reason === undefined ? undefined : reason.charAt(0).toUpperCase() + reason.slice(1);
}

/** The words to find it by. */
export const tagsIn = (text: string, most = 5): string[] =>
  [...new Set(topicWords(text))].filter((word) => /^[\p{L}\p{N}][\p{L}\p{N}_-]{2,29}$/u.test(word)).slice(0, most);
