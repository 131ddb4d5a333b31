// What a span is called and what it says, made from the text alone: the request that began it, its words, what was decided,
// concluded and left open in it.

import { ABOUT } from '../../model/topic-outcome.ts';
import { asWritten, topWords } from '../topic-words.ts';
import type { OpenSpan } from './spans.ts';

const NAME_LENGTH = 72;
const SUMMARY_LENGTH = 900;
const POLITE =
  /^(?:(?:hi|hello|hey|ok(?:ay)?|so|now|and|great|perfect|thanks?(?: you)?|please|alright|also)[,.! ]+)*(?:i think (?:that )?)?(?:(?:can|could|would) you (?:please )?|please |let'?s |we (?:also )?(?:need|want|have) to |(?:we|you) (?:mus[tr]|should)(?! not)(?: also)? |i(?:'d| would) like (?:you )?to |i want (?:you )?to |i need (?:you )?to |i(?:'m| am) (?:currently |now )?(?:trying|looking|planning|going) to |help me (?:to )?)?/i;
/** What a courtesy begins with. Most requests begin otherwise, and Node takes a millisecond to make the pattern ready. */
const POLITE_WORDS = new Set(
  'hi hello hey ok okay so now and great perfect thank thanks please alright also i can could would let lets we you help'.split(
    ' ',
  ),
);
/** Points at something that only those who were there can see. */
const DEICTIC = /^(?:this|that|it|these|those|they|here|same|the (?:same|above|following))\b/i;
const SHORTEST_NAME = 8;
const ENOUGH_WORDS = 3;
/** In every topic of work on code. */
const ROUTINE = new Set([
  'test',
  'lint',
  'check',
  'commit',
  'src',
  'const',
  'step',
  'typecheck',
  'pass',
  'committ',
  'fixe',
]);

/** The request in a few words; where that says little, what was committed in the end, or the words of the topic. */
export function spanName(span: OpenSpan): string {
  const heading = /^#{1,3}[ \t]+(?:Plan:[ \t]*)?(.+)$/m.exec(span.prompt)?.[1];
  const first = heading ?? span.prompt.split('\n').find((line) => line.trim() !== '') ?? '';
  const plain = plainName(first);
  const says = plain.length >= SHORTEST_NAME && plain.split(/\s+/).length >= ENOUGH_WORDS && !DEICTIC.test(plain);
  const name = heading || says ? plain : (committed(span) ?? withWords(plain, span));
  return shorten(name === '' ? 'Conversation' : name[0]!.toUpperCase() + name.slice(1), NAME_LENGTH);
}

/** The first sentence without courtesies, marks, long paths and whatever output was pasted behind it. */
function plainName(first: string): string {
  const sentence = /^.*?[.!?。！？](?=\s|$)/.exec(first.trim())?.[0] ?? first.trim();
  const isPolite = POLITE_WORDS.has(/^[a-z]*/i.exec(sentence)![0].toLowerCase());
  return (isPolite ? sentence.replace(POLITE, '') : sentence)
    .replace(/\s\[[\d:.]{4,}\].*$/, '')
    .replace(/@?(?:[\w.-]{1,80}\/){2,12}([\w.-]{1,80})/g, '$1')
    .replace(/[*_`#>]/g, '')
    .replace(/[.:!]+$/, '')
    .trim();
}

const committed = ({ said }: OpenSpan): string | undefined =>
  (said.conclusion ?? [])
    .map((text) => /^Committed: (.{8,})/.exec(text)?.[1])
    .filter((subject) => subject !== undefined)
    .at(-1);

function withWords(plain: string, span: OpenSpan): string {
  const words = aboutOf(span, 4);
  return plain && words ? `${plain}: ${words}` : plain || words;
}

export function spanSummary(span: OpenSpan): string {
  const part = (label: string, ...intents: string[]): string[] => {
    const said = intents.flatMap((intent) => span.said[intent] ?? []).slice(-3);
    return said.length > 0 ? [`${label}: ${said.map((text) => shorten(oneLine(text), 180)).join(' / ')}`] : [];
  };
  const lines = [
    `${ABOUT}${aboutOf(span, 10)}`,
    ...part('Decided', 'decision'),
    ...part('Found', 'conclusion', 'solution'),
    ...part('Problems', 'problem'),
    ...part('Open', 'question', 'todo'),
    ...(span.files.length > 0 ? [`Files: ${span.files.slice(0, 6).join(', ')}`] : []),
  ];
  return shorten(lines.join('\n'), SUMMARY_LENGTH);
}

/** The words of the topic, as they were written where that is still known. */
function aboutOf({ words, prompt, said }: OpenSpan, most: number): string {
  const written = asWritten([prompt, ...Object.values(said).flat()].join(' '));
  return topWords(words, most + ROUTINE.size)
    .filter((word) => !ROUTINE.has(word))
    .slice(0, most)
    .map((word) => written.get(word) ?? word)
    .join(', ');
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function shorten(text: string, most: number): string {
  const points = [...text];
  if (points.length <= most) return text;
  const cut = points.slice(0, most - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > most / 2 ? cut.slice(0, space) : cut}…`;
}
