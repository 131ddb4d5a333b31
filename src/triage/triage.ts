// Decides what of a finished turn is worth saving: messages and settings in, triggered categories out.

import type { Settings } from '../config/settings/settings.ts';
import type { Tail } from '../transcripts/tail.ts';
import { conversationOf } from './conversation.ts';
import { type Activity, activityOf, scoreActivity, scoreText, weightsOf } from './score.ts';
import { compileVocabulary } from './vocabulary/compile-vocabulary.ts';
import type { Vocabulary } from './vocabulary/words.ts';

export type TriageSettings = Pick<Settings, 'categories' | 'triage'>;

export type Trigger = {
  readonly category: string;
  readonly description: string;
  readonly score: number;
  /** The lines with a primary word, and those the score was made of; none for the session summary. */
  readonly matches: readonly number[];
  readonly counted: readonly number[];
};

export type TriageResult = {
  /** In the order in which they are named to the user. */
  readonly triggers: readonly Trigger[];
  /** The conversation, line by line, as the numbers above count it. */
  readonly lines: readonly string[];
  readonly activity: Activity;
};

const SESSION = 'session_summary';
const ORDER = ['decision', 'runbook', 'constraint', 'tech_debt', 'preference'];

/** `added` are the user's own words; custom categories have none but those. */
export function triage({ messages, offered }: Tail, settings: TriageSettings, added: Vocabulary = {}): TriageResult {
  const conversation = conversationOf(messages);
  const activity = activityOf(messages);
  const triggers: Trigger[] = [];
  const consider = (category: string, found: Omit<Trigger, 'category' | 'description'>): void => {
    // A threshold of 0 means "the slightest sign", not "nothing at all".
    if (found.score > 0 && found.score >= settings.triage.thresholds[category]!)
      triggers.push({ category, description: settings.categories[category]!.description, ...found });
  };
  const vocabulary = compileVocabulary(conversation.text, added);
  for (const category of new Set([...ORDER, ...vocabulary.keys()]))
    if (category !== SESSION && mayTrigger(category, settings))
      consider(category, scoreText(conversation, vocabulary.get(category) ?? [], weightsOf(category)));
  // Nearly every turn is active enough for a summary. One is enough until the last one has left the tail.
  if (mayTrigger(SESSION, settings) && !offered.has(SESSION))
    consider(SESSION, { score: scoreActivity(activity), matches: [], counted: [] });
  return { triggers, lines: conversation.lines, activity };
}

function mayTrigger(category: string, { categories, triage: { thresholds } }: TriageSettings): boolean {
  const own = categories[category];
  return own?.enabled === true && own.auto_capture && thresholds[category] !== undefined;
}
