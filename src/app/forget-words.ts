// What was counted before something is forgotten, in words: JSON keeps the names of the places, people read sentences.

import type { Counts } from './forget-places.ts';

const ONE: { readonly [place: string]: string } = {
  conversations: 'conversation',
  lines: 'line',
  ideas: 'idea',
  topics: 'topic',
  files: 'file',
  copies: 'earlier copy',
  'records and notes': 'record or note',
  'renamed files': 'renamed file',
  'archived transcripts': 'archived transcript',
  'notes of sessions': 'note of a session',
  'summaries of sessions': 'summary of a session',
  'copies of removed notes': 'copy of a removed note',
  'journals of sessions': 'journal of a session',
  'injection log': 'entry of the injection log',
  'what prompts were told': 'list of what prompts were told',
  'what was learned': 'thing that was learned',
  'answers of a model': 'answer of a model',
  'lines of logs': 'line of a log',
  'lines of notes and logs': 'line of a note or log',
  'triage files': 'triage file',
  'endings that wait': 'ending that waits',
  'transcripts of the client': 'transcript of the client',
};

const MANY: { readonly [place: string]: string } = {
  copies: 'earlier copies',
  'injection log': 'entries of the injection log',
  'what prompts were told': 'lists of what prompts were told',
  'what was learned': 'things that were learned',
};

/** `1 conversation`, `4 ideas`: what there is, in the order of its counting. */
export const countWords = (counts: Counts): string[] =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([place, count]) => `${count} ${(count === 1 ? ONE[place] : MANY[place]) ?? place}`);
