// Which statements may be told to somebody who did not ask, and how likely they are of use.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecallResult, Telling } from '../recall/answer.ts';
import { indexWords } from '../store/index-words.ts';
import {
  type Asked,
  asSaid,
  type Found,
  isPassage,
  isSaidBy,
  isTellable,
  likelihood,
  pointsBack,
  tellsOfProgress,
} from './told-candidate.ts';
import { TOLD } from './told-table.ts';

const telling = (more: Partial<Telling> = {}): Telling => ({
  worth: 0.9,
  searchOnly: false,
  level: null,
  stance: null,
  outcome: '',
  decided: [],
  fixed: [],
  left: [],
  asked: '',
  tags: [],
  coverage: 0.4,
  words: ['ledger', 'cent'],
  cosine: 0.6,
  ...more,
});

const found = (text: string, more: Partial<RecallResult> = {}, tells: Partial<Telling> = {}): Found => ({
  ref: 'idea:1',
  layer: 'trace',
  kind: 'conclusion',
  title: text.slice(0, 40),
  text,
  score: 1,
  relevance: 0.5,
  confidence: 0.8,
  status: 'active',
  project: '/p',
  session: 'earlier',
  created_at: '2026-04-01T10:00:00.000Z',
  source: null,
  speaker: 'assistant',
  provenance: 'said',
  why: [],
  chain: [],
  span: null,
  exchange: null,
  ...more,
  telling: telling(tells),
});

const asked = (prompt: string, written: readonly string[] = []): Asked => ({
  words: new Set(indexWords(prompt)),
  said: asSaid(prompt),
  written: new Set(written),
});

const PROMPT = asked('why does the ledger lose a cent now and then?');
const CAUSE = 'The ledger loses a cent because the tax is rounded before it is summed up.';

