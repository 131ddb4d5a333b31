// Statements of other conversations of the project that a new one may refer to: those that share its telling words. Few
// statements are worth the look: it costs more than all else about them together.

import type { Store } from '../store/store.ts';
import { mayChange, mayReferBack, type Statement } from '../traces/relations/relations-of.ts';
import { topicWords } from '../traces/spans/topic-words.ts';
import { INTENTS } from '../traces/trace.ts';
import type { TracePlace } from './trace-rows.ts';

const SETTLED = ['decision', 'conclusion', 'solution'];
const MOST = 12;
const TELLING_WORDS = 5;
const FEWEST_WORDS = 3;

export async function earlierIn(store: Store, place: TracePlace, statement: Statement): Promise<Statement[]> {
  if (!mayReferBack(statement)) return [];
  const words = tellingWords(statement.text);
  if (words.length < FEWEST_WORDS) return [];
  // What a user says of their own affairs stands in questions and remarks as often as in decisions.
  const kinds = mayChange(statement) ? INTENTS : SETTLED;
  const filter = { projects: [place.project], layers: ['trace'], kinds };
  const hits = await store.search({ terms: words.map((text) => ({ text })), filter, limit: MOST * 2 });
  const documents = await store.get({ refs: hits.map((hit) => hit.ref), projects: [place.project] });
  return documents
    .filter((document) => document.session !== place.session)
    .slice(0, MOST)
    .map((document) => ({
      ref: document.ref,
      text: document.text,
      intent: document.kind as Statement['intent'],
      stance: (document.meta?.stance as Statement['stance']) ?? 'stated',
      role: (document.meta?.role as Statement['role']) ?? 'assistant',
      session: document.session ?? '',
      span: document.span,
      line: document.source?.line ?? 0,
      time: document.createdAt,
      entities: [],
    }));
}

/** Long words tell more than short ones, and each costs a look. */
const tellingWords = (text: string): string[] =>
  [...new Set(topicWords(text))].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, TELLING_WORDS);
