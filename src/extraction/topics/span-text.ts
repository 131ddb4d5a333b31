// What a topic and an exchange say as rows: a few lines, each with what it is in front, for people and for the search.

import { ABOUT, BETWEEN_SAID } from '../../model/topic-outcome.ts';
import type { ExchangeText } from './exchange-text.ts';
import { shorten } from './name.ts';
import { aboutOf, type Topic } from './topics.ts';

const SUMMARY_LENGTH = 900;
const LINE_LENGTH = 180;

export function topicSummary(topic: Topic): string {
  return summary([
    `${ABOUT}${aboutOf(topic, 10)}`,
    ...line('Decided', topic.decided),
    ...line('Outcome', topic.outcomes),
    ...line('Fixed', topic.fixed),
    ...line('Left', topic.left),
    ...line('Commits', topic.commits),
    ...files(topic.files),
  ]);
}

export function exchangeSummary(text: ExchangeText): string {
  return summary([
    ...(text.asked === '' ? [] : [`Asked: ${shorten(text.asked, 300)}`]),
    ...line('Outcome', text.outcome === undefined ? [] : [text.outcome]),
    ...line('Decided', text.decided),
    ...line('Fixed', text.fixed),
    ...line('Left', text.left),
    ...line('Commits', text.commits),
    ...files(text.files),
  ]);
}

const summary = (lines: readonly string[]): string => shorten(lines.join('\n'), SUMMARY_LENGTH);

const line = (label: string, said: readonly string[]): string[] =>
  said.length > 0
    ? [
        `${label}: ${said
          .slice(-3)
          .map((text) => shorten(text, LINE_LENGTH))
          .join(BETWEEN_SAID)}`,
      ]
    : [];

const files = (names: readonly string[]): string[] =>
  names.length > 0 ? [`Files: ${names.slice(0, 6).join(', ')}`] : [];
