import { describe, expect, it } from 'vitest';
import { readAsking } from './question-words.ts';

describe('the kind that a query names', () => {
  it.each([
    ['decisions about auth', 'decision'],
    ['all our decisions on caching', 'decision'],
    ['show me the decisions', 'decision'],
    ['which decisions were made about auth', 'decision'],
    ['Entscheidungen zur Anmeldung', 'decision'],
    ['quelles décisions sur le cache', 'decision'],
    ['decisiones sobre el caché', 'decision'],
    ['認証の決定', 'decision'],
    ['open questions', 'question'],
    ['unanswered questions about the parser', 'question'],
    ['offene Fragen', 'question'],
    ['todos', 'todo'],
    ['open to-dos for the parser', 'todo'],
    ['pending tasks', 'todo'],
    ['next steps', 'todo'],
    ['problems with the build', 'problem'],
    ['known bugs in the importer', 'problem'],
    ['Fehler im Import', 'problem'],
    ['fixes for the build', 'solution'],
    ['workarounds', 'solution'],
    ['lessons learned', 'conclusion'],
    ['my preferences', 'preference'],
    ['preferences for tests', 'preference'],
  ])('is in "%s" a %s', (query, kind) => {
    expect(readAsking(query).named).toEqual([kind]);
    expect(readAsking(query).intents).toContain(kind);
  });

  it.each([
    ...['what did we decide about sessions', 'how did we fix the flaky test', 'Various fixes', 'the bugs bunny suite'],
    ...['fix(9): address the remarks of a review', 'add error handling', 'the decisions.ts module', 'problem 7'],
    ...['how many questions did I ask', 'docs: Phase 14 sharing insights', 'ledger in postgres'],
  ])('is not in "%s"', (query) => expect(readAsking(query).named).toEqual([]));

  it('is asked for in passing, too', () => {
    expect(readAsking('what was decided about sessions').intents).toEqual(['decision']);
    expect(readAsking('what do I prefer for tests').intents).toEqual(['preference']);
    expect(readAsking('was haben wir zur Anmeldung entschieden').intents).toEqual(['decision']);
  });
});