describe('a statement of a conversation', () => {
  it('is told where it carries a result', () => {
    for (const kind of ['decision', 'conclusion', 'solution', 'context'])
      expect(isTellable(found(CAUSE, { kind }), PROMPT), kind).toBe(true);
    for (const kind of ['question', 'todo', 'span'])
      expect(isTellable(found(CAUSE, { kind }), PROMPT), kind).toBe(false);
  });

  it('is told as a problem only while that is open, or where it says why', () => {
    const fault = 'The ledger loses a cent where the tax is rounded before it is summed up.';
    expect(isTellable(found(fault, { kind: 'problem' }), PROMPT)).toBe(false);
    expect(isTellable(found(fault, { kind: 'problem', status: 'open' }), PROMPT)).toBe(true);
    expect(isTellable(found(CAUSE, { kind: 'problem' }), PROMPT)).toBe(true);
  });

  it('is not told where it only says that something was committed, or somebody else’s words are missing in it', () => {
    for (const text of [
      'Committed: fix(ledger): round the tax of an invoice at the end',
      'Pull request: round the tax of an invoice at the end',
      'Taken back: round the tax of an invoice at the end',
      'User feedback: "please do not round before the sum of all of the rows is known to you" — the tax is now rounded at the end.',
    ])
      expect(isTellable(found(text), PROMPT), text).toBe(false);
    expect(isTellable(found('The tax was committed to the books before it was rounded.'), PROMPT)).toBe(true);
  });

  it('is not told where it is kept for search alone, quoted, of little worth or over', () => {
    expect(isTellable(found(CAUSE, {}, { searchOnly: true }), PROMPT)).toBe(false);
    expect(isTellable(found(CAUSE, { provenance: 'quoted' }), PROMPT)).toBe(false);
    expect(isTellable(found(CAUSE, {}, { worth: TOLD.leastWorth - 0.01 }), PROMPT)).toBe(false);
    expect(isTellable(found(CAUSE, {}, { worth: TOLD.leastWorth }), PROMPT)).toBe(true);
    expect(isTellable(found(CAUSE, {}, { worth: null }), PROMPT)).toBe(true);
    const change = (more: Partial<Telling>, kind = 'solution') =>
      isTellable(found(CAUSE, { kind }, { worth: 0.3, coverage: 0.5, cosine: 0.6, ...more }), PROMPT);
    expect(change({})).toBe(true);
    for (const weak of [{ worth: 0.2 }, { coverage: 0.4 }, { cosine: 0.5 }, { cosine: null }])
      expect(change(weak), JSON.stringify(weak)).toBe(false);
    expect(change({}, 'conclusion')).toBe(false);
    const cause = 'Uploads work again: the issue was a stale process with an old address of the ledger.';
    const low = { worth: TOLD.leastWorth - 0.2 };
    expect(isTellable(found(cause, {}, low), PROMPT)).toBe(true);
    expect(isTellable(found(cause, { kind: 'problem' }, low), PROMPT)).toBe(false);
    expect(isTellable(found(CAUSE, {}, { cosine: 0.3 }), PROMPT)).toBe(false);
    expect(isTellable(found(CAUSE, {}, { cosine: TOLD.leastCosine }), PROMPT)).toBe(true);
    expect(isTellable(found(CAUSE, {}, { cosine: null }), PROMPT)).toBe(true);
    for (const status of ['superseded', 'archived', 'deprecated'])
      expect(isTellable(found(CAUSE, { status }), PROMPT), status).toBe(false);
    expect(isTellable(found(CAUSE, { status: 'done' }), PROMPT)).toBe(true);
  });

  it('of the user is a decision or a wish for good, not what they wanted done once', () => {
    const said = (text: string, kind = 'decision') => isTellable(found(text, { kind, speaker: 'user' }), PROMPT);
    expect(said('Given the privacy focus of the app we store no address in the browser.')).toBe(true);
    expect(said('Amounts are kept in cents, because floats lose them.')).toBe(true);
    expect(said('I think we should keep amounts in cents, and the rates in a table.')).toBe(true);
    expect(said('We should not show the rate of a year that is closed.')).toBe(true);
    expect(said('Design: amounts are kept in cents, because floats lose them.')).toBe(false);
    expect(said('When the page of the ledger is opened by a shop of its own: amounts are kept in cents.')).toBe(false);
    expect(said('I think we can put the rates in a table of their own.')).toBe(false);
    expect(said('Never round an amount before everything is summed up.', 'context')).toBe(true);
    expect(said('Add a column for the currency to the ledger table.')).toBe(false);
    expect(said('Context: The user wants a column for the currency in the ledger.')).toBe(false);
    expect(said('ok, can you move the currency to another column of it?')).toBe(false);
    expect(said('The amounts in the report are off by a cent again.', 'conclusion')).toBe(false);
    expect(said('It never shows the currency of the ledger on that page.', 'problem')).toBe(false);
  });

  it('stands alone: enough words, no narration, nothing that is only announced', () => {
    expect(isTellable(found('Rounded too early, twice.'), PROMPT)).toBe(false);
    expect(isTellable(found('Let me look at the rounding of the tax in the invoice first.'), PROMPT)).toBe(false);
    expect(isTellable(found('The rounding of the tax has three causes that matter here:'), PROMPT)).toBe(false);
    expect(isTellable(found('The design agent is still working on the mockups of the tax page.'), PROMPT)).toBe(false);
    expect(isTellable(found('All 12 tests are running against the tax service of the ledger now.'), PROMPT)).toBe(
      false,
    );
    expect(
      isTellable(found("Verdict: It's enough for a phase of the tax service, as large as the fourth."), PROMPT),
    ).toBe(false);
    expect(isTellable(found('This is the design of the tax table that you asked about earlier.'), PROMPT)).toBe(false);
    expect(isTellable(found('Roadmap: It also exercises the rounding of the tax for the first time.'), PROMPT)).toBe(
      false,
    );
    expect(isTellable(found('The new task is another one: the tax is rounded in the worker.'), PROMPT)).toBe(false);
    expect(isTellable(found('Items of the tax table are rounded once, in the worker.'), PROMPT)).toBe(true);
    expect(isTellable(found('This table of the tax service is written by the nightly job alone.'), PROMPT)).toBe(true);
    expect(isTellable(found('The tax server is running out of memory after some hours.'), PROMPT)).toBe(true);
    expect(isTellable(found('Shall the tax be rounded for each line of an invoice?'), PROMPT)).toBe(false);
  });

  it('is no echo of the prompt', () => {
    expect(isTellable(found('Now and then the ledger does lose a cent.'), PROMPT)).toBe(false);
    expect(isTellable(found(CAUSE), PROMPT)).toBe(true);
  });

  it('of a long prompt is an echo where a row of its words stands in it', () => {
    const words = Array.from({ length: 100 }, (_, at) => `word${at}`).join(' ');
    const plan = asked(`${words} the tax is rounded before the sum is made and the cent is lost ${CAUSE.slice(0, 20)}`);
    expect(isTellable(found(CAUSE), plan)).toBe(true);
    const copied = 'Context: the tax is rounded before the sum is made and the cent is lost somewhere.';
    expect(isTellable(found(copied), plan)).toBe(false);
  });

  it('of the conversation that wrote what was pasted is in it already', () => {
    expect(isTellable(found(CAUSE), asked('why a cent?', ['earlier']))).toBe(false);
    expect(isTellable(found(CAUSE), asked('why a cent?', ['another']))).toBe(true);
  });
});

