// What a span is called and what it says, made from the text alone: the request that began it, its words, what was decided,
// concluded and left open in it.

import type { OpenSpan } from './spans.ts';
import { asWritten, topWords } from './topic-words.ts';

const NAME_LENGTH = 72;
const SUMMARY_LENGTH = 900;
const POLITE =
  /^(?:(?:hi|hello|hey|ok(?:ay)?|so|now|and|great|perfect|thanks?(?: you)?|please|alright|also)[,.! ]+)*(?:(?:can|could|would) you (?:please )?|please |let'?s |we (?:need|want|have) to |i(?:'d| would) like (?:you )?to |i want (?:you )?to |i need (?:you )?to |help me (?:to )?)?/i;

/** The request in a few words; without one, the words of the topic. */
export function spanName(span: OpenSpan): string {
  const heading = /^#{1,3}[ \t]+(?:Plan:[ \t]*)?(.+)$/m.exec(span.prompt)?.[1];
  const first = heading ?? span.prompt.split('\n').find((line) => line.trim() !== '') ?? '';
  const sentence = /^.*?[.!?。！？](?=\s|$)/.exec(first.trim())?.[0] ?? first.trim();
  const plain = sentence
    .replace(POLITE, '')
    .replace(/[*_`#>]/g, '')
    .replace(/[.:!]+$/, '')
    .trim();
  const words = aboutOf(span, 4);
  const name = plain.length >= 8 ? plain : plain && words ? `${plain}: ${words}` : plain || words || 'Conversation';
  return shorten(name[0]!.toUpperCase() + name.slice(1), NAME_LENGTH);
}

export function spanSummary(span: OpenSpan): string {
  const part = (label: string, ...intents: string[]): string[] => {
    const said = intents.flatMap((intent) => span.said[intent] ?? []).slice(-3);
    return said.length > 0 ? [`${label}: ${said.map((text) => shorten(oneLine(text), 180)).join(' / ')}`] : [];
  };
  const lines = [
    `About: ${aboutOf(span, 10)}`,
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
  return topWords(words, most)
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