describe('how likely it is of use', () => {
  const likely = (more: Partial<Telling>, promptWords = 9) => likelihood(telling(more), promptWords);

  it('grows with all that speaks for it', () => {
    expect(likely({ coverage: 0.8 })).toBeGreaterThan(likely({}));
    expect(likely({ cosine: 0.7 })).toBeGreaterThan(likely({}));
    expect(likely({ worth: 0.5 })).toBeLessThan(likely({}));
    expect(likely({ words: ['ledger', 'cent', 'tax'] })).toBeGreaterThan(likely({}));
    expect(likely({}, TOLD.short.words)).toBeGreaterThan(likely({}));
    expect(likely({}, TOLD.short.words + 1)).toBe(likely({}));
    expect(likely({ worth: null })).toBe(likely({ worth: TOLD.unknownWorth }));
  });

  it('counts a name once, however many parts it has', () => {
    const parts = { words: ['delegated-hubs.dev', 'delegated', 'hubs', 'dev'] };
    expect(likely(parts)).toBe(likely({ words: ['delegated-hubs.dev'] }));
  });

  it('lies on the right side for what readers judged', () => {
    const three = ['a', 'b', 'c'];
    expect(likely({ coverage: 0.29, cosine: 0.53, worth: 0.97, words: three })).toBeGreaterThan(TOLD.likely);
    expect(likely({ coverage: 0.46, cosine: 0.46, worth: 0.78, words: ['a', 'b'] })).toBeLessThan(TOLD.likely);
    expect(likely({ coverage: 0.3, cosine: 0.23, worth: 0.84, words: ['a'] })).toBeLessThan(TOLD.likely);
  });

  it('without vectors is judged by words alone: one in common is nothing, all of a short question enough', () => {
    expect(likely({ cosine: null, coverage: 1, words: ['ledger', 'bookkeeping'] })).toBeGreaterThan(TOLD.likely);
    expect(likely({ cosine: null, coverage: 0.5, words: ['a', 'b', 'c', 'd'] })).toBeGreaterThan(TOLD.likely);
    expect(likely({ cosine: null, coverage: 0.5, words: ['ledger'] })).toBeLessThan(TOLD.likely);
    expect(likely({ cosine: null, coverage: 0.1, words: ['ledger', 'cent'] })).toBeLessThan(TOLD.likely);
  });
});

describe('two texts', () => {
  it('share a passage where a row of words is the same, whatever stands between them', () => {
    const said = asSaid('Plan: the **tax** is rounded before it is summed up; then `round` it.');
    expect(isPassage('Context: the tax is rounded before it is summed up', said)).toBe(true);
    expect(isPassage('the tax is rounded before it is summed', said)).toBe(true);
    expect(isPassage('the tax is rounded before it was summed up', said)).toBe(false);
    expect(isPassage('the tax is rounded', said)).toBe(false);
  });

  it('say the same where one has most words of the other, small words apart', () => {
    expect(isSaidBy(CAUSE, 'The ledger loses a cent, because tax is rounded early.')).toBe(true);
    expect(isSaidBy(CAUSE, 'The ledger is kept in Postgres, because it needs transactions.')).toBe(false);
  });
});

describe('what is told by words and small patterns', () => {
  // As one pattern each, which take a hook milliseconds to make ready.
  const PROGRESS =
    /^(?:(?:the|all|both|\d+|two|three) )?(?:\S+ ){0,3}(?:agents?|subagents?|researchers?|planners?|checkers?|executors?|workers?|tasks?|jobs?|builds?|tests|checks|pipeline|server|ci) (?:is|are) (?:still |now |currently |already )*(?:working|running(?! out)|building|investigating|researching|waiting|analy[sz]ing|progressing|underway|in progress|executing|being)\b/i;
  const POINTS_BACK =
    /^(?:[^:]{2,20}: )?(?:it(?:'s)?|the (?:new|next|current|previous) task is|this is (?:the|what|where|why)|that(?:'s| is) (?:the|what|why|exactly)|same as|as (?:above|before|you (?:said|identified|noted)))\b|\b(?:you (?:asked|mentioned) (?:about |for )?(?:earlier|before|above)|as (?:I|we) (?:said|discussed) (?:earlier|before|above))\b/i;
  const sentence = (...words: string[]): fc.Arbitrary<string> =>
    fc
      .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', ' ', ' ', ' ', '  ', '\n', ': ', ':', '')), {
        maxLength: 9,
      })
      .map((parts) => parts.flat().join(''));

  it('is progress where the whole pattern says so', () => {
    const words = ['All', 'the', '12', 'review', 'agents', 'CI', 'tests', 'is', 'are', 'still', 'now', 'running'];
    const told = sentence(...words, 'out', 'in', 'progress', 'Working', 'analysing', 'workers', 'x-ray');
    fc.assert(fc.property(told, (text) => tellsOfProgress(text) === PROGRESS.test(text)));
    for (const [text, isProgress] of [
      ['All three review agents are still running.', true],
      ['The new small review agents are running', true],
      ['Some new small review agents are running', false],
      ['It is working agents are waiting', true],
      ['The server is running out of memory', false],
      ['Tests are in progress', true],
    ] as const)
      expect([text, tellsOfProgress(text), PROGRESS.test(text)]).toEqual([text, isProgress, isProgress]);
  });

  it('points back where the whole pattern says so', () => {
    const told = sentence(
      "It's",
      'it is',
      'This is',
      'the',
      'a note',
      'x',
      'why',
      'as',
      'above',
      'you asked',
      'earlier',
      'as we',
      'said',
    );
    fc.assert(fc.property(told, (text) => pointsBack(text) === POINTS_BACK.test(text)));
    for (const [text, isBack] of [
      ['Note: that is the reason.', true],
      ['N: that is the reason.', false],
      ['A heading of this length, or more: it is so', false],
      ['Note: more: it is so', false],
      ['The limit, as I said before, is ten.', true],
    ] as const)
      expect([text, pointsBack(text), POINTS_BACK.test(text)]).toEqual([text, isBack, isBack]);
  });
});
